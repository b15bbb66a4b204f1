"""Patrons and seats over HTTP. Names are for staff; a device knows a patron by the number on the card."""

from typing import Any

from django.db.models import QuerySet
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import generics, serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from casino.api import answers
from casino.api.bodies import Timed
from casino.api.views import READ_PROBLEMS, answered, command
from casino.commands import patrons, seats
from casino.models import Patron
from casino.queries import patrons as queries
from casino.web import Pages, Strict, Text, WholeNumber, body_of, order_of

# ------------------------------------------------------------------------------------------------- what is said


class Named(Timed):
    name = Text(max_length=200)


class Erase(Timed):
    pass


class TakeSeat(Timed):
    """`patron_id` null, or left out, seats a player who is not rated."""

    seat = WholeNumber()
    patron_id = WholeNumber(required=False, allow_null=True)


class LeaveSeat(Timed):
    seat = WholeNumber()


class Estimate(Timed):
    seat = WholeNumber()
    average_bet_cents = WholeNumber()


class PatronAnswer(serializers.Serializer[Any]):
    """A patron; the name is null once it is erased."""

    patron_id = serializers.IntegerField(source="pk")
    name = serializers.SerializerMethodField()
    made_at = serializers.DateTimeField()
    erased_at = serializers.DateTimeField(allow_null=True)

    def get_name(self, patron: Patron) -> str | None:
        return None if patron.is_erased else patron.name


class SeatRow(serializers.Serializer[Any]):
    seat = serializers.IntegerField()
    patron_id = serializers.IntegerField(allow_null=True)


class SeatAnswer(serializers.Serializer[Any]):
    """What was done at a seat, and the log position by which it is done."""

    table = serializers.CharField()
    gaming_date = serializers.DateField()
    session = serializers.IntegerField()
    done = serializers.ChoiceField(choices=["seated", "left", "estimated"])
    seat = serializers.IntegerField()
    patron_id = serializers.IntegerField(allow_null=True)
    average_bet_cents = serializers.IntegerField(allow_null=True)
    position = serializers.IntegerField()
    replayed = serializers.BooleanField()


class RatingRow(serializers.Serializer[Any]):
    """`average_bet` and `theo` are exact fractions of a cent, "a/b"; amounts are the house's view."""

    gaming_date = serializers.DateField(source="key.gaming_date")
    table = serializers.CharField(source="key.table")
    game = serializers.CharField(allow_blank=True)
    decisions = serializers.IntegerField()
    handle_cents = serializers.IntegerField()
    average_bet = serializers.CharField(allow_null=True)
    theo = serializers.CharField(allow_null=True)
    actual_cents = serializers.IntegerField(allow_null=True)
    bought_in_cents = serializers.IntegerField(source="visit.bought_in_cents", default=None, allow_null=True)
    seconds = serializers.IntegerField(allow_null=True)
    estimate_cents = serializers.IntegerField(allow_null=True)


# ------------------------------------------------------------------------------------------------- patrons


class NewestPatrons(Pages):
    """The newest first."""

    ordering = "-id"


class Patrons(generics.ListAPIView[Patron]):
    """Patrons by a part of the name or by number."""

    serializer_class = PatronAnswer
    pagination_class = NewestPatrons
    filter_backends: list[Any] = []
    queryset = Patron.objects.none()

    @extend_schema(
        summary="Patrons, newest first",
        parameters=[OpenApiParameter("q", str, description="a part of the name, or the number")],
        responses={200: PatronAnswer(many=True), **READ_PROBLEMS},
    )
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        return super().get(request, *args, **kwargs)

    def get_queryset(self) -> QuerySet[Patron]:
        return queries.patrons(self.request.query_params.get("q", ""))

    @command(Named, PatronAnswer, "Make a patron")
    def post(self, request: Request) -> Response:
        said = body_of(request, Named)
        patron, replayed = patrons.make_patron(order_of(request, said.get("occurred_at")), said["name"])
        return Response(PatronAnswer(patron).data, status=200 if replayed else 201)


class OnePatron(APIView):
    """A patron."""

    @extend_schema(summary="One patron", responses={200: PatronAnswer, **READ_PROBLEMS})
    def get(self, request: Request, patron_id: int) -> Response:
        return Response(PatronAnswer(Patron.of_id(patron_id)).data)


class Ratings(APIView):
    """What a patron played, by gaming day, table and game, from real wagers."""

    @extend_schema(summary="A patron's ratings", responses={200: RatingRow(many=True), **READ_PROBLEMS})
    def get(self, request: Request, patron_id: int) -> Response:
        Patron.of_id(patron_id)
        return Response(RatingRow(queries.ratings_of(patron_id), many=True).data)


class RenamePatron(APIView):
    """Another name for a patron."""

    @command(Named, PatronAnswer, "Rename a patron")
    def post(self, request: Request, patron_id: int) -> Response:
        said = body_of(request, Named)
        order = order_of(request, said.get("occurred_at"))
        return Response(PatronAnswer(patrons.rename_patron(order, patron_id, said["name"])).data)


class ErasePatron(APIView):
    """Remove a patron's name for ever; the id stays in the log."""

    @command(Erase, PatronAnswer, "Erase a patron's name")
    def post(self, request: Request, patron_id: int) -> Response:
        said = body_of(request, Erase)
        return Response(PatronAnswer(patrons.erase_patron(order_of(request, said.get("occurred_at")), patron_id)).data)


# ------------------------------------------------------------------------------------------------- seats


class Seats(APIView):
    """The taken seats of a table."""

    @extend_schema(summary="The taken seats of a table", responses={200: SeatRow(many=True), **READ_PROBLEMS})
    def get(self, request: Request, table: str) -> Response:
        return Response(answers.seats_answer(table))


def _at_seat(body: type[Strict], summary: str, carry_out: Any) -> type[APIView]:
    class Operation(APIView):
        __doc__ = summary

        @command(body, SeatAnswer, summary)
        def post(self, request: Request, table: str) -> Response:
            said = body_of(request, body)
            done = carry_out(order_of(request, said.get("occurred_at")), table, said)
            return answered(answers.seat_answer(table, done), done)

    return Operation


AT_SEAT = {
    "seat": _at_seat(
        TakeSeat,
        "Seat a patron, or an unrated player",
        lambda order, table, said: seats.seat_patron(order, table, said["seat"], said.get("patron_id")),
    ),
    "leave": _at_seat(
        LeaveSeat, "Free a seat", lambda order, table, said: seats.leave_seat(order, table, said["seat"])
    ),
    "estimate": _at_seat(
        Estimate,
        "Estimate the average bet of a seated patron",
        lambda order, table, said: seats.estimate_rating(order, table, said["seat"], said["average_bet_cents"]),
    ),
}
