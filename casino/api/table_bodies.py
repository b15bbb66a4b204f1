"""What requests about a table and its sessions look like, and their answers. Money is whole cents."""

from typing import Any

from rest_framework import serializers

from casino.api.bodies import Plain, Timed
from casino.web import Strict, Text, WholeNumber


class Chips(Strict):
    """A counted tray; `denominations` maps the value of a chip in cents to the value of its chips in cents.

    `counted_by` names the people who counted; the house's profile says how many it takes, two as a rule.
    """

    total_cents = WholeNumber(min_value=0)
    denominations = serializers.DictField(child=WholeNumber(), required=False, allow_empty=True)
    counted_by = serializers.ListField(child=Text(max_length=80), required=False, max_length=4)


class LimitsBody(Strict):
    min_cents = WholeNumber()
    max_cents = WholeNumber()


class SetUpTable(Timed):
    """What is left out is the game's default. `limits` maps a bet to its least and most."""

    game = Text(max_length=40)
    paytable = Text(required=False, max_length=40)
    layout = Text(required=False, max_length=40)
    method = Text(required=False, max_length=40)
    seats = WholeNumber(required=False)
    limits = serializers.DictField(child=LimitsBody(), required=False)
    round_payout_max_cents = WholeNumber(required=False)
    off_limits = Text(required=False, max_length=10)
    payout_rounding_cents = WholeNumber(required=False)
    pit = Text(required=False, max_length=12)
    par_cents = WholeNumber(required=False)
    fill_line_cents = WholeNumber(required=False)


class OpenTable(Timed):
    """`explanation` says what is known of an opener that is not the last closer, where the profile asks for it."""

    opener = Chips()
    acknowledged_by = Text(required=False, max_length=80)
    explanation = Text(required=False, max_length=500)


class RollTable(Timed):
    """One count is the closer of the session and the opener of the next one.

    `session` names the session that was counted, such as `2026-11-29/1`; left out, it is the one that is open.
    """

    count = Chips()
    session = Text(required=False, max_length=20)


class CloseTable(Timed):
    """`session` as in rolling."""

    closer = Chips()
    session = Text(required=False, max_length=20)


class BuyIn(Timed):
    amount_cents = WholeNumber()
    seat = WholeNumber(required=False)


class TableAnswer(serializers.Serializer[Any]):
    """A table with its set-up and latest session."""

    table = serializers.CharField()
    game = serializers.CharField()
    paytable = serializers.CharField()
    method = serializers.CharField()
    seats = serializers.IntegerField()
    limits = Plain(help_text="by bet, the least and most of a wager, as they hold now")
    limits_announced = serializers.ListField(child=Plain(), help_text="limits that do not hold yet, and from when on")
    round_payout_max_cents = serializers.IntegerField()
    off_limits = serializers.ChoiceField(choices=["warn", "refuse"])
    payout_rounding_cents = serializers.IntegerField(help_text="the smallest amount the table pays")
    pit = serializers.CharField(allow_blank=True)
    par_cents = serializers.IntegerField(help_text="what its tray should hold; 0 where that is not set")
    fill_line_cents = serializers.IntegerField(help_text="below which it asks for a fill; 0 where that is not set")
    side_bets = Plain()
    player_advantage = serializers.ListField(child=serializers.CharField())
    is_open = serializers.BooleanField()
    gaming_date = serializers.DateField(allow_null=True)
    session = serializers.IntegerField(allow_null=True)
    first_round = serializers.IntegerField(allow_null=True, help_text="the gaming day's first round of the session")
    dealer = serializers.CharField(allow_null=True, help_text="the log-in of the dealer on duty")
    decks = serializers.ListField(child=Plain(), help_text="the decks at the table, as last recorded")
    open_round = serializers.CharField(allow_null=True)


class SessionAnswer(serializers.Serializer[Any]):
    """What a command did at a table, and the log position by which it is done: a page can wait until it is read."""

    table = serializers.CharField()
    gaming_date = serializers.DateField()
    session = serializers.IntegerField()
    done = serializers.CharField(help_text="opened, rolled, closed, bought_in, or the word of the event recorded")
    amount_cents = serializers.IntegerField()
    recorded = serializers.ListField(child=Plain(), help_text="every event of the command, with its word as `event`")
    position = serializers.IntegerField()
    replayed = serializers.BooleanField()


class TableRow(serializers.Serializer[Any]):
    """A table in a list, from the floor's board."""

    table = serializers.CharField(source="table_code")
    game = serializers.CharField(allow_null=True)
    is_open = serializers.BooleanField(allow_null=True)
    gaming_date = serializers.DateField(allow_null=True)
    link = serializers.CharField(allow_null=True)
    seats = serializers.IntegerField(allow_null=True)
