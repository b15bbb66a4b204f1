"""The hold report: a month's holds beside their base levels, under the profile's test; page, files and data."""

from calendar import monthrange
from datetime import date
from fractions import Fraction
from typing import Any

from django.conf import settings
from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from casino.charts import Chart, bars, line
from casino.refusal import in_quotes
from casino.templatetags.figures import percent
from casino.web import page, problems
from ledger.hold import INVESTIGATE, MonthTested, month_before
from ledger.queries.explained import address
from ledger.queries.hold import HoldReport, hold_report
from ledger.scope import Scope, named
from ledger.sheets import Table, Unknown, Value, as_csv, as_xlsx, download, value_of
from ledger.stiff_columns import CENTS, NUMBER, POINTS, SHARE

BASES = {"prior_year": "the year before, or the month before in the first year", "prior_month": "the month before"}
HEADS = (
    ("Of", ""), ("Name", ""), ("Table-days", NUMBER), ("Left out", NUMBER), ("Drop", CENTS), ("Win", CENTS),
    ("Hold", SHARE), ("Base hold", SHARE), ("Base", ""), ("Deviation, percentage points", POINTS), ("Verdict", ""),
    ("Why", ""),
)  # fmt: skip


@page
def hold(request: HttpRequest) -> HttpResponse:
    month = _month(request.GET.get("month", ""))
    shown = hold_report(month)
    today = timezone.localdate().replace(day=1)
    context = {
        "shown": shown,
        "lines": [(one, named(one.kind, one.name), _links(one)) for one in shown.lines],
        "chart": _chart(shown) if shown.lines else None,
        "history": _history(shown) if len({m for months in shown.history.values() for m in months}) > 1 else None,
        "rule": rule_in_words(shown),
        "before": month_before(month),
        "after": _next(month) if month < today else None,
    }
    return render(request, "ledger/stiff/hold.html", context)


def _month(text: str) -> date:
    """The first day of the month that an address asks for; this one's without."""
    if not text:
        return timezone.localdate().replace(day=1)
    try:
        month = date.fromisoformat(f"{text}-01")
    except ValueError:
        month = date.min
    if not 1900 <= month.year < 3000 or len(text) != 7:
        raise BadRequest(f"{in_quotes(text)} is not a month; write it like 2026-11.")
    return month


