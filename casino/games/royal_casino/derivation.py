"""How `outcomes.json` came to be: every flop, turn, river, hand and bank hand, under the best play, in whole numbers.

`python -m casino.games.royal_casino.derivation > outcomes.json` writes it anew, in about a quarter of an hour of one
core. Suits are alike, so 1,755 kinds of flop stand for all 22,100. For one flop there are 1,176 turns and rivers, on
each of these 1,081 holdings, and against each holding 990 bank hands. The bank hands are not gone through: the
holdings below one are all those below it on the board, less those that hold one of its two cards.

The best play is that of the French regulation's BLIND table, which is the game's default; on an exact tie of
expectations the player raises.
"""

import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cached_property
from itertools import combinations, permutations
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from casino.games.cards import RANKS
from casino.games.poker import HAND_RANKS
from casino.games.royal_casino import outcomes
from casino.games.royal_casino.paytables import PAYTABLES, REGULATION
from casino.games.seven_cards import BIT_OF_CARD, NO_FLUSH, RANK_OF_CARD, SUIT_OF_CARD, Strengths

Array = npt.NDArray[Any]
BANK_HANDS = 990
RAISE_2X, RAISE_1X, FOLD = range(3)
WIN_QUALIFIED, WIN, TIE, LOSE_QUALIFIED, LOSE = range(5)
"""The columns of an outcome, as `outcomes.RESULTS` names them; WIN and LOSE are against a bank that doesn't qualify."""

HALVES = 2
"""Expectations are counted in half antes, for a flush pays 3 to 2."""


class Flop(NamedTuple):
    """Three cards, as indices in the deck, that stand for `weight` flops that differ by suits alone."""

    cards: tuple[int, int, int]
    weight: int


def flops() -> list[Flop]:
    """The 1,755 kinds of flop."""
    # A card is 4 × rank + suit, as in the deck.
    swaps = [[card - card % 4 + suits[card % 4] for card in range(52)] for suits in permutations(range(4))]
    kinds = Counter(
        min(tuple(sorted((swap[one], swap[two], swap[three]))) for swap in swaps)
        for one, two, three in combinations(range(52), 3)
    )
    return [Flop((cards[0], cards[1], cards[2]), weight) for cards, weight in kinds.items()]


def texture(flop: Flop) -> str:
    """One of `outcomes.TEXTURES`: how many ranks and suits a flop has."""
    ranks, suits = len({RANK_OF_CARD[c] for c in flop.cards}), len({SUIT_OF_CARD[c] for c in flop.cards})
    return f"{ranks}_ranks_{suits}_suits"


class Places:
    """What is the same for every flop: of 49 cards left, which two are turn and river and which two a holding."""

    def __init__(self) -> None:
        self.pairs = np.array(list(combinations(range(49), 2)))
        number = np.zeros((49, 49), dtype=np.int16)
        number[self.pairs[:, 0], self.pairs[:, 1]] = np.arange(len(self.pairs))
        left = np.array([[card for card in range(49) if card not in pair] for pair in self.pairs.tolist()])
        self.of_47 = np.array(list(combinations(range(47), 2)))
        self.holding = number[left[:, self.of_47[:, 0]], left[:, self.of_47[:, 1]]]
        """Board × holding on it → the holding's number among the pairs of the 49 cards."""

    @cached_property
    def with_card(self) -> Array:
        """Card of 47 × 46 → the numbers of the holdings that have the card, by their other card."""
        number = np.zeros((47, 47), dtype=np.int64)
        number[self.of_47[:, 0], self.of_47[:, 1]] = number[self.of_47[:, 1], self.of_47[:, 0]] = np.arange(1081)
        return np.array([[number[card, other] for other in range(47) if other != card] for card in range(47)])

    @cached_property
    def in_rows(self) -> tuple[Array, Array]:
        """Holding → where it stands among 47 × 46, in the row of its first card and in that of its second."""
        first, second = self.of_47[:, 0], self.of_47[:, 1]
        return first * 46 + second - 1, second * 46 + first


