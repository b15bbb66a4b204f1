"""Statements and payables as spreadsheets: amounts as numbers that a clerk can add up, exact to the micro-unit."""

from collections.abc import Callable, Sequence
from decimal import Decimal
from io import BytesIO
from typing import Any

from django.http import HttpResponse
from xlsxwriter import Workbook
from xlsxwriter.worksheet import Worksheet

from jackpot.payables import Payables
from jackpot.statements import MonthPage

XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
Row = Sequence[Any]


def month_sheet(page: MonthPage) -> bytes:
    """A month of a meter: the formula over all of it, then day by day."""
    statement = page.statement
    title = f"Meter {statement.link}, {statement.first:%B %Y}, {statement.currency}"

    def fill(sheet: Worksheet, formats: dict[str, Any]) -> None:
        sheet.write_row(2, 0, ["", *(column.account for column in statement.columns)], formats["head"])
        opening = ("opening", [column.opening_micros for column in statement.columns])
        closing = ("closing", [column.closing_micros for column in statement.columns])
        row = 3
        for name, amounts in (opening, *statement.rows, closing):
            sheet.write(row, 0, name.replace("_", " "))
            for column, micros in enumerate(amounts, 1):
                sheet.write_number(row, column, _units(micros), formats["money"])
            row += 1
        sheet.write_row(row + 1, 0, ["gaming day", "opening", "closing", "readings", "state"], formats["head"])
        for offset, day in enumerate(page.days, row + 2):
            sheet.write(offset, 0, day.day.isoformat())
            sheet.write_number(offset, 1, _units(day.main.opening_micros), formats["money"])
            sheet.write_number(offset, 2, _units(day.main.closing_micros), formats["money"])
            sheet.write_number(offset, 3, len(day.readings.read))
            sheet.write(offset, 4, day.readings.state.replace("_", " "))

    return _book("Statement", title, fill)


def payables_sheet(page: Payables) -> bytes:
    """Everything that is owed to winners, with its age."""

    def fill(sheet: Worksheet, formats: dict[str, Any]) -> None:
        heads = ["link", "hit on", "table", "round", "hand", "seat", "amount", "state", "days", "age"]
        sheet.write_row(2, 0, heads, formats["head"])
        for row, one in enumerate(page.open, 3):
            share = one.share
            hit_on, hand = share.gaming_date.isoformat(), share.rank.replace("_", " ")
            sheet.write_row(row, 0, [share.link, hit_on, share.table_code, share.round, hand])
            sheet.write_number(row, 5, share.seat)
            sheet.write_number(row, 6, _units(share.amount_cents * 10_000), formats["money"])
            sheet.write_row(row, 7, [share.state, one.days, one.age])

    return _book("Payables", f"Jackpots payable on {page.today}", fill)


def _units(micros: int) -> Decimal:
    """Micro-units in the currency, exactly; the sheet keeps fifteen digits, which is more than any meter has."""
    return Decimal(micros) / 1_000_000


def _book(name: str, title: str, fill: Callable[[Worksheet, dict[str, Any]], None]) -> bytes:
    stream = BytesIO()
    book = Workbook(stream, {"in_memory": True, "strings_to_formulas": False, "strings_to_urls": False})
    formats = {
        "title": book.add_format({"bold": True, "font_size": 14}),
        "head": book.add_format({"bold": True, "bottom": 1}),
        "money": book.add_format({"num_format": "#,##0.00####"}),
    }
    sheet = book.add_worksheet(name)
    sheet.set_column(0, 12, 16)
    sheet.write(0, 0, title, formats["title"])
    fill(sheet, formats)
    book.close()
    return stream.getvalue()


def download(content: bytes, name: str) -> HttpResponse:
    """The sheet as a file to keep."""
    answer = HttpResponse(content, content_type=XLSX)
    answer["Content-Disposition"] = f'attachment; filename="{name}"'
    return answer
