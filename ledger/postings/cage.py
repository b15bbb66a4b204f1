"""Postings of the cage: chips sold and redeemed, counter checks, chips in service, counts, the drop accepted. Pure."""

from collections.abc import Iterator

from casino.money import MICROS_PER_CENT
from ledger import cage_events as c
from ledger.accounts import (
    CAGE_CHIPS,
    CASH,
    CHECKS,
    CHECKS_DEPOSITED,
    CHIPS_ISSUED,
    CHIPS_OWED,
    OVER_SHORT_CAGE,
    PATRONS_CHIPS,
)
from ledger.count_events import DropAccepted
from ledger.entry import Line, transfer
from ledger.postings.place import Place

Lines = Iterator[Line]


def sold(event: c.ChipsSold, place: Place) -> Lines:
    """Dr patrons' chips Cr cage chips; Dr cash Cr chips owed."""
    return _sold(event.total_cents)


def redeemed(event: c.ChipsRedeemed, place: Place) -> Lines:
    """Dr cage chips Cr patrons' chips; Dr chips owed Cr cash."""
    return _sold(-event.total_cents)


def voided(event: c.CageEntryVoided, place: Place) -> Lines:
    """The reverse of the entry that never was."""
    chips = -event.total_cents
    match event.entry:
        case "chips_sold" | "chips_redeemed":
            return _sold(chips if event.entry == "chips_sold" else -chips)
        case "counter_check_redeemed":
            return _check_redeemed(chips, -event.cash_cents)
        case "counter_check_deposited":
            return transfer(CHECKS_DEPOSITED, CHECKS, -event.check_cents)
        case "chips_put_in_service":
            return transfer(CAGE_CHIPS, CHIPS_ISSUED, chips)
    return transfer(CHIPS_ISSUED, CAGE_CHIPS, chips)


def _sold(cents: int) -> Lines:
    yield from transfer(PATRONS_CHIPS, CAGE_CHIPS, cents)
    yield from transfer(CASH, CHIPS_OWED, cents)


def check_redeemed(event: c.CounterCheckRedeemed, place: Place) -> Lines:
    """Chips: Dr cage chips Cr patrons' chips, Dr chips owed Cr counter checks; cash: Dr cash Cr counter checks."""
    return _check_redeemed(event.total_cents, event.cash_cents)


def _check_redeemed(chips_cents: int, cash_cents: int) -> Lines:
    yield from transfer(CAGE_CHIPS, PATRONS_CHIPS, chips_cents)
    yield from transfer(CHIPS_OWED, CHECKS, chips_cents)
    yield from transfer(CASH, CHECKS, cash_cents)


def check_deposited(event: c.CounterCheckDeposited, place: Place) -> Lines:
    """Dr checks deposited Cr counter checks: the bank owes it from now on."""
    return transfer(CHECKS_DEPOSITED, CHECKS, event.amount_cents)


def put_in_service(event: c.ChipsPutInService, place: Place) -> Lines:
    """Dr cage chips Cr chips issued."""
    return transfer(CAGE_CHIPS, CHIPS_ISSUED, event.total_cents)


def taken_out_of_service(event: c.ChipsTakenOutOfService, place: Place) -> Lines:
    """Dr chips issued Cr cage chips."""
    return transfer(CHIPS_ISSUED, CAGE_CHIPS, event.total_cents)


def counted(event: c.CageCounted, place: Place) -> Lines:
    """Chips that are missing: Dr over/short Cr chips owed, Dr patrons' chips Cr cage chips; found ones the reverse."""
    yield from transfer(CAGE_CHIPS, PATRONS_CHIPS, event.variance_cents)
    yield from transfer(CHIPS_OWED, OVER_SHORT_CAGE, event.variance_cents)


def drop_accepted(event: DropAccepted, place: Place) -> Lines:
    """The cage's count of the drop less the count room's: Dr cash Cr over/short, or the reverse."""
    more = event.variance_cents * MICROS_PER_CENT
    return iter((Line(CASH, more), Line(OVER_SHORT_CAGE, -more)))
