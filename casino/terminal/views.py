"""The terminal's page, its fragment and its presses. Every press is one command under the key that the page made."""

from collections.abc import Callable
from datetime import UTC, datetime

from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.views.decorators.http import require_POST

from casino.approval import Approval
from casino.commands import rounds, seats, tables
from casino.commands.hint import hint_settlement
from casino.commands.order import Done, Order
from casino.commands.tables import load_round_at
from casino.gate import has_role
from casino.keys import RoundId
from casino.money import cents_of, written
from casino.people import approval_of, check_duty
from casino.queries.floor import floor
from casino.refusal import Refused, in_quotes
from casino.roles import FLOOR
from casino.round.awaited import cards_awaited
from casino.round.state import Round
from casino.terminal import reading
from casino.terminal.state import Terminal, terminal_of
from casino.web import KEY_HEADER, day_of, page, status_of

REASON_MAX = 500
NOW = "casino/terminal/_now.html"


@page
def terminals(request: HttpRequest) -> HttpResponse:
    """Every table that is open, to choose one; a dealer's own stands first."""
    name = request.user.get_username()
    tiles = sorted(floor().open, key=lambda tile: tile.board.dealer != name)
    return render(request, "casino/terminal/terminals.html", {"tiles": tiles, "name": name})


@page
def terminal(request: HttpRequest, code: str) -> HttpResponse:
    return _answer(request, terminal_of(code), "casino/terminal/terminal.html")


@page
def _now(request: HttpRequest, code: str) -> HttpResponse:
    return _shown_unless_seen(request, terminal_of(code))


@page
def _recall(request: HttpRequest, code: str, n: int) -> HttpResponse:
    return _shown_unless_seen(request, terminal_of(code, n))


def _shown_unless_seen(request: HttpRequest, shown: Terminal) -> HttpResponse:
    """The table as it is; no content for a page that says it shows just that, so that nothing is drawn under a hand."""
    if request.GET.get("seen") == shown.stamp:
        return HttpResponse(status=204)
    return _answer(request, shown)


def _answer(request: HttpRequest, shown: Terminal, template: str = NOW, said: str = "") -> HttpResponse:
    """The table drawn; `said` is what a press has done where the picture does not show it."""
    return render(request, template, {"t": shown, "may_seat": has_role(request.user, FLOOR), "said": said})


@require_POST
def press(request: HttpRequest, code: str, action: str) -> HttpResponse:
    """Carry out one press; answers with the terminal as it then is, or with the refusal's sentence and status."""
    if action not in PRESSES:
        raise Http404(f"The terminal has no button {in_quotes(action)}.")
    try:
        check_duty(request.user, code)
        done = PRESSES[action](request, _order(request), code)
        if not done.replayed and any(isinstance(event, rounds.MAY_DECIDE) for event in done.events):
            hint_settlement()
        shown = terminal_of(code, _number(request.POST, "recalled") or None)
    except Refused as refusal:
        return _refusal(refusal)
    return _answer(request, shown)


@require_POST
def press_player(request: HttpRequest, code: str, action: str) -> HttpResponse:
    """Seat a player, free a seat or record a buy-in, from the felt; answers as `press` does."""
    if action not in PLAYER_PRESSES:
        raise Http404(f"The terminal has no button {in_quotes(action)}.")
    try:
        said = PLAYER_PRESSES[action](request, _order(request), code)
        shown = terminal_of(code)
    except Refused as refusal:
        return _refusal(refusal)
    return _answer(request, shown, said=said)


def _refusal(refusal: Refused) -> HttpResponse:
    answer = HttpResponse(refusal.message, status=status_of(refusal.code), content_type="text/plain; charset=utf-8")
    answer.headers["X-Refused"] = refusal.code
    return answer


def _order(request: HttpRequest) -> Order:
    key = request.headers.get(KEY_HEADER, "")
    if not key:
        raise Refused("key_missing", "The page sent no key with this press; load it again.")
    return Order(request.user.get_username(), key, datetime.now(UTC))


def _round(form: QueryDict, code: str) -> RoundId:
    """The round that the page shows, so that a page left open presses nothing on a later round."""
    table, _, rest = form.get("round", "").partition("/")
    day, _, n = rest.partition("/")
    if table != code or not n.isascii() or not n.isdecimal():
        raise Refused("unknown_round", "The page did not say which round it shows; load it again.")
    return RoundId(code, day_of(day), int(n[:6]))


def _number(form: QueryDict, name: str) -> int:
    text = form.get(name, "").strip()
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= 9 else 0


# ------------------------------------------------------------------------------------------------- presses


def _open(request: HttpRequest, order: Order, code: str) -> Done:
    return rounds.open_round(order, code)


def _bets(request: HttpRequest, order: Order, code: str) -> Done:
    asked = reading.wagers_of(request.POST.get("wagers", ""))
    return rounds.take_bets(order, _round(request.POST, code), asked, request.POST.get("without_wagers") == "yes")


