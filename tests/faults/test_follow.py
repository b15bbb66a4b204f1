"""`manage.py follow` as real processes: a leader and a standby, killed, cut off, held up and poisoned."""

import psycopg
import pytest
from psycopg.conninfo import make_conninfo

from casino.eventstore.follower import followers, last_position, position_of
from casino.eventstore.models import Checkpoint
from casino.eventstore.rebuild import rebuild
from tests.faults.conftest import wait_until

pytestmark = pytest.mark.faults
LEADER = "SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND granted AND objid = hashtext('follow')::oid"


@pytest.fixture
def follow(start_process):
    return lambda: start_process("manage.py", "follow", ready="Following the log.")


@pytest.fixture
def leader(superuser):
    """The server process of whoever keeps the horizon; 0 when nobody does."""
    return lambda: (superuser.execute(LEADER).fetchone() or (0,))[0]


def reached() -> bool:
    """Whether every follower has read all there is."""
    return all(position_of(name) == last_position() for name in followers())


def assert_rebuilt_is_equal() -> None:
    for follower in followers().values():
        assert rebuild(follower, "owner", check=True, progress=lambda n: None) == []


def test_the_process_follows_and_seals_and_ends_when_it_is_told_to(floor, follow, superuser):
    process = follow()
    floor.play(10)
    wait_until(reached, "the followers reach the end")
    query = "SELECT max(to_position) FROM log.seal"
    wait_until(lambda: superuser.execute(query).fetchone() == (last_position(),), "all is sealed")
    assert process.stop() == 0


def test_the_standby_takes_over_when_the_leader_is_killed(floor, follow, leader):
    first = follow()
    wait_until(leader, "the first copy leads")
    one = leader()
    second = follow()
    floor.play(10)
    wait_until(reached, "the followers reach the end")
    assert leader() == one
    first.kill()
    floor.play(10)
    wait_until(reached, "the standby follows")
    assert leader() not in (0, one)
    first.start()
    second.kill()
    floor.play(10)
    wait_until(reached, "the first copy, started again, follows")
    assert_rebuilt_is_equal()


def test_killed_again_and_again_while_rounds_finish_it_folds_every_position_once(floor, follow):
    process = follow()
    for _ in range(4):
        floor.play(15)
        process.kill()
        floor.play(5)
        process.start()
    wait_until(reached, "the followers reach the end")
    assert_rebuilt_is_equal()


def test_connections_that_are_cut_off_are_made_anew(floor, follow, superuser):
    process = follow()
    for _ in range(3):
        floor.play(5)
        wait_until(reached, "the followers reach the end")
        superuser.execute(
            """SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity
                WHERE datname = current_database() AND application_name = 'casino'
                  AND client_port IS NOT NULL AND pid <> %s""",
            [own_pid()],
        )
    floor.play(5)
    wait_until(reached, "the followers reach the end again")
    assert process.child.poll() is None
    assert_rebuilt_is_equal()


def own_pid() -> int:
    from casino.eventstore import store

    return int(store.run("SELECT pg_backend_pid()").fetchone()[0])


def test_whoever_holds_the_mark_for_long_is_named_in_the_words_of_the_process(floor, follow, database):
    process = follow()
    wait_until(reached, "the followers reach the end")
    elsewhere = make_conninfo(database.superuser, dbname="postgres", application_name="payroll")
    with psycopg.connect(elsewhere) as connection:
        connection.execute("SELECT pg_current_xact_id()")
        floor.play(1)
        wait_until(lambda: "The mark has stood at" in process.words(), "the alarm is raised")
        assert f"Holder(pid={connection.info.backend_pid}, database='postgres'" in process.words()
        assert "application='payroll'" in process.words()
        assert not reached()
    wait_until(reached, "the mark moves on")


def test_a_poisoned_event_stops_the_follower_that_reads_it_and_no_other(floor, follow, superuser):
    process = follow()
    floor.play(4)
    wait_until(reached, "the followers reach the end")
    superuser.execute("ALTER TABLE log.event DISABLE TRIGGER ALL")
    with superuser.transaction():
        superuser.execute("SELECT pg_advisory_xact_lock(hashtext('follower:board'))")
        before = position_of("board")
        floor.play(4)
        superuser.execute(
            """UPDATE log.event SET payload = 'no JSON' WHERE position =
                      (SELECT min(position) FROM log.event WHERE type = 'hand_completed' AND position > %s)""",
            [before],
        )
    wait_until(lambda: Checkpoint.objects.get(name="board").error, "the follower stops")
    assert "invalid input syntax for type json" in Checkpoint.objects.get(name="board").error
    floor.play(4, "R-02")
    wait_until(lambda: position_of("books") == last_position(), "the others go on")
    assert position_of("board") == before
    assert "The follower board stopped." in process.words()
    assert process.child.poll() is None
