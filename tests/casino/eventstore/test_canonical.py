"""The bytes that are hashed: fixed by golden vectors, and the same from Python as from the database."""

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from hashlib import sha256

import psycopg
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from casino.eventstore import store
from casino.eventstore.canonical import Row, canonical, chain, micros, own, shared
from casino.eventstore.store import Addition, Command, Origin
from casino.eventstore.verify import rows
from tests.casino.eventstore.notes import AT, DAY, Noted, addition, append

FULL = Row(
    position=4711, key="demo/round/R-01/2026-11-29/00017", version=3, type="wager_placed", schema_version=2,
    gaming_day=20_786, table_code="R-01", round_no=17, seat=5, in_cents=60_000, out_cents=0,
    occurred_us=1_796_073_300_123_456, recorded_us=1_796_073_300_200_000, actor="ana", command="k-1",
    content="place_wagers|wagers=0123456789abcdef", first_position=4709, last_position=4712, correlation="shoe 8",
    source="terminal", source_seq=12, payload='{"stake_cents":60000}', hash=b"",
)  # fmt: skip
BARE = Row(
    position=1, key="k", version=1, type="t", schema_version=1, gaming_day=0, table_code=None, round_no=None, seat=None,
    in_cents=0, out_cents=-1, occurred_us=0, recorded_us=1, actor="a", command=None, content=None, first_position=None,
    last_position=None, correlation=None, source="s", source_seq=None, payload="{}", hash=b"",
)  # fmt: skip
VECTORS = {
    "all fields": (
        FULL,
        b"1|20786|17|1796073300200000|4709|4712"
        b"|32:demo/round/R-01/2026-11-29/000174:R-013:ana3:k-136:place_wagers|wagers=0123456789abcdef"
        b"6:shoe 88:terminal",
        b'1|4711|3|2|5|60000|0|1796073300123456|12|12:wager_placed21:{"stake_cents":60000}',
        "a9f5840934354b1175daba0b6b14b21fbec46104248e6a35ba46a09899be7afc",
        "17a27f7c3c2985f3a63b2a08bf116f55f00c66fb1b7fdf31b2b931a62d953dda",
    ),
    "only what must be": (
        BARE,
        b"1|0||1|||1:k~1:a~~~1:s",
        b"1|1|1|1||0|-1|0||1:t2:{}",
        "831e4f24a40d05bbdefe78bd308a19c3dbff24d4188f00c12c7fd806df901806",
        "9745e63c48695439230b50625fb65df01f9094a8a5196773ff484c0e80f0a455",
    ),
    "letters counted in bytes": (
        BARE._replace(key="Zoë", actor="東京", payload='{"a":"♠"}'),
        "1|0||1|||4:Zoë~6:東京~~~1:s".encode(),
        '1|1|1|1||0|-1|0||1:t11:{"a":"♠"}'.encode(),
        "acbf9e93de9cc17521bc6060e5edcd45ec373cf4d8c753dfea10031b51148219",
        "e684351eb4fda11aefc74b26953e8e7913d330a9c35a36d97873dd955e0e83cf",
    ),
    "separators inside texts": (
        BARE._replace(table_code="~", command="|3:x", content="\x1f", payload="1:{}|"),
        b"1|0||1|||1:k1:~1:a4:|3:x1:\x1f~1:s",
        b"1|1|1|1||0|-1|0||1:t5:1:{}|",
        "4e9c07c4b6e59b7e34ca267fd8c75523e56f335e6db88d12369fbe35caa3ed11",
        "56fb162c66e25722355832518f957b496f14a682933753bb7a4e9d411679bd06",
    ),
}


@pytest.mark.parametrize(("row", "in_common", "its_own", "first", "later"), VECTORS.values(), ids=VECTORS)
def test_the_canonical_bytes_and_their_hashes_are_these_for_ever(row, in_common, its_own, first, later):
    assert shared(row) == in_common
    assert own(row) == its_own
    assert canonical(row) == sha256(in_common).digest() + its_own
    assert chain(b"", row).hex() == first
    assert chain(bytes.fromhex("ab" * 32), row).hex() == later


def test_a_hash_is_the_sha_256_of_the_hash_before_and_the_bytes():
    assert chain(b"before", FULL) == sha256(b"before" + canonical(FULL)).digest()


