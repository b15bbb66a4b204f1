"""The strength of every hand that seven cards can make, many at once with numpy; `poker` says what beats what.

A strength is a hand's place among the 7,462 different values of five cards, 0 the weakest: equal strengths tie.
"""

from collections.abc import Iterable
from functools import cached_property
from itertools import combinations, combinations_with_replacement
from math import comb

import numpy as np
import numpy.typing as npt

from casino.games.cards import DECK_52, RANKS, SUITS
from casino.games.poker import HAND_RANKS, Value, value_of

Int16s = npt.NDArray[np.int16]
Int64s = npt.NDArray[np.int64]

RANK_OF_CARD = np.array([RANKS.index(card[0]) for card in DECK_52])
SUIT_OF_CARD = np.array([SUITS.index(card[1]) for card in DECK_52])
BIT_OF_CARD = (1 << RANK_OF_CARD).astype(np.int16)
NO_FLUSH = -1


class Strengths:
    """Tables from ranks, and from the ranks of one suit, to strengths. Made once; about two seconds' work."""

    def __init__(self) -> None:
        fives = combinations_with_replacement(range(13), 5)
        self._unsuited = {ranks: _unsuited(ranks) for ranks in fives if ranks[0] != ranks[4]}
        suited = {ranks: value_of([RANKS[rank] + "s" for rank in ranks]) for ranks in combinations(range(13), 5)}
        self.values = sorted({*self._unsuited.values(), *suited.values()})
        self._place = {value: place for place, value in enumerate(self.values)}
        self._suited = suited

    @cached_property
    def rank(self) -> npt.NDArray[np.uint8]:
        """Strength → the index of its rank in `HAND_RANKS`."""
        return np.array([HAND_RANKS.index(value.name) for value in self.values], dtype=np.uint8)

    @cached_property
    def weakest_pair(self) -> int:
        """The least strength that is not a high card."""
        return int(np.argmax(self.rank != HAND_RANKS.index("high_card")))

    @cached_property
    def five_ranks(self) -> Int64s:
        """The keys of the 6,175 sets of five ranks, ascending."""
        return np.sort(np.array([_key(ranks) for ranks in self._unsuited]))

    @cached_property
    def unsuited(self) -> Int16s:
        """Five ranks (by their place in `five_ranks`) × rank × rank of two further cards → strength without a flush.

        Two further cards that would be a fifth of a rank stand for nothing, and hold no meaning.
        """
        sets = sorted(self._unsuited, key=_key)
        five = np.array([self._place[self._unsuited[ranks]] for ranks in sets], dtype=np.int16)
        return self._seven(np.array(sets), five)

    def _seven(self, ranks: Int64s, five: Int16s) -> Int16s:
        """The best of the 21 fives among five ranks and two more."""
        found = np.zeros((len(ranks), 13, 13), dtype=np.int16)
        for one, other in combinations_with_replacement(range(13), 2):
            seven = np.column_stack([ranks, np.full(len(ranks), one), np.full(len(ranks), other)])
            best = np.zeros(len(ranks), dtype=np.int16)
            for chosen in combinations(range(7), 5):
                keys = (1 << (3 * seven[:, chosen])).sum(axis=1)
                at = np.minimum(np.searchsorted(self.five_ranks, keys), len(five) - 1)
                best = np.maximum(best, np.where(self.five_ranks[at] == keys, five[at], 0))
            found[:, one, other] = found[:, other, one] = best
        return found

    def place_of_five(self, ranks: Int64s) -> Int64s:
        """Rows of five ranks → their places in `five_ranks`."""
        found: Int64s = np.searchsorted(self.five_ranks, (1 << (3 * ranks)).sum(axis=1))
        return found

    def of_ranks(self, sevens: Int64s) -> npt.NDArray[np.uint8]:
        """Rows of seven ranks, in suits that make no flush → the indices of their ranks in `HAND_RANKS`."""
        return self.rank[self.unsuited[self.place_of_five(sevens[:, :5]), sevens[:, 5], sevens[:, 6]]]

    @cached_property
    def flush(self) -> Int16s:
        """Set of ranks held in one suit, as bits → the strength of the best flush, or `NO_FLUSH` below five cards."""
        table = np.full(1 << 13, NO_FLUSH, dtype=np.int16)
        for ranks, value in self._suited.items():
            bits = sum(1 << rank for rank in ranks)
            held = np.arange(1 << 13)
            held = held[(held & bits) == bits]
            table[held] = np.maximum(table[held], self._place[value])
        return table


def _key(ranks: Iterable[int]) -> int:
    """A number for a set of ranks, the same in any order: three bits count each."""
    return sum(1 << (3 * rank) for rank in ranks)


def _unsuited(ranks: tuple[int, ...]) -> Value:
    """The value of five ranks in suits that make no flush."""
    taken: dict[int, int] = {}
    cards = []
    for rank in ranks:
        taken[rank] = taken.get(rank, -1) + 1
        cards.append(RANKS[rank] + SUITS[taken[rank]])
    if len(taken) == 5:
        cards[4] = RANKS[ranks[4]] + "c"
    return value_of(cards)


def rank_counts(strengths: Strengths) -> dict[str, int]:
    """How many of the 133,784,560 hands of seven cards have each rank, best rank first.

    Seven cards with five of a suit hold neither four of a kind nor a full house, so a flush among them is the hand.
    All hands are counted by their ranks; those with a flush are taken out where they stand and put where they belong.
    """
    sevens = np.array(list(combinations_with_replacement(range(13), 7)))
    sevens = sevens[(sevens[:, :3] != sevens[:, 4:]).all(axis=1)]  # no rank has five cards
    ways = _suits_of(sevens)
    counts = _counted(strengths.of_ranks(sevens), ways)
    for number in (5, 6, 7):
        suited = np.array(list(combinations(range(13), number)))
        flush = strengths.rank[strengths.flush[(1 << suited).sum(axis=1)]]
        # The cards beside the flush come from three suits, thirteen ranks each.
        for beside in combinations_with_replacement(range(13), 7 - number):
            apart = comb(3, 2) if beside in {(rank, rank) for rank in range(13)} else 3 ** len(beside)
            hands = np.column_stack([suited, np.tile(np.array(beside, dtype=int), (len(suited), 1))])
            four_suits = np.full(len(suited), 4 * apart)
            counts += _counted(flush, four_suits) - _counted(strengths.of_ranks(hands), four_suits)
    return {rank: int(count) for rank, count in zip(HAND_RANKS, counts, strict=True) if count}


def _suits_of(sevens: Int64s) -> Int64s:
    """In how many suits each row of ranks comes."""
    held = (sevens[:, :, None] == np.arange(13)).sum(axis=1)
    ways: Int64s = np.array([comb(4, number) for number in range(5)])[held].prod(axis=1)
    return ways


def _counted(ranks: npt.NDArray[np.uint8], ways: Int64s) -> Int64s:
    """The ways of each rank, in `HAND_RANKS` order."""
    counts = np.zeros(len(HAND_RANKS), dtype=np.int64)
    np.add.at(counts, ranks, ways)
    return counts
