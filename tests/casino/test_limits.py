"""Limits announced, without a database: the notice, the least stake, and from when they hold."""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from casino import profile
from casino.events import Limits
from casino.games import game
from casino.limits import announce, check_limits_stand
from casino.refusal import Refused
from casino.session_events import LimitsAnnounced
from casino.table import Table, set_up, set_up_of, table_of

NOW = datetime(2026, 11, 29, 20, tzinfo=UTC)
MARYLAND = profile.load("maryland")
POSTED = {"colour": Limits(500, 50_000), "straight_up": Limits(100, 10_000)}


def minutes(n: int) -> datetime:
    return NOW + timedelta(minutes=n)


def table(*announced: LimitsAnnounced) -> Table:
    event = set_up(
        game("54-card-roulette"), table="R-01", paytable="printed", layout="standard", method="second_card", seats=6,
        currency="USD", limits=POSTED, round_payout_max_cents=1_000_000, off_limits="warn",
    )  # fmt: skip
    return table_of("R-01", [event, *announced])


def said(limits: Mapping[str, Limits], on: Table | None = None, **more: Any) -> LimitsAnnounced:
    given = {
        "round_payout_max_cents": None, "effective_at": None, "now": NOW, "occupied": True, "may_raise_minimum": False,
        "by": "ana",
    } | more  # fmt: skip
    return announce(on or table(), MARYLAND, limits=limits, **given)


def refused(limits: Mapping[str, Limits], on: Table | None = None, **more: Any) -> Refused:
    with pytest.raises(Refused) as refusal:
        said(limits, on, **more)
    return refusal.value


def test_where_nobody_plays_limits_change_at_once_and_any_way() -> None:
    event = said({"colour": Limits(2_500, 100_000)}, occupied=False)
    assert (event.effective_at, event.occupied) == (NOW.isoformat(), False)
    assert event.limits == {**POSTED, "colour": Limits(2_500, 100_000)}


@pytest.mark.parametrize("change", [Limits(100, 50_000), Limits(500, 100_000), Limits(500, 10_000)])
def test_where_somebody_plays_a_lower_minimum_and_any_maximum_need_the_notice_and_no_more(change: Limits) -> None:
    assert said({"colour": change}).effective_at == minutes(30).isoformat()
    assert said({"colour": change}, effective_at=minutes(30)).effective_at == minutes(30).isoformat()
    refusal = refused({"colour": change}, effective_at=minutes(30) - timedelta(seconds=1))
    assert (refusal.code, refusal.details["earliest"]) == ("notice_too_short", minutes(30).isoformat())


def test_where_somebody_plays_the_least_stake_rises_by_a_permission_of_its_own() -> None:
    for change in ({"colour": Limits(501, 50_000)}, {"suit": Limits(100, 1_000)}):
        assert refused(change).code == "minimum_raised"
        assert said(change, may_raise_minimum=True).effective_at == minutes(30).isoformat()
        assert said(change, occupied=False)


def test_limits_do_not_change_in_the_past_nor_in_a_far_future() -> None:
    lower = {"colour": Limits(100, 50_000)}
    assert refused(lower, occupied=False, effective_at=minutes(-1)).code == "notice_too_short"
    assert refused(lower, effective_at=NOW + timedelta(days=8)).code == "too_far_ahead"


def test_limits_that_can_not_be_or_are_posted_already_are_refused() -> None:
    assert refused({"colour": Limits(0, 50_000)}).code == "bad_limits"
    assert refused({"colour": Limits(501, 500)}).code == "bad_limits"
    assert refused({"colour": Limits(500, 50_000)}).code == "limits_as_posted"
    assert refused({}).code == "limits_as_posted"
    assert refused({}, round_payout_max_cents=0).code == "amount_not_positive"
    assert said({}, round_payout_max_cents=2_000_000).round_payout_max_cents == 2_000_000


def test_a_moment_is_said_in_universal_time_so_that_moments_compare() -> None:
    from zoneinfo import ZoneInfo

    wall = minutes(40).astimezone(ZoneInfo("America/New_York"))
    assert said({"colour": Limits(100, 50_000)}, effective_at=wall).effective_at == "2026-11-29T20:40:00+00:00"


# ------------------------------------------------------------------------------------------------- from when they hold


def colour_at(on: Table, n: int) -> Limits:
    return set_up_of(on.at(minutes(n))).limits["colour"]


def test_announced_limits_hold_from_their_moment_on() -> None:
    on = table(said({"colour": Limits(100, 20_000)}, round_payout_max_cents=5_000_000))
    assert (colour_at(on, 29), colour_at(on, 30)) == (Limits(500, 50_000), Limits(100, 20_000))
    assert set_up_of(on.at(minutes(30))).round_payout_max_cents == 5_000_000
    assert [one.effective_at for one in on.pending(NOW)] == [minutes(30).isoformat()]
    assert on.pending(minutes(30)) == []


def test_what_is_announced_later_goes_before_what_was_announced_for_later() -> None:
    first = said({"colour": Limits(100, 20_000)}, effective_at=minutes(60))
    second = said({"straight_up": Limits(100, 5_000)}, table(first), effective_at=minutes(40))
    on = table(first, second)
    assert second.limits["colour"] == Limits(100, 20_000)  # it builds on what was announced
    assert set_up_of(on.at(minutes(61))).limits == second.limits
    assert on.pending(NOW) == [second]
    third = said({"colour": Limits(100, 30_000)}, on, effective_at=minutes(50))
    assert table(first, second, third).pending(NOW) == [second, third]


def test_a_minimum_counts_as_raised_against_what_holds_now_not_against_what_was_announced() -> None:
    on = table(said({"colour": Limits(100, 50_000)}))
    assert said({"colour": Limits(500, 50_000)}, on)
    assert refused({"colour": Limits(501, 50_000)}, on).code == "minimum_raised"


def test_a_set_up_has_limits_of_its_own_and_does_not_change_those_of_an_open_table() -> None:
    event = set_up_of(table())
    on = table_of("R-01", [event, said({"colour": Limits(100, 20_000)}), event])
    assert colour_at(on, 60) == Limits(500, 50_000)
    check_limits_stand(on, event)
    with pytest.raises(Refused) as refusal:
        check_limits_stand(table(said({"colour": Limits(100, 20_000)}, occupied=False)).at(NOW), event)
    assert refusal.value.code == "table_open"
