"""Postings of what happens at a table: buy-ins, stakes, winnings, paper, and chips on their way. Pure.

Whenever chips pass between the house and a patron, the house owes as much more or less: patrons' chips and chips owed
stay equal through every line here.
"""

from collections.abc import Iterator, Mapping

from casino import session_events as s
from casino import slip_events as f
from casino.events import CashBoughtIn, WagersSettled
from casino.payout_events import PayoutRecorded
from ledger.accounts import (
    BANK,
    BOXES,
    CAGE_CHIPS,
    CASH,
    CHECKS,
    CHIPS_OWED,
    DEALER_ERRORS,
    IN_TRANSIT,
    PATRONS_CHIPS,
    PROMO,
    TABLE_WIN,
    TRAYS,
)
from ledger.entry import Line, transfer
from ledger.postings.place import Place

Lines = Iterator[Line]


def given(cents: int, against: str) -> Lines:
    """Chips from the tray to a patron; the house then owes them, against an account of money."""
    yield from transfer(PATRONS_CHIPS, TRAYS, cents)
    yield from transfer(against, CHIPS_OWED, cents)


def taken(cents: int, against: str) -> Lines:
    """Chips from a patron into the tray; the house owes them no more."""
    yield from transfer(TRAYS, PATRONS_CHIPS, cents)
    yield from transfer(CHIPS_OWED, against, cents)


# ------------------------------------------------------------------------------------------------- entries of the table


def cash_bought_in(amounts: Mapping[str, int]) -> Lines:
    """Cash into the box against chips."""
    return given(amounts["amount_cents"], BOXES)


def check_issued(amounts: Mapping[str, int]) -> Lines:
    """A counter check against chips: the patron owes it."""
    return given(amounts["amount_cents"], CHECKS)


def promo_taken(amounts: Mapping[str, int]) -> Lines:
    """An instrument against chips: a cost of promotion, at face."""
    return given(amounts["face_cents"], PROMO)


def coupon_settled(amounts: Mapping[str, int]) -> Lines:
    """A coupon won or lost: collected at face as a cost of promotion; what it wins is winnings."""
    yield from transfer(PROMO, TABLE_WIN, amounts["face_cents"])
    yield from given(amounts["winnings_cents"], TABLE_WIN)


def check_redeemed(amounts: Mapping[str, int]) -> Lines:
    """A check redeemed at the table: its chips into the tray, its cash into the box."""
    yield from taken(amounts["chips_cents"], CHECKS)
    yield from transfer(BOXES, CHECKS, amounts["cash_cents"])


def wagers_settled(amounts: Mapping[str, int]) -> Lines:
    """A phase's stakes and winnings."""
    yield from taken(amounts["collected_cents"], TABLE_WIN)
    yield from given(amounts["winnings_cents"], TABLE_WIN)


ENTRIES = {
    "wagers_settled": wagers_settled,
    "cash_bought_in": cash_bought_in,
    "counter_check_issued": check_issued,
    "promo_taken": promo_taken,
    "coupon_settled": coupon_settled,
    "pit_redemption_taken": check_redeemed,
}
"""The entries that a correction may put right, by their words: each posts its amounts, and differences of them too."""

PAID_BY = {"cage": CASH, "cheque": BANK}
"""Who pays winnings instead of the tray, and from what."""

PAPER = {"counter_check_issued": "amount_cents", "promo_taken": "face_cents", "coupon_settled": "face_cents"}
"""The paper that goes into the box at face, by entry: its amount."""


def paper_cents(event: object) -> int:
    """Cents of paper that an event puts into its table's box: issuance copies, instruments, coupons, corrected too."""
    if isinstance(event, s.EntryCorrected):
        name = PAPER.get(event.entry)
        return event.after[name] - event.before[name] if name else 0
    if isinstance(event, s.CounterCheckIssued):
        return event.amount_cents
    return event.face_cents if isinstance(event, s.PromoTaken | s.CouponSettled) else 0


