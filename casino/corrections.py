"""Entries that were recorded wrong: put right by a further event, with two people's names. Pure.

Nothing is taken back. The correction stands on the stream of the entry's own session, so that the difference is of that
session's gaming day however late it is found (books, 4.2 and 4.5).
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from msgspec import structs

from casino.approval import Approval
from casino.events import CashBoughtIn
from casino.eventstore.registry import Event, name_of
from casino.money import AMOUNT_MAX_CENTS
from casino.refusal import Refused
from casino.round.state import given_reason
from casino.session_events import (
    CounterCheckIssued,
    CouponSettled,
    EntryCorrected,
    PitRedemptionTaken,
    PromoTaken,
    WinningsPaidElsewhere,
)

AMOUNTS: dict[type[Event], tuple[str, ...]] = {
    CashBoughtIn: ("amount_cents",),
    CounterCheckIssued: ("amount_cents",),
    PromoTaken: ("face_cents",),
    CouponSettled: ("face_cents", "winnings_cents"),
    PitRedemptionTaken: ("chips_cents", "cash_cents"),
    WinningsPaidElsewhere: ("amount_cents",),
}
"""What can be corrected, and which of its amounts."""


class Standing(NamedTuple):
    """An entry of a session, and its amounts as they stand after every correction so far."""

    position: int
    entry: Event
    amounts: dict[str, int]


def standing(recorded: Sequence[tuple[int, Event]], position: int) -> Standing:
    """The entry at a position of the log among a session's events; refuses `unknown_entry`."""
    entry = next((event for at, event in recorded if at == position), None)
    if entry is None or type(entry) not in AMOUNTS:
        sentence = f"There is no entry at position {position} here whose amounts can be put right."
        raise Refused("unknown_entry", sentence)
    amounts = {name: int(getattr(entry, name)) for name in AMOUNTS[type(entry)]}
    for _, event in recorded:
        if isinstance(event, EntryCorrected) and event.corrects == position:
            amounts = dict(event.after)
    return Standing(position, entry, amounts)


def correct(table: str, found: Standing, amounts: Mapping[str, int], reason: str, approval: Approval) -> EntryCorrected:
    """Put an entry right: amounts not named stay, zeros say that it never was.

    Refuses `bad_correction` and `nothing_differs`.
    """
    reason = given_reason(reason)
    _check(found, amounts)
    after = {**found.amounts, **amounts}
    if after == found.amounts:
        raise Refused("nothing_differs", f"Entry {found.position} says so already; nothing would change.")
    was, is_ = (structs.replace(found.entry, **each) for each in (found.amounts, after))
    return EntryCorrected(
        table=table,
        corrects=found.position,
        entry=name_of(found.entry),
        seat=getattr(found.entry, "seat", None),
        patron_id=getattr(found.entry, "patron_id", None),
        before=found.amounts,
        after=after,
        in_difference_cents=is_.in_cents - was.in_cents,
        out_difference_cents=is_.out_cents - was.out_cents,
        reason=reason,
        requested_by=approval.requested_by,
        approved_by=approval.approved_by,
        paid_by=getattr(found.entry, "paid_by", ""),
    )


def _check(found: Standing, amounts: Mapping[str, int]) -> None:
    known = AMOUNTS[type(found.entry)]
    for name, cents in amounts.items():
        if name not in known:
            sentence = f"A {name_of(found.entry).replace('_', ' ')} has no {name}; it has {' and '.join(known)}."
            raise Refused("bad_correction", sentence)
        if not 0 <= cents <= AMOUNT_MAX_CENTS:
            raise Refused("bad_correction", f"{cents} cents can't be what was meant; give 0 where it never was.")
