"""The HTTP interface of the cage: chips sold and redeemed, checks, chips in service, its float and its count."""

from datetime import date
from typing import Any

from django.urls import path
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from casino.checks import CheckId
from casino.people import approval_of
from casino.roles import CAGE
from casino.web import GamingDate, Text, WholeNumber, body_of, order_of
from ledger.commands import cage
from ledger.count_api import READ_PROBLEMS, described, recorded
from ledger.count_bodies import Timed
from ledger.queries import cage as queries


class Chips(serializers.DictField):
    """Chips: the value of a chip in cents, as text → the cents of all such chips."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(child=WholeNumber(), **kwargs)


class ChipsFor(Timed):
    """`patron_id` is whoever buys or redeems, where they are known; it feeds the currency thresholds."""

    chips = Chips()
    patron_id = WholeNumber(required=False, allow_null=True)


class CheckBody(Timed):
    """A counter check by the year of its book and its number."""

    patron_id = WholeNumber()
    year = WholeNumber(min_value=2000, max_value=9999)
    serial = WholeNumber(min_value=1)


class RedeemCheckAtCage(CheckBody):
    chips = Chips(required=False)
    cash_cents = WholeNumber(required=False, min_value=0)


class Approved(Timed):
    """`approver` is somebody else of the cage, who gives name and password here."""

    reason = Text(max_length=300)
    approver = Text(max_length=150)
    password = Text(max_length=128, trim_whitespace=False, write_only=True, style={"input_type": "password"})
    code = Text(max_length=16, required=False, write_only=True)


class Service(Approved):
    """Chips into service (`in`) or out of it (`out`)."""

    way = serializers.ChoiceField(choices=["in", "out"])
    chips = Chips()


class Void(Approved):
    """The cage's entry at `position` of the log, of its day `gaming_date`, never was."""

    gaming_date = GamingDate()
    position = WholeNumber(min_value=1)


class CageCount(Timed):
    """All chips of the cage; a difference from what is expected wants a `note`."""

    counted = Chips()
    counted_by = serializers.ListField(child=Text(max_length=80), max_length=4)
    note = Text(max_length=300, required=False, allow_blank=True)


class ChipAnswer(serializers.Serializer[Any]):
    """A denomination of the float: as last counted, and derived from all events since."""

    chip_cents = serializers.IntegerField()
    counted_cents = serializers.IntegerField()
    derived_cents = serializers.IntegerField()


class CageAnswer(serializers.Serializer[Any]):
    """The cage's float as its follower has read it."""

    position = serializers.IntegerField()
    chips = ChipAnswer(many=True)
    derived_cents = serializers.IntegerField()
    last_counted_at = serializers.DateTimeField(allow_null=True)


class Cage(APIView):
    """The cage's float."""

    @extend_schema(responses={200: CageAnswer} | READ_PROBLEMS, summary="The cage's float by denomination")
    def get(self, request: Request) -> Response:
        found = queries.chip_float()
        chips = [
            {"chip_cents": c.chip_cents, "counted_cents": c.counted_cents, "derived_cents": c.derived_cents}
            for c in found.chips
        ]
        return Response(
            {
                "position": found.position,
                "chips": chips,
                "derived_cents": found.derived_cents,
                "last_counted_at": found.last_counted_at,
            }
        )


class Sales(APIView):
    """Chips sold."""

    @described(ChipsFor, "Sell chips for cash")
    def post(self, request: Request) -> Response:
        said = body_of(request, ChipsFor)
        order = order_of(request, said.get("occurred_at"), source="cage")
        return recorded(cage.sell_chips(order, said["chips"], said.get("patron_id")))


class Redemptions(APIView):
    """Chips redeemed."""

    @described(ChipsFor, "Redeem chips for cash")
    def post(self, request: Request) -> Response:
        said = body_of(request, ChipsFor)
        order = order_of(request, said.get("occurred_at"), source="cage")
        return recorded(cage.redeem_chips(order, said["chips"], said.get("patron_id")))


class CheckRedemptions(APIView):
    """Counter checks redeemed at the cage."""

    @described(RedeemCheckAtCage, "Redeem a counter check at the cage")
    def post(self, request: Request) -> Response:
        said = body_of(request, RedeemCheckAtCage)
        order = order_of(request, said.get("occurred_at"), source="cage")
        check, chips = CheckId(said["year"], said["serial"]), said.get("chips", {})
        return recorded(cage.redeem_check(order, said["patron_id"], check, chips, said.get("cash_cents", 0)))


class CheckDeposits(APIView):
    """Counter checks presented to the bank."""

    @described(CheckBody, "Deposit a counter check")
    def post(self, request: Request) -> Response:
        said = body_of(request, CheckBody)
        order = order_of(request, said.get("occurred_at"), source="cage")
        return recorded(cage.deposit_check(order, said["patron_id"], CheckId(said["year"], said["serial"])))


class ChipService(APIView):
    """Chips into and out of service."""

    @described(Service, "Put chips into service or take them out, by two people of the cage")
    def post(self, request: Request) -> Response:
        said = body_of(request, Service)
        order = order_of(request, said.get("occurred_at"), source="cage")
        approval = approval_of(request._request, order, said, CAGE)
        return recorded(cage.put_in_service(order, said["way"], said["chips"], said["reason"], approval))


class CageCounts(APIView):
    """Counts of the cage's chips."""

    @described(CageCount, "Count the cage's chips by denomination")
    def post(self, request: Request) -> Response:
        said = body_of(request, CageCount)
        order = order_of(request, said.get("occurred_at"), source="cage")
        return recorded(cage.count_cage(order, said["counted"], said["counted_by"], said.get("note", "")))


class Voids(APIView):
    """Entries of the cage that never were."""

    @described(Void, "Void an entry of the cage, by two people of it")
    def post(self, request: Request) -> Response:
        said = body_of(request, Void)
        order = order_of(request, said.get("occurred_at"), source="cage")
        approval = approval_of(request._request, order, said, CAGE)
        day: date = said["gaming_date"]
        return recorded(cage.void_cage_entry(order, day, said["position"], said["reason"], approval))


urlpatterns = [
    path("cage/", Cage.as_view()),
    path("cage/sales/", Sales.as_view()),
    path("cage/redemptions/", Redemptions.as_view()),
    path("cage/checks/redeem/", CheckRedemptions.as_view()),
    path("cage/checks/deposit/", CheckDeposits.as_view()),
    path("cage/service/", ChipService.as_view()),
    path("cage/counts/", CageCounts.as_view()),
    path("cage/voids/", Voids.as_view()),
]
