"""Rounds of Royal Casino as samples: what became of seven seats in some thousands of deals, each hand played best.

The seats of a round share the board and the bank, and no table holds all that may happen to seven of them. So
`deals.npz` ships `DEALS` of them with weights, under which one seat's outcomes come exactly as often as they do in all
deals (`outcomes`); `together` made it.
"""

from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from casino.games.lots import Lots
from casino.games.poker import HAND_RANKS
from casino.games.royal_casino.outcomes import ACTIONS, RESULTS
from casino.games.royal_casino.positions import SEATS_MAX

SHIPPED_DEALS = Path(__file__).with_name("deals.npz")
DEALS = 65_536
SEATS = SEATS_MAX
CODES = len(ACTIONS) * len(HAND_RANKS) * len(RESULTS)
ONE_DEAL = 1_024
"""A deal of this weight counts once; the others more or less."""


def code(action: Any, rank: Any, result: Any) -> Any:
    """One number for what became of a seat, from its places in `ACTIONS`, `HAND_RANKS` and `RESULTS`."""
    return (action * len(HAND_RANKS) + rank) * len(RESULTS) + result


def meaning(number: int) -> tuple[str, str, str]:
    """The action, rank and result that a code stands for."""
    rest, result = divmod(number, len(RESULTS))
    action, rank = divmod(rest, len(HAND_RANKS))
    return ACTIONS[action], HAND_RANKS[rank], RESULTS[result]


class Deals(NamedTuple):
    """`codes`: deal × seat. `lots` draw a deal by its weight."""

    codes: npt.NDArray[np.uint8]
    weights: npt.NDArray[np.uint16]
    lots: Lots


@cache
def shipped() -> Deals:
    """The deals of `deals.npz`."""
    with np.load(SHIPPED_DEALS) as found:
        codes, weights = found["codes"], found["weights"]
    return Deals(codes, weights, Lots(weights.tolist()))
