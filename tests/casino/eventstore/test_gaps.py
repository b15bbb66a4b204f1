"""The gap harness: positions are drawn before they are committed, and only the horizon's reader loses none of them."""

import random
import threading
import time

import psycopg
import pytest
from django.db import transaction

from casino.eventstore import store
from tests.casino.eventstore.notes import addition, append
from tests.casino.eventstore.readers import WRONG, BelowTheOldest, FencedByXmax, Naive, Ours, Reader

WRITERS, APPENDS = 8, 60
SEED = 20_261_129


@pytest.fixture
def reader(database, role_connection):
    """Make a reader of a kind, with a connection of its own."""
    return lambda kind: kind(role_connection("casino_app"))


@pytest.fixture
def writer(database, role_connection):
    """An open transaction that appends when it is told to."""

    def begin() -> psycopg.Connection:
        connection: psycopg.Connection = role_connection("casino_app", autocommit=False)
        connection.execute("SELECT 1")
        return connection

    return begin


def append_by(connection: psycopg.Connection, key: str) -> int:
    """An event by plain SQL, committed when the connection is; its position."""
    (position,) = connection.execute(
        """SELECT first_position FROM log.append(
                  'ana', 'test', NULL, '{}', '{}', '{}',
                  ARRAY[%s], '{0}', '{2026-11-29}', '{NULL}', '{NULL}', '{NULL}',
                  '{1}', '{test_noted}', '{1}', '{NULL}', '{0}', '{0}', '{0}', '{NULL}', '{"{}"}',
                  '{}', '{}', '{}', '{}')""",
        [key],
    ).fetchone()
    return int(position)


def poll_to_the_end(readers: list[Reader]) -> None:
    """Poll until ours has seen everything; nobody writes any more."""
    ours = next(reader for reader in readers if isinstance(reader, Ours))
    end = time.monotonic() + 10
    while ours.keeper.mark < ours.keeper.last_position():
        assert time.monotonic() < end, "The mark does not reach the last position."
        for reader in readers:
            reader.poll()
    for reader in readers:
        reader.poll()


def committed() -> list[int]:
    return [row[0] for row in store.run("SELECT position FROM log.event ORDER BY position")]


# ------------------------------------------------------------------------------------------------- one by one


def test_a_position_committed_after_a_later_one_is_lost_by_the_naive_reader_only(reader, writer):
    ours, naive = reader(Ours), reader(Naive)
    early, late = writer(), writer()
    assert (append_by(early, "a"), append_by(late, "b")) == (1, 2)
    late.commit()
    for one in (ours, naive):
        one.poll()
    assert (ours.seen, naive.seen) == ([], [2])
    early.commit()
    poll_to_the_end([ours, naive])
    assert (ours.seen, naive.seen) == ([1, 2], [2])


def test_an_older_transaction_with_a_later_position_deceives_the_reader_that_looks_at_ids(reader, writer):
    ours, by_ids = reader(Ours), reader(BelowTheOldest)
    older, younger = writer(), writer()
    older.execute("SELECT pg_current_xact_id()")
    assert (append_by(younger, "b"), append_by(older, "a")) == (1, 2)
    older.commit()
    for one in (ours, by_ids):
        one.poll()
    assert (ours.seen, by_ids.seen) == ([], [2])
    younger.commit()
    poll_to_the_end([ours, by_ids])
    assert (ours.seen, by_ids.seen) == ([1, 2], [2])


def test_the_snapshots_xmax_is_no_fence(reader, writer):
    """Somebody else's transaction ending at the wrong moment hides the fault, so it may take a second try."""
    ours, fenced = reader(Ours), reader(FencedByXmax)
    for turn in range(20):
        running = writer()
        position = append_by(running, f"a{turn}")
        fenced.poll()
        ours.poll()
        running.commit()
        poll_to_the_end([ours, fenced])
        if position not in fenced.seen:
            break
    assert position not in fenced.seen
    assert ours.seen == committed()


def test_a_hole_left_by_a_rollback_holds_nobody_up(reader, writer):
    ours = reader(Ours)
    gone, stays = writer(), writer()
    append_by(gone, "a")
    append_by(stays, "b")
    stays.commit()
    ours.poll()
    assert ours.seen == []
    gone.rollback()
    poll_to_the_end([ours])
    assert ours.seen == [2]


def test_an_append_inside_a_savepoint_is_waited_for_until_its_transaction_ends(reader, database):
    ours = reader(Ours)
    with transaction.atomic():
        with transaction.atomic():
            append(addition("a"))
        ours.poll()
        assert ours.keeper.mark == 0
    poll_to_the_end([ours])
    assert ours.seen == [1]


# ------------------------------------------------------------------------------------------------- all together


def test_under_many_writers_ours_loses_nothing_and_the_others_do(reader, at_once, capsys):
    readers = [reader(kind) for kind in (Ours, *WRONG)]
    second = reader(Ours)  # a standby that polls as well must not spoil the mark
    writing = threading.Event()
    writing.set()
    left = threading.Semaphore(0)

    def write(number: int) -> None:
        chance = random.Random(SEED + number)
        try:
            for turn in range(APPENDS):
                with transaction.atomic():
                    append(addition(f"{number}/{turn}", 0, *["note"] * chance.randint(1, 4)))
                    time.sleep(chance.uniform(0, 0.003))
                    transaction.set_rollback(chance.random() < 0.1)
        finally:
            left.release()

    def read(one: Reader) -> None:
        while writing.is_set():
            one.poll()

    def end() -> None:
        for _ in range(WRITERS):
            left.acquire()
        writing.clear()

    at_once(
        *(lambda number=number: write(number) for number in range(WRITERS)),
        *(lambda one=one: read(one) for one in [*readers, second]),
        end,
    )
    poll_to_the_end([*readers, second])
    there = committed()
    assert len(there) > WRITERS * APPENDS
    lost = {type(one).__name__: len(set(there) - set(one.seen)) for one in readers}
    with capsys.disabled():
        print(f" [of {len(there):,} events lost: {lost}] ", end="")
    assert readers[0].seen == second.seen == there
    assert lost["Naive"] > 0  # the other two lose for certain in the tests above, here only by chance
