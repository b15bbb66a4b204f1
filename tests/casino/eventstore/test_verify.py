"""A superuser switches the triggers off and takes out, puts in or rewrites: verify names the first event concerned.

Which event stands where says the fixture `sealed_log`.
"""

import json
from collections.abc import Callable, Iterator

import psycopg
import pytest
from django.core.management import call_command
from django.db import transaction

from casino.eventstore import store
from casino.eventstore.canonical import chain
from casino.eventstore.seals import parse_holes
from casino.eventstore.verify import Verdict, rows, verify
from tests.casino.eventstore.notes import addition, append, first

# ------------------------------------------------------------------------------------------------- a whole log


def test_an_untouched_log_is_whole_with_its_holes(sealed_log, role_connection):
    verdict = verify(role_connection("casino_app"))
    assert verdict == Verdict(events=9, streams=4, seals=2, sealed_to=9, faults=[])


def test_an_empty_log_is_whole(database, role_connection):
    assert verify(role_connection("casino_app")) == Verdict(0, 0, 0, 0, [])


def test_a_log_that_begins_and_ends_with_holes_is_whole(database, role_connection):
    for key in ("a", "b", "c"):
        with transaction.atomic():
            append(addition(key, 0, "never", "never"))
            transaction.set_rollback(True)
        append(addition(key))
        store.run("SELECT log.advance_mark(last_value) FROM log.event_position")
        store.run("SELECT log.seal(1)")
    with transaction.atomic():
        append(addition("z", 0, *["never"] * 5))
        transaction.set_rollback(True)
    store.run("SELECT log.advance_mark(last_value) FROM log.event_position")
    assert not store.run("SELECT log.seal(100)").fetchone()[0]
    verdict = verify(role_connection("casino_app"))
    assert (verdict.events, verdict.seals, verdict.sealed_to, verdict.faults) == (3, 3, 9, [])
    holes = [row[0] for row in store.run("SELECT holes FROM log.seal ORDER BY number")]
    assert [parse_holes(text) for text in holes] == [[(1, 3)], [(4, 6)], [(7, 9)]]


def test_appends_that_go_on_while_the_log_is_verified_are_no_fault(sealed_log, role_connection, at_once):
    verdicts = []

    def write() -> None:
        for number in range(60):
            append(addition(f"w{number}", 0, "one", "two"))

    def look() -> None:
        application = role_connection("casino_app")
        for _ in range(12):
            verdicts.append(verify(application))

    at_once(write, look)
    assert [verdict.faults for verdict in verdicts if verdict.faults] == []


# ------------------------------------------------------------------------------------------------- taken out


def test_an_event_taken_out_of_a_sealed_range_is_named(attack):
    for position in (1, 2, 3, 4, 5, 8, 9):
        verdict = attack(f"DELETE FROM log.event WHERE position = {position}")
        assert first(verdict) == position
        assert verdict.faults[0].message == f"Event {position} is missing: it was there when its range was sealed."


def test_a_range_taken_out_is_named_by_its_first_event(attack):
    assert first(attack("DELETE FROM log.event WHERE position BETWEEN 3 AND 8")) == 3
    assert first(attack("DELETE FROM log.event WHERE position >= 5")) == 5
    assert first(attack("DELETE FROM log.event")) == 1


def test_an_event_that_is_not_sealed_yet_is_missed_by_its_stream(attack):
    assert first(attack("DELETE FROM log.event WHERE position = 10")) == 10
    assert first(attack("DELETE FROM log.event WHERE position = 11")) == 11


def test_a_tail_cut_off_together_with_its_head_is_named(attack):
    """As if the stream had never gone further: the head is set back to the hash that the events still bear."""

    def cut(connection: psycopg.Connection, key: str, version: int) -> None:
        connection.execute(
            "DELETE FROM log.event WHERE version > %s AND stream_id = (SELECT id FROM log.stream WHERE key = %s)",
            [version, key],
        )
        connection.execute(
            """UPDATE log.stream s SET version = e.version, hash = e.hash FROM log.event e
                WHERE e.stream_id = s.id AND s.key = %s AND e.version = %s""",
            [key, version],
        )

    assert first(attack(lambda c: cut(c, "a", 3))) == 8
    assert first(attack(lambda c: cut(c, "a", 1))) == 2
    assert first(attack(lambda c: cut(c, "b", 1))) == 5


