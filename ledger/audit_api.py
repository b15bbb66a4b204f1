"""The HTTP interface of income audit: a day's box paper, what was found of it, and its exceptions."""

from datetime import date
from typing import Any

from django.urls import path
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from casino.web import Text, body_of, order_of
from ledger.commands.audit import explain_exception, tick_papers
from ledger.count_api import READ_PROBLEMS, described, recorded
from ledger.count_bodies import Timed
from ledger.queries import audit
from ledger.queries.instruments import TableDrop, drop_by_instrument


class Tick(Timed):
    """`findings`: document → agrees, differs or missing; `unmatched`: paper nobody stored → what it says."""

    table = Text(max_length=12)
    findings = serializers.DictField(child=Text(max_length=10), required=False)
    unmatched = serializers.DictField(child=Text(max_length=300), required=False)


class ExplainException(Timed):
    document = Text(max_length=80)
    note = Text(max_length=300)


class PaperAnswer(serializers.Serializer[Any]):
    """A day's paper by table, and its exceptions."""

    papers = serializers.DictField(help_text="table → document → finding, empty until it is ticked")
    exceptions = serializers.ListField(child=serializers.DictField())
    instruments = serializers.DictField(help_text="table → instrument → recorded, counted, variance cents")


class IncomeAudit(APIView):
    """A day's box paper."""

    @extend_schema(responses={200: PaperAnswer} | READ_PROBLEMS, summary="A gaming day's box paper and its exceptions")
    def get(self, request: Request, gaming_date: date) -> Response:
        tables = audit.papers_of(gaming_date)
        exceptions = [
            {"document": one.document, "table": one.table, "exception": one.what, "said": one.said, "note": one.note}
            for one in audit.exceptions_of(gaming_date)
        ]
        papers = {table: {paper.document: paper.finding for paper in papers} for table, papers in tables.items()}
        found = {drop.table: _instruments(drop) for drop in drop_by_instrument(gaming_date)}
        return Response({"papers": papers, "exceptions": exceptions, "instruments": found})


def _instruments(drop: TableDrop) -> dict[str, dict[str, int | None]]:
    return {name: one._asdict() | {"variance_cents": one.variance_cents} for name, one in drop.instruments.items()}


class Ticks(APIView):
    """Paper ticked."""

    @described(Tick, "Tick the paper of a table's boxes")
    def post(self, request: Request, gaming_date: date) -> Response:
        said = body_of(request, Tick)
        order = order_of(request, said.get("occurred_at"), source="audit")
        findings, odd = said.get("findings", {}), said.get("unmatched", {})
        return recorded(tick_papers(order, gaming_date, said["table"], findings, odd))


class Explanations(APIView):
    """Exceptions explained."""

    @described(ExplainException, "Explain an exception of the day's paper")
    def post(self, request: Request, gaming_date: date) -> Response:
        said = body_of(request, ExplainException)
        order = order_of(request, said.get("occurred_at"), source="audit")
        return recorded(explain_exception(order, gaming_date, said["document"], said["note"]))


urlpatterns = [
    path("income-audit/<day:gaming_date>/", IncomeAudit.as_view()),
    path("income-audit/<day:gaming_date>/tick/", Ticks.as_view()),
    path("income-audit/<day:gaming_date>/explain/", Explanations.as_view()),
]
