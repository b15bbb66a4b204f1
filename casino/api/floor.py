"""What the floor does at a table besides counting it, over HTTP: dealers, decks, limits."""

from typing import Any

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
from casino.commands.limits import announce_limits
from casino.events import Limits
from casino.gate import has_role
from casino.roles import PIT_MANAGER
from casino.web import Text, WholeNumber, body_of, order_of


class NamedDealer(Timed):
    """`dealer` is the log-in of somebody with that role."""

    dealer = Text(max_length=150)


class Nothing(Timed):
    pass


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
