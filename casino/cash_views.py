"""People's cash against the thresholds, for the staff's eyes only: the log of a day, merges, reports, payouts."""

import uuid
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST

from casino.cash import WORDS
from casino.commands import cash as commands
from casino.commands.order import Order, house_profile
from casino.gate import has_role
from casino.queries import cash, floor
from casino.refusal import Refused
from casino.roles import ACCOUNTING, CAGE, FLOOR
from casino.web import day_of, page

PEOPLE_SHOWN = 100
"""Of a page of a day's people."""


@page
def cash_log(request: HttpRequest) -> HttpResponse:
    return render(request, "casino/cash.html", _log(request))


@page
def _cash_log(request: HttpRequest) -> HttpResponse:
    return render(request, "casino/_cash.html", _log(request))


def _log(request: HttpRequest) -> dict[str, Any]:
    asked, today = request.GET.get("gaming_date", "").strip(), floor.gaming_date_now()
    day = day_of(asked) if asked else today
    least = request.GET.get("least", "")
    people = [one for one in cash.people(day) if one.is_at_least(least if least in WORDS else "")]
    return {
        "day": day,
        "before": day - timedelta(days=1),
        "after": day + timedelta(days=1) if day < today else None,
        "shown": Paginator(people, PEOPLE_SHOWN).get_page(request.GET.get("page")),
        "least": least,
        "nobodys": cash.nobodys(day),
        "payouts": cash.payouts_with_document(day),
        "rules": house_profile().currency,
        "words": WORDS,
        "may_merge": has_role(request.user, FLOOR, CAGE),
        "may_file": has_role(request.user, ACCOUNTING),
        "key": str(uuid.uuid4()),
    }


@page
def _typed(request: HttpRequest, code: str) -> HttpResponse:
    """While cash is typed: what the day's cash of the seat's patron would come to. Never on the patron's side."""
    seat, amount = request.GET.get("seat", ""), request.GET.get("amount", "") or request.GET.get("cash", "")
    shown = None
    if (seat == "" or (seat.isascii() and seat.isdecimal() and len(seat) < 4)) and (cents := _whole(amount)):
        tile = floor.tile(code)
        shown = cash.warning(code, int(seat) if seat else None, cents, tile.board.gaming_date or tile.today)
    rules = house_profile().currency
    return render(request, "casino/_cash_typed.html", {"shown": shown, "rules": rules, "code": code})


def _whole(text: str) -> int:
    """An amount half typed, in cents; 0 while it is none yet."""
    text = text.replace(",", "").strip()
    units, _, cents = text.partition(".")
    if not units.isascii() or not units.isdecimal() or len(units) > 9 or (cents and not cents.isdecimal()):
        return 0
    return int(units) * 100 + int((cents + "00")[:2])


@require_POST
def merge(request: HttpRequest) -> HttpResponse:
    """A described person is known now."""
    given, day = request.POST, day_of(request.POST.get("gaming_date", ""))

    def deed() -> object:
        numbers = (_number(given.get("patron", "")), _number(given.get("into", "")))
        return commands.merge_patron(_order(request), *numbers, given.get("reason", ""))

    return _done(request, day, deed, "From now on their cash is one person's.")


@require_POST
def file_report(request: HttpRequest) -> HttpResponse:
    """A report was filed with the authority; here it is noted."""
    given, day = request.POST, day_of(request.POST.get("gaming_date", ""))

    def deed() -> object:
        patron, cents = _number(given.get("patron", "")), _number(given.get("amount_cents", ""))
        direction, number = given.get("direction", ""), given.get("number", "")
        return commands.file_report(_order(request), day, patron, direction, cents, number)

    return _done(request, day, deed, "The report is noted.")


def _done(request: HttpRequest, day: date, deed: Callable[[], object], words: str) -> HttpResponse:
    try:
        deed()
        messages.success(request, words)
    except Refused as refusal:
        messages.error(request, refusal.message)
    return redirect(f"{reverse('cash_log')}?gaming_date={day.isoformat()}")


def _order(request: HttpRequest) -> Order:
    return Order(request.user.get_username(), request.POST.get("key", ""), datetime.now(UTC), source="page")


def _number(text: str) -> int:
    text = text.strip()
    if not text.isascii() or not text.isdecimal() or len(text) > 18:
        raise Refused("odd_number", "A patron's number and an amount are written in digits.")
    return int(text)