def cash(event: CashBoughtIn, place: Place) -> Lines:
    """Dr patrons' chips Cr tray; Dr box Cr chips owed."""
    return cash_bought_in({"amount_cents": event.amount_cents})


def check(event: s.CounterCheckIssued, place: Place) -> Lines:
    """Dr patrons' chips Cr tray; Dr counter checks Cr chips owed."""
    return check_issued({"amount_cents": event.amount_cents})


def promo(event: s.PromoTaken, place: Place) -> Lines:
    """Dr patrons' chips Cr tray; Dr promo cost Cr chips owed."""
    return promo_taken({"face_cents": event.face_cents})


def coupon(event: s.CouponSettled, place: Place) -> Lines:
    """Dr promo cost Cr table win, at face; its winnings as other winnings."""
    return coupon_settled({"face_cents": event.face_cents, "winnings_cents": event.winnings_cents})


def redemption(event: s.PitRedemptionTaken, place: Place) -> Lines:
    """Chips: Dr tray Cr patrons' chips, Dr chips owed Cr counter checks; cash: Dr box Cr counter checks."""
    return check_redeemed({"chips_cents": event.chips_cents, "cash_cents": event.cash_cents})


def correction(event: s.EntryCorrected, place: Place) -> Lines:
    """The lines of what was recorded wrong, by the differences of its amounts."""
    if event.entry == "winnings_paid_elsewhere":
        return taken(event.after["amount_cents"] - event.before["amount_cents"], PAID_BY[event.paid_by])
    return ENTRIES[event.entry]({name: event.after[name] - event.before[name] for name in event.after})


# ------------------------------------------------------------------------------------------------- the game


def settled(event: WagersSettled, place: Place) -> Lines:
    """Stakes: Dr tray Cr patrons' chips, Dr chips owed Cr table win; winnings the reverse. A push moves nothing."""
    yield from taken(event.in_cents, TABLE_WIN)
    yield from given(event.out_cents, TABLE_WIN)


def paid_elsewhere(event: s.WinningsPaidElsewhere, place: Place) -> Lines:
    """The settlement counted them as handed over: Dr tray Cr patrons' chips, Dr chips owed Cr cash or bank.

    Together with the settlement that is Dr table win Cr cash, or bank where a cheque paid.
    """
    return taken(event.amount_cents, PAID_BY[event.paid_by])


def payout_error(event: PayoutRecorded, place: Place) -> Lines:
    """Paid less what stood as paid: Dr patrons' chips Cr tray; Dr dealer errors Cr chips owed.

    A dealer's error is over/short and no part of table win, which stays G of the books to the cent.
    """
    return given(event.out_cents - event.in_cents, DEALER_ERRORS)


# ------------------------------------------------------------------------------------------------- fills and credits


def fill_sent(event: f.FillSent, place: Place) -> Lines:
    """Dr in transit Cr cage chips."""
    return transfer(IN_TRANSIT, CAGE_CHIPS, event.total_cents)


def fill_received(event: f.FillReceived, place: Place) -> Lines:
    """Dr tray Cr in transit."""
    return transfer(TRAYS, IN_TRANSIT, event.total_cents)


def credit_removed(event: f.CreditRemoved, place: Place) -> Lines:
    """Dr in transit Cr tray."""
    return transfer(IN_TRANSIT, TRAYS, event.total_cents)


def credit_received(event: f.CreditReceived, place: Place) -> Lines:
    """Dr cage chips Cr in transit."""
    return transfer(CAGE_CHIPS, IN_TRANSIT, event.total_cents)


def slip_voided(event: f.SlipVoided, place: Place) -> Lines:
    """Dr cage chips of a fill, tray of a credit, Cr in transit; a slip whose chips had not left moves nothing."""
    if not event.was_in_transit:
        return iter(())
    return transfer(CAGE_CHIPS if event.kind == "fill" else TRAYS, IN_TRANSIT, event.total_cents)
