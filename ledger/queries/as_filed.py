"""The table-days and periods of closed days as they were filed: each at its own cut, at the place that was filed."""

from datetime import date
from typing import NamedTuple
from zoneinfo import ZoneInfo

from django.conf import settings

from casino.refusal import Refused
from ledger.day_books import at_cut
from ledger.models import TablePeriod
from ledger.queries.filed import close_of, filed_by, places_of
from ledger.queries.stiff import entry_of, table_days
from ledger.stiff import Entry


class AsFiled(NamedTuple):
    """`cuts` says up to which position of the log each day speaks."""

    days: list[Entry]
    sessions: list[Entry]
    periods: list[TablePeriod]
    cuts: dict[date, int]


def as_filed(first: date, last: date, with_day: date) -> AsFiled:
    """The days from `first` to `last` that were filed when `with_day` was, itself included.

    Refuses `day_not_closed`, of `with_day` or where none of the days is.
    """
    closes = {close.gaming_date: close for close in filed_by(close_of(with_day), first, last)}
    if not closes:
        raise Refused("day_not_closed", f"No day from {first} to {last} was filed when {with_day} was.")
    zone = ZoneInfo(settings.TIME_ZONE)
    periods: list[TablePeriod] = []
    counts: dict[tuple[date, str], int | None] = {}
    sessions: list[Entry] = []
    for day, close in sorted(closes.items()):
        where = places_of(close)
        for table, books in at_cut(close).items():
            counts[day, table] = books.counted_drop
            periods += books.periods
            sessions += [entry_of(period, where[table], zone) for period in books.periods]
    return AsFiled(table_days(sessions, counts), sessions, periods, {day: one.cut for day, one in closes.items()})