def test_a_whole_stream_taken_out_with_its_head_is_named(attack):
    def forget(connection: psycopg.Connection, key: str) -> None:
        connection.execute("DELETE FROM log.event WHERE stream_id = (SELECT id FROM log.stream WHERE key = %s)", [key])
        connection.execute("DELETE FROM log.stream WHERE key = %s", [key])

    assert first(attack(lambda c: forget(c, "a"))) == 1
    assert first(attack(lambda c: forget(c, "b"))) == 4
    assert first(attack(lambda c: forget(c, "c"))) == 9
    # Not sealed yet, but its command still says what it did.
    assert first(attack(lambda c: forget(c, "d"))) == 11


def test_a_head_taken_away_leaves_events_of_no_stream(attack):
    verdict = attack("DELETE FROM log.stream WHERE key = 'b'")
    assert verdict.faults[0] == (4, "Event 4 belongs to no stream.")


def test_a_command_taken_out_is_named_by_its_first_event(attack):
    for key, position in (("k1", 1), ("k2", 8), ("k4", 11)):
        verdict = attack(f"DELETE FROM log.command WHERE key = '{key}'")
        assert first(verdict) == position
        assert f"The command {key!r} of ana" in verdict.faults[0].message


def test_a_seal_taken_out_is_missed_even_if_it_was_the_last(attack):
    assert first(attack("DELETE FROM log.seal WHERE number = 1")) == 1
    verdict = attack("DELETE FROM log.seal WHERE number = 2")
    assert verdict.faults == [(6, "There were 2 seals, and now there are 1.")]
    assert first(attack("DELETE FROM log.seal")) == 1


# ------------------------------------------------------------------------------------------------- put in

PUT_IN = """
    INSERT INTO log.event
    SELECT {position}, stream_id, {version}, type, schema_version, gaming_date, table_code, round_no, seat, in_cents,
           out_cents, occurred_at, recorded_at, actor, command, correlation, source, source_seq, payload, hash
      FROM log.event WHERE position = {like}"""


def test_an_event_put_into_a_hole_of_a_sealed_range_is_named(attack):
    verdict = attack(PUT_IN.format(position=7, version=5, like=8))
    assert first(verdict) == 7
    assert "Event 7 was put in after its range was sealed." in [fault.message for fault in verdict.faults]


def test_an_event_put_in_at_the_end_is_named(attack):
    assert first(attack(PUT_IN.format(position=12, version=2, like=11))) == 12
    assert first(attack(PUT_IN.format(position=12, version=7, like=11))) == 12


def test_a_stream_put_in_with_a_chain_of_its_own_is_named_where_the_range_was_sealed(attack):
    def put_in(connection: psycopg.Connection, position: int) -> None:
        connection.execute(
            "INSERT INTO log.stream (key, version, hash, gaming_date) VALUES ('forged', 1, '', '2026-11-29')"
        )
        connection.execute(PUT_IN.format(position=position, version=900, like=4))
        connection.execute(
            """UPDATE log.event SET version = 1, stream_id = (SELECT id FROM log.stream WHERE key = 'forged')
                WHERE position = %s""",
            [position],
        )
        rechain(connection, "forged")

    assert first(attack(lambda c: put_in(c, 6))) == 6


def test_a_command_put_in_is_named(attack):
    verdict = attack("INSERT INTO log.command VALUES ('mallory', 'k', 'content', 4, 5)")
    assert verdict.faults == [(4, "The events of the command 'k' are gone, or it was put in.")]


# ------------------------------------------------------------------------------------------------- rewritten


def rechain(connection: psycopg.Connection, key: str) -> None:
    """Compute a stream's whole chain anew, and its head, as an attacker would who knows how."""
    with connection.transaction():
        found = [row for row in rows(connection) if row.key == key]
    before = b""
    for row in found:
        before = chain(before, row)
        connection.execute("UPDATE log.event SET hash = %s WHERE position = %s", [before, row.position])
    connection.execute("UPDATE log.stream SET version = %s, hash = %s WHERE key = %s", [len(found), before, key])


