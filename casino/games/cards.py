"""Cards as text: a rank and a suit (`As Kd Th 9c 2s`), and two jokers (`X1`, `X2`).

One order serves everywhere: jokers first, then rank by rank from the ace down, each as spade, heart, diamond, club.
It is the order of the 54 Card Roulette layout, read from the top.
"""

import json
from collections.abc import Container

from casino.refusal import Refused, in_quotes

RANKS = "AKQJT98765432"
SUITS = "shdc"
JOKERS = ("X1", "X2")
COLOURS = {"red": "hd", "black": "sc"}
"""A joker has no rank, no suit and no colour."""

DECK_52 = tuple(rank + suit for rank in RANKS for suit in SUITS)
DECK_54 = JOKERS + DECK_52

SHOWN = 40
"""Letters of a value in a sentence."""


def card(value: object, deck: Container[str]) -> str:
    """`value` if it is a card of `deck`, spelt exactly; refuses `unknown_card`."""
    if not isinstance(value, str) or value not in deck:
        sentence = f"There is no card {quoted(value)} in this deck; write a card like As, Td, 9c"
        raise Refused("unknown_card", sentence + (" or X1." if "X1" in deck else "."))
    return value


def quoted(value: object) -> str:
    """`value` as it may stand in a sentence: text in quotes, anything else as JSON writes it; cut where it is long."""
    if isinstance(value, str):
        return in_quotes(value)
    try:
        text = json.dumps(value, ensure_ascii=False, default=str)
    except (ValueError, RecursionError):
        return "something that is nested too deeply to be shown"
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}…"
