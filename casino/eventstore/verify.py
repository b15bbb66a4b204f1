"""Proof that the log is what was written: every hash, chain, head and seal computed again, in Python.

It trusts nothing that the database computed. What doesn't fit is reported lowest position first; where events
are missing, the position of the first one missing is named, which the seals know even for a whole stream.
"""

from collections.abc import Callable, Iterator
from hashlib import sha256
from typing import Any, NamedTuple

import psycopg

from casino.eventstore.canonical import Row, chain

_EVENTS = """
    SELECT e.position, coalesce(s.key, ''), e.version, e.type, e.schema_version, e.gaming_date, e.table_code,
           e.round_no, e.seat, e.in_cents, e.out_cents, e.occurred_at, e.recorded_at, e.actor, e.command,
           e.correlation, e.source, e.source_seq, e.payload, e.hash
      FROM log.event e LEFT JOIN log.stream s ON s.id = e.stream_id ORDER BY e.position"""
_SEALS = "SELECT number, from_position, to_position, count, holes, digest, previous, hash FROM log.seal ORDER BY number"


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


class Seal(NamedTuple):
    """A row of log.seal."""

    number: int
    from_position: int
    to_position: int
    events: int
    holes: str
    digest: bytes
    previous: bytes
    hash: bytes


class _Range:
    """What the events say of the range of one seal, gathered while they pass."""

    def __init__(self) -> None:
        self.digest, self.count = sha256(), 0

    def add(self, row: Row) -> None:
        self.digest.update(row.hash)
        self.count += 1


def verify(connection: psycopg.Connection[Any], progress: Callable[[int], object] = lambda n: None) -> Verdict:
    """Verify the whole log in one read-only snapshot."""
    with connection.transaction():
        connection.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
        seals = [Seal(*row) for row in connection.execute(_SEALS)]
        faults = _seal_chain(seals)
        tops: dict[str, tuple[int, bytes]] = {}
        count = 0
        checker = _SealChecker(seals)
        for row in _rows(connection):
            count += 1
            faults += _event_faults(row, tops)
            faults += checker.pass_event(row)
            if count % 10_000 == 0:
                progress(10_000)
        progress(count % 10_000)
        faults += checker.finish() + _head_faults(connection, tops)
    sealed_to = seals[-1].to_position if seals else 0
    return Verdict(count, len(tops), len(seals), sealed_to, sorted(set(faults)))


def _rows(connection: psycopg.Connection[Any]) -> Iterator[Row]:
    with connection.cursor("verify", binary=True) as cursor:
        cursor.itersize = 10_000
        cursor.execute(_EVENTS)
        for values in cursor:
            yield Row(*values)


def _event_faults(row: Row, tops: dict[str, tuple[int, bytes]]) -> list[Fault]:
    """Whether the event continues its stream; the stream goes on from what is stored, so one fault is one line."""
    if not row.key:
        return [Fault(row.position, f"Event {row.position} belongs to no stream.")]
    version, previous = tops.get(row.key, (0, b""))
    tops[row.key] = (row.version, row.hash)
    if row.version != version + 1:
        return [
            Fault(
                row.position,
                f"Event {row.position} is version {row.version} of {row.key}, but {version + 1} is next: "
                "an event before it was removed, or this one was put in.",
            )
        ]
    if chain(previous, row) != row.hash:
        return [
            Fault(row.position, f"Event {row.position} ({row.type} in {row.key}) was altered: its hash doesn't fit.")
        ]
    return []


def _head_faults(connection: psycopg.Connection[Any], tops: dict[str, tuple[int, bytes]]) -> list[Fault]:
    faults = []
    last = max(connection.execute("SELECT coalesce(max(position), 0) FROM log.event").fetchone() or (0,))
    for key, version, head in connection.execute("SELECT key, version, hash FROM log.stream"):
        found = tops.get(key, (0, b""))
        if found == (version, head):
            continue
        if found[0] < version:
            text = f"The stream {key} ends at version {found[0]}, but its head says {version}: its end was removed."
        else:
            text = f"The head of the stream {key} says version {version}, but its events say {found[0]}."
        faults.append(Fault(last + 1, text))
    return faults


def _seal_chain(seals: list[Seal]) -> list[Fault]:
    faults, previous, upto, number = [], b"", 0, 0
    for seal in seals:
        text = f"1|{seal.number}|{seal.from_position}|{seal.to_position}|{seal.events}|{seal.holes}|".encode()
        if seal.number != number + 1 or seal.from_position != upto + 1 or seal.previous != previous:
            faults.append(Fault(upto + 1, f"Seal {number + 1} is missing or does not continue the one before it."))
        elif sha256(text + seal.digest + previous).digest() != seal.hash:
            faults.append(Fault(seal.from_position, f"Seal {seal.number} was altered: its hash doesn't fit."))
        previous, upto, number = seal.hash, seal.to_position, seal.number
    return faults


def parse_holes(text: str) -> list[tuple[int, int]]:
    """`{[3,5),[9,10)}` as [(3, 5), (9, 10)]: half-open ranges of positions that never held an event."""
    pairs = [part.split(",") for part in text.strip("{}").replace("[", "").split(")") if part.strip(",")]
    cleaned = [[word for word in pair if word] for pair in pairs]
    return [(int(low), int(high)) for low, high in cleaned]


class _SealChecker:
    """Holds each passing event against the seal of its range."""

    def __init__(self, seals: list[Seal]) -> None:
        self.seals, self.index = seals, 0
        self.range, self.next = _Range(), 1
        self.faults: list[Fault] = []
        self.holes = parse_holes(seals[0].holes) if seals else []

    def pass_event(self, row: Row) -> list[Fault]:
        self.faults = []
        while self.index < len(self.seals) and row.position > self.seals[self.index].to_position:
            self._close()
        if self.index < len(self.seals):
            self._expect(row.position)
            self.next = row.position + 1
            if any(low <= row.position < high for low, high in self.holes):
                self.faults.append(Fault(row.position, f"Event {row.position} was put in after its range was sealed."))
            self.range.add(row)
        return self.faults

    def finish(self) -> list[Fault]:
        self.faults = []
        while self.index < len(self.seals):
            self._close()
        return self.faults

    def _expect(self, upto: int) -> None:
        """Positions from self.next to upto - 1 hold no event: were they holes when the range was sealed?"""
        missing = self.next
        for low, high in self.holes:
            if low <= missing < high:
                missing = high
        if missing < upto:
            self.faults.append(Fault(missing, f"Event {missing} is missing: it was there when its range was sealed."))

    def _close(self) -> None:
        seal = self.seals[self.index]
        self._expect(seal.to_position + 1)
        if self.range.digest.digest() != seal.digest and self.range.count == seal.events:
            span = f"{seal.from_position} to {seal.to_position}"
            self.faults.append(Fault(seal.to_position, f"Seal {seal.number} doesn't fit the hashes of events {span}."))
        self.index += 1
        self.range, self.next = _Range(), seal.to_position + 1
        if self.index < len(self.seals):
            self.holes = parse_holes(self.seals[self.index].holes)
