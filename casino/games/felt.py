"""Where a game's wagers lie on the felt, for a terminal to draw and to touch. Pure.

A game that has `places` is drawn; one that has none is played all the same, its wagers typed by their codes.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from casino.games.game import Felt, Setup

GRID, ROW, SEAT = "grid", "row", "seat"
"""Areas of a felt: a grid that all seats share, a row of boxes that they share, and circles in front of each seat."""


@dataclass(frozen=True)
class Place:
    """A place for chips: the wager it takes and where it lies.

    On the grid, `column`, `row`, `columns` and `rows` count quarters of a cell from 1, so that a place on an edge or
    corner lies half in each of the cells it joins. `with_it` are wagers that go down with this one, at the same
    stake. `keys` are short ways to type the wager besides its code; `card` is the card that the cell shows.
    """

    wager: str
    area: str
    column: int = 0
    row: int = 0
    columns: int = 0
    rows: int = 0
    text: str = ""
    card: str | None = None
    keys: tuple[str, ...] = ()
    with_it: tuple[str, ...] = ()


@runtime_checkable
class Drawn(Protocol):
    """A game whose felt can be drawn."""

    def places(self, setup: Setup) -> Sequence[Place]:
        """Every place for chips; what a decision puts down has none."""


def places_of(game: object, setup: Setup) -> Sequence[Place]:
    """The game's places, none where it draws no felt."""
    return game.places(setup) if isinstance(game, Drawn) else ()


@runtime_checkable
class Marking(Protocol):
    """A game in which a card is something besides, by where it lies."""

    def marks(self, felt: Felt, setup: Setup) -> Mapping[int, str]:
        """Position → what its card is called; nothing while that is not decided."""


def marks_of(game: object, felt: Felt, setup: Setup) -> Mapping[int, str]:
    """The game's marks, none where it has no such card."""
    return game.marks(felt, setup) if isinstance(game, Marking) else {}


@runtime_checkable
class Typed(Protocol):
    """A game that says how its wagers are typed at a terminal, by the keys of its places."""

    typed_bets: str
    """Seats, wagers and amounts as somebody would type them: "3 red 5, KQ 10"."""


def typed_bets_of(game: object) -> str:
    """The game's example, none where it gives none."""
    return game.typed_bets if isinstance(game, Typed) else ""


@runtime_checkable
class RaiseNamed(Protocol):
    """A game that has a word of its own for a raise."""

    raise_name: str


def raise_name(game: object) -> str:
    """What the game calls a raise."""
    return game.raise_name if isinstance(game, RaiseNamed) else "raise"
