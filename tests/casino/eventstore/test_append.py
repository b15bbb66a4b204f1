"""The append: expected versions, guards, due work; all of it or nothing."""

import threading
from collections import Counter
from datetime import UTC, datetime, timedelta

import psycopg
import pytest
from django.db import DatabaseError, DataError, connection, transaction
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from casino.eventstore import store
from casino.eventstore.store import Addition, Command, Conflict, KeyReused, Origin
from tests.casino.eventstore.notes import AT, DAY, Noted, addition, append, order, texts_of

# ------------------------------------------------------------------------------------------------- versions


def test_events_take_the_next_versions_and_positions_in_the_order_given(database):
    first = append(addition("a", 0, "one", "two"))
    then = append(addition("a", 2, "three"))
    stream = store.load("a")
    assert [(r.version, r.event.text) for r in stream.events] == [(1, "one"), (2, "two"), (3, "three")]
    assert stream.version == store.version_of("a") == 3
    positions = [r.position for r in stream.events]
    assert positions == [first.first_position, first.last_position, then.last_position]
    assert positions == sorted(positions)
    assert not first.replayed
    assert store.key_at(then.last_position) == "a"


def test_a_stream_that_nobody_wrote_is_empty_at_version_nought(database):
    assert store.load("nothing") == store.Stream("nothing")
    assert store.version_of("nothing") == 0
    assert store.latest_key("not") is None


@pytest.mark.parametrize("expected", [1, 3, 99])
def test_another_version_than_expected_is_a_conflict_and_nothing_is_written(database, counts, expected):
    append(addition("a", 0, "one", "two"))
    before = counts()
    with pytest.raises(Conflict) as conflict:
        append(addition("a", expected, "late"))
    assert conflict.value.key == "a"
    assert counts() == before
    assert texts_of("a") == ["one", "two"]


def test_a_stream_that_exists_is_not_made_anew(database, counts):
    append(addition("a"))
    before = counts()
    with pytest.raises(Conflict, match="a has moved on"):
        append(addition("a", 0, "again"))
    assert counts() == before


def test_a_stream_that_was_expected_and_never_was_is_a_conflict(database):
    with pytest.raises(Conflict):
        append(addition("a", 1))
    assert store.version_of("a") == 0


def test_of_many_who_expect_the_same_version_one_gets_it(database, at_once):
    append(addition("a"))
    outcomes: list[str] = []

    def write(number: int) -> None:
        try:
            append(addition("a", 1, str(number)))
            outcomes.append("written")
        except Conflict:
            outcomes.append("conflict")

    at_once(*(lambda number=number: write(number) for number in range(6)))
    assert Counter(outcomes) == {"written": 1, "conflict": 5}
    assert store.version_of("a") == 2


def test_of_many_who_make_the_same_stream_one_makes_it(database, at_once):
    outcomes: list[str] = []

    def write(number: int) -> None:
        try:
            append(addition("a", 0, str(number), "more"))
            outcomes.append("written")
        except Conflict:
            outcomes.append("conflict")

    at_once(*(lambda number=number: write(number) for number in range(6)))
    assert Counter(outcomes) == {"written": 1, "conflict": 5}
    assert len(texts_of("a")) == 2


def test_a_stream_named_twice_in_one_append_is_refused(database, counts):
    before = counts()
    with pytest.raises(Conflict):
        append(addition("a", 0, "one"), addition("a", 0, "two"))
    append(addition("b"))
    with pytest.raises(DatabaseError, match="only moves forward"):
        append(addition("b", 1, "one"), addition("b", 1, "two"))
    assert counts()["event"] == before["event"] + 1


def test_an_append_of_nothing_is_an_error(database):
    for additions in ([], [Addition("a", 0, DAY, [], AT)], [addition("b"), Addition("a", 0, DAY, [], AT)]):
        with pytest.raises(DatabaseError, match="at least one event"):
            append(*additions)
    assert store.version_of("b") == 0


# ------------------------------------------------------------------------------------------------- several streams


def test_several_streams_grow_together(database):
    append(addition("b", 0, "b1"))
    done = append(addition("c", 0, "c1"), addition("b", 1, "b2", "b3"), addition("a", 0, "a1"))
    assert {key: texts_of(key) for key in "abc"} == {"a": ["a1"], "b": ["b1", "b2", "b3"], "c": ["c1"]}
    assert done.last_position - done.first_position == 3
    loaded = store.load_many(["a", "b", "nothing"])
    assert {key: stream.version for key, stream in loaded.items()} == {"a": 1, "b": 3, "nothing": 0}


