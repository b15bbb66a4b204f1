"""Drop and hold: the page of a gaming day, every figure's own page, and the soft count's form."""

import uuid
from datetime import UTC, date, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from django.conf import settings
from django.contrib import messages
from django.core.exceptions import BadRequest
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_POST

from casino.commands.order import Order
from casino.gate import has_role
from casino.refusal import Refused, in_quotes
from casino.roles import FLOOR
from casino.table import gaming_date_of
from casino.web import day_of, page
from ledger.commands.checkpoints import take_checkpoint
from ledger.queries import days, errors, hours, opened

NAME_MAX = 80


@page
def drop_and_hold(request: HttpRequest) -> HttpResponse:
    return render(request, "ledger/drop_and_hold.html", _day(request))


@page
def _drop_and_hold(request: HttpRequest) -> HttpResponse:
    return render(request, "ledger/_drop_and_hold.html", _day(request))


def _day(request: HttpRequest) -> dict[str, Any]:
    day, today = asked_day(request)
    return {
        "shown": days.drop_and_hold(day),
        "day": day,
        "before": day - timedelta(days=1),
        "after": day + timedelta(days=1) if day < today else None,
        "is_today": day == today,
    }


def asked_day(request: HttpRequest) -> tuple[date, date]:
    """The gaming day that an address asks for, and today's."""
    today = gaming_date_of(timezone.now(), ZoneInfo(settings.TIME_ZONE), settings.CASINO_ROLLOVER_HOUR)
    asked = request.GET.get("gaming_date", "").strip()
    return day_of(asked) if asked else today, today


@page
def _table_day(request: HttpRequest, day: str, table: str) -> HttpResponse:
    """A table's day for its page: periods, hours, dealers' errors; nothing where the books have none."""
    try:
        row = days.table_day(day_of(day), table)
    except Refused as refusal:
        raise Http404(refusal.message) from None
    shown = {
        "row": row,
        "periods": [days.period_row(period) for period in row.periods],
        "hours": hours.table_hours(row.gaming_date, table),
        "errors": errors.dealer_errors(row.gaming_date, table),
    }
    return render(request, "ledger/_table_day.html", shown)


@page
def by_hour(request: HttpRequest) -> HttpResponse:
    return render(request, "ledger/hours.html", _hours(request))


@page
def _by_hour(request: HttpRequest) -> HttpResponse:
    return render(request, "ledger/_hours.html", _hours(request))


def _hours(request: HttpRequest) -> dict[str, Any]:
    day, today = asked_day(request)
    figure, pit = request.GET.get("figure", "win"), request.GET.get("pit", "")
    if figure not in hours.SHOWN:
        raise BadRequest(f"{in_quotes(figure)} is not shown by the hour; choose from {', '.join(hours.SHOWN)}.")
    return {
        "shown": hours.grid(day, figure, pit),
        "pit": pit,
        "pits": hours.pits(),
        "since": hours.since_checkpoint(day),
        "figures": hours.SHOWN,
        "figure": figure,
        "day": day,
        "before": day - timedelta(days=1),
        "after": day + timedelta(days=1) if day < today else None,
        "may_take": day == today and has_role(request.user, FLOOR),
        "key": str(uuid.uuid4()),
    }


@require_POST
def checkpoint(request: HttpRequest) -> HttpResponse:
    """Write the day's figures down; the page then shows what came since."""
    day = day_of(request.POST.get("gaming_date", ""))
    order = Order(request.user.get_username(), request.POST.get("key", ""), datetime.now(UTC), source="page")
    tables, position = hours.as_now(day)
    try:
        take_checkpoint(order, day, tables, position, request.POST.get("note", "").strip())
        messages.success(
            request, "The figures of the floor are written down; what comes from now on is shown beside them."
        )
    except Refused as refusal:
        messages.error(request, refusal.message)
    return redirect(f"{reverse('by_hour')}?gaming_date={day.isoformat()}")


@page
def dealer_errors(request: HttpRequest) -> HttpResponse:
    return render(request, "ledger/dealer_errors.html", _errors(request))


@page
def _dealer_errors(request: HttpRequest) -> HttpResponse:
    return render(request, "ledger/_dealer_errors.html", _errors(request))


def _errors(request: HttpRequest) -> dict[str, Any]:
    day, today = asked_day(request)
    after = day + timedelta(days=1) if day < today else None
    return {"shown": errors.dealer_errors(day), "day": day, "before": day - timedelta(days=1), "after": after}


def _session(request: HttpRequest) -> int | None:
    """The period that an address asks for; None is the whole day."""
    asked = request.GET.get("session", "")
    if not asked:
        return None
    if not asked.isascii() or not asked.isdecimal() or len(asked) > 4:
        raise BadRequest(f"{in_quotes(asked)} is not the number of a session; write it like 1.")
    return int(asked)


@page
def figure(request: HttpRequest, day: str, table: str, code: str) -> HttpResponse:
    if table == days.ALL:
        return render(request, "ledger/total.html", {"page": opened.total_page(day_of(day), code)})
    only, after = request.GET.get("events", ""), request.GET.get("after", "")
    try:
        shown = opened.figure_page(day_of(day), table, code, only, after, _session(request))
    except ValueError:
        raise BadRequest(f"{in_quotes(after)} is no place in a list of events; go back to the figure's page.") from None
    return render(request, "ledger/figure.html", {"page": shown, "after": after})
