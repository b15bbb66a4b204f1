"""The close of a gaming day: what is open, the deed itself, and a closed day as filed and as known, also on paper."""

import uuid
from datetime import UTC, date, datetime
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_POST

from casino.commands.order import Order
from casino.gate import has_role
from casino.people import approval_of
from casino.refusal import Refused
from casino.roles import ACCOUNTING, PIT_MANAGER
from casino.web import day_of, page, status_of
from ledger.commands.closing import close_day
from ledger.day_state import days_to_close
from ledger.models import DayClose
from ledger.queries import closing, filed
from ledger.queries.days import wait_until_read

APPROVERS = (ACCOUNTING, PIT_MANAGER)
"""Who may be the second person where a day is closed over what is open."""


@page
def close(request: HttpRequest) -> HttpResponse:
    return render(request, "ledger/close/close.html", _shown(request))


def _shown(request: HttpRequest, day: date | None = None, **more: Any) -> dict[str, Any]:
    """The page: the day asked for, else the oldest that waits, and the days closed last."""
    waiting = days_to_close()
    wanted = day or (waiting[0] if waiting else None)
    return {
        "day": closing.day_to_close(wanted, timezone.now()) if wanted else None,
        "waiting": waiting,
        "closed": closing.closed_days(),
        "may_close": has_role(request.user, ACCOUNTING),
        "approvers": APPROVERS,
        "key": str(uuid.uuid4()),
        **more,
    }


@page
def day(request: HttpRequest, day: str) -> HttpResponse:
    """A closed day as filed and as known now; of a day that is not closed, what keeps it open."""
    wanted = day_of(day)
    if not DayClose.objects.filter(gaming_date=wanted).exists():
        return render(request, "ledger/close/close.html", _shown(request, wanted))
    return render(request, "ledger/close/day.html", _filed(wanted))


@page
def printed(request: HttpRequest, day: str) -> HttpResponse:
    """A filed day on paper, with lines for signatures."""
    shown = _filed(day_of(day)) | {"at": datetime.now(UTC), "by": request.user.get_username()}
    return render(request, "ledger/close/print.html", shown)


def _filed(wanted: date) -> dict[str, Any]:
    page = filed.filed_day(wanted)
    chips = filed.chip_float(page.close)
    win = page.filed.total.result.win if page.filed.total else None
    return {
        "page": page,
        "chips": chips,
        "receipts": chips.receipts_cents(win) if chips else None,
        "day": wanted,
        "sums": filed.sums_to_date(page.close),
    }


@require_POST
def do_close(request: HttpRequest, day: str) -> HttpResponse:
    """Close the day; over what is open, where a second person proves who they are."""
    wanted = day_of(day)
    order = Order(request.user.get_username(), request.POST.get("key", ""), datetime.now(UTC), source="page")
    try:
        override = "override" in request.POST
        approval = approval_of(request, order, request.POST, *APPROVERS) if override else None
        done = close_day(order, wanted, request.POST.get("reason", "") if override else "", approval)
    except Refused as refusal:
        shown = _shown(request, wanted, refusal=refusal, given=request.POST)
        return render(request, "ledger/close/close.html", shown, status=status_of(refusal.code))
    wait_until_read(done.position)
    messages.success(request, f"Gaming day {wanted} is closed at position {done.position}; it is filed in a moment.")
    return redirect("closed_day", wanted.isoformat())
