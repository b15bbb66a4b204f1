"""Postings of counts: trays at openers and closers, and boxes. Pure.

What is counted stays counted. A fact that becomes known after its tray or box was counted moves what was expected, not
what is there: `after_the_count` puts the difference where the count would have found it.
"""

from collections.abc import Iterable, Iterator

from casino.events import TableClosed, TableOpened
from casino.money import MICROS_PER_CENT
from ledger.accounts import (
    BOXES,
    CASH,
    CHIPS_ISSUED,
    CHIPS_OWED,
    DROP_PAPER,
    OVER_SHORT_BOX,
    OVER_SHORT_CAGE,
    OVER_SHORT_CLOSED,
    OVER_SHORT_TRAY,
    PATRONS_CHIPS,
    TRAYS,
)
from ledger.count_events import CountCorrected
from ledger.entry import Line, transfer
from ledger.events import DropCounted
from ledger.postings.place import Place

Lines = Iterator[Line]


def opened(event: TableOpened, place: Place) -> Lines:
    """The first opener of a table puts its chips in service: Dr tray Cr chips issued.

    Any later one is held against the tray that was left: the difference is closed-table variance. At a roll it is none.
    """
    found = event.opener_cents * MICROS_PER_CENT - place.tray_micros
    if place.is_first_count:
        return iter((Line(TRAYS, found), Line(CHIPS_ISSUED, -found)))
    return difference(found, OVER_SHORT_CLOSED)


def closed(event: TableClosed, place: Place) -> Lines:
    """Closer less expected tray: short is Dr over/short Cr chips owed, Dr patrons' chips Cr tray; over the reverse."""
    return difference(event.closer_cents * MICROS_PER_CENT - place.tray_micros, OVER_SHORT_TRAY)


def difference(found_micros: int, account: str) -> Lines:
    """Chips more (above zero) or less in a tray than it should hold: patrons have so much less or more of them."""
    yield Line(TRAYS, found_micros)
    yield Line(PATRONS_CHIPS, -found_micros)
    yield Line(CHIPS_OWED, found_micros)
    yield Line(account, -found_micros)


def drop_counted(event: DropCounted, place: Place) -> Lines:
    """Dr cash Cr box, by the currency found. The day's last box settles what is left: differences to over/short.

    A missing check or instrument is Dr over/short Cr drop paper: what the patron owes, and what promotion has cost,
    stands as it was recorded.
    """
    found, currency = paper_found(event, place), currency_found(event, place)
    yield from transfer(CASH, BOXES, currency)
    if place.boxes_left <= 1:
        yield from _box_difference(currency * MICROS_PER_CENT - place.box_micros, BOXES)
        yield from _box_difference((found - place.paper_cents) * MICROS_PER_CENT, DROP_PAPER)


def paper_found(event: DropCounted, place: Place) -> int:
    """Cents of paper in the box; a figure that does not say what it holds is taken to hold what was recorded."""
    return event.checks_cents + event.promo_cents if event.is_itemised else place.paper_cents


def currency_found(event: DropCounted, place: Place) -> int:
    """Cents of currency in the box, likewise."""
    return event.counted_cents - paper_found(event, place)


def count_corrected(event: CountCorrected, place: Place) -> Lines:
    """The difference of what was counted, found after the cage took the cash over by its own count: no cash moves.

    So what was the cage's over/short becomes the box's: Dr cage over/short Cr box over/short. Paper by itself; before
    the day's last box, Cr box.
    """
    currency = event.currency_difference_cents
    paper = (event.in_cents - currency) * MICROS_PER_CENT
    yield from transfer(OVER_SHORT_CAGE, OVER_SHORT_BOX if place.is_box_settled else BOXES, currency)
    if place.is_box_settled:
        yield from _box_difference(paper, DROP_PAPER)


def _box_difference(more: int, account: str) -> Lines:
    """Micro-units counted more (above zero) or less than recorded."""
    yield Line(account, more)
    yield Line(OVER_SHORT_BOX, -more)


def after_the_count(lines: Iterable[Line], paper_cents: int, place: Place) -> Lines:
    """What a fact known late does to differences already found; `paper_cents` is what it puts into the box besides."""
    lines = tuple(lines)
    if place.is_counted:
        yield from difference(-_sum(lines, TRAYS), OVER_SHORT_TRAY)
    if place.is_box_settled:
        yield from _box_difference(-_sum(lines, BOXES), BOXES)
        yield from _box_difference(-paper_cents * MICROS_PER_CENT, DROP_PAPER)


def _sum(lines: Iterable[Line], account: str) -> int:
    return sum(line.micros for line in lines if line.account == account)
