"""Fills and credits against the real log: unbroken numbers under many hands, keys that come twice, tables that wait."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from django.db import connections

from casino import profile
from casino.commands.order import Done, Order
from casino.commands.slips import (
    load_transfer,
    prepare_slip,
    request_transfer,
    sign_slip,
    void_slip,
    withdraw_request,
)
from casino.commands.tables import close_table, load_table, open_table, set_up_table
from casino.eventstore import store
from casino.keys import TransferId, session_of, slip_book_key
from casino.refusal import Refused
from casino.slip_events import SlipNumbered
from casino.slips import Person
from tests.counts import counted

serial = count(1)
CHIPS = {"10000": 500_000, "2500": 250_000}
ANA, EVE = Person("ana", frozenset({"floor"})), Person("eve", frozenset({"floor"}))
CARA = Person("cara", frozenset({"cage"}))
SIGNERS = {
    "cage": CARA,
    "security": Person("sam", frozenset({"security"})),
    "dealer": Person("dan", frozenset({"dealer"})),
    "floor": EVE,
}


def order(by: str = "test", key: str = "") -> Order:
    return Order(by, key or f"key-{next(serial)}", datetime.now(UTC))


@pytest.fixture
def table(database: Any) -> str:
    return opened("R-01")


def opened(code: str) -> str:
    set_up_table(order(), code, game="54-card-roulette")
    open_table(order(), code, counted(5_000_000), "Ana Ortiz")
    return code


def requested(table: str, kind: Any = "fill", chips: dict[str, int] = CHIPS) -> TransferId:
    done = request_transfer(order(), table, kind, chips, ANA)
    day, session = session_of(store.key_at(done.position))
    return TransferId(table, day, session, done.events[-1].transfer)  # type: ignore[attr-defined]


def prepared(table: str, kind: Any = "fill") -> TransferId:
    slip = requested(table, kind)
    prepare_slip(order(), slip, CARA)
    return slip


def book(name: str) -> list[SlipNumbered]:
    return [recorded.event for recorded in store.load(slip_book_key("demo", name)).events]


def in_threads(*deeds: Callable[[], Done]) -> list[Done | str]:
    """All at once, each on a connection of its own; what was done, or the code of the refusal, for each."""

    def one(deed: Callable[[], Done]) -> Done | str:
        try:
            return deed()
        except Refused as refusal:
            return refusal.code
        finally:
            connections.close_all()

    with ThreadPoolExecutor(len(deeds)) as pool:
        return list(pool.map(one, deeds))


def refused(deed: Callable[[], object]) -> Refused:
    with pytest.raises(Refused) as caught:
        deed()
    return caught.value


def test_a_fill_from_request_to_tray_leaves_its_paper_in_the_log(table: str) -> None:
    slip = prepared(table)
    year = slip.gaming_date.year
    for role in ("cage", "security", "dealer", "floor"):
        sign_slip(order(), slip, SIGNERS[role], role)
    loaded = load_transfer(slip)
    assert loaded.transfer.state == "complete"
    assert [signed.by for signed in loaded.transfer.signatures] == ["cara", "sam", "dan", "eve"]
    for name in ("request", "fill"):
        numbered = SlipNumbered(serial=1, document=name, table=table, session=loaded.key)
        assert book(f"{name}/{year}") == [numbered]
    assert loaded.transfer.slip is not None
    assert (loaded.transfer.slip.book, loaded.transfer.slip.serial) == (f"fill/{year}", 1)


def test_slips_prepared_at_once_have_numbers_without_a_gap_and_none_twice(database: Any) -> None:
    """Twelve tables' slips in twelve threads: every number from 1 on is on one slip, and the book says which."""
    slips = [requested(opened(f"R-{n:02d}")) for n in range(1, 13)]
    answers = in_threads(*(lambda slip=slip: prepare_slip(order(), slip, CARA) for slip in slips))
    assert [answer for answer in answers if isinstance(answer, str)] == []
    on_slips = {load_transfer(slip).transfer.slip.serial: load_transfer(slip).key for slip in slips}  # type: ignore[union-attr]
    numbered = book(f"fill/{slips[0].gaming_date.year}")
    assert [one.serial for one in numbered] == list(range(1, 13))
    assert {one.serial: one.session for one in numbered} == on_slips


def test_requests_made_at_once_at_one_table_are_numbered_on(table: str) -> None:
    answers = in_threads(*(lambda: request_transfer(order(), table, "fill", CHIPS, ANA),) * 6)
    assert [answer for answer in answers if isinstance(answer, str)] == []
    session = load_table(table).session
    assert session is not None
    assert [t.requested.serial for _, t in sorted(session.transfers.items())] == [1, 2, 3, 4, 5, 6]
    assert sorted(session.transfers) == [1, 2, 3, 4, 5, 6]


def test_a_slip_prepared_by_two_cashiers_at_once_has_one_number(table: str) -> None:
    slip = requested(table)
    answers = in_threads(*(lambda: prepare_slip(order(), slip, CARA),) * 5)
    assert sorted(answer for answer in answers if isinstance(answer, str)) == ["slip_prepared"] * 4
    assert [one.serial for one in book(f"fill/{slip.gaming_date.year}")] == [1]


