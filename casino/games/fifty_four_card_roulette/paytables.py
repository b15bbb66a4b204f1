"""The pays of 54 Card Roulette, to 1, and the progressive's tiers. A published table stays as it is; a better one
gets a new name.
"""

from collections.abc import Mapping
from fractions import Fraction
from types import MappingProxyType

from casino.games.cards import quoted
from casino.refusal import Refused

Pays = Mapping[str, Fraction]


def _pays(**to_one: int) -> Pays:
    return MappingProxyType({bet: Fraction(pays) for bet, pays in to_one.items()})


ROULETTE = ("straight_up", "split", "street", "corner", "rank", "split_rank", "suit", "ace_face", "colour")
POKER = ("five_of_a_kind", "royal_flush", "straight_flush", "four_of_a_kind", "flush", "straight", "three_of_a_kind")

PAYTABLES: Mapping[str, Pays] = MappingProxyType({
    # As the rule sheet prints it. Its split rank pays more than it takes (the player has 1/27): recorded as printed.
    "printed": _pays(
        straight_up=50, split=25, street=16, corner=12, rank=12, split_rank=6, suit=3, ace_face=2, colour=1,
        five_of_a_kind=32_000, royal_flush=30_000, straight_flush=4_800, four_of_a_kind=275, flush=225, straight=50,
        three_of_a_kind=10,
    ),
})  # fmt: skip

TIERS: Mapping[str, Pays] = MappingProxyType({
    # The sheet doesn't say how much of the meter each rank wins; "tiered" is the house's default.
    "tiered": MappingProxyType(
        {"five_of_a_kind": Fraction(1), "royal_flush": Fraction(1), "straight_flush": Fraction(1, 10)}
    ),
    # The sheet read literally: the whole meter for any hand better than four of a kind, once in 4,505 hands.
    "literal": MappingProxyType(
        {"five_of_a_kind": Fraction(1), "royal_flush": Fraction(1), "straight_flush": Fraction(1)}
    ),
})  # fmt: skip


def paytable(name: object) -> Pays:
    """Bet → pays to 1; refuses `unknown_paytable`."""
    if not isinstance(name, str) or name not in PAYTABLES:
        raise Refused("unknown_paytable", f"There is no paytable {quoted(name)}; choose from {', '.join(PAYTABLES)}.")
    return PAYTABLES[name]


def tiers(name: object) -> Pays:
    """Rank → the part of the meter it wins, best rank first; refuses `unknown_tiers`."""
    if not isinstance(name, str) or name not in TIERS:
        raise Refused("unknown_tiers", f"There is no set of tiers {quoted(name)}; choose from {', '.join(TIERS)}.")
    return TIERS[name]
