"""The HTTP interface of the count room: boxes collected, a count box by box, and the cage's blind recount of it.

No operation that the cage may call answers with a figure of a count before the cage's own is recorded.
"""

from datetime import date
from typing import Any

import msgspec
from django.urls import path
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from casino.commands.order import Done, Order
from casino.people import approval_of, person_of, proven
from casino.roles import COUNT_TEAM
from casino.slips import Person
from casino.web import KEY, Strict, body_of, order_of, problems
from ledger.boxes import CountId
from ledger.commands import acceptance, boxes, count
from ledger.count_bodies import (
    Accept,
    BoxAnswer,
    Collect,
    Correction,
    CountAnswer,
    Difference,
    DropAnswer,
    EmergencyBox,
    OneCount,
    OpenCount,
    Recorded,
    Recount,
    Timed,
)
from ledger.count_events import Contents
from ledger.queries import counts as queries

WRITE_PROBLEMS = problems(400, 401, 403, 404, 409, 413, 422)
READ_PROBLEMS = problems(401, 403, 404, 409)


def recorded(done: Done) -> Response:
    """What a command recorded, 201, or 200 where it had been before."""
    words = [type(event).__name__ for event in done.events]
    body = {"events": words, "position": done.position, "replayed": done.replayed}
    return Response(body, status=200 if done.replayed else 201)


def contents_of(said: dict[str, Any]) -> Contents:
    """A body's content as the core takes it."""
    return Contents(**{name: said[name] for name in said})


def signer_of(request: Request, order: Order, said: dict[str, Any]) -> Person:
    """Somebody who gave name, password and code in a body."""
    return proven(request._request, order, said["name"], said["password"], said.get("code", ""))


def described(body: type[Strict], summary: str) -> Any:
    """How an operation that records something is described."""
    answers = {200: Recorded, 201: Recorded} | WRITE_PROBLEMS
    return extend_schema(parameters=[KEY], request=body, responses=answers, summary=summary)


class EmergencyBoxes(APIView):
    """Emergency boxes of a table."""

    @described(EmergencyBox, "Place an emergency box at an open table")
    def post(self, request: Request, table: str) -> Response:
        said = body_of(request, EmergencyBox)
        order = order_of(request, said.get("occurred_at"), source="count")
        return recorded(boxes.place_emergency_box(order, table, said["mark"], said["reason"]))


class Drop(APIView):
    """The boxes of a gaming day."""

    @extend_schema(
        responses={200: BoxAnswer(many=True)} | READ_PROBLEMS, summary="The boxes of a gaming day, due and collected"
    )
    def get(self, request: Request, gaming_date: date) -> Response:
        return Response(
            [{"box": str(one.box), "mark": one.mark, "state": one.state} for one in queries.boxes_of(gaming_date)]
        )


class Collections(APIView):
    """Rounds of the drop team."""

    @described(Collect, "Carry boxes to the count room")
    def post(self, request: Request, gaming_date: date) -> Response:
        said = body_of(request, Collect)
        order = order_of(request, said.get("occurred_at"), source="count")
        explanation = said.get("explanation", "")
        return recorded(boxes.collect_boxes(order, gaming_date, said["boxes"], said["team"], explanation))


class Counts(APIView):
    """The counts of a gaming day's boxes."""

    @extend_schema(
        responses={200: CountAnswer(many=True)} | READ_PROBLEMS,
        summary="The counts of a gaming day",
        operation_id="counts_list",
    )
    def get(self, request: Request, gaming_date: date) -> Response:
        return Response([count_answer(one) for one in count.counts_of(gaming_date)])

    @described(OpenCount, "Open a count with its team")
    def post(self, request: Request, gaming_date: date) -> Response:
        said = body_of(request, OpenCount)
        order = order_of(request, said.get("occurred_at"), source="count")
        team = [person_of(request.user), *(signer_of(request, order, one) for one in said["team"])]
        return recorded(count.open_count(order, gaming_date, said.get("boxes", []), team))


class OneSoftCount(APIView):
    """One count."""

    @extend_schema(responses={200: CountAnswer} | READ_PROBLEMS, summary="One count, box by box")
    def get(self, request: Request, gaming_date: date, n: int) -> Response:
        return Response(count_answer(count.load_count(CountId(gaming_date, n)).soft))


class FirstCounts(APIView):
    """First counts of boxes."""

    @described(OneCount, "The first count of a box")
    def post(self, request: Request, gaming_date: date, n: int) -> Response:
        said = body_of(request, OneCount)
        order = order_of(request, said.get("occurred_at"), source="count")
        found = contents_of(said["contents"])
        return recorded(count.count_box(order, CountId(gaming_date, n), said["box"], found, said["counted_by"]))


class SecondCounts(APIView):
    """Second counts of boxes."""

    @described(OneCount, "The second count of a box, by another")
    def post(self, request: Request, gaming_date: date, n: int) -> Response:
        said = body_of(request, OneCount)
        order = order_of(request, said.get("occurred_at"), source="count")
        found = contents_of(said["contents"])
        return recorded(count.recount_box(order, CountId(gaming_date, n), said["box"], found, said["counted_by"]))


class Differences(APIView):
    """Differences between the two counts of a box."""

    @described(Difference, "Record the difference between the two counts of a box")
    def post(self, request: Request, gaming_date: date, n: int) -> Response:
        said = body_of(request, Difference)
        order = order_of(request, said.get("occurred_at"), source="count")
        accepted: Contents | str = contents_of(said["found"]) if "found" in said else said.get("accept", "")
        done = count.record_difference(order, CountId(gaming_date, n), said["box"], accepted, said["explanation"])
        return recorded(done)


