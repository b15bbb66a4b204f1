"""The master game report as a table of values, for files and for the interface."""

from casino.templatetags.figures import day as in_words
from ledger.queries.audits import Audit
from ledger.queries.stiff import Report
from ledger.scope import named
from ledger.sheets import Table, Value, value_of
from ledger.stiff import DAY, SESSION, Line
from ledger.stiff_columns import COLUMNS

HEADS = (("Gaming day", ""), ("Table", ""), ("Session", ""), ("Shift", ""), ("Pit", ""), ("Game", ""))


def sheet_of(report: Report, state: str, currency: str) -> Table:
    """All columns of the report, a row each for its lines, its subtotals as totals."""
    days = in_words(report.first) + (f" to {in_words(report.last)}" if report.last != report.first else "")
    title = (
        "Master game report",
        f"{days}, {currency}",
        f"{state}; to dates and all figures as known at position {report.position}",
    )
    heads = [*HEADS, *((column.name, column.unit) for column in COLUMNS)]
    rows = [[*_place(line), *_values(line)] for line in report.rows]
    totals = [["", named(line.kind, line.name), "", "", "", "", *_values(line)] for line in report.subtotals]
    return Table("Master game report", title, heads, rows, totals)


def _place(line: Line) -> list[Value]:
    entry = line.of[0]
    dated = line.kind in (DAY, SESSION) or len({e.gaming_date for e in line.of}) == 1
    session = str(entry.session) if line.kind == SESSION else ""
    shifts = {e.shift for e in line.of}
    shift = str(entry.shift) if len(shifts) == 1 else ""
    pits, games = (", ".join(sorted({of(e) for e in line.of})) for of in (lambda e: e.pit, lambda e: e.game))
    return [entry.gaming_date if dated else "", entry.table, session, shift, pits, games]


def _values(line: Line) -> list[Value]:
    return [value_of(amount := column.value(line), column.unit, "" if amount is not None else column.why(line))
            for column in COLUMNS]  # fmt: skip


def adjustments_sheet(audit: Audit) -> Table:
    """The corrections of a day, as its audit lists them."""
    heads = (("Position", ""), ("Occurred", ""), ("Table", ""), ("What", ""), ("Amount in", "cents"),
             ("Amount out", "cents"), ("Reason", ""), ("By", ""), ("Known to the audit", ""))  # fmt: skip
    later = {entry.position for entry in audit.later}
    rows: list[list[Value]] = [
        [
            str(entry.position), entry.occurred_at.isoformat(timespec="seconds"), entry.table_code or "", entry.type,
            value_of(entry.in_cents, "cents"), value_of(entry.out_cents, "cents"),
            str(entry.content.get("reason", "")), str(entry.content.get("by") or entry.actor),
            "no" if entry.position in later else "yes",
        ]
        for entry in audit.adjustments
    ]  # fmt: skip
    return Table("Adjustments", ("Adjustments", audit.gaming_date.isoformat()), heads, rows)
