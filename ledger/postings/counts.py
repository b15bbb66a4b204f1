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
    OVER_SHORT_BOX,
    OVER_SHORT_CLOSED,
    OVER_SHORT_TRAY,
    PATRONS_CHIPS,
    TRAYS,
)
from ledger.entry import Line
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
    """Dr cash Cr box; the difference to the recorded drop to over/short. Paper is taken to be what was recorded.

    A second count of the same box posts its difference to the first.
    """
    if place.counted_cents is not None:
        more = (event.counted_cents - place.counted_cents) * MICROS_PER_CENT
        return iter((Line(CASH, more), Line(OVER_SHORT_BOX, -more)))
    currency = (event.counted_cents - place.paper_cents) * MICROS_PER_CENT
    found = currency - place.box_micros
    return iter((Line(CASH, currency), Line(BOXES, -place.box_micros), Line(OVER_SHORT_BOX, -found)))


def after_the_count(lines: Iterable[Line], paper_cents: int, place: Place) -> Lines:
    """What a fact known late does to differences already found; `paper_cents` is what it puts into the box besides."""
    lines = tuple(lines)
    if place.is_counted:
        yield from difference(-_sum(lines, TRAYS), OVER_SHORT_TRAY)
    if place.counted_cents is not None:
        currency, paper = _sum(lines, BOXES), paper_cents * MICROS_PER_CENT
        yield from (Line(BOXES, -currency), Line(CASH, -paper), Line(OVER_SHORT_BOX, currency + paper))


def _sum(lines: Iterable[Line], account: str) -> int:
    return sum(line.micros for line in lines if line.account == account)
