"""Two hands at one table at the same moment: one of them does it, the other is told."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from itertools import count
from typing import Any

import pytest
from django.db import connections

from casino.commands.order import Order, property_code
from casino.commands.patrons import make_patron
from casino.commands.rounds import open_round, record_finished_round
from casino.commands.seats import leave_seat, seat_patron
from casino.commands.tables import (
    buy_in,
    close_table,
    latest_round,
    load_table,
    open_table,
    roll_table,
    set_up_table,
)
from casino.eventstore import store
from casino.eventstore.follower import catch_up
from casino.keys import slip_book_key
from casino.models import PatronVisit
from casino.refusal import Refused
from casino.session_events import OpenerVarianceFound
from tests.counts import counted
from tests.played import SECOND

serial = count(1)
CARDS = ["As", "Kd", "9h", "4c", "2s"]


def order() -> Order:
    return Order("test", f"key-{next(serial)}", datetime.now(UTC))


def at(moment: datetime) -> Order:
    return Order("test", f"key-{next(serial)}", moment)


@pytest.fixture
def table(database: Any) -> str:
    set_up_table(order(), "R-01", game="54-card-roulette")
    return "R-01"


def together(*deeds: Callable[[], Any]) -> list[str]:
    """Do all at once, each on a connection of its own; `done`, or the code of the refusal, for each."""

    def one(deed: Callable[[], Any]) -> str:
        try:
            deed()
            return "done"
        except Refused as refusal:
            return refusal.code
        finally:
            connections.close_all()

    with ThreadPoolExecutor(len(deeds)) as pool:
        return list(pool.map(one, deeds))


def test_a_table_opened_twice_at_once_is_open_once(table: str) -> None:
    answers = together(*(lambda: open_table(order(), table, counted(100), "Ana Ortiz"),) * 6)
    assert sorted(answers) == ["done"] + ["table_open"] * 5


def test_two_terminals_do_not_open_two_rounds(table: str) -> None:
    open_table(order(), table, counted(100), "Ana Ortiz")
    answers = together(*(lambda: open_round(order(), table),) * 6)
    assert sorted(answers) == ["done"] + ["round_open"] * 5


def test_finished_rounds_recorded_at_once_get_numbers_without_a_hole(table: str) -> None:
    open_table(order(), table, counted(100), "Ana Ortiz")
    answers = together(*(lambda: record_finished_round(order(), table, [], CARDS),) * 4)
    assert set(answers) <= {"done", "busy"}
    session = load_table(table).session
    assert session is not None
    latest = latest_round(table, session.gaming_date)
    assert latest is not None
    assert latest.id.n == answers.count("done")


def test_no_round_opens_under_a_closing_table(table: str) -> None:
    """Whoever comes first, the record never shows a round that the closed session doesn't know."""
    for _ in range(8):
        open_table(order(), table, counted(100), "Ana Ortiz")
        answers = together(lambda: close_table(order(), table, counted(100)), lambda: open_round(order(), table))
        loaded = load_table(table)
        assert loaded.session is not None
        latest = latest_round(table, loaded.session.gaming_date)
        if loaded.session.is_open:
            assert answers == ["round_open", "done"]
            assert latest is not None
            assert not latest.is_over
            finish(table)
            close_table(order(), table, counted(100))
        else:
            assert answers == ["done", "table_closed"]
            assert loaded.session.last_round == (latest.id.n if latest else 0)


def finish(table: str) -> None:
    from casino.commands.rounds import void_round

    session = load_table(table).session
    assert session is not None
    latest = latest_round(table, session.gaming_date)
    assert latest is not None
    void_round(order(), latest.id, "Closing", SECOND)


def test_of_people_who_roll_a_table_at_once_one_does(table: str) -> None:
    open_table(order(), table, counted(100), "Ana Ortiz")
    first = load_table(table).session
    assert first is not None
    answers = together(*(lambda: roll_table(order(), table, counted(100), first.name),) * 4)
    assert sorted(answers) == ["done"] + ["session_over"] * 3
    session = load_table(table).session
    assert session is not None
    assert (session.number, session.is_open) == (2, True)


