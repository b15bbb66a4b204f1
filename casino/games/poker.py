"""What a poker hand is worth: the rank of five cards with jokers fully wild, and five or seven without, to the kicker.

A joker stands for any card, one already in the hand included, and only the best reading counts. A-2-3-4-5 is a
straight; ranks don't wrap round the ace otherwise.
"""

from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from typing import NamedTuple

from casino.games.cards import DECK_52, JOKERS, RANKS

HAND_RANKS = (
    "five_of_a_kind",
    "royal_flush",
    "straight_flush",
    "four_of_a_kind",
    "full_house",
    "flush",
    "straight",
    "three_of_a_kind",
    "two_pair",
    "one_pair",
    "high_card",
)
"""Best first."""

ROYAL = frozenset("AKQJT")
STRAIGHTS = tuple(frozenset((RANKS + "A")[top : top + 5]) for top in range(10))
"""The ten sets of ranks that make a straight, from A-K-Q-J-T down to 5-4-3-2-A."""

BY_PAIRS = (
    {0: "high_card", 1: "one_pair", 2: "two_pair", 3: "three_of_a_kind", 4: "full_house", 6: "four_of_a_kind"},
    {0: "one_pair", 1: "three_of_a_kind", 2: "full_house", 3: "four_of_a_kind", 6: "five_of_a_kind"},
    {0: "three_of_a_kind", 1: "four_of_a_kind", 3: "five_of_a_kind"},
)
"""Jokers in the hand → pairs that can be formed among its other cards → the best rank of the kinds.

Three of a rank hold three pairs, four hold six, a full house four. Jokers always join the most numerous rank: with
two pairs that is a full house, and with anything better it is more of the same kind.
"""


def rank_of(hand: Sequence[str]) -> str:
    """The best rank of five cards, one of `HAND_RANKS`; raises ValueError unless there are five different ones."""
    if len(hand) != 5 or len(set(hand)) != 5:
        raise ValueError("A poker hand is five different cards.")
    naturals = [card for card in hand if card not in JOKERS]
    pairs = sum(one[0] == other[0] for one, other in combinations(naturals, 2))
    # Two cards of one rank rule out straight and flush alike, for no two cards of a suit share a rank.
    of_a_kind = BY_PAIRS[5 - len(naturals)][pairs]
    return of_a_kind if pairs else _in_sequence_or_suit(naturals) or of_a_kind


class Value(NamedTuple):
    """What five cards without a joker are worth: the greater wins, and equal ones tie. Suits never decide.

    `rank` counts up from 0, a high card; `kickers` are the heights of the cards that compare, 14 for an ace, the most
    numerous rank first; in a straight the top card alone, which in A-2-3-4-5 is the five.
    """

    rank: int
    kickers: tuple[int, ...]

    @property
    def name(self) -> str:
        """One of `HAND_RANKS`."""
        return HAND_RANKS[len(HAND_RANKS) - 1 - self.rank]


class Best(NamedTuple):
    """The best five of more cards, and their value; the cards stand as they are read, the pair before its kickers."""

    value: Value
    cards: tuple[str, ...]


def value_of(hand: Sequence[str]) -> Value:
    """The value of five cards to the last kicker; raises ValueError unless they are five different ones of 52."""
    if any(card not in _CARDS for card in hand):
        raise ValueError("Only the 52 cards have kickers; a joker has none.")
    name = rank_of(hand)
    rank = len(HAND_RANKS) - 1 - HAND_RANKS.index(name)
    heights = _heights(hand)
    if name in ("straight", "straight_flush") and heights[:2] == (14, 5):
        return Value(rank, (5,))
    return Value(rank, heights[:1] if name in _SEQUENCES else heights)


def best_of(cards: Sequence[str]) -> Best:
    """The best five of five to seven cards; raises ValueError where `value_of` does."""
    if len(set(cards)) != len(cards):
        raise ValueError("A poker hand is five different cards.")
    best = max((value_of(five), five) for five in combinations(cards, 5))
    counted = Counter(card[0] for card in best[1])
    read = sorted(best[1], key=lambda card: (-counted[card[0]], RANKS.index(card[0])))
    return Best(best[0], tuple(read[1:] + read[:1] if best[0].kickers == (5,) else read))


_CARDS = frozenset(DECK_52)
_SEQUENCES = ("royal_flush", "straight_flush", "straight")


def _heights(hand: Sequence[str]) -> tuple[int, ...]:
    """The heights of the different ranks, the most numerous first and then the highest."""
    counted = Counter(14 - RANKS.index(card[0]) for card in hand)
    return tuple(sorted(counted, key=lambda height: (-counted[height], -height)))


def _in_sequence_or_suit(naturals: Sequence[str]) -> str | None:
    """The straight or flush that three to five cards of different ranks make with jokers for the rest."""
    ranks = frozenset(card[0] for card in naturals)
    suited = len({card[1] for card in naturals}) == 1
    straight = any(ranks <= window for window in STRAIGHTS)
    if suited and ranks <= ROYAL:
        return "royal_flush"
    if suited:
        return "straight_flush" if straight else "flush"
    return "straight" if straight else None
