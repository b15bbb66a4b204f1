"""Settlement under faults of its own process and of the database: once for every round, whatever dies."""

import random
import threading
from collections import Counter

import pytest
from django.db import connection, connections

from casino.commands import rounds, settlement
from casino.eventstore import store
from casino.games.game import CardEntry
from casino.keys import round_of
from casino.round.betting import Asked
from tests.faults.conftest import Floor, due, settlements, wait_until, waiting

pytestmark = pytest.mark.faults


def a_due_stream() -> str:
    return str(store.run("SELECT stream FROM log.due ORDER BY id DESC LIMIT 1").fetchone()[0])


def test_settling_again_finds_nothing_to_do(floor, prove):
    floor.play(5)
    assert settlement.settle_due() == 5
    before = store.run("SELECT count(*) FROM log.event").fetchone()
    assert [settlement.settle_due() for _ in range(3)] == [0, 0, 0]
    assert store.run("SELECT count(*) FROM log.event").fetchone() == before
    prove(floor)


@pytest.mark.parametrize("limit", [1, 3, 50])
def test_many_settlers_on_the_same_rows_settle_each_round_once(floor, prove, at_once, limit):
    floor.play(24)
    dealt: list[int] = []
    at_once(*[lambda: dealt.append(settlement.settle_due(limit))] * 4)
    assert sum(dealt) == 24
    prove(floor)


def test_two_settlers_at_the_two_phases_of_one_round_settle_each_phase_once(floor, prove, at_once):
    """The roulette phase is due with the second card and the rest with the last: two rows, taken by two settlers."""
    chance = random.Random(54)
    for code in floor.codes:
        floor_round(floor, code)
    assert due() == 2 * len(floor.codes)
    at_once(*[lambda: settlement.settle_due(chance.choice([1, 2]))] * 4)
    settlement.settle_due()
    prove(floor)


def floor_round(floor: Floor, code: str) -> None:
    """A round played card by card, with nobody settling in between."""
    done = rounds.open_round(floor.order(), code)
    round_id = round_of(store.key_at(done.position))
    rounds.place_wagers(floor.order(), round_id, [Asked(1, "colour:red", 500), Asked(1, "straight_flush", 100)])
    rounds.close_bets(floor.order(), round_id)
    for card in ("As", "Kd", "9c", "4h", "2s"):
        rounds.record_cards(floor.order(), round_id, [CardEntry(card)])
    floor.finished += 1


def test_a_round_that_moved_while_it_was_settled_is_settled_on_the_new_cards(floor, prove, at_once, hold, superuser):
    """The settler has read the round and waits at its head, where the last cards come in first."""
    done = rounds.open_round(floor.order(), "R-01")
    round_id = round_of(store.key_at(done.position))
    rounds.place_wagers(floor.order(), round_id, [Asked(1, "colour:red", 500)])
    rounds.close_bets(floor.order(), round_id)
    rounds.record_cards(floor.order(), round_id, [CardEntry("As"), CardEntry("Kd")])
    floor.finished += 1
    floor.play(3, "R-02")
    holder = hold(store.key_at(done.position))

    def deal_the_rest() -> None:
        wait_until(lambda: len(waiting(superuser)) == 1, "the settler waits")
        holder.rollback()
        rounds.record_cards(floor.order(), round_id, [CardEntry(card) for card in ("9c", "4h", "2s")])

    at_once(settlement.settle_due, deal_the_rest)
    settlement.settle_due()
    prove(floor)


def test_a_settler_cut_off_between_claim_and_commit_has_done_nothing_and_the_next_one_does_it(
    floor, prove, at_once, hold, superuser
):
    floor.play(6)
    holder = hold(a_due_stream())

    def settle() -> None:
        """What a worker does: the task fails or not, and the beat comes again."""
        for _ in range(3):
            settlement.settle_due()
            connection.close()

    def cut_off() -> None:
        wait_until(lambda: waiting(superuser), "the settler waits")
        assert set(settlements().values()) == {(0, 0)}
        for pid in waiting(superuser):
            superuser.execute("SELECT pg_terminate_backend(%s, 10000)", [pid])
        holder.rollback()

    at_once(settle, cut_off)
    prove(floor)
    assert store.run("SELECT count(*) FROM log.due").fetchone() == (0,)


