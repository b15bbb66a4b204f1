"""How a meter came to where it stands: its curve with hits and resets, and its growth, from turns and flows.

A flow is a minute's stakes between two turns (`jackpot/chronicle.py`). The database adds minutes up to a few hundred
points, and the pure meter says what it stood at on each: exact to the micro-unit, whatever the reserve or the posted
limit did in between.
"""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from fractions import Fraction
from itertools import groupby, zip_longest
from typing import NamedTuple

import msgspec
from django.db import connection

from jackpot import models, queries
from jackpot.meter import Meter, Rates, contribute

POINTS = 400
MINUTE = timedelta(minutes=1)
BEGINNING = datetime(1900, 1, 1, tzinfo=UTC)

_FLOWS = """
    SELECT nth, CASE WHEN minute < %(since)s THEN -1
                     ELSE div(extract(epoch FROM minute - %(since)s), %(step)s)::int END AS bucket,
           min(minute), max(minute), increment_bp, hidden_bp, sum(rounds)::bigint, sum(wagers)::bigint,
           sum(stakes_cents)::bigint
      FROM jackpot_flow WHERE link = %(link)s AND nth >= %(nth)s
     GROUP BY nth, bucket, increment_bp, hidden_bp ORDER BY nth, bucket, increment_bp, hidden_bp"""


class Point(NamedTuple):
    """What main stood at, in micro-units."""

    at: datetime
    micros: int


class Growth(NamedTuple):
    """What stakes did to main in a span: by the rates alone, and as it was (a full reserve adds, the limit takes)."""

    rounds: int
    wagers: int
    stakes_cents: int
    expected_micros: int
    actual_micros: int
    minutes: int

    @property
    def a_wager_micros(self) -> Fraction | None:
        """By how much one wager raised it; None before the first."""
        return Fraction(self.actual_micros, self.wagers) if self.wagers else None

    @property
    def expected_an_hour_micros(self) -> Fraction | None:
        """By the rates, over the minutes from the first stakes to the last; None without any."""
        return Fraction(60 * self.expected_micros, self.minutes) if self.minutes else None

    @property
    def actual_an_hour_micros(self) -> Fraction | None:
        """As it was, over the same minutes."""
        return Fraction(60 * self.actual_micros, self.minutes) if self.minutes else None

    @property
    def difference_micros(self) -> int:
        """Above zero where a full reserve passed its rate on, below where the limit let stakes over."""
        return self.actual_micros - self.expected_micros


class Curve(NamedTuple):
    """A meter from `since` on. `turns` are the facts besides stakes that changed a pool, `hits` those that were won."""

    link: str
    since: datetime
    points: tuple[Point, ...]
    turns: tuple[models.Turn, ...]
    hits: tuple[models.Hit, ...]
    growth: Growth


class _Flow(NamedTuple):
    nth: int
    bucket: int
    first: datetime
    minute: datetime
    increment_bp: int
    hidden_bp: int
    rounds: int
    wagers: int
    stakes_cents: int

    @property
    def expected_micros(self) -> int:
        return self.stakes_cents * self.increment_bp


def curve_of(code: str, since: datetime | None = None, upto: datetime | None = None) -> Curve:
    """The meter from `since` (its set-up, unless given) on, in about `POINTS` points; refuses `unknown_link`."""
    queries.check_link(code)
    turns = models.Turn.objects.filter(link=code)
    set_up = turns.get(nth=1)
    since = max(since or BEGINNING, set_up.at)
    first = turns.filter(at__lte=since).order_by("-nth").first() or set_up
    shown = list(turns.filter(nth__gte=first.nth).order_by("nth"))
    points, growth = _folded(shown, _flows(code, first.nth, since, upto or datetime.now(UTC)), since)
    hits = models.Hit.objects.filter(link=code, at_position__gt=first.position).order_by("at_position", "nth")
    inside = tuple(turn for turn in shown if turn.at > since or turn.nth == 1)
    return Curve(code, since, tuple(_in_time(points)), inside, tuple(hits), growth)


def _flows(code: str, nth: int, since: datetime, upto: datetime) -> dict[int, list[_Flow]]:
    since = since.replace(second=0, microsecond=0)  # a flow is of a whole minute
    step = max(60, int((upto - since).total_seconds()) // POINTS)
    with connection.cursor() as cursor:
        cursor.execute(_FLOWS, {"link": code, "nth": nth, "since": since, "step": step})
        flows = [_Flow(*row) for row in cursor.fetchall()]
    return {nth: list(found) for nth, found in groupby(flows, key=lambda flow: flow.nth)}


def _folded(turns: Sequence[models.Turn], flows: dict[int, list[_Flow]], since: datetime) -> tuple[list[Point], Growth]:
    """Turn by turn: what it left, and what the stakes after it made of that."""
    points: list[Point] = []
    inside: list[_Flow] = []
    actual = 0
    for turn, after in zip_longest(turns, turns[1:]):
        meter: Meter = msgspec.json.decode(turn.meter, type=Meter)
        if turn.at > since and turn.nth > 1:
            points.append(Point(turn.at, turn.before_micros))
        points.append(Point(max(turn.at, since), turn.after_micros))
        for flow in flows.get(turn.nth, ()):
            before = meter.main_micros
            meter = contribute(meter, flow.stakes_cents, Rates(flow.increment_bp, flow.hidden_bp))
            if flow.bucket < 0:  # before the span: the meter began it higher
                points[-1] = Point(points[-1].at, meter.main_micros)
                continue
            ended = flow.minute + MINUTE
            points.append(Point(min(ended, after.at) if after else ended, meter.main_micros))
            inside.append(flow)
            actual += meter.main_micros - before
    return points, _growth(inside, actual)


def _growth(flows: Sequence[_Flow], actual_micros: int) -> Growth:
    span = max(flow.minute for flow in flows) - min(flow.first for flow in flows) + MINUTE if flows else timedelta(0)
    return Growth(
        rounds=sum(flow.rounds for flow in flows),
        wagers=sum(flow.wagers for flow in flows),
        stakes_cents=sum(flow.stakes_cents for flow in flows),
        expected_micros=sum(flow.expected_micros for flow in flows),
        actual_micros=actual_micros,
        minutes=span // MINUTE,
    )


def _in_time(points: Sequence[Point]) -> Iterator[Point]:
    """The floor's clocks differ a little from table to table; a curve goes from left to right all the same."""
    latest = BEGINNING
    for point in points:
        latest = max(latest, point.at)
        yield point._replace(at=latest)
