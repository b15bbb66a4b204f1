"""The HTTP interface of reconciliation and investigations."""

from datetime import date
from typing import Any

from django.utils import timezone
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from casino.keys import check_table_code
from casino.refusal import Refused, in_quotes
from casino.web import KEY, body_of, order_of, problems
from ledger.investigation import Subject
from ledger.investigation_steps import STEPS, Step
from ledger.queries import investigations
from ledger.queries.reconciliation import Line, reconciliation
from ledger.variances import Suggestion

READ_PROBLEMS = problems(400, 401, 403, 404, 422)


class ReconciledLineAnswer(serializers.Serializer[Any]):
    """A table's day or session: counted, recorded, theoretical, and where they differ; null is not known."""

    table = serializers.CharField()
    session = serializers.IntegerField(help_text="0 is the whole day")
    pit = serializers.CharField(allow_blank=True)
    game = serializers.CharField()
    state = serializers.ChoiceField(choices=["complete", "inventory_only", "broken", "open"])
    missing = serializers.ListField(child=serializers.CharField())
    recorded_drop_cents = serializers.IntegerField()
    counted_drop_cents = serializers.IntegerField(allow_null=True)
    box_variance_cents = serializers.IntegerField(allow_null=True)
    tray_variance_cents = serializers.IntegerField(allow_null=True)
    win_cents = serializers.IntegerField(allow_null=True)
    estimated_win_cents = serializers.IntegerField()
    theoretical_win_cents = serializers.CharField(allow_null=True, help_text='T, exactly: a fraction "a/b" of cents')
    investigation = serializers.CharField(allow_null=True, help_text="open, or the conclusion")


class VarianceAnswer(serializers.Serializer[Any]):
    """A difference at its place."""

    table = serializers.CharField()
    place = serializers.ChoiceField(choices=["box", "tray", "between"])
    session = serializers.IntegerField()
    cents = serializers.IntegerField()


class SuggestionAnswer(serializers.Serializer[Any]):
    """Two variances that may belong together."""

    over = VarianceAnswer()
    short = VarianceAnswer()
    left_cents = serializers.IntegerField()
    reasons = serializers.ListField(child=serializers.CharField())


class ReconciliationAnswer(serializers.Serializer[Any]):
    """A gaming day reconciled."""

    gaming_date = serializers.DateField()
    position = serializers.IntegerField()
    lines = ReconciledLineAnswer(many=True)
    suggestions = SuggestionAnswer(many=True)


class Reconciliation(APIView):
    """Counted beside recorded beside theoretical."""

    @extend_schema(
        parameters=[OpenApiParameter("by", str, enum=["table", "session"]), OpenApiParameter("sort", str)],
        responses={200: ReconciliationAnswer} | READ_PROBLEMS, summary="Reconcile a gaming day",
    )  # fmt: skip
    def get(self, request: Request, gaming_date: date) -> Response:
        by, order = request.query_params.get("by", "table"), request.query_params.get("sort", "table")
        if by not in ("table", "session"):
            raise Refused("bad_request", f"{in_quotes(by)} is no way to look at it; choose table or session.")
        found = reconciliation(gaming_date, timezone.now(), by_session=by == "session", order=order)
        return Response(
            {
                "gaming_date": gaming_date,
                "position": found.position,
                "lines": [_line(line) for line in found.lines],
                "suggestions": [_suggestion(one) for one in found.suggestions],
            }
        )


def _line(line: Line) -> dict[str, Any]:
    result, known = line.row.result, line.investigation
    return {
        "table": line.row.table,
        "session": line.session,
        "pit": line.place.pit,
        "game": line.place.game,
        "state": line.state.code,
        "missing": line.state.missing,
        "recorded_drop_cents": result.facts.recorded_drop,
        "counted_drop_cents": result.facts.counted_drop,
        "box_variance_cents": result.box_variance,
        "tray_variance_cents": result.tray_variance,
        "win_cents": result.win,
        "estimated_win_cents": result.estimated_win,
        "theoretical_win_cents": None if line.theo_cents is None else str(line.theo_cents),
        "investigation": (known.conclusion or "open") if known else None,
    }


def _suggestion(one: Suggestion) -> dict[str, Any]:
    def plain(variance: Any) -> dict[str, Any]:
        return {name: getattr(variance, name) for name in ("table", "place", "session", "cents")}

    return {
        "over": plain(one.over), "short": plain(one.short), "left_cents": one.left_cents, "reasons": one.reasons
    }  # fmt: skip


# ------------------------------------------------------------------------------------------------- investigations


class InvestigationAnswer(serializers.Serializer[Any]):
    """How an investigation stands."""

    table = serializers.CharField()
    gaming_date = serializers.DateField()
    session = serializers.IntegerField(help_text="0 is the whole day")
    state = serializers.ChoiceField(choices=["open", "concluded"])
    assignee = serializers.CharField()
    opened_at = serializers.DateTimeField()
    days = serializers.IntegerField()
    notes = serializers.IntegerField()
    conclusion = serializers.CharField(allow_blank=True)


class InvestigationStepAnswer(serializers.Serializer[Any]):
    """What was recorded, and the position of the log by which it is."""

    table = serializers.CharField()
    gaming_date = serializers.DateField()
    session = serializers.IntegerField()
    position = serializers.IntegerField()
    replayed = serializers.BooleanField()


class Investigations(APIView):
    """The investigations by state and age."""

    @extend_schema(
        parameters=[OpenApiParameter("state", str, enum=list(investigations.STATES))],
        responses={200: InvestigationAnswer(many=True)} | READ_PROBLEMS, summary="Investigations",
    )  # fmt: skip
    def get(self, request: Request) -> Response:
        state = request.query_params.get("state", "open")
        if state not in investigations.STATES:
            raise Refused("bad_request", f"{in_quotes(state)} is no state of an investigation.")
        return Response([_listed(one) for one in investigations.listed(state, "", timezone.now())])


def _listed(one: investigations.Listed) -> dict[str, Any]:
    row = one.row
    return {
        "table": row.table_code,
        "gaming_date": row.day,
        "session": row.session,
        "state": "concluded" if row.conclusion else "open",
        "assignee": row.assignee,
        "opened_at": row.opened_at,
        "days": one.days,
        "notes": row.notes,
        "conclusion": row.conclusion,
    }


def endpoint(step: Step) -> type[APIView]:
    """The operation that takes one step."""

    class Endpoint(APIView):
        __doc__ = step.summary

        @extend_schema(
            parameters=[KEY], request=step.body, summary=step.summary,
            responses=dict.fromkeys((200, 201), InvestigationStepAnswer) | problems(400, 401, 403, 404, 409, 413, 422),
        )  # fmt: skip
        def post(self, request: Request, table: str, gaming_date: date, session: int) -> Response:
            said = body_of(request, step.body)
            subject = Subject(check_table_code(table), gaming_date, session)
            done = step.act(order_of(request, said.pop("occurred_at", None), source="accounting"), subject, said)
            answer = {"table": table, "gaming_date": gaming_date, "session": session, "position": done.position}
            return Response(answer | {"replayed": done.replayed}, status=200 if done.replayed else 201)

    Endpoint.__name__ = Endpoint.__qualname__ = f"{step.path.capitalize()}Investigation"
    return Endpoint


ENDPOINTS = {step.path: endpoint(step) for step in STEPS}