class Derivation:
    """Sums of weights by flop texture, starting hand, action after the flop, rank and outcome."""

    def __init__(self) -> None:
        self.strengths = Strengths()
        self.places = Places()
        pays = PAYTABLES[REGULATION].blind
        self._blind = np.array([int(HALVES * pays.get(rank, 0)) for rank in HAND_RANKS], dtype=np.int32)
        self.sums = np.zeros((len(outcomes.TEXTURES), 169, 3, len(HAND_RANKS), 5), dtype=np.int64)

    def add(self, flop: Flop) -> None:
        """Play every hand on this flop, every turn and river and every bank hand."""
        left = np.array([card for card in range(52) if card not in flop.cards])
        strengths = self.on_boards(flop, left)
        outcome = self.against_banks(strengths)
        ranks = self.strengths.rank[strengths]
        action = self.actions(outcome, ranks)
        hands = starting_hands(left[self.places.pairs])[self.places.holding].astype(np.int32)
        cells = ((hands * 3 + action) * len(HAND_RANKS) + ranks).ravel()
        sums = self.sums[outcomes.TEXTURES.index(texture(flop))]
        for column, counts in enumerate(outcome):
            # Sums of bincount are doubles; these stay far below 2**53, so they are whole and exact.
            found = np.bincount(cells, weights=counts.ravel(), minlength=169 * 3 * len(HAND_RANKS))
            sums[..., column] += flop.weight * found.astype(np.int64).reshape(sums.shape[:-1])

    def on_boards(self, flop: Flop, left: Array) -> Array:
        """Board × holding → strength."""
        pairs, holding = left[self.places.pairs], self.places.holding
        boards = np.column_stack([np.tile(flop.cards, (len(pairs), 1)), pairs])
        two_ranks = RANK_OF_CARD[pairs[:, 0]] * 13 + RANK_OF_CARD[pairs[:, 1]]
        five = self.strengths.place_of_five(RANK_OF_CARD[boards])
        found = self.strengths.unsuited.reshape(-1, 169)[five[:, None], two_ranks[holding]]
        for suit in range(4):
            on_board = (SUIT_OF_CARD[boards] == suit).sum(axis=1) >= 3
            bits = BIT_OF_CARD * (suit == SUIT_OF_CARD)
            board_bits, pair_bits = bits[boards[on_board]].sum(axis=1), bits[pairs].sum(axis=1)
            flush = self.strengths.flush[board_bits[:, None] | pair_bits[holding[on_board]]]
            found[on_board] = np.maximum(found[on_board], np.where(flush == NO_FLUSH, 0, flush))
        return found

    def against_banks(self, strengths: Array) -> tuple[Array, ...]:
        """How many of the 990 bank hands lead to each outcome, board × holding for each column."""
        below, level = standing(strengths)
        rows = standing(strengths[:, self.places.with_card])
        first, second = self.places.in_rows
        below_row, level_row = (found.reshape(len(strengths), -1) for found in rows)
        win = below - below_row[:, first] - below_row[:, second]
        # The holding itself is level with itself in all three counts, and the bank doesn't have it.
        tie = level - level_row[:, first] - level_row[:, second] + 1
        lose = BANK_HANDS - win - tie
        high = strengths < self.strengths.weakest_pair
        by_card = high[:, self.places.with_card].sum(axis=2, dtype=np.int32)
        a, b = self.places.of_47.T
        unqualified = high.sum(axis=1, dtype=np.int32)[:, None] - by_card[:, a] - by_card[:, b] + high
        win_unqualified = np.where(high, win, unqualified)
        lose_unqualified = np.where(high, unqualified - win - tie, 0)
        return win - win_unqualified, win_unqualified, tie, lose - lose_unqualified, lose_unqualified

    def actions(self, outcome: Sequence[Array], ranks: Array) -> Array:
        """The best of the three actions after the flop for each board and holding that was checked before it."""
        once = expectation(outcome, self._blind[ranks], 1)
        twice = expectation(outcome, self._blind[ranks], 2)
        folded = -2 * HALVES * BANK_HANDS
        holding = self.places.holding.ravel()
        raised = np.bincount(holding, weights=twice.ravel())
        checked = np.bincount(holding, weights=np.maximum(once, folded).ravel())
        river = np.where(once >= folded, RAISE_1X, FOLD)
        return np.where((raised >= checked)[self.places.holding], RAISE_2X, river)

    def raised_before_the_flop(self) -> list[int]:
        """The starting hands for which PLAY 4x is at least as good as a check; of use once all flops were added."""
        by_hand = self.sums.sum(axis=0)
        blind = self._blind[: len(HAND_RANKS)]
        raised = expectation(np.moveaxis(by_hand.sum(axis=1), -1, 0), blind, 4).sum(axis=1)
        checked = sum(
            expectation(np.moveaxis(by_hand[:, action], -1, 0), blind, times).sum(axis=1)
            for action, times in ((RAISE_2X, 2), (RAISE_1X, 1))
        ) - 2 * HALVES * by_hand[:, FOLD].sum(axis=(1, 2))
        return [hand for hand in range(169) if raised[hand] >= checked[hand]]