@pytest.mark.parametrize("field", [field for field in Row._fields if field != "hash"])
def test_no_field_can_change_without_the_bytes_changing(field):
    value = getattr(FULL, field)
    for other in (value + 1,) if isinstance(value, int) else (value + " ", value[:-1], "x" + value[1:]):
        assert canonical(FULL._replace(**{field: other})) != canonical(FULL)
    assert canonical(FULL._replace(hash=b"x")) == canonical(FULL)


@pytest.mark.parametrize("field", ["table_code", "command", "content", "correlation"])
def test_an_absent_text_is_not_an_empty_one(field):
    assert canonical(FULL._replace(**{field: None})) != canonical(FULL._replace(**{field: ""}))


@given(st.lists(st.text(st.characters(exclude_categories=["Cs"]), max_size=4), min_size=2, max_size=2), st.data())
def test_texts_side_by_side_can_not_be_cut_in_another_place(texts, data):
    together = "".join(texts)
    cut = data.draw(st.integers(0, len(together)))
    other = BARE._replace(actor=together[:cut], source=together[cut:])
    one = BARE._replace(actor=texts[0], source=texts[1])
    assert (canonical(one) == canonical(other)) == (one == other)


def test_microseconds_are_counted_in_whole_numbers_on_both_sides_of_1970():
    assert micros(datetime(1970, 1, 1, tzinfo=UTC)) == 0
    assert micros(datetime(1969, 12, 31, 23, 59, 59, 999_999, tzinfo=UTC)) == -1
    assert micros(datetime(9999, 12, 31, 23, 59, 59, 999_999, tzinfo=UTC)) == 253_402_300_799_999_999


# ------------------------------------------------------------------------------------------------- the database


@pytest.fixture
def read(role_connection) -> Callable[[], list[Row]]:
    """All of the log, as verify reads it."""
    connection: psycopg.Connection = role_connection("casino_app")

    def read() -> list[Row]:
        with connection.transaction():
            return list(rows(connection))

    return read


def assert_chained(read_rows: list[Row]) -> None:
    before: dict[str, bytes] = {}
    for row in read_rows:
        assert chain(before.get(row.key, b""), row) == row.hash
        before[row.key] = row.hash


AWKWARD = ["", "Zoë 東京 ♠", "\x1f", "\x01\x7f", "~", "|1:", "\\", '"', "\u2028\u202e", "🂡", "x" * 100_000]


def test_the_database_hashes_awkward_texts_as_python_does(database, read):
    for number, text in enumerate(AWKWARD):
        origin = Origin(text, text, source_seq=number, correlation=text, commands=[Command(text, text, text)])
        one = Addition(f"key {text[:1000]}", 0, DAY, [Noted(text=text, seat=number)], AT, table=text, round_no=number)
        store.append(origin, [one])
    found = read()
    assert [row.source for row in found] == AWKWARD
    assert [row.content for row in found] == AWKWARD
    assert_chained(found)


def test_the_database_hashes_rows_with_nothing_in_them_as_python_does(database, read):
    append(addition("a"), addition("b"))
    (one, other) = read()
    absent = ("table_code", "round_no", "seat", "command", "content", "first_position", "correlation", "source_seq")
    assert [getattr(one, field) for field in absent] == [None] * len(absent)
    assert_chained([one, other])


def test_the_second_event_of_a_stream_builds_on_the_first_in_one_append_and_in_two(database, read):
    append(addition("a", 0, "1", "2"), addition("b", 0, "1"))
    append(addition("b", 1, "2", "3"), addition("a", 2, "3"))
    found = read()
    assert [(row.key, row.version) for row in found] == [("a", 1), ("a", 2), ("b", 1), ("b", 2), ("b", 3), ("a", 3)]
    assert_chained(found)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), max_size=50),
    st.integers(-(10**15), 10**15),
    st.one_of(st.none(), st.integers(0, 32_767)),
    st.timedeltas(timedelta(days=-40_000), timedelta(days=300_000)),
)
def test_whatever_is_appended_the_database_hashes_it_as_python_does(database, read, text, cents, seat, later):
    at = AT + later
    one = addition("a", store.version_of("a"), text)
    noted = [Noted(text=text, cents=cents, seat=seat), Noted(text=text)]
    store.append(
        Origin(text, "test", correlation=text),
        [replace(one, gaming_date=at.date(), events=noted, occurred_at=[at, at + timedelta(microseconds=1)])],
    )
    assert_chained(read())
