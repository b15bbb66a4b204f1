"""The house by the hour: tables down, hours across, and what came since the last checkpoint (recorded figures)."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any, NamedTuple

from django.conf import settings
from django.db.models import Min

from casino.eventstore import history
from ledger.events import TableAt, checkpoint_key
from ledger.models import TableHour, TablePeriod
from ledger.places import places
from ledger.queries.days import rows_of
from ledger.queries.explained import address
from ledger.scope import Scope
from ledger.stiff import HOUSE, PIT, TABLE

SHOWN = {
    "win": "Estimated win",
    "drop": "Recorded drop",
    "handle": "Handle",
    "rounds": "Rounds",
    "fills": "Fills",
    "credits": "Credits",
}
"""What the grid can show, by the word in its address."""
OPENS = {
    "win": "estimated-win",
    "drop": "recorded-drop",
    "handle": "handle",
    "fills": "fills",
    "credits": "credits",
}
"""The figure that explains a value of the grid; rounds are no amount."""

HOUR = timedelta(hours=1)


class Line(NamedTuple):
    """One table's hours in the order of the grid; None is an hour in which nothing was recorded."""

    table: str
    values: list[int | None]

    @property
    def total(self) -> int:
        return sum(value or 0 for value in self.values)


@dataclass(frozen=True)
class Grid:
    """A figure of all tables by the hour; amounts in cents, rounds as a number."""

    gaming_date: date
    figure: str
    hours: list[datetime]
    lines: list[Line]
    pit: str = ""

    @property
    def name(self) -> str:
        return SHOWN[self.figure]

    @property
    def is_money(self) -> bool:
        return self.figure != "rounds"

    @property
    def is_signed(self) -> bool:
        return self.figure == "win"

    @property
    def totals(self) -> Line:
        """All tables together."""
        columns = zip(*(line.values for line in self.lines), strict=True)
        return Line("", [_sum(column) for column in columns])

    @property
    def shown(self) -> list["Shown"]:
        """All tables together, then each of them, with where every value is explained."""
        return [self._shown(line) for line in (self.totals, *self.lines)]

    def _shown(self, line: Line) -> "Shown":
        kind, name = (TABLE, line.table) if line.table else (PIT, self.pit) if self.pit else (HOUSE, "")
        scope = Scope(kind, name, self.gaming_date, self.gaming_date)
        cells = [
            (value, self._url(scope._replace(hour=hour)) if value is not None else "")
            for hour, value in zip(self.hours, line.values, strict=True)
        ]
        return Shown(line, cells, self._url(scope))

    def _url(self, scope: Scope) -> str:
        return address(OPENS[self.figure], scope) if self.figure in OPENS else ""


class Shown(NamedTuple):
    """A line as the page shows it: each hour's value and its address, and the address of the whole day's."""

    line: Line
    cells: list[tuple[int | None, str]]
    total_url: str


def _sum(values: tuple[int | None, ...]) -> int | None:
    known = [value for value in values if value is not None]
    return sum(known) if known else None


def table_hours(day: date, table: str) -> list[tuple[TableHour, str]]:
    """One table's hours of the gaming day, in order, each with what an address asks for that explains it."""
    hours = TableHour.objects.filter(gaming_date=day, table_code=table).order_by("hour")
    return [(one, Scope(TABLE, table, day, day, hour=one.hour).query) for one in hours]


def pits() -> list[str]:
    """The pits of the house, by name; one query."""
    return places().pits


def grid(day: date, figure: str, pit: str = "") -> Grid:
    """The house's gaming day by the hour of its clock, or that of the tables that stood in a pit; three queries."""
    column = "rounds" if figure == "rounds" else f"{figure}_cents"
    found: dict[str, dict[datetime, int]] = defaultdict(dict)
    mine = _tables_in(day, pit) if pit else set()
    for table, hour, value in TableHour.objects.filter(gaming_date=day).values_list("table_code", "hour", column):
        if not pit or table in mine:
            found[table][hour] = value
    known = {hour for values in found.values() for hour in values}
    hours = _every_hour(min(known), max(known)) if known else []
    lines = [Line(table, [values.get(hour) for hour in hours]) for table, values in sorted(found.items())]
    return Grid(day, figure, hours, lines, pit)


def _tables_in(day: date, pit: str) -> set[str]:
    """The tables that stood in a pit where their day began, as every report counts them."""
    opened = TablePeriod.objects.filter(gaming_date=day).values_list("table_code").annotate(Min("opened_position"))
    standing = places()
    return {table for table, position in opened if standing.at(table, position).pit == pit}


def _every_hour(first: datetime, last: datetime) -> list[datetime]:
    """Every hour from the first to the last; counted in absolute time, so a day of 23 or 25 hours has as many."""
    return [first + n * HOUR for n in range((last - first) // HOUR + 1)]


def as_now(day: date) -> tuple[dict[str, TableAt], int]:
    """What every table of the day shows now, and the position of the log of which that speaks."""
    rows, position = rows_of(day)
    return {row.table: TableAt(row.result.facts.recorded_drop, row.result.estimated_win) for row in rows}, position


class Since(NamedTuple):
    """A table at the checkpoint and now, in cents; `before` is None where it had no figures then."""

    table: str
    before: TableAt | None
    now: TableAt

    @property
    def drop_cents(self) -> int:
        return self.now.drop_cents - (self.before.drop_cents if self.before else 0)

    @property
    def win_cents(self) -> int:
        return self.now.win_cents - (self.before.win_cents if self.before else 0)


@dataclass(frozen=True)
class SinceCheckpoint:
    """The last checkpoint of a day and what came since, table by table and together."""

    taken_at: datetime
    by: str
    note: str
    tables: list[Since]
    house: Since


def since_checkpoint(day: date) -> SinceCheckpoint | None:
    """What came since the day's last checkpoint; None where none was taken."""
    taken = history.latest(checkpoint_key(settings.CASINO_PROPERTY, day), "checkpoint_taken", 1)
    if not taken:
        return None
    event: Any = taken[0].event
    now, _ = as_now(day)
    tables = [Since(table, event.tables.get(table), at) for table, at in now.items()]
    house = Since("", _together(event.tables), _together(now))
    return SinceCheckpoint(taken[0].occurred_at, event.by, event.note, tables, house)


def _together(tables: Mapping[str, TableAt]) -> TableAt:
    return TableAt(sum(at.drop_cents for at in tables.values()), sum(at.win_cents for at in tables.values()))
