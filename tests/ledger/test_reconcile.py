"""A table's day from events beside its counts: the worked day of the books, and every figure that is not known."""

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.reconcile import Facts, hold, reconcile, total

# The worked day: opener 50,000; fill 20,000; credit 5,000; R 33,500; G 12,800; pit redemptions 4,000; a thousand of
# jackpots from the tray; the dealer overpaid 75; the cage paid 9,000 of the winnings.
WORKED = Facts(
    opener=50_000, fills=20_000, credits=5_000, recorded_drop=33_500, game_result=12_800, pit_redemptions=4_000,
    jackpots=1_000, errors=75, elsewhere=9_000,
)  # fmt: skip
cents = st.integers(0, 10**9)
signed = st.integers(-(10**9), 10**9)
facts = st.builds(
    Facts, cents, cents, signed, cents, cents, cents, cents, cents, signed, signed, closer=cents, counted_drop=cents
)


def test_the_worked_day_of_the_books_comes_out() -> None:
    shown = reconcile(WORKED)
    assert (shown.expected_tray, shown.estimated_win) == (56_225, 11_725)
    assert shown.estimated_hold == Fraction(11_725, 33_500)
    assert (shown.state, shown.win, shown.hold, shown.variance) == ("open", None, None, None)


def test_counts_that_agree_leave_no_difference() -> None:
    shown = reconcile(replace(WORKED, closer=56_225, counted_drop=33_500))
    assert (shown.state, shown.win, shown.box_variance, shown.tray_variance, shown.variance) == (
        "complete", 11_725, 0, 0, 0,
    )  # fmt: skip


def test_a_difference_is_found_where_it_lies() -> None:
    shown = reconcile(replace(WORKED, closer=56_225 - 40, counted_drop=33_500 + 41))
    assert (shown.box_variance, shown.tray_variance, shown.variance) == (41, -40, 1)


@given(facts)
def test_box_and_tray_together_explain_win_less_estimated_win(day: Facts) -> None:
    shown = reconcile(day)
    assert shown.variance == shown.box_variance + shown.tray_variance == shown.win - shown.estimated_win


@given(st.lists(facts, min_size=1, max_size=5))
def test_the_total_is_reconciled_as_the_sum_of_its_tables(days: list[Facts]) -> None:
    together, apart = reconcile(total(days)), [reconcile(day) for day in days]
    for name in ("expected_tray", "estimated_win", "win", "box_variance", "tray_variance", "variance"):
        assert getattr(together, name) == sum(getattr(one, name) for one in apart)


@pytest.mark.parametrize("missing", ["closer", "counted_drop"])
def test_one_missing_count_makes_the_sum_unknown_and_never_smaller(missing: str) -> None:
    known = replace(WORKED, closer=1, counted_drop=1)
    assert getattr(total([known, replace(known, **{missing: None})]), missing) is None


def test_what_is_unknown_has_its_reason_and_what_is_known_is_still_told() -> None:
    open_, tray_only = reconcile(WORKED), reconcile(replace(WORKED, closer=56_000))
    assert set(open_.unknown) == {"closer", "counted_drop", "win"}
    assert (tray_only.state, tray_only.tray_variance, tray_only.box_variance) == ("inventory_only", -225, None)
    assert tray_only.unknown == {"counted_drop": "the box is not counted yet", "win": "the box is not counted yet"}


def test_a_share_of_no_drop_is_unknown_and_a_hold_may_leave_zero_to_one() -> None:
    assert hold(500, 0) is None
    assert hold(500, None) is None
    assert hold(-700, 100) == -7
