"""The progressive: a seat's own two cards with the flop, five cards in all, also after a fold.

Folding comes after the river (sheet), so there is always a flop; a round that ends before it is void, and its stakes
go back. Two players can't hold the same two cards, so a royal flush has one winner; two straight flushes on one flop
share their part equally.
"""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations
from math import comb
from types import MappingProxyType
from typing import NamedTuple

from casino.games.cards import RANKS, SUITS, quoted
from casino.games.game import Felt, Share, SideBetWin
from casino.games.poker import ROYAL, STRAIGHTS, rank_of
from casino.games.royal_casino import positions, procedure
from casino.games.side_bets import Tiers, order_of_payment
from casino.refusal import Refused

WINNING = ("royal_flush", "straight_flush")
"""Best first: 4 and 36 of the 2,598,960 hands."""

TIERS: Mapping[str, Tiers] = MappingProxyType({
    # The house's default, for the sheet has no progressive.
    "tiered": MappingProxyType(dict(zip(WINNING, (Fraction(1), Fraction(1, 10)), strict=True))),
})  # fmt: skip

FLOPS_AND_HANDS = comb(52, 3) * comb(49, 2)
OTHER_HANDS = comb(47, 2)
"""What another player may hold once a flop and one hand are known."""


def tiers(name: object) -> Tiers:
    """Rank → the part of the meter it wins, best rank first; refuses `unknown_tiers`."""
    if not isinstance(name, str) or name not in TIERS:
        raise Refused("unknown_tiers", f"There is no set of tiers {quoted(name)}; choose from {', '.join(TIERS)}.")
    return TIERS[name]


def rank(felt: Felt, seat: int) -> str | None:
    """What the seat's two cards make with the flop; None while one of the five is face down."""
    hand = procedure.cards_up(felt, (*positions.FLOP, *positions.of_seat(seat)))
    return rank_of(hand) if hand else None


def wins(felt: Felt, seats: Sequence[int]) -> list[SideBetWin]:
    """The seats that won by rank, best rank first; refuses `hand_incomplete` while a card of theirs is face down."""
    ranks = {seat: rank(felt, seat) for seat in seats}
    if None in ranks.values():
        raise Refused("hand_incomplete", "A hand with the progressive is not complete; turn its cards and the flop.")
    return wins_among(ranks)


def wins_among(ranks: Mapping[int, str | None]) -> list[SideBetWin]:
    """Seat → what its five cards make; who won at which rank, best rank first."""
    winners = {won: tuple(seat for seat, made in ranks.items() if made == won) for won in WINNING}
    return [SideBetWin(won, seats) for won, seats in winners.items() if seats]


def shares(name: str, wagers: int) -> list[Share]:
    """Every way in which one of `wagers` seats wins, with its exact chance; refuses `unknown_tiers`."""
    order = order_of_payment(tiers(name))
    found: dict[tuple[str, int, tuple[str, ...]], Fraction] = {}
    for one in completions():
        chance = Fraction(len(SUITS), FLOPS_AND_HANDS)
        # Each of the others may hold the one other hand; only one of them can.
        beside = chance * Fraction(wagers - 1, OTHER_HANDS) if one.other else Fraction(0)
        for way, part in ((_way(one.rank, None, order), chance - beside), (_way(one.rank, one.other, order), beside)):
            found[way] = found.get(way, Fraction(0)) + part
    return [Share(*way, chance) for way, chance in found.items() if chance]


def _way(mine: str, other: str | None, order: Sequence[str]) -> tuple[str, int, tuple[str, ...]]:
    """Rank, how many share it, and what is paid before it, where another player holds `other` on the same flop."""
    if other == mine:
        return mine, 2, ()
    if other is not None and order.index(other) < order.index(mine):
        return mine, 1, (other,)
    return mine, 1, ()


class Completion(NamedTuple):
    """Two cards that make a straight flush with a flop of their suit, and what another two make of the same flop."""

    rank: str
    other: str | None


@cache
def completions() -> tuple[Completion, ...]:
    """All of one suit: every flop of three ranks, every two that complete it."""
    return tuple(one for flop in combinations(RANKS, 3) for one in _completions_of(frozenset(flop)))


def _completions_of(flop: frozenset[str]) -> Iterator[Completion]:
    pairs = {window - flop: _name(window) for window in STRAIGHTS if flop < window}
    for pair, name in pairs.items():
        apart = [other for beside, other in pairs.items() if not beside & pair]
        # Five ranks in a row around a flop leave room for one other hand at the most.
        assert len(apart) <= 1
        yield Completion(name, apart[0] if apart else None)


def _name(window: frozenset[str]) -> str:
    return WINNING[0] if window == ROYAL else WINNING[1]
