"""A patron's rating as exact fractions: theoretical win, average bet and pace, by real wagers or by a formula. Pure.

The sources are `books` section 3 (theo) and the trade's formula of an estimate: average bet × decisions × edge. For
hold'em the average bet is of the ANTE alone. Progressive stakes are left out of all of it.
"""

from collections.abc import Iterable, Mapping
from fractions import Fraction
from functools import cache
from typing import NamedTuple

from casino.games import game as load_game
from casino.games.game import OwnEdges


class Stakes(NamedTuple):
    """What was staked on one bet under one paytable, in cents."""

    paytable: str
    bet: str
    cents: int


def theo(game: str, stakes: Iterable[Stakes]) -> Fraction:
    """Σ stake × edge of its bet under its paytable, in cents; refuses `unknown_game` and `unknown_paytable`."""
    return sum((one.cents * edges(game, one.paytable).get(one.bet, Fraction(0)) for one in stakes), Fraction(0))


def average_bet(game: str, stakes: Iterable[Stakes], decisions: int) -> Fraction | None:
    """Cents a decision, over the bets that make the game's average bet; None before the first decision."""
    if not decisions:
        return None
    known = load_game(game)
    own = known.average_bets if isinstance(known, OwnEdges) else None
    counted = (one.cents for one in stakes if one.bet in (edges(game, one.paytable) if own is None else own))
    return Fraction(sum(counted), decisions)


def theo_by_estimate(average_bet_cents: int, decisions: int, edge: Fraction) -> Fraction:
    """The trade's formula for somebody whose wagers nobody recorded: average bet × decisions × edge, in cents."""
    return average_bet_cents * decisions * edge


@cache
def edges(game: str, paytable: str) -> Mapping[str, Fraction]:
    """Bet → house edge, once reckoned: a paytable in use never changes."""
    known = load_game(game)
    if isinstance(known, OwnEdges):
        return known.edges(paytable)
    return {one.wager: one.house_edge for one in known.odds(paytable)}
