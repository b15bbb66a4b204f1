"""The events behind figures of many tables and days at once: their sums by kind, and pages of them, from the log.

The pages of the books read the books; here the events are added up anew, so the two prove each other. A kind of event
is looked for only on the streams that can carry it, found by how their keys begin.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from django.conf import settings

from casino.eventstore import store
from casino.eventstore.arrays import BigInts, Texts
from casino.eventstore.history import Entry, Sum
from casino.eventstore.history import at as events_at
from casino.keys import RoundId, round_key, round_prefix, session_key, session_prefix
from ledger.figures import CORRECTED_BY, Leaf
from ledger.models import TablePeriod

_FROM = """
  FROM unnest(%b, %b, %b, %b, %b, %b, %b) AS r(streams, low, high, table_code, gaming_date, after, upto)
  JOIN log.stream s ON s.key >= r.low AND s.key < r.high
  JOIN log.event e ON e.stream_id = s.id
  JOIN unnest(%b, %b) AS t(streams, type) ON t.streams = r.streams
   AND (e.type = t.type OR e.type = %s AND e.payload::jsonb ->> 'entry' = t.type)
 WHERE e.table_code = r.table_code AND e.gaming_date = r.gaming_date::date
   AND e.position > r.after AND e.position <= r.upto
   AND e.occurred_at >= %s AND e.occurred_at < %s"""
_SUMS = f"""
SELECT t.streams, t.type, count(*) AS events, sum(e.in_cents)::bigint AS in_cents, sum(e.out_cents)::bigint AS out_cents
{_FROM} GROUP BY t.streams, t.type"""
_PAGE = f"SELECT e.position {_FROM} AND e.position > %s ORDER BY e.position LIMIT %s"
_CORRECTED = """
SELECT DISTINCT (c.payload::jsonb ->> 'corrects')::bigint AS position
  FROM unnest(%b) AS k(key) JOIN log.stream s ON s.key = k.key
  JOIN log.event c ON c.stream_id = s.id AND c.type = 'entry_corrected'"""


class Range(NamedTuple):
    """Streams from `low` to below `high` on which a table's events of a gaming day lie, between two positions."""

    streams: str
    low: str
    high: str
    table: str
    day: str
    after: int
    upto: int


class Moments(NamedTuple):
    """When the events occurred: from the first on, and before the last."""

    first: datetime
    last: datetime


@dataclass(frozen=True)
class Chain:
    """Following periods of one table, in order; `following` is the period after the last where the day goes on.

    `box` says of which of its days the box belongs to the chain.
    """

    periods: Sequence[TablePeriod]
    following: Mapping[tuple[str, int], TablePeriod]
    box: frozenset[str]

    def ranges(self, upto: int) -> Iterator[Range]:
        """Everything that the chain is made of, a few ranges a period."""
        for n, period in enumerate(self.periods):
            yield from self._of_period(period, n, upto)
        for day in sorted({period.gaming_date for period in self.periods}):
            if day.isoformat() in self.box:
                key = f"{settings.CASINO_PROPERTY}/box/{self.periods[0].table_code}/{day.isoformat()}"
                yield Range("box", key, f"{key}~", self.periods[0].table_code, day.isoformat(), 0, upto)

    def _of_period(self, period: TablePeriod, n: int, upto: int) -> Iterator[Range]:
        house, table, day = settings.CASINO_PROPERTY, period.table_code, period.gaming_date
        after = self.following.get((day.isoformat(), period.session))
        low = session_key(house, table, day, period.session)
        high = f"{session_prefix(house, table)}{day.isoformat()}/{period.session + 1:02d}"
        kinds = ["session", "first" if n == 0 else "later"]
        kinds.append("last" if n == len(self.periods) - 1 else "earlier")
        for kind in kinds:
            yield Range(kind, low, high, table, day.isoformat(), 0, upto)
        first = round_key(house, RoundId(table, day, period.first_round))
        prefix = round_prefix(house, table, day)
        last = round_key(house, RoundId(table, day, after.first_round)) if after else f"{prefix}~"
        yield Range("round", prefix if period.session == 1 else first, last, table, day.isoformat(), 0, upto)
        begun = 0 if period.session == 1 else period.opened_position
        ended = min(upto, after.opened_position) if after else upto
        yield Range("payment", f"{house}/hit/", f"{house}/hit/~", table, day.isoformat(), begun, ended)


def sums(ranges: Iterable[Range], leaves: Sequence[Leaf], within: Moments) -> dict[str, Sum]:
    """Kind of event → how many there are and what they add up to: one query."""
    kinds = {(leaf.streams, leaf.type) for leaf in leaves}
    wanted = _wanted(ranges, kinds)
    if not wanted:
        return {leaf.code: Sum(0, 0, 0) for leaf in leaves}
    rows = store.run(_SUMS, (*_arrays(wanted, kinds), *within))
    found = {(row.streams, row.type): Sum(row.events, row.in_cents, row.out_cents) for row in rows}
    return {leaf.code: found.get((leaf.streams, leaf.type), Sum(0, 0, 0)) for leaf in leaves}


def page(ranges: Iterable[Range], leaf: Leaf, within: Moments, after: int, limit: int) -> list[Entry]:
    """Events of one kind behind a position, in the order of the log."""
    kinds = {(leaf.streams, leaf.type)}
    wanted = _wanted(ranges, kinds)
    if not wanted:
        return []
    rows = store.run(_PAGE, (*_arrays(wanted, kinds), *within, after, limit))
    return events_at([row.position for row in rows])


def _wanted(ranges: Iterable[Range], kinds: set[tuple[str, str]]) -> list[Range]:
    streams = {kind for kind, _ in kinds}
    return [one for one in ranges if one.streams in streams]


def _arrays(ranges: Sequence[Range], kinds: set[tuple[str, str]]) -> list[object]:
    columns = list(zip(*ranges, strict=True))
    streams, types = zip(*sorted(kinds), strict=True)
    return [*map(Texts, columns[:5]), *map(BigInts, columns[5:]), Texts(streams), Texts(types), CORRECTED_BY]


# ------------------------------------------------------------------------------------------------- who signed


def corrected(entries: Sequence[Entry]) -> set[int]:
    """The positions among these events that a correction put right, however late."""
    keys = sorted({entry.key for entry in entries})
    return {row.position for row in store.run(_CORRECTED, (Texts(keys),))} if keys else set()


def people_of(content: Mapping[str, object]) -> list[str]:
    """Who stands on an event itself: who counted, asked, approved, recorded."""
    named: list[str] = []
    for name in ("counted_by", "requested_by", "approved_by", "by"):
        value = content.get(name)
        named += [str(one) for one in value] if isinstance(value, list) else [str(value)] if value else []
    return list(dict.fromkeys(named))
