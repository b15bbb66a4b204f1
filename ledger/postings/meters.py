"""Postings of progressive meters: what the fold of a link says that an event changes, as lines. Pure.

A hit is posted where the hand was completed, since there the meter falls (books, 5.2 to 5.5); so the liability equals
the meters at every position, and not only after the record of the hit has been written.
"""

from collections.abc import Iterator

from casino.events import HandCompleted, ProgressiveCollected, RoundVoided
from casino.money import MICROS_PER_CENT
from jackpot.correction_events import JackpotMissed, JackpotRefilled, PlayerMissed
from jackpot.events import JackpotHit, JackpotPaid, JackpotReturned, LinkSetUp, MeterAdjusted
from ledger.accounts import (
    BANK,
    CASH,
    CHIPS_OWED,
    METER_CORRECTIONS,
    METERS,
    METERS_BETWEEN,
    METERS_TAKEN_OVER,
    OVERFLOWS,
    PATRONS_CHIPS,
    PAYABLES,
    PROGRESSIVE_COST,
    RESERVES,
    SEED_COST,
    TABLE_WIN,
    TRAYS,
)
from ledger.entry import Line, transfer
from ledger.postings.felt import given, taken
from ledger.postings.place import Place

Lines = Iterator[Line]

AGAINST = {
    "opening_reading": METERS_TAKEN_OVER,
    "transfer_in": METERS_BETWEEN,
    "transfer_out": METERS_BETWEEN,
    "seed_recovered": SEED_COST,
}
"""What pays for an adjustment of a meter, by its reason; any other is a correction by the house."""


def set_up(event: LinkSetUp, place: Place) -> Lines:
    """The first base: Dr seed cost Cr meter liability."""
    return _moved(place, METER_CORRECTIONS)


def returned(event: JackpotReturned, place: Place) -> Lines:
    """Shares that nobody gets: Dr jackpots payable Cr meter liability, and overflow above a posted limit."""
    return _moved(place, METER_CORRECTIONS)


def adjusted(event: MeterAdjusted, place: Place) -> Lines:
    """Dr what pays for it Cr the pool, or the reverse; no more is taken than is there."""
    return _moved(place, AGAINST.get(event.reason, METER_CORRECTIONS))


def corrected(event: JackpotMissed | PlayerMissed | JackpotRefilled, place: Place) -> Lines:
    """What a correction owes: Dr meter liability down to the reset, the rest Dr progressive cost, Cr jackpots payable.

    A refill: Dr progressive cost Cr meter liability, overflow. The fold says how much came from where.
    """
    yield from _moved(place, METER_CORRECTIONS)


def racked(event: ProgressiveCollected, place: Place) -> Lines:
    """Dr tray Cr patrons' chips, Dr chips owed Cr table win; Dr progressive cost Cr meter liability, reserve, overflow.

    The house's own part of the stake is no cost: it is in table win and stays there.
    """
    yield from taken(event.in_cents, TABLE_WIN)
    yield from _moved(place, METER_CORRECTIONS)


def voided(event: RoundVoided, place: Place) -> Lines:
    """The reverse of a progressive stake and of its accrual; what no pool can give back stays a cost of the house.

    Other stakes of the round had not moved, or are settled and stand.
    """
    yield from given(event.out_cents, TABLE_WIN)
    yield from _moved(place, METER_CORRECTIONS)


def completed(event: HandCompleted, place: Place) -> Lines:
    """Dr meter liability Cr jackpots payable; a reset: Dr reserve, the rest Dr seed cost, Cr meter liability."""
    for one in place.moves:
        for hit in one.hits:
            yield from hit_lines(hit)


def hit_lines(hit: JackpotHit) -> Lines:
    """The lines of one hit; overflow that a reset meter takes in is Dr overflow Cr meter liability."""
    won, reseeded = hit.payable_cents * MICROS_PER_CENT, hit.from_reserve_micros + hit.from_seed_micros
    from_overflow = hit.after_micros - hit.left_micros - reseeded
    yield Line(METERS, won, hit.link)
    yield Line(PAYABLES, -won, hit.link)
    yield Line(RESERVES, hit.from_reserve_micros, hit.link)
    yield Line(SEED_COST, hit.from_seed_micros, hit.link)
    yield Line(OVERFLOWS, from_overflow, hit.link)
    yield Line(METERS, -reseeded - from_overflow, hit.link)


PAID_FROM = {"tray": CHIPS_OWED, "cage": CASH, "cheque": BANK}


def paid(event: JackpotPaid, place: Place) -> Lines:
    """From the tray: Dr payable Cr chips owed, Dr patrons' chips Cr tray. By cage or cheque: Dr payable Cr cash, bank.

    What the house pays above the share is a cost of the progressive.
    """
    yield from _moved(place, METER_CORRECTIONS)
    for one in place.moves:
        yield Line(PROGRESSIVE_COST, event.override_cents * MICROS_PER_CENT, one.link)
    yield Line(PAID_FROM[event.paid_from], -event.out_cents * MICROS_PER_CENT)
    if event.paid_from == "tray":
        yield from transfer(PATRONS_CHIPS, TRAYS, event.out_cents)


def _moved(place: Place, adjusted_against: str) -> Lines:
    for one in place.moves:
        yield from one.lines(adjusted_against)
