"""The log as people read it: one stream event by event, or what several streams hold of some types, in pages and sums.

Nothing here scans the log: streams are found by how their keys begin, events by their stream.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, NamedTuple

import msgspec

from casino.eventstore import store
from casino.eventstore.arrays import BigInts, Texts
from casino.eventstore.registry import decode

_COLUMNS = """s.key, e.position, e.version, e.type, e.schema_version, e.table_code, e.gaming_date, e.round_no, e.seat,
       e.in_cents, e.out_cents, e.occurred_at, e.recorded_at, e.actor, e.source, e.payload, e.hash"""
_OF_STREAM = f"""
    SELECT {_COLUMNS} FROM log.stream s JOIN log.event e ON e.stream_id = s.id
     WHERE s.key = %s AND e.version > %s ORDER BY e.version LIMIT %s"""
_PAGE = f"""
    SELECT {_COLUMNS} FROM log.stream s JOIN log.event e ON e.stream_id = s.id
     WHERE s.key >= %s AND s.key < %s AND (s.key, e.version) > (%s, %s)
       AND (e.type = %s OR e.type = %s AND e.payload::jsonb ->> 'entry' = %s)
       AND e.table_code = %s AND e.gaming_date = %s AND e.position > %s AND e.position <= %s
     ORDER BY s.key, e.version LIMIT %s"""
_AT = f"""
    SELECT {_COLUMNS} FROM log.event e JOIN log.stream s ON s.id = e.stream_id
     WHERE e.position = ANY(%b) ORDER BY e.position"""
_OF_TYPES = f"""
    SELECT {_COLUMNS} FROM log.stream s JOIN log.event e ON e.stream_id = s.id
     WHERE s.key = ANY(%b) AND e.type = ANY(%b) ORDER BY e.position"""
_LATEST = f"""
    SELECT {_COLUMNS} FROM log.stream s JOIN log.event e ON e.stream_id = s.id
     WHERE s.key >= %s AND s.key < %s AND e.type = %s ORDER BY e.position DESC LIMIT %s"""
_SUMS = """
    SELECT p.low, p.high, p.after, p.upto, t.type, count(*) AS events, sum(e.in_cents)::bigint AS in_cents,
           sum(e.out_cents)::bigint AS out_cents
      FROM unnest(%b, %b, %b, %b) AS p(low, high, after, upto) JOIN log.stream s ON s.key >= p.low AND s.key < p.high
      JOIN log.event e ON e.stream_id = s.id
      JOIN unnest(%b) AS t(type) ON e.type = t.type OR e.type = %s AND e.payload::jsonb ->> 'entry' = t.type
     WHERE e.table_code = %s AND e.gaming_date = %s AND e.position > p.after AND e.position <= p.upto
     GROUP BY p.low, p.high, p.after, p.upto, t.type"""


class Entry(NamedTuple):
    """An event as it stands in the log; `payload` is the exact text that was hashed."""

    key: str
    position: int
    version: int
    type: str
    schema_version: int
    table_code: str | None
    gaming_date: date
    round_no: int | None
    seat: int | None
    in_cents: int
    out_cents: int
    occurred_at: datetime
    recorded_at: datetime
    actor: str
    source: str
    payload: str
    hash: bytes

    @property
    def event(self) -> Any:
        """The typed event; raises UnknownEvent where this program doesn't know its name."""
        return decode(self.type, self.schema_version, self.payload)

    @property
    def content(self) -> dict[str, Any]:
        """The payload as plain data."""
        return dict(msgspec.json.decode(self.payload))

    @property
    def pretty(self) -> str:
        """The payload for people, one field a line."""
        return msgspec.json.format(self.payload.encode(), indent=2).decode()

    @property
    def cursor(self) -> str:
        """Where a page that ends with this event goes on: `<version>@<key>`."""
        return f"{self.version}@{self.key}"


@dataclass(frozen=True)
class Selection:
    """Events of one type at one table on one gaming day, in streams whose keys are from `low` to below `high`.

    `corrected_by` is a type of events that correct others; one that names `type` in its field `entry` is of these.
    Positions are above `after` and up to `upto`, so that a page and its sums speak of the same moment.
    """

    low: str
    high: str
    type: str
    table: str
    gaming_date: date
    upto: int
    after: int = 0
    corrected_by: str = ""


class Sum(NamedTuple):
    """How many events there are, and what they add up to in cents."""

    events: int
    in_cents: int
    out_cents: int


def of_stream(key: str, after_version: int = 0, limit: int | None = None) -> list[Entry]:
    """The events of one stream, in order; all of them unless `limit` says how many."""
    return [Entry(*row) for row in store.run(_OF_STREAM, (key, after_version, limit))]


def at(positions: Sequence[int]) -> list[Entry]:
    """The events at these positions of the log, in order; a position without one is left out."""
    return [Entry(*row) for row in store.run(_AT, (BigInts(positions),))]


def of_types(keys: Sequence[str], types: Sequence[str]) -> list[Entry]:
    """What these streams hold of these types, in the order of the log."""
    return [Entry(*row) for row in store.run(_OF_TYPES, (Texts(keys), Texts(types)))]


def page(wanted: Selection, after: str = "", limit: int = 50) -> list[Entry]:
    """Up to `limit` events behind the cursor `after`, stream by stream. An odd cursor raises ValueError."""
    version, _, key = after.partition("@") if after else ("0", "", "")
    if not version.isascii() or not version.isdecimal() or len(version) > 9 or "\0" in key:
        raise ValueError(f"{after!r} is not a cursor.")
    params = (
        wanted.low,
        wanted.high,
        key,
        int(version),
        wanted.type,
        wanted.corrected_by,
        wanted.type,
        wanted.table,
        wanted.gaming_date,
    )
    return [Entry(*row) for row in store.run(_PAGE, (*params, wanted.after, wanted.upto, limit))]


def latest(prefix: str, type_: str, limit: int) -> list[Entry]:
    """The newest events of a type in a few short streams, newest first."""
    return [Entry(*row) for row in store.run(_LATEST, (prefix, prefix + "~", type_, limit))]


def sums(wanted: Sequence[Selection]) -> dict[Selection, Sum]:
    """What each selection adds up to, in one query; all of them are of one table and day."""
    if not wanted:
        return {}
    ranges = sorted({(w.low, w.high, w.after, w.upto) for w in wanted})
    lows, highs, afters, uptos = zip(*ranges, strict=True)
    types = Texts(sorted({w.type for w in wanted}))
    of = (wanted[0].table, wanted[0].gaming_date)
    rows = store.run(
        _SUMS, (Texts(lows), Texts(highs), BigInts(afters), BigInts(uptos), types, wanted[0].corrected_by, *of)
    )
    found = {tuple(row[:5]): Sum(*row[5:]) for row in rows}
    return {w: found.get((w.low, w.high, w.after, w.upto, w.type), Sum(0, 0, 0)) for w in wanted}
