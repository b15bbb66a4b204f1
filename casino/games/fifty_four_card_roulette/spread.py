"""Whole rounds of 54 Card Roulette: every bet of every seat looks at one Roulette Card and one poker hand.

What goes back to the players is A(card) + B(rank), A of the roulette wagers and B of the poker wagers. So two rows of
sums, over 54 cards and over the ranks that are bet on, give the expectation and the variance of any number of bets.
"""

from collections.abc import Callable, Sequence
from fractions import Fraction
from math import lcm
from typing import NamedTuple

import numpy as np

from casino.games.cards import DECK_54
from casino.games.fifty_four_card_roulette.counts import Counts
from casino.games.fifty_four_card_roulette.layout import Layout
from casino.games.fifty_four_card_roulette.paytables import Pays
from casino.games.fifty_four_card_roulette.wagers import spot_of
from casino.games.game import Placed
from casino.games.lots import Int64s, Lots, Numbers
from casino.games.poker import HAND_RANKS
from casino.games.side_bets import PROGRESSIVE
from casino.games.spread import Moments
from casino.money import winnings

Returned = tuple[list[int], dict[int, int]]
"""What goes back by the Roulette Card, a place for each of the deck; and by the rank of the hand, if bet on."""


class Place(NamedTuple):
    """A wager: what it gives back for each cent staked, the stake itself included, in the spread's units; the cards of
    the deck that win it, or the rank where it is a poker wager.
    """

    pays: Fraction
    gross: int
    cards: tuple[int, ...]
    rank: int


class RouletteSpread:
    """The spread of one paytable on one layout; exact. Refuses what `spot_of` refuses."""

    approximations: Sequence[str] = ()

    def __init__(self, pays: Pays, layout: Layout, counts: Counts) -> None:
        self._pays, self._layout = pays, layout
        self._cells = [[counts.with_card[rank][card] for card in DECK_54] for rank in HAND_RANKS]
        self._by_card = [sum(column) for column in zip(*self._cells, strict=True)]
        self._by_rank = [sum(row) for row in self._cells]
        self._whole = sum(self._by_rank)
        self._unit = lcm(*(odds.denominator for odds in pays.values()))  # what is paid is a whole number of these
        self.theo_denominator = self._whole * self._unit
        self.variance_denominator = self.theo_denominator**2
        self._places: dict[str, Place] = {}
        found = [(rank, card) for rank, row in enumerate(self._cells) for card, count in enumerate(row) if count]
        self._rank_of_cell, self._card_of_cell = np.array(found, dtype=np.int64).T
        self._lots = Lots([self._cells[rank][card] for rank, card in found])

    def moments(self, bets: Sequence[Placed]) -> Moments:
        """See `Spread`."""
        cards, ranks = self._returned(bets, lambda stake, place: stake * place.gross)
        expected = sum(cents * ways for cents, ways in zip(cards, self._by_card, strict=True) if cents)
        expected += sum(cents * self._by_rank[rank] for rank, cents in ranks.items())
        square = sum(cents * cents * ways for cents, ways in zip(cards, self._by_card, strict=True) if cents)
        for rank, cents in ranks.items():
            both = sum(other * ways for other, ways in zip(cards, self._cells[rank], strict=True) if other)
            square += cents * (cents * self._by_rank[rank] + 2 * both)
        return Moments(_staked(bets) * self.theo_denominator - expected, square * self._whole - expected**2)

    def results(self, bets: Sequence[Placed], numbers: Numbers) -> Int64s:
        """See `Spread`; every replay is a Roulette Card and a rank, drawn by how many hands have them."""
        cards, ranks = self._returned(bets, self._paid)
        by_rank = np.zeros(len(HAND_RANKS), dtype=np.int64)
        for rank, cents in ranks.items():
            by_rank[rank] = cents
        cells = _staked(bets) - np.array(cards, dtype=np.int64)[self._card_of_cell] - by_rank[self._rank_of_cell]
        found: Int64s = cells[self._lots.draw(numbers)]
        return found

    def _returned(self, bets: Sequence[Placed], cents_of: Callable[[int, Place], int]) -> Returned:
        cards, ranks = [0] * len(DECK_54), dict[int, int]()
        for bet in bets:
            if bet.code == PROGRESSIVE:
                continue
            place = self._places.get(bet.code) or self._place(bet.code)
            cents = cents_of(bet.stake_cents, place)
            for card in place.cards:
                cards[card] += cents
            if not place.cards:
                ranks[place.rank] = ranks.get(place.rank, 0) + cents
        return cards, ranks

    def _paid(self, stake_cents: int, place: Place) -> int:
        """What a win gives back in the cents that are paid: half a cent is not."""
        return stake_cents * place.gross if self._unit == 1 else stake_cents + winnings(stake_cents, place.pays)

    def _place(self, code: str) -> Place:
        """Looked up once: a layout has some hundred wagers."""
        spot = spot_of(code, self._layout)
        pays = self._pays[spot.bet if spot else code]
        cards = tuple(DECK_54.index(card) for card in spot.cards) if spot else ()
        found = Place(pays, int((pays + 1) * self._unit), cards, 0 if spot else HAND_RANKS.index(code))
        self._places[code] = found
        return found


def _staked(bets: Sequence[Placed]) -> int:
    return sum(bet.stake_cents for bet in bets if bet.code != PROGRESSIVE)
