"""The master game report read: periods, boxes, counts of slips, theo and accruals of some gaming days, and to dates.

A handful of queries, however many tables and days; all of them speak of one position of the log.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from fractions import Fraction
from typing import Any
from zoneinfo import ZoneInfo

from django.conf import settings
from django.db import connection

from casino.commands.order import house_profile
from casino.eventstore.follower import position_of
from casino.keys import round_prefix, session_of
from casino.refusal import Refused, in_quotes
from casino.table import shift_of
from ledger.day_books import facts_of
from ledger.figures import PERIOD_LEAVES, facts_from
from ledger.hold import base_for, by_month
from ledger.models import Box, DropBox, TablePeriod
from ledger.places import Place, places
from ledger.projections import BOOKS
from ledger.queries.filed import one_snapshot
from ledger.reconcile import reconcile
from ledger.stiff import (
    GAME,
    HOUSE,
    NOTHING_PLAYED,
    ONE_BOX,
    PIT,
    ROWS,
    SESSION,
    SHIFT,
    Entry,
    Line,
    MonthSum,
    Played,
    rows,
    subtotals,
    to_date,
)

DAYS_MAX = 366

SLIPS = """
SELECT s.key, count(*) FILTER (WHERE e.type = 'fill_received')::int,
       (count(*) FILTER (WHERE e.type = 'credit_removed')
        - count(*) FILTER (WHERE e.type = 'slip_voided' AND e.in_cents <> 0))::int
  FROM log.stream s JOIN log.event e ON e.stream_id = s.id
   AND e.type IN ('fill_received', 'credit_removed', 'slip_voided') AND e.position <= %s
 WHERE s.key >= %s AND s.key < %s AND split_part(s.key, '/', 4) BETWEEN %s AND %s
 GROUP BY s.key"""

PLAYED = """
SELECT gaming_date, table_code, session, sum(unknown_rounds)::int, sum(result_cents)::bigint,
       sum(theo_numerator), max(theo_denominator)
  FROM luck_hour WHERE gaming_date BETWEEN %s AND %s
 GROUP BY gaming_date, table_code, session, game, paytable"""

# What a racked stake fed at the rates of its own round; a round whose progressive went back fed nothing.
ACCRUALS = """
WITH fed AS (
    SELECT e.table_code, e.gaming_date, e.round_no,
           sum(e.in_cents * ((p ->> 'increment_bp')::int + (p ->> 'hidden_bp')::int + coalesce((
               SELECT sum((l ->> 'increment_bp')::int + (l ->> 'hidden_bp')::int)
                 FROM jsonb_array_elements(p -> 'levels') l), 0)))
               FILTER (WHERE e.type = 'progressive_collected') AS micros,
           bool_or(e.type = 'round_voided' AND e.out_cents <> 0) AS went_back
      FROM unnest(%s::text[], %s::text[]) AS w(low, high) JOIN log.stream s ON s.key >= w.low AND s.key < w.high
      JOIN log.event e ON e.stream_id = s.id AND e.position <= %s
       AND e.type IN ('progressive_collected', 'round_voided')
     CROSS JOIN LATERAL (SELECT e.payload::jsonb AS p) AS parsed
     GROUP BY 1, 2, 3)
SELECT f.gaming_date, f.table_code,
       (SELECT max(t.session) FROM table_period t WHERE t.gaming_date = f.gaming_date
           AND t.table_code = f.table_code AND t.first_round <= f.round_no) AS session, sum(micros)::bigint
  FROM fed f WHERE NOT went_back GROUP BY 1, 2, 3"""

_LEAVES = [leaf.column for leaf in PERIOD_LEAVES]
MONTHS = f"""
WITH standing AS (
    SELECT *, lead(position) OVER (PARTITION BY table_code ORDER BY position) AS until
      FROM unnest(%s::text[], %s::bigint[], %s::text[], %s::text[]) AS t(table_code, position, pit, game)),
days AS (
    SELECT p.gaming_date, p.table_code, min(p.opened_position) AS opened, sum(p.opener_cents) AS opener,
           CASE WHEN bool_and(p.closer_cents IS NOT NULL) THEN sum(p.closer_cents) END AS closer,
           max(b.counted_cents) AS counted, {", ".join(f"sum(p.{name}) AS {name}" for name in _LEAVES)}
      FROM table_period p LEFT JOIN box b ON b.gaming_date = p.gaming_date AND b.table_code = p.table_code
     WHERE p.gaming_date BETWEEN %s AND %s GROUP BY p.gaming_date, p.table_code)
