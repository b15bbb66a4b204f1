"""Lots drawn by weight: the share of every place, exactly, and the same lots for the same numbers."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from casino.games.lots import ONE, Lots, further


def shares(lots: Lots) -> list[Fraction]:
    """The chance of each place, from the columns themselves: a column's own part, and what it gives to another."""
    found = [Fraction(0)] * lots.columns
    for column, (own, other) in enumerate(zip(lots._own.tolist(), lots._other.tolist(), strict=True)):
        found[column] += Fraction(own, ONE * lots.columns)
        found[other] += Fraction(ONE - own, ONE * lots.columns)
    return found


@settings(deadline=None)
@given(st.lists(st.integers(0, 10**9), min_size=1, max_size=60).filter(any))
def test_every_place_has_its_share_to_a_hair(weights: list[int]) -> None:
    for share, weight in zip(shares(Lots(weights)), weights, strict=True):
        assert abs(share - Fraction(weight, sum(weights))) <= Fraction(1, ONE)


@settings(deadline=None)
@given(st.lists(st.integers(0, 5), min_size=1, max_size=9).filter(any), st.integers(0, 2**64 - 1))
def test_a_place_without_weight_is_never_drawn(weights: list[int], number: int) -> None:
    place = int(Lots(weights).draw(np.array([number], dtype=np.uint64))[0])
    assert weights[place] > 0


def test_lots_come_as_often_as_their_weights_say() -> None:
    numbers = np.random.PCG64(54).random_raw(600_000)
    counts = np.bincount(Lots([1, 2, 3]).draw(numbers), minlength=3)
    assert counts.tolist() == pytest.approx([100_000, 200_000, 300_000], abs=1_500)  # four standard deviations


def test_the_same_numbers_draw_the_same_and_further_ones_draw_others() -> None:
    numbers = np.random.PCG64(54).random_raw(1_000)
    lots = Lots([1] * 52)
    assert (lots.draw(numbers) == lots.draw(numbers.copy())).all()
    assert (lots.draw(further(numbers, 0)) == lots.draw(further(numbers, 1))).mean() < 0.1
    assert further(np.array([0], dtype=np.uint64), 1).tolist() == [
        0xE220_A839_7B1D_CDAF
    ]  # splitmix64's first of seed 0
