"""The columns of the master game report, and the figures that only it has. Pure (domain 1.9; books, 1, 2 and 5)."""

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import NamedTuple

from ledger.figures import (
    COUNTED,
    DIFFERENCE,
    ESTIMATED,
    FIGURES,
    LEAVES,
    RECORDED,
    Amount,
    Figure,
    counts_under,
)
from ledger.reconcile import Reconciled
from ledger.stiff import SESSION, SHIFT, Line, ToDate

CENTS, SHARE, NUMBER, POINTS = "cents", "share", "number", "points"
RANGE, MONTH, YEAR = "range", "month", "year"
MICROS_IN_A_CENT = 10_000


def _from_parts(_: Reconciled) -> Amount:
    """Nothing of a reconciled day: the figure is reckoned from its parts (`amount_of`)."""
    return None


_MORE = (
    Figure(
        "drop-cash", "Cash in the drop", RECORDED, "Cash taken for chips, and the cash of redeemed counter checks.",
        (("+", "cash"), ("+", "redemption-cash")), _from_parts,
    ),
    Figure(
        "drop-checks", "Counter checks in the drop", RECORDED, "Issuance copies of counter checks.",
        (("+", "checks"),), _from_parts,
    ),
    Figure(
        "drop-promo", "Promotional instruments in the drop", RECORDED,
        "Promotional instruments taken for chips and coupons settled, at face.",
        (("+", "promo"), ("+", "coupons")), _from_parts,
    ),
    Figure(
        "win-percent", "Win %", COUNTED, "Win as a share of the handle, all that was wagered; it is not the hold.",
        (("", "win"), ("÷", "handle")), _from_parts,
    ),
    Figure(
        "win-as-collected", "Win, checks as collected", COUNTED,
        "Win less the counter checks issued at the table, plus those redeemed at it: what is reported where a check is "
        "taxed when it is collected and not when it is issued (Nevada).",
        (("+", "win"), ("−", "checks"), ("+", "pit-redemptions")), _from_parts,
    ),
    Figure(
        "statistical-drop", "Statistical drop", COUNTED,
        "Counted drop less the counter checks redeemed at the table: what management compares holds by.",
        (("+", "counted-drop"), ("−", "pit-redemptions")), _from_parts,
    ),
    Figure(
        "statistical-hold", "Statistical hold", COUNTED, "Win as a share of the statistical drop.",
        (("", "win"), ("÷", "statistical-drop")), _from_parts,
    ),
    Figure(
        "progressive-stakes", "Progressive stakes", RECORDED,
        "Progressive stakes racked, less those that voids gave back.",
        (("+", "racked"), ("−", "refunded")), _from_parts,
    ),
)  # fmt: skip

SHEET_FIGURES: Mapping[str, Figure] = FIGURES | {figure.code: figure for figure in _MORE}
"""Every figure that opens: those of drop and hold, and those of this report."""


def amount_of(code: str, result: Reconciled, cents: Mapping[str, int]) -> Amount:
    """A figure, or a kind of event that is no count; reckoned from its parts where the reconciled day has it not."""
    if code in LEAVES:
        return cents[code]
    figure = SHEET_FIGURES[code]
    made_of_parts = figure.value is _from_parts or code == "handle"
    return _made(figure, result, cents) if made_of_parts else figure.value(result)


def _made(figure: Figure, result: Reconciled, cents: Mapping[str, int]) -> Amount:
    amounts = [(sign, amount_of(part, result, cents)) for sign, part in figure.parts]
    if any(amount is None for _, amount in amounts):
        return None
    if figure.is_share:
        (_, over), (_, under) = amounts
        return Fraction(over or 0) / under if under else None
    return sum((-amount if sign == "−" else amount) for sign, amount in amounts if amount is not None)


class Column(NamedTuple):
    """A column: its section of the sheet, its unit, on what it rests, and the figure that its cells open to.

    `figure` is "" where no page opens; `span` says of which days that page is. `why` says why a cell is unknown.
    """

    code: str
    section: str
    name: str
    head: str
    unit: str
    basis: str
    value: Callable[[Line], Amount]
    figure: str = ""
    span: str = RANGE
    why: Callable[[Line], str] = lambda line: ""


def _figure(section: str, code: str, head: str, unit: str = CENTS) -> Column:
    figure = SHEET_FIGURES[code]

    def value(line: Line) -> Amount:
        return amount_of(code, line.result, line.cents)

    def why(line: Line) -> str:
        waits = [line.why_missing(count) for count in counts_under(code, SHEET_FIGURES)]
        return "; ".join(w for w in waits if w) or "there is nothing to divide by"

    return Column(code, section, figure.name, head, unit, figure.basis, value, code, RANGE, why)


def _to_date(code: str, name: str, head: str, span: str, figure: str, pick: Callable[[ToDate], Amount]) -> Column:
    def value(line: Line) -> Amount:
        upto = line.month if span == MONTH else line.year
        return pick(upto) if upto else None

    def why(line: Line) -> str:
        if line.kind in (SHIFT, SESSION):
            return f"a {'shift' if line.kind == SHIFT else 'period'} has no drop of its own, and nothing to date"
        upto = line.month if span == MONTH else line.year
        return "no table-day is complete" if not upto or not upto.table_days else "there is nothing to divide by"

    return Column(code, "to-date", name, head, SHARE if figure == "hold" else CENTS, COUNTED, value, figure, span, why)


def theo_of(line: Line) -> Fraction | None:
    """Σ stake × edge in cents; None where a round's mathematics is not known."""
    return None if line.played.unknown_rounds else line.played.theo


