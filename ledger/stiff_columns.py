"""The columns of the master game report, and the figures that only it has. Pure (domain 1.9; books, 1, 2 and 5)."""

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import partial
from typing import NamedTuple

from ledger.boxes import NOTES_CENTS
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
    leaves_under,
)
from ledger.reconcile import Reconciled
from ledger.stiff import SESSION, SHIFT, Line, ToDate

CENTS, SHARE, NUMBER, POINTS = "cents", "share", "number", "points"
RANGE, MONTH, YEAR = "range", "month", "year"


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
        "win-less-promo", "Win, promotional play excluded", COUNTED,
        "Win less the promotional instruments and coupons in the drop: what is taxed where free play is excluded.",
        (("+", "win"), ("−", "drop-promo")), _from_parts,
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
    Figure(
        "round-result", "Result of bets", RECORDED,
        "Stakes collected less winnings due of the rounds that ended, the progressive in neither.",
        (("+", "rounds-result"),), _from_parts,
    ),
    Figure(
        "theo", "Theoretical win", ESTIMATED,
        "Σ stake × house edge of that bet, under the paytable pinned to its round, over the rounds that ended; exact, "
        "shown to the cent. Hold'em: ante × main edge + bonus × its edge. The progressive is left out.",
        (("+", "rounds-theo"),), _from_parts,
    ),
    Figure(
        "luck", "Result of bets less theo", DIFFERENCE,
        "What the bets brought less what they lead one to expect: above zero, the house was luckier than its edge.",
        (("+", "round-result"), ("−", "theo")), _from_parts,
    ),
    Figure(
        "accruals", "Accruals to meters", RECORDED,
        "Every progressive stake racked × the rates pinned to its round (all levels, reserves included); what the void "
        "of a round took back is subtracted.",
        (("+", "fed"),), _from_parts,
    ),
    Figure(
        "adjusted-win", "Adjusted win", COUNTED,
        "Win plus jackpots paid from this tray less accruals: where a jackpot is paid never changes it.",
        (("+", "win"), ("+", "jackpots"), ("−", "accruals")), _from_parts,
    ),
)  # fmt: skip

SHEET_FIGURES: Mapping[str, Figure] = FIGURES | {figure.code: figure for figure in _MORE}
"""Every figure that opens: those of drop and hold, and those of this report."""


def amount_of(code: str, result: Reconciled, cents: Mapping[str, Amount]) -> Amount:
    """A figure, or a kind of event that is no count; reckoned from its parts where the reconciled day has it not."""
    if code in LEAVES:
        return cents[code]
    figure = SHEET_FIGURES[code]
    made_of_parts = figure.value is _from_parts or code == "handle"
    return _made(figure, result, cents) if made_of_parts else figure.value(result)


def _made(figure: Figure, result: Reconciled, cents: Mapping[str, Amount]) -> Amount:
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


def why(code: str, line: Line) -> str:
    """Why a figure of a line is not known: counts it waits for, rounds nobody can reckon, or nothing to divide by."""
    waits = [line.why_missing(count) for count in counts_under(code, SHEET_FIGURES)]
    if line.played.unknown_rounds and any(leaf.side == "theo" for _, leaf in leaves_under(code, figures=SHEET_FIGURES)):
        waits.append(f"{line.played.unknown_rounds} rounds were of a paytable whose mathematics is not known")
    return "; ".join(wait for wait in waits if wait) or "there is nothing to divide by"


def _figure(section: str, code: str, head: str, unit: str = CENTS) -> Column:
    figure = SHEET_FIGURES[code]

    def value(line: Line) -> Amount:
        return amount_of(code, line.result, line.amounts)

    reason = partial(why, code)
    return Column(code, section, figure.name, head, unit, figure.basis, value, code, RANGE, reason)


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


def _per_table_day(line: Line) -> Amount:
    win = line.result.win
    return None if win is None else Fraction(win, line.table_days)


def _deviation(line: Line) -> Amount:
    held = line.month.hold if line.month else None
    return None if held is None or line.base is None else held - line.base


def _why_no_deviation(line: Line) -> str:
    return line.why_no_base if line.base is None else "the month has no hold yet"


def _found(code: str, name: str, head: str, pick: Callable[[Mapping[str, int]], int]) -> Column:
    """A column of what the count team found in the boxes; it opens to the boxes' counts."""

    def value(line: Line) -> Amount:
        return None if line.found is None else pick(line.found)

    return Column(code, "count", name, head, CENTS, COUNTED, value, "counted-drop", why=lambda line: line.why_not_found)


def _currency(found: Mapping[str, int]) -> int:
    return sum(cents for name, cents in found.items() if name.isdecimal())


def _other_notes(found: Mapping[str, int]) -> int:
    return _currency(found) - sum(found.get(str(note), 0) for note in NOTES_CENTS)


def _in_notes(note: int) -> Column:
    of = str(note // 100)
    return _found(f"notes-{of}", f"Currency counted, notes of {of}", f"{of}s", lambda found: found.get(str(note), 0))


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
        "win", RANGE, partial(why, "win"),
    ),
    _figure("drop", "win-as-collected", "Win, checks as collected"),
    _figure("drop", "win-less-promo", "Win, promo excluded"),
    _figure("drop", "statistical-drop", "Stat. drop"),
    _figure("drop", "statistical-hold", "Stat. hold", SHARE),
    Column(
        "boxes", "count", "Boxes, how many", "Boxes", NUMBER, COUNTED, lambda line: line.boxes, "counted-drop",
        why=lambda line: line.why_not_found,
    ),
    _found("counted-currency", "Currency counted", "Currency", _currency),
    *(_in_notes(note) for note in NOTES_CENTS),
    _found("notes-other", "Currency counted, other notes", "Other notes", _other_notes),
    _found("counted-checks", "Counter checks counted", "Checks", lambda found: found["checks"]),
    _found("counted-promo", "Promotional instruments counted", "Promo", lambda found: found["promo"]),
    _figure("wagers", "estimated-win", "Estimated win"),
    _figure("wagers", "errors", "Dealer errors"),
    _figure("wagers", "handle", "Handle"),
    _figure("wagers", "win-percent", "Win %", SHARE),
    _figure("wagers", "theo", "Theo"),
    _figure("wagers", "luck", "Less theo"),
    _figure("wagers", "progressive-stakes", "Progressive stakes"),
    _figure("wagers", "accruals", "Accruals"),
    _figure("wagers", "jackpots", "Jackpots paid"),
    _figure("wagers", "adjusted-win", "Adjusted win"),
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
    "count": "Boxes as counted",
    "wagers": "Wagers, theo and progressive",
    "to-date": "To date and base",
}
SIGNED = {
    "tray-difference", "box-difference", "between", "win", "win-per-table-day", "win-as-collected", "win-less-promo",
    "estimated-win", "luck", "adjusted-win", "month-win", "year-win", "deviation",
}  # fmt: skip
"""Columns whose amounts are the house's gain or loss, shown with their sign."""