def test_a_refused_slip_takes_no_number(table: str) -> None:
    slip = requested(table)
    refused(lambda: prepare_slip(order(), slip, CARA, {"2500": 2_500}))
    refused(lambda: prepare_slip(order(), slip, ANA))
    assert book(f"fill/{slip.gaming_date.year}") == []
    prepare_slip(order(), slip, CARA, CHIPS)
    assert [one.serial for one in book(f"fill/{slip.gaming_date.year}")] == [1]


def test_fills_and_credits_have_books_of_their_own_and_a_void_keeps_its_number(table: str) -> None:
    first, credit = prepared(table, "fill"), prepared(table, "credit")
    void_slip(order(), first, ANA, CARA, "Wrong denomination")
    second = prepared(table, "fill")
    serials = [load_transfer(slip).transfer.slip.serial for slip in (first, credit, second)]  # type: ignore[union-attr]
    assert serials == [1, 1, 2]
    assert load_transfer(first).transfer.state == "void"


def test_a_key_that_comes_twice_does_it_once_and_answers_alike(table: str) -> None:
    first = request_transfer(order(key="ask"), table, "fill", CHIPS, ANA)
    again = request_transfer(order(key="ask"), table, "fill", CHIPS, ANA)
    assert (again.events, again.position, again.replayed) == (first.events, first.position, True)
    slip = TransferId(table, *session_of(store.key_at(first.position)), 1)
    deeds: dict[str, Callable[[Order], Done]] = {
        "prepare": lambda order: prepare_slip(order, slip, CARA),
        "sign": lambda order: sign_slip(order, slip, CARA),
        "void": lambda order: void_slip(order, slip, ANA, CARA, "Torn"),
    }
    for key, deed in deeds.items():
        done, replayed = deed(order(key=key)), deed(order(key=key))
        assert (done.replayed, replayed.replayed) == (False, True)
        assert (done.events, done.position) == (replayed.events, replayed.position)
    other = refused(lambda: request_transfer(order(key="ask"), table, "credit", CHIPS, ANA))
    assert (other.code, other.details) == ("key_reused", {"differs": ["kind"]})
    someone = refused(lambda: sign_slip(order(key="sign"), slip, SIGNERS["security"]))
    assert someone.details == {"differs": ["person"]}


def test_a_signature_given_by_two_at_once_is_given_once(table: str) -> None:
    slip = prepared(table)
    others = [Person(f"cashier-{n}", frozenset({"cage"})) for n in range(4)]
    answers = in_threads(*(lambda who=who: sign_slip(order(), slip, who) for who in others))
    assert sorted(answer for answer in answers if isinstance(answer, str)) == ["wrong_role"] * 3
    assert len(load_transfer(slip).transfer.signatures) == 1


def test_a_table_does_not_close_under_a_fill_whoever_comes_first(table: str) -> None:
    for _ in range(6):
        answers = in_threads(
            lambda: request_transfer(order(), table, "fill", CHIPS, ANA),
            lambda: close_table(order(), table, counted(5_000_000)),
        )
        session = load_table(table).session
        assert session is not None
        if session.is_open:
            assert answers[1] == "slip_open"
            n = max(session.transfers)
            withdraw_request(order(), TransferId(table, session.gaming_date, session.number, n), EVE, "Closing")
            close_table(order(), table, counted(5_000_000))
        else:
            assert answers[0] == "table_closed"
            assert session.transfers == {}
        open_table(order(), table, counted(5_000_000), "Ana Ortiz")


def test_a_closed_table_asks_for_nothing(table: str) -> None:
    close_table(order(), table, counted(5_000_000))
    assert refused(lambda: requested(table)).code == "table_closed"


def test_an_unknown_slip_is_refused_by_name(table: str) -> None:
    day = requested(table).gaming_date
    for unknown in (TransferId(table, day, 1, 2), TransferId(table, day, 2, 1), TransferId("R-77", day, 1, 1)):
        assert refused(lambda slip=unknown: prepare_slip(order(), slip, CARA)).code == "unknown_slip"


@pytest.fixture
def strict_house(tmp_path: Path, settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """A house under a profile that forbids fills in the day before the roll; with one shift that is always."""
    for file in profile.FOLDER.glob("*.toml"):
        (tmp_path / file.name).write_text(file.read_text())
    rules = (profile.FOLDER / "maryland.toml").read_text()
    forbidding = rules.replace("none_before_roll_minutes = 0", "none_before_roll_minutes = 1440", 1)
    (tmp_path / "no_fills_before_the_roll.toml").write_text(forbidding)
    monkeypatch.setattr(profile, "FOLDER", tmp_path)
    settings.CASINO_PROFILE = "no_fills_before_the_roll"


def test_a_profile_may_forbid_fills_before_the_roll_is_due(table: str, strict_house: None) -> None:
    assert refused(lambda: requested(table)).code == "too_near_roll"
    assert requested(table, "credit").n == 1, "the rule of fills is not that of credits"
