"""The regulators' tests of a hold, on published holds and on numbers worked out by hand."""

from fractions import Fraction

import pytest

from ledger.base_level import POINTS, RELATIVE, Period, base_of, beyond_points, outside_interval

# Table hold of nine states, 2011 → 2012 in per mille (domain, vector P17).
STATES = {
    "CO": (200, 199), "IL": (157, 158), "IN": (173, 193), "IA": (200, 209), "MS": (168, 175), "MO": (191, 183),
    "NV": (132, 131), "NJ": (146, 142), "SD": (173, 179),
}  # fmt: skip


def month(hold_percent: int, drop_cents: int = 100_000) -> Period:
    return Period(hold_percent * drop_cents // 100, drop_cents)


YEAR = [month(hold) for hold in (18, 22, 20, 19, 21, 20, 18, 22, 20, 19, 21, 20)]
"""Base 20 %, deviation √(20 ÷ 11) = 1.348 points: the interval is 20 ± 2.643."""


def test_none_of_nine_states_moved_by_three_points_in_a_year() -> None:
    for before, after in STATES.values():
        assert beyond_points(Fraction(after, 1000), Fraction(before, 1000)).investigate is False


def test_read_as_three_per_cent_of_the_base_five_of_them_did() -> None:
    flagged = {
        state
        for state, (before, after) in STATES.items()
        if beyond_points(Fraction(after, 1000), Fraction(before, 1000), mode=RELATIVE).investigate
    }
    assert flagged == {"IN", "IA", "MS", "MO", "SD"}


def test_three_points_themselves_are_not_more_than_three() -> None:
    base = Fraction(20, 100)
    assert beyond_points(Fraction(23, 100), base).investigate is False
    assert beyond_points(Fraction(2301, 10_000), base).investigate is True
    assert beyond_points(Fraction(1699, 10_000), base).words == "more than 3 percentage points of the base level"
    assert beyond_points(Fraction(24, 100), base, points=5).investigate is False


def test_a_mode_that_is_neither_is_an_error() -> None:
    with pytest.raises(ValueError, match="There is no mode 'pp'"):
        beyond_points(Fraction(1, 5), Fraction(1, 5), mode="pp")
    assert POINTS != RELATIVE


@pytest.mark.parametrize(("hold", "investigate"), [(2264, False), (2265, True), (1736, False), (1735, True)])
def test_a_hold_is_outside_where_95_in_100_are_not(hold: int, investigate: bool) -> None:
    found = outside_interval(Fraction(hold, 10_000), YEAR)
    assert (found.investigate, found.base) == (investigate, Fraction(20, 100))


def test_the_base_level_weighs_its_periods_by_their_drop() -> None:
    assert base_of([month(10, 300_000), month(30, 100_000)]) == Fraction(15, 100)


def test_what_can_not_be_tested_says_why() -> None:
    assert outside_interval(None, YEAR).words == "nothing was dropped in the period"
    assert outside_interval(Fraction(1, 5), [month(20)]).words.startswith("the base level has one period")
    assert outside_interval(Fraction(1, 5), [Period(100, 0)]) == beyond_points(Fraction(1, 5), None)
    assert beyond_points(Fraction(1, 5), None).investigate is None
