"""A gaming day closed, filed, and what late facts do to it: three tables, real commands, every figure by hand."""

from collections.abc import Callable
from datetime import date, timedelta
from typing import Any

import pytest

from casino.commands.corrections import correct_entry
from casino.eventstore import store
from casino.eventstore.follower import catch_up, followers
from casino.eventstore.rebuild import rebuild
from casino.eventstore.verify import verify
from casino.refusal import Refused
from ledger.closing_events import DayClosed, DayFiled, day_key
from ledger.commands.closing import close_day
from ledger.commands.filing import file_closed_days
from ledger.models import DayClose, LateFact
from ledger.queries.filed import close_of, day_totals, filed_day, filed_to_date
from ledger.tasks import balance_at
from tests.closing_house import FIRST, TABLES, TWO, House

SECOND = FIRST + timedelta(days=1)


def test_a_day_that_is_counted_closes_and_its_position_is_the_cut(house: House) -> None:
    house.played(FIRST)
    cut = house.close_day(FIRST)
    closed = DayClose.objects.get()
    assert (closed.cut, closed.closed_by, closed.open_things) == (cut, "ben", [])
    [recorded] = store.load(day_key("demo", FIRST)).events
    assert recorded.event == DayClosed(by="ben", tables=list(TABLES))


def test_what_is_open_is_named_thing_by_thing(house: House) -> None:
    house.play(FIRST)
    with pytest.raises(Refused) as refused:
        house.close_day(FIRST)
    assert refused.value.code == "day_not_ready"
    assert "3 things are still open" in refused.value.message
    assert "The box of table R-02 is not counted; count it." in refused.value.message


def test_two_people_close_over_what_is_open_and_it_is_on_record(house: House) -> None:
    house.play(FIRST)
    house.close_day(FIRST, reason="The count room is under water.", approval=TWO)
    closed = DayClose.objects.get()
    assert (closed.approved_by, closed.reason) == ("pia", "The count room is under water.")
    assert len(closed.open_things) == 3
    rows = {row.table: row for row in day_totals(FIRST, "filed").rows}
    assert rows["R-01"].amount("counted-drop") is None


def test_a_day_is_filed_once_with_totals_digest_and_seal(house: House) -> None:
    house.played(FIRST)
    cut = house.close_day(FIRST)
    assert house.file() == 1
    assert house.file() == 0
    events = [recorded.event for recorded in store.load(day_key("demo", FIRST)).events]
    assert [type(event) for event in events] == [DayClosed, DayFiled]
    filed = events[1]
    assert filed.cut == cut
    assert filed.trial_balance == balance_at(cut)
    assert len(filed.trial_balance) == 64
    assert {table: (one.opener, one.closer, one.counted_drop) for table, one in filed.tables.items()} == dict.fromkeys(
        TABLES, (1_000_000, 993_000, 10_000)
    )
    shown = filed_day(FIRST)
    assert shown.is_proven is True
    assert shown.filed.total is not None
    assert shown.filed.total.amount("win") == 9_000
    assert (shown.adjustments, shown.is_explained) == ([], True)
    row = store.run("SELECT from_position, to_position FROM log.seal WHERE number = %s", (filed.seal,)).fetchone()
    assert row is not None
    assert row.from_position <= cut <= row.to_position


def test_workers_that_file_at_once_file_a_day_once(house: House, at_once: Callable[..., None]) -> None:
    house.played(FIRST)
    house.close_day(FIRST)
    filed: list[int] = []
    at_once(*[lambda: filed.append(file_closed_days(house.now, balance_at))] * 4)
    catch_up()
    assert sum(filed) == 1
    assert len(store.load(day_key("demo", FIRST)).events) == 2