def _luck(line: Line) -> Amount:
    theo = theo_of(line)
    return None if theo is None else line.played.result_cents - theo


def _why_no_theo(line: Line) -> str:
    return f"{line.played.unknown_rounds} rounds were of a paytable whose mathematics is not known"


def accrual_of(line: Line) -> Fraction:
    """What the racked stakes fed to meters and reserves, in cents."""
    return Fraction(line.accrual_micros, MICROS_IN_A_CENT)


def adjusted_win(win: int, jackpots_paid: int, accrual: Fraction) -> Fraction:
    """win + J − accruals, in cents: where a jackpot is paid never changes it (books, 5; Washington's report)."""
    return win + jackpots_paid - accrual


def _adjusted(line: Line) -> Amount:
    win = line.result.win
    return None if win is None else adjusted_win(win, line.facts.jackpots, accrual_of(line))


def _why_no_win(line: Line) -> str:
    return "; ".join(why for why in (line.why_missing("closer"), line.why_missing("counted_drop")) if why)


def _per_table_day(line: Line) -> Amount:
    win = line.result.win
    return None if win is None else Fraction(win, line.table_days)


def _deviation(line: Line) -> Amount:
    held = line.month.hold if line.month else None
    return None if held is None or line.base is None else held - line.base


def _why_no_deviation(line: Line) -> str:
    return line.why_no_base if line.base is None else "the month has no hold yet"


COLUMNS = (
    _figure("tray", "opener", "Opener"),
    Column("fills-n", "tray", "Fills, how many", "Fills", NUMBER, RECORDED, lambda line: line.fills, "fills"),
    _figure("tray", "fills", "Fills amount"),
    Column("credits-n", "tray", "Credits, how many", "Credits", NUMBER, RECORDED, lambda line: line.credits, "credits"),
    _figure("tray", "credits", "Credits amount"),
    _figure("tray", "closer", "Closer"),
    _figure("tray", "between", "Closed-table difference"),
    _figure("tray", "expected-tray", "Expected tray"),
    _figure("tray", "tray-difference", "Tray difference"),
    _figure("drop", "drop-cash", "Cash"),
    _figure("drop", "drop-checks", "Checks"),
    _figure("drop", "drop-promo", "Promo"),
    _figure("drop", "recorded-drop", "Recorded drop"),
    _figure("drop", "counted-drop", "Counted drop"),
    _figure("drop", "box-difference", "Box difference"),
    _figure("drop", "pit-redemptions", "Pit redemptions"),
    _figure("drop", "elsewhere", "Paid elsewhere"),
    _figure("drop", "win", "Win"),
    _figure("drop", "hold", "Hold", SHARE),
    Column(
        "win-per-table-day", "drop", "Win per table and day open", "Win a table-day", CENTS, COUNTED, _per_table_day,
        why=_why_no_win,
    ),
    _figure("drop", "win-as-collected", "Win, checks as collected"),
    _figure("drop", "statistical-drop", "Stat. drop"),
    _figure("drop", "statistical-hold", "Stat. hold", SHARE),
    _figure("wagers", "estimated-win", "Estimated win"),
    _figure("wagers", "errors", "Dealer errors"),
    _figure("wagers", "handle", "Handle"),
    _figure("wagers", "win-percent", "Win %", SHARE),
    Column("theo", "wagers", "Theoretical win", "Theo", CENTS, ESTIMATED, theo_of, why=_why_no_theo),
    Column("luck", "wagers", "Result of bets less theo", "Less theo", CENTS, DIFFERENCE, _luck, why=_why_no_theo),
    _figure("wagers", "progressive-stakes", "Progressive stakes"),
    Column("accruals", "wagers", "Accruals to meters", "Accruals", CENTS, RECORDED, accrual_of),
    _figure("wagers", "jackpots", "Jackpots paid"),
    Column("adjusted-win", "wagers", "Adjusted win", "Adjusted win", CENTS, COUNTED, _adjusted, why=_why_no_win),
    _to_date("month-drop", "Drop, month to date", "Month drop", MONTH, "counted-drop", lambda upto: upto.drop),
    _to_date("month-win", "Win, month to date", "Month win", MONTH, "win", lambda upto: upto.win),
    _to_date("month-hold", "Hold, month to date", "Month hold", MONTH, "hold", lambda upto: upto.hold),
    _to_date("year-drop", "Drop, year to date", "Year drop", YEAR, "counted-drop", lambda upto: upto.drop),
    _to_date("year-win", "Win, year to date", "Year win", YEAR, "win", lambda upto: upto.win),
    _to_date("year-hold", "Hold, year to date", "Year hold", YEAR, "hold", lambda upto: upto.hold),
    Column("base", "to-date", "Base hold", "Base", SHARE, COUNTED, lambda line: line.base,
        why=lambda line: line.why_no_base),
    Column(
        "deviation", "to-date", "Month's hold less base, in percentage points", "Deviation", POINTS, DIFFERENCE,
        _deviation, why=_why_no_deviation,
    ),
)  # fmt: skip

SECTIONS = {
    "tray": "Tray",
    "drop": "Drop and win",
    "wagers": "Wagers, theo and progressive",
    "to-date": "To date and base",
}
SIGNED = {
    "tray-difference", "box-difference", "between", "win", "win-per-table-day", "win-as-collected", "estimated-win",
    "luck", "adjusted-win", "month-win", "year-win", "deviation",
}  # fmt: skip
"""Columns whose amounts are the house's gain or loss, shown with their sign."""
