"""The page of a deed: the form, and what it does; a pit's hand-over."""

import uuid
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from casino.commands.handover import hand_over, open_matters
from casino.commands.order import Order
from casino.commands.tables import load_table
from casino.deeds import counting, papers, selling, staffing
from casino.deeds.deed import ALWAYS, OPEN, Deed, Look, Press
from casino.deeds.fields import Field, Given
from casino.eventstore import store
from casino.handover import Matters
from casino.models import TableBoard
from casino.people import person_of, proven
from casino.queries.cash import patrons_near
from casino.queries.floor import gaming_date_now
from casino.queries.pits import last_hand_over
from casino.refusal import Refused, in_quotes
from casino.statuses import status_of
from casino.table import set_up_of
from casino.templatetags.sentences import said_of

DEEDS: Mapping[str, Deed] = {**counting.DEEDS, **selling.DEEDS, **staffing.DEEDS, **papers.DEEDS}


def _order(request: HttpRequest) -> Order:
    """Every form carries a key of its own, so that sending it twice does it once."""
    return Order(request.user.get_username(), request.POST.get("key", ""), datetime.now(UTC), source="page")


@require_http_methods(["GET", "POST"])
def deed(request: HttpRequest, code: str, deed: str) -> HttpResponse:
    """Show a deed's form, or carry it out and go back to the table; what is refused stands above the form."""
    if deed not in DEEDS:
        raise Http404(f"Nothing called {in_quotes(deed)} is done at a table.")
    wanted, refusal = DEEDS[deed], None
    if request.method == "POST":
        try:
            done = wanted.act(Press(request, _order(request), code, Given(request.POST)))
            messages.success(request, f"{said_of(done.events[-1])}.")
            return redirect("table", code)
        except Refused as refused:
            refusal = refused
    try:
        shown = _shown(request, code, deed)
    except Refused as unknown:
        raise Http404(unknown.message) from None
    shown["refusal"] = refusal
    return render(request, "casino/deeds/deed.html", shown, status=status_of(refusal.code) if refusal else 200)


def _shown(request: HttpRequest, code: str, name: str) -> dict[str, Any]:
    look, wanted = _look(request, code), DEEDS[name]
    given = request.POST if request.method == "POST" else {}
    fields = [_filled(field, given) for field in wanted.fields(look)] if _is_possible(wanted, look) else []
    return {
        "code": code,
        "name": name,
        "deed": wanted,
        "look": look,
        "is_possible": _is_possible(wanted, look),
        "fields": fields,
        "given": given,
        "key": given.get("key") or str(uuid.uuid4()),
        **wanted.shows(look),
    }


def _look(request: HttpRequest, code: str) -> Look:
    loaded, now = load_table(code), datetime.now(UTC)
    recorded = store.load(loaded.session_key).events if loaded.session else ()
    query = request.POST if request.method == "POST" else request.GET
    asked = {"entry": query.get("entry") or query.get("position", ""), "day": query.get("day", "")}
    return Look(code, now, loaded, set_up_of(loaded.table.at(now)), recorded, asked)


def _is_possible(wanted: Deed, look: Look) -> bool:
    return wanted.when == ALWAYS or (wanted.when == OPEN) is look.is_open


def _filled(field: Field, given: Mapping[str, Any]) -> dict[str, Any]:
    """A field with what was written into it, so that a refusal costs no typing."""
    value = given.get(field.name, field.value)
    chips = [
        {"chip": chip, "in_tray": in_tray, "given": given.get(f"{field.name}_{chip}", "")[:6]}
        for chip, in_tray in (field.choices if field.kind == "chips" else ())
    ]
    choices = [(str(one), words) for one, words in field.choices] if field.kind == "choice" else []
    return {"of": field, "value": value, "chips": chips, "choices": choices}


# ------------------------------------------------------------------------------------------------- a pit


@require_http_methods(["GET", "POST"])
def pit_hand_over(request: HttpRequest, pit: str) -> HttpResponse:
    """What is open in a pit, and its hand-over to somebody who proves it with a password."""
    order, refusal = _order(request), None
    if request.method == "POST":
        try:
            _hand_over(request, order, pit)
            messages.success(request, f"Pit {pit} is handed over.")
            return redirect("pit_hand_over", pit)
        except Refused as refused:
            refusal = refused
    try:
        matters: Matters = open_matters(pit, order)
    except Refused as unknown:
        raise Http404(unknown.message) from None
    shown = {
        "pit": pit,
        "matters": matters,
        "near": patrons_near(gaming_date_now()),
        "last": last_hand_over(pit),
        "pits": sorted({str(one) for one in TableBoard.objects.exclude(pit="").values_list("pit", flat=True) if one}),
        "given": request.POST,
        "key": request.POST.get("key") or str(uuid.uuid4()),
        "refusal": refusal,
    }
    return render(request, "casino/deeds/hand_over.html", shown, status=status_of(refusal.code) if refusal else 200)


def _hand_over(request: HttpRequest, order: Order, pit: str) -> None:
    given = request.POST
    incoming = proven(request, order, given.get("incoming", ""), given.get("password", ""), given.get("code", ""))
    near = patrons_near(gaming_date_now())
    hand_over(order, pit, person_of(request.user), incoming, given.get("note", ""), near)
