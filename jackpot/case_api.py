"""The HTTP interface of a hit's case: shares read, and every step from verification to payment or return."""

from collections.abc import Callable
from typing import Any, NamedTuple

from drf_spectacular.utils import extend_schema
from rest_framework import generics, serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from casino.commands.order import Done, Order
from casino.gate import has_role
from casino.keys import ROUND_MAX, RoundId
from casino.refusal import Refused
from casino.roles import CAGE, FLOOR, PIT_MANAGER
from casino.web import KEY, Pages, Strict, Text, WholeNumber, body_of, day_of, order_of, problems
from jackpot import models
from jackpot.access import TRAY_PAYERS
from jackpot.case import Asked
from jackpot.commands import cases
from jackpot.commands.cases import CaseId

READ_PROBLEMS = problems(400, 401, 403, 404, 422)
WRITE_PROBLEMS = problems(400, 401, 403, 404, 409, 413, 422)

# ------------------------------------------------------------------------------------------------- bodies


class Timed(Strict):
    """`occurred_at` is the source's own clock; left out, it is now."""

    occurred_at = serializers.DateTimeField(required=False)


class Seats(Timed):
    """Which winners; left out, all that this step can be taken for."""

    seats = serializers.ListField(child=WholeNumber(), required=False, allow_empty=False, max_length=50)


class Verify(Seats):
    """`log_reference` is surveillance's own log's entry, asked for from the profile's amount on."""

    log_reference = Text(max_length=200, required=False, allow_blank=True)


class Dispute(Seats):
    reason = Text(max_length=1000)


class Ruling(Seats):
    ruling = Text(max_length=1000)


class OneSeat(Timed):
    seat = WholeNumber()


class PreparePayout(OneSeat):
    """`paid_from` is tray, cage or cheque; `requested_cents` is given where more than the share is to be paid."""

    paid_from = Text(max_length=20)
    requested_cents = WholeNumber(required=False)
    override_reason = Text(max_length=1000, required=False, allow_blank=True)


class VoidPayout(OneSeat):
    reason = Text(max_length=1000)


class Pay(OneSeat):
    """`cheque` is the cheque's number, with a slip that is paid by cheque."""

    cheque = Text(max_length=40, required=False, allow_blank=True)


class AskReturn(Seats):
    """`reason` is denied, void or unclaimed; `because` says why, with the evidence."""

    reason = Text(max_length=20)
    because = Text(max_length=1000)


class DeclineReturn(Seats):
    because = Text(max_length=1000)


# ------------------------------------------------------------------------------------------------- answers


class CaseAnswer(serializers.Serializer[Any]):
    """What was recorded: the case, the states of its shares as they are now, the position of the log."""

    case = serializers.CharField()
    states = serializers.DictField(child=serializers.CharField())
    position = serializers.IntegerField()
    replayed = serializers.BooleanField()


STEP_ANSWERS = {200: CaseAnswer, 201: CaseAnswer} | WRITE_PROBLEMS


class ShareAnswer(serializers.ModelSerializer[models.Share]):
    """What one seat won in a hit, and how far it has come."""

    class Meta:
        model = models.Share
        fields = [
            "link", "round", "rank", "seat", "table_code", "gaming_date", "hit_at", "amount_cents", "state", "state_at",
            "verified_by", "slip_book", "slip", "paid_from", "payout_cents", "has_document", "return_asked", "paid_on",
            "paid_by", "paid_from_table",
        ]  # fmt: skip


class NewestFirst(Pages):
    """Shares, the latest hit first, seat by seat."""

    ordering = ("-at_position", "seat")


@extend_schema(summary="What hits owe, winner by winner", responses={200: ShareAnswer(many=True), **READ_PROBLEMS})
class Shares(generics.ListAPIView[models.Share]):
    """Every winner's share; `state=` and `link=` choose."""

    queryset = models.Share.objects.all()
    serializer_class = ShareAnswer
    pagination_class = NewestFirst
    filterset_fields = ["link", "state", "table_code", "gaming_date"]


# ------------------------------------------------------------------------------------------------- the steps


class Step(NamedTuple):
    """A step of a case: where it is posted, and what it calls with the checked body."""

    path: str
    summary: str
    body: type[Strict]
    act: Callable[[Request, Order, CaseId, dict[str, Any]], Done]


