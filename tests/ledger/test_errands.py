"""The people around a simulated table: what they ask for, sign and receive, by the house's own rules."""

import random
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest

from casino.commands.order import Order
from casino.commands.settlement import settle_due
from casino.commands.slips import request_transfer
from casino.commands.tables import load_table
from casino.eventstore import store
from casino.eventstore.follower import catch_up
from casino.roles import FLOOR
from casino.slips import Person
from casino.table import Session
from casino.transfers import Transfer, open_transfers
from ledger.errands import CREDIT_LINE_CENTS, Errands, in_chips
from ledger.floor import FILL_LINE_CENTS, PAR_CENTS, prepare_floor
from ledger.simulate import SimulatedTable, expected_tray, simulated
from ledger.staff import DEALERS, STAFF, dealers_of, log_in_of, make_staff


def now() -> datetime:
    return datetime.now(UTC)


@pytest.fixture
def opened(database: Any, redis_url: str) -> Callable[[int], SimulatedTable]:
    """A table that is opened with a tray of so many cents."""

    def made(tray_cents: int) -> SimulatedTable:
        make_staff()
        prepare_floor(["R-01"], now())
        table = simulated("R-01", 7, now, dealers_of(0))
        table.errands.chance = random.Random(1)
        table.open()
        table.errands.tray_cents = tray_cents
        return table

    return made


def session_of(table: SimulatedTable) -> Session:
    session = load_table(table.code).session
    assert session is not None
    return session


def after_steps(table: SimulatedTable, steps: int = 40) -> list[Transfer]:
    for _ in range(steps):
        table.errands.step(table.order)
    return list(session_of(table).transfers.values())


def test_a_tray_below_its_fill_line_is_brought_to_its_par_by_different_people(
    opened: Callable[[int], SimulatedTable],
) -> None:
    table = opened(FILL_LINE_CENTS - 123_450)
    done = [one for one in after_steps(table) if one.state == "complete"]
    assert [(one.kind, one.total_cents) for one in done] == [("fill", PAR_CENTS - FILL_LINE_CENTS + 120_000)]
    signed = [(one.role, one.by) for one in done[0].signatures]
    assert [role for role, _ in signed] == ["cage", "security", "dealer", "floor"]
    assert len({by for _, by in signed} | {done[0].requested.by}) == 5
    assert FILL_LINE_CENTS < table.errands.tray_cents <= PAR_CENTS


def test_a_tray_far_above_par_sends_its_surplus_to_the_cage(opened: Callable[[int], SimulatedTable]) -> None:
    table = opened(CREDIT_LINE_CENTS + 10_000)
    (done,) = after_steps(table)
    assert (done.kind, done.state) == ("credit", "complete")
    assert table.errands.tray_cents == PAR_CENTS


def test_a_tray_made_up_for_a_busy_evening_sends_its_surplus_back_the_next_day(
    opened: Callable[[int], SimulatedTable],
) -> None:
    table = opened(PAR_CENTS)
    table.errands.make_up(table.order, 2 * CREDIT_LINE_CENTS)
    assert table.errands.tray_cents == 2 * CREDIT_LINE_CENTS
    fill, credit = after_steps(table)
    assert [(one.kind, one.state) for one in (fill, credit)] == [("fill", "complete"), ("credit", "complete")]
    assert credit.total_cents == 2 * CREDIT_LINE_CENTS - PAR_CENTS


def test_the_tray_is_counted_by_people_who_work_there(opened: Callable[[int], SimulatedTable]) -> None:
    opener = session_of(opened(PAR_CENTS)).opener
    assert opener is not None
    assert opener.counted_by == ("Abel Garrow", "Hugo Brandvold")


def test_what_a_visitor_asks_for_is_left_to_the_visitor(opened: Callable[[int], SimulatedTable]) -> None:
    table = opened(PAR_CENTS)
    request_transfer(table.order("ana"), "R-01", "fill", {"500": 500}, Person("ana", frozenset({FLOOR})))
    assert [one.state for one in after_steps(table)] == ["requested"]


def test_dealers_of_the_table_relieve_each_other(opened: Callable[[int], SimulatedTable]) -> None:
    table = opened(PAR_CENTS)
    first, second = dealers_of(0)
    table.errands.step(table.order)
    assert session_of(table).dealer == first
    after_steps(table, 20)
    assert session_of(table).dealer == second


def test_every_slip_is_at_its_end_before_the_tray_is_counted(opened: Callable[[int], SimulatedTable]) -> None:
    table = opened(FILL_LINE_CENTS - 10_000)
    while not open_transfers(session_of(table)):
        table.errands.step(table.order)
    table.errands.finish(table.order)
    assert open_transfers(session_of(table)) == []
    table.close(table.errands.tray_cents)


def test_the_table_knows_its_tray_as_the_books_do(opened: Callable[[int], SimulatedTable]) -> None:
    """Fills, buy-ins, checks, stakes and winnings: what the people see agrees with the record to the cent."""
    table = opened(0)
    for _ in table.play():
        if table.tally.rounds == 25:
            break
    table.errands.finish(table.order)
    settle_due()
    catch_up()
    assert table.errands.tray_cents == expected_tray("R-01", session_of(table).gaming_date)


def test_an_opener_that_is_off_is_notified(opened: Callable[[int], SimulatedTable]) -> None:
    table = opened(PAR_CENTS)
    table.close(2_000_000)
    table.open(off_cents=-2_500)
    kinds = [row[0] for row in store.run("SELECT type FROM log.event WHERE type = 'opener_variance_found'")]
    assert kinds == ["opener_variance_found"]


@pytest.mark.parametrize("cents", [0, 1, 49, 12_345_678, 2_000_000])
def test_chips_add_up_to_the_tray_in_whole_pieces(cents: int) -> None:
    chips = in_chips(cents)
    assert sum(chips.values()) == cents
    assert all(value % int(chip) == 0 for chip, value in chips.items())


def test_nobody_of_the_staff_has_two_roles_and_no_log_in_is_given_twice() -> None:
    log_ins = [*STAFF, *map(log_in_of, DEALERS)]
    assert len(log_ins) == len(set(log_ins)) == 30


def test_a_house_without_the_demos_dealers_has_none_to_put_on(database: Any) -> None:
    assert dealers_of(0) == []
    assert dealers_of(400) == []


def test_errands_wait_while_a_table_is_closed(database: Any, redis_url: str) -> None:
    prepare_floor(["R-02"], now())
    Errands("R-02", random.Random(1)).step(lambda by: Order(by, "none", now()))
    assert load_table("R-02").session is None
