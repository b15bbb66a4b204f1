"""How `together.json` and `deals.npz` came to be: two seats of one round, on the same board against the same bank.

`python -m casino.games.royal_casino.together` writes both anew beside this file, in some hours of one core. For each
kind of flop, every turn and river, every bank hand, and every two hands that can meet there, under the best play of
each (see `derivation`). The pairs of hands are not gone through. Of all the hands that the bank leaves, f being what
one of them wins, the pairs without a card in common bring (Σ f)² − Σ over cards (Σ f of the hands with it)² + Σ f².
"""

import sys
from collections.abc import Callable
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from casino.games.poker import HAND_RANKS
from casino.games.royal_casino import outcomes
from casino.games.royal_casino.deals import CODES, DEALS, ONE_DEAL, SEATS, SHIPPED_DEALS, code
from casino.games.royal_casino.derivation import (
    BANK_HANDS,
    HALVES,
    RAISE_1X,
    RAISE_2X,
    Derivation,
    Flop,
    flops,
    hand_name,
    standing,
    starting_hands,
    texture,
)
from casino.games.royal_casino.paytables import PAYTABLES, REGULATION
from casino.games.royal_casino.sums import SHIPPED_SUMS, Sums, as_json

Array = npt.NDArray[Any]
FOLDED = -2 * HALVES
BOARDS_AT_ONCE = 4
CARDS, HOLDINGS = 47, 1_081
ROUNDS_OF_SCALING = 400


class Hands(NamedTuple):
    """Boards × holdings: strength; what the hand wins and loses against a bank without a pair; BONUS; whether it folds.

    With a pair the bank qualifies, and ANTE moves besides: two halves more are won or lost. `outcome` counts the bank
    hands, as `derivation` has them.
    """

    strength: Array
    win: Array
    lose: Array
    bonus: Array
    folds: Array
    qualifies: Array
    outcome: Array

    def on(self, boards: slice) -> "Hands":
        """Those on some of the boards; `outcome` has its columns first."""
        return Hands._make([*(array[boards] for array in self[:-1]), self.outcome[:, boards]])


class Together:
    """Sums for one kind of flop after the other."""

    def __init__(self) -> None:
        self.derivation = Derivation()
        names = {hand_name(hand): hand for hand in range(169)}
        self.raised = np.array([names[name] for name in outcomes.shipped().raised])
        pays = PAYTABLES[REGULATION]
        self._blind = np.array([int(HALVES * pays.blind.get(rank, 0)) for rank in HAND_RANKS], dtype=np.int32)
        self._bonus = np.array([int(pays.bonus.get(rank, -1)) for rank in HAND_RANKS], dtype=np.int32)
        self.first, self.second = self.derivation.places.of_47.T

    def add_up(self, flop: Flop) -> Sums:
        """All deals of one flop of this kind."""
        hands = self.hands(flop)
        found = np.array([*_of_one(hands), 0, 0, 0], dtype=object)
        for start in range(0, len(hands.strength), BOARDS_AT_ONCE):
            boards = slice(start, start + BOARDS_AT_ONCE)
            found[-3:] += np.array(_of_two(self, hands.on(boards)), dtype=object)
        return Sums(*(int(value) for value in found))

    def hands(self, flop: Flop) -> Hands:
        """Every holding on every board of the flop, played best."""
        strength, times, outcome = self.played(flop)
        ranks, folds = self.derivation.strengths.rank[strength], times == 0
        win = np.where(folds, FOLDED, HALVES * times + self._blind[ranks])
        lose = np.where(folds, FOLDED, -HALVES * (times + 1))
        qualifies = strength >= self.derivation.strengths.weakest_pair
        return Hands(strength, win, lose, self._bonus[ranks], folds, qualifies, outcome)

    def played(self, flop: Flop) -> tuple[Array, Array, Array]:
        """Strength, how many antes PLAY is (0 for a fold), and the outcome against all bank hands."""
        derivation, left = self.derivation, np.array([card for card in range(52) if card not in flop.cards])
        strength = derivation.on_boards(flop, left)
        outcome = derivation.against_banks(strength)
        action = derivation.actions(outcome, derivation.strengths.rank[strength])
        hands = starting_hands(left[derivation.places.pairs])[derivation.places.holding]
        after = np.select([action == RAISE_2X, action == RAISE_1X], [2, 1], 0).astype(np.int32)
        return strength, np.where(np.isin(hands, self.raised), np.int32(4), after), np.array(outcome)

    @cached_property
    def with_bank(self) -> tuple[Array, Array]:
        """Card × bank: the holding of the card with the bank's first card, and with its second."""
        number = np.zeros((CARDS, CARDS), dtype=np.int64)
        number[self.first, self.second] = number[self.second, self.first] = np.arange(HOLDINGS)
        return number[:, self.first], number[:, self.second]

    @cached_property
    def is_left(self) -> Array:
        """Card × bank: whether the bank leaves the card."""
        cards = np.arange(CARDS)[:, None]
        return ((cards != self.first) & (cards != self.second)).astype(np.int32)


