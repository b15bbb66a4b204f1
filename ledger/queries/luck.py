"""Luck read: every table of a gaming day at once, and one table's day hour by hour."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime
from fractions import Fraction
from typing import Any, NamedTuple

from django.db import connection
from django.utils import timezone

from casino.games import game
from casino.games.game import Setup
from casino.games.spread import spread_of
from casino.refusal import Refused
from ledger.luck import Luck, Played, Point, Replayed
from ledger.models import LuckChance, LuckHour

NUMBERS = """
    sum(rounds)::int, sum(unknown_rounds)::int, sum(stakes_cents)::bigint, sum(result_cents)::bigint,
    sum(theo_numerator), max(theo_denominator), sum(variance_numerator), max(variance_denominator)"""
DAY = f"""
    SELECT table_code, game, paytable, {NUMBERS} FROM luck_hour
     WHERE gaming_date = %s AND (%s::text IS NULL OR table_code = %s) GROUP BY table_code, game, paytable"""
ASKED = f"""
    SELECT table_code, game, paytable, {NUMBERS} FROM luck_hour
      JOIN unnest(%s::date[], %s::text[]) AS asked (day, code) ON gaming_date = day AND table_code = code
     GROUP BY table_code, game, paytable"""
HOURS = f"""
    SELECT hour, {NUMBERS} FROM luck_hour
     WHERE gaming_date = %s AND table_code = %s GROUP BY hour, game, paytable ORDER BY hour"""

NOTHING = Played(0, 0, 0, 0, Fraction(0), Fraction(0))


def luck_of(gaming_date: date, table: str | None = None) -> dict[str, Luck]:
    """Table → its luck on the gaming day; of all tables that settled a round, or of the one named. Two queries."""
    chances = LuckChance.objects.filter(gaming_date=gaming_date, **({"table_code": table} if table else {}))
    return _by_table(_rows(DAY, gaming_date, table, table), chances)


def _by_table(rows: Iterable[Sequence[Any]], chances: Iterable[LuckChance]) -> dict[str, Luck]:
    """Table → its luck, of rows that are of one day of each table."""
    played: dict[str, Played] = defaultdict(lambda: NOTHING)
    approximations: dict[str, dict[str, None]] = defaultdict(dict)
    for code, game_code, paytable, *numbers in rows:
        played[code] = played[code].plus(_played(numbers))
        approximations[code] |= dict.fromkeys(_approximations(game_code, paytable))
    found = {one.table_code: one for one in chances}
    return {code: _luck(one, found.get(code), tuple(approximations[code])) for code, one in played.items()}


def floor_luck(days: Mapping[str, date]) -> dict[str, dict[str, Any]]:
    """For the floor's pages: each table's luck on its day, in two queries (named in settings.FLOOR_FIGURES)."""
    chances = LuckChance.objects.filter(pk__in=[(day, table) for table, day in days.items()])
    found = _by_table(_rows(ASKED, list(days.values()), list(days)), chances)
    return {table: {"luck": luck, "replayed_position": luck.replayed_position} for table, luck in found.items()}


class LuckLine(NamedTuple):
    """A table's day, a point for the end of each hour in which it was played; empty where it was not."""

    table: str
    gaming_date: date
    points: Sequence[Point]


def luck_line(table: str, gaming_date: date) -> LuckLine:
    """The day's result, its theo and the 95 % band, each cumulated, hour by hour. Two queries."""
    chance = LuckChance.objects.filter(gaming_date=gaming_date, table_code=table).first()
    bands = chance.band if chance is not None and chance.is_known else {}
    so_far, points = NOTHING, dict[datetime, Point]()
    for hour, *numbers in _rows(HOURS, gaming_date, table):
        so_far = so_far.plus(_played(numbers))
        band = bands.get(hour.isoformat())
        points[hour] = Point(
            timezone.localtime(hour), so_far.rounds, so_far.result_cents, so_far.theo, tuple(band) if band else None
        )
    return LuckLine(table, gaming_date, list(points.values()))


def latest_day(table: str) -> date | None:
    """The latest gaming day on which the table settled a round."""
    days = LuckHour.objects.filter(table_code=table).order_by("-gaming_date").values_list("gaming_date", flat=True)
    return days.first()


def _rows(statement: str, *values: object) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
        return list(cursor.fetchall())


def _played(numbers: Sequence[Any]) -> Played:
    rounds, unknown, stakes, result, *exact = numbers
    theo, theo_over, variance, variance_over = map(int, exact)
    return Played(rounds, unknown, stakes, result, Fraction(theo, theo_over), Fraction(variance, variance_over))


def _luck(played: Played, found: LuckChance | None, approximations: Sequence[str]) -> Luck:
    if found is None:
        return Luck(played, None, approximations)
    replayed = Replayed(found.rounds, found.at_or_below, found.at_or_above) if found.is_known else None
    can = found.is_known
    return Luck(played, replayed, approximations, can_be_replayed=can, replayed_position=found.last_position)


def _approximations(code: str, paytable: str) -> Sequence[str]:
    """What the game took simpler than it is; nothing of a game that this house no longer deals: its rounds say so."""
    try:
        known = game(code)
        return spread_of(code, Setup(paytable, known.layouts[0], known.methods[0])).approximations
    except Refused:
        return ()