def test_no_round_opens_under_a_rolling_table(table: str) -> None:
    """Whoever comes first, each round is in the session that its opening names."""
    open_table(order(), table, counted(100), "Ana Ortiz")
    for _ in range(8):
        answers = together(lambda: roll_table(order(), table, counted(100)), lambda: open_round(order(), table))
        loaded = load_table(table)
        assert loaded.session is not None
        latest = latest_round(table, loaded.session.gaming_date)
        assert latest is not None
        if answers == ["round_open", "done"]:
            finish(table)
            roll_table(order(), table, counted(100))
            continue
        assert answers == ["done", "done"]
        assert latest.opened.session == loaded.session_key
        assert loaded.session.first_round == latest.id.n
        finish(table)


def test_the_players_time_at_a_table_goes_on_over_a_roll_into_the_next_day(table: str) -> None:
    patron = make_patron(order(), "Oona Farrell").patron
    noon = datetime(2025, 11, 29, 17, tzinfo=UTC)  # 12:00 in New York
    open_table(at(noon), table, counted(100), "Ana Ortiz")
    seat_patron(at(noon + timedelta(hours=1)), table, 2, patron.pk)
    roll_table(at(noon + timedelta(hours=20)), table, counted(100))
    leave_seat(at(noon + timedelta(hours=21)), table, 2)
    catch_up()
    visits = PatronVisit.objects.filter(patron_id=patron.pk).order_by("gaming_date")
    hour = 3_600_000_000
    assert [(v.gaming_date.day, v.sat_micros // hour) for v in visits] == [(29, 19), (30, 1)]


def test_openers_that_differ_are_numbered_in_one_book_without_a_hole(table: str) -> None:
    codes = (table, "R-02", "R-03")
    for code in codes:
        set_up_table(order(), code, game="54-card-roulette")
        open_table(order(), code, counted(100), "Ana Ortiz")
        close_table(order(), code, counted(100))

    def opened(code: str) -> Callable[[], Any]:
        return lambda: open_table(order(), code, counted(99), explanation="one chip short")

    assert together(*map(opened, codes)) == ["done"] * 3
    session = load_table(table).session
    assert session is not None
    book = slip_book_key(property_code(), f"error_notification/{session.gaming_date.year}")
    lines = [recorded.event for recorded in store.load(book).events]
    assert [line.serial for line in lines] == [1, 2, 3]
    assert {line.table for line in lines} == set(codes)
    for line in lines:
        found = [r.event for r in store.load(line.session).events if isinstance(r.event, OpenerVarianceFound)]
        assert [(one.serial, one.counted_cents) for one in found] == [(line.serial, 99)]


def test_a_key_that_comes_again_is_answered_though_the_table_has_moved_on(table: str) -> None:
    open_table(order(), table, counted(100), "Ana Ortiz")
    rolling, closing = order(), order()
    first = roll_table(rolling, table, counted(100))
    close_table(closing, table, counted(100))
    again = roll_table(rolling, table, counted(100))
    assert (again.replayed, again.position, again.events) == (True, first.position, first.events)
    assert close_table(closing, table, counted(100)).replayed


def test_buy_ins_at_the_same_moment_are_all_kept(table: str) -> None:
    open_table(order(), table, counted(100), "Ana Ortiz")
    answers = together(*(lambda: buy_in(order(), table, 500, 1),) * 4)
    query = (
        "SELECT count(*) AS n, coalesce(sum(in_cents), 0)::bigint AS cash FROM log.event WHERE type = 'cash_bought_in'"
    )
    row = store.run(query).fetchone()
    assert (row.n, row.cash) == (answers.count("done"), 500 * answers.count("done"))
    assert answers.count("done") >= 3


@pytest.mark.parametrize("seats", [0, -1, 9])
def test_a_number_of_seats_that_the_game_has_not_is_refused_and_not_taken_for_the_default(
    database: Any, seats: int
) -> None:
    with pytest.raises(Refused) as refused:
        set_up_table(order(), "R-09", game="54-card-roulette", seats=seats)
    assert refused.value.code == "bad_seats"