def _of_one(hands: Hands) -> list[int]:
    """The sums of one seat: every holding against all 990 bank hands."""
    qualified = np.where(hands.folds, 0, HALVES)
    tie = np.where(hands.folds, FOLDED, 0)
    values = hands.win + qualified, hands.win, tie, hands.lose - qualified, hands.lose  # as the outcome's columns
    value, ways = np.array(values, dtype=np.int64), hands.outcome.astype(np.int64)
    main, square = (ways * value).sum(axis=0), (ways * value**2).sum(axis=0)
    bonus = hands.bonus.astype(np.int64)
    sums = main, square, BANK_HANDS * bonus, BANK_HANDS * bonus**2, main * bonus
    return [int(array.sum()) for array in sums]


def _of_two(together: Together, hands: Hands) -> list[int]:
    """The sums of two seats, on a few boards with every bank hand on each; arrays are board × (card ×) bank."""
    first, second = together.with_bank
    main_of = _against(hands)
    main = _main_by_card(together, hands)
    banks = np.arange(HOLDINGS)
    own = np.where(hands.folds, FOLDED, 0)  # a holding against a bank as strong as itself
    main_left = main.sum(axis=1) // 2 - main[:, together.first, banks] - main[:, together.second, banks] + own
    main = (main - main_of(first) - main_of(second)) * together.is_left
    bonus = hands.bonus[:, together.derivation.places.with_card].sum(axis=2)
    bonus_left = bonus.sum(axis=1)[:, None] // 2 - bonus[:, together.first] - bonus[:, together.second] + hands.bonus
    bonus = (bonus[:, :, None] - hands.bonus[:, first] - hands.bonus[:, second]) * together.is_left
    _, main_square, _, bonus_square, main_bonus = _of_one(hands)
    return [
        _product(main_left, main_left) - _product(main, main) + main_square,
        _product(main_left, bonus_left) - _product(main, bonus) + main_bonus,
        _product(bonus_left, bonus_left) - _product(bonus, bonus) + bonus_square,
    ]


def _product(one: Array, other: Array) -> int:
    """Σ of products, in doubles: these sums stay far below 2⁵³, so they are whole and exact."""
    return int(np.dot(one.ravel().astype(np.double), other.ravel().astype(np.double)))


def _against(hands: Hands) -> Callable[[Array], Array]:
    """Card × bank of holdings → what each wins against that bank."""
    theirs = hands.strength[:, None]
    qualified = np.where(hands.qualifies, HALVES, 0).astype(np.int32)[:, None]

    def won(holding: Array) -> Array:
        mine, folds = hands.strength[:, holding], hands.folds[:, holding]
        moved = np.where(folds, 0, qualified)
        above, below = hands.win[:, holding] + moved, hands.lose[:, holding] - moved
        level = np.where(folds, np.int32(FOLDED), np.int32(0))
        found: Array = np.where(mine > theirs, above, np.where(mine < theirs, below, level))
        return found

    return won


def _main_by_card(together: Together, hands: Hands) -> Array:
    """Card × bank → what all the holdings with the card win against it, whatever cards the bank has.

    In the order of strength, what is above the bank wins and what is below it loses; what folds is lost all the same.
    """
    below, level = standing(hands.strength)
    upto = below + level
    live = ~hands.folds
    place = _Places(together, hands.strength)
    won, lost, number = (place.summed(values * live) for values in (hands.win, hands.lose, np.int32(1)))
    folded = (hands.folds * np.int32(FOLDED))[:, together.derivation.places.with_card].sum(axis=2)
    above = won[:, :, -1:] - _taken(won, upto) + _taken(lost, below)
    moved = number[:, :, -1:] - _taken(number, upto) - _taken(number, below)
    found: Array = above + folded[:, :, None] + np.where(hands.qualifies, HALVES, 0)[:, None] * moved
    return found


class _Places:
    """Where each holding stands in the order of strength."""

    def __init__(self, together: Together, strength: Array) -> None:
        self.cards = (together.first, together.second)
        order = np.argsort(strength, axis=1, kind="stable")
        self.at = np.empty_like(order)
        np.put_along_axis(self.at, order, np.broadcast_to(np.arange(HOLDINGS), order.shape), axis=1)

    def summed(self, values: Array) -> Array:
        """Card × n → Σ over the holdings with the card among the n weakest, from n = 0."""
        in_order = np.zeros((len(values), CARDS, HOLDINGS + 1), dtype=np.int32)
        boards = np.arange(len(values))[:, None]
        for card in self.cards:
            in_order[boards, card, self.at + 1] = values
        return np.cumsum(in_order, axis=2, dtype=np.int32, out=in_order)


