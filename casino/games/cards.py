"""Cards as text: a rank and a suit (`As Kd Th 9c 2s`), and two jokers (`X1`, `X2`).

One order serves everywhere: jokers first, then rank by rank from the ace down, each as spade, heart, diamond, club.
It is the order of the 54 Card Roulette layout, read from the top.
"""

import reprlib
from collections.abc import Container

from casino.refusal import Refused

RANKS = "AKQJT98765432"
SUITS = "shdc"
JOKERS = ("X1", "X2")
COLOURS = {"red": "hd", "black": "sc"}
"""A joker has no rank, no suit and no colour."""

DECK_52 = tuple(rank + suit for rank in RANKS for suit in SUITS)
DECK_54 = JOKERS + DECK_52

_SHORT = reprlib.Repr()
_SHORT.maxlevel, _SHORT.maxstring, _SHORT.maxlong, _SHORT.maxother = 2, 40, 40, 40


def card(value: object, deck: Container[str]) -> str:
    """`value` if it is a card of `deck`, spelt exactly; refuses `unknown_card`."""
    if not isinstance(value, str) or value not in deck:
        sentence = f"There is no card {quoted(value)} in this deck; write a card like As, Td, 9c"
        raise Refused("unknown_card", sentence + (" or X1." if "X1" in deck else "."))
    return value


def quoted(value: object) -> str:
    """`value` as it may stand in a sentence: in quotes, and cut short where somebody sent a novel or a labyrinth."""
    return _SHORT.repr(value)
