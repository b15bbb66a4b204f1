"""Explain this number: the page of any figure of a report, by its address, and the same as data."""

from datetime import UTC, datetime
from typing import Any

from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from casino.refusal import in_quotes
from casino.web import day_of, page, problems
from ledger.queries.explained import Explained, explain
from ledger.scope import Scope
from ledger.stiff import SESSION
from ledger.stiff_api import plain

Asked = dict[str, str]


@page
def explained(request: HttpRequest, code: str) -> HttpResponse:
    asked = {name: value for name, value in request.GET.items() if isinstance(value, str)}
    shown = explain(code, scope_asked(asked), asked.get("events", ""), _position(asked.get("after", "")))
    return render(request, "ledger/explained/figure.html", {"page": shown, "after": asked.get("after", "")})


def scope_asked(asked: Asked) -> Scope:
    """The scope of an address; raises BadRequest where it can't be read."""
    kind, _, name = asked.get("of", "house").partition(":")
    first = day_of(asked.get("from", "").strip())
    last = day_of(asked["to"].strip()) if asked.get("to", "").strip() else first
    if kind == SESSION and name.count("/") != 2:
        raise BadRequest(f"{in_quotes(name)} is no session; write it like session:R-01/2026-11-28/1.")
    filed = day_of(asked["filed"].strip()) if asked.get("filed", "").strip() else None
    return Scope(kind, name, first, last, asked.get("complete") == "1", _hour(asked.get("hour", "")), filed)


def _hour(text: str) -> datetime | None:
    if not text:
        return None
    day_of(text[:10])  # of a year in which a house may keep records
    try:
        return datetime.strptime(text, "%Y-%m-%dT%H:%M").replace(tzinfo=UTC)
    except ValueError:
        raise BadRequest(f"{in_quotes(text)} is not an hour; write it like 2026-11-29T21:00, in UTC.") from None


def _position(text: str) -> int:
    if text and (not text.isascii() or not text.isdecimal() or len(text) > 18):
        raise BadRequest(f"{in_quotes(text)} is no place in a list of events; go back to the figure's page.")
    return int(text or 0)


# ------------------------------------------------------------------------------------------------- the interface


class ExplainedAnswer(serializers.Serializer[Any]):
    """A figure: its formula, parts, pieces and kinds of event. Amounts are whole cents, shares "a/b", null unknown."""

    code = serializers.CharField()
    of = serializers.CharField()
    first = serializers.DateField()
    last = serializers.DateField()
    formula = serializers.CharField()
    basis = serializers.CharField()
    amount = serializers.JSONField(allow_null=True)
    unknown = serializers.CharField(allow_blank=True)
    added_cents = serializers.JSONField(allow_null=True, help_text="what the events of the log make of it")
    is_proven = serializers.BooleanField(allow_null=True)
    position = serializers.IntegerField()
    parts = serializers.ListField(child=serializers.DictField())
    pieces = serializers.ListField(child=serializers.DictField())
    events = serializers.ListField(child=serializers.DictField())


class Explanation(APIView):
    """Where a figure of a report comes from."""

    @extend_schema(
        parameters=[
            OpenApiParameter("of", OpenApiTypes.STR, description="house, game:…, pit:…, shift:…, table:…, session:…"),
            OpenApiParameter("from", OpenApiTypes.DATE, required=True),
            OpenApiParameter("to", OpenApiTypes.DATE),
            OpenApiParameter("complete", OpenApiTypes.STR, description="1: only complete table-days, as to dates have"),
            OpenApiParameter("filed", OpenApiTypes.DATE, description="as filed with this day; else as known now"),
            OpenApiParameter("events", OpenApiTypes.STR, description="list one kind of event, fifty at a time"),
            OpenApiParameter("after", OpenApiTypes.INT, description="go on behind this position"),
        ],
        responses={200: ExplainedAnswer, **problems(400, 401, 403, 404, 422)}, summary="Explain a figure of a report",
    )  # fmt: skip
    def get(self, request: Request, code: str) -> Response:
        asked: Asked = request.query_params.dict()
        shown = explain(code, scope_asked(asked), asked.get("events", ""), _position(asked.get("after", "")))
        return Response(answer_of(shown))


def answer_of(shown: Explained) -> dict[str, Any]:
    """The explanation as plain data."""
    of, first, last = shown.scope.kind, shown.scope.first, shown.scope.last
    return {
        "code": shown.code,
        "of": f"{of}:{shown.scope.name}" if shown.scope.name else of,
        "first": first,
        "last": last,
        "formula": shown.figure.formula,
        "basis": shown.figure.basis,
        "amount": plain(shown.amount),
        "unknown": shown.reason,
        "added_cents": plain(shown.added),
        "is_proven": shown.is_proven,
        "position": shown.position,
        "parts": [{"sign": p.sign, "code": p.code, "amount": plain(p.amount)} for p in shown.parts],
        "pieces": [{"name": p.name, "amount": plain(p.amount), "unknown": p.reason} for p in shown.pieces],
        "events": [
            {
                "sign": leaf.sign, "kind": leaf.leaf.code, "type": leaf.leaf.type, "count": leaf.number,
                "cents": plain(leaf.cents), "listed": [_event(line) for line in leaf.lines],
                "more_after": leaf.more or None,
            }
            for leaf in shown.leaves
        ],
    }  # fmt: skip


def _event(line: Any) -> dict[str, Any]:
    return {
        "position": line.entry.position,
        "occurred_at": line.entry.occurred_at,
        "table": line.entry.table_code,
        "cents": plain(line.cents),
        "by": line.people,
        "is_correction": line.is_correction,
        "is_corrected": line.is_corrected,
    }
