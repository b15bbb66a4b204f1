"""The exact mathematics of Royal Casino: chance, edge and variance, all as fractions of the ANTE or of the BONUS.

The main game is ANTE, BLIND and PLAY together under the best play against the regulation's BLIND table; that play is
fixed, whatever table is asked about. BONUS has nothing to decide: it rests on the ranks of seven cards.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import partial
from math import comb
from typing import Any, NamedTuple

from casino.games.game import Odds
from casino.games.poker import HAND_RANKS
from casino.games.royal_casino import progressive
from casino.games.royal_casino.outcomes import ACTIONS, TOTAL, Cell, Table
from casino.games.royal_casino.paytables import Pays, paytable
from casino.games.royal_casino.positions import SEATS_MAX
from casino.games.seven_cards import Strengths, rank_counts
from casino.games.side_bets import tier_report

MAIN, BONUS = "main", "bonus"
TIMES = dict(zip(ACTIONS, (4, 2, 1, 0), strict=True))
HANDS = comb(52, 7)


class Net(NamedTuple):
    """What one ANTE, its BLIND and its PLAY bring the player, in antes; `weight` of `TOTAL` deals end so."""

    action: str
    rank: str
    ante: Fraction
    blind: Fraction
    play: Fraction
    weight: int

    @property
    def all(self) -> Fraction:
        """The three together."""
        return self.ante + self.blind + self.play


def nets(blind: Pays, table: Table) -> Iterator[Net]:
    """Every outcome of the main game under this BLIND table."""
    return (net_of(cell, blind) for cell in table.cells())


def net_of(cell: Cell, blind: Pays) -> Net:
    """What one outcome brings, by the rules of `settlement`."""
    one, zero = Fraction(1), Fraction(0)
    action, rank, result, weight = cell
    play = Fraction(TIMES[action])
    if action == "fold":
        return Net(action, rank, -one, -one, zero, weight)
    if result == "tie":
        return Net(action, rank, zero, zero, zero, weight)
    if result.startswith("win"):
        ante = one if result == "win_qualified" else zero
        return Net(action, rank, ante, blind.get(rank, zero), play, weight)
    return Net(action, rank, -one if result == "lose_qualified" else zero, -one, -play, weight)


def rows(name: str, table: Table) -> list[Odds]:
    """One row for the main game and one for BONUS; refuses `unknown_paytable`."""
    pays = paytable(name)
    return [main(pays.blind, table), bonus(pays.bonus, seven_card_ranks(table))]


def main(blind: Pays, table: Table) -> Odds:
    """The main game for one ANTE; its win probability is the chance of ending ahead."""
    found = list(nets(blind, table))
    mean = sum((net.weight * net.all for net in found), Fraction(0)) / TOTAL
    square = sum((net.weight * net.all**2 for net in found), Fraction(0)) / TOTAL
    ahead = Fraction(sum(net.weight for net in found if net.all > 0), TOTAL)
    return Odds(MAIN, blind, ahead, -mean, square - mean**2)


def bonus(pays: Pays, ranks: Mapping[str, int]) -> Odds:
    """BONUS for one unit, from the seven-card hands of each rank."""
    hands = sum(ranks.values())
    win = Fraction(sum(ranks[rank] for rank in pays), hands)
    gross = sum((ranks[rank] * (odds + 1) for rank, odds in pays.items()), Fraction(0)) / hands
    square = sum((ranks[rank] * (odds + 1) ** 2 for rank, odds in pays.items()), Fraction(0)) / hands
    return Odds(BONUS, pays, win, 1 - gross, square - gross**2)


def covariance(blind: Pays, bonus_pays: Pays, table: Table) -> Fraction:
    """The covariance of the main game and BONUS of one seat in one round, one unit of ANTE and one of BONUS."""
    both = one = other = Fraction(0)
    for net in nets(blind, table):
        side = bonus_pays.get(net.rank, Fraction(-1))
        both += net.weight * net.all * side
        one += net.weight * net.all
        other += net.weight * side
    return both / TOTAL - (one / TOTAL) * (other / TOTAL)


def seven_card_ranks(table: Table) -> dict[str, int]:
    """Rank → seven-card hands: every hand has the same number of ways to come about, so the table holds them too."""
    weights = Counter[str]()
    for cell in table.cells():
        weights[cell.rank] += cell.weight
    return {rank: weights[rank] * HANDS // TOTAL for rank in HAND_RANKS if weights[rank]}


def report(game: str, name: str, table: Table) -> dict[str, Any]:
    """What `manage.py paytable` prints; refuses `unknown_paytable` before it counts."""
    pays = paytable(name)
    ranks = rank_counts(Strengths())
    wagers = [main(pays.blind, table), bonus(pays.bonus, ranks)]
    found = list(nets(pays.blind, table))
    staked = Fraction(sum(net.weight * (2 + TIMES[net.action]) for net in found), TOTAL)
    edge = wagers[0].house_edge
    return {
        "game": game,
        "paytable": name,
        "wagers": [_shown(odds) for odds in wagers],
        "hands": sum(ranks.values()),
        "hand_ranks": ranks,
        "progressive": [
            tier_report(tiers, parts, partial(progressive.shares, tiers), SEATS_MAX)
            for tiers, parts in progressive.TIERS.items()
        ],
        "main": {
            "average_total_wager": _over(staked),
            "element_of_risk": _over(edge / staked),
            "components": {part: _mean(found, part) for part in ("ante", "blind", "play")},
            "actions": {action: _chance(net.weight for net in found if net.action == action) for action in ACTIONS},
            "net_distribution": _distribution(found),
            "covariance_with_bonus": _over(covariance(pays.blind, pays.bonus, table)),
        },
    }


def _mean(found: list[Net], part: str) -> str:
    return _over(sum((net.weight * getattr(net, part) for net in found), Fraction(0)) / TOTAL)


def _chance(weights: Iterator[int]) -> str:
    return _over(Fraction(sum(weights), TOTAL))


def _distribution(found: list[Net]) -> dict[str, str]:
    """Net result in antes → its chance, from the worst to the best."""
    weights = Counter[Fraction]()
    for net in found:
        weights[net.all] += net.weight
    return {str(net): _over(Fraction(weights[net], TOTAL)) for net in sorted(weights)}


def _shown(odds: Odds) -> dict[str, Any]:
    assert isinstance(odds.pays, Mapping)
    return {
        "wager": odds.wager,
        "pays": {rank: _short(pays) for rank, pays in odds.pays.items()},
        "win_probability": _over(odds.win_probability),
        "house_edge": _over(odds.house_edge),
        "variance": _over(odds.variance),
        "player_advantage": odds.player_advantage,
    }


def _short(pays: Fraction) -> int | str:
    return pays.numerator if pays.denominator == 1 else _over(pays)


def _over(value: Fraction) -> str:
    return f"{value.numerator}/{value.denominator}"
