"""Every five-card hand of a deck, ranked and counted with numpy; the rules are the tables of `poker`."""

from collections.abc import Iterator, Sequence
from itertools import combinations

import numpy as np
import numpy.typing as npt

from casino.games.cards import JOKERS, RANKS, SUITS
from casino.games.poker import BY_PAIRS, HAND_RANKS, ROYAL, STRAIGHTS

Hands = npt.NDArray[np.uint8]
"""One row a hand, five columns; a card is its index in the deck."""

_ORDER = {rank: index for index, rank in enumerate(HAND_RANKS)}


def hands_with_card(deck: Sequence[str]) -> npt.NDArray[np.int64]:
    """How many hands of each rank contain each card: rows in `HAND_RANKS` order, columns in deck order.

    A hand of five is counted once in each of its five cards' columns, so a row sums to five times the rank's hands.
    """
    rank_hands = Ranking(deck)
    cells = np.zeros(len(HAND_RANKS) * len(deck), dtype=np.int64)
    for hands in every_hand(len(deck)):
        first_cell = rank_hands(hands).astype(np.int32) * len(deck)
        for column in hands.T:
            cells += np.bincount(first_cell + column, minlength=len(cells))
    return cells.reshape(len(HAND_RANKS), len(deck))


def every_hand(deck_size: int) -> Iterator[Hands]:
    """All hands of five of `deck_size` cards, each once, in chunks that share their first card."""
    last_four = np.array(list(combinations(range(deck_size), 4)), dtype=np.uint8)
    for first in range(deck_size - 4):
        last_four = last_four[last_four[:, 0] > first]
        yield np.column_stack([np.full(len(last_four), first, dtype=np.uint8), last_four])


class Ranking:
    """Ranks many hands of one deck at once: the index into `HAND_RANKS` for each row."""

    def __init__(self, deck: Sequence[str]) -> None:
        # A joker has a rank of its own, so it pairs with nothing, no bit among the ranks and every suit's bit.
        self._rank = np.array([_rank_number(card) for card in deck], dtype=np.uint8)
        self._bit = np.array([0 if card in JOKERS else _bits(card[0]) for card in deck], dtype=np.uint16)
        self._suits = np.array([15 if card in JOKERS else 1 << SUITS.index(card[1]) for card in deck], dtype=np.uint8)
        self._joker = np.array([card in JOKERS for card in deck], dtype=np.uint8)
        self._of_a_kind = _of_a_kind_table()
        self._unpaired = _unpaired_table()

    def __call__(self, hands: Hands) -> npt.NDArray[np.uint8]:
        ranks, bits, suits = self._rank[hands], self._bit[hands], self._suits[hands]
        pairs = np.zeros(len(hands), dtype=np.uint8)
        for one, other in combinations(range(5), 2):
            pairs += ranks[:, one] == ranks[:, other]
        jokers = self._joker[hands].sum(axis=1)
        suited = np.bitwise_and.reduce(suits, axis=1) != 0
        unpaired = self._unpaired[suited.astype(np.uint8), np.bitwise_or.reduce(bits, axis=1)]
        of_a_kind = self._of_a_kind[jokers, pairs]
        ranked: npt.NDArray[np.uint8] = np.where(pairs == 0, np.minimum(unpaired, of_a_kind), of_a_kind)
        return ranked


def _rank_number(card: str) -> int:
    return len(RANKS) + JOKERS.index(card) if card in JOKERS else RANKS.index(card[0])


def _bits(ranks: str | frozenset[str]) -> int:
    return sum(1 << RANKS.index(rank) for rank in ranks)


def _of_a_kind_table() -> npt.NDArray[np.uint8]:
    """Jokers × pairs → rank, from `BY_PAIRS`."""
    table = np.full((3, 7), 255, dtype=np.uint8)
    for jokers, by_pairs in enumerate(BY_PAIRS):
        for pairs, rank in by_pairs.items():
            table[jokers, pairs] = _ORDER[rank]
    return table


def _unpaired_table() -> npt.NDArray[np.uint8]:
    """Suited or not × the set of ranks → the best straight or flush, or high card."""
    table = np.full((2, 1 << len(RANKS)), _ORDER["high_card"], dtype=np.uint8)
    table[1] = _ORDER["flush"]
    for held in range(1 << len(RANKS)):
        if any(held & ~_bits(window) == 0 for window in STRAIGHTS):
            royal = held & ~_bits(ROYAL) == 0
            table[:, held] = _ORDER["straight"], _ORDER["royal_flush" if royal else "straight_flush"]
    return table
