"""The events behind figures of many tables and days at once: their sums by kind, and pages of them, from the log.

The pages of the books read the books; here the events are added up anew, so the two prove each other. A kind of event
is looked for only on the streams that can carry it, found by how their keys begin.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import NamedTuple

from django.conf import settings

from casino.eventstore import store
from casino.eventstore.arrays import BigInts, Texts
from casino.keys import RoundId, round_key, round_prefix, session_key, session_prefix
from ledger.figures import Leaf
from ledger.models import TablePeriod

# OFFSET 0 keeps the walk along the keys. Payments lie on the hits' streams, whatever their table: walked once.
_EVENTS = """
    CROSS JOIN LATERAL (SELECT id FROM log.stream WHERE key >= r.low AND key < r.high OFFSET 0) AS s
    CROSS JOIN LATERAL (
          SELECT position, table_code, gaming_date, in_cents, out_cents,
                 CASE WHEN type = 'entry_corrected' THEN payload::jsonb ->> 'entry' ELSE type END AS type
            FROM log.event, asked
           WHERE stream_id = s.id AND (type = ANY(asked.types) OR type = 'entry_corrected')
             AND occurred_at >= asked.since AND occurred_at < asked.before OFFSET 0) AS e"""
_MINE = """e.table_code = w.table_code AND e.gaming_date = w.gaming_date::date
       AND e.position > w.after AND e.position <= w.upto"""
_UNDER = f"""
WITH range AS (
    SELECT * FROM unnest(%b, %b, %b, %b, %b, %b, %b) AS r(streams, low, high, table_code, gaming_date, after, upto)),
kind AS (SELECT * FROM unnest(%b, %b) AS t(streams, type)),
asked AS (SELECT (SELECT array_agg(type) FROM kind) AS types, %s::timestamptz AS since, %s::timestamptz AS before),
found AS MATERIALIZED (
    SELECT w.streams, e.* FROM range AS w CROSS JOIN LATERAL (SELECT w.low, w.high) AS r {_EVENTS}
     WHERE w.streams <> 'payment' AND {_MINE}
     UNION ALL
    SELECT w.streams, e.* FROM (SELECT DISTINCT low, high FROM range WHERE streams = 'payment') AS r {_EVENTS}
      JOIN range AS w ON w.streams = 'payment' AND {_MINE})
SELECT streams, type, count(*) AS events, sum(in_cents)::bigint AS in_cents, sum(out_cents)::bigint AS out_cents,
       (array_agg(position ORDER BY position) FILTER (WHERE position > %s))[1:%s] AS positions
  FROM found JOIN kind USING (streams, type) GROUP BY streams, type"""


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

    def ranges(self, upto: Callable[[date], int]) -> Iterator[Range]:
        """Everything that the chain is made of, a few ranges a period; `upto` says how far the log is read of a day."""
        for n, period in enumerate(self.periods):
            yield from self._of_period(period, n, upto(period.gaming_date))
        for day in sorted({period.gaming_date for period in self.periods}):
            if day.isoformat() in self.box:
                key = f"{settings.CASINO_PROPERTY}/box/{self.periods[0].table_code}/{day.isoformat()}"
                yield Range("box", key, f"{key}~", self.periods[0].table_code, day.isoformat(), 0, upto(day))

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


class Found(NamedTuple):
    """The events of one kind: how many, what they add up to in cents, and where the first of them stand."""

    events: int
    in_cents: int
    out_cents: int
    positions: Sequence[int]


def under(ranges: Iterable[Range], leaves: Sequence[Leaf], within: Moments, after: int, limit: int) -> dict[str, Found]:
    """Kind of event → all of it summed, and the first `limit` positions behind `after`: one query."""
    kinds = {(leaf.streams, leaf.type) for leaf in leaves}
    wanted = _wanted(ranges, kinds)
    nothing = Found(0, 0, 0, [])
    if not wanted:
        return {leaf.code: nothing for leaf in leaves}
    rows = store.run(_UNDER, (*_arrays(wanted, kinds, within), after, limit))
    found = {(r.streams, r.type): Found(r.events, r.in_cents, r.out_cents, r.positions or []) for r in rows}
    return {leaf.code: found.get((leaf.streams, leaf.type), nothing) for leaf in leaves}


def _wanted(ranges: Iterable[Range], kinds: set[tuple[str, str]]) -> list[Range]:
    streams = {kind for kind, _ in kinds}
    return [one for one in ranges if one.streams in streams]


def _arrays(ranges: Sequence[Range], kinds: set[tuple[str, str]], within: Moments) -> list[object]:
    columns = list(zip(*ranges, strict=True))
    streams, types = zip(*sorted(kinds), strict=True)
    return [*map(Texts, columns[:5]), *map(BigInts, columns[5:]), Texts(streams), Texts(types), *within]
