"""Sessions without a database: openers against closers, rolls by one count, who counts."""

from datetime import date
from typing import Any

import pytest

from casino import profile
from casino.events import TableClosed, TableOpened
from casino.games import game
from casino.refusal import Refused
from casino.seat_events import PatronLeft, PatronSeated
from casino.session import check_counted, check_names, close_table, open_table, roll, variance_found
from casino.slip_events import TransferRequested
from casino.table import Count, Session, Table, session_after, set_up
from tests.counts import counted

DAY, NEXT = date(2026, 11, 29), date(2026, 11, 30)
MARYLAND, NEW_JERSEY = profile.load("maryland"), profile.load("new_jersey")
ASKED = TransferRequested(
    table="R-01", kind="fill", transfer=1, serial=1, denominations={"100": 100}, total_cents=100, by="ana"
)


def table() -> Table:
    event = set_up(
        game("54-card-roulette"), table="R-01", paytable="printed", layout="standard", method="second_card", seats=6,
        currency="USD", limits={}, round_payout_max_cents=100_000_000, off_limits="warn",
    )  # fmt: skip
    return Table("R-01", event)


def closed(number: int = 1, day: date = DAY, closer_cents: int = 100, last_round: int = 0) -> Session:
    return Session("R-01", day, number, opener=Count(1), closer=Count(closer_cents), last_round=last_round)


def test_sessions_of_a_day_are_numbered_and_a_new_day_begins_with_one() -> None:
    assert open_table(table(), None, DAY, counted(5), MARYLAND)[0].number == 1
    assert open_table(table(), closed(), DAY, counted(5), MARYLAND)[0].number == 2
    assert open_table(table(), closed(), NEXT, counted(5), MARYLAND)[0].number == 1


def test_the_rounds_of_a_second_session_go_on_where_the_first_one_ended_and_a_new_day_begins_with_one() -> None:
    assert open_table(table(), closed(last_round=17), DAY, counted(5), MARYLAND)[1].first_round == 18
    assert open_table(table(), closed(last_round=17), NEXT, counted(5), MARYLAND)[1].first_round == 1


def test_a_table_that_is_open_or_was_open_on_a_later_day_does_not_open() -> None:
    with pytest.raises(Refused, match="open already"):
        open_table(table(), Session("R-01", DAY, 1, opener=Count(1)), DAY, counted(5), MARYLAND)
    with pytest.raises(Refused, match="later gaming day"):
        open_table(table(), closed(day=NEXT), DAY, counted(5), MARYLAND)
    with pytest.raises(Refused, match="99 sessions"):
        open_table(table(), closed(number=99), DAY, counted(5), MARYLAND)


@pytest.mark.parametrize(
    ("names", "code"),
    [
        ((), "counters_missing"),
        (("Ana Ortiz",), "counters_missing"),
        (("Ana Ortiz", " "), "counters_missing"),
        (("Ana Ortiz", "ana  ortiz "), "same_person"),
        (("Ana Ortiz", "Ana\u200b Ortiz"), "bad_name"),  # a blank without a width
        (("Ana Ortiz", "Ben Okafor", "Ana Ortiz"), "same_person"),
    ],
)
def test_a_tray_is_counted_by_two_different_people(names: tuple[str, ...], code: str) -> None:
    with pytest.raises(Refused) as refused:
        check_counted(Count(100, None, names), "opener", MARYLAND)
    assert refused.value.code == code
    check_counted(Count(100, None, ("Ana Ortiz", "Ben Okafor", "Cleo Martin")), "opener", MARYLAND)


# ------------------------------------------------------------------------------------------------- the last closer


def opened_with(opener_cents: int, closer_cents: int = 5_000_000) -> TableOpened:
    return open_table(table(), closed(closer_cents=closer_cents), DAY, counted(opener_cents), MARYLAND)[1]


@pytest.mark.parametrize(
    ("difference_cents", "told", "hours"),
    [
        (0, None, None),
        (1, ["floor", "security", "regulator"], None),
        (-100_00, ["floor", "security", "regulator"], None),
        (-100_01, ["floor", "security", "regulator"], 24),
    ],
)
def test_in_maryland_every_difference_is_told_and_one_above_100_is_investigated(
    difference_cents: int, told: list[str] | None, hours: int | None
) -> None:
    found = variance_found(opened_with(5_000_000 + difference_cents), MARYLAND, "one stack short", 7)
    assert (found.notified if found else None) == told
    assert (found.incident_report_hours if found else None) == hours


