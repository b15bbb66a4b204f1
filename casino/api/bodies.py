"""What requests and answers look like. Money is whole cents; a card is text such as `As`, `Th` or `X1`."""

from typing import Any

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from casino.games.game import CardEntry
from casino.web import Strict, Text, WholeNumber

CARD = {"type": "string", "description": "A card as players write it", "example": "As"}


class Timed(Strict):
    """`occurred_at` is the source's own clock; left out, it is now."""

    occurred_at = serializers.DateTimeField(required=False)


class OpenRound(Timed):
    pass


class OneWager(Strict):
    seat = WholeNumber()
    wager = Text(max_length=80, trim_whitespace=False, allow_blank=True)
    stake_cents = WholeNumber()


class PlaceWagers(Timed):
    wagers = OneWager(many=True, allow_empty=False, max_length=500)


class ChangeWager(Timed):
    number = WholeNumber()
    stake_cents = WholeNumber()


class WithdrawWager(Timed):
    number = WholeNumber()


class CloseBets(Timed):
    pass


class CollectProgressive(Timed):
    count = WholeNumber(min_value=0)


class DrawPosition(Timed):
    position = WholeNumber()


@extend_schema_field(
    {
        "oneOf": [
            CARD,
            {
                "type": "object",
                "properties": {"card": {**CARD, "nullable": True}, "position": {"type": "integer"}},
                "required": ["card"],
                "additionalProperties": False,
            },
        ]
    }
)
class CardField(serializers.Field[Any, Any, Any, Any]):
    """`"As"` deals the next card; `{"card": null}` deals it face down, unseen; with `position` it turns that card."""

    default_error_messages = {
        "shape": "Write a card as text, or as an object with card (text or null) and, to turn one, position."
    }

    def to_internal_value(self, data: Any) -> CardEntry:
        if isinstance(data, str):
            return CardEntry(data)
        if not isinstance(data, dict) or "card" not in data or set(data) - {"card", "position"}:
            self.fail("shape")
        card, position = data["card"], data.get("position")
        if not (card is None or isinstance(card, str)) or isinstance(position, bool):
            self.fail("shape")
        if not (position is None or (isinstance(position, int) and abs(position) < 2**31)):
            self.fail("shape")
        return CardEntry(card, position)

    def to_representation(self, value: Any) -> Any:
        return value


class RecordCards(Timed):
    cards = serializers.ListField(child=CardField(), allow_empty=False, max_length=60)


class OneDecision(Strict):
    """`stake_cents` is what a raise puts down; check and fold have none."""

    seat = WholeNumber()
    action = serializers.ChoiceField(choices=["check", "raise", "fold"])
    stake_cents = WholeNumber(required=False, allow_null=True)


class Decide(Timed):
    decisions = OneDecision(many=True, allow_empty=False, max_length=60)


class Approved(Timed):
    """What two people answer for: whoever sends it asks, a device in its own name, and somebody else approves it here.

    `approver` is the approver's log-in name, `password` theirs, typed at the point of action, and `code` the one-time
    code of their device where they have one. Both are checked and not kept.
    """

    reason = Text(max_length=500)
    approver = Text(max_length=150)
    password = Text(max_length=128, trim_whitespace=False, write_only=True, style={"input_type": "password"})
    code = Text(max_length=16, required=False, write_only=True)


class VoidRound(Approved):
    pass


class ResettleRound(Approved):
    """`cards` are those that were recorded wrong, by position, as they lay; left out, every wager goes back."""

    cards = serializers.DictField(child=Text(max_length=4), required=False)


class VoidLateBet(Approved):
    """`number` is the wager's; in hold'em an ANTE or BLIND takes its hand along, and a BONUS goes back alone."""

    number = WholeNumber()


class DeclareMisdeal(Approved):
    card = Text(required=False, allow_null=True, max_length=4)
    position = WholeNumber(required=False, allow_null=True, min_value=1, max_value=99)


class RecordPayout(Timed):
    """`paid_cents` is all that went back to the player on the wager, stake included; 0 where nothing did."""

    number = WholeNumber()
    paid_cents = WholeNumber()


class FinishedRound(Timed):
    """A whole round. `progressive_count` left out means that the count agreed. A card that nobody saw is null."""

    wagers = OneWager(many=True, max_length=2000)
    cards = serializers.ListField(
        child=Text(max_length=8, allow_blank=True, allow_null=True), allow_empty=False, max_length=60
    )
    decisions = OneDecision(many=True, required=False, max_length=60)
    drawn_position = WholeNumber(required=False)
    progressive_count = WholeNumber(required=False, min_value=0)


# ------------------------------------------------------------------------------------------------- answers


class WagerAnswer(serializers.Serializer[Any]):
    number = serializers.IntegerField()
    seat = serializers.IntegerField()
    wager = serializers.CharField()
    stake_cents = serializers.IntegerField()
    exceptions = serializers.ListField(child=serializers.CharField())