def test_a_settler_whose_statement_is_cancelled_sets_nothing_aside(floor, prove, at_once, hold, superuser):
    floor.play(3)
    holder = hold(a_due_stream())

    gave_up = threading.Event()

    def settle() -> None:
        settlement.settle_due()
        gave_up.set()

    def cancel() -> None:
        """The batch, then the round alone, as often as it is tried."""
        while not gave_up.is_set():
            for pid in waiting(superuser):
                superuser.execute("SELECT pg_cancel_backend(%s)", [pid])

    at_once(settle, cancel)
    assert due() == 1
    assert Counter(settlements().values()) == {(1, 2): 2, (0, 0): 1}
    holder.rollback()
    assert settlement.settle_due() == 1
    prove(floor)


def test_a_round_that_others_hold_is_left_and_the_rest_is_settled(floor, prove, superuser):
    """SKIP LOCKED: a settler that hangs does not stop the others."""
    floor.play(4)
    own = connections.create_connection("default")
    own.set_autocommit(False)
    with own.cursor() as cursor:
        cursor.execute("SELECT stream FROM log.claim_due('settle', 1)")
    assert settlement.settle_due() == 3
    assert settlement.settle_due() == 0
    own.rollback()
    own.close()
    assert settlement.settle_due() == 1
    prove(floor)


# ------------------------------------------------------------------------------------------------- poison


@pytest.mark.parametrize(
    ("change", "error"),
    [
        ("UPDATE log.event SET payload = '{\"broken\":1}'", "ValidationError: "),
        ("UPDATE log.event SET payload = 'not JSON'", "DecodeError: "),
        ("UPDATE log.event SET type = 'unheard_of'", "UnknownEvent: "),
        ("UPDATE log.event SET schema_version = 9", "UnknownEvent: "),
        ("DELETE FROM log.event", "BrokenStream: "),
    ],
)
def test_a_poisoned_round_is_set_aside_with_its_reason_and_settled_once_it_is_mended(
    floor, prove, poison, caplog, change, error
):
    floor.play(7)
    key = a_due_stream()
    put_right = poison(key, change)
    assert settlement.settle_due() == 7
    assert Counter(settlements().values()) == {(1, 2): 6, (0, 0): 1}
    (row,) = store.run("SELECT id, stream, error, set_aside_at FROM log.due").fetchall()
    assert row.stream == key
    assert row.error.startswith(error)
    assert row.set_aside_at is not None
    assert f"Round {key} could not be settled and is set aside." in caplog.text
    assert settlement.settle_due() == 0
    store.run("SELECT log.retry_due(%s)", (row.id,))
    assert settlement.settle_due() == 1  # tried again, and set aside again
    put_right()
    store.run("SELECT log.retry_due(%s)", (row.id,))
    assert settlement.settle_due() == 1
    prove(floor)


@pytest.mark.parametrize("fault", ["XX000", "XX001", "53200", "42883"])
def test_a_fault_of_the_database_sets_no_round_aside(floor, prove, superuser, fault):
    """Internal error, corrupted data, out of memory, a function that is not there: none is the round's own."""
    floor.play(3)
    superuser.execute(f"""
        CREATE FUNCTION log.fail() RETURNS trigger LANGUAGE plpgsql
            AS $$ BEGIN RAISE EXCEPTION 'The server fails.' USING ERRCODE = '{fault}'; END $$""")
    superuser.execute("""
        CREATE TRIGGER fails BEFORE INSERT ON log.event FOR EACH ROW WHEN (NEW.type = 'wagers_settled')
            EXECUTE FUNCTION log.fail()""")
    superuser.execute("ALTER TABLE log.event ENABLE ALWAYS TRIGGER fails")
    assert settlement.settle_due() == 0
    assert due() == 3
    superuser.execute("DROP TRIGGER fails ON log.event")
    assert settlement.settle_due() == 3
    prove(floor)


def test_poisoned_rounds_in_front_do_not_starve_those_behind(floor, prove, superuser):
    floor.play(8)
    superuser.execute("ALTER TABLE log.event DISABLE TRIGGER ALL")
    superuser.execute("CREATE TABLE saved AS SELECT * FROM log.event WHERE type = 'bets_closed' AND round_no = 1")
    superuser.execute("UPDATE log.event SET payload = '{}' WHERE type = 'bets_closed' AND round_no = 1")
    settlement.settle_due(2)
    assert Counter(settlements().values()) == {(1, 2): 4, (0, 0): 4}
    superuser.execute("UPDATE log.event e SET payload = s.payload FROM saved s WHERE s.position = e.position")
    store.run("SELECT log.retry_due(id) FROM log.due")
    settlement.settle_due(2)
    prove(floor)
