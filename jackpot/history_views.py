"""A meter's past and its mathematics: the page of both, and the fragments that the meter's own page includes."""

from datetime import UTC, datetime, timedelta
from typing import Any

from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import path

from casino.refusal import in_quotes
from casino.web import page
from jackpot import queries
from jackpot.curves import curve_of
from jackpot.pictures import chart_of
from jackpot.reckoning import reckoned

SPANS = {"day": 1, "week": 7, "month": 30, "year": 365, "all": None}
"""What a history may show, in days; None is from the set-up on."""
USUAL = "week"


def _since(request: HttpRequest) -> tuple[str, datetime | None]:
    span = request.GET.get("span", USUAL)
    if span not in SPANS:
        raise BadRequest(f"{in_quotes(span)} is no span of a history; choose from {', '.join(SPANS)}.")
    days = SPANS[span]
    return span, None if days is None else datetime.now(UTC) - timedelta(days=days)


def _shown(request: HttpRequest, link: str) -> dict[str, Any]:
    span, since = _since(request)
    meter = queries.meter_of(link)
    chart = chart_of(curve_of(link, since), meter.reset_cents)
    return {"meter": meter, "chart": chart, "span": span, "spans": SPANS}


@page
def history(request: HttpRequest, link: str) -> HttpResponse:
    return render(request, "jackpot/history.html", _shown(request, link) | _reckoned(request, link))


@page
def _history(request: HttpRequest, link: str) -> HttpResponse:
    """The chart of a meter with its hits and resets."""
    return render(request, "jackpot/_history.html", _shown(request, link))


@page
def _mathematics(request: HttpRequest, link: str) -> HttpResponse:
    """Hit frequencies, break-even meters, returns, and growth as expected and as measured."""
    return render(request, "jackpot/_mathematics.html", _reckoned(request, link))


def _reckoned(request: HttpRequest, link: str) -> dict[str, Any]:
    span, since = _since(request)
    return {"reckoned": reckoned(link, since), "span": span, "span_days": SPANS[span]}


urlpatterns: list[Any] = [
    path("progressives/<str:link>/history/", history, name="meter_history"),
    path("progressives/<str:link>/_history/", _history, name="_meter_history"),
    path("progressives/<str:link>/_mathematics/", _mathematics, name="_mathematics"),
]