@pytest.mark.parametrize("late", [("a", 5), ("z", 5), ("b", 0)])
def test_one_conflict_among_several_streams_keeps_all_of_them_out(database, counts, late):
    append(addition("b"), addition("z"))
    before = counts()
    with pytest.raises(Conflict) as conflict:
        append(addition("m", due="settle"), addition(*late))
    assert conflict.value.key == late[0]
    assert counts() == before


def test_streams_in_any_order_never_wait_for_each_other_in_a_ring(database, at_once, counts):
    keys = [f"s{number}" for number in range(6)]
    append(*map(addition, keys))

    def write(mine: list[str], number: int) -> None:
        for turn in range(15):
            guard = [(mine[-1], store.version_of(mine[-1]))] if turn % 2 else []
            new = [addition(f"new{turn}"), addition(f"new{turn}b")][:: 1 if number % 2 else -1]
            old = [addition(key, store.version_of(key), str(number)) for key in mine[: len(mine) - len(guard)]]
            try:
                append(*new, *old, guards=guard)
            except Conflict:
                continue

    shuffles = [keys, keys[::-1], keys[3:] + keys[:3], keys[2::-1] + keys[:2:-1]]
    at_once(*(lambda mine=mine, number=number: write(mine, number) for number, mine in enumerate(shuffles)))
    (deadlocks,) = store.run("SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()").fetchone()
    assert deadlocks == 0
    assert counts()["event"] > len(keys)


# ------------------------------------------------------------------------------------------------- guards


def test_a_guard_that_stands_where_it_should_lets_the_append_through(database):
    append(addition("session", 0, "opened"))
    append(addition("round"), guards=[("session", 1), ("session/next", 0)])
    assert store.version_of("round") == 1
    assert store.version_of("session") == 1


@pytest.mark.parametrize("guard", [("session", 2), ("session", 0), ("nothing", 1)])
def test_a_guard_that_moved_keeps_everything_out(database, counts, guard):
    append(addition("session", 0, "opened"))
    before = counts()
    with pytest.raises(Conflict) as conflict:
        append(addition("round", due="settle"), guards=[guard])
    assert conflict.value.key == guard[0]
    assert counts() == before


def test_a_guard_waits_for_whoever_is_moving_its_stream(database, at_once):
    append(addition("session", 0, "opened"))
    outcome: list[str] = []
    moving = threading.Event()

    def close_the_session() -> None:
        with transaction.atomic():
            append(addition("session", 1, "closed"))
            moving.set()
            store.run("SELECT pg_sleep(0.2)")

    def open_a_round() -> None:
        moving.wait(10)
        try:
            append(addition("round"), guards=[("session", 1)])
        except Conflict as conflict:
            outcome.append(conflict.key)

    at_once(close_the_session, open_a_round)
    assert outcome == ["session"]
    assert store.version_of("round") == 0


def test_two_guards_on_one_stream_do_not_wait_for_each_other(database, role_connection):
    append(addition("session", 0, "opened"))
    other = role_connection("postgres")
    with other.transaction():
        other.execute("SELECT FROM log.stream WHERE key = 'session' FOR SHARE")
        store.run("SET lock_timeout = '2s'")
        append(addition("round"), guards=[("session", 1)])
    assert store.version_of("round") == 1


def test_a_stream_may_be_guarded_and_added_to_at_once_without_deadlock(database, at_once):
    append(addition("a"))

    def write() -> None:
        for _ in range(10):
            version = store.version_of("a")
            try:
                append(addition("a", version), guards=[("a", version)])
            except Conflict:
                continue

    at_once(*[write] * 3)
    (deadlocks,) = store.run("SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()").fetchone()
    assert deadlocks == 0


# ------------------------------------------------------------------------------------------------- what is written


def test_work_is_made_due_with_the_append_and_never_without(database):
    append(addition("a", due="settle"), addition("b"), addition("c", due="other"))
    rows = store.run("SELECT queue, stream, set_aside_at FROM log.due ORDER BY id").fetchall()
    assert [tuple(row) for row in rows] == [("settle", "a", None), ("other", "c", None)]
    with transaction.atomic():
        append(addition("d", due="settle"))
        transaction.set_rollback(True)
    assert store.run("SELECT count(*) FROM log.due").fetchone()[0] == 2


def test_the_database_says_when_it_was_recorded_whatever_the_source_says(database):
    long_ago = datetime(1990, 1, 1, tzinfo=UTC)
    store.append(Origin("ana", "test"), [Addition("a", 0, DAY, [Noted()], long_ago)])
    row = store.run(
        """SELECT occurred_at, recorded_at BETWEEN now() - interval '1 minute' AND clock_timestamp() AS is_now
             FROM log.event"""
    ).fetchone()
    assert row.occurred_at == long_ago
    assert row.is_now


