"""A follower under eight writers: what it never sees, and how far behind it is. Ours, theirs and a naive one."""

import multiprocessing
import random
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any, NamedTuple

from django.db import connections

from benchmarks import floor, peers
from benchmarks.checks import deadlocks
from benchmarks.runner import Row, percentile
from benchmarks.world import Place, empty_database, product_database
from casino.commands.order import property_code
from casino.events import WagerPlaced
from casino.eventstore import store
from casino.eventstore.horizon import Keeper
from casino.eventstore.management.commands.follow import BUSY_S
from casino.eventstore.store import Addition, Origin
from casino.keys import RoundId, round_key

WRITERS, SECONDS, PER_SECOND, EVENTS = 8, 6.0, 60, 5
"""Each writer appends five wagers, one commit, sixty times a second; so the figures are of the log, not of a queue."""

Seen = tuple[int, float]
"""A position, and the seconds from the call that wrote it until the follower had it."""


class Followed(NamedTuple):
    """What one reader saw of what was written."""

    written: int
    lost: int
    duplicated: int
    lags_s: list[float]


def run(place: Place) -> list[Row]:
    """Two rows of ours (the naive reader reads the same log at the same time) beside each mode of the library."""
    with product_database(place) as ours, empty_database(place) as theirs:
        floor.open_floor(floor.codes(WRITERS))
        mine, naive = _ours(ours)
        stuck = deadlocks(ours)
        plain, functions = (_library(theirs, functions) for functions in (False, True))
    return [
        _row("eventsourcing 9.5.6 notification log, its table lock", mine, plain, naive, stuck),
        _row("eventsourcing 9.5.6 notification log, its database functions", mine, functions, naive, stuck),
    ]


def _row(peer: str, mine: Followed, theirs: Followed, naive: Followed, stuck: int) -> Row:
    p99, other = percentile(mine.lags_s, 99) * 1000, percentile(theirs.lags_s, 99) * 1000
    return Row(
        name=f"follower under {WRITERS} writers, lag",
        peer=peer,
        unit="ms p99",
        ours=p99,
        theirs=other,
        ratio=other / p99 if p99 else None,
        lost=mine.lost,
        duplicated=mine.duplicated,
        deadlocked=stuck,
        notes={
            "events": mine.written,
            "p50_ms": percentile(mine.lags_s, 50) * 1000,
            "their_lost": theirs.lost,
            "their_events": theirs.written,
            "naive_lost": naive.lost,
            "naive_p99_ms": percentile(naive.lags_s, 99) * 1000,
        },
    )


# ------------------------------------------------------------------------------------------------- ours


def _ours(place: Place) -> tuple[Followed, Followed]:
    """A reader below the horizon and one of `position > cursor`, both on our log while it is written."""
    with place.as_app() as connection, place.as_app() as other, _writing(_write_ours, place) as is_writing:
        keeper = Keeper(connection)
        below, naive = _Reader(), _Reader()
        query = "SELECT position, extract(epoch FROM occurred_at)::float8 FROM log.event WHERE position > %s"
        while is_writing() or keeper.poll() < keeper.last_position():
            mark = keeper.poll()
            if mark > below.cursor:
                found = connection.execute(f"{query} AND position <= %s ORDER BY 1", [below.cursor, mark])
                below.take(found.fetchall())
            naive.take(other.execute(f"{query} ORDER BY 1", [naive.cursor]).fetchall())
            time.sleep(BUSY_S / 2)
        below.take(connection.execute(f"{query} ORDER BY 1", [below.cursor]).fetchall())
        naive.take(other.execute(f"{query} ORDER BY 1", [naive.cursor]).fetchall())
        written = [row[0] for row in connection.execute("SELECT position FROM log.event")]
    return below.outcome(written), naive.outcome(written)


def _write_ours(place: Place, writer: int, ready: Callable[[], object]) -> None:
    code = floor.codes(WRITERS)[writer]
    events = [
        WagerPlaced(number=n, seat=1, wager="suit:s", as_given="suit:s", stake_cents=500, exceptions=[])
        for n in range(1, EVENTS + 1)
    ]
    store.version_of("")
    ready()
    for n in _paced(writer):
        round_id = RoundId(code, datetime.now(UTC).date(), n)
        addition = Addition(
            round_key(property_code(), round_id), 0, round_id.gaming_date, events, datetime.now(UTC), table=code
        )
        store.append(Origin(f"writer {writer}", "bench"), [addition])


