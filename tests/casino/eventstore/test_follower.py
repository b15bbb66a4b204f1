"""Followers: every position once, whoever steps and whatever dies; and none is ever stepped over."""

import time

import psycopg
import pytest
from django.db import OperationalError, connection, transaction

from casino.eventstore import follower as following
from casino.eventstore import store
from casino.eventstore.follower import Follower, catch_up, position_of, step, stop_loudly, words_of
from casino.eventstore.horizon import Keeper
from casino.eventstore.models import Checkpoint
from tests.casino.eventstore.notes import addition, append

SUMS = """
    INSERT INTO notes AS n (text, seen, last)
    SELECT payload::jsonb ->> 'text', count(*), max(position)
      FROM log.event WHERE position > %s AND position <= %s GROUP BY 1
        ON CONFLICT (text) DO UPDATE SET seen = n.seen + excluded.seen, last = excluded.last"""


def fold(cursor, after, upto):
    cursor.execute(SUMS, [after, upto])


NOTES = Follower("notes", ("notes",), fold)


@pytest.fixture
def notes(database, role_connection, monkeypatch):
    """A follower that counts notes by their text, in a table of its own; and how often it has seen each."""
    role_connection("casino_owner").execute("CREATE TABLE notes (text text PRIMARY KEY, seen bigint, last bigint)")
    monkeypatch.setattr(following, "followers", lambda: {"notes": NOTES})
    return lambda: {row.text: row.seen for row in store.run("SELECT text, seen FROM notes")}


@pytest.fixture
def move_mark(database, role_connection):
    keeper = Keeper(role_connection("casino_app"))

    def move() -> int:
        end = time.monotonic() + 10
        while keeper.poll() < keeper.last_position():
            assert time.monotonic() < end
        return keeper.mark

    return move


def test_a_step_folds_a_batch_and_moves_the_checkpoint_with_it(notes, move_mark):
    append(addition("a", 0, "x", "y", "x"), addition("b", 0, "x", "z"))
    assert not step(NOTES)
    move_mark()
    assert (step(NOTES, batch=2), notes(), position_of("notes")) == (True, {"x": 1, "y": 1}, 2)
    assert (step(NOTES, batch=2), notes(), position_of("notes")) == (True, {"x": 3, "y": 1}, 4)
    assert (step(NOTES, batch=2), notes(), position_of("notes")) == (True, {"x": 3, "y": 1, "z": 1}, 5)
    assert not step(NOTES)


def test_nothing_above_the_mark_is_folded(notes, move_mark, role_connection):
    append(addition("a", 0, "x"))
    move_mark()
    writer = role_connection("casino_app", autocommit=False)
    writer.execute("SELECT pg_current_xact_id()")
    append(addition("b", 0, "x"))
    while step(NOTES):
        pass
    assert (notes(), position_of("notes")) == ({"x": 1}, 1)
    writer.rollback()
    assert catch_up() == 2
    assert notes() == {"x": 2}


def test_holes_are_passed_like_events(notes):
    with transaction.atomic():
        append(addition("a", 0, "never", "never"))
        transaction.set_rollback(True)
    append(addition("a", 0, "x"))
    assert catch_up() == position_of("notes") == 3
    assert notes() == {"x": 1}


def test_two_who_step_at_once_fold_every_position_once(notes, at_once, role_connection):
    written = 120

    def write() -> None:
        for number in range(written):
            append(addition(f"s{number}", 0, "x", str(number)))

    def follow() -> None:
        own = Keeper(role_connection("casino_app"))
        end = time.monotonic() + 60
        while position_of("notes") < 2 * written:
            assert time.monotonic() < end
            own.poll()
            step(NOTES, batch=7)

    at_once(write, follow, follow, follow)
    assert notes() == {"x": written} | {str(number): 1 for number in range(written)}


