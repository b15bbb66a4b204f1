"""Chips sold, redeemed and exchanged, and winnings that the tray does not pay."""

from casino.commands import checks, chips, tables
from casino.commands.order import Done
from casino.deeds.deed import OPEN, Deed, Look, Press, seat_field
from casino.deeds.fields import Field
from casino.keys import RoundId
from casino.refusal import Refused
from casino.table import opened
from casino.transfers import offered_chips
from casino.tray import denominations

PATRON = Field("patron", "Patron's number", "number", hint="left out: the rated patron at the seat", required=False)


def _buy_in(press: Press) -> Done:
    given = press.given
    return tables.buy_in(press.order, press.code, given.cents("amount"), given.number_if_any("seat", "seat"))


def _issue(press: Press) -> Done:
    given = press.given
    seat, patron = given.number("seat", "seat"), given.number_if_any("patron", "patron's number")
    return checks.issue_check(press.order, press.code, seat, given.cents("amount"), patron)


def _redeem(press: Press) -> Done:
    given = press.given
    return checks.redeem_check(
        press.order,
        press.code,
        given.number("seat", "seat"),
        given.cents_if_any("chips") or 0,
        given.cents_if_any("cash") or 0,
        given.number_if_any("patron", "patron's number"),
        given.number_if_any("serial", "check's number"),
    )


def _promo(press: Press) -> Done:
    given = press.given
    return chips.take_promo(
        press.order, press.code, given.text("serial"), given.number("seat", "seat"), given.cents("face")
    )


def _coupon(press: Press) -> Done:
    given = press.given
    return chips.settle_coupon(
        press.order,
        press.code,
        serial=given.text("serial"),
        kind=given.text("kind"),
        seat=given.number("seat", "seat"),
        face_cents=given.cents("face"),
        won=given.text("end") == "won",
        winnings_cents=given.cents_if_any("winnings") or 0,
    )


def _exchange(press: Press) -> Done:
    given = press.given
    return chips.exchange_chips(
        press.order, press.code, given.chips("taken"), given.chips("given"), given.number_if_any("seat", "seat")
    )


def _exchanged(look: Look) -> list[Field]:
    tray = denominations(recorded.event for recorded in look.recorded)
    offered = offered_chips(tray)
    return [
        Field("taken", "Taken from the player", "chips", choices=[(chip, None) for chip in offered]),
        Field("given", "Given to the player", "chips", choices=[(chip, (tray or {}).get(chip)) for chip in offered]),
        seat_field(look, required=False),
    ]


def _elsewhere(press: Press) -> Done:
    given = press.given
    session = opened(tables.load_table(press.code).session, press.code)
    n = given.number("n", "round's number")
    if not 1 <= n <= 99_999:
        raise Refused("unknown_round", f"There is no round {n} of {press.code} today.")
    round_id = RoundId(press.code, session.gaming_date, n)
    return chips.pay_elsewhere(
        press.order, round_id, given.number("seat", "seat"), given.cents("amount"), given.text("payer")
    )


AMOUNT = Field("amount", "Amount", "amount")
DEEDS = {
    "buy-in": Deed(
        "Cash buy-in",
        "Record the buy-in",
        "Cash into the box, the same in chips.",
        OPEN,
        lambda look: [seat_field(look, required=False), AMOUNT],
        _buy_in,
    ),
    "check": Deed(
        "Counter check",
        "Issue the check",
        "Chips against a check that the patron signs; its issuance copy goes into the box. No currency changes "
        "hands, so it counts towards no cash threshold until it is redeemed in cash.",
        OPEN,
        lambda look: [seat_field(look), AMOUNT, PATRON],
        _issue,
    ),
    "redemption": Deed(
        "Redeem a check",
        "Record the redemption",
        "Chips go to the tray, cash into the box. The newest check goes first unless another is named.",
        OPEN,
        lambda look: [
            seat_field(look),
            Field("chips", "In chips", "amount", required=False),
            Field("cash", "In cash", "amount", required=False),
            PATRON,
            Field("serial", "Check's number", "number", hint="left out: the newest one", required=False),
        ],
        _redeem,
    ),
    "promo": Deed(
        "Promotional chips",
        "Record it",
        "Chips against a promotional instrument, which goes into the box at face.",
        OPEN,
        lambda look: [Field("serial", "Serial number"), seat_field(look), Field("face", "Face", "amount")],
        _promo,
    ),
    "coupon": Deed(
        "Coupon",
        "Settle the coupon",
        "One that won or lost goes into the box; one that pushed stays on the layout and is not recorded.",
        OPEN,
        lambda look: [
            Field("serial", "Serial number"),
            Field("kind", "Kind", "choice", choices=[("match_play", "match play"), ("direct_bet", "direct bet")]),
            seat_field(look),
            Field("face", "Face", "amount"),
            Field("end", "It", "choice", choices=[("lost", "lost"), ("won", "won")]),
            Field("winnings", "Winnings", "amount", hint="where it won", required=False),
        ],
        _coupon,
    ),
    "exchange": Deed(
        "Colour-up",
        "Exchange the chips",
        "Chips for chips of equal value; the tray's total stands.",
        OPEN,
        _exchanged,
        _exchange,
    ),
    "paid-elsewhere": Deed(
        "Winnings paid elsewhere",
        "Record it",
        "Winnings of a settled round that cage or cheque pays, so that the tray keeps these chips.",
        OPEN,
        lambda look: [
            Field("n", "Round", "number", hint="its number of this gaming day"),
            seat_field(look),
            AMOUNT,
            Field("payer", "Paid by", "choice", choices=[("cage", "the cage"), ("cheque", "cheque")]),
        ],
        _elsewhere,
    ),
}
