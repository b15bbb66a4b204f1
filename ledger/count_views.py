"""The pages of the count room: boxes carried, the count itself by keyboard, the cage's blind recount, corrections."""

import uuid
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_POST

from casino.commands.order import Done, Order, house_profile
from casino.gate import has_role
from casino.people import approval_of, person_of, proven
from casino.refusal import Refused, in_quotes
from casino.roles import CAGE, COUNT_TEAM
from casino.web import day_of, page, status_of
from ledger import pieces
from ledger.boxes import NOTES_CENTS, BoxId, CountId, box_of
from ledger.commands import acceptance, boxes, count
from ledger.counts import SoftCount
from ledger.queries import counts as queries
from ledger.queries.days import wait_until_read


def _order(request: HttpRequest, source: str = "count") -> Order:
    """Every form carries a key of its own, so that sending it twice does it once."""
    return Order(request.user.get_username(), request.POST.get("key", ""), datetime.now(UTC), source=source)


def _key() -> str:
    return str(uuid.uuid4())


# ------------------------------------------------------------------------------------------------- the drop team


@require_http_methods(["GET", "POST"])
def drop(request: HttpRequest) -> HttpResponse:
    """The boxes that are due, day by day, and the round of whoever carries them."""
    if request.method == "GET":
        return render(request, "ledger/count/drop.html", _drop_page())
    day = day_of(request.POST.get("gaming_date", ""))
    taken, team = request.POST.getlist("box"), request.POST.getlist("team")
    try:
        boxes.collect_boxes(_order(request), day, taken, team, request.POST.get("explanation", ""))
    except Refused as refusal:
        shown = _drop_page() | {"refusal": refusal, "given": request.POST, "taken": taken, "tried": day}
        return render(request, "ledger/count/drop.html", shown, status=status_of(refusal.code))
    messages.success(request, f"{len(taken)} box{'' if len(taken) == 1 else 'es'} of gaming day {day} collected.")
    return redirect("drop")


def _drop_page() -> dict[str, Any]:
    found = [(day, queries.boxes_of(day)) for day in queries.days_with_boxes()]
    days = [(day, of_day, any(one.state == "due" for one in of_day)) for day, of_day in found]
    return {"days": days, "others": range(house_profile().boxes.drop_team - 1), "key": _key()}


@require_http_methods(["GET", "POST"])
def emergency_box(request: HttpRequest, table: str) -> HttpResponse:
    """An emergency box for an open table."""
    shown: dict[str, Any] = {"table": table, "key": _key()}
    if request.method == "POST":
        given = request.POST
        try:
            boxes.place_emergency_box(_order(request), table, given.get("mark", ""), given.get("reason", ""))
        except Refused as refusal:
            shown |= {"refusal": refusal, "given": given}
            return render(request, "ledger/count/emergency_box.html", shown, status=status_of(refusal.code))
        messages.success(request, f"The emergency box of {table} is on record; the box before it may be collected.")
        return redirect("table", table)
    return render(request, "ledger/count/emergency_box.html", shown)


# ------------------------------------------------------------------------------------------------- the count


@page
def boxes_to_count(request: HttpRequest) -> HttpResponse:
    """The days that have boxes, what waits in the count room, and the counts that are open; no figure."""
    found = [(day, queries.boxes_of(day)) for day in queries.days_with_boxes()]
    days = [
        (
            day,
            of_day,
            [soft for soft in queries.counts_on(day) if not soft.closed],
            any(one.state == "collected" for one in of_day),
        )
        for day, of_day in found
    ]
    shown = {"days": days, "closed": queries.waiting_drops(), "taken": queries.taken_drops()}
    return render(request, "ledger/count/boxes.html", shown)


@require_http_methods(["GET", "POST"])
def open_count(request: HttpRequest, day: str) -> HttpResponse:
    """The team comes together: each of it gives name and password."""
    wanted, size = day_of(day), house_profile().boxes.count_team
    ready = [one for one in queries.boxes_of(wanted) if one.state == "collected"]
    shown: dict[str, Any] = {"day": wanted, "ready": ready, "size": size, "others": range(2, size + 1), "key": _key()}
    if request.method == "GET":
        return render(request, "ledger/count/open.html", shown)
    order = _order(request)
    try:
        done = count.open_count(order, wanted, [], _team(request, order, size))
    except Refused as refusal:
        shown |= {"refusal": refusal, "given": request.POST}
        return render(request, "ledger/count/open.html", shown, status=status_of(refusal.code))
    name = done.events[0].count  # type: ignore[attr-defined]
    return redirect("soft_count", *name.split("/"))