class CardAnswer(serializers.Serializer[Any]):
    position = serializers.IntegerField()
    face = serializers.ChoiceField(choices=["up", "down"])
    card = serializers.CharField(allow_null=True)
    name = serializers.CharField(help_text="the position in words")


class DecisionAnswer(serializers.Serializer[Any]):
    seat = serializers.IntegerField()
    street = serializers.CharField()
    action = serializers.ChoiceField(choices=["check", "raise", "fold"])
    stake_cents = serializers.IntegerField()


class TurnAnswer(serializers.Serializer[Any]):
    """Whose decision the round waits for. `actions`: each action open → the stakes in cents that may go with it."""

    seat = serializers.IntegerField()
    street = serializers.CharField()
    actions = serializers.DictField(child=serializers.ListField(child=serializers.IntegerField()))


class LineAnswer(serializers.Serializer[Any]):
    number = serializers.IntegerField()
    seat = serializers.IntegerField()
    wager = serializers.CharField()
    stake_cents = serializers.IntegerField()
    result = serializers.ChoiceField(choices=["win", "lose", "push"])
    returned_cents = serializers.IntegerField()


class PayoutAnswer(serializers.Serializer[Any]):
    """What the dealer did pay, where it was recorded as different from what was due."""

    number = serializers.IntegerField()
    paid_cents = serializers.IntegerField()


class PhaseAnswer(serializers.Serializer[Any]):
    phase = serializers.CharField()
    lines = LineAnswer(many=True)


@extend_schema_field(OpenApiTypes.OBJECT)
class Plain(serializers.Field[Any, Any, Any, Any]):
    """Plain data as it stands in the log."""

    def to_representation(self, value: Any) -> Any:
        return value


class RefundAnswer(serializers.Serializer[Any]):
    number = serializers.IntegerField()
    seat = serializers.IntegerField()
    stake_cents = serializers.IntegerField()


class MisdealAnswer(serializers.Serializer[Any]):
    """The evidence of a fouled deck: the offending card and where it lay, as far as they were given."""

    card = serializers.CharField(allow_null=True)
    position = serializers.IntegerField(allow_null=True)


class VoidAnswer(serializers.Serializer[Any]):
    """A void: the stakes that went back, and the two people behind it, null where a device of the table recorded it."""

    reason = serializers.CharField()
    scope = serializers.ChoiceField(choices=["round", "poker_and_progressive"])
    refunds = RefundAnswer(many=True)
    requested_by = serializers.CharField(allow_null=True)
    approved_by = serializers.CharField(allow_null=True)
    misdeal = MisdealAnswer(allow_null=True)


class LateBetAnswer(serializers.Serializer[Any]):
    """A wager that came after "no more bets" and went back while the round played on."""

    number = serializers.IntegerField()
    seat = serializers.IntegerField()
    wager = serializers.CharField()
    stake_cents = serializers.IntegerField()
    reason = serializers.CharField()
    requested_by = serializers.CharField()
    approved_by = serializers.CharField()


class RoundAnswer(serializers.Serializer[Any]):
    """A round. `status`: open, closed (no more bets), dealing, complete, settled or voided.

    `early_s` is 0 but for a feed's round that its own clock has so many seconds before its table's opening.
    """

    round = serializers.CharField()
    table = serializers.CharField()
    gaming_date = serializers.DateField()
    n = serializers.IntegerField()
    game = serializers.CharField()
    paytable = serializers.CharField()
    method = serializers.CharField()
    status = serializers.CharField()
    early_s = serializers.IntegerField()
    wagers = WagerAnswer(many=True)
    drawn_position = serializers.IntegerField(allow_null=True)
    cards = CardAnswer(many=True)
    decisions = DecisionAnswer(many=True)
    turn = TurnAnswer(allow_null=True)
    hand = Plain(allow_null=True)
    settlements = PhaseAnswer(many=True)
    payouts = PayoutAnswer(many=True)
    progressive = Plain(allow_null=True)
    late_bets = LateBetAnswer(many=True)
    voided = VoidAnswer(allow_null=True)
    position = serializers.IntegerField()
    replayed = serializers.BooleanField()
    warnings = serializers.ListField(child=serializers.CharField())


class RoundRow(serializers.Serializer[Any]):
    """A round in a list, from the floor's board."""

    round = serializers.SerializerMethodField()
    table = serializers.CharField(source="table_code")
    gaming_date = serializers.DateField()
    n = serializers.IntegerField()
    status = serializers.CharField()
    rank = serializers.CharField(allow_null=True)
    handle_cents = serializers.IntegerField()
    result_cents = serializers.IntegerField()
    opened_at = serializers.DateTimeField()
    last_position = serializers.IntegerField()

    def get_round(self, row: Any) -> str:
        return str(row)
