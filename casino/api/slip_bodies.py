"""What requests and answers about fills and credits look like."""

from typing import Any

from rest_framework import serializers

from casino.api.bodies import Timed
from casino.models import SlipBoard
from casino.queries.slips import awaited_of, id_of
from casino.web import Text, WholeNumber

KINDS = ("fill", "credit")


class Denominations(serializers.DictField):
    """Chips: the value of a chip in cents, as text → the cents of all such chips."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(child=WholeNumber(), **kwargs)


class RequestTransfer(Timed):
    """`total_cents`, where it is given, must be what the denominations make."""

    kind = serializers.ChoiceField(choices=KINDS)
    denominations = Denominations()
    total_cents = WholeNumber(required=False)


class PrepareSlip(Timed):
    """`denominations`, where they are given, are the chips counted out; they must be those of the request."""

    denominations = Denominations(required=False)


class SignSlip(Timed):
    """`role` left out is the next that the person can give; `signer`, `password`, `code` sign on another's screen."""

    role = serializers.ChoiceField(choices=("cage", "security", "dealer", "floor"), required=False)
    signer = Text(required=False, max_length=150)
    password = Text(required=False, max_length=128, trim_whitespace=False, write_only=True)
    code = Text(required=False, max_length=16, write_only=True)


class VoidSlip(Timed):
    """Whoever sends it asks for the void; `approver` is the second person, with their own password."""

    reason = Text(max_length=500)
    approver = Text(max_length=150)
    password = Text(max_length=128, trim_whitespace=False, write_only=True)
    code = Text(required=False, max_length=16, write_only=True)


class WithdrawRequest(Timed):
    reason = Text(max_length=500)


class PrintPaper(Timed):
    """A paper by its book and number, or an inventory by its session and end."""

    document = Text(max_length=80, help_text="such as fill/2026/17 or inventory/R-01/2026-11-29/1/opener")


# ------------------------------------------------------------------------------------------------- answers


class SignatureAnswer(serializers.Serializer[Any]):
    role = serializers.CharField()
    by = serializers.CharField()
    at = serializers.DateTimeField()


class ActAnswer(serializers.Serializer[Any]):
    """Who did it, and when."""

    by = serializers.CharField()
    at = serializers.DateTimeField()


class SlipVoidAnswer(serializers.Serializer[Any]):
    """`tray_cents` is what the void put back into the tray: the chips of a credit that were on their way."""

    reason = serializers.CharField()
    requested_by = serializers.CharField()
    approved_by = serializers.CharField()
    at = serializers.DateTimeField()
    was_in_transit = serializers.BooleanField()
    tray_cents = serializers.IntegerField()


class SlipAnswer(serializers.Serializer[Any]):
    """A fill or credit. `awaits` is the role whose turn it is; null once it is complete, void or withdrawn."""

    slip = serializers.CharField(help_text="table/gaming date/session/number")
    table = serializers.CharField()
    gaming_date = serializers.DateField()
    session = serializers.IntegerField()
    n = serializers.IntegerField()
    kind = serializers.ChoiceField(choices=KINDS)
    state = serializers.ChoiceField(choices=list(SlipBoard.STAGES.values()))
    awaits = serializers.CharField(allow_null=True)
    denominations = serializers.DictField(child=serializers.IntegerField())
    total_cents = serializers.IntegerField()
    request_serial = serializers.IntegerField()
    requested = ActAnswer()
    book = serializers.CharField(allow_null=True)
    serial = serializers.IntegerField(allow_null=True)
    prepared = ActAnswer(allow_null=True)
    signatures = SignatureAnswer(many=True)
    withdrawn = serializers.DictField(allow_null=True)
    voided = SlipVoidAnswer(allow_null=True)
    warnings = serializers.ListField(child=serializers.CharField())
    position = serializers.IntegerField()
    replayed = serializers.BooleanField()


class PrintAnswer(serializers.Serializer[Any]):
    """A copy of a document; every one after the first is a reprint."""

    document = serializers.CharField()
    copy_number = serializers.IntegerField()
    is_reprint = serializers.BooleanField()
    position = serializers.IntegerField()
    replayed = serializers.BooleanField()


class SlipRow(serializers.ModelSerializer[SlipBoard]):
    """A fill or credit in a list, from the board of papers."""

    slip = serializers.SerializerMethodField()
    table = serializers.CharField(source="table_code")
    state = serializers.CharField()
    awaits = serializers.SerializerMethodField()

    class Meta:
        model = SlipBoard
        fields = [
            "slip", "table", "gaming_date", "session", "n", "kind", "state", "awaits", "denominations", "total_cents",
            "request_serial", "requested_by", "requested_at", "book", "serial", "prepared_by", "prepared_at",
            "signatures", "reason", "ended_at", "last_position",
        ]  # fmt: skip

    def get_slip(self, row: SlipBoard) -> str:
        return str(id_of(row))

    def get_awaits(self, row: SlipBoard) -> str | None:
        return awaited_of(row)


class BookLine(serializers.Serializer[Any]):
    """A number of a book: the table and session of its paper, and whether that is open, used, void or withdrawn."""

    serial = serializers.IntegerField()
    table = serializers.CharField()
    session = serializers.IntegerField(allow_null=True)
    state = serializers.CharField()


class BookAnswer(serializers.Serializer[Any]):
    """A book's numbers of one gaming day: those used, void, still open, missing, and without their counterpart."""

    book = serializers.CharField(source="name")
    first = serializers.IntegerField(allow_null=True)
    last = serializers.IntegerField(allow_null=True)
    used = serializers.IntegerField()
    lines = BookLine(many=True)
    void = serializers.ListField(child=serializers.IntegerField())
    open = serializers.ListField(child=serializers.IntegerField())
    missing = serializers.ListField(child=serializers.IntegerField())
    unmatched = serializers.ListField(child=serializers.IntegerField())
    in_order = serializers.BooleanField(source="is_in_order")
