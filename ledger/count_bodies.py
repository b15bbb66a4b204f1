"""What requests and answers of the count room and of the cage's recount look like. Money is whole cents."""

from typing import Any

from rest_framework import serializers

from casino.web import Strict, Text, WholeNumber


class Notes(serializers.DictField):
    """Notes: the value of a note in cents, as text → the cents of all such notes."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(child=WholeNumber(min_value=0), **kwargs)


class Timed(Strict):
    """`occurred_at` is the source's own clock; left out, it is now."""

    occurred_at = serializers.DateTimeField(required=False)


class EmergencyBox(Timed):
    mark = Text(max_length=80)
    reason = Text(max_length=300)


class Collect(Timed):
    """The boxes that were carried; `team` are who carried them besides whoever sends this."""

    boxes = serializers.ListField(child=Text(max_length=20), max_length=500)
    team = serializers.ListField(child=Text(max_length=80), max_length=12)
    explanation = Text(max_length=300, required=False, allow_blank=True)


class Signer(Strict):
    """Somebody who gives name and password here; `code` where they have a device for one-time codes."""

    name = Text(max_length=150)
    password = Text(max_length=128, trim_whitespace=False, write_only=True, style={"input_type": "password"})
    code = Text(max_length=16, required=False, write_only=True)


class OpenCount(Timed):
    """`team` are the others of the count team; no `boxes` is all that wait."""

    team = Signer(many=True, max_length=12)
    boxes = serializers.ListField(child=Text(max_length=20), required=False, max_length=500)


class ContentsBody(Strict):
    """What was found in a box, in cents; what is left out is none of it."""

    currency = Notes(required=False)
    checks_cents = WholeNumber(required=False, min_value=0)
    promo_cents = WholeNumber(required=False, min_value=0)
    foreign = serializers.DictField(child=WholeNumber(min_value=0), required=False)


class OneCount(Timed):
    """`counted_by` is a log-in of the team."""

    box = Text(max_length=20)
    contents = ContentsBody()
    counted_by = Text(max_length=150)


class Difference(Timed):
    """Accept the `first` or the `second` count, or give `found`, what a third look found."""

    box = Text(max_length=20)
    accept = serializers.ChoiceField(choices=["first", "second"], required=False)
    found = ContentsBody(required=False)
    explanation = Text(max_length=300)


class Correction(Timed):
    """`contents` is all that is right; somebody else of the count team approves it."""

    box = Text(max_length=20)
    contents = ContentsBody()
    reason = Text(max_length=300)
    approver = Text(max_length=150)
    password = Text(max_length=128, trim_whitespace=False, write_only=True, style={"input_type": "password"})
    code = Text(max_length=16, required=False, write_only=True)


class Recount(Timed):
    currency = Notes()


class Accept(Timed):
    """`counter` is one of the count's team, who signs beside the cashier; a difference wants a `note`."""

    note = Text(max_length=300, required=False, allow_blank=True)
    counter = Signer()


class Recorded(serializers.Serializer[Any]):
    """What was recorded: its words on disk, and the position of the log by which it is."""

    events = serializers.ListField(child=serializers.CharField())
    position = serializers.IntegerField()
    replayed = serializers.BooleanField()


class BoxAnswer(serializers.Serializer[Any]):
    """A box of the day: no figure, so that a count stays blind."""

    box = serializers.CharField()
    mark = serializers.CharField(allow_blank=True)
    state = serializers.ChoiceField(choices=["at_table", "due", "collected", "in_count", "counted"])


class CountAnswer(serializers.Serializer[Any]):
    """A count: what is due next in it, and its boxes with what was accepted of each."""

    count = serializers.CharField()
    step = serializers.CharField(allow_blank=True)
    in_progress = serializers.CharField(allow_null=True)
    team = serializers.ListField(child=serializers.CharField())
    boxes = serializers.DictField(allow_null=True, help_text="box → content, null until it is done")
    difference_cents = serializers.DictField(help_text="box → second less first, where the two differed")


class DropAnswer(serializers.Serializer[Any]):
    """A closed count as the cage sees it: figures are null until its own is recorded."""

    count = serializers.CharField()
    boxes = serializers.IntegerField()
    state = serializers.ChoiceField(choices=["recount", "acceptance", "accepted"])
    counted_cents = serializers.IntegerField(allow_null=True)
    recounted_cents = serializers.IntegerField(allow_null=True)
    variance_cents = serializers.IntegerField(allow_null=True)
    denominations = serializers.ListField(child=serializers.DictField(), allow_null=True)
    accepted_by = serializers.ListField(child=serializers.CharField(), allow_null=True)
    report_due_hours = serializers.IntegerField(allow_null=True, help_text="the regulator hears of it within")