def test_every_column_holds_what_was_given(database):
    moments = [AT, AT + timedelta(seconds=1)]
    noted = [Noted(text="in", seat=7, cents=500), Noted(text="out", cents=-300)]
    origin = Origin("ana", "feed", source_seq=12, correlation="shoe 8", commands=[Command("dan", "k", "content")])
    store.append(origin, [Addition("a", 0, DAY, noted, moments, table="R-01", round_no=17)])
    rows = store.run(
        """SELECT version, type, schema_version, gaming_date, table_code, round_no, seat, in_cents, out_cents,
                  occurred_at, actor, command, correlation, source, source_seq, payload
             FROM log.event ORDER BY position"""
    ).fetchall()
    same = ("dan", "k", "shoe 8", "feed", 12)
    one, two = '{"cents":500,"seat":7,"text":"in"}', '{"cents":-300,"seat":null,"text":"out"}'
    assert [tuple(row) for row in rows] == [
        (1, "test_noted", 1, DAY, "R-01", 17, 7, 500, 0, moments[0], *same, one),
        (2, "test_noted", 1, DAY, "R-01", 17, None, 0, 300, moments[1], *same, two),
    ]


def test_a_text_that_the_database_can_not_take_leaves_nothing_behind(database, counts):
    before = counts()
    with pytest.raises(DataError):
        order("k", "content", Addition("nul\0", 0, DAY, [Noted()], AT, due="settle"))
    assert counts() == before


def test_an_append_that_is_cut_off_in_the_middle_leaves_nothing_behind(database, counts, role_connection):
    append(addition("a"))
    before = counts()
    with pytest.raises(Exception, match=r"terminat|closed|lost"), transaction.atomic():  # noqa: PT012
        order("k", "content", addition("a", 1, due="settle"), addition("b", due="settle"))
        (pid,) = store.run("SELECT pg_backend_pid()").fetchone()
        role_connection("postgres").execute("SELECT pg_terminate_backend(%s, 5000)", (pid,))
        store.run("SELECT 1")
    connection.close()
    assert counts() == before
    assert store.version_of("a") == 1


def test_a_stream_whose_events_are_gone_is_not_decided_on(database, role_connection):
    append(addition("a", 0, "one", "two", "three"))
    attacker: psycopg.Connection = role_connection("postgres")
    attacker.execute("ALTER TABLE log.event DISABLE TRIGGER ALL")
    attacker.execute("DELETE FROM log.event WHERE version = 2")
    with pytest.raises(store.BrokenStream, match="The stream a is at version 3, but 2 events are there"):
        store.load("a")
    attacker.execute("DELETE FROM log.event")
    with pytest.raises(store.BrokenStream):
        store.load("a")


# ------------------------------------------------------------------------------------------------- any writes at all

KEYS = st.sampled_from("abcd")


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(st.tuples(st.dictionaries(KEYS, st.tuples(st.integers(-1, 1), st.integers(1, 3)), min_size=1),
                       st.dictionaries(KEYS, st.integers(-1, 0)), st.integers(0, 4)), max_size=8)
)  # fmt: skip
def test_the_log_agrees_with_a_dictionary_of_lists(template, database, writes):
    """Each write: streams with the error in their expected version and how many events; guards alike; a key."""
    prefix = f"{store.run('SELECT count(*) FROM log.stream').fetchone()[0]}/"
    model: dict[str, list[str]] = {prefix + key: [] for key in "abcd"}
    answered: dict[str, str] = {}
    for turn, (streams, guards, number) in enumerate(writes):
        key, content = f"{prefix}{number}", f"{sorted(streams.items())}{sorted(guards.items())}"
        wanted = {prefix + name: [f"{turn}-{i}" for i in range(count)] for name, (_, count) in streams.items()}
        expected = {prefix + name: len(model[prefix + name]) + off for name, (off, _) in streams.items()}
        guard = {prefix + name: len(model[prefix + name]) + off for name, off in guards.items() if name not in streams}
        if min([*expected.values(), *guard.values()]) < 0:
            continue
        additions = [addition(name, expected[name], *texts) for name, texts in wanted.items()]
        origin = Origin("ana", "test", commands=[Command("ana", key, content)])
        is_right = all(len(model[name]) == version for name, version in [*expected.items(), *guard.items()])
        try:
            done = store.append(origin, additions, guard.items())
        except KeyReused:
            assert answered[key] != content
            continue
        except Conflict:
            assert not is_right
            assert key not in answered
            continue
        assert done.replayed == (answered.get(key) == content)
        if not done.replayed:
            assert is_right
            answered[key] = content
            for name, texts in wanted.items():
                model[name] += texts
    assert {name: texts_of(name) for name in model} == model
