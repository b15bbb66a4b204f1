"""What is true of more than one table: where a dealer is, what a patron owes, which paper is used up, whose pit it is.

None of these moves money: the events of a session do, and these stand beside them in the same append, on streams of
their own, so that two tables can't both be right about the same dealer, check or coupon.
"""

from typing import Literal

from casino.eventstore.registry import Event, event


@event("dealer_placed")
class DealerPlaced(Event):
    """On the dealer's stream: the table at which the dealer is from now on; null where at none."""

    dealer: str
    table: str | None
    by: str


@event("check_owed")
class CheckOwed(Event):
    """On the stream of a patron's counter checks: what is owed on one of them from now on.

    `serial` is its number in the book of the year of `issued_on` (a gaming date); `table` and `pit` are where it was
    issued, `session` the stream on which the entry stands that changed it.
    """

    patron_id: int
    serial: int
    issued_on: str
    table: str
    pit: str
    amount_cents: int
    owed_cents: int
    because: Literal["issued", "redeemed", "deposited", "corrected"]
    session: str


@event("instrument_marked")
class InstrumentMarked(Event):
    """On the stream of a promotional instrument or coupon: it is used up, or, where that was a mistake, is not.

    `session` is the session's stream on which the entry stands.
    """

    serial: str
    is_used: bool
    table: str
    session: str


@event("shift_handed_over")
class ShiftHandedOver(Event):
    """On a pit's stream: one person gives the pit to another, with all that is open in it at that moment.

    `tables_open` are the codes of its open tables, `roll_due` those of them whose period is over; `transfers` are the
    requests and slips that wait, in words. `patrons_near` counts those of the house whose cash-in of the gaming day is
    at or above the amount from which the profile warns.
    """

    pit: str
    shift: int
    outgoing: str
    incoming: str
    note: str
    tables_open: list[str]
    roll_due: list[str]
    transfers: list[str]
    patrons_near: int
