"""A table's sessions and the gaming day, without a database."""

from datetime import UTC, date, datetime
from zoneinfo import ZoneInfo

import pytest

from casino.eventstore.registry import encode
from casino.games import game
from casino.refusal import Refused
from casino.table import Count, Session, Table, check_count, gaming_date_of, open_table, set_up

NEW_YORK = ZoneInfo("America/New_York")


def at(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


@pytest.mark.parametrize(
    ("moment", "hour", "day"),
    [
        ("2026-11-29T10:59", 6, "2026-11-28"),  # 5:59 in New York
        ("2026-11-29T11:00", 6, "2026-11-29"),  # 6:00
        ("2026-11-30T04:59", 6, "2026-11-29"),  # 23:59
        ("2026-11-30T10:30", 6, "2026-11-29"),  # 5:30 the next morning
        ("2026-11-29T05:00", 0, "2026-11-29"),  # midnight, rollover at midnight
        ("2026-03-08T06:59", 3, "2026-03-07"),  # 1:59, the night the clocks go forward
        ("2026-03-08T07:00", 3, "2026-03-08"),  # 3:00, one minute later on the wall
        ("2026-11-01T05:30", 1, "2026-11-01"),  # 1:30 for the first time, the night they go back
        ("2026-11-01T06:30", 1, "2026-11-01"),  # 1:30 for the second time
        ("2026-11-01T04:59", 1, "2026-10-31"),  # 0:59
    ],
)
def test_the_gaming_date_is_the_wall_clock_less_the_rollover_hour(moment: str, hour: int, day: str) -> None:
    assert gaming_date_of(at(moment), NEW_YORK, hour) == date.fromisoformat(day)


def table() -> Table:
    from casino.games import game

    event = set_up(
        game("54-card-roulette"), table="R-01", paytable="printed", layout="standard", method="second_card", seats=6,
        currency="USD", limits={}, round_payout_max_cents=100_000_000, off_limits="warn",
    )  # fmt: skip
    return Table("R-01", event)


def test_sessions_of_a_day_are_numbered_and_a_new_day_begins_with_one() -> None:
    day = date(2026, 11, 29)
    closed = Session("R-01", day, 1, opener=Count(1), closer=Count(1))
    assert open_table(table(), None, day, Count(5))[0].number == 1
    assert open_table(table(), closed, day, Count(5))[0].number == 2
    assert open_table(table(), closed, date(2026, 11, 30), Count(5))[0].number == 1


def test_a_table_that_is_open_or_was_open_on_a_later_day_does_not_open() -> None:
    day = date(2026, 11, 29)
    with pytest.raises(Refused, match="open already"):
        open_table(table(), Session("R-01", day, 1, opener=Count(1)), day, Count(5))
    with pytest.raises(Refused, match="later gaming day"):
        open_table(table(), Session("R-01", day, 1, Count(1), Count(1)), date(2026, 11, 28), Count(5))


@pytest.mark.parametrize(
    ("count", "code"),
    [
        (Count(-1), "amount_not_positive"),
        (Count(10**12), "amount_too_large"),
        (Count(100, {"500": 100}), "bad_denomination"),
        (Count(100, {"0": 100}), "bad_denomination"),
        (Count(100, {"five": 100}), "bad_denomination"),
        (Count(1000, {"500": 500}), "count_does_not_add_up"),
        (Count(-500, {"500": -500}), "amount_not_positive"),
    ],
)
def test_a_count_that_can_not_be_is_refused(count: Count, code: str) -> None:
    with pytest.raises(Refused) as refusal:
        check_count(count, "opener")
    assert refusal.value.code == code


def test_an_empty_tray_may_be_counted() -> None:
    check_count(Count(0), "closer")
    check_count(Count(0, {}), "closer")


def test_a_table_that_pays_to_the_cent_is_written_as_it_always_was_and_another_says_its_rounding():
    fields = {
        "table": "R-01", "paytable": "printed", "layout": "standard", "method": "second_card", "seats": 6,
        "currency": "USD", "limits": {}, "round_payout_max_cents": 1_000_000, "off_limits": "warn",
    }  # fmt: skip
    whole, five = (set_up(game("54-card-roulette"), **fields, payout_rounding_cents=cents) for cents in (1, 500))
    assert "payout_rounding" not in encode(whole).payload
    assert "payout_rounding" not in repr(whole)  # the fingerprint of a command given before
    assert '"payout_rounding_cents":500' in encode(five).payload
    with pytest.raises(Refused) as refused:
        set_up(game("54-card-roulette"), **fields, payout_rounding_cents=0)
    assert refused.value.code == "amount_not_positive"
