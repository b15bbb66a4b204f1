"""Seals as `verify` computes them again: each digests the hashes of a range of positions and names the seal before.

`log.seal` (migrations/0001_log.sql) makes them. A range remembers its holes, so that an event put in afterwards
shows as much as one taken out.
"""

from hashlib import sha256
from typing import NamedTuple

from casino.eventstore.canonical import Row

SEALS = """
    SELECT number, from_position, to_position, count, holes, digest, previous, hash,
           CASE WHEN isfinite(sealed_at) THEN (extract(epoch FROM sealed_at) * 1000000)::bigint END
      FROM log.seal ORDER BY number"""

At = tuple[int, str]
"""A position and what doesn't fit there."""


class Seal(NamedTuple):
    """A row of log.seal; `sealed_us` in microseconds since 1970."""

    number: int
    from_position: int
    to_position: int
    events: int
    holes: str
    digest: bytes
    previous: bytes
    hash: bytes
    sealed_us: int | None

    @property
    def expected_hash(self) -> bytes:
        """What the hash has to be: everything else that the row says."""
        numbers = (1, self.number, self.from_position, self.to_position, self.events, self.holes, self.sealed_us)
        text = "".join(f"{number}|" for number in numbers)
        return sha256(text.encode() + self.digest + self.previous).digest()


def seal_chain(seals: list[Seal]) -> list[At]:
    """Seals that are missing, out of line or altered."""
    faults, previous, upto, number = [], b"", 0, 0
    for seal in seals:
        if seal.number != number + 1 or seal.from_position != upto + 1 or seal.previous != previous:
            faults.append((upto + 1, f"Seal {number + 1} is missing or does not continue the one before it."))
        elif seal.expected_hash != seal.hash:
            faults.append((seal.from_position, f"Seal {seal.number} was altered: its hash doesn't fit."))
        previous, upto, number = seal.hash, seal.to_position, seal.number
    return faults


def parse_holes(text: str) -> list[tuple[int, int]]:
    """`{[3,5),[9,10)}` as [(3, 5), (9, 10)]: half-open ranges of positions that never held an event.

    A text that says no such thing has none: it is not what was sealed, and its seal's hash shows that.
    """
    pairs = [part.strip("{},[").split(",") for part in text.split(")")]
    try:
        return [(int(low), int(high)) for low, high in (pair for pair in pairs if pair != [""])]
    except ValueError:
        return []


class SealChecker:
    """Holds each passing event against the seal of its range."""

    def __init__(self, seals: list[Seal]) -> None:
        self.seals, self.index = seals, 0
        self._open(1)

    def _open(self, start: int) -> None:
        """Begin the range of the next seal, at position `start`."""
        self.next, self.count, self.digest, self.is_explained = start, 0, sha256(), False
        self.holes = parse_holes(self.seals[self.index].holes) if self.index < len(self.seals) else []

    def pass_event(self, row: Row, is_faulty: bool) -> list[At]:
        """What the seals say against the event; one that `is_faulty` itself explains a digest that doesn't fit."""
        faults: list[At] = []
        while self.index < len(self.seals) and row.position > self.seals[self.index].to_position:
            faults += self._close()
        if self.index == len(self.seals):
            return faults
        faults += self._missing(row.position)
        self.next = row.position + 1
        if any(low <= row.position < high for low, high in self.holes):
            faults.append((row.position, f"Event {row.position} was put in after its range was sealed."))
        self.count += 1
        self.digest.update(row.hash)
        self.is_explained |= bool(faults) or is_faulty
        return faults

    def finish(self) -> list[At]:
        """The seals that no event has passed yet."""
        faults: list[At] = []
        while self.index < len(self.seals):
            faults += self._close()
        return faults

    def _missing(self, upto: int) -> list[At]:
        """Positions from self.next to upto - 1 hold no event: were they holes when the range was sealed?"""
        missing = self.next
        for low, high in self.holes:
            if low <= missing < high:
                missing = high
        if missing >= upto:
            return []
        return [(missing, f"Event {missing} is missing: it was there when its range was sealed.")]

    def _close(self) -> list[At]:
        seal = self.seals[self.index]
        faults = self._missing(seal.to_position + 1)
        if not faults and not self.is_explained and (self.digest.digest(), self.count) != (seal.digest, seal.events):
            span = f"{seal.from_position} to {seal.to_position}"
            faults = [(seal.from_position, f"Seal {seal.number} doesn't fit the hashes of events {span}.")]
        self.index += 1
        self._open(seal.to_position + 1)
        return faults
