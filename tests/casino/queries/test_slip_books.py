"""The sequence check finds what the commands can't make: a missing number, one without a paper, a paper without one."""

from datetime import UTC, date, datetime
from itertools import count
from typing import Any

import pytest

from casino.commands.order import Order
from casino.commands.slips import load_transfer, prepare_slip, request_transfer, sign_slip, void_slip
from casino.commands.tables import open_table, set_up_table
from casino.eventstore import store
from casino.eventstore.follower import catch_up
from casino.eventstore.store import Addition, Origin
from casino.keys import TransferId, session_of, slip_book_key
from casino.queries.slip_books import sequence_check
from casino.roles import CAGE, DEALER, FLOOR, SECURITY
from casino.serials import Book
from casino.slip_events import SlipNumbered, SlipPrepared
from casino.slips import Person
from tests.counts import counted

serial = count(1)
ANA, CARA = Person("ana", frozenset({FLOOR})), Person("cara", frozenset({CAGE}))
SIGNERS = [CARA, *(Person(role, frozenset({role})) for role in (SECURITY, DEALER, FLOOR))]


def order() -> Order:
    return Order("test", f"book-{next(serial)}", datetime.now(UTC))


def prepared(code: str = "R-01") -> TransferId:
    done = request_transfer(order(), code, "fill", {"10000": 500_000}, ANA)
    slip = TransferId(code, *session_of(store.key_at(done.position)), done.events[-1].transfer)  # type: ignore[attr-defined]
    prepare_slip(order(), slip, CARA)
    return slip


@pytest.fixture
def three(database: Any) -> list[TransferId]:
    """Three fill slips: complete, void and open."""
    set_up_table(order(), "R-01", game="54-card-roulette")
    open_table(order(), "R-01", counted(5_000_000), "Ana Ortiz")
    slips = [prepared() for _ in range(3)]
    for signer in SIGNERS:
        sign_slip(order(), slips[0], signer)
    void_slip(order(), slips[1], ANA, CARA, "Torn")
    return slips


def fill_book(day: date) -> Book:
    catch_up()
    return next(book for book in sequence_check(day) if book.name.startswith("fill/"))


def append(key: str, day: date, event: Any) -> None:
    """Past the commands, as nobody can through the product."""
    store.append(Origin("intruder", "test"), [Addition(key, store.version_of(key), day, [event], datetime.now(UTC))])


def number(n: int, session: str) -> SlipNumbered:
    return SlipNumbered(serial=n, document="fill", table="R-01", session=session)


def test_a_day_of_slips_is_in_order_with_its_void_and_open_numbers(three: list[TransferId]) -> None:
    book = fill_book(three[0].gaming_date)
    assert [(line.serial, line.state) for line in book.lines] == [(1, "used"), (2, "void"), (3, "open")]
    assert (book.used, book.void, book.open) == (3, [2], [3])
    assert (book.missing, book.unmatched, book.is_in_order) == ([], [], True)


def test_a_day_without_slips_has_no_books(three: list[TransferId]) -> None:
    catch_up()
    assert sequence_check(date(2020, 1, 1)) == []


def test_a_number_that_was_skipped_is_missing(three: list[TransferId]) -> None:
    loaded, day = load_transfer(three[0]), three[0].gaming_date
    append(slip_book_key("demo", f"fill/{day.year}"), day, number(6, loaded.key))
    book = fill_book(day)
    assert (book.missing, book.unmatched, book.is_in_order) == ([4, 5], [6], False)


def test_a_number_without_a_paper_is_unmatched(three: list[TransferId]) -> None:
    day = three[0].gaming_date
    append(slip_book_key("demo", f"fill/{day.year}"), day, number(4, load_transfer(three[0]).key))
    assert fill_book(day).unmatched == [4]


def test_a_number_given_twice_is_unmatched(three: list[TransferId]) -> None:
    day = three[0].gaming_date
    append(slip_book_key("demo", f"fill/{day.year}"), day, number(2, load_transfer(three[0]).key))
    assert fill_book(day).unmatched == [2]


def test_a_paper_that_no_book_knows_is_unmatched(three: list[TransferId]) -> None:
    loaded, day = load_transfer(three[0]), three[0].gaming_date
    request_transfer(order(), "R-01", "fill", {"10000": 500_000}, ANA)
    paper = SlipPrepared(
        table="R-01", kind="fill", transfer=4, book=f"fill/{day.year}", serial=77, denominations={"10000": 500_000},
        total_cents=500_000, by="cara",
    )  # fmt: skip
    append(loaded.key, day, paper)
    assert fill_book(day).unmatched == [77]
