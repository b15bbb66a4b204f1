"""Appends of 40-event rounds, one commit each: ours beside raw COPY and beside the eventsourcing library."""

import random
import time
from collections.abc import Callable, Sequence
from typing import TypeVar

from benchmarks import floor, peers
from benchmarks.checks import deadlocks, whole_log
from benchmarks.floor import EVENTS, Dealer, Decided
from benchmarks.runner import Contender, Rates, Row, compare, interleave
from benchmarks.world import Place, empty_database, product_database
from casino.eventstore import store

SLICE, TURNS, DISTINCT = 60, 41, 200
"""Rounds in a slice, turns, and different rounds; a slice is short so that both of a pair meet the same machine."""
OURS, TEXT, BINARY, LIBRARY, FUNCTIONS = "ours", "COPY", "binary COPY", "library", "library with functions"
T = TypeVar("T")
NAME = "append of 40-event rounds, one commit each"


def run(place: Place) -> list[Row]:
    """Rows against text COPY and the library (both with targets), and against binary COPY."""
    with product_database(place) as ours, empty_database(place) as theirs:
        floor.open_floor(floor.codes(1))
        dealer = Dealer(floor.codes(1)[0], random.Random(1))
        decided = [dealer.decided() for _ in range(DISTINCT)]
        for events in decided:
            dealer.append(events)
        rates = interleave(_contenders(ours, theirs, dealer, decided), TURNS)
        faults = {**_faults(ours, dealer.played), "deadlocked": deadlocks(ours)}
    return _rows(rates, faults)


def _contenders(ours: Place, theirs: Place, dealer: Dealer, decided: Sequence[Decided]) -> dict[str, Contender]:
    with ours.admin() as reader:
        rounds = peers.rows_of_rounds(reader, DISTINCT)
    with theirs.admin() as admin:
        admin.execute(peers.BARE_TABLE)
        admin.execute("GRANT ALL ON bare TO PUBLIC")
    copies, ready = peers.Renumbered(rounds), floor.endless(decided)
    contenders: dict[str, Contender] = {
        OURS: _timed(lambda n: [dealer.prepared(next(ready)) for _ in range(n)], lambda one: store.append(*one)),
        TEXT: _timed(copies.next, peers.Copier(theirs).write),
        BINARY: _timed(copies.next, peers.Copier(theirs, binary=True).write),
    }
    for name, functions in ((LIBRARY, False), (FUNCTIONS, True)):
        saved = peers.their_application(theirs, functions)
        contenders[name] = _timed(lambda n: [peers.their_round(next(ready)) for _ in range(n)], saved.save)
    return contenders


def _timed(make: Callable[[int], Sequence[T]], write: Callable[[T], object]) -> Contender:
    """Events a second over a slice. Every contender begins with decided events and encodes them itself."""

    def slice_() -> float:
        ready = make(SLICE)
        start = time.perf_counter()
        for one in ready:
            write(one)
        return SLICE * EVENTS / (time.perf_counter() - start)

    return slice_


def _faults(ours: Place, rounds: int) -> dict[str, int]:
    """Every round with its 40 events, its command and its due row, once; every hash computed again."""
    counts = """SELECT (SELECT count(*) FROM log.event WHERE round_no IS NOT NULL),
                       (SELECT count(*) FROM log.command WHERE principal = 'bench' AND key LIKE 'bench:%'),
                       (SELECT count(*) FROM log.due), (SELECT count(DISTINCT stream) FROM log.due)"""
    with ours.admin() as reader:
        events, commands, due, distinct = reader.execute(counts).fetchone()  # type: ignore[misc]
        bad = whole_log(reader)
    lost = max(0, rounds * EVENTS - events) + max(0, rounds - commands) + max(0, rounds - distinct)
    return {"lost": lost, "duplicated": max(0, events - rounds * EVENTS) + due - distinct, "wrong": bad}


def _rows(rates: Rates, faults: dict[str, int]) -> list[Row]:
    """The library's mode with database functions is shown, but is no contender: its followers lose events."""
    unit = "events/s"
    lossy = "eventsourcing 9.5.6 with database functions, whose followers lose events"
    return [
        compare(NAME, "psycopg COPY into a bare table", unit, rates, OURS, TEXT, at_least=0.8, **faults),
        compare(NAME, "eventsourcing 9.5.6, its default recorder", unit, rates, OURS, LIBRARY, at_least=2.5, **faults),
        compare(NAME, lossy, unit, rates, OURS, FUNCTIONS, informational=True, **faults),
        compare(NAME, "psycopg binary COPY into a bare table", unit, rates, OURS, BINARY, informational=True, **faults),
    ]