def _place(request: HttpRequest, order: Order, code: str) -> Done:
    return rounds.place_wagers(order, _round(request.POST, code), reading.wagers_of(request.POST.get("wagers", "")))


def _withdraw(request: HttpRequest, order: Order, code: str) -> Done:
    return rounds.withdraw_wager(order, _round(request.POST, code), _number(request.POST, "number"))


def _count(request: HttpRequest, order: Order, code: str) -> Done:
    text = request.POST.get("count", "").strip()
    if not text.isascii() or not text.isdecimal() or len(text) > 3:
        raise Refused("count_missing", "Say how many progressive chips were counted.")
    return rounds.collect_progressive(order, _round(request.POST, code), int(text))


def _draw(request: HttpRequest, order: Order, code: str) -> Done:
    return rounds.draw_position(order, _round(request.POST, code), _number(request.POST, "position"))


def _cards(request: HttpRequest, order: Order, code: str) -> Done:
    round_id, shown = _shown(request.POST, code)
    cards = reading.cards_of(request.POST.get("cards", ""))
    return rounds.record_cards(order, round_id, reading.entries_of(cards, cards_awaited(shown)))


def _decide(request: HttpRequest, order: Order, code: str) -> Done:
    round_id, shown = _shown(request.POST, code)
    return rounds.decide(order, round_id, reading.decisions_of(shown, request.POST.get("moves", "")))


def _shown(form: QueryDict, code: str) -> tuple[RoundId, Round]:
    """The round as the page showed it, so that a press that comes twice means the same both times."""
    round_id = _round(form, code)
    position = form.get("position", "")
    upto = int(position) if position.isascii() and position.isdecimal() and len(position) < 19 else None
    return round_id, load_round_at(round_id, upto)[0]


def _void(request: HttpRequest, order: Order, code: str) -> Done:
    form, reason = request.POST, _reason(request.POST)
    evidence = reading.evidence_of(form.get("card", ""), form.get("lies_at", ""), "misdeal" in form)
    approval = _approval(request, order)
    if "misdeal" not in form:
        return rounds.void_round(order, _round(form, code), reason, approval)
    return rounds.declare_misdeal(order, _round(form, code), reason, approval, evidence.card, evidence.position)


def _late(request: HttpRequest, order: Order, code: str) -> Done:
    form, reason, approval = request.POST, _reason(request.POST), _approval(request, order)
    return rounds.void_late_bet(order, _round(form, code), _number(form, "number"), reason, approval)


def _reason(form: QueryDict) -> str:
    reason = form.get("reason", "").strip()
    if len(reason) > REASON_MAX:
        sentence = f"The reason has {len(reason)} letters and is kept whole; say it in {REASON_MAX}."
        raise Refused("reason_too_long", sentence)
    return reason


def _approval(request: HttpRequest, order: Order) -> Approval:
    """Whoever is logged in asks; somebody else of the floor approves with the press."""
    return approval_of(request, order, request.POST, FLOOR)


def _payout(request: HttpRequest, order: Order, code: str) -> Done:
    cents = cents_of(request.POST.get("paid", ""))
    return rounds.record_payout(order, _round(request.POST, code), _number(request.POST, "number"), cents)


PRESSES: dict[str, Callable[[HttpRequest, Order, str], Done]] = {
    "open": _open,
    "bets": _bets,
    "place": _place,
    "withdraw": _withdraw,
    "count": _count,
    "draw": _draw,
    "cards": _cards,
    "decide": _decide,
    "late": _late,
    "void": _void,
    "payout": _payout,
}


# ------------------------------------------------------------------------------------------------- players


def _seat(request: HttpRequest, order: Order, code: str) -> str:
    seat, text = _chosen(request), request.POST.get("patron", "").strip()
    if text and not (text.isascii() and text.isdecimal() and len(text) <= 18):
        raise Refused("odd_patron", f"{in_quotes(text)} is not the number of a patron; choose one from the list.")
    seats.seat_patron(order, code, seat, int(text) if text else None)
    return f"Seat {seat} is taken."


def _leave(request: HttpRequest, order: Order, code: str) -> str:
    seat = _chosen(request)
    seats.leave_seat(order, code, seat)
    return f"Seat {seat} is free."


def _buy_in(request: HttpRequest, order: Order, code: str) -> str:
    seat, cents = _chosen(request), cents_of(request.POST.get("amount", ""))
    tables.buy_in(order, code, cents, seat)
    return f"A buy-in of {written(cents)} at seat {seat} is recorded."


def _chosen(request: HttpRequest) -> int:
    seat = _number(request.POST, "seat")
    if not seat:
        raise Refused("seat_missing", "Touch the seat first.")
    return seat


PLAYER_PRESSES: dict[str, Callable[[HttpRequest, Order, str], str]] = {
    "seat": _seat,
    "leave": _leave,
    "buy-in": _buy_in,
}
