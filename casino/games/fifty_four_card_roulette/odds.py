"""The exact mathematics of 54 Card Roulette: chance, edge, variance and covariance, all as fractions.

A wager wins on a set of Roulette Cards and a set of hand ranks: a roulette wager on its cards whatever the hand, a
poker wager on its rank whatever the card. A unit staked at `a` to 1 nets (a + 1) × [it wins] − 1.
"""

from collections.abc import Collection, Mapping
from fractions import Fraction
from functools import partial
from typing import Any

from casino.games.cards import DECK_54
from casino.games.fifty_four_card_roulette.counts import Counts, enumerated
from casino.games.fifty_four_card_roulette.layout import LAYOUTS, Layout
from casino.games.fifty_four_card_roulette.paytables import POKER, ROULETTE, TIERS, paytable, tiers
from casino.games.fifty_four_card_roulette.wagers import spot_of
from casino.games.game import Odds, Share
from casino.games.poker import HAND_RANKS
from casino.games.side_bets import PROGRESSIVE, tier_report
from casino.refusal import Refused

Covered = tuple[Collection[str], Collection[str]]
"""The Roulette Cards and the hand ranks that a wager wins on; it takes both."""

STANDARD = LAYOUTS["standard"]
BREAK_EVEN_WAGERS = 10


def rows(name: str, counts: Counts) -> list[Odds]:
    """One row for each bet with a fixed pay; refuses `unknown_paytable`. Every spot of a bet has the same odds."""
    pays = paytable(name)
    return [_odds(bet, pays[bet], counts.probability(*_covered(_example(bet)))) for bet in (*ROULETTE, *POKER)]


def covariance(one: str, other: str, name: str, counts: Counts, layout: Layout = STANDARD) -> Fraction:
    """The covariance of two wagers' net results, a unit on each, in the same round; with itself, the variance.

    Refuses what `spot_of` and `paytable` refuse, and `no_fixed_pay` for the progressive.
    """
    cards, ranks = _covered(one, layout)
    other_cards, other_ranks = _covered(other, layout)
    both = counts.probability(set(cards) & set(other_cards), set(ranks) & set(other_ranks))
    apart = counts.probability(cards, ranks) * counts.probability(other_cards, other_ranks)
    return _gross(one, name, layout) * _gross(other, name, layout) * (both - apart)


def variance(stakes: Mapping[str, int], name: str, counts: Counts, layout: Layout = STANDARD) -> Fraction:
    """The variance of one round's net result for all these wagers together, in the square of the stakes' unit."""
    pairs = ((one, other) for one in stakes for other in stakes)
    return sum(
        (stakes[one] * stakes[other] * covariance(one, other, name, counts, layout) for one, other in pairs),
        Fraction(0),
    )


def report(game: str, name: str) -> dict[str, Any]:
    """What `manage.py paytable` prints, from counts made afresh; refuses `unknown_paytable` before it counts."""
    paytable(name)
    counts = enumerated()
    return {
        "game": game,
        "paytable": name,
        "wagers": [_shown(odds) for odds in rows(name, counts)],
        "hands": counts.hands,
        "hand_ranks": counts.ranks,
        "progressive": [
            tier_report(tiers, parts, partial(shares, tiers, counts), BREAK_EVEN_WAGERS)
            for tiers, parts in TIERS.items()
        ],
    }


def shares(name: str, counts: Counts, wagers: int) -> list[Share]:
    """The five cards are everybody's: all wagers of a round win together and split (sheet, the progressive wager).

    Refuses `unknown_tiers`.
    """
    return [Share(rank, wagers, (), counts.probability(DECK_54, (rank,))) for rank in tiers(name)]


def _example(bet: str) -> str:
    """The first wager of this bet on the layout."""
    return next((spot.code for spot in STANDARD.spots.values() if spot.bet == bet), bet)


def _covered(wager: str, layout: Layout = STANDARD) -> Covered:
    spot = spot_of(wager, layout)
    if wager == PROGRESSIVE:
        raise Refused("no_fixed_pay", "The progressive pays from a meter; it has no fixed pay to reckon with.")
    return (spot.cards, HAND_RANKS) if spot else (DECK_54, (wager,))


def _gross(wager: str, name: str, layout: Layout) -> Fraction:
    spot = spot_of(wager, layout)
    return paytable(name)[spot.bet if spot else wager] + 1


def _odds(bet: str, pays: Fraction, win_probability: Fraction) -> Odds:
    gross = pays + 1
    variance = gross**2 * win_probability * (1 - win_probability)
    return Odds(bet, pays, win_probability, 1 - gross * win_probability, variance)


def _shown(odds: Odds) -> dict[str, Any]:
    assert isinstance(odds.pays, Fraction)
    return {
        "wager": odds.wager,
        "pays": odds.pays.numerator if odds.pays.denominator == 1 else _over(odds.pays),
        "win_probability": _over(odds.win_probability),
        "house_edge": _over(odds.house_edge),
        "variance": _over(odds.variance),
        "player_advantage": odds.player_advantage,
    }


def _over(value: Fraction) -> str:
    return f"{value.numerator}/{value.denominator}"