def _team(request: HttpRequest, order: Order, size: int) -> list[Any]:
    """Whoever is logged in, and the others that gave name and password; lines left empty are nobody."""
    given = request.POST
    team = [person_of(request.user)]
    for n in range(2, size + 4):
        if given.get(f"name_{n}", "").strip():
            proof = given.get(f"password_{n}", ""), given.get(f"code_{n}", "")
            team.append(proven(request, order, given[f"name_{n}"], *proof))
    return team


@page
def soft_count(request: HttpRequest, day: str, n: int) -> HttpResponse:
    return render(request, "ledger/count/count.html", _count_page(request, CountId(day_of(day), n)))


def _count_page(request: HttpRequest, wanted: CountId, given: Any = None) -> dict[str, Any]:
    soft = queries.soft_count(wanted)
    given = given if given is not None else {}
    first = soft.first.get(soft.in_progress or "")
    may_count = has_role(request.user, COUNT_TEAM) and request.user.get_username() in soft.opened.team
    return {
        "soft": soft,
        "wanted": wanted,
        "rows": [_row(soft, box) for box in soft.boxes],
        "pieces": pieces.rows(NOTES_CENTS, given),
        "given": given,
        "may_count": may_count,
        "waiting": [box_of(box) for box in soft.waiting],
        "box": box_of(soft.in_progress) if soft.in_progress else None,
        "counters": [name for name in soft.opened.team if first is None or name != first.counted_by],
        "done": sum(soft.content_of(box) is not None for box in soft.boxes),
        "lines": _both(soft) if soft.step == "difference" else [],
        "key": _key(),
    }


def _row(soft: SoftCount, box: str) -> dict[str, Any]:
    first, second = soft.first.get(box), soft.second.get(box)
    return {
        "box": box_of(box),
        "first": first,
        "second": second,
        "found": soft.content_of(box),
        "difference": soft.differences.get(box),
        "is_next": box == soft.in_progress,
    }


def _both(soft: SoftCount) -> list[tuple[str, int, int]]:
    """The two counts of the box in progress, line by line where they have something: name, first, second."""
    box = soft.in_progress or ""
    one, two = soft.first[box].contents, soft.second[box].contents
    notes = sorted({int(note) for note in (*one.currency, *two.currency)}, reverse=True)
    found = [
        (f"Notes of {note // 100}", one.currency.get(f"{note}", 0), two.currency.get(f"{note}", 0)) for note in notes
    ]
    found += [("Counter checks", one.checks_cents, two.checks_cents), ("Promo", one.promo_cents, two.promo_cents)]
    found += [(thing, one.foreign.get(thing, 0), two.foreign.get(thing, 0)) for thing in {*one.foreign, *two.foreign}]
    return found


@require_POST
def count_deed(request: HttpRequest, day: str, n: int, deed: str) -> HttpResponse:
    """Carry one deed of a count out and show the count again, ready for the next."""
    if deed not in DEEDS:
        raise Http404(f"A count knows no deed {in_quotes(deed)}.")
    wanted = CountId(day_of(day), n)
    try:
        DEEDS[deed](request, _order(request), wanted)
    except Refused as refusal:
        if refusal.code == "unknown_count":
            raise Http404(refusal.message) from None
        shown = _count_page(request, wanted, request.POST) | {"refusal": refusal}
        return render(request, "ledger/count/count.html", shown, status=status_of(refusal.code))
    if "HX-Request" in request.headers:  # a redirect would say that the log-in has ended
        return render(request, "ledger/count/count.html", _count_page(request, wanted))
    return redirect("soft_count", day, n)


def _first(request: HttpRequest, order: Order, wanted: CountId) -> Done:
    given = request.POST
    found = pieces.contents(NOTES_CENTS, given)
    return count.count_box(order, wanted, given.get("box", ""), found, given.get("counted_by", ""))


def _second(request: HttpRequest, order: Order, wanted: CountId) -> Done:
    given = request.POST
    found = pieces.contents(NOTES_CENTS, given)
    return count.recount_box(order, wanted, given.get("box", ""), found, given.get("counted_by", ""))


