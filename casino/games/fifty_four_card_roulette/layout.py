"""The layout of 54 Card Roulette: which cards touch, and so which wagers there are.

The rule sheet only shows that a joker touches two aces. The house's standard layout is thirteen rows, A at the top
and 2 at the foot, in four columns ♠ ♥ ♦ ♣; X1 lies above the ♠ and ♥ aces, X2 above the ♦ and ♣ aces, side by side.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise, product

from casino.games.cards import COLOURS, JOKERS, RANKS, SUITS, quoted
from casino.refusal import Refused

ACE_FACE = "AKQJ"


@dataclass(frozen=True)
class Spot:
    """A place for chips: its code, its bet, what its code names (`parts`) and the cards that win it."""

    code: str
    bet: str
    parts: tuple[str, ...]
    cards: frozenset[str]


@dataclass(frozen=True)
class Layout:
    """Ranks from the top, suits from the left, and the two top-row cards that each joker touches."""

    name: str
    rows: str
    columns: str
    joker_touches: tuple[tuple[str, tuple[str, str]], ...]

    @cached_property
    def order(self) -> tuple[str, ...]:
        """Every card of the layout, jokers first, then row by row: the order within a wager's code."""
        return JOKERS + tuple(rank + suit for rank, suit in product(self.rows, self.columns))

    @cached_property
    def splits(self) -> tuple[tuple[str, ...], ...]:
        """Every two cards that touch: joker and joker, joker and ace, down a column, across a row."""
        joker_ace = [(joker, ace) for joker, aces in self.joker_touches for ace in aces]
        down = [(upper + suit, lower + suit) for upper, lower in pairwise(self.rows) for suit in self.columns]
        across = [(rank + left, rank + right) for rank in self.rows for left, right in pairwise(self.columns)]
        return (JOKERS, *joker_ace, *down, *across)

    @cached_property
    def corners(self) -> tuple[tuple[str, ...], ...]:
        """Every 2 × 2 block of the four columns; no joker is in one."""
        blocks = product(pairwise(self.rows), pairwise(self.columns))
        return tuple(tuple(rank + suit for rank, suit in product(*block)) for block in blocks)

    @cached_property
    def spots(self) -> Mapping[str, Spot]:
        """Canonical code → spot, for every roulette wager of the layout."""
        return {spot.code: spot for spot in (*self._card_spots(), *self._set_spots())}

    @cached_property
    def by_parts(self) -> Mapping[tuple[str, frozenset[str]], Spot]:
        """The same spots by bet and named parts, in whatever order a player names them."""
        return {(spot.bet, frozenset(spot.parts)): spot for spot in self.spots.values()}

    def neighbours(self, card: str) -> tuple[str, ...]:
        """The cards that touch `card`, in layout order."""
        touching = {other for split in self.splits if card in split for other in split}
        return tuple(other for other in self.order if other in touching and other != card)

    def _card_spots(self) -> Iterator[Spot]:
        yield from (_spot("straight_up", (card,), (card,)) for card in self.order)
        yield from (_spot("split", cards, cards) for cards in self.splits)
        yield from (_spot("street", (joker, *aces), (joker, *aces)) for joker, aces in self.joker_touches)
        yield from (_spot("corner", cards, cards) for cards in self.corners)

    def _set_spots(self) -> Iterator[Spot]:
        yield from (_spot("rank", (rank,), self._cards(rank, SUITS)) for rank in self.rows)
        yield from (_spot("split_rank", pair, self._cards(pair, SUITS)) for pair in pairwise(self.rows))
        yield from (_spot("suit", (suit,), self._cards(RANKS, suit)) for suit in self.columns)
        yield _spot("ace_face", (), self._cards(ACE_FACE, SUITS))
        yield from (_spot("colour", (name,), self._cards(RANKS, suits)) for name, suits in COLOURS.items())

    @staticmethod
    def _cards(ranks: str | tuple[str, ...], suits: str) -> tuple[str, ...]:
        return tuple(rank + suit for rank, suit in product(ranks, suits))


def _spot(bet: str, parts: tuple[str, ...], cards: tuple[str, ...]) -> Spot:
    code = f"{bet}:{'+'.join(parts)}" if parts else bet
    return Spot(code, bet, parts, frozenset(cards))


LAYOUTS = {
    "standard": Layout("standard", RANKS, SUITS, joker_touches=(("X1", ("As", "Ah")), ("X2", ("Ad", "Ac")))),
}


def layout(name: str) -> Layout:
    """The layout of this name; refuses `unknown_layout`."""
    if name not in LAYOUTS:
        raise Refused("unknown_layout", f"There is no layout {quoted(name)}; choose from {', '.join(LAYOUTS)}.")
    return LAYOUTS[name]
