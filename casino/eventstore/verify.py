"""Proof that the log is what was written: every hash, chain, head, command and seal computed again, in Python.

It trusts nothing that the database computed. What doesn't fit is reported lowest position first; where events
are missing, the position of the first one missing is named, which the seals know even for a whole stream. A range
whose hashes were all computed anew is known by its seal, which can only name the range: its first position is given.
"""

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import psycopg

from casino.eventstore.canonical import Row, chain
from casino.eventstore.seals import SEALS, Seal, SealChecker, seal_chain

# Nothing is left to the driver that it can't read: a date may have been altered to infinity.
_MICROS = "CASE WHEN isfinite(e.{0}) THEN (extract(epoch FROM e.{0}) * 1000000)::bigint END"
_EVENTS = f"""
    SELECT e.position, coalesce(s.key, ''), e.version, e.type, e.schema_version,
           CASE WHEN isfinite(e.gaming_date) THEN e.gaming_date - DATE '1970-01-01' END, e.table_code, e.round_no,
           e.seat, e.in_cents, e.out_cents, {_MICROS.format("occurred_at")}, {_MICROS.format("recorded_at")},
           e.actor, e.command, c.content, c.first_position, c.last_position, e.correlation, e.source, e.source_seq,
           e.payload, e.hash
      FROM log.event e LEFT JOIN log.stream s ON s.id = e.stream_id
                       LEFT JOIN log.command c ON c.principal = e.actor AND c.key = e.command
     ORDER BY e.position"""
_HEADS = """
    SELECT key, version, hash, CASE WHEN isfinite(gaming_date) THEN gaming_date - DATE '1970-01-01' END
      FROM log.stream"""
_IDLE_COMMANDS = """
    SELECT c.first_position, c.key FROM log.command c
     WHERE NOT EXISTS (SELECT FROM log.event e WHERE e.actor = c.principal AND e.command = c.key)"""

_HORIZON = """
    SELECT mark, seals, CASE WHEN is_called THEN last_value ELSE 0 END FROM log.horizon, log.event_position"""


class Fault(NamedTuple):
    """Something that doesn't fit; `position` is the first event concerned."""

    position: int
    message: str


class Verdict(NamedTuple):
    """The outcome: how much was read, and every fault, lowest position first."""

    events: int
    streams: int
    seals: int
    sealed_to: int
    faults: list[Fault]


class Top(NamedTuple):
    """A stream as its events have it so far, for its head to be held against."""

    version: int
    hash: bytes
    first_day: int | None
    position: int


_NO_EVENTS = Top(0, b"", None, 0)


class _Reading:
    """What is known while the events pass, in the order of their positions."""

    def __init__(self, seals: list[Seal]) -> None:
        self.sealed_to = seals[-1].to_position if seals else 0
        self.checker = SealChecker(seals)
        self.tops: dict[str, Top] = {}
        self.holes: list[int] = []
        self.count = self.last = 0
        self.faults = [Fault(*fault) for fault in seal_chain(seals)]

    def pass_event(self, row: Row) -> None:
        if row.position > self.last + 1 and row.position > self.sealed_to + 1:
            self.holes.append(max(self.last, self.sealed_to) + 1)
        self.count, self.last = self.count + 1, row.position
        faults = _event_faults(row, self.tops)
        self.faults += faults
        self.faults += [Fault(*fault) for fault in self.checker.pass_event(row, bool(faults))]

    def first_missing_after(self, position: int) -> int:
        """Where an event that was removed may have stood; the seals know better where they reach."""
        return next((hole for hole in self.holes if hole > position), self.last + 1)


def verify(connection: psycopg.Connection[Any], progress: Callable[[int], object] = lambda n: None) -> Verdict:
    """Verify the whole log in one read-only snapshot."""
    with connection.transaction():
        connection.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
        seals = [Seal(*row) for row in connection.execute(SEALS)]
        reading = _Reading(seals)
        for row in rows(connection):
            reading.pass_event(row)
            if reading.count % 10_000 == 0:
                progress(10_000)
        progress(reading.count % 10_000)
        faults = reading.faults + [Fault(*fault) for fault in reading.checker.finish()]
        faults += _head_faults(connection, reading) + _command_faults(connection) + _horizon_faults(connection, seals)
    return Verdict(reading.count, len(reading.tops), len(seals), reading.sealed_to, sorted(set(faults)))


def rows(connection: psycopg.Connection[Any]) -> Iterator[Row]:
    """Every event of the log in the order of positions, with what its hash covers; inside a transaction."""
    with connection.cursor("verify", binary=True) as cursor:
        cursor.itersize = 2_000  # hashed within the ten seconds that a transaction may idle, on a busy machine too
        cursor.execute(_EVENTS)
        for values in cursor:
            yield Row(*values)


def _event_faults(row: Row, tops: dict[str, Top]) -> list[Fault]:
    """Whether the event continues its stream; the stream goes on from what is stored, so one fault is one line."""
    if not row.key:
        return [Fault(row.position, f"Event {row.position} belongs to no stream.")]
    before = tops.get(row.key, _NO_EVENTS)
    first_day = before.first_day if before.version else row.gaming_day
    tops[row.key] = Top(row.version, row.hash, first_day, row.position)
    if row.version != before.version + 1:
        said = f"Event {row.position} is version {row.version} of {row.key}, but {before.version + 1} is next"
        return [Fault(row.position, f"{said}: an event before it was removed, or this one was put in.")]
    if row.command is not None and row.content is None:
        said = f"The command {row.command!r} of {row.actor}"
        return [Fault(row.position, f"{said}, which event {row.position} came of, is gone or was altered.")]
    if chain(before.hash, row) != row.hash:
        said = f"Event {row.position} ({row.type} in {row.key})"
        return [Fault(row.position, f"{said} or its command was altered: its hash doesn't fit.")]
    return []


def _head_faults(connection: psycopg.Connection[Any], reading: _Reading) -> list[Fault]:
    faults = []
    for key, version, head, day in connection.execute(_HEADS):
        found = reading.tops.get(key, _NO_EVENTS)
        if (found.version, found.hash, found.first_day) == (version, head, day):
            continue
        if found.version < version or not found.version:
            position = reading.first_missing_after(max(found.position, reading.sealed_to))
            text = f"The stream {key} ends at version {found.version} and its head says {version}: its end was removed."
        else:
            position = found.position
            text = f"The head of the stream {key} doesn't fit its last event, version {found.version}."
        faults.append(Fault(position, text))
    return faults


def _command_faults(connection: psycopg.Connection[Any]) -> list[Fault]:
    found = connection.execute(_IDLE_COMMANDS)
    return [Fault(first, f"The events of the command {key!r} are gone, or it was put in.") for first, key in found]


def _horizon_faults(connection: psycopg.Connection[Any], seals: list[Seal]) -> list[Fault]:
    row = connection.execute(_HORIZON).fetchone()
    if row is None:
        return [Fault(1, "The row of log.horizon is gone.")]
    mark, known, last = row
    faults = []
    if mark > last:
        faults.append(Fault(last + 1, f"The mark stands at {mark}, beyond position {last}: readers would miss events."))
    if known != len(seals):
        upto = seals[-1].to_position if seals else 0
        faults.append(Fault(upto + 1, f"There were {known} seals, and now there are {len(seals)}."))
    return faults