@pytest.mark.parametrize(
    ("difference_cents", "told"),
    [  # vector P15 of the domain's facts
        (25_00, None),
        (25_01, ["floor", "security", "surveillance"]),
        (99_99, ["floor", "security", "surveillance"]),
        (100_00, ["floor", "security", "surveillance", "regulator"]),
        (-25_00, None),
        (-100_00, ["floor", "security", "surveillance", "regulator"]),
    ],
)
def test_in_new_jersey_a_difference_is_told_above_25_and_goes_to_the_division_from_100_on(
    difference_cents: int, told: list[str] | None
) -> None:
    found = variance_found(opened_with(5_000_000 + difference_cents), NEW_JERSEY, "recounted twice", 7)
    assert (found.notified if found else None) == told


def test_both_counts_are_kept_with_the_explanation_and_who_counted() -> None:
    opened = opened_with(4_997_500)
    assert (opened.opener_cents, opened.carried_cents) == (4_997_500, 5_000_000)
    found = variance_found(opened, MARYLAND, " one stack short ", 7)
    assert found is not None
    assert (found.carried_cents, found.counted_cents, found.serial) == (5_000_000, 4_997_500, 7)
    assert (found.explanation, found.by) == ("one stack short", ["Ana Ortiz", "Ben Okafor"])


def test_a_difference_that_is_told_needs_an_explanation_and_one_that_passes_needs_none() -> None:
    with pytest.raises(Refused) as refused:
        variance_found(opened_with(4_997_400), MARYLAND, "  ", 7)
    assert refused.value.code == "explanation_missing"
    assert "50,000.00" in refused.value.message
    assert "49,974.00" in refused.value.message
    assert variance_found(opened_with(4_997_500), NEW_JERSEY, "", 7) is None


def test_a_table_that_was_never_closed_has_nothing_to_differ_from() -> None:
    opened = open_table(table(), None, DAY, counted(5), MARYLAND)[1]
    assert opened.carried_cents is None
    assert variance_found(opened, MARYLAND, "", 1) is None


# ------------------------------------------------------------------------------------------------- rolling


def playing(**more: Any) -> Session:
    return Session("R-01", DAY, 1, opener=Count(1), **more)


def test_one_count_closes_a_session_and_opens_the_next_and_the_players_keep_their_seats() -> None:
    rolled = roll(playing(seats={2: 7, 4: None}), "R-01", 17, counted(90), DAY, MARYLAND, "ana")
    left, ended = [e for e in rolled.closing if isinstance(e, PatronLeft)], rolled.closing[-1]
    begun, seated = rolled.opening[0], rolled.opening[1:]
    assert isinstance(ended, TableClosed)
    assert (ended.closer_cents, ended.last_round, ended.rolled) == (90, 17, True)
    assert isinstance(begun, TableOpened)
    assert (begun.opener_cents, begun.carried_cents, begun.first_round, begun.rolled) == (90, 90, 18, True)
    assert begun.counted_by == ended.counted_by == ["Ana Ortiz", "Ben Okafor"]
    assert [(e.seat, e.patron_id) for e in left] == [(2, 7), (4, None)]
    assert [(e.seat, e.patron_id) for e in seated if isinstance(e, PatronSeated)] == [(2, 7), (4, None)]
    assert session_after(rolled.session, rolled.opening).seats == {2: 7, 4: None}


def test_a_roll_into_the_next_gaming_day_begins_with_session_and_round_one() -> None:
    rolled = roll(playing(), "R-01", 17, counted(90), NEXT, MARYLAND, "ana")
    begun = rolled.opening[0]
    assert isinstance(begun, TableOpened)
    assert (rolled.session.gaming_date, rolled.session.number, begun.first_round) == (NEXT, 1, 1)


def test_a_roll_never_goes_back_a_day() -> None:
    with pytest.raises(Refused, match="later gaming day"):
        roll(playing(), "R-01", 0, counted(90), date(2026, 11, 28), MARYLAND, "ana")


def test_a_tray_is_not_counted_out_while_chips_are_under_way() -> None:
    waiting = session_after(playing(), [ASKED])
    for deed in (
        lambda: roll(waiting, "R-01", 0, counted(90), DAY, MARYLAND, "ana"),
        lambda: close_table(waiting, "R-01", 0, counted(90), MARYLAND, "ana"),
    ):
        with pytest.raises(Refused) as refused:
            deed()
        assert refused.value.code == "slip_open"
        assert refused.value.details == {"transfers": [1]}


def test_a_count_of_a_session_that_is_over_is_not_taken_for_the_next_ones() -> None:
    check_names(playing(), "2026-11-29/1")
    with pytest.raises(Refused) as refused:
        check_names(Session("R-01", DAY, 2, opener=Count(1)), "2026-11-29/1")
    assert refused.value.code == "session_over"
