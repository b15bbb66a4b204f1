"""The figures of drop and hold: how each is reckoned, from which parts, down to kinds of events. Pure.

Formulas and names: books, sections 1 and 2. What a formula says here in words, `reconcile` says in arithmetic, and
a figure's own page adds the events up again: the three prove each other.
"""

from collections.abc import Callable
from fractions import Fraction
from typing import NamedTuple

from ledger.reconcile import Reconciled

COUNTED, RECORDED, ESTIMATED, DIFFERENCE = "counted", "recorded", "estimated", "difference"
Amount = int | Fraction | None


class Leaf(NamedTuple):
    """A kind of event that figures are made of: its `side` in the log, and where its streams are found."""

    code: str
    name: str
    type: str
    side: str
    streams: str


class Figure(NamedTuple):
    """A figure of the page: how it is reckoned, in words, and its parts with their signs ("÷" makes a share)."""

    code: str
    name: str
    basis: str
    formula: str
    parts: tuple[tuple[str, str], ...]
    value: Callable[[Reconciled], Amount]

    @property
    def is_share(self) -> bool:
        return any(sign == "÷" for sign, _ in self.parts)


LEAVES = {
    leaf.code: leaf
    for leaf in (
        Leaf("openers", "Trays counted at the opening", "table_opened", "in", "session"),
        Leaf("closers", "Trays counted at the close", "table_closed", "out", "session"),
        Leaf("cash", "Cash taken for chips", "cash_bought_in", "in", "session"),
        Leaf("collected", "Stakes collected", "wagers_settled", "in", "round"),
        Leaf("winnings", "Winnings due", "wagers_settled", "out", "round"),
        Leaf("racked", "Progressive stakes racked", "progressive_collected", "in", "round"),
        Leaf("refunded", "Progressive stakes refunded by voids", "round_voided", "out", "round"),
        Leaf("payouts", "Payouts as the dealers made them", "payout_recorded", "out", "round"),
        Leaf("payouts-due", "The same payouts as they were due", "payout_recorded", "in", "round"),
        Leaf("settled", "Stakes settled, won or lost", "round_settled", "in", "round"),
        Leaf("settled-then-void", "Stakes settled before their round was voided", "round_voided", "in", "round"),
        Leaf("jackpots-paid", "Payments from this tray", "jackpot_paid", "out", "hit"),
        Leaf("counts", "The box as counted", "drop_counted", "in", "box"),
    )
}

FIGURES = {
    figure.code: figure
    for figure in (
        Figure(
            "opener", "Opener", COUNTED, "The tray as counted when the table opened; every session of the day added.",
            (("+", "openers"),), lambda r: r.facts.opener,
        ),
        Figure(
            "recorded-drop", "Recorded drop (R)", RECORDED, "All that was recorded as put into the box: cash taken.",
            (("+", "cash"),), lambda r: r.facts.recorded_drop,
        ),
        Figure(
            "handle", "Handle", RECORDED,
            "All that was wagered and settled, the progressive included; what a void gave back is not in it.",
            (("+", "settled"), ("+", "settled-then-void"), ("+", "racked"), ("−", "refunded")), lambda r: None,
        ),
        Figure(
            "game-result", "Game result (G)", RECORDED,
            "Stakes collected, progressive stakes racked included, less the winnings due.",
            (("+", "collected"), ("+", "racked"), ("−", "refunded"), ("−", "winnings")), lambda r: r.facts.game_result,
        ),
        Figure(
            "jackpots", "Jackpots paid (J)", RECORDED, "Jackpots paid from this tray, on the day of payment.",
            (("+", "jackpots-paid"),), lambda r: r.facts.jackpots,
        ),
        Figure(
            "errors", "Dealer errors (E)", RECORDED,
            "What dealers did pay less what was due, where a difference was recorded: above zero, too much was paid.",
            (("+", "payouts"), ("−", "payouts-due")), lambda r: r.facts.errors,
        ),
        Figure(
            "expected-tray", "Expected tray", RECORDED,
            "Opener, less the recorded drop (its chips left the tray), plus the game result, less jackpots paid and "
            "dealer errors.",
            (("+", "opener"), ("−", "recorded-drop"), ("+", "game-result"), ("−", "jackpots"), ("−", "errors")),
            lambda r: r.expected_tray,
        ),
        Figure(
            "estimated-win", "Estimated win", ESTIMATED, "Game result less jackpots paid and dealer errors.",
            (("+", "game-result"), ("−", "jackpots"), ("−", "errors")), lambda r: r.estimated_win,
        ),
        Figure(
            "estimated-hold", "Estimated hold", ESTIMATED, "Estimated win as a share of the recorded drop.",
            (("", "estimated-win"), ("÷", "recorded-drop")), lambda r: r.estimated_hold,
        ),
        Figure(
            "closer", "Closer", COUNTED, "The tray as counted when the table closed; every session of the day added.",
            (("+", "closers"),), lambda r: r.facts.closer,
        ),
        Figure(
            "counted-drop", "Counted drop", COUNTED, "What the count team found in the box.",
            (("+", "counts"),), lambda r: r.facts.counted_drop,
        ),
        Figure(
            "win", "Win", COUNTED, "Closer plus counted drop, less the opener.",
            (("+", "closer"), ("+", "counted-drop"), ("−", "opener")), lambda r: r.win,
        ),
        Figure(
            "hold", "Hold", COUNTED, "Win as a share of the counted drop.",
            (("", "win"), ("÷", "counted-drop")), lambda r: r.hold,
        ),
        Figure(
            "box-difference", "Difference in the box", DIFFERENCE,
            "Counted drop less recorded drop: below zero, the box is short of what was recorded.",
            (("+", "counted-drop"), ("−", "recorded-drop")), lambda r: r.box_variance,
        ),
        Figure(
            "tray-difference", "Difference in the tray", DIFFERENCE,
            "Closer less expected tray: below zero, the tray is short of what the events say.",
            (("+", "closer"), ("−", "expected-tray")), lambda r: r.tray_variance,
        ),
        Figure(
            "win-difference", "Win less estimated win", DIFFERENCE,
            "All of it is located: the difference in the box plus the difference in the tray.",
            (("+", "box-difference"), ("+", "tray-difference")), lambda r: r.variance,
        ),
    )
}  # fmt: skip


def leaves_under(code: str, sign: str = "+") -> list[tuple[str, Leaf]]:
    """The kinds of event that a figure or part comes down to, each with the sign that it has there."""
    if code in LEAVES:
        return [(sign, LEAVES[code])]
    found: list[tuple[str, Leaf]] = []
    for part_sign, part in FIGURES[code].parts:
        found += leaves_under(part, "−" if (sign == "−") != (part_sign == "−") else "+")
    return found


def counts_under(code: str) -> list[str]:
    """The counts that a figure waits for, by the names that `reconcile` gives its reasons."""
    leaves = {leaf.code for _, leaf in leaves_under(code)}
    return [name for name, leaf in (("closer", "closers"), ("counted_drop", "counts")) if leaf in leaves]
