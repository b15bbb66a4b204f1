"""Gaming days by the property's wall clock: both days on which it changes, every rollover hour, tables open over the
rollover, and the clock that closes a day by itself.
"""

from datetime import UTC, date, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from django.test import Client

from casino.eventstore import store
from casino.eventstore.follower import catch_up
from casino.models import AlertBoard
from casino.refusal import Refused
from casino.watch import watch
from ledger.closing import close_due_at, ends_at
from ledger.closing_events import DayClosed, DayCloseRefused, day_key
from ledger.commands.closing import close_due_days
from ledger.models import DayClose, LateFact, TablePeriod
from ledger.queries.closing import day_to_close
from ledger.queries.filed import filed_day
from tests.closing_house import FIRST, TABLES, House

NEW_YORK = ZoneInfo("America/New_York")
SPRING, AUTUMN = date(2026, 3, 8), date(2026, 11, 1)
"""The Sundays on which New York's clocks change, at two in the morning."""
SECOND = FIRST + timedelta(days=1)


@pytest.mark.parametrize(("day", "hours"), [(SPRING - timedelta(days=1), 23), (AUTUMN - timedelta(days=1), 25)])
def test_the_day_on_which_the_clock_changes_ends_by_the_wall(day: date, hours: int) -> None:
    """With a rollover at six the change is still of Saturday's gaming day."""
    begins, ends = ends_at(day - timedelta(days=1), NEW_YORK, 6), ends_at(day, NEW_YORK, 6)
    assert (ends.hour, ends.astimezone(UTC) - begins.astimezone(UTC)) == (6, timedelta(hours=hours))


@pytest.mark.parametrize("rollover", range(13))
@pytest.mark.parametrize("close_hour", [0, 5, 12, 23])
def test_the_clock_closes_no_day_before_it_is_over_and_within_a_day_of_it(rollover: int, close_hour: int) -> None:
    due = close_due_at(FIRST, NEW_YORK, rollover, close_hour)
    over = due - ends_at(FIRST, NEW_YORK, rollover)
    assert due.hour == close_hour
    assert timedelta(0) <= over < timedelta(days=1)


@pytest.mark.parametrize("day", [SPRING, SPRING - timedelta(days=1), AUTUMN, AUTUMN - timedelta(days=1)])
def test_a_day_of_23_or_25_hours_is_played_closed_and_filed_like_others(house: House, day: date) -> None:
    """A table opens at noon, another half an hour after the clock has changed; all of it is one gaming day."""
    house.play(day)
    house.go_to(day + timedelta(days=1), 3)
    house.open("R-01", 993_000)
    house.lose("R-01", 1_000)
    house.close("R-01", 994_000)
    house.read()
    assert set(TablePeriod.objects.values_list("gaming_date", flat=True)) == {day}
    for code in TABLES:
        house.count(code, day, 10_000)
    house.go_to(day + timedelta(days=1), 5)
    house.read()
    with pytest.raises(Refused, match="is not over before 06:00"):
        house.close_day(day)
    house.go_to(day + timedelta(days=1), 6)
    house.close_day(day)
    house.file()
    shown = filed_day(day)
    assert shown.filed.total is not None
    assert (shown.filed.total.amount("win"), shown.is_explained, shown.is_proven) == (10_000, True, True)


@pytest.mark.parametrize("rollover", [0, 3, 6, 9, 12])
def test_with_any_rollover_hour_an_hour_before_it_is_the_day_before(house: House, settings: Any, rollover: int) -> None:
    settings.CASINO_ROLLOVER_HOUR, settings.CASINO_SHIFTS = rollover, [rollover]
    end = ends_at(FIRST, NEW_YORK, rollover)
    house.now = end - timedelta(hours=1)
    house.open("R-01")
    house.now = end
    house.open("R-02")
    house.read()
    days = dict(TablePeriod.objects.values_list("table_code", "gaming_date"))
    assert days == {"R-01": FIRST, "R-02": SECOND}
    house.close("R-01", 1_000_000)
    house.count("R-01", FIRST, 0)
    house.read()
    house.close_day(FIRST)
    assert DayClose.objects.get().gaming_date == FIRST


