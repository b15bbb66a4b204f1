"""The horizon's keeper: when the mark moves, what holds it, and that it says so."""

import psycopg
import pytest
from psycopg import errors
from psycopg.conninfo import make_conninfo

from casino.eventstore import store
from casino.eventstore.horizon import PENDING_MAX, Keeper, holders
from tests.casino.eventstore.notes import addition, append


@pytest.fixture
def keeper(database, role_connection) -> Keeper:
    return Keeper(role_connection("casino_app"))


@pytest.fixture
def elsewhere(database):
    """A connection to another database of the same cluster."""
    with psycopg.connect(
        make_conninfo(database.superuser, dbname="postgres", application_name="payroll")
    ) as connection:
        yield connection


def last_of_many(keeper: Keeper, polls: int = 200) -> int:
    """The mark after so many polls; nothing that only takes a moment holds it as long."""
    for _ in range(polls):
        keeper.poll()
    return keeper.mark


def stored_mark() -> int:
    return int(store.run("SELECT mark FROM log.horizon").fetchone()[0])


def test_an_empty_log_has_the_mark_nought_and_polling_it_takes_no_transaction_id(keeper, elsewhere):
    def next_id() -> int:
        return elsewhere.execute("SELECT pg_snapshot_xmax(pg_current_snapshot())::text::bigint").fetchone()[0]

    taken = [_taken_by_polls(keeper, next_id) for _ in range(5)]
    assert min(taken) == 0  # a vacuum of the server's own may take one in between
    assert keeper.mark == keeper.last_position() == stored_mark() == 0


def _taken_by_polls(keeper: Keeper, next_id) -> int:
    before = next_id()
    last_of_many(keeper, 20)
    return next_id() - before


def test_the_first_event_of_all_is_not_stepped_over(keeper):
    append(addition("a"))
    assert keeper.last_position() == 1
    assert last_of_many(keeper) == stored_mark() == 1


def test_a_log_that_stands_still_costs_no_transaction_ids_either(keeper, elsewhere):
    append(addition("a"))
    last_of_many(keeper)
    taken = [
        _taken_by_polls(
            keeper,
            lambda: elsewhere.execute("SELECT pg_snapshot_xmax(pg_current_snapshot())::text::bigint").fetchone()[0],
        )
        for _ in range(5)
    ]
    assert min(taken) == 0
    assert keeper.pending == []


def test_a_connection_that_opens_transactions_is_refused(role_connection, database):
    with pytest.raises(ValueError, match="needs an autocommit connection"):
        Keeper(role_connection("casino_app", autocommit=False))


def test_a_missing_right_is_an_error_and_not_an_empty_log(keeper, role_connection):
    append(addition("a"))
    role_connection("casino_owner").execute("REVOKE SELECT ON SEQUENCE log.event_position FROM casino_app")
    with pytest.raises(errors.InsufficientPrivilege):
        keeper.poll()
    with pytest.raises(errors.InsufficientPrivilege):
        keeper.last_position()


def test_a_reader_holds_nothing_up(keeper, role_connection):
    reader = role_connection("casino_app", autocommit=False)
    reader.execute("SELECT count(*) FROM log.event")
    append(addition("a"))
    assert last_of_many(keeper) == 1
    assert reader.info.transaction_status == psycopg.pq.TransactionStatus.INTRANS


def test_an_open_append_holds_the_mark_and_is_named(keeper, role_connection):
    append(addition("a"))
    last_of_many(keeper)
    writer = role_connection("casino_app", autocommit=False)
    writer.execute("SELECT pg_current_xact_id()")
    append(addition("b"))
    assert last_of_many(keeper) == 1
    held_by = holders(keeper.connection)[0]
    assert held_by.pid == writer.info.backend_pid
    if writer.info.user == "casino_app":  # what another log-in does, is not for our eyes
        assert held_by.query == "SELECT pg_current_xact_id()"
        assert held_by.seconds is not None
    writer.commit()
    assert last_of_many(keeper) == 2


def test_a_transaction_in_another_database_of_the_cluster_holds_the_mark_and_is_named(keeper, elsewhere, database):
    elsewhere.execute("SELECT pg_current_xact_id()")
    append(addition("a"))
    assert last_of_many(keeper) == 0
    held_by = holders(keeper.connection)[0]
    user = psycopg.conninfo.conninfo_to_dict(database.superuser)["user"]
    assert held_by[:4] == (elsewhere.info.backend_pid, "postgres", user, "payroll")
    elsewhere.rollback()
    assert last_of_many(keeper) == 1


def test_a_transaction_that_ended_before_anything_was_written_holds_nothing(keeper, elsewhere):
    elsewhere.execute("SELECT pg_current_xact_id()")
    elsewhere.rollback()
    append(addition("a"))
    assert last_of_many(keeper) == 1


def test_a_transaction_that_began_after_the_position_was_drawn_does_not_hold_it(keeper, elsewhere):
    append(addition("a"))
    keeper.poll()
    elsewhere.execute("SELECT pg_current_xact_id()")
    append(addition("b"))
    assert last_of_many(keeper) == 1
    elsewhere.rollback()
    assert last_of_many(keeper) == 2


def test_what_is_remembered_does_not_grow_without_end_while_the_mark_is_held(keeper, elsewhere):
    elsewhere.execute("SELECT pg_current_xact_id()")
    for number in range(PENDING_MAX + 20):
        append(addition(f"s{number}"))
        keeper.poll()
    assert len(keeper.pending) == PENDING_MAX
    assert keeper.mark == 0
    elsewhere.rollback()
    assert last_of_many(keeper) == PENDING_MAX + 20


def test_a_keeper_that_starts_anew_goes_on_from_the_stored_mark(keeper, elsewhere, role_connection):
    append(addition("a"))
    last_of_many(keeper)
    elsewhere.execute("SELECT pg_current_xact_id()")
    append(addition("b"))
    keeper.poll()
    assert [pair.last for pair in keeper.pending] == [2]
    keeper.connection.close()
    successor = Keeper(role_connection("casino_app"))
    assert successor.mark == 1
    assert last_of_many(successor) == 1
    elsewhere.rollback()
    assert last_of_many(successor) == 2


def test_a_keeper_that_was_left_behind_takes_the_mark_that_others_have_reached(keeper, role_connection):
    append(addition("a"))
    keeper.poll()
    other = Keeper(role_connection("casino_app"))
    append(addition("b"))
    assert last_of_many(other) == 2
    assert last_of_many(keeper) == stored_mark() == 2


def test_the_mark_survives_the_keeper_and_lies_in_the_log(keeper, role_connection):
    append(addition("a", 0, "one", "two"))
    last_of_many(keeper)
    keeper.connection.close()
    assert stored_mark() == 2
    assert Keeper(role_connection("casino_app")).mark == 2