def _next(month: date) -> date:
    return date(month.year + month.month // 12, month.month % 12 + 1, 1)


def _links(one: MonthTested) -> dict[str, str]:
    """Where drop, win and hold of the month are explained, and the hold of its base."""
    last = one.month.replace(day=monthrange(one.month.year, one.month.month)[1])
    scope = Scope(one.kind, one.name, one.month, last, only_complete=True)
    urls = {name: address(code, scope) for name, code in (("drop", "counted-drop"), ("win", "win"), ("hold", "hold"))}
    return urls | {"base": address("hold", scope._replace(first=one.base.first, last=one.base.last))}


def rule_in_words(shown: HoldReport) -> str:
    """What the profile asks for."""
    unit = "percentage points from" if shown.rules.mode == "points" else "per cent of"
    words = {
        "interval": "outside the 95 % interval of the base level",
        "points": f"more than {shown.rules.points} {unit} the base level",
    }
    asked = words.get(shown.rules.test) or f"{words['interval']}, or {words['points']}"
    return f"{shown.profile}: a month {asked} is investigated. The base is {BASES[shown.rules.base]}."


# ------------------------------------------------------------------------------------------------- charts


def _in_percent(share: Fraction | None) -> str | None:
    """A share in per cent with two decimals, as a chart reads it; None leaves a gap."""
    if share is None:
        return None
    hundredths = round(share * 10_000)
    return f"{'-' if hundredths < 0 else ''}{abs(hundredths) // 100}.{abs(hundredths) % 100:02d}"


def _chart(shown: HoldReport) -> Chart:
    names = [named(one.kind, one.name) for one in shown.lines]
    colours = ["--warn" if one.verdict == INVESTIGATE else "--info" for one in shown.lines]
    traces = [
        bars("Hold", names, [_in_percent(one.held.hold) for one in shown.lines], colours),
        line("Base level", names, [_in_percent(one.base.hold) for one in shown.lines], "--brass", mode="markers"),
    ]
    rows = [[name, percent(one.held.hold), percent(one.base.hold), one.verdict]
            for name, one in zip(names, shown.lines, strict=True)]  # fmt: skip
    found = len(shown.to_investigate)
    summary = f"{found} of {len(shown.lines)} ask for an investigation; their bars are yellow."
    return Chart("hold-month", f"Hold in {shown.month:%B %Y}", summary, traces, ["Of", "Hold", "Base", "Verdict"], rows,
                 {"yaxis": {"ticksuffix": " %"}})  # fmt: skip


def _history(shown: HoldReport) -> Chart:
    months = sorted({month for of_game in shown.history.values() for month in of_game})
    x = [f"{month:%Y-%m}" for month in months]
    held = {game: [of.get(month) for month in months] for game, of in shown.history.items()}
    holds = {game: [_in_percent(one.hold) if one else None for one in ones] for game, ones in held.items()}
    colours = ("--info", "--brass", "--gain", "--warn")
    traces = [line(game, x, y, colours[n % len(colours)], mode="lines+markers")
              for n, (game, y) in enumerate(holds.items())]  # fmt: skip
    rows = [[month, *(y[n] or "—" for y in holds.values())] for n, month in enumerate(x)]
    return Chart("hold-history", "Hold by month", "Each game's hold, month by month, in per cent.", traces,
                 ["Month", *holds], rows, {"yaxis": {"ticksuffix": " %"}, "xaxis": {"type": "category"}})  # fmt: skip


# ------------------------------------------------------------------------------------------------- files and data


@page
def hold_file(request: HttpRequest, kind: str) -> HttpResponse:
    """The report as `csv` or `xlsx`."""
    if kind not in ("csv", "xlsx"):
        raise BadRequest("The report comes as csv or as xlsx.")
    shown = hold_report(_month(request.GET.get("month", "")))
    title = (f"Hold in {shown.month:%B %Y}, {settings.CASINO_CURRENCY}", rule_in_words(shown),
             f"as known at position {shown.position}")  # fmt: skip
    table = Table("Hold", title, HEADS, [_row(one) for one in shown.lines])
    content = as_csv(table) if kind == "csv" else as_xlsx(table)
    return download(content, f"hold-{shown.month:%Y-%m}.{kind}")


def _row(one: MonthTested) -> list[Value]:
    held, nothing = one.held, "no table-day of the month is complete, or nothing was dropped"
    return [
        one.kind, one.name, value_of(held.table_days, NUMBER), value_of(held.left_out, NUMBER),
        value_of(held.drop, CENTS, nothing), value_of(held.win, CENTS, nothing), value_of(held.hold, SHARE, nothing),
        value_of(one.base.hold, SHARE, one.base.why_none), one.base.words,
        Unknown(one.words) if one.deviation is None else value_of(one.deviation, POINTS), one.verdict, one.words,
    ]  # fmt: skip


class HoldAnswer(serializers.Serializer[Any]):
    """A game's or table's month; shares are "a/b", null is unknown."""

    kind = serializers.ChoiceField(choices=["game", "table"])
    name = serializers.CharField()
    table_days = serializers.IntegerField()
    left_out = serializers.IntegerField()
    drop_cents = serializers.IntegerField(allow_null=True)
    win_cents = serializers.IntegerField(allow_null=True)
    hold = serializers.CharField(allow_null=True)
    base_hold = serializers.CharField(allow_null=True)
    base = serializers.CharField()
    verdict = serializers.ChoiceField(choices=["ordinary", "investigate", "no test"])
    words = serializers.CharField()


class Hold(APIView):
    """Hold by game and table in a month."""

    @extend_schema(
        parameters=[OpenApiParameter("month", OpenApiTypes.STR, required=True, description="like 2026-11")],
        responses={200: HoldAnswer(many=True), **problems(400, 401, 403)}, summary="A month's holds and their tests",
    )  # fmt: skip
    def get(self, request: Request) -> Response:
        shown = hold_report(_month(request.query_params.get("month", "")))
        return Response([_answer(one) for one in shown.lines])


def _answer(one: MonthTested) -> dict[str, Any]:
    return {
        "kind": one.kind,
        "name": one.name,
        "table_days": one.held.table_days,
        "left_out": one.held.left_out,
        "drop_cents": one.held.drop,
        "win_cents": one.held.win,
        "hold": None if one.held.hold is None else str(one.held.hold),
        "base_hold": None if one.base.hold is None else str(one.base.hold),
        "base": one.base.words,
        "verdict": one.verdict,
        "words": one.words,
    }
