"""The figures of drop and hold: how each is reckoned, from which parts, down to kinds of events. Pure.

Formulas and names: books, sections 1 and 2. What a formula says here in words, `reconcile` says in arithmetic, and
a figure's own page adds the events up again: the three prove each other. The books' tables have a column for each
kind of event, made from the same list.
"""

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import NamedTuple

from ledger.reconcile import Facts, Reconciled

COUNTED, RECORDED, ESTIMATED, DIFFERENCE = "counted", "recorded", "estimated", "difference"
Amount = int | Fraction | None


class Leaf(NamedTuple):
    """A kind of event that figures are made of: its `side` in the log, and where its streams are found.

    `streams`: a session's events or a round's; of several sessions the first, the later, the last, the earlier ones;
    the box; or the payments of a progressive, which may stand on any stream. What is `measured` is no column of the
    log: it is reckoned from a round, and its `side` says what (`ledger.queries.measured`).
    """

    code: str
    name: str
    type: str
    side: str
    streams: str

    @property
    def column(self) -> str:
        """Its column in the books."""
        return f"{self.code.replace('-', '_')}_cents"


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
        Leaf("first-opener", "The tray counted at the opening", "table_opened", "in", "first"),
        Leaf("later-openers", "Trays counted at later openings", "table_opened", "in", "later"),
        Leaf("last-closer", "The tray counted at the close", "table_closed", "out", "last"),
        Leaf("earlier-closers", "Trays counted at earlier closes", "table_closed", "out", "earlier"),
        Leaf("cash", "Cash taken for chips", "cash_bought_in", "in", "session"),
        Leaf("checks", "Counter checks issued for chips", "counter_check_issued", "in", "session"),
        Leaf("promo", "Promotional instruments taken for chips", "promo_taken", "in", "session"),
        Leaf("coupons", "Coupons settled, at face", "coupon_settled", "in", "session"),
        Leaf("redemption-cash", "Counter checks redeemed in cash", "pit_redemption_taken", "out", "session"),
        Leaf("redeemed", "Counter checks redeemed", "pit_redemption_taken", "in", "session"),
        Leaf("fills-received", "Fills received", "fill_received", "in", "session"),
        Leaf("credits-removed", "Credits removed", "credit_removed", "out", "session"),
        Leaf("credits-returned", "Credits voided on their way, back in the tray", "slip_voided", "in", "session"),
        Leaf("paid-elsewhere", "Winnings paid by the cage or by cheque", "winnings_paid_elsewhere", "out", "session"),
        Leaf("collected", "Stakes collected", "wagers_settled", "in", "round"),
        Leaf("winnings", "Winnings due", "wagers_settled", "out", "round"),
        Leaf("coupon-winnings", "Winnings due on coupons", "coupon_settled", "out", "session"),
        Leaf("racked", "Progressive stakes racked", "progressive_collected", "in", "round"),
        Leaf("refunded", "Progressive stakes refunded by voids", "round_voided", "out", "round"),
        Leaf("payouts", "Payouts as the dealers made them", "payout_recorded", "out", "round"),
        Leaf("payouts-due", "The same payouts as they were due", "payout_recorded", "in", "round"),
        Leaf("settled", "Stakes settled, won or lost", "round_settled", "in", "round"),
        Leaf("settled-then-void", "Stakes settled before their round was voided", "round_voided", "in", "round"),
        Leaf("jackpots-paid", "Payments from this tray", "jackpot_paid", "out", "payment"),
        Leaf("counts", "The box as counted", "drop_counted", "in", "box"),
        Leaf("count-corrections", "Corrections of the count", "count_corrected", "in", "box"),
        Leaf("rounds-result", "Results of the rounds that ended", "round_settled", "result", "measured"),
        Leaf("rounds-theo", "Theo of the rounds that ended", "round_settled", "theo", "measured"),
        Leaf("fed", "What stakes fed to meters, less what voids took back", "progressive_collected", "fed", "measured"),
    )
}

PERIOD_LEAVES = tuple(leaf for leaf in LEAVES.values() if leaf.streams in ("session", "round", "payment"))
"""What a table's period adds up, a column each."""

CORRECTED_BY = "entry_corrected"
"""The type of event that puts an entry right: it counts as the entry's own type, by the difference it makes."""

DROP = ("cash", "checks", "promo", "coupons", "redemption-cash")
RESULT = {"collected": 1, "racked": 1, "refunded": -1, "winnings": -1, "coupons": 1, "coupon-winnings": -1}
ERRORS = {"payouts": 1, "payouts-due": -1}
HANDLE = {"settled": 1, "settled-then-void": 1, "racked": 1, "refunded": -1}


def facts_from(
    cents: Mapping[str, int], *, opener: int, between: int, closer: int | None, counted_drop: int | None
) -> Facts:
    """The facts of a period from its sums by kind of event, and its counts; all in cents."""
    return Facts(
        opener=opener,
        recorded_drop=sum(cents[code] for code in DROP),
        game_result=sum(sign * cents[code] for code, sign in RESULT.items()),
        fills=cents["fills-received"],
        credits=cents["credits-removed"] - cents["credits-returned"],
        pit_redemptions=cents["redeemed"],
        elsewhere=cents["paid-elsewhere"],
        jackpots=cents["jackpots-paid"],
        errors=sum(sign * cents[code] for code, sign in ERRORS.items()),
        between=between,
        closer=closer,
        counted_drop=counted_drop,
    )


