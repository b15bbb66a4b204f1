"""A superuser alters one column after another, of every table of the record: verify names the first event concerned.

Which event stands where says the fixture `sealed_log`.
"""

import psycopg
import pytest

from tests.casino.eventstore.notes import first

NEW = {
    "bigint": "{0} + 1000000",
    "integer": "{0} + 1000000",
    "smallint": "{0} + 100",
    "text": "coalesce({0}, '') || ' '",
    "date": "{0} + 1",
    "timestamp with time zone": "{0} + interval '1 microsecond'",
    "bytea": "{0} || 'x'::bytea",
}
GIVEN = {"table_code": "'R-01'", "round_no": "1", "seat": "1", "source_seq": "1", "correlation": "'x'"}


def columns(connection: psycopg.Connection, table: str) -> list[tuple[str, str]]:
    return connection.execute(
        """SELECT attname, format_type(atttypid, NULL) FROM pg_attribute
            WHERE attrelid = %s::regclass AND attnum > 0 AND NOT attisdropped""",
        [f"log.{table}"],
    ).fetchall()


@pytest.mark.parametrize("position", [2, 8, 11])
def test_no_column_of_an_event_can_be_altered(attack, attacker, position):
    for name, kind in columns(attacker, "event"):
        value = GIVEN.get(name) or NEW[kind].format(name)
        verdict = attack(f"UPDATE log.event SET {name} = {value} WHERE position = {position}")
        moved_away = name in ("position", "stream_id") and position == 11
        assert first(verdict) == (1_000_011 if name == "position" and moved_away else position), name


@pytest.mark.parametrize("position", [2, 11])
def test_nothing_of_an_event_can_be_emptied_or_made_endless(attack, position):
    for change in ("payload = ''", "actor = ''", "command = NULL", "hash = ''", "source = ''", "in_cents = -1"):
        assert first(attack(f"UPDATE log.event SET {change} WHERE position = {position}")) == position, change
    for change in ("gaming_date", "occurred_at", "recorded_at"):
        assert first(attack(f"UPDATE log.event SET {change} = 'infinity' WHERE position = {position}")) == position


@pytest.mark.parametrize(("key", "position"), [("k1", 1), ("k2", 8), ("k4", 11)])
def test_no_column_of_a_command_can_be_altered(attack, attacker, key, position):
    for name, kind in columns(attacker, "command"):
        verdict = attack(f"UPDATE log.command SET {name} = {NEW[kind].format(name)} WHERE key = '{key}'")
        assert first(verdict) == position, name


@pytest.mark.parametrize(("key", "last"), [("a", 8), ("c", 9), ("d", 11)])
def test_no_column_of_a_head_can_be_altered(attack, attacker, key, last):
    for name, kind in columns(attacker, "stream"):
        value = "version - 1" if name == "version" else NEW[kind].format(name)
        verdict = attack(f"UPDATE log.stream SET {name} = {value} WHERE key = '{key}'")
        whole_stream = name in ("id", "key")
        assert first(verdict) == ({"a": 1, "c": 9, "d": 11}[key] if whole_stream else last), name
    assert first(attack(f"UPDATE log.stream SET gaming_date = 'infinity' WHERE key = '{key}'")) == last


@pytest.mark.parametrize(("number", "position"), [(1, 1), (2, 6)])
def test_no_column_of_a_seal_can_be_altered(attack, attacker, number, position):
    for name, kind in columns(attacker, "seal"):
        verdict = attack(f"UPDATE log.seal SET {name} = {NEW[kind].format(name)} WHERE number = {number}")
        assert first(verdict) == position, name
    assert first(attack(f"UPDATE log.seal SET sealed_at = 'infinity' WHERE number = {number}")) == position
    assert first(attack(f"UPDATE log.seal SET holes = '{{}}' WHERE number = {number}")) == (6 if number == 2 else None)
