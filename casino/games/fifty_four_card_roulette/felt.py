"""The felt as the dealer sees it from behind the table: suits from above, ranks from the left, the jokers before them.

A cell is four quarters wide and high. A place on an edge takes the two quarters beside it, so that a finger finds it.
"""

from collections.abc import Iterator

from casino.games.cards import JOKERS, SUITS
from casino.games.felt import GRID, ROW, Place
from casino.games.fifty_four_card_roulette.layout import Layout, Spot
from casino.games.fifty_four_card_roulette.paytables import POKER
from casino.games.side_bets import PROGRESSIVE

HEAD = 2
"""Quarters above the cells, for the strip of ranks."""

BOXES = {
    "ace_face": ("A K Q J", ("af", "face")),
    "colour:red": ("Red", ("red",)),
    "colour:black": ("Black", ("black",)),
}
POKER_BOXES = {
    "five_of_a_kind": ("5 of a kind", ("5k",)),
    "royal_flush": ("Royal", ("royal", "rf")),
    "straight_flush": ("Straight flush", ("sf",)),
    "four_of_a_kind": ("4 of a kind", ("4k",)),
    "flush": ("Flush", ("fl",)),
    "straight": ("Straight", ("st",)),
    "three_of_a_kind": ("3 of a kind", ("3k",)),
}


def places_on(layout: Layout) -> tuple[Place, ...]:
    """Every place of the layout, and the boxes that stand beside it."""
    return (*(_place(spot, layout) for spot in layout.spots.values() if spot.code not in BOXES), *_boxes())


def _boxes() -> Iterator[Place]:
    yield from (Place(code, ROW, text=text, keys=keys) for code, (text, keys) in BOXES.items())
    yield from (Place(code, ROW, text=POKER_BOXES[code][0], keys=POKER_BOXES[code][1]) for code in POKER)
    yield Place(PROGRESSIVE, ROW, text="Progressive", keys=("p",))


def _place(spot: Spot, layout: Layout) -> Place:
    if spot.bet in ("rank", "split_rank"):
        return _rank(spot, layout)
    if spot.bet == "suit":
        row = HEAD + 1 + 4 * layout.columns.index(spot.parts[0])
        return Place(spot.code, GRID, 4 * len(layout.rows) + 5, row, 4, 4, text=spot.parts[0], keys=spot.parts)
    if spot.bet == "straight_up":
        return _cell(spot, layout)
    across, down = _middle(spot.parts, layout)
    return Place(spot.code, GRID, across, down, 2, 2, keys=("".join(spot.parts),))


def _cell(spot: Spot, layout: Layout) -> Place:
    card = spot.parts[0]
    if card in JOKERS:
        row, rows = HEAD + 1 + 8 * JOKERS.index(card), 8
        return Place(spot.code, GRID, 1, row, 4, rows, card=card, keys=(card,))
    column, row = _at(card, layout)
    return Place(spot.code, GRID, column, row, 4, 4, card=card, keys=(card,))


def _rank(spot: Spot, layout: Layout) -> Place:
    first = 4 * layout.rows.index(spot.parts[0]) + 5
    keys = ("".join(spot.parts), "r" + "".join(spot.parts))
    if spot.bet == "rank":
        return Place(spot.code, GRID, first, 1, 4, HEAD, text=spot.parts[0], keys=keys)
    return Place(spot.code, GRID, first + 3, 1, 2, HEAD, keys=keys)


def _at(card: str, layout: Layout) -> tuple[int, int]:
    """The first quarter of a card's cell, across and down."""
    return 4 * layout.rows.index(card[0]) + 5, HEAD + 1 + 4 * layout.columns.index(card[1])


def _middle(cards: tuple[str, ...], layout: Layout) -> tuple[int, int]:
    """The first of the two quarters around the middle of touching cards; a joker's column is that before the aces'."""
    jokers, others = [c for c in cards if c in JOKERS], [_at(c, layout) for c in cards if c not in JOKERS]
    if not others:
        return 2, HEAD + 4 * len(SUITS) // 2
    rows = sorted({row for _, row in others})
    down = rows[0] + 1 + (rows[-1] - rows[0]) // 2
    columns = sorted({column for column, _ in others} | ({1} if jokers else set()))
    return columns[0] + 1 + (columns[-1] - columns[0]) // 2, down
