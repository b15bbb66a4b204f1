"""The pages of the ledger: trial balance, accounts, the journal and its entries, the ties, and the export."""

import calendar
from datetime import date, timedelta
from urllib.parse import urlencode

from django.conf import settings
from django.core.exceptions import BadRequest
from django.http import Http404, HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import render
from django.utils import timezone

from casino.eventstore import history
from casino.eventstore.follower import mark
from casino.refusal import Refused, in_quotes
from casino.web import day_of, page
from ledger.accounts import CHART
from ledger.postings import NOTHING
from ledger.queries import export, journal
from ledger.queries.ties import ties as ties_of

NUMBER_MAX = 18
"""Digits of a position in an address."""


@page
def trial_balance(request: HttpRequest) -> HttpResponse:
    """Every account at a position of the log; now, unless the address says otherwise."""
    asked = number_of(request, "position")
    refusal = ""
    try:
        found = journal.trial_balance(asked)
    except Refused as refused:
        found, refusal = journal.trial_balance(), refused.message
    shown = {"found": found, "asked": asked, "refusal": refusal, "reached": journal.reached()}
    return render(request, "ledger/journal/trial_balance.html", shown)


@page
def account(request: HttpRequest, code: str) -> HttpResponse:
    """An account up to a position, its parts by table or link, and its lines with the balance after each."""
    wanted = journal.Filter(
        account=code,
        table=text_in(request, "table"),
        link=text_in(request, "link"),
        upto=number_of(request, "position"),
    )
    at, nth = number_of(request, "before"), number_of(request, "line")
    statement = journal.statement(wanted, None if at is None else (at, nth or 0))
    kept = statement.account.kept_by
    shown = {
        "statement": statement,
        "wanted": wanted,
        "parts": [] if kept == "house" else journal.parts_of(code, statement.position),
        "earlier": _earlier(statement, wanted),
        "is_first": at is None,
    }
    return render(request, "ledger/journal/account.html", shown)


def _earlier(statement: journal.Statement, wanted: journal.Filter) -> str:
    """The address of the page with earlier lines; "" where there is none."""
    if statement.earlier is None:
        return ""
    before, line = statement.earlier
    said = {"table": wanted.table, "link": wanted.link, "position": statement.position, "before": before, "line": line}
    return "?" + urlencode({name: value for name, value in said.items() if value != ""})


@page
def entries(request: HttpRequest) -> HttpResponse:
    """The journal, latest entries first, by gaming date, account and table."""
    wanted = filter_of(request)
    before = number_of(request, "before")
    found, more = journal.entries(wanted, before)
    said = {"account": wanted.account, "table": wanted.table, "first": wanted.first or "", "last": wanted.last or ""}
    month = timezone.localdate().replace(day=1)
    shown = {
        "entries": found,
        "wanted": wanted,
        "earlier": "?" + urlencode({k: v for k, v in said.items() if v} | {"before": more}) if more else "",
        "is_first": before is None,
        "chart": CHART.values(),
        "reached": journal.reached(),
        "months": [month, (month - timedelta(days=1)).replace(day=1)],
    }
    return render(request, "ledger/journal/entries.html", shown)


def filter_of(request: HttpRequest) -> journal.Filter:
    """The filter that an address says: `account`, `table`, and gaming dates `first` to `last`."""
    first, last = _day(request, "first"), _day(request, "last")
    return journal.Filter(
        account=text_in(request, "account"), table=text_in(request, "table"), first=first, last=last or first
    )


@page
def entry(request: HttpRequest, position: int) -> HttpResponse:
    """One event with its entry, or with the reason why it has none."""
    found = history.at([position]) if position <= mark() else []
    if not found:
        raise Http404(f"The log has no event at position {position}.")
    shown = {
        "event": found[0],
        "entry": journal.entry(position),
        "reason": NOTHING.get(found[0].type, "it moves no chip and no money"),
        "is_read": position <= journal.reached(),
        "currency": settings.CASINO_CURRENCY,
    }
    return render(request, "ledger/journal/entry.html", shown)


@page
def ties(request: HttpRequest) -> HttpResponse:
    """What two sides have to agree on, and whether they do; the tables of the gaming day asked for."""
    found = ties_of(_day(request, "gaming_date"))
    return render(request, "ledger/journal/ties.html", {"found": found, "currency": settings.CASINO_CURRENCY})


@page
def journal_csv(request: HttpRequest) -> HttpResponse | StreamingHttpResponse:
    """The journal of some posting dates as a file for a general ledger."""
    return download(export_asked(request))


def export_asked(request: HttpRequest) -> export.Export:
    """The export that an address says: `month` (2026-11), or `first` and `last`; and `upto`, a position."""
    if month := text_in(request, "month"):
        first = day_of(f"{month}-01")
        last = first.replace(day=calendar.monthrange(first.year, first.month)[1])
    else:
        first, last = _day(request, "first"), _day(request, "last")  # type: ignore[assignment]
        if first is None or last is None:
            raise BadRequest("Say which posting dates to export: a month like 2026-11, or a first and a last date.")
    return export.export_of(first, last, number_of(request, "upto"))


def download(wanted: export.Export) -> StreamingHttpResponse:
    """The file, in pieces; its name and a header say where it was cut, and whether it can still grow."""
    answer = StreamingHttpResponse(export.csv_of(wanted), content_type="text/csv; charset=utf-8")
    answer["Content-Disposition"] = f'attachment; filename="{wanted.name}"'
    answer["X-Journal-Cut"] = str(wanted.cut)
    answer["X-Journal-Final"] = "yes" if wanted.is_final else "no"
    return answer


# ------------------------------------------------------------------------------------------------- what addresses say


def number_of(request: HttpRequest, name: str) -> int | None:
    """A whole number in an address; raises BadRequest for anything else."""
    text = request.GET.get(name, "").strip()
    if not text:
        return None
    if not (text.isascii() and text.isdecimal() and len(text) <= NUMBER_MAX):
        raise BadRequest(f"{in_quotes(text)} is not a {name}; write a whole number like 1250.")
    return int(text)


def text_in(request: HttpRequest, name: str) -> str:
    """A text in an address, "" where it is not said."""
    return request.GET.get(name, "").strip()


def _day(request: HttpRequest, name: str) -> date | None:
    text = text_in(request, name)
    return day_of(text) if text else None
