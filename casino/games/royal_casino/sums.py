"""Two seats of a round of Royal Casino: how much their results have in common, in exact sums over all deals.

`together.json` ships the sums; `together` makes them anew. A deal of one seat is a flop, a turn and river, the bank's
hand and the seat's; of two seats, a further hand from the cards that are left.
"""

import json
from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from math import comb
from pathlib import Path
from typing import NamedTuple

from casino.games.royal_casino.outcomes import TOTAL
from casino.games.royal_casino.paytables import REGULATION

SHIPPED_SUMS = Path(__file__).with_name("together.json")
PAYTABLE = REGULATION
"""The table that the sums are of; for another one nothing is known of two seats."""

TOTAL_OF_TWO = TOTAL * comb(43, 2)


class Sums(NamedTuple):
    """Over all deals, main game in half antes, BONUS in its stakes: of one seat, and of two seats in order."""

    main: int
    main_square: int
    bonus: int
    bonus_square: int
    main_bonus: int
    main_main_of_two: int
    main_bonus_of_two: int
    bonus_bonus_of_two: int


class BetweenSeats(NamedTuple):
    """Covariances of two seats' net results, a unit on each: of ANTE and ANTE, ANTE and BONUS, BONUS and BONUS."""

    main_main: Fraction
    main_bonus: Fraction
    bonus_bonus: Fraction


def between_seats(sums: Sums) -> BetweenSeats:
    """The covariances, from half antes to antes."""
    main, bonus = Fraction(sums.main, 2 * TOTAL), Fraction(sums.bonus, TOTAL)
    return BetweenSeats(
        Fraction(sums.main_main_of_two, 4 * TOTAL_OF_TWO) - main * main,
        Fraction(sums.main_bonus_of_two, 2 * TOTAL_OF_TWO) - main * bonus,
        Fraction(sums.bonus_bonus_of_two, TOTAL_OF_TWO) - bonus * bonus,
    )


def total(parts: Mapping[str, Sums]) -> Sums:
    """All textures of a flop together."""
    return Sums(*(sum(column) for column in zip(*parts.values(), strict=True)))


@cache
def shipped() -> Mapping[str, Sums]:
    """Texture → its sums, from `together.json`."""
    return from_json(SHIPPED_SUMS.read_text(encoding="utf-8"))


def from_json(text: str) -> dict[str, Sums]:
    """Read what `as_json` wrote."""
    return {texture: Sums(**sums) for texture, sums in json.loads(text).items()}


def as_json(parts: Mapping[str, Sums]) -> str:
    """The text of `together.json`."""
    return json.dumps({texture: sums._asdict() for texture, sums in parts.items()}, indent=1) + "\n"
