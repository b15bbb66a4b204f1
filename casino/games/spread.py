"""The mathematics of whole rounds: what the house may expect of all bets of a round, and how far off it may end.

The bets of a round, and all its seats, share cards, so their variances don't add up: a game that knows better says so
by `OwnSpread`. The others are reckoned bet by bet from their `odds`, as if the bets had nothing to do with each other,
and the figure is marked with that. Amounts are the house's view; the progressive is in none of it (books, section 3).
"""

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from math import lcm
from typing import Any, NamedTuple, Protocol, runtime_checkable

import numpy as np

from casino.games import game
from casino.games.game import Game, Odds, OwnEdges, Placed, Setup
from casino.games.lots import Int64s, Lots, Numbers, further
from casino.games.side_bets import PROGRESSIVE
from casino.money import winnings


class Moments(NamedTuple):
    """Of one round: `theo` over the spread's `theo_denominator`, in cents; `variance` over its `variance_denominator`,
    in the square of cents. Whole numbers, so that sums of rounds are exact and may be made by a database.
    """

    theo: int
    variance: int


class Spread(Protocol):
    """A game's mathematics of whole rounds under one set-up.

    `approximations` says in words what was taken simpler than it is; empty where every figure is exact.
    """

    theo_denominator: int
    variance_denominator: int
    approximations: Sequence[str]

    def moments(self, bets: Sequence[Placed]) -> Moments | None:
        """What to expect of these bets together; None where the mathematics of one of them is not known."""

    def results(self, bets: Sequence[Placed], numbers: Numbers) -> Int64s | None:
        """What the house wins on these bets when the round is dealt once for each random number, in cents.

        None where the game can't deal them so.
        """


@runtime_checkable
class OwnSpread(Protocol):
    """What a game says besides, whose bets of a round hang together."""

    def spread(self, setup: Setup) -> Spread:
        """The mathematics of its rounds under this set-up; refuses what the game doesn't know of it."""


def spread_of(code: str, setup: Setup) -> Spread:
    """The spread of the game with this code: its own, or one bet by bet from its odds.

    Refuses `unknown_game`, and what the game doesn't know of the set-up.
    """
    known: Any = game(code)
    return _spread(known, setup)


@lru_cache(maxsize=256)
def _spread(known: Any, setup: Setup) -> Spread:
    """Kept by the game itself, not by its code: a house may stop dealing a game."""
    return known.spread(setup) if isinstance(known, OwnSpread) else BetByBet(known, setup.paytable)


class BetByBet:
    """The default: every bet of a round by itself, from one row of the game's `odds`."""

    approximations: Sequence[str] = ("the bets of a round are taken as if they had no card in common",)

    def __init__(self, known: Game, paytable: str) -> None:
        self._odds = {one.wager: one for one in known.odds(paytable)}
        own = known.edges(paytable) if isinstance(known, OwnEdges) else None
        self._edges = own if own is not None else {bet: one.house_edge for bet, one in self._odds.items()}
        self._laws = {bet: law for bet, one in self._odds.items() if (law := _law(one)) is not None}
        self.theo_denominator = lcm(*(edge.denominator for edge in self._edges.values()))
        self.variance_denominator = lcm(*(one.variance.denominator for one in self._odds.values()))

    def moments(self, bets: Sequence[Placed]) -> Moments | None:
        """See `Spread`; a bet without a row of its own is not known."""
        bets = _without_progressive(bets)
        kinds = [_kind(bet) for bet in bets]
        if any(kind not in self._odds or kind not in self._edges for kind in kinds):
            return None
        theo = sum((bet.stake_cents * self._edges[kind] for bet, kind in zip(bets, kinds, strict=True)), Fraction(0))
        variances = (bet.stake_cents**2 * self._odds[kind].variance for bet, kind in zip(bets, kinds, strict=True))
        return Moments(int(theo * self.theo_denominator), int(sum(variances, Fraction(0)) * self.variance_denominator))

    def results(self, bets: Sequence[Placed], numbers: Numbers) -> Int64s | None:
        """See `Spread`; a bet that pays by a table can't be dealt, its row doesn't say how often each rank comes."""
        bets = _without_progressive(bets)
        if any(_kind(bet) not in self._laws for bet in bets):
            return None
        result = np.zeros(len(numbers), dtype=np.int64)
        for times, bet in enumerate(bets):
            result += self._laws[_kind(bet)].results(bet.stake_cents, further(numbers, times))
        return result


class _Law(NamedTuple):
    """A bet that wins `pays` to 1, loses, or is returned."""

    pays: Fraction
    lots: Lots

    def results(self, stake_cents: int, numbers: Numbers) -> Int64s:
        won = -winnings(stake_cents, self.pays)
        found: Int64s = np.array([won, stake_cents, 0], dtype=np.int64)[self.lots.draw(numbers)]
        return found


def _without_progressive(bets: Sequence[Placed]) -> list[Placed]:
    return [bet for bet in bets if bet.code != PROGRESSIVE]


def _kind(bet: Placed) -> str:
    """A bet is what stands before the colon of a wager's canonical spelling."""
    return bet.code.partition(":")[0]


def _law(odds: Odds) -> _Law | None:
    """How a bet of one pay ends: its chance to win and its edge leave one chance to lose, and the rest returns it."""
    if not isinstance(odds.pays, Fraction):
        return None
    lose = odds.win_probability * odds.pays + odds.house_edge
    returned = 1 - odds.win_probability - lose
    square = odds.win_probability * odds.pays**2 + lose
    if min(lose, returned) < 0 or square - odds.house_edge**2 != odds.variance:
        return None  # it ends in more ways than three
    chances = (odds.win_probability, lose, returned)
    whole = lcm(*(chance.denominator for chance in chances))
    return _Law(odds.pays, Lots([int(chance * whole) for chance in chances]))
