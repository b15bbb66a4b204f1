"""The pages of rated patrons and of a table's seats. The floor writes, accounting reads."""

import re
import uuid
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST

from casino.commands import patrons, seats
from casino.commands.order import Order
from casino.commands.tables import load_table
from casino.gate import has_role
from casino.models import Patron
from casino.money import cents_of
from casino.queries import floor as floors
from casino.queries import patrons as queries
from casino.refusal import Refused, in_quotes
from casino.roles import FLOOR
from casino.web import page, status_of

NUMBER = re.compile(r"\d{1,18}", re.ASCII)


def _order(request: HttpRequest) -> Order:
    """Every form carries a key of its own, so that sending it twice does it once."""
    return Order(request.user.get_username(), request.POST.get("key", ""), datetime.now(UTC), source="page")


def _tried(deed: Callable[[], object]) -> Refused | None:
    """The refusal of a form's order, which its page shows; None where it was carried out."""
    try:
        deed()
    except Refused as refusal:
        return refusal
    return None


# ------------------------------------------------------------------------------------------------- patrons


@page
def all_patrons(request: HttpRequest) -> HttpResponse:
    return _all(request, None)


def _all(request: HttpRequest, refusal: Refused | None) -> HttpResponse:
    text = request.GET.get("q", "")[:80]
    found = Paginator(queries.patrons(text), queries.PATRONS_SHOWN)
    shown = {
        "text": text,
        "shown": found.get_page(request.GET.get("page")),
        "may_write": has_role(request.user, FLOOR),
        "given": request.POST.get("name", "")[:200],
        "key": request.POST.get("key") or str(uuid.uuid4()),
        "refusal": refusal,
    }
    return render(request, "casino/patrons.html", shown, status=status_of(refusal.code) if refusal else 200)


@require_POST
def add_patron(request: HttpRequest) -> HttpResponse:
    """Make a patron and go to the page of the one made."""
    given = request.POST
    try:
        patron = patrons.make_patron(_order(request), given.get("name", ""), given.get("is_described") == "on").patron
    except Refused as refusal:
        return _all(request, refusal)
    return redirect("patron", patron.pk)


@page
def patron(request: HttpRequest, patron_id: int) -> HttpResponse:
    return _one(request, patron_id, None)


def _one(request: HttpRequest, patron_id: int, refusal: Refused | None) -> HttpResponse:
    shown = {
        "patron": _found(patron_id),
        "ratings": queries.ratings_of(patron_id),
        "may_write": has_role(request.user, FLOOR),
        "key": str(uuid.uuid4()),
        "refusal": refusal,
    }
    return render(request, "casino/patron.html", shown, status=status_of(refusal.code) if refusal else 200)


def _found(patron_id: int) -> Patron:
    try:
        return Patron.of_id(patron_id)
    except Refused as refusal:
        raise Http404(refusal.message) from None


@require_POST
def rename_patron(request: HttpRequest, patron_id: int) -> HttpResponse:
    """Give a patron another name."""
    _found(patron_id)
    name = request.POST.get("name", "")
    if refusal := _tried(lambda: patrons.rename_patron(_order(request), patron_id, name)):
        return _one(request, patron_id, refusal)
    return redirect("patron", patron_id)


@require_http_methods(["GET", "POST"])
def erase_patron(request: HttpRequest, patron_id: int) -> HttpResponse:
    """Ask once, then remove the name for ever. The message afterwards doesn't say it: messages are kept a while."""
    found = _found(patron_id)
    refusal = None
    if request.method == "POST":
        refusal = _tried(lambda: patrons.erase_patron(_order(request), patron_id))
        if refusal is None:
            messages.success(request, f"The name of patron {patron_id} is erased.")
            return redirect("patron", patron_id)
    shown = {"patron": found, "key": str(uuid.uuid4()), "refusal": refusal}
    return render(request, "casino/erase_patron.html", shown, status=status_of(refusal.code) if refusal else 200)


# ------------------------------------------------------------------------------------------------- a table's seats


@page
def _players(request: HttpRequest, code: str) -> HttpResponse:
    tile = floors.tile(code)
    shown = {"tile": tile, "players": queries.players_at(tile.board), "may_write": has_role(request.user, FLOOR)}
    return render(request, "casino/_players.html", shown)


@require_http_methods(["GET", "POST"])
def table_seats(request: HttpRequest, code: str) -> HttpResponse:
    """Seat players, free seats, estimate bets: one form a seat."""
    if unknown := _tried(lambda: load_table(code)):
        raise Http404(unknown.message)
    refusal = None
    if request.method == "POST":
        refusal = _tried(lambda: _change(request, code))
        if refusal is None:
            return redirect(f"{reverse('table_seats', args=[code])}?seat={request.POST.get('seat', '')}")
    given = request.POST if request.method == "POST" else request.GET
    shown = _seats_of(code, given.get("seat", ""), request.GET.get("find", ""))
    shown |= {"key": str(uuid.uuid4()), "refusal": refusal}
    return render(request, "casino/seats.html", shown, status=status_of(refusal.code) if refusal else 200)


def _seats_of(code: str, chosen: str, find: str) -> dict[str, Any]:
    """The seats as the log has them now, since the board may be a moment behind; the one that was touched; patrons for
    it, found by a part of their name or by number.
    """
    loaded = load_table(code)
    assert loaded.table.set_up is not None
    taken = dict(loaded.session.seats) if loaded.session else {}
    names = Patron.objects.in_bulk([patron_id for patron_id in taken.values() if patron_id])
    rows = [
        {"seat": seat, "is_taken": seat in taken, "patron": names.get(taken.get(seat) or 0)}
        for seat in range(1, loaded.table.set_up.seats + 1)
    ]
    is_open = bool(loaded.session and loaded.session.is_open)
    known = queries.patrons(find).filter(erased_at=None)[: queries.PATRONS_SHOWN]
    one = next((row for row in rows if str(row["seat"]) == chosen), None)
    return {"code": code, "rows": rows, "is_open": is_open, "known": known, "chosen": one, "find": find}


def _change(request: HttpRequest, code: str) -> None:
    seat, order = _number(request.POST.get("seat", ""), "seat"), _order(request)
    match request.POST.get("do"):
        case "seat":
            given = request.POST.get("patron", "").strip()
            seats.seat_patron(order, code, seat, _number(given, "patron") if given else None)
        case "leave":
            seats.leave_seat(order, code, seat)
        case "estimate":
            seats.estimate_rating(order, code, seat, cents_of(request.POST.get("average", "")))
        case _:
            raise Refused("unknown_order", "A seat can be taken, freed, or its player's average bet estimated.")


def _number(text: str, what: str) -> int:
    if not NUMBER.fullmatch(text):
        raise Refused(f"odd_{what}", f"{in_quotes(text)} is not the number of a {what}; write it in digits.")
    return int(text)
