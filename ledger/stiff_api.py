"""The HTTP interface of the master game report: its lines as data, amounts in cents."""

from fractions import Fraction
from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from casino.web import GamingDate, Strict, problems
from ledger.figures import Amount
from ledger.queries.stiff import report
from ledger.stiff import ROWS, TABLE, Line
from ledger.stiff_columns import CENTS, COLUMNS, Column

READ_PROBLEMS = problems(400, 401, 403, 422)


class ReportAsked(Strict):
    """Of which gaming days, and a row for each what."""

    to = GamingDate(help_text="the last gaming day")
    by = serializers.ChoiceField(choices=list(ROWS), default=TABLE)

    def get_fields(self) -> dict[str, Any]:
        """`from` is a word of the language, so it can't be written as the others are."""
        return {"from": GamingDate(help_text="the first gaming day"), **super().get_fields()}


class ReportLineAnswer(serializers.Serializer[Any]):
    """A row or a subtotal. `columns` by code: whole cents, else exact as "a/b"; shares as "a/b"; null is unknown."""

    kind = serializers.ChoiceField(choices=[*ROWS, "game", "pit", "shift", "house"])
    name = serializers.CharField(allow_blank=True)
    tables = serializers.ListField(child=serializers.CharField())
    columns = serializers.DictField(child=serializers.JSONField(allow_null=True))
    unknown = serializers.DictField(child=serializers.CharField(), help_text="why a column is null")


class ReportAnswer(serializers.Serializer[Any]):
    """The report as the books stood at a position of the log."""

    position = serializers.IntegerField()
    lines = ReportLineAnswer(many=True)


class MasterGameReport(APIView):
    """The master game report of some gaming days."""

    @extend_schema(
        parameters=[ReportAsked], responses={200: ReportAnswer, **READ_PROBLEMS},
        summary="The master game report: rows, subtotals, to dates",
    )  # fmt: skip
    def get(self, request: Request) -> Response:
        asked = ReportAsked(data=request.query_params.dict())
        asked.is_valid(raise_exception=True)
        said = asked.validated_data
        shown = report(said["from"], said["to"], said["by"])
        return Response({"position": shown.position, "lines": [line_answer(line) for line in shown.lines]})


def line_answer(line: Line) -> dict[str, Any]:
    """A line as plain data."""
    columns = {_code(column): plain(column.value(line)) for column in COLUMNS}
    unknown = {_code(column): column.why(line) for column in COLUMNS if columns[_code(column)] is None}
    return {"kind": line.kind, "name": line.name, "tables": line.tables, "columns": columns, "unknown": unknown}


def _code(column: Column) -> str:
    """A column's name in JSON, units last."""
    return column.code.replace("-", "_") + ("_cents" if column.unit == CENTS else "")


def plain(amount: Amount) -> int | str | None:
    """A whole number as one, a fraction exactly as "a/b"."""
    if isinstance(amount, Fraction):
        return int(amount) if amount.denominator == 1 else str(amount)
    return amount
