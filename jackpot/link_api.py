"""The HTTP interface of a link's control: changes, stops, requests, readings, and its statements."""

from datetime import date
from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from casino.web import KEY, body_of, order_of, problems
from jackpot.link_steps import Step
from jackpot.statements import Statement, day_page, liability
from jackpot.today import gaming_date_now

READ_PROBLEMS = problems(400, 401, 403, 404, 422)


class LinkStepAnswer(serializers.Serializer[Any]):
    """What was recorded, by which number where it has one, and the position of the log by which it is."""

    link = serializers.CharField()
    number = serializers.IntegerField(allow_null=True)
    position = serializers.IntegerField()
    replayed = serializers.BooleanField()


ANSWERS = {200: LinkStepAnswer, 201: LinkStepAnswer} | problems(400, 401, 403, 404, 409, 413, 422)


def endpoint(step: Step) -> type[APIView]:
    """The operation that takes one step."""

    class Endpoint(APIView):
        __doc__ = step.summary

        @extend_schema(parameters=[KEY], request=step.body, responses=ANSWERS, summary=step.summary)
        def post(self, request: Request, link: str) -> Response:
            said = body_of(request, step.body)
            done = step.act(order_of(request, said.pop("occurred_at", None)), link, said)
            number = next((event.number for event in done.events if hasattr(event, "number")), None)
            answer = {"link": link, "number": number, "position": done.position, "replayed": done.replayed}
            return Response(answer, status=200 if done.replayed else 201)

    Endpoint.__name__ = Endpoint.__qualname__ = "".join(word.capitalize() for word in step.path.split("/"))
    return Endpoint


class ColumnAnswer(serializers.Serializer[Any]):
    """One account of a statement; an opening and the lines, each with its sign, make the closing."""

    account = serializers.CharField()
    opening_micros = serializers.IntegerField()
    lines = serializers.DictField(child=serializers.IntegerField())
    closing_micros = serializers.IntegerField()


class ReadingAnswer(serializers.Serializer[Any]):
    """A reading beside what the meter stood at in that instant; `explanation` is "" where there is none."""

    number = serializers.IntegerField()
    pool = serializers.CharField()
    shown_cents = serializers.IntegerField()
    read_at = serializers.DateTimeField()
    meter_micros = serializers.IntegerField()
    difference_cents = serializers.IntegerField()
    by = serializers.CharField()
    explanation = serializers.CharField()


class MeterDayAnswer(serializers.Serializer[Any]):
    """A meter's gaming day as it is known at `position`."""

    link = serializers.CharField()
    gaming_date = serializers.DateField()
    columns = ColumnAnswer(many=True)
    readings = ReadingAnswer(many=True)
    state = serializers.CharField()
    position = serializers.IntegerField()


class LinkDay(APIView):
    """The reconciliation of one meter on one gaming day."""

    @extend_schema(responses={200: MeterDayAnswer} | READ_PROBLEMS, summary="A meter's gaming day, line by line")
    def get(self, request: Request, link: str, gaming_date: date) -> Response:
        page = day_page(link, gaming_date, gaming_date_now())
        explained = page.readings.explained
        return Response(
            {
                "link": link,
                "gaming_date": gaming_date,
                "columns": columns_of(page.statement),
                "readings": [
                    {field: getattr(one, field) for field in one.__struct_fields__}
                    | {"explanation": explained[one.number].explanation if one.number in explained else ""}
                    for one in page.readings.read
                ],
                "state": page.readings.state,
                "position": page.statement.position,
            }
        )


def columns_of(statement: Statement) -> list[dict[str, Any]]:
    """A statement's accounts as plain data."""
    return [
        {
            "account": column.account,
            "opening_micros": column.opening_micros,
            "lines": dict(column.lines),
            "closing_micros": column.closing_micros,
        }
        for column in statement.columns
    ]


class OwedAnswer(serializers.Serializer[Any]):
    """What is owed on one link; `is_tied` where meter, statement and winners say the same."""

    link = serializers.CharField()
    main_micros = serializers.IntegerField()
    reserve_micros = serializers.IntegerField()
    overflow_micros = serializers.IntegerField()
    payable_micros = serializers.IntegerField()
    is_tied = serializers.BooleanField()


class Liabilities(APIView):
    """What the house owes to all meters and winners."""

    @extend_schema(
        responses={200: OwedAnswer(many=True)} | READ_PROBLEMS, summary="What is owed on every link, tied out"
    )
    def get(self, request: Request) -> Response:
        shown = liability()
        return Response(
            [
                {
                    "link": one.link, "main_micros": one.main, "reserve_micros": one.reserve,
                    "overflow_micros": one.overflow, "payable_micros": one.payable, "is_tied": shown.ties(one),
                }
                for one in shown.owed
            ]
        )  # fmt: skip
