"""The tests that regulators put a hold to, against a base level of earlier months or years (domain 1.10). Pure.

A hold is win ÷ drop. They know nothing of what was wagered, so they stand beside `luck`, and a profile says which.
"""

from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

DEVIATIONS_OF_95_PERCENT = Fraction(196, 100)
"""How many standard deviations to either side hold 95 in 100 of a normal distribution."""

POINTS, RELATIVE = "points", "relative"


class Period(NamedTuple):
    """Win and drop of one earlier period of the base level, in cents."""

    win_cents: int
    drop_cents: int

    @property
    def hold(self) -> Fraction | None:
        """None where nothing was dropped."""
        return Fraction(self.win_cents, self.drop_cents) if self.drop_cents else None


class Tested(NamedTuple):
    """What a test says: whether it asks for an investigation, the base level, and how it came to it in words.

    None where it can't be put, with the reason as its words.
    """

    investigate: bool | None
    base: Fraction | None
    words: str


def base_of(periods: Sequence[Period]) -> Fraction | None:
    """The base level: all win ÷ all drop; None where nothing was dropped."""
    drop = sum(period.drop_cents for period in periods)
    return Fraction(sum(period.win_cents for period in periods), drop) if drop else None


def outside_interval(hold: Fraction | None, periods: Sequence[Period]) -> Tested:
    """Maryland's: a hold further from the base level than the standard deviation of its periods at 95 % confidence.

    The deviation is that of the periods' holds (n − 1 below the line), so it takes two of them at least. Squares are
    compared, so nothing is rounded.
    """
    holds = [period.hold for period in periods if period.hold is not None]
    base = base_of(periods)
    if hold is None or base is None:
        return Tested(None, base, _nothing_dropped(hold))
    if len(holds) < 2:
        return Tested(None, base, "the base level has one period; an interval takes two or more")
    variance = _mean([(one - _mean(holds)) ** 2 for one in holds]) * len(holds) / Fraction(len(holds) - 1)
    outside = (hold - base) ** 2 > DEVIATIONS_OF_95_PERCENT**2 * variance
    return Tested(outside, base, f"{'outside' if outside else 'within'} the 95 % interval of {len(holds)} periods")


def beyond_points(hold: Fraction | None, base: Fraction | None, points: int = 3, mode: str = POINTS) -> Tested:
    """Kansas's and Nevada's: a month's hold more than `points` away from the base.

    `mode` says of what: POINTS are percentage points of hold (Nevada's words), RELATIVE is per cent of the base, the
    other reading of Kansas's "3 %". Raises ValueError for any other.
    """
    if mode not in (POINTS, RELATIVE):
        raise ValueError(f"There is no mode {mode!r}; it is {POINTS} or {RELATIVE}.")
    if hold is None or base is None:
        return Tested(None, base, _nothing_dropped(hold))
    allowed = Fraction(points, 100) * (abs(base) if mode == RELATIVE else 1)
    beyond = abs(hold - base) > allowed
    unit = "percentage points of" if mode == POINTS else "per cent of"
    return Tested(beyond, base, f"{'more than' if beyond else 'within'} {points} {unit} the base level")


def _nothing_dropped(hold: Fraction | None) -> str:
    return "nothing was dropped in the period" if hold is None else "the base level has no drop"


def _mean(values: Sequence[Fraction]) -> Fraction:
    return sum(values, Fraction(0)) / Fraction(len(values))
