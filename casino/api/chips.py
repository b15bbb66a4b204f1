"""Chips at a table over HTTP: counter checks, promotional instruments, coupons, exchanges, winnings paid elsewhere,
and entries put right.
"""

from typing import Any

from drf_spectacular.utils import extend_schema_view
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from casino.api import answers
from casino.api.bodies import Approved, Timed
from casino.api.table_bodies import SessionAnswer
from casino.api.tables import at_table
from casino.api.views import answered, command, round_id_of
from casino.commands import checks, chips
from casino.commands.corrections import correct_entry
from casino.commands.order import Done, Order
from casino.keys import RoundId
from casino.people import approval_of
from casino.refusal import Refused
from casino.roles import FLOOR
from casino.web import Text, WholeNumber, body_of, order_of


def _chips(what: str) -> Any:
    text = f"{what}: the value of a chip in cents → the value of all such chips in cents"
    return serializers.DictField(child=WholeNumber(), allow_empty=False, help_text=text)


class IssueCheck(Timed):
    """`patron_id` left out is the rated patron who sits at the seat."""

    seat = WholeNumber()
    amount_cents = WholeNumber()
    patron_id = WholeNumber(required=False)


class RedeemCheck(Timed):
    """Chips go to the tray, cash into the box. `serial` left out is the patron's newest check that may be redeemed."""

    seat = WholeNumber()
    chips_cents = WholeNumber(required=False)
    cash_cents = WholeNumber(required=False)
    patron_id = WholeNumber(required=False)
    serial = WholeNumber(required=False)


class TakePromo(Timed):
    serial = Text(max_length=40)
    seat = WholeNumber()
    face_cents = WholeNumber()


class SettleCoupon(Timed):
    """A coupon that won or lost; one that pushed stays on the layout and is not sent."""

    serial = Text(max_length=40)
    kind = serializers.ChoiceField(choices=["match_play", "direct_bet"])
    seat = WholeNumber()
    face_cents = WholeNumber()
    won = serializers.BooleanField()
    winnings_cents = WholeNumber(required=False)


class ExchangeChips(Timed):
    taken = _chips("what the player gives")
    given = _chips("what the player gets")
    seat = WholeNumber(required=False)


class PayElsewhere(Timed):
    """`round` is written as it is answered, such as `R-01/2026-11-29/17`."""

    round = Text(max_length=40)
    seat = WholeNumber()
    amount_cents = WholeNumber()
    paid_by = serializers.ChoiceField(choices=["cage", "cheque"])


class CorrectEntry(Approved):
    """`position` is that of the entry's answer; `amounts` are those that are wrong, by their names, zero for none."""

    position = WholeNumber(min_value=1)
    amounts = serializers.DictField(child=WholeNumber(), allow_empty=False)


def _round(table: str, text: str) -> RoundId:
    code, _, rest = text.partition("/")
    day, _, n = rest.partition("/")
    if code != table or not n.isascii() or not n.isdecimal() or len(n) > 6:
        raise Refused("unknown_round", f"There is no such round of {table}; write it like {table}/2026-11-29/17.")
    return round_id_of(code, day, int(n))


def _pay_elsewhere(order: Order, table: str, said: dict[str, Any]) -> Done:
    return chips.pay_elsewhere(order, _round(table, said["round"]), said["seat"], said["amount_cents"], said["paid_by"])


def _settle_coupon(order: Order, table: str, said: dict[str, Any]) -> Done:
    given = {name: said[name] for name in ("serial", "kind", "seat", "face_cents", "won")}
    return chips.settle_coupon(order, table, **given, winnings_cents=said.get("winnings_cents", 0))


AT_TABLE = {
    "counter-checks": at_table(
        IssueCheck,
        "Chips against a counter check",
        lambda order, table, said: checks.issue_check(
            order, table, said["seat"], said["amount_cents"], said.get("patron_id")
        ),
    ),
    "redemptions": at_table(
        RedeemCheck,
        "Redeem a counter check in the pit",
        lambda order, table, said: checks.redeem_check(
            order,
            table,
            said["seat"],
            said.get("chips_cents", 0),
            said.get("cash_cents", 0),
            said.get("patron_id"),
            said.get("serial"),
        ),
    ),
    "promos": at_table(
        TakePromo,
        "Chips against a promotional instrument",
        lambda order, table, said: chips.take_promo(order, table, said["serial"], said["seat"], said["face_cents"]),
    ),
    "coupons": at_table(SettleCoupon, "Settle a coupon that won or lost", _settle_coupon),
    "exchanges": at_table(
        ExchangeChips,
        "Exchange chips for chips of equal value",
        lambda order, table, said: chips.exchange_chips(order, table, said["taken"], said["given"], said.get("seat")),
    ),
    "paid-elsewhere": at_table(PayElsewhere, "Winnings that cage or cheque pays", _pay_elsewhere),
}


@extend_schema_view(post=command(CorrectEntry, SessionAnswer, "Put an entry right that was recorded wrong"))
class Correct(APIView):
    """A buy-in, check, promotional instrument, coupon or redemption; two people answer for it."""

    def post(self, request: Request, table: str) -> Response:
        said = body_of(request, CorrectEntry)
        order = order_of(request, said.get("occurred_at"))
        approval = approval_of(request._request, order, said, FLOOR)
        done = correct_entry(order, table, said["position"], said["amounts"], said["reason"], approval)
        return answered(answers.session_answer(table, done), done)
