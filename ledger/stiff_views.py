"""The master game report: on the screen, on paper with its signature lines, as files; and its audit."""

import uuid
from datetime import UTC, date, datetime, timedelta
from typing import Any, NamedTuple

from django.conf import settings
from django.contrib import messages
from django.core.exceptions import BadRequest
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST

from casino.commands.order import Order
from casino.commands.prints import print_copy
from casino.gate import has_role
from casino.refusal import Refused
from casino.roles import ACCOUNTING
from casino.slip_events import SlipPrinted
from casino.web import day_of, page
from ledger.commands.report import audit_report
from ledger.figures import Amount
from ledger.models import DayClose
from ledger.queries.audits import AUDITED, UNAUDITED, Audit, audit_of, audited_days
from ledger.queries.days import ALL
from ledger.queries.explained import address
from ledger.queries.filed import ToDate, sums_to_date
from ledger.queries.stiff import Report, report
from ledger.scope import named, scope_of
from ledger.sheets import as_csv, as_xlsx, download
from ledger.stiff import DAY, SESSION, SHIFT, TABLE, Line
from ledger.stiff_columns import COLUMNS, RANGE, SECTIONS, SIGNED, Column
from ledger.stiff_sheet import adjustments_sheet, sheet_of
from ledger.views import asked_day

BY = {TABLE: "Table", DAY: "Table and day", SESSION: "Period"}
OF_THE_MONTH = ("base", "deviation")
"""Columns that the hold report explains."""
SIGNATURES = ("Prepared by, count room", "Received by, accounting", "Audited by, income audit", "Reviewed by")


class Shown(NamedTuple):
    """A cell of the sheet: its column, its amount or why there is none, and where it opens, "" where nowhere."""

    column: Column
    amount: Amount
    reason: str
    url: str

    @property
    def is_signed(self) -> bool:
        return self.column.code in SIGNED


class ShownLine(NamedTuple):
    """A line of a section, with its name for people and its cells."""

    line: Line
    name: str
    cells: list[Shown]


@page
def stiff_sheet(request: HttpRequest) -> HttpResponse:
    return render(request, "ledger/stiff/sheet.html", _page(request))


def _page(request: HttpRequest) -> dict[str, Any]:
    first, last, by, today = _asked(request)
    shown = report(first, last, by)
    audit = audit_of(last) if first == last else None
    return {
        "shown": shown,
        "day": last,
        "sums": _filed_to_date(first, last),
        "sections": _sections(shown),
        "by": by,
        "rows_by": BY,
        "first": first,
        "last": last,
        "before": first - timedelta(days=1),
        "after": last + timedelta(days=1) if last < today else None,
        "audit": audit,
        "state": _state(shown, audit),
        "may_audit": audit is not None and audit.state != AUDITED and has_role(request.user, ACCOUNTING),
        "key": str(uuid.uuid4()),
        "query": request.GET.urlencode() or f"from={first.isoformat()}&to={last.isoformat()}&by={by}",
        "signatures": SIGNATURES,
    }


def _filed_to_date(first: date, last: date) -> list[tuple[str, ToDate]]:
    """Month and year to date as filed with the report's day; empty of several days, or while it is not closed."""
    close = DayClose.objects.filter(gaming_date=last).first() if first == last else None
    return sums_to_date(close) if close else []


def _asked(request: HttpRequest) -> tuple[date, date, str, date]:
    """The days and rows that an address asks for, and today; without days, today's."""
    given = request.GET if request.method in ("GET", "HEAD") else request.POST
    default, today = asked_day(request)
    first = day_of(given["from"].strip()) if given.get("from", "").strip() else default
    last = day_of(given["to"].strip()) if given.get("to", "").strip() else max(first, default)
    return first, last, given.get("by", TABLE), today


def _sections(shown: Report) -> list[tuple[str, list[Column], list[ShownLine]]]:
    found = []
    for code, title in SECTIONS.items():
        columns = [column for column in COLUMNS if column.section == code]
        lines = [
            ShownLine(line, named(line.kind, line.name), [_cell(shown, line, column) for column in columns])
            for line in shown.lines
        ]
        found.append((title, columns, lines))
    return found


def _cell(shown: Report, line: Line, column: Column) -> Shown:
    amount = column.value(line)
    reason = "" if amount is not None else column.why(line)
    url = ""
    if column.code in OF_THE_MONTH and amount is not None:
        url = f"{reverse('hold')}?month={shown.last:%Y-%m}"
    elif column.figure and not (line.kind in (SESSION, SHIFT) and column.span != RANGE):
        url = address(column.figure, scope_of(line, shown.first, shown.last, column.span))
    return Shown(column, amount, reason, url)


def _state(shown: Report, audit: Audit | None) -> str:
    """In words; of several days, how many are audited."""
    if audit is not None:
        return audit.state
    days = {entry.gaming_date for line in shown.rows for entry in line.of}
    done = len(days & audited_days(shown.first, shown.last))
    return AUDITED if days and done == len(days) else f"{UNAUDITED}: {done} of {len(days)} days audited"


# ------------------------------------------------------------------------------------------------- paper and files


@require_POST
def print_sheet(request: HttpRequest) -> HttpResponse:
    """The printed report itself; every copy after the first of the same days and rows is marked a reprint."""
    first, last, by, _ = _asked(request)
    document = f"master_game_report/{first.isoformat()}/{last.isoformat()}/{by}"
    order = Order(request.user.get_username(), request.POST.get("key", ""), datetime.now(UTC), source="page")
    try:
        shown = report(first, last, by)
        done = print_copy(order, document, ALL)
    except Refused as refusal:
        raise Http404(refusal.message) from None
    copy: SlipPrinted = done.events[-1]  # type: ignore[assignment]
    audit = audit_of(last) if first == last else None
    context = {
        "shown": shown, "sections": _sections(shown), "first": first, "last": last, "audit": audit,
        "state": _state(shown, audit), "copy": copy, "is_again": done.replayed, "at": datetime.now(UTC),
        "signatures": SIGNATURES, "sums": _filed_to_date(first, last),
    }  # fmt: skip
    return render(request, "ledger/stiff/print.html", context)


@page
def stiff_file(request: HttpRequest, kind: str) -> HttpResponse:
    """The report as `csv` or `xlsx`."""
    if kind not in ("csv", "xlsx"):
        raise BadRequest("The report comes as csv or as xlsx.")
    first, last, by, _ = _asked(request)
    shown = report(first, last, by)
    audit = audit_of(last) if first == last else None
    table = sheet_of(shown, _state(shown, audit), settings.CASINO_CURRENCY)
    name = f"master-game-report-{first.isoformat()}" + (f"-{last.isoformat()}" if last != first else "")
    if kind == "csv":
        return download(as_csv(table), f"{name}.csv")
    further = [adjustments_sheet(audit)] if audit is not None and audit.adjustments else []
    return download(as_xlsx(table, *further), f"{name}.xlsx")


# ------------------------------------------------------------------------------------------------- the audit


@require_POST
def audit(request: HttpRequest) -> HttpResponse:
    """Mark a day's report audited."""
    day = day_of(request.POST.get("gaming_date", ""))
    order = Order(request.user.get_username(), request.POST.get("key", ""), datetime.now(UTC), source="page")
    try:
        audit_report(order, day, request.POST.get("note", "").strip())
        messages.success(request, "The report is audited; what comes after is listed as an adjustment.")
    except Refused as refusal:
        messages.error(request, refusal.message)
    return redirect(f"{reverse('stiff_sheet')}?from={day.isoformat()}&to={day.isoformat()}")
