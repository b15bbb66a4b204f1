"""The pages of reconciliation: a meter's day, its month, what is owed to winners; on paper and as spreadsheets too."""

from datetime import date, timedelta
from typing import Any

from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import path

from casino.commands.order import house_profile
from casino.refusal import in_quotes
from casino.web import day_of, page
from jackpot import sheets
from jackpot.day_events import day_events
from jackpot.forms import may_take, new_key
from jackpot.payables import Payables, payables
from jackpot.statements import day_page, liability, month_page, statement_of
from jackpot.today import gaming_date_now

ROUTE = "progressives/<str:link>/"
STEPS = ["readings", "readings/explain", "readings/sign"]


@page
def meter_day(request: HttpRequest, link: str, day: str) -> HttpResponse:
    """The formula line by line, physical readings beside the meter of their instant, and the signature."""
    wanted, today = day_of(day), gaming_date_now()
    shown = {
        "page": day_page(link, wanted, today),
        "link": link,
        "before": wanted - timedelta(days=1),
        "after": wanted + timedelta(days=1) if wanted < today else None,
        "may": may_take(request, ROUTE, STEPS),
        "new_key": new_key,
    }
    return render(request, "jackpot/day.html", shown)


@page
def meter_day_events(request: HttpRequest, link: str, day: str) -> HttpResponse:
    """What the lines of a meter's day are made of, down to the events; `after` goes on through its stakes."""
    wanted = day_of(day)
    statement = statement_of(link, wanted, wanted)
    made_of = day_events(link, wanted, statement.lines, statement.position, _position(request.GET.get("after", "0")))
    shown = {"statement": statement, "made_of": made_of, "link": link, "day": wanted}
    return render(request, "jackpot/day_events.html", shown)


def _position(text: str) -> int:
    if not text.isascii() or not text.isdecimal() or len(text) > 15:
        raise BadRequest(f"{in_quotes(text)} is no position of the log; write a number.")
    return int(text)


def _month(text: str) -> date:
    try:
        return day_of(f"{text}-01")
    except BadRequest:
        raise BadRequest(f"{in_quotes(text)} is not a month; write it like 2026-11.") from None


@page
def meter_month(request: HttpRequest, link: str, month: str) -> HttpResponse:
    """The monthly statement, for the screen and for paper."""
    first = _month(month)
    before, after = first - timedelta(days=1), (first + timedelta(days=32)).replace(day=1)
    shown = {
        "page": month_page(link, first),
        "link": link,
        "before": before,
        "after": after if after <= gaming_date_now() else None,
    }
    return render(request, "jackpot/month.html", shown)


@page
def month_xlsx(request: HttpRequest, link: str, month: str) -> HttpResponse:
    """The monthly statement as a spreadsheet."""
    first = _month(month)
    return sheets.download(sheets.month_sheet(month_page(link, first)), f"meter-{link}-{first:%Y-%m}.xlsx")


def _payables() -> Payables:
    return payables(gaming_date_now(), house_profile().jackpots.unclaimed_after_days)


@page
def jackpots(request: HttpRequest) -> HttpResponse:
    """Jackpots payable by age, and the liability tied out."""
    shown = {"page": _payables(), "liability": liability(), "rules": house_profile().jackpots}
    return render(request, "jackpot/payables.html", shown)


@page
def payables_xlsx(request: HttpRequest) -> HttpResponse:
    """Jackpots payable as a spreadsheet."""
    shown = _payables()
    return sheets.download(sheets.payables_sheet(shown), f"jackpots-payable-{shown.today.isoformat()}.xlsx")


urlpatterns: list[Any] = [
    path(f"{ROUTE}days/<str:day>/", meter_day, name="meter_day"),
    path(f"{ROUTE}days/<str:day>/events/", meter_day_events, name="meter_day_events"),
    path(f"{ROUTE}months/<str:month>/", meter_month, name="meter_month"),
    path(f"{ROUTE}months/<str:month>/statement.xlsx", month_xlsx, name="month_xlsx"),
    path("jackpots/", jackpots, name="jackpots"),
    path("jackpots/payables.xlsx", payables_xlsx, name="payables_xlsx"),
]
