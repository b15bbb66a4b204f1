"""Drawing lots with given weights, many at once and exactly reproducible: random numbers go in, places come out.

The numbers are the caller's, 64 bits each; nothing here holds any chance of its own.
"""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

Numbers = npt.NDArray[np.uint64]
Int64s = npt.NDArray[np.int64]

HALF = np.uint64(32)
LOW = np.uint64(0xFFFF_FFFF)
ONE = 1 << 32


class Lots:
    """Draws a place in proportion to its weight: a column by the upper half of a number, then by the lower half the
    column's own place or the one that shares it (Walker's alias method, set up in whole numbers).

    A chance comes out right to 2⁻³² of its column.
    """

    def __init__(self, weights: Sequence[int]) -> None:
        self.columns = len(weights)
        own, other = _shared(weights)
        self._own = np.array(own, dtype=np.uint64)
        self._other = np.array(other, dtype=np.int64)

    def draw(self, numbers: Numbers) -> Int64s:
        """A place for each number."""
        column = ((numbers >> HALF) * np.uint64(self.columns) >> HALF).astype(np.int64)
        found: Int64s = np.where((numbers & LOW) < self._own[column], column, self._other[column])
        return found


def _shared(weights: Sequence[int]) -> tuple[list[int], list[int]]:
    """For each column how much of it, of `ONE`, is its own, and whose the rest is."""
    total, columns = sum(weights), len(weights)
    assert total > 0
    left = [weight * columns for weight in weights]  # of `total`, which is a column's fill
    own, other = [ONE] * columns, list(range(columns))
    poor = [place for place, fill in enumerate(left) if fill < total]
    rich = [place for place, fill in enumerate(left) if fill >= total]
    while poor and rich:
        place, giver = poor.pop(), rich[-1]
        own[place], other[place] = left[place] * ONE // total, giver
        left[giver] -= total - left[place]
        if left[giver] < total:
            poor.append(rich.pop())
    return own, other


def further(numbers: Numbers, times: int) -> Numbers:
    """Other numbers from the same ones, for a lot that has nothing to do with the first (the mixer of splitmix64)."""
    mixed = numbers + np.uint64(times * 0x9E37_79B9_7F4A_7C15 & 0xFFFF_FFFF_FFFF_FFFF)
    mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58_476D_1CE4_E5B9)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D0_49BB_1331_11EB)
    found: Numbers = mixed ^ (mixed >> np.uint64(31))
    return found
