"""Drop and hold as the pages ask for it: amounts of tests/played.py, worked out there by hand."""

from datetime import date, timedelta
from fractions import Fraction

import pytest

from casino.refusal import Refused
from ledger.figures import FIGURES, LEAVES, leaves_under
from ledger.models import TablePeriod
from ledger.queries import days, opened
from ledger.stiff_columns import SHEET_FIGURES
from tests.played import Played


def amounts(row: days.Row, *codes: str) -> list[days.Amount]:
    return [row.amount(code) for code in codes]


def test_an_open_table_shows_what_is_recorded_and_why_the_rest_is_unknown(played: Played) -> None:
    row = days.table_day(played.day, "R-01")
    assert amounts(row, "opener", "recorded-drop", "handle", "game-result", "expected-tray", "estimated-win") == [
        5_000_000, 70_000, 1_900, -479_200, 4_450_800, -479_200,
    ]  # fmt: skip
    assert row.amount("estimated-hold") == Fraction(-479_200, 70_000)
    assert (row.state, row.rounds, row.voided) == ("open", 4, 1)
    for code in ("closer", "counted-drop", "win", "hold", "box-difference", "tray-difference", "win-difference"):
        assert row.cell(code).amount is None
        assert row.cell(code).reason, code
    assert row.cell("box-difference").reason == "the box is not counted yet"


def test_a_counted_table_shows_where_its_difference_lies(played: Played) -> None:
    played.count(9_900)
    row = days.table_day(played.day, "R-02")
    assert amounts(row, "closer", "counted-drop", "win", "box-difference", "tray-difference", "win-difference") == [
        1_990_500, 9_900, 400, -100, -500, -600,
    ]  # fmt: skip
    assert row.amount("hold") == Fraction(400, 9_900)
    assert (row.state, row.is_balanced) == ("complete", False)


def test_a_closed_table_awaits_its_count_and_knows_its_tray_already(played: Played) -> None:
    row = days.table_day(played.day, "R-02")
    assert row.state == "inventory_only"
    assert amounts(row, "tray-difference", "box-difference") == [-500, None]


def test_a_second_session_that_is_open_makes_the_closer_unknown_again(played: Played) -> None:
    played.open("R-02", 1_990_500)
    played.read()
    row = days.table_day(played.day, "R-02")
    assert (row.state, row.amount("closer"), row.amount("opener")) == ("open", None, 2_000_000)


def test_totals_add_tables_and_are_unknown_where_a_table_is(played: Played) -> None:
    shown = days.drop_and_hold(played.day)
    assert [row.table for row in shown.rows] == ["R-01", "R-02"]
    assert amounts(shown.total, "recorded-drop", "handle", "estimated-win") == [80_000, 2_900, -478_200]
    assert shown.total.amount("estimated-hold") == Fraction(-478_200, 80_000)
    assert shown.total.cell("closer").reason == "table R-01 is open, so not every tray is counted"
    assert "the box of 2 tables is not counted yet" in shown.total.cell("win").reason
    assert shown.states == {"complete": 0, "inventory_only": 1, "open": 1}


def test_a_day_without_tables_is_empty_and_knows_how_far_the_books_reach(played: Played) -> None:
    shown = days.drop_and_hold(date(2001, 1, 1))
    assert (shown.rows, shown.total) == ([], None)
    assert (shown.first, shown.last) == (played.day, played.day)


def test_a_share_of_no_drop_says_so(played: Played) -> None:
    played.open("R-03", 1_000)
    played.read()
    cell = days.table_day(played.day, "R-03").cell("estimated-hold")
    assert (cell.amount, cell.reason) == (None, "the drop is 0, and a share of nothing says nothing")


