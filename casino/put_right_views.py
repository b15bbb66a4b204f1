"""The form that puts a settled round right: the cards as they lay, or every wager back, by two people."""

import uuid
from datetime import UTC, datetime

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from casino.commands.order import Order
from casino.commands.rounds import resettle_round
from casino.commands.tables import load_round
from casino.keys import ROUND_MAX, RoundId
from casino.people import approval_of
from casino.refusal import Refused
from casino.roles import FLOOR
from casino.round.resettling import cards_by_position
from casino.statuses import status_of
from casino.web import day_of


@require_http_methods(["GET", "POST"])
def put_right(request: HttpRequest, code: str, day: str, n: int) -> HttpResponse:
    """Show the cards as recorded, and take those that were otherwise."""
    round_id = RoundId(code, day_of(day), n)
    try:
        if n > ROUND_MAX or "\0" in code:
            raise Refused("unknown_round", f"There is no round {round_id}.")
        round_ = load_round(round_id)
    except Refused as unknown:
        raise Http404(unknown.message) from None
    refusal = None
    if request.method == "POST":
        try:
            _resettle(request, round_id)
            messages.success(request, f"Round {round_id} is settled anew.")
            return redirect("round", code, day, n)
        except Refused as refused:
            refusal = refused
    spots = [
        (position, round_.game.spot_name(position), spot.card, request.POST.get(f"card_{position}", ""))
        for position, spot in sorted(round_.felt.spots.items())
    ]
    shown = {
        "round": round_,
        "spots": spots,
        "given": request.POST,
        "key": request.POST.get("key") or str(uuid.uuid4()),
        "refusal": refusal,
    }
    return render(request, "casino/put_right.html", shown, status=status_of(refusal.code) if refusal else 200)


def _resettle(request: HttpRequest, round_id: RoundId) -> None:
    given = {name.removeprefix("card_"): request.POST[name].strip() for name in request.POST if name[:5] == "card_"}
    cards = cards_by_position({position: card for position, card in given.items() if card})
    if not cards and "all_back" not in request.POST:
        raise Refused("nothing_differs", "Give the cards that lay otherwise, or say that every wager goes back.")
    if cards and "all_back" in request.POST:
        raise Refused("bad_request", "Either cards lay otherwise, or every wager goes back; not both.")
    order = Order(request.user.get_username(), request.POST.get("key", ""), datetime.now(UTC), source="page")
    approval = approval_of(request, order, request.POST, FLOOR)
    resettle_round(order, round_id, cards, request.POST.get("reason", ""), approval)
