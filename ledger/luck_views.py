"""A table's luck on its page: the verdict with z and the chance, and its result against theo with the 95 % band."""

from datetime import datetime, timedelta

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone

from casino.charts import Chart, band, decimal, line
from casino.templatetags.figures import signed, signed_to_the_cent, whole
from casino.web import day_of, page
from ledger.luck import Luck, Point
from ledger.queries.luck import LuckLine, latest_day, luck_line, luck_of

COLUMNS = ("Until", "Rounds", "Result", "Theoretical win", "95 in 100 from", "to")
LAYOUT = {"xaxis": {"tickformat": "%H:%M", "hoverformat": "%H:%M"}, "yaxis": {"title": {"text": ""}}}


@page
def _luck(request: HttpRequest, table: str) -> HttpResponse:
    """The gaming day asked for, or the table's latest with a settled round; a sentence where there is none."""
    asked = request.GET.get("gaming_date", "").strip()
    table = table.replace("\0", "")  # PostgreSQL has no such text
    day = day_of(asked) if asked else latest_day(table)
    luck = luck_of(day, table).get(table) if day else None
    if day is None or luck is None:
        return render(request, "ledger/_luck.html", {"table": table, "day": day})
    chart = chart_of(luck, luck_line(table, day), timezone.localtime())
    return render(request, "ledger/_luck.html", {"table": table, "day": day, "luck": luck, "chart": chart})


def chart_of(luck: Luck, line_: LuckLine, now: datetime) -> Chart:
    """The day drawn from its first hour on; the hour that is still running ends now."""
    first = line_.points[0].hour
    points = [Point(first - timedelta(hours=1), 0, 0, luck.played.theo * 0, (0, 0)), *line_.points]
    times = [min(point.hour + timedelta(hours=1), max(now, point.hour)) for point in points]
    x = [f"{time:%Y-%m-%dT%H:%M:%S}" for time in times]
    known = [(time, point.band) for time, point in zip(x, points, strict=True) if point.band]
    spread = band(
        "95 of 100 replays",
        [time for time, _ in known],
        [decimal(ends[0]) for _, ends in known],
        [decimal(ends[1]) for _, ends in known],
        "--info",
    )
    theo = line("Theoretical win, T", x, [decimal(_to_the_cent(point)) for point in points], "--muted", dash="dot")
    result = line("Result, G", x, [decimal(point.result_cents) for point in points], "--brass", mode="lines+markers")
    return Chart(
        id=f"luck-{line_.table}",
        title="Result against theoretical win",
        summary=_summary(luck),
        traces=[*spread, theo, result],
        columns=COLUMNS,
        rows=[_row(f"{time:%H:%M}", point) for time, point in zip(times, points, strict=True)][1:],
        layout=LAYOUT | {"yaxis": {"title": {"text": settings.CASINO_CURRENCY}}},
        note="Both without the progressive. A round counts in the hour in which it opened, once it is settled.",
    )


def _summary(luck: Luck) -> str:
    played = luck.played
    return (
        f"After {whole(played.rounds)} rounds the result is {signed(played.result_cents)}, "
        f"and the wagers lead one to expect {signed_to_the_cent(played.theo)}."
    )


def _row(until: str, point: Point) -> list[str]:
    ends = [signed(end) for end in point.band] if point.band else ["—", "—"]
    return [until, whole(point.rounds), signed(point.result_cents), signed_to_the_cent(point.theo), *ends]


def _to_the_cent(point: Point) -> int:
    """Theo to the nearest cent, for drawing."""
    return (2 * point.theo.numerator + point.theo.denominator) // (2 * point.theo.denominator)
