"""Reports as files: CSV, and spreadsheets whose amounts are numbers that are right to the last cent.

An amount is written as the decimal number of its cents; no float is divided on the way. Unknown is "—", and a second
sheet says why.
"""

import csv
from collections.abc import Iterable, Sequence
from datetime import date, datetime, time
from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction
from io import BytesIO, StringIO
from typing import Any, NamedTuple

from django.http import HttpResponse
from xlsxwriter import Workbook

from ledger.figures import Amount
from ledger.stiff_columns import CENTS, NUMBER, POINTS, SHARE

XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
UNKNOWN = "—"
FORMULA_BEGINS = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
CENT, MICRO = Decimal("0.01"), Decimal("0.000001")
FORMATS = {CENTS: "#,##0.00##;[Red]-#,##0.00##", SHARE: "0.00%", NUMBER: "0", POINTS: "0.00"}


class Unknown(NamedTuple):
    """A cell without a value, and why."""

    reason: str


Value = str | date | Decimal | Unknown


class Table(NamedTuple):
    """A sheet: what stands above it, its heads with their units ("" for text and dates), its rows and its totals."""

    name: str
    title: Sequence[str]
    heads: Sequence[tuple[str, str]]
    rows: Sequence[Sequence[Value]]
    totals: Sequence[Sequence[Value]] = ()


def value_of(amount: Amount, unit: str, reason: str = "") -> Value:
    """An amount as it is written: cents as units of the currency, shares as shares, points as percentage points."""
    if amount is None:
        return Unknown(reason)
    if unit == NUMBER:
        return Decimal(int(amount))
    if unit == CENTS:
        return cents_as_decimal(amount)
    share = Fraction(amount) * (100 if unit == POINTS else 1)
    return (Decimal(share.numerator) / Decimal(share.denominator)).quantize(MICRO, ROUND_HALF_UP)


def cents_as_decimal(cents: int | Fraction) -> Decimal:
    """Cents in the currency, exactly; a part of a cent to the micro-unit, and what goes beyond is rounded there."""
    if isinstance(cents, int) or cents.denominator == 1:
        return Decimal(int(cents)).scaleb(-2)
    micros = cents * 10_000
    whole = Decimal(micros.numerator) / Decimal(micros.denominator)
    return whole.quantize(Decimal(1), ROUND_HALF_UP).scaleb(-6)


# ------------------------------------------------------------------------------------------------- CSV


def as_csv(table: Table) -> str:
    """The table with its heads, its rows and its totals; a text that a program could take for a formula is quoted."""
    out = StringIO()
    writer = csv.writer(out)
    writer.writerow([head for head, _ in table.heads])
    writer.writerows([_text(value) for value in row] for row in (*table.rows, *table.totals))
    return out.getvalue()


def _text(value: Value) -> str:
    if isinstance(value, Unknown):
        return UNKNOWN
    if isinstance(value, str):
        return no_formula(value)
    return value.isoformat() if isinstance(value, date) else f"{value:f}"


def no_formula(text: str) -> str:
    """Text that no spreadsheet takes for a formula, whatever somebody wrote."""
    return f"'{text}" if text[:1] in FORMULA_BEGINS else text


# ------------------------------------------------------------------------------------------------- spreadsheets


def as_xlsx(*tables: Table) -> bytes:
    """A sheet for each table, heads frozen, and a last one with why cells are unknown."""
    stream = BytesIO()
    book = Workbook(stream, {"in_memory": True, "strings_to_formulas": False, "strings_to_urls": False})
    styles = _styles(book)
    for table in tables:
        _write(book.add_worksheet(table.name), table, styles)
    reasons = [reason for table in tables for reason in _reasons(table)]
    if reasons:
        heads = [("Sheet", ""), ("Row", ""), ("Column", ""), ("Why it is not known", "")]
        _write(
            book.add_worksheet("Not known"), Table("Not known", ["Cells that are not known"], heads, reasons), styles
        )
    book.close()
    return stream.getvalue()


def _styles(book: Workbook) -> dict[str, Any]:
    styles = {
        "title": book.add_format({"bold": True, "font_size": 14}),
        "head": book.add_format({"bold": True, "bottom": 1, "text_wrap": True, "valign": "bottom"}),
        "text": book.add_format({}),
        "text bold": book.add_format({"bold": True}),
        "unknown": book.add_format({"align": "right"}),
        "date": book.add_format({"num_format": "yyyy-mm-dd", "align": "left"}),
    }
    for unit, code in FORMATS.items():
        styles[unit] = book.add_format({"num_format": code})
        styles[f"{unit} bold"] = book.add_format({"num_format": code, "bold": True})
    return styles


def _write(sheet: Any, table: Table, styles: dict[str, Any]) -> None:
    for row, line in enumerate(table.title):
        sheet.write_string(row, 0, line, styles["title" if row == 0 else "text"])
    top = len(table.title) + 1
    for column, (head, unit) in enumerate(table.heads):
        sheet.write_string(top, column, head, styles["head"])
        sheet.set_column(column, column, 14 if unit else 18)
    lines = [(line, "") for line in table.rows] + [(line, " bold") for line in table.totals]
    for row, (values, bold) in enumerate(lines, top + 1):
        for column, value in enumerate(values):
            _cell(sheet, row, column, value, table.heads[column][1], bold, styles)
    sheet.freeze_panes(top + 1, min(2, len(table.heads)))
    sheet.set_landscape()
    sheet.repeat_rows(top)
    sheet.fit_to_pages(1, 0)


def _cell(sheet: Any, row: int, column: int, value: Value, unit: str, bold: str, styles: dict[str, Any]) -> None:
    match value:
        case Unknown():
            sheet.write_string(row, column, UNKNOWN, styles["unknown"])
        case date():
            sheet.write_datetime(row, column, datetime.combine(value, time()), styles["date"])
        case Decimal():
            sheet.write_number(row, column, value, styles[f"{unit or NUMBER}{bold}"])
        case _:
            sheet.write_string(row, column, value, styles[f"text{bold}"])


def _reasons(table: Table) -> Iterable[Sequence[Value]]:
    for values in (*table.rows, *table.totals):
        name = " ".join(_text(value) for value in values[:2]).strip()
        for (head, _), value in zip(table.heads, values, strict=True):
            if isinstance(value, Unknown):
                yield [table.name, name, head, value.reason]


# ------------------------------------------------------------------------------------------------- answers


def download(content: bytes | str, name: str) -> HttpResponse:
    """The file to keep; text is UTF-8 with a mark, by which spreadsheets know it."""
    if isinstance(content, str):
        answer = HttpResponse(content.encode("utf-8-sig"), content_type="text/csv; charset=utf-8")
    else:
        answer = HttpResponse(content, content_type=XLSX)
    answer["Content-Disposition"] = f'attachment; filename="{name}"'
    return answer