def _signed(signs: Mapping[str, int]) -> tuple[tuple[str, str], ...]:
    return tuple(("+" if sign > 0 else "−", code) for code, sign in signs.items())


FIGURES = {
    figure.code: figure
    for figure in (
        Figure(
            "opener", "Opener", COUNTED, "The tray as counted when the period began.",
            (("+", "first-opener"),), lambda r: r.facts.opener,
        ),
        Figure(
            "between", "Closed-table difference", COUNTED,
            "Where the table closed and opened again: its later openers less the closers before them. It is part of "
            "no win; over/short has it.",
            (("+", "later-openers"), ("−", "earlier-closers")), lambda r: r.facts.between,
        ),
        Figure(
            "recorded-drop", "Recorded drop (R)", RECORDED,
            "All that was recorded as put into the box: cash, issuance copies of counter checks, promotional "
            "instruments and settled coupons at face, and the cash of redeemed checks.",
            tuple(("+", code) for code in DROP), lambda r: r.facts.recorded_drop,
        ),
        Figure(
            "handle", "Handle", RECORDED,
            "All that was wagered and settled, the progressive included; what a void gave back is not in it.",
            (("+", "settled"), ("+", "settled-then-void"), ("+", "racked"), ("−", "refunded")), lambda r: None,
        ),
        Figure(
            "game-result", "Game result (G)", RECORDED,
            "Stakes collected, progressive stakes racked and settled coupons at face, less the winnings due.",
            _signed(RESULT), lambda r: r.facts.game_result,
        ),
        Figure(
            "fills", "Fills", RECORDED, "Chips that came from the cage, each by a slip signed to its last signature.",
            (("+", "fills-received"),), lambda r: r.facts.fills,
        ),
        Figure(
            "credits", "Credits", RECORDED, "Chips that went to the cage; what a void brought back is taken off.",
            (("+", "credits-removed"), ("−", "credits-returned")), lambda r: r.facts.credits,
        ),
        Figure(
            "pit-redemptions", "Pit redemptions", RECORDED, "Counter checks redeemed at this table, chips and cash.",
            (("+", "redeemed"),), lambda r: r.facts.pit_redemptions,
        ),
        Figure(
            "elsewhere", "Winnings paid elsewhere (C)", RECORDED,
            "Ordinary winnings of this table that the cage or a cheque paid.",
            (("+", "paid-elsewhere"),), lambda r: r.facts.elsewhere,
        ),
        Figure(
            "jackpots", "Jackpots paid (J)", RECORDED, "Jackpots paid from this tray, on the day of payment.",
            (("+", "jackpots-paid"),), lambda r: r.facts.jackpots,
        ),
        Figure(
            "errors", "Dealer errors (E)", RECORDED,
            "What dealers did pay less what was due, where a difference was recorded: above zero, too much was paid.",
            _signed(ERRORS), lambda r: r.facts.errors,
        ),
        Figure(
            "expected-tray", "Expected tray", RECORDED,
            "Opener, plus fills, less credits and the recorded drop (its chips left the tray), plus redemptions, the "
            "game result and winnings paid elsewhere, less jackpots paid and dealer errors.",
            (
                ("+", "opener"), ("+", "between"), ("+", "fills"), ("−", "credits"), ("−", "recorded-drop"),
                ("+", "pit-redemptions"), ("+", "game-result"), ("+", "elsewhere"), ("−", "jackpots"), ("−", "errors"),
            ),
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
            "closer", "Closer", COUNTED, "The tray as counted when the period ended.",
            (("+", "last-closer"),), lambda r: r.facts.closer,
        ),
        Figure(
            "counted-drop", "Counted drop", COUNTED, "What the count team found in the box.",
            (("+", "counts"), ("+", "count-corrections")), lambda r: r.facts.counted_drop,
        ),
        Figure(
            "win", "Win", COUNTED,
            "Closer, credits and counted drop, less the opener, fills, pit redemptions and winnings paid elsewhere.",
            (
                ("+", "closer"), ("+", "credits"), ("+", "counted-drop"), ("−", "opener"), ("−", "between"),
                ("−", "fills"), ("−", "pit-redemptions"), ("−", "elsewhere"),
            ),
            lambda r: r.win,
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


def leaves_under(code: str, sign: str = "+", figures: Mapping[str, Figure] = FIGURES) -> list[tuple[str, Leaf]]:
    """The kinds of event that a figure or part comes down to, each with the sign that it has there."""
    if code in LEAVES:
        return [(sign, LEAVES[code])]
    found: list[tuple[str, Leaf]] = []
    for part_sign, part in figures[code].parts:
        found += leaves_under(part, "−" if (sign == "−") != (part_sign == "−") else "+", figures)
    return found


def counts_under(code: str, figures: Mapping[str, Figure] = FIGURES) -> list[str]:
    """The counts that a figure waits for, by the names that `reconcile` gives its reasons."""
    leaves = {leaf.code for _, leaf in leaves_under(code, figures=figures)}
    return [name for name, leaf in (("closer", "last-closer"), ("counted_drop", "counts")) if leaf in leaves]
