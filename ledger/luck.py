"""How far a table's result lies from what its own wagers lead one to expect, and whether luck alone does that. Pure.

T, V and z are those of books, section 3. Beside z stands the chance that matters: the same wagers are dealt again
`REPLAYS` times, each round as its cards may fall, and the results are ranked with the real one among them. So the
skew of a 32,000 to 1 is in it, and "1 in 40" means that 1 replay in 40 is as far out. Words accuse nobody: of 200
tables where nothing but luck plays, about ten a day are unusual.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from fractions import Fraction
from functools import cached_property
from math import isqrt
from typing import NamedTuple

from casino.money import written

REPLAYS = 9_999
"""With the real day among them they are ten thousand, so that the chances come out in whole ten-thousandths."""

ORDINARY, UNUSUAL, LOOK_HERE = "ordinary", "unusual", "look here"
TOO_FEW, UNKNOWN = "too few to tell", "not known"


class Thresholds(NamedTuple):
    """When a result is called what. A chance is of both sides together: as far out as this, above or below.

    `deviations` of luck that exceed all that was staked leave an ordinary result untold: whatever happened, it could
    not have stood out.
    """

    rounds_least: int = 30
    unusual: Fraction = Fraction(1, 20)
    look_here: Fraction = Fraction(1, 1000)
    deviations: int = 2


HOUSE = Thresholds()


class Played(NamedTuple):
    """What was played: rounds, and those of them whose mathematics is not known; stakes settled; G, T and V.

    Amounts are in cents, `theo` and `variance` exact, the progressive left out of all of them.
    """

    rounds: int
    unknown_rounds: int
    stakes_cents: int
    result_cents: int
    theo: Fraction
    variance: Fraction

    def plus(self, other: "Played") -> "Played":
        """Both together: rounds don't share cards, so their variances add up."""
        return Played(
            self.rounds + other.rounds,
            self.unknown_rounds + other.unknown_rounds,
            self.stakes_cents + other.stakes_cents,
            self.result_cents + other.result_cents,
            self.theo + other.theo,
            self.variance + other.variance,
        )


class Replayed(NamedTuple):
    """Of the first `rounds` rounds, how many replays came out at or below the real result, and how many at or above."""

    rounds: int
    at_or_below: int
    at_or_above: int
    replays: int = REPLAYS

    @property
    def chance(self) -> Fraction:
        """The chance of a result as far out on either side; the real day counts as one of its own replays.

        So it is never 0, and it is honest however few the replays are.
        """
        rarer = min(self.at_or_below, self.at_or_above) + 1
        return min(Fraction(1), Fraction(2 * rarer, self.replays + 1))

    @property
    def error(self) -> Fraction:
        """The standard error of `chance`, to the ten-thousandth: that of a share counted in so many replays."""
        half = self.chance / 2
        return Fraction(2 * isqrt(int(half * (1 - half) / self.replays * 10**8)), 10**4)


@dataclass(frozen=True)
class Luck:
    """A table's luck over some time: G, T, V, and what may be said of them. `approximations` are those of the games."""

    played: Played
    replayed: Replayed | None
    approximations: Sequence[str] = ()
    thresholds: Thresholds = HOUSE
    can_be_replayed: bool = True
    replayed_position: int = 0
    """The last position of the log that the replays speak of."""

    @property
    def difference(self) -> Fraction:
        """G − T in cents: above zero, the house is luckier than its edge."""
        return self.played.result_cents - self.played.theo

    @cached_property
    def z_hundredths(self) -> int | None:
        """z = (G − T) ÷ √V in hundredths, to the nearest; None while nothing of luck was in it."""
        if self.played.unknown_rounds or not self.played.variance:
            return None
        size = (isqrt(4 * 100**2 * self.difference**2 // self.played.variance) + 1) // 2
        return -size if self.difference < 0 else size

    @property
    def deviation_cents(self) -> int:
        """√V, cut down to the cent."""
        return isqrt(int(self.played.variance))

    @property
    def chance(self) -> Fraction | None:
        """The chance of a result as far out on either side; None with `reason`."""
        return None if self.replayed is None or self.played.unknown_rounds else self.replayed.chance

    @property
    def verdict(self) -> str:
        """One of the five words."""
        if self.chance is None:
            return UNKNOWN
        if self.played.rounds < self.thresholds.rounds_least:
            return TOO_FEW
        if self.chance <= self.thresholds.look_here:
            return LOOK_HERE
        if self.chance <= self.thresholds.unusual:
            return UNUSUAL
        return TOO_FEW if self._could_not_stand_out else ORDINARY

    @property
    def sentence(self) -> str:
        """What is told, for somebody who has to look; "" where nothing can be told."""
        if self.chance is None:
            return ""
        theo = self.played.theo
        expected = written((2 * theo.numerator + theo.denominator) // (2 * theo.denominator))
        return (
            f"after {self.played.rounds} rounds the result is {written(self.played.result_cents)} where the wagers "
            f"lead one to expect {expected}; the chance of one as far out is {self.chance_words}."
        )

    @property
    def reason(self) -> str:
        """Why nothing can be told, in words; "" where something can."""
        if self.verdict == UNKNOWN:
            return self._unknown
        if self.verdict != TOO_FEW:
            return ""
        if self.played.rounds < self.thresholds.rounds_least:
            return f"{self.played.rounds} of at least {self.thresholds.rounds_least} rounds"
        return "luck alone may move the result by more than all that was staked"

    @property
    def _could_not_stand_out(self) -> bool:
        return self.thresholds.deviations**2 * self.played.variance > self.played.stakes_cents**2

    @property
    def _unknown(self) -> str:
        unknown = self.played.unknown_rounds
        if unknown:
            return f"{unknown} {'round has' if unknown == 1 else 'rounds have'} wagers whose mathematics is not known"
        if not self.played.rounds:
            return "no round has been settled"
        if not self.can_be_replayed:
            return "a game that was played does not say how its wagers are dealt again"
        return "the wagers are being dealt again; the chance follows in a moment"

    @property
    def error_words(self) -> str:
        """The standard error of the chance in percentage points, "0.4 points"; "" where there is none."""
        if self.replayed is None:
            return ""
        hundredths = _nearest(self.replayed.error * 10_000)
        return f"{hundredths // 100}.{hundredths % 100:02d} points"

    @property
    def chance_words(self) -> str:
        """ "68 %", "1 in 40", "1 in 5,000 or rarer"; "" where it is not known."""
        if self.chance is None or self.replayed is None:
            return ""
        if self.chance >= Fraction(1, 10):
            return f"{_nearest(self.chance * 100)} %"
        rarest = Fraction(2, self.replayed.replays + 1)
        return f"1 in {_nearest(Fraction(1) / self.chance):,}{' or rarer' if self.chance == rarest else ''}"


def _nearest(value: Fraction) -> int:
    return (2 * value.numerator + value.denominator) // (2 * value.denominator)


class Point(NamedTuple):
    """The end of one hour of a table's day: all that was played until then, and where 95 of 100 replays lay.

    `hour` is when it began, by the clock of the property; the band is None where it is not known.
    """

    hour: datetime
    rounds: int
    result_cents: int
    theo: Fraction
    band: tuple[int, int] | None