def test_a_late_fact_is_an_adjustment_of_its_own_day_and_changes_nothing_filed(house: House) -> None:
    """R-01's buy-in of 100.00 was one of 90.00, found after two days are filed."""
    house.go_to(FIRST)
    house.open("R-01")
    entry = house.buy_in("R-01", 10_000)
    house.close("R-01", 990_000)
    house.go_to(SECOND, 8)
    house.read()
    house.count("R-01", FIRST, 10_000)
    house.read()
    house.close_day(FIRST)
    house.file()
    house.filed(SECOND)
    before = day_totals(SECOND, "known").total
    correct_entry(house.order(), "R-01", entry, {"amount_cents": 9_000}, "A hundred too many.", TWO)
    house.read()
    shown = filed_day(FIRST)
    [adjustment] = shown.adjustments
    assert (adjustment.what, adjustment.requested_by, adjustment.approved_by) == ("Entry corrected", "ben", "pia")
    assert adjustment.corrects == entry
    moved = {effect.code: effect.difference for effect in adjustment.effects}
    assert moved == {
        "recorded-drop": -1_000, "expected-tray": 1_000, "box-difference": 1_000, "tray-difference": -1_000,
    }  # fmt: skip
    assert shown.is_explained
    assert shown.is_proven
    assert shown.filed.total is not None
    assert shown.known.total is not None
    assert (shown.filed.total.amount("recorded-drop"), shown.known.total.amount("recorded-drop")) == (10_000, 9_000)
    after = day_totals(SECOND, "known").total
    assert before is not None
    assert after is not None
    assert before.result == after.result
    assert not LateFact.objects.filter(gaming_date=SECOND).exists()


def test_a_late_count_after_an_override_makes_the_win_known(house: House) -> None:
    house.play(FIRST)
    house.close_day(FIRST, reason="The count team is not complete.", approval=TWO)
    house.file()
    for code in TABLES:
        house.count(code, FIRST, 10_000)
    house.read()
    shown = filed_day(FIRST)
    assert [adjustment.what for adjustment in shown.adjustments] == ["Late count"] * 3
    win = next(effect for effect in shown.adjustments[0].effects if effect.code == "win")
    assert (win.before, win.after, win.difference) == (None, 3_000, None)
    assert shown.is_explained
    assert shown.filed.total is not None
    assert shown.filed.total.amount("win") is None


def test_days_close_in_order_and_a_day_without_play_is_no_obstacle(house: House) -> None:
    house.played(FIRST)
    third = FIRST + timedelta(days=2)  # nothing was open on the day between
    house.played(third)
    with pytest.raises(Refused, match="Gaming day 2026-03-04 is not closed yet") as refused:
        house.close_day(third)
    assert refused.value.code == "earlier_day_open"
    house.close_day(FIRST)
    house.close_day(third)
    assert house.file() == 2


def test_a_day_without_play_can_be_closed_and_filed_with_nothing(house: House) -> None:
    house.go_to(SECOND, 8)
    house.read()
    house.close_day(FIRST)
    house.file()
    shown = filed_day(FIRST)
    assert (shown.filed.rows, shown.filed.total, shown.is_proven, shown.is_explained) == ([], None, True, True)


def test_a_day_never_reopens(house: House) -> None:
    house.filed(FIRST)
    with pytest.raises(Refused, match="was closed by ben already") as refused:
        close_day(house.order("ben"), FIRST)
    assert refused.value.code == "already_closed"


def test_the_same_order_twice_closes_once(house: House) -> None:
    house.played(FIRST)
    order = house.order("ben")
    first, again = close_day(order, FIRST), close_day(order, FIRST)
    assert (again.replayed, again.position) == (True, first.position)


def test_a_day_to_come_is_not_closed(house: House) -> None:
    with pytest.raises(Refused, match="has not begun yet"):
        close_day(house.order("ben"), date(2026, 3, 9))


def test_a_day_that_is_not_over_is_closed_by_two_people_only(house: House) -> None:
    house.read()
    with pytest.raises(Refused, match="is not over before 06:00 on 2026-03-05"):
        close_day(house.order("ben"), FIRST)


def test_sums_to_date_are_those_of_filed_days(house: House) -> None:
    house.filed(FIRST)
    house.filed(SECOND)
    house.played(FIRST + timedelta(days=2))
    to_date = filed_to_date(close_of(SECOND), FIRST)
    assert (to_date.days, to_date.unfiled) == (2, 0)
    assert filed_to_date(close_of(FIRST), FIRST).days == 1, "as it was when the first day was filed"
    facts, handle = to_date.tables["R-01"]
    assert (facts.recorded_drop, facts.counted_drop, facts.game_result, handle) == (20_000, 20_000, 6_000, 6_000)


def test_closed_filed_and_corrected_the_log_verifies_and_the_books_rebuild_to_the_same(
    house: House, role_connection: Callable[..., Any]
) -> None:
    house.filed(FIRST)
    house.play(SECOND)
    house.close_day(SECOND, reason="The count team is not complete.", approval=TWO)
    house.count("R-02", SECOND, 9_900)
    house.read()
    house.file()
    assert LateFact.objects.count() == 1
    assert rebuild(followers()["books"], "owner", check=True, progress=lambda _: None) == []
    assert verify(role_connection("casino_app")).faults == []
