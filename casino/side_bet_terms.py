"""What a round pins of a progressive, and what it says of its winners: the parts that events carry."""

import msgspec


class LevelTerms(msgspec.Struct, frozen=True):
    """A further level that the same stake feeds: its own link, rates in basis points of the stake, and tiers."""

    link: str
    increment_bp: int
    hidden_bp: int
    tiers: dict[str, str]
    odd_cents: str


class SideBetTerms(msgspec.Struct, frozen=True, omit_defaults=True, repr_omit_defaults=True):
    """A progressive as a round pins it: price, rates in basis points, what part of the meter each rank wins.

    `levels` are the further ones of the link's bank, left out where there is none.
    """

    link: str
    stake_cents: int
    increment_bp: int
    hidden_bp: int
    tiers: dict[str, str]
    odd_cents: str
    levels: list[LevelTerms] = []


class LevelRates(msgspec.Struct, frozen=True):
    """What a collected stake feeds a further level with."""

    link: str
    increment_bp: int
    hidden_bp: int


class WonTier(msgspec.Struct, frozen=True):
    """Seats that won one rank of a progressive's level, with the terms that price it."""

    bet: str
    link: str
    rank: str
    fraction: str
    odd_cents: str
    seats: list[int]