def expectation(outcome: Sequence[Array], blind_halves: Array, times: int) -> Array:
    """The player's net result in half antes, with ANTE, BLIND and a PLAY of `times` the ANTE."""
    win = outcome[WIN_QUALIFIED] + outcome[WIN]
    lose = outcome[LOSE_QUALIFIED] + outcome[LOSE]
    ante = outcome[WIN_QUALIFIED] - outcome[LOSE_QUALIFIED]
    net: Array = HALVES * (ante + times * (win - lose) - lose) + win * blind_halves
    return net


def standing(strengths: Array) -> tuple[Array, Array]:
    """For each of the last axis how many are below it there, and how many level with it, itself among them."""
    size = strengths.shape[-1]
    bits = size.bit_length()
    packed = (strengths.astype(np.int32) << bits) | np.arange(size, dtype=np.int32)
    packed.sort(axis=-1)
    value, where = packed >> bits, packed & ((1 << bits) - 1)
    places = np.arange(size, dtype=np.int32)
    differs = value[..., 1:] != value[..., :-1]
    edge = np.ones((*strengths.shape[:-1], 1), dtype=bool)
    first = np.maximum.accumulate(np.where(np.concatenate([edge, differs], axis=-1), places, 0), axis=-1)
    ends = np.where(np.concatenate([differs, edge], axis=-1), places, size)
    last = np.minimum.accumulate(ends[..., ::-1], axis=-1)[..., ::-1]
    below, level = np.empty_like(packed), np.empty_like(packed)
    np.put_along_axis(below, where, first, axis=-1)
    np.put_along_axis(level, where, last - first + 1, axis=-1)
    return below, level


def starting_hands(pairs: Array) -> Array:
    """Pairs of cards → their starting hands: 13 × higher rank + lower rank if suited, the other way round if not."""
    ranks, suits = RANK_OF_CARD[pairs], SUIT_OF_CARD[pairs]
    high, low = ranks.min(axis=-1), ranks.max(axis=-1)
    found: Array = np.where(suits[..., 0] == suits[..., 1], high * 13 + low, low * 13 + high)
    return found


def hand_name(hand: int) -> str:
    """A starting hand as players say it: AA, AKs, AKo."""
    one, other = divmod(hand, 13)
    if one == other:
        return RANKS[one] * 2
    return f"{RANKS[one]}{RANKS[other]}s" if one < other else f"{RANKS[other]}{RANKS[one]}o"


def table(derivation: Derivation, raised: Iterable[int]) -> outcomes.Table:
    """The sums by texture, action, rank and outcome, once the starting hands raised before the flop are known."""
    before = list(raised)
    after = [hand for hand in range(169) if hand not in set(before)]
    found = {}
    for texture_name, sums in zip(outcomes.TEXTURES, derivation.sums, strict=True):
        actions = [sums[before].sum(axis=(0, 1)), *sums[after].sum(axis=0)]
        found[texture_name] = {
            action: {rank: tuple(row) for rank, row in zip(HAND_RANKS, rows.tolist(), strict=True) if any(row)}
            for action, rows in zip(outcomes.ACTIONS, actions, strict=True)
        }
    return outcomes.Table(tuple(hand_name(hand) for hand in before), found)


def main() -> None:
    """Derive it all; says on standard error how far it is."""
    derivation, kinds = Derivation(), flops()
    for number, flop in enumerate(kinds, start=1):
        derivation.add(flop)
        if number % 25 == 0 or number == len(kinds):
            sys.stderr.write(f"\r{number:,} of {len(kinds):,} kinds of flop")
    sys.stdout.write(outcomes.as_json(table(derivation, derivation.raised_before_the_flop())))


if __name__ == "__main__":
    main()
