"""Reconciliation and investigations in a browser."""

import uuid
from datetime import UTC, date, datetime, timedelta
from typing import Any

from django.contrib import messages
from django.core.exceptions import BadRequest
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_POST
from rest_framework.exceptions import ValidationError

from casino.access import ACCESS
from casino.commands.order import Order
from casino.eventstore.follower import wait_for
from casino.games import load_games
from casino.gate import roles_of
from casino.refusal import Refused, in_quotes
from casino.web import day_of, page, status_of
from ledger.clock import gaming_date_now
from ledger.investigation import CONCLUSIONS, Subject
from ledger.investigation_board import INVESTIGATIONS
from ledger.investigation_steps import BY_PATH
from ledger.places import places
from ledger.queries import dealers, investigations
from ledger.queries import reconciliation as queries

ROUTE = "investigations/<str:table>/<str:day>/<int:session>/"
BY = {"table": "By table", "session": "By session", "dealer": "By dealer, recorded only"}
COLUMNS = (
    ("table", "Table", False), ("pit", "Pit", False), ("state", "State", False), ("drop", "Drop", True),
    ("box", "In the box", True), ("tray", "In the tray", True), ("win", "Win counted", True),
    ("estimated", "Win estimated", True), ("theo", "Theoretical T", True), ("variance", "Difference", True),
)  # fmt: skip
STATES = ("complete", "inventory_only", "broken", "open")


@page
def reconciliation(request: HttpRequest) -> HttpResponse:
    today = gaming_date_now(timezone.now())
    asked = request.GET.get("gaming_date", "").strip()
    day = day_of(asked) if asked else today
    by = request.GET.get("by", "table")
    if by not in BY:
        raise BadRequest(f"{in_quotes(by)} is no way to look at it; choose from {', '.join(BY)}.")
    shown = _dealers(day) if by == "dealer" else _lines(request, day, by)
    frame = {
        "day": day,
        "before": day - timedelta(days=1),
        "after": day + timedelta(days=1) if day < today else None,
        "by": by,
        "ways": BY,
        "may": may_take(request),
    }
    return render(request, "ledger/reconcile/reconciliation.html", shown | frame)


def _dealers(day: date) -> dict[str, Any]:
    return {"dealers": dealers.dealer_days(day)}


def _lines(request: HttpRequest, day: date, by: str) -> dict[str, Any]:
    wanted = {name: request.GET.get(name, "").strip() for name in ("pit", "game", "state", "only")}
    order = request.GET.get("sort", "table")
    try:
        found = queries.reconciliation(day, timezone.now(), by_session=by == "session", order=order, wanted=wanted)
    except Refused as refusal:
        raise BadRequest(refusal.message) from None
    known = load_games()
    query = request.GET.copy()
    query.pop("sort", None)
    return {
        "page": found,
        "columns": [(name, words, is_number, _next(order, name)) for name, words, is_number in COLUMNS],
        "sorted_by": order,
        "query": query.urlencode(),
        "wanted": wanted,
        "pits": places().pits,
        "games": sorted((code, game.name) for code, game in known.items()),
        "states": STATES,
    }


def _next(order: str, name: str) -> str:
    """What a press on a column's head asks for: amounts begin with the greatest, words with A."""
    first = name if name in ("table", "pit", "state") else f"-{name}"
    other = f"-{name}" if first == name else name
    return other if order == first else first


# ------------------------------------------------------------------------------------------------- investigations


def may_take(request: HttpRequest) -> dict[str, bool]:
    """Which steps the person may take, by the table of access."""
    mine = roles_of(request.user)
    return {step: ACCESS[f"{ROUTE}{step}/"].admits(mine, "POST") for step in BY_PATH}


@page
def all_investigations(request: HttpRequest) -> HttpResponse:
    state, assignee = request.GET.get("state", "open"), request.GET.get("assignee", "").strip()
    if state not in investigations.STATES:
        raise BadRequest(f"{in_quotes(state)} is no state; choose from {', '.join(investigations.STATES)}.")
    shown = {
        "listed": investigations.listed(state, assignee, timezone.now()),
        "state": state,
        "assignee": assignee,
        "states": investigations.STATES,
    }
    return render(request, "ledger/reconcile/investigations.html", shown)


def _subject(table: str, day: str, session: int) -> Subject:
    if session > 99:
        raise Http404("There is no such session.")
    return Subject(table, day_of(day), session)


@page
def investigation(request: HttpRequest, table: str, day: str, session: int) -> HttpResponse:
    return _page(request, _subject(table, day, session))


def _page(request: HttpRequest, subject: Subject, **more: Any) -> HttpResponse:
    try:
        found = investigations.read(subject)
    except Refused as unknown:
        raise Http404(unknown.message) from None
    refusal = more.get("refusal")
    shown = {"read": found, "may": may_take(request), "conclusions": CONCLUSIONS, "key": str(uuid.uuid4())} | more
    return render(
        request, "ledger/reconcile/investigation.html", shown, status=status_of(refusal.code) if refusal else 200
    )


@require_POST
def press(request: HttpRequest, table: str, day: str, session: int, step: str) -> HttpResponse:
    """Take one step and show the investigation again; what is refused stands on the page with its sentence."""
    if step not in BY_PATH:
        raise Http404(f"An investigation knows no step {in_quotes(step)}.")
    subject = _subject(table, day, session)
    order = Order(request.user.get_username(), request.POST.get("key", ""), datetime.now(UTC), source="page")
    try:
        done = BY_PATH[step].act(order, subject, _body(request, step))
    except Refused as refusal:
        return _page(request, subject, refusal=refusal, tried=step, given=request.POST)
    wait_for(INVESTIGATIONS.name, done.position)
    messages.success(request, f"{BY_PATH[step].summary}: done.")
    return redirect("investigation", table, day, session)


def _body(request: HttpRequest, step: str) -> dict[str, Any]:
    """The form's fields, checked as the interface's body is; refuses `bad_request`."""
    body = BY_PATH[step].body
    given = {name: request.POST[name] for name in body().fields if name in request.POST and name != "occurred_at"}
    checked = body(data=given)
    try:
        checked.is_valid(raise_exception=True)
    except ValidationError as error:
        name, faults = next(iter(error.get_full_details().items()))
        raise Refused("bad_request", f"{name.capitalize()}: {faults[0]['message']}") from None
    return dict(checked.validated_data)
