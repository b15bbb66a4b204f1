"""Whole rounds of 54 Card Roulette: expectation and variance of any bets together, against facts from elsewhere."""

import json
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from casino.games.fifty_four_card_roulette import counts, odds
from casino.games.fifty_four_card_roulette.layout import LAYOUTS
from casino.games.fifty_four_card_roulette.paytables import PAYTABLES, POKER
from casino.games.fifty_four_card_roulette.spread import RouletteSpread
from casino.games.game import Placed, Setup
from casino.games.spread import Spread, spread_of
from casino.theo import Stakes, theo

FACTS = json.loads((Path(__file__).parents[3] / "facts" / "54-card-roulette.covariance.json").read_text())
CODES = {
    "straight_up": "straight_up:As", "straight_up_joker": "straight_up:X1", "split": "split:As+Ks",
    "street": "street:X1+As+Ah", "corner": "corner:As+Ah+Ks+Kh", "rank": "rank:A", "split_rank": "split_rank:A+K",
    "suit_s": "suit:s", "suit_h": "suit:h", "ace_face": "ace_face", "red": "colour:red", "black": "colour:black",
    "straight_up_X2": "straight_up:X2", "rank_2": "rank:2",
}  # fmt: skip
"""The wagers of the facts by our codes; poker wagers have their own names."""

PORTFOLIOS = {title.partition(":")[0]: facts for title, facts in FACTS["portfolios"].items()}
ALL_CODES = sorted({*LAYOUTS["standard"].spots, *POKER})
SETUP = Setup("printed", "standard", "second_card")


@pytest.fixture(scope="module")
def spread() -> Spread:
    return spread_of("54-card-roulette", SETUP)


def bets(stakes: dict[str, int]) -> list[Placed]:
    named = ((CODES.get(name, name), cents) for name, cents in stakes.items())
    return [Placed(number, number % 8 + 1, code, cents) for number, (code, cents) in enumerate(named, start=1)]


def variance(spread: Spread, stakes: dict[str, int]) -> Fraction:
    return Fraction(spread.moments(bets(stakes)).variance, spread.variance_denominator)


def expectation(spread: Spread, stakes: dict[str, int]) -> Fraction:
    return Fraction(spread.moments(bets(stakes)).theo, spread.theo_denominator)


def test_it_is_exact(spread: Spread) -> None:
    assert spread.approximations == ()


def test_every_covariance_of_the_facts_is_in_it(spread: Spread) -> None:
    """Cov(a, b) = (Var(a + b) − Var(a) − Var(b)) ÷ 2, for all pairs of the 21 wagers."""
    names = FACTS["wagers"]
    assert len(names) == 21
    for row, one in enumerate(names):
        assert variance(spread, {one: 1}) == Fraction(FACTS["cov_fraction"][row][row])
        for column, other in enumerate(names[:row]):
            both = variance(spread, {one: 1, other: 1})
            apart = variance(spread, {one: 1}) + variance(spread, {other: 1})
            assert (both - apart) / 2 == Fraction(FACTS["cov_fraction"][row][column]), (one, other)


@pytest.mark.parametrize("name", PORTFOLIOS)
def test_portfolios_have_the_mean_and_variance_of_the_facts(spread: Spread, name: str) -> None:
    facts = PORTFOLIOS[name]
    assert variance(spread, facts["stakes"]) == Fraction(facts["variance"])
    assert expectation(spread, facts["stakes"]) == -Fraction(facts["mean"])


def test_red_and_black_by_hand(spread: Spread) -> None:
    """10.00 on red and on black: 2 jokers of 54 lose both (20.00), every other card gives one back for the other.

    T = 20 × 2/54 = 20/27; V = 2/54 × 20² − (20/27)² = 10,400/729.
    """
    assert expectation(spread, {"red": 10, "black": 10}) == Fraction(20, 27)
    assert variance(spread, {"red": 10, "black": 10}) == Fraction(10_400, 729)


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow], max_examples=40)  # a busy machine is no fault
@given(st.dictionaries(st.sampled_from(ALL_CODES), st.integers(1, 50_000), min_size=1, max_size=12))
def test_it_is_the_sum_over_all_pairs_and_the_theo_of_each_bet(stakes: dict[str, int]) -> None:
    found = spread_of("54-card-roulette", SETUP)
    assert variance(found, stakes) == odds.variance(stakes, "printed", counts.shipped())
    each = [Stakes("printed", code.partition(":")[0], cents) for code, cents in stakes.items()]
    assert expectation(found, stakes) == theo("54-card-roulette", each)


def test_a_bet_in_two_pieces_is_one_bet_and_the_progressive_is_none(spread: Spread) -> None:
    pieces = [Placed(1, 1, "suit:s", 300), Placed(2, 5, "suit:s", 700), Placed(3, 5, "progressive", 100)]
    assert spread.moments(pieces) == spread.moments([Placed(1, 1, "suit:s", 1_000)])


def test_a_paytable_with_halves_is_exact_too() -> None:
    """5.5 to 1 on 8 cards keeps the family's edge of 1/27."""
    pays = {**PAYTABLES["printed"], "split_rank": Fraction(11, 2)}
    halves = RouletteSpread(pays, LAYOUTS["standard"], counts.shipped())
    assert expectation(halves, {"split_rank": 10}) == Fraction(10, 27)
    assert variance(halves, {"split_rank": 1}) == Fraction(13, 2) ** 2 * Fraction(4, 27) * Fraction(23, 27)
    assert set(halves.results(bets({"split_rank": 3}), np.random.PCG64(1).random_raw(99)).tolist()) == {3, -16}


def test_replays_come_out_as_the_cards_do(spread: Spread) -> None:
    """Two million deals: mean and variance within four standard errors of the exact ones."""
    stakes = {"straight_up": 500, "suit_s": 1_000, "red": 2_000, "three_of_a_kind": 100, "straight_up_joker": 300}
    results = spread.results(bets(stakes), np.random.PCG64(54).random_raw(2_000_000)).astype(np.longdouble)
    exact = float(variance(spread, stakes))
    assert abs(results.mean() - float(expectation(spread, stakes))) < 4 * (exact / len(results)) ** 0.5
    error = (((results - results.mean()) ** 4).mean() - exact**2) / len(results)
    assert abs(results.var() - exact) < 4 * error**0.5


def test_a_long_shot_comes_as_often_as_it_is_dealt(spread: Spread) -> None:
    """A straight flush is dealt 2 times in 11,713: 512 of three million, give or take 23."""
    results = spread.results(bets({"straight_flush": 100}), np.random.PCG64(54).random_raw(3_000_000))
    assert set(results.tolist()) == {100, -480_000}
    assert int((results < 0).sum()) == pytest.approx(3_000_000 * 2 / 11_713, abs=4 * 23)
