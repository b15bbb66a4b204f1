"""Two hands at one table at the same moment: one of them does it, the other is told."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from itertools import count
from typing import Any

import pytest
from django.db import connections

from casino.commands.order import Order
from casino.commands.rounds import open_round, record_finished_round
from casino.commands.tables import buy_in, close_table, latest_round, load_table, open_table, set_up_table
from casino.eventstore import store
from casino.refusal import Refused
from casino.table import Count
from tests.played import SECOND

serial = count(1)
CARDS = ["As", "Kd", "9h", "4c", "2s"]


def order() -> Order:
    return Order("test", f"key-{next(serial)}", datetime.now(UTC))


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
    answers = together(*(lambda: open_table(order(), table, Count(100), "Ana Ortiz"),) * 6)
    assert sorted(answers) == ["done"] + ["table_open"] * 5


def test_two_terminals_do_not_open_two_rounds(table: str) -> None:
    open_table(order(), table, Count(100), "Ana Ortiz")
    answers = together(*(lambda: open_round(order(), table),) * 6)
    assert sorted(answers) == ["done"] + ["round_open"] * 5


def test_finished_rounds_recorded_at_once_get_numbers_without_a_hole(table: str) -> None:
    open_table(order(), table, Count(100), "Ana Ortiz")
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
        open_table(order(), table, Count(100), "Ana Ortiz")
        answers = together(lambda: close_table(order(), table, Count(100)), lambda: open_round(order(), table))
        loaded = load_table(table)
        assert loaded.session is not None
        latest = latest_round(table, loaded.session.gaming_date)
        if loaded.session.is_open:
            assert answers == ["round_open", "done"]
            assert latest is not None
            assert not latest.is_over
            finish(table)
            close_table(order(), table, Count(100))
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


def test_buy_ins_at_the_same_moment_are_all_kept(table: str) -> None:
    open_table(order(), table, Count(100), "Ana Ortiz")
    answers = together(*(lambda: buy_in(order(), table, 500, 1),) * 4)
    query = (
        "SELECT count(*) AS n, coalesce(sum(in_cents), 0)::bigint AS cash FROM log.event WHERE type = 'cash_bought_in'"
    )
    row = store.run(query).fetchone()
    assert (row.n, row.cash) == (answers.count("done"), 500 * answers.count("done"))
    assert answers.count("done") >= 3
