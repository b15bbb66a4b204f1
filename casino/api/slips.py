"""Fills and credits over HTTP: request, withdraw, prepare, sign, void, print; lists, one slip, the sequence check.

A signature is that of whoever is logged in, or on a shared screen of the person who gives name and password.
"""

from collections.abc import Callable
from datetime import date
from typing import Any

from django.db.models import QuerySet
from django_filters import ChoiceFilter
from django_filters.rest_framework import FilterSet
from drf_spectacular.utils import extend_schema, extend_schema_view
from rest_framework import generics
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from casino.api import slip_bodies as bodies
from casino.api.views import READ_PROBLEMS, Cursor, answered, command, round_id_of
from casino.commands import prints, slips
from casino.commands.order import Done, Order
from casino.eventstore import store
from casino.keys import TransferId, session_of
from casino.models import SlipBoard
from casino.people import person_of, proven
from casino.queries.papers import paper_of
from casino.queries.slip_books import sequence_check
from casino.queries.slips import SlipRead, Step, read_slip
from casino.refusal import Refused
from casino.slip_events import SlipPrinted
from casino.slips import Person
from casino.web import Strict, body_of, order_of

Body = dict[str, Any]


# ------------------------------------------------------------------------------------------------- answers


def slip_answer(slip: TransferId, done: Done | None = None) -> Body:
    """The slip as it stands, or as it stood when `done` was carried out."""
    read = read_slip(slip, upto=done.position if done else None)
    transfer = read.transfer
    return {
        "slip": str(slip),
        **slip._asdict(),
        "kind": transfer.kind,
        "state": transfer.state,
        "awaits": read.awaited,
        "denominations": transfer.denominations,
        "total_cents": transfer.total_cents,
        "request_serial": transfer.requested.serial,
        "requested": _act(read.step("requested")),
        "book": transfer.slip.book if transfer.slip else None,
        "serial": transfer.slip.serial if transfer.slip else None,
        "prepared": _act(read.step("prepared")),
        "signatures": [{"role": signed.role, **(_act(read.step(signed.role)) or {})} for signed in transfer.signatures],
        "withdrawn": _withdrawn(read),
        "voided": _voided(read),
        "warnings": read.warnings,
        "position": read.entries[-1].position,
        "replayed": done.replayed if done else False,
    }


def _act(step: Step | None) -> Body | None:
    return {"by": step.by, "at": step.at} if step else None


def _withdrawn(read: SlipRead) -> Body | None:
    withdrawn, act = read.transfer.withdrawn, _act(read.step("withdrawn"))
    return {"reason": withdrawn.reason, **act} if withdrawn and act else None


def _voided(read: SlipRead) -> Body | None:
    voided, step = read.transfer.voided, read.step("void")
    if voided is None or step is None:
        return None
    names = ("reason", "requested_by", "approved_by", "was_in_transit", "tray_cents")
    return {**{name: getattr(voided, name) for name in names}, "at": step.at}


def slip_id_of(table: str, gaming_date: str, session: int, n: int) -> TransferId:
    """The slip that an address names; refuses what can't be one."""
    day = round_id_of(table, gaming_date, 1).gaming_date
    if not 0 < session < 100 or not 0 < n < 2**31:
        raise Refused("unknown_slip", f"There is no fill or credit {table}/{gaming_date}/{session}/{n}.")
    return TransferId(table, day, session, n)


# ------------------------------------------------------------------------------------------------- operations


class RequestTransfer(APIView):
    """The floor asks for a fill or a credit at its table."""

    @command(bodies.RequestTransfer, bodies.SlipAnswer, "Request a fill or a credit")
    def post(self, request: Request, table: str) -> Response:
        said = body_of(request, bodies.RequestTransfer)
        _check_total(said)
        order = order_of(request, said.get("occurred_at"))
        person = person_of(request.user)
        done = slips.request_transfer(order, table, said["kind"], said["denominations"], person)
        event: Any = done.events[-1]
        slip = TransferId(table, *session_of(store.key_at(done.position)), event.transfer)
        return answered(slip_answer(slip, done), done)


def _check_total(said: Body) -> None:
    made = sum(said["denominations"].values())
    if said.get("total_cents", made) != made:
        raise Refused(
            "count_does_not_add_up",
            f"The denominations make {made} cents, and total_cents says {said['total_cents']}.",
        )


