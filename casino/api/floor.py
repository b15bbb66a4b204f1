"""What the floor does at a table besides counting it, over HTTP: dealers, decks, limits."""

from typing import Any

import msgspec
from drf_spectacular.utils import extend_schema_view
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from casino.api import answers
from casino.api.bodies import Timed
from casino.api.table_bodies import LimitsBody, TableAnswer
from casino.api.tables import at_table
from casino.api.views import answered, command
from casino.commands import dealers, decks
from casino.commands.closed_tables import record_closed_table
from casino.commands.handover import hand_over
from casino.commands.limits import announce_limits
from casino.commands.order import Done
from casino.events import Limits
from casino.gate import has_role
from casino.people import person_of, proven
from casino.queries.cash import patrons_near
from casino.queries.floor import gaming_date_now
from casino.roles import PIT_MANAGER
from casino.web import Text, WholeNumber, body_of, order_of


class NamedDealer(Timed):
    """`dealer` is the log-in of somebody with that role."""

    dealer = Text(max_length=150)


class Nothing(Timed):
    pass


class RecordForm(Timed):
    """The closed-table form of a gaming day, today unless `gaming_date` says another."""

    gaming_date = serializers.DateField(required=False)


class MoveDeck(Timed):
    """`in` brings a complete deck, `counted` records a count of one that is here, `out` takes it away."""

    deck = Text(max_length=40)
    move = serializers.ChoiceField(choices=["in", "counted", "out"])
    cards = WholeNumber()
    reason = Text(required=False, max_length=500)


class AnnounceLimits(Timed):
    """Bets that are not named keep their limits. `effective_at` left out is the earliest moment that is allowed."""

    limits = serializers.DictField(child=LimitsBody(), allow_empty=True)
    round_payout_max_cents = WholeNumber(required=False)
    effective_at = serializers.DateTimeField(required=False)


class HandOver(Timed):
    """Whoever sends it gives the pit to `incoming`, who proves it by `password`, and `code` where there is a device."""

    incoming = Text(max_length=150)
    password = Text(max_length=128, trim_whitespace=False, write_only=True, style={"input_type": "password"})
    code = Text(max_length=16, required=False, write_only=True)
    note = Text(required=False, max_length=2_000, allow_blank=True)


class HandOverAnswer(serializers.Serializer[Any]):
    """Who has the pit now, and what was open in it at that moment."""

    pit = serializers.CharField()
    shift = serializers.IntegerField()
    outgoing = serializers.CharField()
    incoming = serializers.CharField()
    note = serializers.CharField(allow_blank=True)
    tables_open = serializers.ListField(child=serializers.CharField())
    roll_due = serializers.ListField(child=serializers.CharField())
    transfers = serializers.ListField(child=serializers.CharField(), help_text="requests and slips that wait, in words")
    patrons_near = serializers.IntegerField(help_text="people of the house near or over a cash threshold")
    position = serializers.IntegerField()
    replayed = serializers.BooleanField()


class ClosedFormAnswer(serializers.Serializer[Any]):
    """The closed-table form as recorded."""

    table = serializers.CharField()
    last_open = serializers.DateField(allow_null=True)
    closer_cents = serializers.IntegerField(allow_null=True)
    by = serializers.CharField()
    position = serializers.IntegerField()
    replayed = serializers.BooleanField()


AT_TABLE = {
    "dealer/on": at_table(
        NamedDealer,
        "Put a dealer on a table that nobody deals at",
        lambda order, table, said: dealers.put_on(order, table, said["dealer"]),
    ),
    "dealer/relief": at_table(
        NamedDealer,
        "Relieve the dealer of a table by another",
        lambda order, table, said: dealers.relieve(order, table, said["dealer"]),
    ),
    "dealer/off": at_table(
        Nothing,
        "Take the dealer off a table",
        lambda order, table, said: dealers.take_off(order, table),
    ),
    "decks": at_table(
        MoveDeck,
        "Bring, count or take away a deck",
        lambda order, table, said: decks.move_deck(
            order, table, said["deck"], said["move"], said["cards"], said.get("reason", "")
        ),
    ),
}


@extend_schema_view(post=command(AnnounceLimits, TableAnswer, "Announce a table's limits"))
class AnnounceTableLimits(APIView):
    """Limits that hold from a moment on; raising the least stake where somebody plays is for a pit manager."""

    def post(self, request: Request, table: str) -> Response:
        said: dict[str, Any] = body_of(request, AnnounceLimits)
        done = announce_limits(
            order_of(request, said.get("occurred_at")),
            table,
            {bet: Limits(**one) for bet, one in said["limits"].items()},
            said.get("round_payout_max_cents"),
            said.get("effective_at"),
            may_raise_minimum=has_role(request.user, PIT_MANAGER),
        )
        return answered(answers.table_answer(table), done)


@extend_schema_view(post=command(HandOver, HandOverAnswer, "Hand a pit over to another person"))
class HandPitOver(APIView):
    """Outgoing and incoming person, a note, and the list of what is open in the pit."""

    def post(self, request: Request, pit: str) -> Response:
        said = body_of(request, HandOver)
        order = order_of(request, said.get("occurred_at"))
        incoming = proven(request._request, order, said["incoming"], said["password"], said.get("code", ""))
        near = patrons_near(gaming_date_now())
        done = hand_over(order, pit, person_of(request.user), incoming, said.get("note", ""), near)
        return answered(_recorded(done), done)


@extend_schema_view(post=command(RecordForm, ClosedFormAnswer, "Record the closed-table form of a table"))
class RecordClosedTable(APIView):
    """For a table that has not been open on the gaming day; once a day."""

    def post(self, request: Request, table: str) -> Response:
        said = body_of(request, RecordForm)
        done = record_closed_table(order_of(request, said.get("occurred_at")), table, said.get("gaming_date"))
        return answered(_recorded(done), done)


def _recorded(done: Done) -> dict[str, Any]:
    """The one event that a command recorded, as plain data."""
    event: dict[str, Any] = msgspec.to_builtins(done.events[-1])
    return event | {"position": done.position, "replayed": done.replayed}
