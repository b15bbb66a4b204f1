"""What BLIND and BONUS pay at Royal Casino, to 1. A published table stays as it is; a better one gets a new name.

The rule sheet prints no table. The first is the French regulation's, whose game this is (arrêté du 14 mai 2007, art.
55-20); the others differ from it in BONUS alone, and are named by what that pays from the full house down.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from types import MappingProxyType

from casino.games.cards import quoted
from casino.refusal import Refused

Pays = Mapping[str, Fraction]

BLIND_RANKS = ("royal_flush", "straight_flush", "four_of_a_kind", "full_house", "flush", "straight")
BONUS_RANKS = (*BLIND_RANKS, "three_of_a_kind")


@dataclass(frozen=True)
class Paytable:
    """Rank → to 1, best rank first, for each of the two wagers that pay by a table."""

    blind: Pays
    bonus: Pays


def _pays(ranks: tuple[str, ...], *to_one: Fraction | int) -> Pays:
    return MappingProxyType(dict(zip(ranks, map(Fraction, to_one), strict=True)))


REGULATION = "regulation"
_BLIND = _pays(BLIND_RANKS, 500, 50, 10, 3, Fraction(3, 2), 1)
PAYTABLES: Mapping[str, Paytable] = MappingProxyType({
    REGULATION: Paytable(blind=_BLIND, bonus=_pays(BONUS_RANKS, 50, 40, 30, 8, 7, 4, 3)),
    "bonus_9_7_4": Paytable(blind=_BLIND, bonus=_pays(BONUS_RANKS, 50, 40, 30, 9, 7, 4, 3)),
    "bonus_8_6_5": Paytable(blind=_BLIND, bonus=_pays(BONUS_RANKS, 50, 40, 30, 8, 6, 5, 3)),
    "bonus_quads_20": Paytable(blind=_BLIND, bonus=_pays(BONUS_RANKS, 50, 40, 20, 7, 6, 5, 3)),
})  # fmt: skip


def paytable(name: object) -> Paytable:
    """The paytable of this name; refuses `unknown_paytable`."""
    if not isinstance(name, str) or name not in PAYTABLES:
        raise Refused("unknown_paytable", f"There is no paytable {quoted(name)}; choose from {', '.join(PAYTABLES)}.")
    return PAYTABLES[name]