def test_a_table_open_over_the_rollover_keeps_its_day_until_it_rolls(house: House) -> None:
    """It opens at noon and is rolled at nine the next morning: what it took at eight is of the day before."""
    house.go_to(FIRST)
    house.open("R-01")
    house.lose("R-01", 1_000)
    house.go_to(SECOND, 8)
    house.lose("R-01", 2_000)
    house.read()
    waiting = day_to_close(FIRST, house.now)
    assert [one.kind for one in waiting.open_things] == ["session", "box"]
    with pytest.raises(Refused, match="Table R-01 is still open in session 1 and has no closer"):
        house.close_day(FIRST)
    house.go_to(SECOND, 9)
    house.roll("R-01", 1_003_000)
    house.lose("R-01", 4_000)
    house.count("R-01", FIRST, 0)
    house.read()
    house.close_day(FIRST)
    house.file()
    shown = filed_day(FIRST)
    assert shown.filed.total is not None
    assert (shown.filed.total.amount("win"), shown.filed.total.amount("estimated-win")) == (3_000, 3_000)
    assert not LateFact.objects.exists()  # the session that began with the roll is of the day after
    assert TablePeriod.objects.filter(gaming_date=SECOND).count() == 1


# ------------------------------------------------------------------------------------------------- by itself


def at(day: date, hour: int) -> datetime:
    return datetime(day.year, day.month, day.day, hour, tzinfo=NEW_YORK).astimezone(UTC)


def test_the_clock_closes_what_is_ready_at_its_hour_and_not_before(house: House, settings: Any) -> None:
    settings.CASINO_CLOSE_HOUR = 9
    house.played(FIRST)
    assert close_due_days(at(SECOND, 8)) == 0
    assert close_due_days(at(SECOND, 9)) == 1
    house.read()
    assert DayClose.objects.get().closed_by == "clock"


def test_the_clock_overrides_nothing_and_says_once_why(house: House, settings: Any) -> None:
    settings.CASINO_CLOSE_HOUR = 9
    house.play(FIRST)
    for minute in range(3):
        assert close_due_days(at(SECOND, 9) + timedelta(minutes=minute)) == 0
    house.read()
    [refused] = [recorded.event for recorded in store.load(day_key("demo", FIRST)).events]
    assert isinstance(refused, DayCloseRefused)
    assert refused.open_things[0] == "The box of table R-01 is not counted; count it."
    assert day_to_close(FIRST, house.now).refused is not None
    house.count("R-01", FIRST, 10_000)
    house.read()
    close_due_days(at(SECOND, 10))
    assert len(store.load(day_key("demo", FIRST)).events) == 2  # something else is open now, and that is news
    for code in TABLES[1:]:
        house.count(code, FIRST, 10_000)
    house.read()
    assert close_due_days(at(SECOND, 11)) == 1
    assert isinstance(store.load(day_key("demo", FIRST)).events[-1].event, DayClosed)


def test_a_refused_close_alerts_once_a_day_and_the_alert_ends_when_the_day_is_closed(
    house: House, settings: Any, ana: Client
) -> None:
    settings.CASINO_CLOSE_HOUR = 9
    house.play(FIRST)
    house.read()
    assert raised() == []
    close_due_days(at(SECOND, 9))
    [alert] = raised()
    assert (alert.gaming_date, alert.table_code, alert.level) == (FIRST, "house", "critical")
    begins = (
        "Gaming day 2026-03-04 was not closed at 09:00, for something is open: The box of table R-01 is not counted"
    )
    assert alert.sentence.startswith(begins)
    assert "Day not closed" in ana.get("/alerts/").content.decode()
    house.count("R-01", FIRST, 10_000)
    house.read()
    close_due_days(at(SECOND, 10))  # refused for the two other boxes: the same day, so no second alert
    assert [one.position for one in raised()] == [alert.position]
    for code in TABLES[1:]:
        house.count(code, FIRST, 10_000)
    house.read()
    assert close_due_days(at(SECOND, 11)) == 1
    house.read()
    [alert] = raised()
    assert alert.ended_at is not None


def raised() -> list[AlertBoard]:
    """The alerts of refused closes, after the watch has looked."""
    watch()
    catch_up()
    return list(AlertBoard.objects.filter(rule="close_refused"))


def test_without_an_hour_the_clock_closes_nothing(house: House) -> None:
    house.played(FIRST)
    assert close_due_days(at(SECOND, 23)) == 0
