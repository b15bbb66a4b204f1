"""How a comparison is measured: contenders in turn, A B then B A, and the median of the ratios of each turn.

What the machine does beside us in a second hits both of a turn alike, so a ratio of two that ran side by side says
more than a ratio of two means.
"""

from collections.abc import Callable, Mapping, Sequence
from statistics import median
from typing import Any

import msgspec

Contender = Callable[[], float]
"""Works for a moment and answers its rate: units of work a second."""
Rates = Mapping[str, Sequence[float]]

FAULTS = ("lost", "duplicated", "wrong", "deadlocked")


class Row(msgspec.Struct, kw_only=True):
    """One line of the table: `ratio` is ours to the peer's, the larger the better; null where there is no target."""

    name: str
    peer: str
    unit: str
    ours: float
    theirs: float | None = None
    ratio: float | None = None
    ratio_min: float | None = None
    ratio_max: float | None = None
    at_least: float | None = None
    pairs: int = 0
    lost: int = 0
    duplicated: int = 0
    wrong: int = 0
    deadlocked: int = 0
    informational: bool = False
    notes: dict[str, Any] = {}

    @property
    def is_right(self) -> bool:
        """Nothing lost, duplicated, wrong or deadlocked."""
        return not any(getattr(self, fault) for fault in FAULTS)

    @property
    def is_reached(self) -> bool:
        """Right, and as good as it was asked to be; a row without a target only has to be right."""
        return self.is_right and (self.at_least is None or (self.ratio is not None and self.ratio >= self.at_least))


def interleave(contenders: Mapping[str, Contender], turns: int) -> dict[str, list[float]]:
    """The rates of every contender, one a turn; every other turn goes backwards. One turn before them warms up."""
    rates: dict[str, list[float]] = {name: [] for name in contenders}
    for turn in range(-1, turns):
        names = list(contenders) if turn % 2 == 0 else list(reversed(contenders))
        for name in names:
            rate = contenders[name]()
            if turn >= 0:
                rates[name].append(rate)
    return rates


def ratios(ours: Sequence[float], theirs: Sequence[float]) -> list[float]:
    """The ratio of each pair."""
    return [one / other for one, other in zip(ours, theirs, strict=True)]


def compare(
    name: str, peer: str, unit: str, rates: Rates, ours: str, theirs: str, *, at_least: float | None = None, **more: Any
) -> Row:
    """A row from rates measured in turns: the median of the pairs' ratios, and the medians of both for the eye."""
    pairs = ratios(rates[ours], rates[theirs])
    return Row(
        name=name,
        peer=peer,
        unit=unit,
        ours=median(rates[ours]),
        theirs=median(rates[theirs]),
        ratio=median(pairs),
        ratio_min=min(pairs),
        ratio_max=max(pairs),
        at_least=at_least,
        pairs=len(pairs),
        **more,
    )


def percentile(values: Sequence[float], hundredths: float) -> float:
    """The value below which `hundredths` per cent of the values lie, by the nearest rank; 0 of none."""
    ordered = sorted(values)
    if not ordered:
        return 0.0
    rank = -(-len(ordered) * hundredths // 100)
    return ordered[max(0, int(rank) - 1)]