def on_slip(
    body: type[Strict], summary: str, carry_out: Callable[[Request, Order, TransferId, Body], Done]
) -> type[APIView]:
    """An operation on one slip."""

    @extend_schema_view(post=command(body, bodies.SlipAnswer, summary))
    class Operation(APIView):
        __doc__ = summary

        def post(self, request: Request, table: str, gaming_date: str, session: int, n: int) -> Response:
            slip = slip_id_of(table, gaming_date, session, n)
            said = body_of(request, body)
            done = carry_out(request, order_of(request, said.get("occurred_at")), slip, said)
            return answered(slip_answer(slip, done), done)

    return Operation


def _sign(request: Request, order: Order, slip: TransferId, said: Body) -> Done:
    return slips.sign_slip(order, slip, _signer(request, order, said), said.get("role"))


def _signer(request: Request, order: Order, said: Body) -> Person:
    if "signer" not in said and "password" not in said:
        return person_of(request.user)
    return proven(request._request, order, said.get("signer", ""), said.get("password", ""), said.get("code", ""))


def _void(request: Request, order: Order, slip: TransferId, said: Body) -> Done:
    approver = proven(request._request, order, said["approver"], said["password"], said.get("code", ""))
    return slips.void_slip(order, slip, person_of(request.user), approver, said["reason"])


ON_SLIP = {
    "prepare": on_slip(
        bodies.PrepareSlip,
        "Prepare the slip of a request, under the next number of its book",
        lambda request, order, slip, said: slips.prepare_slip(
            order, slip, person_of(request.user), said.get("denominations")
        ),
    ),
    "sign": on_slip(bodies.SignSlip, "Sign a slip, in the order of the profile", _sign),
    "void": on_slip(bodies.VoidSlip, "Void a slip by two people; it keeps its number", _void),
    "withdraw": on_slip(
        bodies.WithdrawRequest,
        "Withdraw a request that has no slip yet",
        lambda request, order, slip, said: slips.withdraw_request(order, slip, person_of(request.user), said["reason"]),
    ),
}


class PrintPaper(APIView):
    """Count a printed copy of a paper: a slip, a request, an inventory, an error notification."""

    @command(bodies.PrintPaper, bodies.PrintAnswer, "Count a printed copy; every one after the first is a reprint")
    def post(self, request: Request) -> Response:
        said = body_of(request, bodies.PrintPaper)
        paper = paper_of(said["document"])
        done = prints.print_copy(order_of(request, said.get("occurred_at")), paper.document, paper.table)
        event: SlipPrinted = done.events[-1]  # type: ignore[assignment]
        copy = {"document": event.document, "copy_number": event.copy_number, "is_reprint": event.copy_number > 1}
        return answered({**copy, "position": done.position, "replayed": done.replayed}, done)


# ------------------------------------------------------------------------------------------------- reading


class SlipFilters(FilterSet):
    state = ChoiceFilter(choices=[(word, word) for word in SlipBoard.STAGES.values()], method="of_state")
    kind = ChoiceFilter(choices=[(word, word) for word in bodies.KINDS])

    class Meta:
        model = SlipBoard
        fields = ["table_code", "gaming_date", "kind", "state", "book", "serial"]

    def of_state(self, queryset: QuerySet[SlipBoard], name: str, value: str) -> QuerySet[SlipBoard]:
        return queryset.filter(stage=next(stage for stage, word in SlipBoard.STAGES.items() if word == value))


@extend_schema(summary="Fills and credits", responses={200: bodies.SlipRow(many=True), **READ_PROBLEMS})
class Slips(generics.ListAPIView[SlipBoard]):
    """Fills and credits of all tables, those that moved last first, by day, table, kind, state or number."""

    queryset = SlipBoard.objects.all()
    serializer_class = bodies.SlipRow
    pagination_class = Cursor
    filterset_class = SlipFilters

    def filter_queryset(self, queryset: QuerySet[SlipBoard]) -> QuerySet[SlipBoard]:
        for name in SlipFilters.Meta.fields:
            if self.request.query_params.get(name) == "":  # the filters would take it for no filter at all
                raise ValidationError({name: ["It is empty; give a value, or leave it out."]})
        return super().filter_queryset(queryset)


class OneSlip(APIView):
    """A fill or credit as it stands."""

    @extend_schema(summary="One fill or credit", responses={200: bodies.SlipAnswer, **READ_PROBLEMS})
    def get(self, request: Request, table: str, gaming_date: str, session: int, n: int) -> Response:
        return Response(slip_answer(slip_id_of(table, gaming_date, session, n)))


class SlipBooks(APIView):
    """The sequence check of income audit: the numbers that a gaming day used in every book."""

    @extend_schema(summary="Numbers of a day's slips", responses={200: bodies.BookAnswer(many=True), **READ_PROBLEMS})
    def get(self, request: Request, gaming_date: date) -> Response:
        return Response(bodies.BookAnswer(sequence_check(gaming_date), many=True).data)