def test_two_payloads_swapped_are_named_by_the_first(attack):
    swap = """UPDATE log.event e SET payload = o.payload FROM log.event o
               WHERE (e.position, o.position) IN (({0}, {1}), ({1}, {0}))"""
    assert first(attack(swap.format(2, 3))) == 2
    assert first(attack(swap.format(3, 9))) == 3
    assert first(attack(swap.format(10, 11))) == 10


def test_two_events_that_changed_places_are_named_by_the_first(attack):
    verdict = attack(
        "UPDATE log.event SET version = 900 WHERE position = 2",
        "UPDATE log.event SET version = 2 WHERE position = 3",
        "UPDATE log.event SET version = 3 WHERE position = 2",
    )
    assert first(verdict) == 2


def test_a_hash_computed_anew_for_one_event_breaks_the_next(attack):
    def rewrite(connection: psycopg.Connection) -> None:
        connection.execute(
            """UPDATE log.event SET payload = '{"cents":1,"seat":null,"text":"two"}' WHERE position = 2"""
        )
        with connection.transaction():
            one, two, *_ = rows(connection)
        connection.execute("UPDATE log.event SET hash = %s WHERE position = 2", [chain(one.hash, two)])

    assert first(attack(rewrite)) == 3


@pytest.mark.parametrize(("position", "key", "named"), [(2, "a", 1), (5, "b", 1), (9, "c", 6)])
def test_a_chain_rewritten_from_end_to_end_with_its_head_is_told_by_the_seal_of_its_range(attack, position, key, named):
    verdict = attack(
        f"UPDATE log.event SET in_cents = 1 WHERE position = {position}", lambda connection: rechain(connection, key)
    )
    assert first(verdict) == named
    span = "1 to 5" if named == 1 else "6 to 9"
    assert f"doesn't fit the hashes of events {span}." in verdict.faults[0].message


def test_seals_made_anew_over_a_rewritten_range_do_not_fit_the_next_one(attack, attacker):
    def reseal(connection: psycopg.Connection) -> None:
        connection.execute("UPDATE log.event SET in_cents = 1 WHERE position = 5")
        rechain(connection, "b")
        connection.execute("DELETE FROM log.seal WHERE number = 1")
        connection.execute("CREATE TEMPORARY TABLE later AS TABLE log.seal")
        connection.execute("DELETE FROM log.seal")
        connection.execute("UPDATE log.horizon SET mark = 5")
        connection.execute("SELECT log.seal(100)")
        connection.execute("INSERT INTO log.seal TABLE later")
        connection.execute("UPDATE log.horizon SET seals = 2")

    verdict = attack(reseal)
    assert verdict.faults == [(6, "Seal 2 is missing or does not continue the one before it.")]


# ------------------------------------------------------------------------------------------------- the horizon


def test_a_mark_beyond_the_last_position_is_named(attack):
    verdict = attack("UPDATE log.horizon SET mark = 500")
    assert first(verdict) == 12
    assert "beyond position 11" in verdict.faults[0].message
    assert first(attack("DELETE FROM log.horizon")) == 1


# ------------------------------------------------------------------------------------------------- the command


@pytest.fixture
def said(capsys) -> Iterator[Callable[..., tuple[int, str]]]:
    """The exit status and the words of `manage.py verify`."""

    def run(*arguments: str) -> tuple[int, str]:
        status = 0
        try:
            call_command("verify", *arguments)
        except SystemExit as ended:
            status = int(ended.code or 0)
        return status, capsys.readouterr().out

    return run


def test_the_command_says_that_the_log_is_whole(sealed_log, said):
    assert said() == (0, "The log is whole: 9 events in 4 streams, 2 seals up to 9.\n")
    status, words = said("--json")
    assert status == 0
    assert json.loads(words) == {
        "ok": True, "events": 9, "streams": 4, "seals": 2, "sealed_to": 9, "first_bad_position": None, "faults": []
    }  # fmt: skip


def test_the_command_names_the_first_bad_position_and_ends_with_1(attacker, said):
    attacker.execute("UPDATE log.event SET out_cents = 5 WHERE position IN (3, 5)")
    status, words = said()
    assert status == 1
    assert "THE LOG DOES NOT FIT, first at position 3." in words
    status, words = said("--json")
    verdict = json.loads(words)
    assert status == 1
    assert not verdict["ok"]
    assert verdict["first_bad_position"] == 3
    assert [fault["position"] for fault in verdict["faults"]] == [3, 5]
