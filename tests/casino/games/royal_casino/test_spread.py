"""Whole rounds of Royal Casino: seats that share board and bank, against the exact figures of one seat and of two."""

import json
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from casino.games.game import Placed, Setup
from casino.games.royal_casino import sums
from casino.games.royal_casino.outcomes import Cell
from casino.games.royal_casino.paytables import PAYTABLES, Paytable
from casino.games.royal_casino.spread import BEST_PLAY, SEATS_APART, RoyalSpread
from casino.games.spread import Spread, spread_of
from casino.theo import Stakes, theo

FACTS = json.loads((Path(__file__).parents[3] / "facts" / "royal-casino.main.json").read_text())
VARIANCE = Fraction(FACTS["variance"])
WITH_BONUS = Fraction(FACTS["cov_main_trips_T3"]["fraction"])
NUMBERS = np.random.PCG64(54).random_raw(400_000)


@pytest.fixture(scope="module")
def spread() -> Spread:
    return spread_of("royal-casino", Setup("regulation", "standard", "hand"))


def seats(*antes_and_bonuses: tuple[int, int]) -> list[Placed]:
    """A seat for each: ANTE, BLIND, a PLAY of twice the ANTE, and BONUS where it is above zero."""
    placed: list[Placed] = []
    for seat, (ante, bonus) in enumerate(antes_and_bonuses, start=1):
        for code, cents in (("ante", ante), ("blind", ante), ("play", 2 * ante), ("bonus", bonus)):
            if cents:
                placed.append(Placed(len(placed) + 1, seat, code, cents))
    return placed


def variance(spread: Spread, *of_seats: tuple[int, int]) -> Fraction:
    moments = spread.moments(seats(*of_seats))
    assert moments is not None
    return Fraction(moments.variance, spread.variance_denominator)


def test_one_ante_is_the_main_game_of_the_facts(spread: Spread) -> None:
    assert variance(spread, (1, 0)) == VARIANCE
    assert variance(spread, (1_000, 0)) == 1_000**2 * VARIANCE
    moments = spread.moments(seats((1_000, 0)))
    assert moments is not None
    assert Fraction(moments.theo, spread.theo_denominator) == -1_000 * Fraction(FACTS["ev_per_ante"])


def test_ante_and_bonus_of_one_seat_hang_together_as_the_facts_say(spread: Spread) -> None:
    both = variance(spread, (1, 1)) - variance(spread, (1, 0))
    bonus = variance(spread, (2, 1)) - 4 * VARIANCE - 2 * 2 * WITH_BONUS
    assert both == bonus + 2 * WITH_BONUS


def test_two_seats_have_what_they_share_twice(spread: Spread) -> None:
    between = sums.between_seats(sums.total(sums.shipped()))
    assert variance(spread, (3, 0), (5, 0)) == (9 + 25) * VARIANCE + 2 * 15 * between.main_main
    alone = variance(spread, (3, 2)) + variance(spread, (5, 7))
    shared = 15 * between.main_main + (3 * 7 + 2 * 5) * between.main_bonus + 14 * between.bonus_bonus
    assert variance(spread, (3, 2), (5, 7)) == alone + 2 * shared


def test_theo_is_the_theo_of_ratings(spread: Spread) -> None:
    bets = seats((1_000, 500), (2_500, 0))
    moments = spread.moments(bets)
    assert moments is not None
    each = [Stakes("regulation", bet.code, bet.stake_cents) for bet in bets]
    assert Fraction(moments.theo, spread.theo_denominator) == theo("royal-casino", each)


def test_a_seat_without_its_ante_is_not_known(spread: Spread) -> None:
    assert spread.moments([Placed(1, 1, "bonus", 500)]) is None
    assert spread.results([Placed(1, 1, "bonus", 500)], NUMBERS) is None


def test_the_progressive_is_none_of_it(spread: Spread) -> None:
    bets = seats((1_000, 0))
    assert spread.moments([*bets, Placed(9, 1, "progressive", 100)]) == spread.moments(bets)


def test_it_says_that_hands_are_taken_as_played_best(spread: Spread) -> None:
    assert spread.approximations == (BEST_PLAY,)


def test_another_paytable_takes_its_seats_apart_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    another = Paytable(PAYTABLES["regulation"].blind, {**PAYTABLES["regulation"].bonus, "three_of_a_kind": Fraction(4)})
    monkeypatch.setattr("casino.games.royal_casino.paytables.PAYTABLES", {**PAYTABLES, "generous": another})
    generous = RoyalSpread("generous", 1)
    assert generous.approximations == (BEST_PLAY, SEATS_APART)
    assert variance(generous, (1, 0), (1, 0)) == 2 * VARIANCE


def test_seven_seats_are_dealt_as_one_round(spread: Spread) -> None:
    """Mean and variance of 400,000 replays: within four standard errors of the exact mean, and 3 % of the variance."""
    bets = seats(*[(1_000, 500)] * 7)
    results, moments = spread.results(bets, NUMBERS), spread.moments(bets)
    assert results is not None
    assert moments is not None
    exact = float(Fraction(moments.variance, spread.variance_denominator))
    off = float(results.mean()) - float(Fraction(moments.theo, spread.theo_denominator))
    assert abs(off) < 4 * (exact / len(results)) ** 0.5
    assert float(results.astype(float).var()) == pytest.approx(exact, rel=0.03)


def test_a_flush_on_an_odd_blind_is_cut_down_as_the_table_pays() -> None:
    """5 cents at 3 to 2 are 7.5: paid 7; where the smallest chip is 5, paid 5. 10 pay 15 either way."""
    cell = ("raise_4x", "flush", "win_qualified", 1)

    for rounding, ante, won in ((1, 5, 5 + 20 + 7), (5, 5, 5 + 20 + 5), (5, 10, 10 + 40 + 15)):
        assert RoyalSpread("regulation", rounding)._result(Cell(*cell), ante, 0) == -won