class _Reader:
    """Remembers what it was given; its cursor is the last position of that."""

    def __init__(self) -> None:
        self.cursor = 0
        self.seen: list[Seen] = []

    def take(self, rows: Sequence[tuple[int, float]]) -> None:
        now = time.time()
        self.seen += [(position, now - at) for position, at in rows]
        if rows:
            self.cursor = rows[-1][0]

    def outcome(self, written: Sequence[int]) -> Followed:
        positions = [position for position, _ in self.seen]
        distinct = set(positions)
        lost = len(set(written) - distinct)
        return Followed(len(written), lost, len(positions) - len(distinct), [lag for _, lag in self.seen])


# ------------------------------------------------------------------------------------------------- the library


def _library(place: Place, functions: bool) -> Followed:
    """Their own way: select_notifications after the last one seen."""
    peers.their_application(place, functions).close()  # makes the tables; no thread of its pool may meet a fork
    reader = _Reader()

    def read(application: peers.Application) -> None:
        found = application.recorder.select_notifications(
            start=reader.cursor or None, limit=10_000, inclusive_of_start=False
        )
        reader.take([(one.id, _moment_of(application, one)) for one in found])

    with _writing(_write_functions if functions else _write_plain, place) as is_writing:
        application = peers.their_application(place, functions, create=False)
        while is_writing():
            read(application)
            time.sleep(BUSY_S / 2)
        read(application)
        table = f"{peers.their_schema(functions)}.{application.recorder.events_table_name}"  # type: ignore[attr-defined]
        application.close()
    with place.admin() as admin:
        written = [row[0] for row in admin.execute(f"SELECT notification_id FROM {table}")]
    return reader.outcome(written)


def _moment_of(application: peers.Application, notification: object) -> float:
    return float(application.mapper.to_domain_event(notification).timestamp.timestamp())  # type: ignore[attr-defined]


def _write_plain(place: Place, writer: int, ready: Callable[[], object]) -> None:
    _write_theirs(place, writer, ready, functions=False)


def _write_functions(place: Place, writer: int, ready: Callable[[], object]) -> None:
    _write_theirs(place, writer, ready, functions=True)


def _write_theirs(place: Place, writer: int, ready: Callable[[], object], functions: bool) -> None:
    application = peers.their_application(place, functions, create=False)
    ready()
    for _ in _paced(writer):
        one = peers.TheirRound()
        for n in range(1, EVENTS):
            one.trigger_event(peers.TheirRound.Fact, name="wager_placed", content={"number": n, "stake_cents": 500})
        application.save(one)
    application.close()


# ------------------------------------------------------------------------------------------------- writers


def _paced(writer: int) -> Iterator[int]:
    """Numbers from 1, at this writer's own beat, for SECONDS; a late one is not waited for."""
    chance = random.Random(writer)
    start = time.monotonic()
    for n in range(1, int(SECONDS * PER_SECOND) + 1):
        time.sleep(max(0.0, start + (n + chance.random()) / PER_SECOND - time.monotonic()))
        yield n


@contextmanager
def _writing(write: Callable[..., None], place: Place) -> Iterator[Callable[[], bool]]:
    """Eight processes writing; yields a question whether any still does. A writer that fails ends the run."""
    context = multiprocessing.get_context("fork")
    connections.close_all()  # a child must not end our sessions with its own
    gate = context.Barrier(WRITERS + 1)
    writers = [context.Process(target=_begin, args=(write, place, n, gate)) for n in range(WRITERS)]
    for writer in writers:
        writer.start()
    gate.wait(60)
    yield lambda: any(writer.is_alive() for writer in writers)
    for writer in writers:
        writer.join()
        if writer.exitcode:
            raise RuntimeError(f"A writer ended with status {writer.exitcode}.")


def _begin(write: Callable[..., None], place: Place, number: int, gate: Any) -> None:
    write(place, number, lambda: gate.wait(60))
