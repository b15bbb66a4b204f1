"""What decides on a gaming day's close, read from the books and from the streams of sessions that are still open."""

from collections.abc import Sequence
from datetime import date
from zoneinfo import ZoneInfo

from django.conf import settings

from casino.eventstore import store
from casino.eventstore.follower import last_position, position_of, wait_for
from casino.keys import RoundId, round_of, round_prefix, session_key
from casino.refusal import Refused
from casino.table import Session, session_after
from casino.transfers import open_transfers
from ledger.closing import DayState, Period, ends_at
from ledger.count_board import COUNTS
from ledger.models import Box, DayClose, DropCount, TablePeriod
from ledger.projections import BOOKS

UNSETTLED = """
SELECT s.key FROM log.stream s
 WHERE s.key >= %s AND s.key < %s
   AND NOT EXISTS (SELECT FROM log.event e WHERE e.stream_id = s.id AND e.type IN ('round_settled', 'round_voided'))
 ORDER BY s.key"""


def decided_on(gaming_date: date) -> DayState:
    """The day's state as of now, for a decision: the books have read all that is in the log; refuses `not_read`."""
    upto = last_position()
    if not wait_for(BOOKS.name, upto) or not wait_for(COUNTS.name, upto):
        raise Refused("not_read", "The books have not read the log to its end yet; try again in a moment.")
    return day_state(gaming_date)


def day_state(gaming_date: date) -> DayState:
    """The day's state as far as the books have read: three queries, and a few more where something is open."""
    position = position_of(BOOKS.name)
    periods = list(TablePeriod.objects.filter(gaming_date=gaming_date).order_by("table_code", "session"))
    counted = set(Box.objects.filter(gaming_date=gaming_date).values_list("table_code", flat=True))
    tables = sorted({period.table_code for period in periods})
    return DayState(
        gaming_date=gaming_date,
        ends_at=ends_at(gaming_date, ZoneInfo(settings.TIME_ZONE), settings.CASINO_ROLLOVER_HOUR),
        position=position,
        periods=tuple(_periods(periods)),
        unsettled=tuple(_unsettled(periods)),
        uncounted=tuple(table for table in tables if table not in counted),
        differences=tuple(_counts(gaming_date)),
        earlier=tuple(days_to_close(gaming_date)),
    )


def _counts(gaming_date: date) -> list[str]:
    """What the counts of the day's boxes still wait for: the count team, or the cage that takes the currency over."""
    found = []
    for count in DropCount.objects.filter(gaming_date=gaming_date, accepted_at=None).order_by("number"):
        name = f"Count {gaming_date}/{count.number}"
        if count.closed_at is None:
            found.append(f"{name} is not finished; count its boxes and close it.")
        elif count.recounted_at is None:
            found.append(f"{name} is not recounted by the cage; have its currency counted in bulk.")
        else:
            found.append(f"{name} is recounted and not accepted; resolve what differs and take it over.")
    return found


def days_to_close(before: date | None = None) -> list[date]:
    """The gaming days that had sessions and are not closed, oldest first; of those before a day, where one is named."""
    closed = DayClose.objects.values("gaming_date")
    days = TablePeriod.objects.exclude(gaming_date__in=closed)
    if before is not None:
        days = days.filter(gaming_date__lt=before)
    return list(days.order_by("gaming_date").values_list("gaming_date", flat=True).distinct())


def _periods(periods: Sequence[TablePeriod]) -> list[Period]:
    waiting = _transfers([period for period in periods if period.closer_cents is None])
    return [
        Period(p.table_code, p.session, p.closer_cents is not None, waiting.get((p.table_code, p.session), ()))
        for p in periods
    ]


def _transfers(periods: Sequence[TablePeriod]) -> dict[tuple[str, int], tuple[str, ...]]:
    """The requests and slips that wait at each open session, as people name them."""
    keys = {_key(period): period for period in periods}
    found = {}
    for key, stream in store.load_many(list(keys)).items():
        period = keys[key]
        begun = Session(period.table_code, period.gaming_date, period.session)
        waiting = open_transfers(session_after(begun, (recorded.event for recorded in stream.events)))
        found[period.table_code, period.session] = tuple(one.document for one in waiting)
    return found


def _key(period: TablePeriod) -> str:
    return session_key(settings.CASINO_PROPERTY, period.table_code, period.gaming_date, period.session)


def _unsettled(periods: Sequence[TablePeriod]) -> list[str]:
    """The rounds of the day that are neither settled nor void; only tables that have some are looked through."""
    tables = {
        (period.table_code, period.gaming_date)
        for period in periods
        if period.rounds_opened > period.rounds_settled + period.rounds_voided
    }
    found: list[RoundId] = []
    for table, day in sorted(tables):
        prefix = round_prefix(settings.CASINO_PROPERTY, table, day)
        found += [round_of(row.key) for row in store.run(UNSETTLED, (prefix, f"{prefix}~"))]
    return [str(one) for one in found]
