"""Tables over HTTP: set up, opened, rolled and closed, and what happens at one besides its rounds."""

from collections.abc import Callable
from typing import Any

from drf_spectacular.utils import extend_schema, extend_schema_view
from rest_framework import generics
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from casino.api import answers
from casino.api import table_bodies as bodies
from casino.api.views import READ_PROBLEMS, Body, Cursor, answered, command
from casino.commands import tables
from casino.commands.order import Done, Order
from casino.events import Limits
from casino.models import TableBoard
from casino.table import Count
from casino.web import Strict, body_of, order_of


@extend_schema(summary="All tables", responses={200: bodies.TableRow(many=True), **READ_PROBLEMS})
class Tables(generics.ListAPIView[TableBoard]):
    """All tables, those that moved last first."""

    queryset = TableBoard.objects.all()
    serializer_class = bodies.TableRow
    pagination_class = Cursor
    filter_backends: list[Any] = []


class OneTable(APIView):
    """A table as it stands."""

    @extend_schema(summary="One table", responses={200: bodies.TableAnswer, **READ_PROBLEMS})
    def get(self, request: Request, table: str) -> Response:
        return Response(answers.table_answer(table))


class SetUpTable(APIView):
    """How a table offers its game from its next round on; the floor only."""

    @command(bodies.SetUpTable, bodies.TableAnswer, "Set a table up")
    def post(self, request: Request, table: str) -> Response:
        body = body_of(request, bodies.SetUpTable)
        body["limits"] = {bet: Limits(**limits) for bet, limits in body.get("limits", {}).items()}
        done = tables.set_up_table(order_of(request, body.pop("occurred_at", None)), table, **body)
        return answered(answers.table_answer(table), done)


def at_table(body: type[Strict], summary: str, carry_out: Callable[[Order, str, Body], Done]) -> type[APIView]:
    """An operation on the table's session."""

    @extend_schema_view(post=command(body, bodies.SessionAnswer, summary))
    class Operation(APIView):
        __doc__ = summary

        def post(self, request: Request, table: str) -> Response:
            said = body_of(request, body)
            done = carry_out(order_of(request, said.get("occurred_at")), table, said)
            return answered(answers.session_answer(table, done), done)

    return Operation


def count_of(chips: Body) -> Count:
    """A counted tray from a body."""
    return Count(chips["total_cents"], chips.get("denominations"), tuple(chips.get("counted_by", ())))


AT_TABLE = {
    "open": at_table(
        bodies.OpenTable,
        "Open a table with its opener",
        lambda order, table, said: tables.open_table(
            order, table, count_of(said["opener"]), said.get("acknowledged_by"), said.get("explanation", "")
        ),
    ),
    "roll": at_table(
        bodies.RollTable,
        "Count a table once: its session ends, and the next one begins",
        lambda order, table, said: tables.roll_table(order, table, count_of(said["count"]), said.get("session")),
    ),
    "close": at_table(
        bodies.CloseTable,
        "Close a table with its closer",
        lambda order, table, said: tables.close_table(order, table, count_of(said["closer"]), said.get("session")),
    ),
    "buy-ins": at_table(
        bodies.BuyIn,
        "Cash for chips at a table",
        lambda order, table, said: tables.buy_in(order, table, said["amount_cents"], said.get("seat")),
    ),
}
