"""A table's day reconstructed from events, beside what was counted; every variance located in box or tray. Pure.

Formulas and names: books, sections 1 and 2. Everything is in cents; a figure that is not known is None, with a
reason in `unknown`, never 0.
"""

from collections.abc import Iterable
from dataclasses import dataclass, fields
from fractions import Fraction
from typing import Any


@dataclass(frozen=True)
class Facts:
    """What was recorded and counted at a table in a period.

    recorded_drop = R, game_result = G, jackpots = J, errors = E, elsewhere = C (winnings paid by cage or cheque).
    `between` is the closed-table difference: what openers later in the period differ from the closers before them. It
    goes to over/short, outside the win (books, section 1).
    """

    opener: int
    recorded_drop: int
    game_result: int
    fills: int = 0
    credits: int = 0
    pit_redemptions: int = 0
    elsewhere: int = 0
    jackpots: int = 0
    errors: int = 0
    between: int = 0
    closer: int | None = None
    counted_drop: int | None = None


@dataclass(frozen=True)
class Reconciled:
    """The day's result from events and from counts, side by side."""

    facts: Facts
    expected_tray: int
    estimated_win: int
    estimated_hold: Fraction | None
    win: int | None
    hold: Fraction | None
    box_variance: int | None
    tray_variance: int | None
    variance: int | None
    state: str
    unknown: dict[str, str]


def reconcile(facts: Facts) -> Reconciled:
    """Reconstruct the expected tray and the win, and locate the difference to the counts."""
    f = facts
    moved = f.between + f.fills - f.credits + f.pit_redemptions + f.elsewhere - f.jackpots - f.errors
    expected = f.opener - f.recorded_drop + f.game_result + moved
    estimated = f.game_result - f.jackpots - f.errors
    win = _win(f)
    box = None if f.counted_drop is None else f.counted_drop - f.recorded_drop
    tray = None if f.closer is None else f.closer - expected
    return Reconciled(
        facts=f,
        expected_tray=expected,
        estimated_win=estimated,
        estimated_hold=hold(estimated, f.recorded_drop),
        win=win,
        hold=None if win is None else hold(win, f.counted_drop),
        box_variance=box,
        tray_variance=tray,
        variance=None if win is None else win - estimated,
        state=_state(f),
        unknown=_unknown(f),
    )


def _win(f: Facts) -> int | None:
    if f.closer is None or f.counted_drop is None:
        return None
    came = f.closer + f.credits + f.counted_drop
    return came - f.opener - f.between - f.fills - f.pit_redemptions - f.elsewhere


def hold(win: int, drop: int | None) -> Fraction | None:
    """win ÷ drop; None when the drop is 0 or unknown. It may be negative or above one."""
    return Fraction(win, drop) if drop else None


def _state(f: Facts) -> str:
    """`complete`, `inventory_only` (the tray is counted, the box is not) or `open`."""
    if f.closer is None:
        return "open"
    return "complete" if f.counted_drop is not None else "inventory_only"


def _unknown(f: Facts) -> dict[str, str]:
    """Why a figure is not known, in words for the page."""
    reasons = {}
    if f.closer is None:
        reasons["closer"] = "the table is open, so its tray is not counted yet"
    if f.counted_drop is None:
        reasons["counted_drop"] = "the box is not counted yet"
    if reasons:
        reasons["win"] = "; ".join(reasons.values())
    return reasons


def total(days: Iterable[Facts]) -> Facts:
    """Several tables' facts added; a count that is missing at one table is missing in the sum."""
    days = list(days)
    sums: dict[str, Any] = {}
    for field in fields(Facts):
        values = [getattr(day, field.name) for day in days]
        sums[field.name] = None if None in values else sum(values)
    return Facts(**sums)