def _prepare(request: Request, order: Order, case_id: CaseId, said: dict[str, Any]) -> Done:
    return cases.prepare_payout(order, case_id, Asked(**said))


def _approve(request: Request, order: Order, case_id: CaseId, said: dict[str, Any]) -> Done:
    return cases.approve_payout(order, case_id, said["seat"], approver_role(request.user))


def _pay(request: Request, order: Order, case_id: CaseId, said: dict[str, Any]) -> Done:
    check_payer(request.user, case_id, said["seat"])
    return cases.pay(order, case_id, **said)


def approver_role(user: Any) -> str:
    """As what somebody approves a payout."""
    return PIT_MANAGER if has_role(user, PIT_MANAGER) else FLOOR


def check_payer(user: Any, case_id: CaseId, seat: int) -> None:
    """The table pays from its tray, the cage pays cash and cheques: refuses `not_allowed`."""
    share = cases.load_case(case_id).case.shares.get(seat)
    if share is None or share.slip is None:
        return  # the case says what is missing
    way = share.slip.paid_from
    if not has_role(user, *(TRAY_PAYERS if way == "tray" else (CAGE,))):
        whose = "the table's people" if way == "tray" else "the cage"
        raise Refused("not_allowed", f"This payout is paid from {way}, which is for {whose}.")


STEPS = (
    Step("verify", "Surveillance has seen the hit", Verify,
         lambda _, order, case_id, said: cases.verify(order, case_id, **said)),
    Step("dispute", "Stop shares that are contested", Dispute,
         lambda _, order, case_id, said: cases.dispute(order, case_id, **{"seats": ()} | said)),
    Step("settle-dispute", "End a dispute", Ruling,
         lambda _, order, case_id, said: cases.settle_dispute(order, case_id, **{"seats": ()} | said)),
    Step("prepare", "Write a payout slip", PreparePayout, _prepare),
    Step("approve", "Approve a payout slip", OneSeat, _approve),
    Step("void-slip", "Void a payout slip", VoidPayout,
         lambda _, order, case_id, said: cases.void_slip(order, case_id, **said)),
    Step("print", "Count a printed copy of a slip", OneSeat,
         lambda _, order, case_id, said: cases.print_slip(order, case_id, **said)),
    Step("pay", "Hand a payout over", Pay, _pay),
    Step("ask-return", "Ask that shares be returned", AskReturn,
         lambda _, order, case_id, said: cases.ask_return(order, case_id, **{"seats": ()} | said)),
    Step("decline-return", "Let shares stand", DeclineReturn,
         lambda _, order, case_id, said: cases.decline_return(order, case_id, **{"seats": ()} | said)),
    Step("approve-return", "Return shares to the meter", Seats,
         lambda _, order, case_id, said: cases.approve_return(order, case_id, **{"seats": ()} | said)),
)  # fmt: skip


def endpoint(step: Step) -> type[APIView]:
    """The operation that takes one step."""

    class Endpoint(APIView):
        __doc__ = step.summary

        @extend_schema(parameters=[KEY], request=step.body, responses=STEP_ANSWERS, summary=step.summary)
        def post(self, request: Request, link: str, code: str, day: str, n: int, rank: str) -> Response:
            said = body_of(request, step.body)
            order = order_of(request, said.pop("occurred_at", None))
            case_id = case_id_of(link, code, day, n, rank)
            return answered(case_id, step.act(request, order, case_id, said))

    Endpoint.__name__ = Endpoint.__qualname__ = "".join(word.capitalize() for word in step.path.split("-"))
    return Endpoint


def case_id_of(link: str, code: str, day: str, n: int, rank: str) -> CaseId:
    """The case that an address names; refuses `unknown_hit` for what no round can be."""
    if n > ROUND_MAX or "\0" in link + code + rank:
        raise Refused("unknown_hit", "There is no hit at this address.")
    return CaseId(link, RoundId(code, day_of(day), n), rank)


def answered(case_id: CaseId, done: Done) -> Response:
    """201 for what was done now, 200 for what had been done before."""
    case = cases.load_case(case_id).case
    states = {str(seat): share.state for seat, share in sorted(case.shares.items())}
    answer = {"case": str(case), "states": states, "position": done.position, "replayed": done.replayed}
    return Response(answer, status=200 if done.replayed else 201)
