"""Whole rounds of Royal Casino: every seat against the same bank on the same board, each hand played best.

A seat is its ANTE, whose result holds BLIND and PLAY, and its BONUS. Theo and variance rest on exact numbers: of one
seat (`outcomes`) and of every two seats (`sums`). The replays draw from the shipped deals (`deals`).
"""

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from math import lcm
from typing import NamedTuple

import numpy as np

from casino.games.game import Placed
from casino.games.lots import Int64s, Numbers
from casino.games.royal_casino import deals, odds, outcomes, sums
from casino.games.royal_casino.bets import ANTE, BONUS
from casino.games.royal_casino.paytables import paytable
from casino.games.side_bets import PROGRESSIVE
from casino.games.spread import Moments
from casino.money import winnings

BEST_PLAY = "every hand is taken as played best; people play worse, so the house tends to be ahead of its theo"
SEATS_APART = "the seats are taken as if they had no card in common; for this paytable nothing else is known"


class Figures(NamedTuple):
    """Exact figures of one unit of ANTE and one of BONUS, and the covariances of two units."""

    ante_edge: Fraction
    bonus_edge: Fraction
    ante: Fraction
    bonus: Fraction
    ante_bonus: Fraction
    of_two: sums.BetweenSeats


class RoyalSpread:
    """The spread of one paytable. `rounding_cents` is the smallest amount that the table pays."""

    def __init__(self, name: str, rounding_cents: int) -> None:
        self._pays, self._rounding = paytable(name), rounding_cents
        known = name == sums.PAYTABLE
        self.approximations: Sequence[str] = (BEST_PLAY,) if known else (BEST_PLAY, SEATS_APART)
        self._figures = figures(name, known)
        of_two = self._figures.of_two
        edges = self._figures.ante_edge, self._figures.bonus_edge
        squares = self._figures.ante, self._figures.bonus, self._figures.ante_bonus, *of_two
        self.theo_denominator = lcm(*(edge.denominator for edge in edges))
        self.variance_denominator = lcm(*(square.denominator for square in squares))
        self._edges = [_whole(edge, self.theo_denominator) for edge in edges]
        self._squares = [_whole(square, self.variance_denominator) for square in squares]
        self._results_of = lru_cache(maxsize=1_024)(self._results_of_a_seat)

    def moments(self, bets: Sequence[Placed]) -> Moments | None:
        """See `Spread`; not known where a seat has BLIND, PLAY or BONUS without its ANTE."""
        seats = _seats(bets)
        if seats is None:
            return None
        antes, bonuses = sum(ante for ante, _ in seats.values()), sum(bonus for _, bonus in seats.values())
        ante_squares = sum(ante * ante for ante, _ in seats.values())
        bonus_squares = sum(bonus * bonus for _, bonus in seats.values())
        both = sum(ante * bonus for ante, bonus in seats.values())
        ante, bonus, ante_bonus, two_antes, ante_and_bonus, two_bonuses = self._squares
        variance = ante_squares * ante + bonus_squares * bonus + 2 * both * ante_bonus
        variance += (antes * antes - ante_squares) * two_antes + (bonuses * bonuses - bonus_squares) * two_bonuses
        variance += 2 * (antes * bonuses - both) * ante_and_bonus
        return Moments(antes * self._edges[0] + bonuses * self._edges[1], variance)

    def results(self, bets: Sequence[Placed], numbers: Numbers) -> Int64s | None:
        """See `Spread`; every replay is one of the shipped deals."""
        seats = _seats(bets)
        if seats is None or len(seats) > deals.SEATS:
            return None
        dealt = deals.shipped()
        codes = dealt.codes[dealt.lots.draw(numbers)]
        result = np.zeros(len(numbers), dtype=np.int64)
        for place, (ante, bonus) in enumerate(seats.values()):
            result += self._results_of(ante, bonus)[codes[:, place]]
        return result

    def _results_of_a_seat(self, ante: int, bonus: int) -> Int64s:
        """Code → what the house wins of this seat, in cents as they are paid."""
        found = (self._result(outcomes.Cell(*deals.meaning(code), 1), ante, bonus) for code in range(deals.CODES))
        return np.fromiter(found, dtype=np.int64, count=deals.CODES)

    def _result(self, cell: outcomes.Cell, ante: int, bonus: int) -> int:
        net = odds.net_of(cell, self._pays.blind)
        on_bonus = self._pays.bonus.get(cell.rank)
        won = int(ante * (net.ante + net.play)) + self._won(ante, net.blind)
        return -won - (self._won(bonus, on_bonus) if on_bonus is not None else -bonus)

    def _won(self, stake: int, pays: Fraction) -> int:
        """As `settlement` pays it: what is not whole may fall between two chips."""
        if pays < 0:
            return -stake
        return winnings(stake, pays, self._rounding if pays.denominator > 1 else 1)


def _seats(bets: Sequence[Placed]) -> dict[int, tuple[int, int]] | None:
    """Seat → its ANTE and BONUS; None where a seat has another bet without an ANTE."""
    by_seat: dict[int, dict[str, int]] = {}
    for bet in bets:
        if bet.code == PROGRESSIVE:
            continue
        by_seat.setdefault(bet.seat, {})[bet.code] = bet.stake_cents
    if any(ANTE not in stakes for stakes in by_seat.values()):
        return None
    return {seat: (stakes[ANTE], stakes.get(BONUS, 0)) for seat, stakes in by_seat.items()}


def _whole(value: Fraction, denominator: int) -> int:
    return value.numerator * (denominator // value.denominator)


def figures(name: str, known: bool) -> Figures:
    """What the paytable's exact tables say; between seats 0 where nothing is known."""
    pays, table = paytable(name), outcomes.shipped()
    main, bonus = odds.rows(name, table)
    nothing = sums.BetweenSeats(Fraction(0), Fraction(0), Fraction(0))
    of_two = sums.between_seats(sums.total(sums.shipped())) if known else nothing
    both = odds.covariance(pays.blind, pays.bonus, table)
    return Figures(main.house_edge, bonus.house_edge, main.variance, bonus.variance, both, of_two)