def _difference(request: HttpRequest, order: Order, wanted: CountId) -> Done:
    given, which = request.POST, request.POST.get("accept", "")
    accepted = pieces.contents(NOTES_CENTS, given) if which == "third" else which
    return count.record_difference(order, wanted, given.get("box", ""), accepted, given.get("explanation", ""))


def _close(request: HttpRequest, order: Order, wanted: CountId) -> Done:
    return count.close_count(order, wanted)


DEEDS: dict[str, Callable[[HttpRequest, Order, CountId], Done]] = {
    "first": _first,
    "second": _second,
    "difference": _difference,
    "close": _close,
}


@require_http_methods(["GET", "POST"])
def correct(request: HttpRequest, day: str, table: str, number: int) -> HttpResponse:
    """Put the count of a box right: all that is right, a reason, and a second of the count team."""
    wanted, box = day_of(day), _box_named(table, number)
    shown: dict[str, Any] = {
        "day": wanted,
        "box": box,
        "pieces": pieces.rows(NOTES_CENTS, request.POST),
        "given": request.POST,
        "key": _key(),
    }
    if request.method == "GET":
        return render(request, "ledger/count/correct.html", shown)
    order = _order(request)
    try:
        approval = approval_of(request, order, request.POST, COUNT_TEAM)
        right = pieces.contents(NOTES_CENTS, request.POST)
        done = count.correct_count(order, wanted, str(box), right, request.POST.get("reason", ""), approval)
    except Refused as refusal:
        shown |= {"refusal": refusal}
        return render(request, "ledger/count/correct.html", shown, status=status_of(refusal.code))
    wait_until_read(done.position)
    messages.success(request, f"The count of {box.in_words} on {wanted} is put right.")
    return redirect("boxes_to_count")


def _box_named(table: str, number: int) -> BoxId:
    """The box of an address; 404 where the address names none."""
    try:
        return box_of(f"{table}/{number}")
    except Refused as refusal:
        raise Http404(refusal.message) from None


# ------------------------------------------------------------------------------------------------- the cage's recount


@page
def drops(request: HttpRequest) -> HttpResponse:
    """The drops that wait for the cage, and those it took over; a waiting one shows no figure to anybody."""
    shown = {"waiting": queries.waiting_drops(), "taken": queries.taken_drops()}
    return render(request, "ledger/count/drops.html", shown)


@page
def one_drop(request: HttpRequest, day: str, n: int) -> HttpResponse:
    return render(request, "ledger/count/one_drop.html", _drop_of(request, CountId(day_of(day), n)))


def _drop_of(request: HttpRequest, wanted: CountId, given: Any = None) -> dict[str, Any]:
    given = given if given is not None else {}
    found = queries.drop(wanted)
    soft = queries.soft_count(wanted)
    may_act = has_role(request.user, CAGE) and found.state != "accepted"
    return {
        "drop": found,
        "wanted": wanted,
        "team": soft.opened.team,
        "pieces": pieces.rows(NOTES_CENTS, given),
        "given": given,
        "may_recount": may_act,
        "may_accept": may_act and found.report and found.report.recounted_by == request.user.get_username(),
        "key": _key(),
    }


@require_POST
def drop_deed(request: HttpRequest, day: str, n: int, deed: str) -> HttpResponse:
    """The cage's count or its acceptance, and the drop again."""
    wanted, order = CountId(day_of(day), n), _order(request, "cage")
    if deed not in ("recount", "accept"):
        raise Http404(f"A drop knows no deed {in_quotes(deed)}.")
    try:
        _recount(request, order, wanted) if deed == "recount" else _accept(request, order, wanted)
    except Refused as refusal:
        if refusal.code in ("unknown_count", "count_open"):
            raise Http404(refusal.message) from None
        shown = _drop_of(request, wanted, request.POST) | {"refusal": refusal, "tried": deed}
        return render(request, "ledger/count/one_drop.html", shown, status=status_of(refusal.code))
    return redirect("one_drop", day, n)


def _recount(request: HttpRequest, order: Order, wanted: CountId) -> Done:
    currency = pieces.cents_by_denomination(NOTES_CENTS, request.POST)
    return acceptance.recount_drop(order, wanted, currency, person_of(request.user))


def _accept(request: HttpRequest, order: Order, wanted: CountId) -> Done:
    given = request.POST
    counter = proven(request, order, given.get("counter", ""), given.get("password", ""), given.get("code", ""))
    return acceptance.accept_drop(order, wanted, person_of(request.user), counter, given.get("note", ""))
