"""The mathematics of a meter: how often it is hit, when a stake is worth its price, how it grows, what returns. Pure.

All of it is Fractions and follows from three things: the `Share`s that a game tells (how one wager of a round wins, and
its chance), the tiers (rank → part of the meter) and the rates. Meters and resets are in stakes, so that a price of a
dollar or of five makes no other mathematics. The stake is consumed, and the meter is what the hand meets, its own
round's stakes included (books, 5.4).
"""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

from casino.games.game import Share
from casino.games.side_bets import chances, met, worth
from jackpot.events import LinkSetUp
from jackpot.meter import BP_IN_ALL

Tiers = Mapping[str, Fraction]
SharesAmong = Callable[[int], Sequence[Share]]
"""Wagers in a round → every way in which one of them wins."""


class TierOdds(NamedTuple):
    """One rank: its part of the meter, the chance of one wager, and hits to be expected in a round by its wagers."""

    rank: str
    part: Fraction
    chance: Fraction
    hits_a_round: tuple[Fraction, ...]


class AmongWagers(NamedTuple):
    """What `wagers` wagers in a round mean for each of them.

    `break_even_cents` is the least meter, in whole cents, at which a stake is worth its price; None where no tier can
    be won. `value` is what comes back of one unit staked at the meter as it stands, `returns` in the long run.
    """

    wagers: int
    break_even: Fraction | None
    break_even_cents: int | None
    value: Fraction
    returns: Fraction


class Mathematics(NamedTuple):
    """All of it for one meter; `growth_micros` is the increment of one wager."""

    tiers: tuple[TierOdds, ...]
    any_hit: Fraction
    among: tuple[AmongWagers, ...]
    growth_micros: int
    variance: Fraction


class Price(NamedTuple):
    """What a meter's wagers cost and feed: stake and reset in cents, rates in basis points of the stake."""

    stake_cents: int
    reset_cents: int
    increment_bp: int
    hidden_bp: int = 0

    @property
    def reset(self) -> Fraction:
        """The reset in stakes."""
        return Fraction(self.reset_cents, self.stake_cents)


def price_of(terms: LinkSetUp) -> Price:
    """What a link's wagers cost and feed, by the parameters in force."""
    return Price(terms.stake_cents, terms.reset_cents, terms.increment_bp, terms.hidden_bp)


def mathematics_of(price: Price, tiers: Tiers, shares_among: SharesAmong, meter_cents: int, most: int) -> Mathematics:
    """All figures of one meter that stands at `meter_cents`, for 1 to `most` wagers a round."""
    meter, alone = Fraction(meter_cents, price.stake_cents), shares_among(1)
    by_wagers = {wagers: shares_among(wagers) for wagers in range(1, most + 1)}
    won = chances(alone)
    return Mathematics(
        tiers=tuple(
            TierOdds(rank, part, won.get(rank, Fraction(0)), tuple(hits(s, n, rank) for n, s in by_wagers.items()))
            for rank, part in tiers.items()
        ),
        any_hit=sum((chance for rank, chance in won.items() if rank in tiers), Fraction(0)),
        among=tuple(_among(n, shares, price, tiers, meter) for n, shares in by_wagers.items()),
        growth_micros=growth(price, wagers=1),
        variance=variance(alone, tiers, meter, price.reset),
    )


def _among(wagers: int, shares: Sequence[Share], price: Price, tiers: Tiers, meter: Fraction) -> AmongWagers:
    even = break_even(shares, tiers, price.reset)
    return AmongWagers(
        wagers,
        even,
        None if even is None else whole_cents(even * price.stake_cents),
        value(shares, tiers, meter, price.reset),
        long_run_return(shares, tiers, price),
    )


def hits(shares: Sequence[Share], wagers: int, rank: str) -> Fraction:
    """How many hits of `rank` a round of so many wagers has on average: a split of seven is one hit."""
    return wagers * sum((Fraction(one.chance, one.players) for one in shares if one.rank == rank), Fraction(0))


def value(shares: Sequence[Share], tiers: Tiers, meter: Fraction, reset: Fraction = Fraction(0)) -> Fraction:
    """What comes back of one stake, on average, while the meter stands at `meter` stakes; 1 is its price."""
    expected = worth(shares, tiers)
    return expected.of_meter * meter + expected.of_reset * reset


def break_even(shares: Sequence[Share], tiers: Tiers, reset: Fraction = Fraction(0)) -> Fraction | None:
    """The meter, in stakes, at which a stake is worth its price; None where no tier can be won."""
    expected = worth(shares, tiers)
    if not expected.of_meter:
        return None
    return Fraction(1 - expected.of_reset * reset, expected.of_meter)


def variance(shares: Sequence[Share], tiers: Tiers, meter: Fraction, reset: Fraction = Fraction(0)) -> Fraction:
    """Of what one stake brings, in the square of the stake."""
    square = sum((one.chance * _won(one, tiers, meter, reset) ** 2 for one in shares), Fraction(0))
    return square - value(shares, tiers, meter, reset) ** 2


def _won(share: Share, tiers: Tiers, meter: Fraction, reset: Fraction) -> Fraction:
    left = met(share.after, tiers)
    return tiers.get(share.rank, Fraction(0)) * (left.of_meter * meter + left.of_reset * reset) / share.players


def long_run_return(shares: Sequence[Share], tiers: Tiers, price: Price) -> Fraction:
    """What comes back of each stake over many hits: the increment, and every reset that a full win brings.

    Where all share one hand, that is increment + reset × p ÷ n (books, section 5). The hidden rate isn't added: it pays
    for the resets that are counted here, and what a full reserve passes to main comes on top.
    """
    full = (Fraction(one.chance, one.players) for one in shares if tiers.get(one.rank) == 1)
    return Fraction(price.increment_bp, BP_IN_ALL) + price.reset * sum(full, Fraction(0))


def mean_meter(shares: Sequence[Share], wagers: int, tiers: Tiers, price: Price) -> Fraction | None:
    """What a meter of this price stands at, in stakes, on an average hand; for games in which one rank wins a round."""
    taken = sum((tiers.get(rank, Fraction(0)) * hits(shares, wagers, rank) for rank in tiers), Fraction(0))
    return Fraction(long_run_return(shares, tiers, price) * wagers, taken) if taken else None


def growth(price: Price, wagers: int) -> int:
    """Micro-units by which so many wagers raise a meter whose reserve is not full and whose limit is not reached."""
    return wagers * price.stake_cents * price.increment_bp


def whole_cents(cents: Fraction) -> int:
    """The least whole cents that are not below."""
    return -(-cents.numerator // cents.denominator)
