"""The pages of the cage: its float, what moved it today, and one form a deed, by keyboard."""

import uuid
from collections.abc import Callable, Mapping
from datetime import UTC, date, datetime, timedelta
from typing import Any, NamedTuple
from zoneinfo import ZoneInfo

from django.conf import settings
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods

from casino.approval import Approval
from casino.checks import CheckId
from casino.commands.order import Done, Order
from casino.eventstore.follower import wait_for
from casino.gate import has_role
from casino.people import approval_of
from casino.refusal import Refused, in_quotes
from casino.roles import CAGE
from casino.table import gaming_date_of
from casino.transfers import offered_chips
from casino.web import day_of, page, status_of
from ledger import pieces
from ledger.cage_board import CAGE as FOLLOWER
from ledger.commands import cage as commands
from ledger.queries import cage as queries


class Form(NamedTuple):
    """A deed's form: its name, its button, and which fields it has besides chips."""

    name: str
    button: str
    help: str
    fields: tuple[str, ...] = ()
    has_chips: bool = True
    needs_second: bool = False


FORMS = {
    "sell": Form("Sell chips", "Sold", "Chips out, cash of the same amount in.", ("patron",)),
    "redeem": Form("Redeem chips", "Redeemed", "Chips in, cash of the same amount out.", ("patron",)),
    "redeem-check": Form(
        "Redeem a counter check", "Redeemed", "Cash, chips or both on one check of a patron, anywhere issued.",
        ("patron", "year", "serial", "cash"),
    ),
    "deposit-check": Form(
        "Deposit a counter check", "Deposited", "All that is owed on the check goes to the patron's bank.",
        ("patron", "year", "serial"), has_chips=False,
    ),
    "in-service": Form(
        "Put chips into service", "Into service", "Chips from the store into the cage's float.", ("reason",),
        needs_second=True,
    ),
    "out-of-service": Form(
        "Take chips out of service", "Out of service", "Chips out of the cage's float for good.", ("reason",),
        needs_second=True,
    ),
    "count": Form(
        "Count the cage", "Counted", "All chips of the cage, counted by two people; what is expected is shown after.",
        ("first", "second", "note"),
    ),
    "void": Form(
        "Void an entry", "Void it", "An entry of the cage that never was; enter what is right anew.",
        ("gaming_date", "position", "reason"), has_chips=False, needs_second=True,
    ),
}  # fmt: skip
"""What the cage does, by the word in its address."""


def _today() -> date:
    return gaming_date_of(timezone.now(), ZoneInfo(settings.TIME_ZONE), settings.CASINO_ROLLOVER_HOUR)


@page
def cage(request: HttpRequest) -> HttpResponse:
    asked, today = request.GET.get("gaming_date", "").strip(), _today()
    day = day_of(asked) if asked else today
    entries = queries.entries_of(day)
    voided = queries.voided_among(entries)
    shown = {
        "day": day,
        "before": day - timedelta(days=1),
        "after": day + timedelta(days=1) if day < today else None,
        "float": queries.chip_float(),
        "entries": [(entry, queries.KINDS[entry.kind], entry.position in voided) for entry in entries],
        "sums": queries.sums_of(day),
        "may_act": has_role(request.user, CAGE),
        "forms": FORMS,
    }
    return render(request, "ledger/cage/cage.html", shown)


@require_http_methods(["GET", "POST"])
def deed(request: HttpRequest, deed: str) -> HttpResponse:
    """One deed's form; sent, it is carried out and the cage is shown."""
    if deed not in FORMS:
        raise Http404(f"The cage knows no deed {in_quotes(deed)}.")
    form = FORMS[deed]
    given = request.POST if request.method == "POST" else request.GET
    shown: dict[str, Any] = {
        "deed": deed,
        "form": form,
        "given": given,
        "pieces": pieces.rows(_chips(), request.POST) if form.has_chips else [],
        "year": given.get("year") or _today().year,
        "gaming_date": given.get("gaming_date") or _today().isoformat(),
        "key": str(uuid.uuid4()),
    }
    if request.method == "GET":
        return render(request, "ledger/cage/deed.html", shown)
    order = Order(request.user.get_username(), request.POST.get("key", ""), datetime.now(UTC), source="cage")
    try:
        done = DEEDS[deed](request, order, request.POST)
    except Refused as refusal:
        return render(request, "ledger/cage/deed.html", shown | {"refusal": refusal}, status=status_of(refusal.code))
    wait_for(FOLLOWER.name, done.position)
    messages.success(request, f"{form.name}: recorded.")
    return redirect("cage")


def _chips() -> list[int]:
    """The chips that a form offers: the usual ones, and whatever lies in the cage."""
    return offered_chips({chip.chip_cents: chip.derived_cents for chip in queries.chip_float().chips})


Given = Mapping[str, str]


def _listed(given: Given) -> dict[str, int]:
    found = pieces.cents_by_denomination(_chips(), given)
    return {chip: cents for chip, cents in found.items() if cents}


def _number(given: Given, name: str, words: str) -> int:
    text = given.get(name, "").strip()
    if not text.isascii() or not text.isdecimal() or len(text) > 15:
        raise Refused("odd_number", f"{in_quotes(text)} is no {words}; write its number.")
    return int(text)


def _patron(given: Given) -> int | None:
    return _number(given, "patron", "patron") if given.get("patron", "").strip() else None


def _check(given: Given) -> CheckId:
    return CheckId(_number(given, "year", "year of a check"), _number(given, "serial", "number of a check"))


def _second(request: HttpRequest, order: Order) -> Approval:
    return approval_of(request, order, request.POST, CAGE)


def _sell(request: HttpRequest, order: Order, given: Given) -> Done:
    return commands.sell_chips(order, _listed(given), _patron(given))


def _redeem(request: HttpRequest, order: Order, given: Given) -> Done:
    return commands.redeem_chips(order, _listed(given), _patron(given))


def _redeem_check(request: HttpRequest, order: Order, given: Given) -> Done:
    patron = _number(given, "patron", "patron")
    return commands.redeem_check(order, patron, _check(given), _listed(given), pieces.amount(given, "cash"))


def _deposit_check(request: HttpRequest, order: Order, given: Given) -> Done:
    return commands.deposit_check(order, _number(given, "patron", "patron"), _check(given))


def _in_service(request: HttpRequest, order: Order, given: Given) -> Done:
    approval = _second(request, order)
    return commands.put_in_service(order, "in", _listed(given), given.get("reason", ""), approval)


def _out_of_service(request: HttpRequest, order: Order, given: Given) -> Done:
    approval = _second(request, order)
    return commands.put_in_service(order, "out", _listed(given), given.get("reason", ""), approval)


def _count(request: HttpRequest, order: Order, given: Given) -> Done:
    people = [given.get("first", ""), given.get("second", "")]
    return commands.count_cage(order, _listed(given), people, given.get("note", ""))


def _void(request: HttpRequest, order: Order, given: Given) -> Done:
    day, position = day_of(given.get("gaming_date", "")), _number(given, "position", "entry")
    return commands.void_cage_entry(order, day, position, given.get("reason", ""), _second(request, order))


DEEDS: dict[str, Callable[[HttpRequest, Order, Given], Done]] = {
    "sell": _sell,
    "redeem": _redeem,
    "redeem-check": _redeem_check,
    "deposit-check": _deposit_check,
    "in-service": _in_service,
    "out-of-service": _out_of_service,
    "count": _count,
    "void": _void,
}