def test_a_follower_that_fails_stays_before_the_event_and_says_why(notes, move_mark):
    def refuse(cursor, after, upto):
        cursor.execute("INSERT INTO notes VALUES ('half', 1, 1)")
        raise ArithmeticError("Two and two are five.")

    append(addition("a", 0, "x"))
    move_mark()
    broken = Follower("notes", ("notes",), refuse)
    with pytest.raises(ArithmeticError) as failed:
        step(broken)
    stop_loudly(broken, failed.value)
    checkpoint = Checkpoint.objects.get()
    assert (checkpoint.position, checkpoint.error) == (0, "ArithmeticError: Two and two are five.")
    assert notes() == {}
    append(addition("b", 0, "y"))
    move_mark()
    with pytest.raises(ArithmeticError):
        step(broken)
    assert (step(NOTES), notes()) == (True, {"x": 1, "y": 1})
    checkpoint.refresh_from_db()
    assert (checkpoint.position, checkpoint.error) == (2, "")


def test_a_stop_keeps_the_place_that_was_reached(notes, move_mark):
    append(addition("a", 0, "x"))
    move_mark()
    step(NOTES)
    stop_loudly(NOTES, ValueError("why"))
    assert (position_of("notes"), Checkpoint.objects.get().error) == (1, "ValueError: why")


@pytest.mark.parametrize("quoted", ["a\0b", "\udc80", "x" * 10_000, "Zoë"])
def test_whatever_an_error_quotes_can_be_kept(notes, quoted):
    stop_loudly(NOTES, ValueError(quoted))
    assert Checkpoint.objects.get().error == words_of(ValueError(quoted))
    assert words_of(ValueError(quoted)).startswith("ValueError: ")


def test_a_follower_cut_off_in_the_middle_has_done_nothing(notes, move_mark, role_connection):
    superuser: psycopg.Connection = role_connection("postgres")

    def cut_off(cursor, after, upto):
        fold(cursor, after, upto)
        cursor.execute("SELECT pg_backend_pid()")
        superuser.execute("SELECT pg_terminate_backend(%s, 5000)", cursor.fetchone())
        cursor.execute("SELECT 1")

    append(addition("a", 0, "x"))
    move_mark()
    with pytest.raises(OperationalError):
        step(Follower("notes", ("notes",), cut_off))
    connection.close()
    assert (notes(), position_of("notes")) == ({}, 0)
    assert (step(NOTES), notes(), position_of("notes")) == (True, {"x": 1}, 1)


def test_a_follower_that_is_held_does_not_step(notes, move_mark, role_connection):
    append(addition("a", 0, "x"))
    move_mark()
    holder = role_connection("casino_owner")
    holder.execute("SELECT pg_advisory_lock(hashtext('follower:notes'))")
    assert not step(NOTES)
    with pytest.raises(TimeoutError, match=r"notes did not reach 1 within 0\.1 s"):
        catch_up(timeout_s=0.1)
    holder.execute("SELECT pg_advisory_unlock(hashtext('follower:notes'))")
    assert step(NOTES)


def test_catching_up_in_vain_names_who_holds_the_mark(notes, role_connection):
    writer = role_connection("casino_app", autocommit=False, application_name="slow import")
    writer.execute("SELECT pg_current_xact_id()")
    append(addition("a", 0, "x"))
    with pytest.raises(TimeoutError, match=r"stands at 0, not 1, .*slow import"):
        catch_up(timeout_s=0.1)


def test_catching_up_brings_mark_followers_and_seals_to_the_last_position(notes):
    append(addition("a", 0, *["x"] * 50))
    assert catch_up() == 50
    assert following.mark() == position_of("notes") == 50
    assert store.run("SELECT to_position FROM log.seal").fetchone() == (50,)
    assert catch_up() == 50


def test_a_mark_behind_the_checkpoint_is_nothing_to_do(notes, move_mark, role_connection):
    """After a crash the mark may have been lost, and not the checkpoint."""
    append(addition("a", 0, "x"))
    move_mark()
    step(NOTES)
    role_connection("postgres").execute("UPDATE log.horizon SET mark = 0")
    assert not step(NOTES)
    assert notes() == {"x": 1}
