"""What a game that says nothing of whole rounds gets: each bet by itself, from its row of odds, and marked as that."""

from fractions import Fraction

import numpy as np
import pytest

from casino.games import load_games
from casino.games.game import Odds, Placed, Setup
from casino.games.spread import BetByBet, OwnSpread, spread_of
from casino.refusal import Refused
from tests.toy_games.high_card import HighCard

HIGH = Odds("high", Fraction(1), Fraction(24, 51), Fraction(0), Fraction(48, 51))
NUMBERS = np.random.PCG64(54).random_raw(200_000)


class House(HighCard):
    """High Card with the odds that a test wants."""

    def __init__(self, *rows: Odds) -> None:
        self.rows = rows

    def odds(self, paytable: str) -> list[Odds]:
        return list(self.rows)


def bets(*placed: tuple[int, str, int]) -> list[Placed]:
    return [Placed(number, *one) for number, one in enumerate(placed, start=1)]


def test_the_two_shipped_games_say_more_and_the_toy_does_not() -> None:
    assert [code for code, known in load_games().items() if isinstance(known, OwnSpread)] == list(load_games())
    assert not isinstance(HighCard(), OwnSpread)
    with pytest.raises(Refused, match="There is no game"):
        spread_of("no-such-game", Setup("a", "b", "c"))


def test_bets_are_added_as_if_they_had_nothing_in_common_and_it_says_so() -> None:
    """5.00 and 7.00 at 16/17 each: V = (500² + 700²) × 16/17; the game is fair, so T is nothing."""
    spread = BetByBet(House(HIGH), "even")
    moments = spread.moments(bets((1, "high", 500), (3, "high", 700)))
    assert moments is not None
    assert Fraction(moments.variance, spread.variance_denominator) == (500**2 + 700**2) * Fraction(16, 17)
    assert moments.theo == 0
    assert "no card in common" in spread.approximations[0]


def test_theo_is_stake_times_edge() -> None:
    """A bet at 1/18 and one at 1/27, 9.00 on each: 50 + 33 1/3 cents."""
    spread = BetByBet(
        House(
            Odds("one", Fraction(50), Fraction(1, 54), Fraction(1, 18), Fraction(15_317, 324)),
            Odds("two", Fraction(12), Fraction(2, 27), Fraction(1, 27), Fraction(8_450, 729)),
        ),
        "even",
    )
    moments = spread.moments(bets((1, "one:As", 900), (1, "two:K", 900), (1, "progressive", 100)))
    assert moments is not None
    assert Fraction(moments.theo, spread.theo_denominator) == 50 + Fraction(100, 3)


def test_a_bet_without_a_row_is_not_known() -> None:
    spread = BetByBet(House(HIGH), "even")
    assert spread.moments(bets((1, "high", 500), (1, "double", 500))) is None
    assert spread.results(bets((1, "double", 500)), NUMBERS) is None


def test_a_bet_of_one_pay_is_dealt_as_its_row_says() -> None:
    """Wins 24, loses 24 and is returned 3 times of 51: a share of 200,000 is within four standard errors."""
    results = BetByBet(House(HIGH), "even").results(bets((1, "high", 500)), NUMBERS)
    assert results is not None
    shares = {value: Fraction(int((results == value).sum()), len(results)) for value in (-500, 500, 0)}
    wanted = {-500: Fraction(24, 51), 500: Fraction(24, 51), 0: Fraction(3, 51)}
    for value, share in wanted.items():
        assert abs(shares[value] - share) < 4 * float(share * (1 - share) / len(results)) ** 0.5


def test_two_bets_of_a_round_are_dealt_apart() -> None:
    one, other = bets((1, "high", 500), (2, "high", 500))
    spread = BetByBet(House(HIGH), "even")
    both = spread.results([one, other], NUMBERS)
    assert both is not None
    assert float(np.var(both)) == pytest.approx(2 * 500**2 * 16 / 17, rel=0.02)


def test_a_bet_that_pays_by_a_table_or_ends_in_more_ways_can_not_be_dealt() -> None:
    by_table = Odds("bonus", {"flush": Fraction(7)}, Fraction(1, 10), Fraction(1, 5), Fraction(5))
    four_ways = Odds("odd", Fraction(2), Fraction(1, 4), Fraction(1, 4), Fraction(9))
    spread = BetByBet(House(by_table, four_ways), "even")
    assert spread.moments(bets((1, "bonus", 100), (1, "odd", 100))) is not None
    assert spread.results(bets((1, "bonus", 100)), NUMBERS) is None
    assert spread.results(bets((1, "odd", 100)), NUMBERS) is None


def test_half_a_cent_is_not_paid() -> None:
    spread = BetByBet(House(Odds("half", Fraction(3, 2), Fraction(2, 5), Fraction(0), Fraction(3, 2))), "even")
    results = spread.results(bets((1, "half", 5)), NUMBERS)
    assert results is not None
    assert set(results.tolist()) == {-7, 5}
