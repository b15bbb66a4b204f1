"""Every event's posting, and the one way from an event to its entry. Pure.

`POSTINGS` has one function for each type of event that moves chips or money; `NOTHING` names every other type with
the reason why it moves none. A type in neither stops the journal (and a test finds it before).
"""

from collections.abc import Callable, Iterator
from typing import Any

from casino import events as e
from casino import session_events as s
from casino import slip_events as f
from casino.eventstore.registry import Event, name_of
from casino.payout_events import PayoutRecorded
from jackpot import correction_events as k
from jackpot import events as j
from ledger import cage_events as c
from ledger.count_events import CountCorrected, DropAccepted
from ledger.entry import Entry, Line, entry_of
from ledger.events import DropCounted
from ledger.postings import cage, counts, felt, meters
from ledger.postings.nothing import NOTHING
from ledger.postings.place import Move, Place, move

__all__ = ["NOTHING", "POSTINGS", "Move", "Place", "move", "post"]

POSTINGS: dict[type[Event], Callable[[Any, Place], Iterator[Line]]] = {
    e.TableOpened: counts.opened,
    e.TableClosed: counts.closed,
    e.CashBoughtIn: felt.cash,
    s.CounterCheckIssued: felt.check,
    s.PromoTaken: felt.promo,
    s.CouponSettled: felt.coupon,
    s.PitRedemptionTaken: felt.redemption,
    s.EntryCorrected: felt.correction,
    e.WagersSettled: felt.settled,
    s.WinningsPaidElsewhere: felt.paid_elsewhere,
    PayoutRecorded: felt.payout_error,
    f.FillSent: felt.fill_sent,
    f.FillReceived: felt.fill_received,
    f.CreditRemoved: felt.credit_removed,
    f.CreditReceived: felt.credit_received,
    f.SlipVoided: felt.slip_voided,
    e.ProgressiveCollected: meters.racked,
    e.RoundVoided: meters.voided,
    e.HandCompleted: meters.completed,
    j.LinkSetUp: meters.set_up,
    j.JackpotReturned: meters.returned,
    j.MeterAdjusted: meters.adjusted,
    j.JackpotPaid: meters.paid,
    k.JackpotMissed: meters.corrected,
    k.PlayerMissed: meters.corrected,
    k.JackpotRefilled: meters.corrected,
    DropCounted: counts.drop_counted,
    CountCorrected: counts.count_corrected,
    DropAccepted: cage.drop_accepted,
    c.ChipsSold: cage.sold,
    c.ChipsRedeemed: cage.redeemed,
    c.CageEntryVoided: cage.voided,
    c.CounterCheckRedeemed: cage.check_redeemed,
    c.CounterCheckDeposited: cage.check_deposited,
    c.ChipsPutInService: cage.put_in_service,
    c.ChipsTakenOutOfService: cage.taken_out_of_service,
    c.CageCounted: cage.counted,
}


def post(event: Event, place: Place) -> Entry:
    """The entry of an event; one without lines where it moves nothing.

    Raises ledger.entry.Unbalanced where a posting is wrong, KeyError for a type that has none.
    """
    if name_of(event) in NOTHING:
        return Entry(())
    lines = tuple(POSTINGS[type(event)](event, place))
    if isinstance(event, e.TableOpened | e.TableClosed | DropCounted | CountCorrected):
        return entry_of(lines)
    return entry_of((*lines, *counts.after_the_count(lines, felt.paper_cents(event), place)))