class Closes(APIView):
    """The end of a count."""

    @described(Timed, "Close a count")
    def post(self, request: Request, gaming_date: date, n: int) -> Response:
        said = body_of(request, Timed)
        order = order_of(request, said.get("occurred_at"), source="count")
        return recorded(count.close_count(order, CountId(gaming_date, n)))


class Corrections(APIView):
    """Counts of boxes put right after the cage took the drop over."""

    @described(Correction, "Put the count of a box right, by two people")
    def post(self, request: Request, gaming_date: date) -> Response:
        said = body_of(request, Correction)
        order = order_of(request, said.get("occurred_at"), source="count")
        approval = approval_of(request._request, order, said, COUNT_TEAM)
        found = contents_of(said["contents"])
        return recorded(count.correct_count(order, gaming_date, said["box"], found, said["reason"], approval))


# ------------------------------------------------------------------------------------------------- the cage's recount


class Drops(APIView):
    """Closed counts, for the cage."""

    @extend_schema(
        responses={200: DropAnswer(many=True)} | READ_PROBLEMS,
        summary="The drops that wait for the cage or are taken",
        operation_id="drops_list",
    )
    def get(self, request: Request, gaming_date: date) -> Response:
        return Response([drop_answer(one) for one in queries.drops_of(gaming_date)])


class OneDrop(APIView):
    """One closed count, for the cage: the variance report once its own figure is in."""

    @extend_schema(responses={200: DropAnswer} | READ_PROBLEMS, summary="A drop: its variance once it is recounted")
    def get(self, request: Request, gaming_date: date, n: int) -> Response:
        return Response(drop_answer(queries.drop(CountId(gaming_date, n))))


class Recounts(APIView):
    """The cage's bulk count of the currency."""

    @described(Recount, "Count the currency of a drop in bulk, blind")
    def post(self, request: Request, gaming_date: date, n: int) -> Response:
        said = body_of(request, Recount)
        order = order_of(request, said.get("occurred_at"), source="cage")
        done = acceptance.recount_drop(order, CountId(gaming_date, n), said["currency"], person_of(request.user))
        return recorded(done)


class Acceptances(APIView):
    """The cage takes the currency over."""

    @described(Accept, "Take a drop over by the cage's own count")
    def post(self, request: Request, gaming_date: date, n: int) -> Response:
        said = body_of(request, Accept)
        order = order_of(request, said.get("occurred_at"), source="cage")
        counter = signer_of(request, order, said["counter"])
        wanted, note = CountId(gaming_date, n), said.get("note", "")
        return recorded(acceptance.accept_drop(order, wanted, person_of(request.user), counter, note))


# ------------------------------------------------------------------------------------------------- answers


def count_answer(soft: queries.SoftCount) -> dict[str, Any]:
    """A count as plain data, for the count team and for accounting."""
    found = {box: soft.content_of(box) for box in soft.boxes}
    apart = {
        box: second.contents.total_cents - soft.first[box].contents.total_cents for box, second in soft.second.items()
    }
    return {
        "count": soft.name,
        "step": soft.step,
        "in_progress": soft.in_progress,
        "team": soft.opened.team,
        "boxes": {box: None if one is None else _contents(one) for box, one in found.items()},
        "difference_cents": {box: cents for box, cents in apart.items() if cents},
    }


def _contents(one: Contents) -> dict[str, Any]:
    return {
        "currency": one.currency,
        "checks_cents": one.checks_cents,
        "promo_cents": one.promo_cents,
        "foreign": one.foreign,
        "total_cents": one.total_cents,
    }


def drop_answer(one: queries.Drop) -> dict[str, Any]:
    """A drop as the cage may see it now."""
    report = one.report
    return {
        "count": one.name,
        "boxes": one.boxes,
        "state": one.state,
        "counted_cents": report and report.counted_cents,
        "recounted_cents": report and report.recounted_cents,
        "variance_cents": report and report.variance_cents,
        "denominations": report and [msgspec.to_builtins(line) for line in report.lines],
        "accepted_by": report and report.accepted_by,
        "report_due_hours": report and report.due_hours,
    }


_COUNT = "counts/<day:gaming_date>/<int:n>/"
_DROP = "drops/<day:gaming_date>/<int:n>/"

urlpatterns = [
    path("tables/<code:table>/emergency-box/", EmergencyBoxes.as_view()),
    path("drop/<day:gaming_date>/", Drop.as_view()),
    path("drop/<day:gaming_date>/collect/", Collections.as_view()),
    path("counts/<day:gaming_date>/", Counts.as_view()),
    path("counts/<day:gaming_date>/correct/", Corrections.as_view()),
    path(_COUNT, OneSoftCount.as_view()),
    path(f"{_COUNT}boxes/", FirstCounts.as_view()),
    path(f"{_COUNT}recounts/", SecondCounts.as_view()),
    path(f"{_COUNT}differences/", Differences.as_view()),
    path(f"{_COUNT}close/", Closes.as_view()),
    path("drops/<day:gaming_date>/", Drops.as_view()),
    path(_DROP, OneDrop.as_view()),
    path(f"{_DROP}recount/", Recounts.as_view()),
    path(f"{_DROP}accept/", Acceptances.as_view()),
]