SELECT days.table_code, coalesce(t.pit, ''), coalesce(t.game, ''), date_trunc('month', gaming_date)::date,
       (closer IS NOT NULL AND counted IS NOT NULL), count(*)::int,
       sum(opener)::bigint, sum(closer)::bigint, sum(counted)::bigint,
       {", ".join(f"sum({name})::bigint" for name in _LEAVES)}
  FROM days LEFT JOIN standing t ON t.table_code = days.table_code AND days.opened >= t.position
       AND (t.until IS NULL OR days.opened < t.until)
 GROUP BY 1, 2, 3, 4, 5 ORDER BY 1, 2, 3, 4, 5"""


@dataclass(frozen=True)
class Report:
    """The report of some gaming days as the books stood at `position`; `lines` are its rows, then its subtotals."""

    first: date
    last: date
    by: str
    lines: Sequence[Line]
    position: int

    @property
    def rows(self) -> list[Line]:
        return [line for line in self.lines if not line.is_subtotal]

    @property
    def subtotals(self) -> list[Line]:
        return [line for line in self.lines if line.is_subtotal]

    @property
    def house(self) -> Line | None:
        return next((line for line in self.lines if line.kind == HOUSE), None)


def report(first: date, last: date, by: str) -> Report:
    """The report of the days from `first` to `last`; refuses `unknown_rows`, `days_backwards`, `too_many_days`."""
    if by not in ROWS:
        raise Refused("unknown_rows", f"{in_quotes(by)} is no row of this report; choose from {', '.join(ROWS)}.")
    check_days(first, last)
    with one_snapshot():
        position = position_of(BOOKS.name)
        days, sessions = entries(first, last, position)
        sums = month_sums(date(last.year - 1, 1, 1), last)
    lines = [*rows(days, sessions, by), *subtotals(days, sessions)]
    return Report(first, last, by, [_with_dates(line, sums, last) for line in lines], position)


def check_days(first: date, last: date) -> None:
    """Refuses `days_backwards` and `too_many_days`."""
    if last < first:
        raise Refused("days_backwards", f"The report's last day {last} is before its first, {first}.")
    if (last - first).days >= DAYS_MAX:
        raise Refused("too_many_days", f"A report has at most {DAYS_MAX} days; choose fewer.")


# ------------------------------------------------------------------------------------------------- entries


def entries(first: date, last: date, position: int, books_only: bool = False) -> tuple[list[Entry], list[Entry]]:
    """The table-days, and the periods, of some gaming days; with `books_only` without theo, accruals and numbers."""
    sessions = _sessions(first, last, position, books_only)
    boxes = Box.objects.filter(gaming_date__range=(first, last)).values_list(
        "gaming_date", "table_code", "counted_cents"
    )
    days = table_days(sessions, {(day, table): cents for day, table, cents in boxes})
    return (days if books_only else _with_contents(days, sessions, first, last)), sessions


def _sessions(first: date, last: date, position: int, books_only: bool) -> list[Entry]:
    """Every period of the days, with all that belongs to it."""
    periods = list(TablePeriod.objects.filter(gaming_date__range=(first, last)))
    racked = [] if books_only else [p for p in periods if p.racked_cents]  # type: ignore[attr-defined]
    slips = {} if books_only else _slips(first, last, position)
    played = {} if books_only else _played(first, last)
    accruals = _accruals(racked, position)
    standing, zone = places(), ZoneInfo(settings.TIME_ZONE)
    found = []
    for period in periods:
        key = _key(period)
        entry = entry_of(period, standing.at(period.table_code, period.opened_position), zone)
        fills, credits_ = slips.get(key, (0, 0))
        worth, fed = played.get(key, NOTHING_PLAYED), accruals.get(key, 0)
        found.append(replace(entry, fills=fills, credits=credits_, played=worth, accrual_micros=fed))
    return found


def entry_of(period: TablePeriod, place: Place, zone: ZoneInfo) -> Entry:
    """A period as the books have it, without numbers of slips, theo and accruals."""
    shift = shift_of(period.opened_at, zone, settings.CASINO_SHIFTS)
    return Entry(
        period.gaming_date, period.table_code, place.pit, place.game_name, shift, facts_of([period], None),
        period.cents, session=period.session,
    )  # fmt: skip


def _key(period: TablePeriod) -> tuple[date, str, int]:
    return period.gaming_date, period.table_code, period.session


def table_days(sessions: list[Entry], counts: Mapping[tuple[date, str], int | None]) -> list[Entry]:
    """The table-days, each with what its boxes were counted to; a period that is all of its day is given it too."""
    by_day: dict[tuple[date, str], list[int]] = defaultdict(list)
    for n, entry in enumerate(sessions):
        by_day[entry.gaming_date, entry.table].append(n)
    days = []
    for key, numbers in by_day.items():
        entries = sorted((sessions[n] for n in numbers), key=lambda e: e.session or 0)
        day = _day(entries, counts.get(key))
        days.append(day)
        for n in numbers:
            alone = len(numbers) == 1
            sessions[n] = replace(
                sessions[n], facts=day.facts if alone else sessions[n].facts,
                unknown=day.unknown if alone else _unknown(sessions[n]) | {"counted_drop": ONE_BOX},
            )  # fmt: skip
    return days


def _with_contents(days: list[Entry], sessions: list[Entry], first: date, last: date) -> list[Entry]:
    """The table-days with what was found in their boxes; a period that is all of its day is given it too."""
    boxes: dict[tuple[date, str], list[DropBox]] = defaultdict(list)
    for box in DropBox.objects.filter(gaming_date__range=(first, last)):
        boxes[box.gaming_date, box.table_code].append(box)
    for n, entry in enumerate(sessions):
        mine = boxes.get((entry.gaming_date, entry.table), [])
        sessions[n] = replace(entry, boxes=len(mine), found=_contents(mine))
    return [
        replace(day, boxes=len(mine), found=_contents(mine))
        for day in days
        for mine in [boxes.get((day.gaming_date, day.table), [])]
    ]


def _contents(boxes: list[DropBox]) -> dict[str, int] | None:
    """What boxes hold together; None where one is not counted, or was recorded as one figure."""
    if not boxes or any(box.currency is None for box in boxes):
        return None
    found = {"checks": sum(box.checks_cents or 0 for box in boxes), "promo": sum(box.promo_cents or 0 for box in boxes)}
    for box in boxes:
        for note, cents in (box.currency or {}).items():
            found[note] = found.get(note, 0) + cents
    return found


def _unknown(entry: Entry) -> dict[str, str]:
    return dict(reconcile(entry.facts).unknown)


def _day(entries: list[Entry], counted: int | None) -> Entry:
    line = Line("day", "", tuple(entries))
    facts = replace(line.facts, counted_drop=counted)
    return replace(
        entries[0], facts=facts, cents=line.cents, fills=line.fills, credits=line.credits, played=line.played,
        accrual_micros=line.accrual_micros, session=None, unknown=reconcile(facts).unknown,
    )  # fmt: skip


def _slips(first: date, last: date, position: int) -> dict[tuple[date, str, int], tuple[int, int]]:
    """How many fills and credits each period had."""
    prefix = f"{settings.CASINO_PROPERTY}/session/"
    found = {}
    for key, fills, credits_ in _run(SLIPS, position, prefix, f"{prefix}~", first.isoformat(), last.isoformat()):
        day, session = session_of(key)
        found[day, key.split("/")[2], session] = (fills, credits_)
    return found


def _played(first: date, last: date) -> dict[tuple[date, str, int], Played]:
    found: dict[tuple[date, str, int], Played] = defaultdict(lambda: NOTHING_PLAYED)
    for day, table, session, unknown, result, theo, over in _run(PLAYED, first, last):
        key = (day, table, session)
        found[key] = found[key].plus(Played(result, Fraction(int(theo), int(over)), unknown))
    return found


def _accruals(periods: list[TablePeriod], position: int) -> dict[tuple[date, str, int], int]:
    """Micro-units that the racked stakes of these periods fed."""
    days = sorted({(period.table_code, period.gaming_date) for period in periods})
    lows = [round_prefix(settings.CASINO_PROPERTY, table, day) for table, day in days]
    rows_ = _run(ACCRUALS, lows, [f"{low}~" for low in lows], position) if lows else []
    return {(day, table, session): micros for day, table, session, micros in rows_}


def _run(statement: str, *values: object) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
        return list(cursor.fetchall())


# ------------------------------------------------------------------------------------------------- to date


def month_sums(first: date, last: date) -> list[MonthSum]:
    """Every table's months, complete table-days and others apart: one query."""
    found = []
    standing = [list(column) for column in zip(*places().set_ups, strict=True)] or [[], [], [], []]
    for table, pit, game, month, complete, days, opener, closer, counted, *cents in _run(
        MONTHS, *standing, first, last
    ):
        by_leaf = {leaf.code: amount for leaf, amount in zip(PERIOD_LEAVES, cents, strict=True)}
        facts = facts_from(by_leaf, opener=opener, between=0, closer=closer, counted_drop=counted)
        found.append(MonthSum(table, pit, Place(pit, game).game_name, month, complete, days, facts))
    return found


def _with_dates(line: Line, sums: Sequence[MonthSum], last: date) -> Line:
    """The line with its month and year to date and the base of its game."""
    if line.kind in (SHIFT, SESSION):
        return replace(line, why_no_base="a base level is of whole days")
    mine = [one for one in sums if _is_of(line, one)]
    month = [one for one in mine if one.month == last.replace(day=1)]
    year = [one for one in mine if one.month.year == last.year]
    games = {one.game for one in mine} | {entry.game for entry in line.of}
    line = replace(line, month=to_date(month), year=to_date(year))
    if len(games) != 1:
        return replace(line, why_no_base="a base level is of one game; this line has several")
    game = games.pop()
    of_game = by_month(one for one in sums if one.game == game)
    base = base_for(of_game, last.replace(day=1), house_profile().hold)
    return replace(line, base=base.hold, why_no_base=base.why_none)


def _is_of(line: Line, one: MonthSum) -> bool:
    """Whether a month belongs to a line: a subtotal's month has the tables that did not open on these days, too."""
    if line.kind == GAME:
        return one.game == line.name
    if line.kind == PIT:
        return one.pit == line.name
    return line.kind == HOUSE or one.table in line.tables