@pytest.mark.parametrize("code", list(FIGURES))
@pytest.mark.parametrize("table", ["R-01", "R-02"])
def test_every_figure_is_proven_by_its_events(played: Played, table: str, code: str) -> None:
    played.count()
    shown = opened.figure_page(played.day, table, code)
    assert shown.is_proven
    for part in shown.parts:
        for leaf in part.leaves:
            assert len(leaf.entries) == min(leaf.count, opened.EVENTS_SHOWN)
            if not leaf.more:
                assert sum(cents for _, cents in leaf.listed) == leaf.sum_cents


@pytest.mark.parametrize("field", ["cash_cents", "winnings_cents", "racked_cents", "opener_cents"])
def test_a_read_model_that_is_wrong_is_found_out(played: Played, field: str) -> None:
    day = TablePeriod.objects.get(table_code="R-01")
    TablePeriod.objects.filter(table_code="R-01").update(**{field: getattr(day, field) + 1})
    assert not opened.figure_page(played.day, "R-01", "expected-tray").is_proven


def test_only_events_up_to_the_books_checkpoint_are_added_up(played: Played) -> None:
    from casino.commands.tables import buy_in

    buy_in(played.order(), "R-01", 12_300)
    shown = opened.figure_page(played.day, "R-01", "recorded-drop")
    assert (shown.cell.amount, shown.is_proven, shown.parts[0].leaves[0].count) == (70_000, True, 2)
    played.read()
    assert opened.figure_page(played.day, "R-01", "recorded-drop").cell.amount == 82_300


def test_a_kind_of_event_is_listed_page_by_page_each_event_once(played: Played, monkeypatch) -> None:
    monkeypatch.setattr(opened, "EVENTS_A_PAGE", 2)
    seen, after = [], ""
    while True:
        (leaf,) = opened.figure_page(played.day, "R-01", "game-result", "collected", after).parts[0].leaves
        seen += [entry.position for entry in leaf.entries]
        after = leaf.more
        if not after:
            break
    assert len(seen) == len(set(seen)) == leaf.count == 4
    assert seen == sorted(seen)


@pytest.mark.parametrize("after", ["x@y", "@", "-1@k", "9" * 20 + "@k", "1@\0"])
def test_an_odd_cursor_is_a_value_error(played: Played, after: str) -> None:
    with pytest.raises(ValueError):
        opened.figure_page(played.day, "R-01", "game-result", "collected", after)


@pytest.mark.parametrize(
    ("table", "code", "only", "refused"),
    [
        ("R-01", "luck", "", "unknown_figure"),
        ("R-99", "win", "", "unknown_table_day"),
        ("R-03", "win", "", "unknown_table_day"),
        ("R\0", "win", "", "unknown_table_day"),
        ("R-01", "opener", "winnings", "unknown_part"),
    ],
)
def test_what_is_not_there_is_refused_by_name(played: Played, table, code, only, refused) -> None:
    with pytest.raises(Refused) as no:
        opened.figure_page(played.day, table, code, only)
    assert no.value.code == refused


def test_a_total_opens_into_its_tables(played: Played) -> None:
    shown = opened.total_page(played.day, "game-result")
    assert [(table, cell.amount) for table, cell in shown.tables] == [("R-01", -479_200), ("R-02", 1_000)]
    assert shown.cell.amount == -478_200
    with pytest.raises(Refused, match="No table has figures"):
        opened.total_page(played.day - timedelta(days=1), "win")


def test_figures_for_the_floor_are_those_of_each_tables_own_day(played: Played) -> None:
    shown = days.floor_figures({"R-01": played.day, "R-02": played.day - timedelta(days=1), "R-03": played.day})
    assert {code: figures["estimated_win_cents"] for code, figures in shown.items()} == {"R-01": -479_200}


def test_waiting_for_the_books_ends_either_way(played: Played) -> None:
    assert days.wait_until_read(0)
    assert not days.wait_until_read(10**12, patience_s=0.05)


def test_no_kind_of_event_is_left_out_of_every_figure() -> None:
    used = {leaf.code for code in SHEET_FIGURES for _, leaf in leaves_under(code, figures=SHEET_FIGURES)}
    assert used == set(LEAVES)