def _taken(summed: Array, place: Array) -> Array:
    return np.take_along_axis(summed, np.broadcast_to(place[:, None], (*summed.shape[:2], HOLDINGS)), axis=2)


# ------------------------------------------------------------------------------------------------- some deals


def dealt(together: Together, flop: Flop, deals: int, chance: np.random.Generator) -> Array:
    """Some deals on one kind of flop to seven seats → what became of each seat, as `deals.code` writes it."""
    strength, times, _ = together.played(flop)
    number = np.zeros((CARDS, CARDS), dtype=np.int64)
    number[together.first, together.second] = number[together.second, together.first] = np.arange(HOLDINGS)
    cards = chance.permuted(np.tile(np.arange(CARDS), (deals, 1)), axis=1)
    boards = chance.integers(len(strength), size=deals)[:, None]
    bank = strength[boards, number[cards[:, :1], cards[:, 1:2]]]
    seats = number[cards[:, 2 : 2 + 2 * SEATS : 2], cards[:, 3 : 3 + 2 * SEATS : 2]]
    mine, times = strength[boards, seats], times[boards, seats]
    qualifies = bank >= together.derivation.strengths.weakest_pair
    result = np.select(
        [(mine > bank) & qualifies, mine > bank, mine == bank, (mine < bank) & qualifies], [0, 1, 2, 3], 4
    )
    action = np.select([times == 4, times == 2, times == 1], [0, 1, 2], 3)
    found: Array = code(action, together.derivation.strengths.rank[mine], result)
    return found


def balanced(codes: Array, wanted: Array) -> Array:
    """Weights for the deals under which each outcome of a seat comes as often as it does in all deals.

    Iterative scaling: every round of it multiplies a deal by how far its seats' outcomes are off, to the seventh root.
    """
    weights = np.ones(len(codes))
    for _ in range(ROUNDS_OF_SCALING):
        held = np.bincount(codes.ravel(), np.repeat(weights, SEATS), len(wanted))
        seen = (held > 0) & (wanted > 0)
        step = np.zeros(len(wanted))
        step[seen] = np.log(wanted[seen]) - np.log(held[seen])
        weights *= np.exp(step[codes].mean(axis=1))
        weights = np.divide(weights * len(weights), weights.sum())  # deals of weight 1 on average
    return np.maximum(np.rint(weights * ONE_DEAL), 1).astype(np.uint16)


def wanted_codes(table: outcomes.Table) -> Array:
    """Code → the weight of its outcome among all deals."""
    wanted = np.zeros(CODES)
    for cell in table.cells():
        place = outcomes.ACTIONS.index(cell.action), HAND_RANKS.index(cell.rank), outcomes.RESULTS.index(cell.result)
        wanted[code(*place)] += cell.weight
    return wanted


def shared_out(kinds: list[Flop], deals: int) -> list[int]:
    """How many of the deals each kind of flop gets, by its weight; what is left over goes to the largest remainders."""
    flops_in_all = sum(flop.weight for flop in kinds)
    shares = [divmod(deals * flop.weight, flops_in_all) for flop in kinds]
    over = deals - sum(share for share, _ in shares)
    first = set(sorted(range(len(kinds)), key=lambda kind: -shares[kind][1])[:over])
    return [share + (kind in first) for kind, (share, _) in enumerate(shares)]


# ------------------------------------------------------------------------------------------------- writing them


def write_deals(together: Together) -> None:
    """`deals.npz` anew, in about half an hour."""
    chance, kinds = np.random.default_rng(54), flops()
    found = []
    for number, (flop, deals) in enumerate(zip(kinds, shared_out(kinds, DEALS), strict=True), start=1):
        found.append(dealt(together, flop, deals, chance))
        sys.stderr.write(f"\r{number:,} of {len(kinds):,} kinds of flop dealt")
    codes = np.concatenate(found).astype(np.uint8)
    np.savez_compressed(SHIPPED_DEALS, codes=codes, weights=balanced(codes, wanted_codes(outcomes.shipped())))


def write_sums(together: Together) -> None:
    """`together.json` anew, by texture."""
    kinds = flops()
    parts = {name: [0] * len(Sums._fields) for name in outcomes.TEXTURES}
    for number, flop in enumerate(kinds, start=1):
        before, found = parts[texture(flop)], together.add_up(flop)
        parts[texture(flop)] = [sum_ + flop.weight * more for sum_, more in zip(before, found, strict=True)]
        sys.stderr.write(f"\r{number:,} of {len(kinds):,} kinds of flop added up")
    SHIPPED_SUMS.write_text(as_json({name: Sums(*part) for name, part in parts.items()}), encoding="utf-8")


if __name__ == "__main__":
    write_deals(Together())
    write_sums(Together())
