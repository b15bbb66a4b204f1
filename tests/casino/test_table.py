"""A table's sessions and the gaming day, without a database."""

from datetime import UTC, date, datetime
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from casino.events import Limits
from casino.eventstore.registry import encode
from casino.games import game
from casino.refusal import Refused
from casino.table import Count, check_count, gaming_date_of, roll_due_at, set_up, shift_of

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


@pytest.mark.parametrize(
    ("moment", "starts", "shift"),
    [
        ("2026-11-29T11:00", [6], 1),  # 6:00 in New York, one shift a day
        ("2026-11-30T10:59", [6], 1),
        ("2026-11-29T11:00", [6, 14, 22], 1),
        ("2026-11-29T18:59", [6, 14, 22], 1),  # 13:59
        ("2026-11-29T19:00", [6, 14, 22], 2),  # 14:00
        ("2026-11-30T03:00", [6, 14, 22], 3),  # 22:00
        ("2026-11-30T10:59", [6, 14, 22], 3),  # 5:59 the next morning
        ("2026-11-30T05:00", [20, 4, 12], 1),  # midnight, in a shift that began at 20:00
        ("2026-11-30T09:00", [20, 4, 12], 2),
        ("2026-11-01T06:30", [1, 9, 17], 1),  # 1:30 for the second time, the night the clocks go back
    ],
)
def test_a_moment_is_in_the_shift_that_began_last_on_the_wall_clock(moment: str, starts: list[int], shift: int) -> None:
    assert shift_of(at(moment), NEW_YORK, starts) == shift


@pytest.mark.parametrize(
    ("opened", "starts", "due"),
    [
        ("2026-11-29T15:00", [6], "2026-11-30T11:00"),  # opened at ten in the morning, due at six the next
        ("2026-11-29T10:59", [6], "2026-11-29T11:00"),  # a minute before the rollover
        ("2026-11-29T11:00", [6], "2026-11-30T11:00"),  # at the rollover itself
        ("2026-11-29T15:00", [6, 14, 22], "2026-11-29T19:00"),
        ("2026-11-30T04:00", [6, 14, 22], "2026-11-30T11:00"),  # eleven at night: the last shift
        ("2026-03-08T05:00", [6], "2026-03-08T10:00"),  # the night the clocks go forward: six is an hour sooner
    ],
)
def test_a_session_is_due_to_roll_when_the_next_shift_begins(opened: str, starts: list[int], due: str) -> None:
    assert roll_due_at(at(opened), NEW_YORK, starts) == at(due)


@pytest.mark.parametrize(
    ("count", "code"),
    [
        (Count(-1), "amount_not_positive"),
        (Count(10**12), "amount_too_large"),
        (Count(100, {"500": 100}), "bad_denomination"),
        (Count(100, {"0": 100}), "bad_denomination"),
        (Count(100, {"five": 100}), "bad_denomination"),
        (Count(100, {"0100": 100, "100": 0}), "bad_denomination"),  # one chip in two spellings
        (Count(100, {"١٠٠": 100}), "bad_denomination"),
        (Count(100, {"1" * 5_000: 100}), "bad_denomination"),
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


@pytest.mark.parametrize(
    ("place", "code"),
    [
        ({"pit": "pit one"}, "bad_pit"),
        ({"par_cents": -1}, "amount_not_positive"),
        ({"fill_line_cents": -1}, "amount_not_positive"),
        ({"par_cents": 100, "fill_line_cents": 101}, "bad_fill_line"),
    ],
)
def test_where_a_table_stands_and_what_its_tray_should_hold_is_checked(place: dict[str, Any], code: str) -> None:
    fields = {
        "table": "R-01", "paytable": "printed", "layout": "standard", "method": "second_card", "seats": 6,
        "currency": "USD", "limits": {}, "round_payout_max_cents": 1_000_000, "off_limits": "warn",
    }  # fmt: skip
    right = {"pit": "P-1", "par_cents": 100, "fill_line_cents": 100}
    with pytest.raises(Refused) as refused:
        set_up(game("54-card-roulette"), **fields, **(right | place))
    assert refused.value.code == code
    assert set_up(game("54-card-roulette"), **fields, **right).pit == "P-1"


@pytest.mark.parametrize(
    ("code", "bet"),
    [
        ("54-card-roulette", "colours"), ("54-card-roulette", "colour:red"), ("54-card-roulette", "progressive"),
        ("54-card-roulette", "a\0b"), ("royal-casino", "blind"), ("royal-casino", "colour"),
    ],
)  # fmt: skip
def test_limits_are_posted_for_bets_that_the_game_has_and_that_have_a_stake_of_their_own(code: str, bet: str) -> None:
    known = game(code)
    fields = {
        "table": "R-01", "paytable": known.paytables[0], "layout": known.layouts[0], "method": known.methods[0],
        "seats": 6, "currency": "USD", "round_payout_max_cents": 1_000_000, "off_limits": "warn",
    }  # fmt: skip
    with pytest.raises(Refused) as refused:
        set_up(known, **fields, limits={bet: Limits(100, 200)})
    assert refused.value.code == "unknown_bet"
    assert set_up(known, **fields, limits={"bonus" if code == "royal-casino" else "colour": Limits(100, 200)})
