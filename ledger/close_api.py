"""The HTTP interface of the close: what keeps a gaming day open, its close, and the day as filed and as known now."""

from datetime import date
from typing import Any

from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from casino.people import approval_of
from casino.refusal import Refused
from casino.web import KEY, Strict, Text, body_of, order_of, problems
from ledger.adjustments import Effect
from ledger.close_views import APPROVERS
from ledger.commands.closing import close_day
from ledger.models import DayClose
from ledger.queries import closing, filed
from ledger.queries.days import Row

WRITE_PROBLEMS = problems(400, 401, 403, 404, 409, 413, 422)
READ_PROBLEMS = problems(401, 403, 404, 409)


class CloseDay(Strict):
    """Close a gaming day. Over what is open, `reason`, and name and password of a second person."""

    reason = Text(max_length=500, required=False)
    approver = Text(max_length=150, required=False)
    password = Text(max_length=128, trim_whitespace=False, write_only=True, required=False)
    code = Text(max_length=16, required=False, write_only=True)
    occurred_at = serializers.DateTimeField(required=False)


class OpenThing(serializers.Serializer[Any]):
    """One thing that keeps a day from closing."""

    kind = serializers.ChoiceField(choices=["session", "slip", "round", "box", "count_difference", "not_over"])
    table = serializers.CharField(allow_blank=True)
    sentence = serializers.CharField()


class DayAnswer(serializers.Serializer[Any]):
    """A gaming day's close: `cut` is the position of its close, and a day that is filed has digest and seal."""

    gaming_date = serializers.DateField()
    state = serializers.ChoiceField(choices=["open", "closed", "filed"])
    open = OpenThing(many=True)
    days_to_close_first = serializers.ListField(child=serializers.DateField())
    cut = serializers.IntegerField(allow_null=True)
    closed_by = serializers.CharField(allow_null=True)
    approved_by = serializers.CharField(allow_null=True)
    reason = serializers.CharField(allow_null=True)
    digest = serializers.CharField(allow_null=True)
    seal = serializers.IntegerField(allow_null=True)
    seal_hash = serializers.CharField(allow_null=True)


class EffectAnswer(serializers.Serializer[Any]):
    """What a late fact changed of a figure: cents, or a fraction "a/b" for a hold; null is not known."""

    figure = serializers.CharField()
    filed = serializers.CharField(allow_null=True)
    known = serializers.CharField(allow_null=True)


class AdjustmentAnswer(serializers.Serializer[Any]):
    """A late fact of a closed day."""

    position = serializers.IntegerField()
    table = serializers.CharField()
    what = serializers.CharField()
    type = serializers.CharField()
    occurred_at = serializers.DateTimeField()
    recorded_at = serializers.DateTimeField()
    requested_by = serializers.CharField()
    approved_by = serializers.CharField(allow_blank=True)
    reason = serializers.CharField(allow_blank=True)
    effects = EffectAnswer(many=True)


class FiledAnswer(serializers.Serializer[Any]):
    """A closed day: figures by table as filed and as known now, and the adjustments between them."""

    gaming_date = serializers.DateField()
    cut = serializers.IntegerField()
    known_at = serializers.IntegerField()
    filed = serializers.DictField()
    known = serializers.DictField()
    adjustments = AdjustmentAnswer(many=True)
    further_adjustments = serializers.IntegerField()
    is_explained = serializers.BooleanField(help_text="the adjustments make the difference, figure by figure")


class Day(APIView):
    """A gaming day's close."""

    @extend_schema(responses={200: DayAnswer} | READ_PROBLEMS, summary="What keeps a gaming day open, or its close")
    def get(self, request: Request, gaming_date: date) -> Response:
        return Response(day_answer(gaming_date))


class Close(APIView):
    """The close of a gaming day."""

    @extend_schema(
        parameters=[KEY], request=CloseDay, responses={200: DayAnswer, 201: DayAnswer} | WRITE_PROBLEMS,
        summary="Close a gaming day",
    )  # fmt: skip
    def post(self, request: Request, gaming_date: date) -> Response:
        said = body_of(request, CloseDay)
        order = order_of(request, said.get("occurred_at"), source="close")
        approval = approval_of(request._request, order, said, *APPROVERS) if "approver" in said else None
        if approval is None and said.get("reason"):
            raise Refused("approval_missing", "A reason alone overrides nothing; a second person approves it.")
        done = close_day(order, gaming_date, said.get("reason", ""), approval)
        event: Any = done.events[-1]
        answer = {"gaming_date": gaming_date, "state": "closed", "cut": done.position, "closed_by": event.by}
        nothing = dict.fromkeys(("digest", "seal", "seal_hash"))
        people = {"approved_by": event.approved_by or None, "reason": event.reason or None}
        body = {"open": [], "days_to_close_first": [], **answer, **people, **nothing}
        return Response(body, status=200 if done.replayed else 201)


class Filed(APIView):
    """A closed day as filed and as known now."""

    @extend_schema(responses={200: FiledAnswer} | READ_PROBLEMS, summary="A gaming day as filed and as known now")
    def get(self, request: Request, gaming_date: date) -> Response:
        found = filed.filed_day(gaming_date)
        return Response(
            {
                "gaming_date": gaming_date,
                "cut": found.close.cut,
                "known_at": found.known.position,
                "filed": {row.table: _figures(row) for row in found.filed.rows},
                "known": {row.table: _figures(row) for row in found.known.rows},
                "adjustments": [_adjustment(one) for one in found.adjustments],
                "further_adjustments": found.rest_count,
                "is_explained": found.is_explained,
            }
        )


def day_answer(gaming_date: date) -> dict[str, Any]:
    """A day's close as plain data."""
    known = DayClose.objects.filter(gaming_date=gaming_date).defer("periods", "boxes").first()
    if known is None:
        return _open_day(gaming_date)
    return {
        "gaming_date": gaming_date,
        "state": "closed" if known.filed_position is None else "filed",
        "open": [],
        "days_to_close_first": [],
        "cut": known.cut,
        "closed_by": known.closed_by,
        "approved_by": known.approved_by or None,
        "reason": known.reason or None,
        "digest": known.digest or None,
        "seal": known.seal,
        "seal_hash": known.seal_hash or None,
    }


def _open_day(gaming_date: date) -> dict[str, Any]:
    found = closing.day_to_close(gaming_date, timezone.now())
    nothing = dict.fromkeys(("cut", "closed_by", "approved_by", "reason", "digest", "seal", "seal_hash"))
    return {
        "gaming_date": gaming_date,
        "state": "open",
        "open": [{"kind": one.kind, "table": one.table, "sentence": one.sentence} for one in found.open_things],
        "days_to_close_first": list(found.state.earlier),
        **nothing,
    }


def _figures(row: Row) -> dict[str, Any]:
    return {cell.figure.code: _text(cell.amount) for cell in row.cells.values()}


def _adjustment(one: filed.Adjustment) -> dict[str, Any]:
    return {
        "position": one.entry.position,
        "table": one.entry.table_code,
        "what": one.what,
        "type": one.entry.type,
        "occurred_at": one.entry.occurred_at,
        "recorded_at": one.entry.recorded_at,
        "requested_by": one.requested_by,
        "approved_by": one.approved_by,
        "reason": one.reason,
        "effects": [_effect(effect) for effect in one.effects],
    }


def _effect(effect: Effect) -> dict[str, Any]:
    return {"figure": effect.code, "filed": _text(effect.before), "known": _text(effect.after)}


def _text(amount: Any) -> str | None:
    return None if amount is None else str(amount)
