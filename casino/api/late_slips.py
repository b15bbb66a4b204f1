"""Fills and credits put on record over HTTP after their session was counted."""

from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from casino.api.bodies import Approved
from casino.api.slip_bodies import KINDS, SlipAnswer
from casino.api.slips import slip_answer
from casino.api.views import answered, command
from casino.commands.late_transfers import record_late_transfer
from casino.keys import TransferId
from casino.late_transfers import Paper
from casino.people import approval_of
from casino.roles import CAGE
from casino.web import GamingDate, Text, WholeNumber, body_of, order_of


class LateTransfer(Approved):
    """A slip as its paper has it: `occurred_at` is when it was made, `names` are who asked (request) and who
    signed, by role.

    The approver is of the cage.
    """

    gaming_date = GamingDate()
    session = WholeNumber(min_value=1, max_value=99)
    kind = serializers.ChoiceField(choices=KINDS)
    denominations = serializers.DictField(child=WholeNumber(), allow_empty=False)
    names = serializers.DictField(child=Text(max_length=150), allow_empty=False)
    paper = Text(max_length=40, required=False, allow_blank=True)


class RecordLateTransfer(APIView):
    """A fill or credit that was made on paper and found after its session was counted; two people answer for it."""

    @command(LateTransfer, SlipAnswer, "Put a fill or credit on record late, as its paper has it")
    def post(self, request: Request, table: str) -> Response:
        said = body_of(request, LateTransfer)
        order = order_of(request, said.get("occurred_at"))
        approval = approval_of(request._request, order, said, CAGE)
        paper = Paper(said["kind"], said["denominations"], said["names"], said.get("paper", ""))
        day, session = said["gaming_date"], said["session"]
        done = record_late_transfer(order, table, day, session, paper, said["reason"], approval)
        event: Any = done.events[-1]
        return answered(slip_answer(TransferId(table, day, session, event.transfer), done), done)
