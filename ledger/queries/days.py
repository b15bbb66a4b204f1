"""Drop and hold of tables' periods and days, each figure with where it opens, or why it is unknown (books, 1 and 2)."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from functools import cache, cached_property, partial, reduce
from operator import or_
from typing import Any

from django.db.models import Max, Min, Q, Subquery
from django.urls import reverse

from casino.eventstore.follower import position_of, wait_for
from casino.eventstore.models import Checkpoint
from casino.refusal import Refused, in_quotes
from ledger.day_books import facts_of, handle_of
from ledger.figures import FIGURES, Amount, Figure, counts_under
from ledger.models import Box, TablePeriod
from ledger.projections import BOOKS
from ledger.reconcile import Reconciled, reconcile, total

ALL = "all"
"""Stands for the sum of all tables in an address; a table's code has capital letters only."""


@dataclass(frozen=True)
class Cell:
    """One figure of one row: its amount, or why there is none, and where it opens."""

    figure: Figure
    amount: Amount
    reason: str
    url: str

    @property
    def remark(self) -> str:
        """What an amount says that can't be: a tray holds no fewer chips than none."""
        if self.figure.code != "expected-tray" or self.amount is None or self.amount >= 0:
            return ""
        return (
            "A tray can't hold less than nothing: chips came to it that nobody recorded, say by a fill, or its opener "
            "or a buy-in is wrong."
        )


@dataclass(frozen=True)
class Row:
    """A table's day or one period of it, or all tables' day together (`table` is ALL), reckoned and explained."""

    gaming_date: date
    table: str
    result: Reconciled
    handle_cents: int
    reasons: Mapping[str, str]
    periods: tuple[TablePeriod, ...]
    session: int | None = None
    tables: int = 1

    @cached_property
    def cells(self) -> dict[str, Cell]:
        """Every figure by its code, with underscores, as templates want it."""
        return {code.replace("-", "_"): self.cell(code) for code in FIGURES}

    def cell(self, code: str) -> Cell:
        figure = FIGURES[code]
        amount = self.amount(code)
        reason = "" if amount is not None else self._reason(code)
        return Cell(figure, amount, reason, f"{self._address}{code}/{self._asked}")

    @cached_property
    def _address(self) -> str:
        """Where the row's figures are found; the last step is the figure's code."""
        return reverse("figure", args=[self.gaming_date.isoformat(), self.table, "-"]).removesuffix("-/")

    @property
    def _asked(self) -> str:
        return "" if self.session is None else f"?session={self.session}"

    def amount(self, code: str) -> Amount:
        return self.handle_cents if code == "handle" else FIGURES[code].value(self.result)

    def _reason(self, code: str) -> str:
        """Why a figure is unknown: the counts that it waits for, or a drop of nothing to divide by."""
        waits = [self.reasons[count] for count in counts_under(code) if count in self.reasons]
        return "; ".join(waits) or "the drop is 0, and a share of nothing says nothing"

    @property
    def state(self) -> str:
        return self.result.state

    @property
    def rounds(self) -> int:
        return sum(period.rounds_opened for period in self.periods)

    @property
    def voided(self) -> int:
        return sum(period.rounds_voided for period in self.periods)

    @property
    def reckoning(self) -> list[tuple[str, Cell]]:
        """The parts of the expected tray that say something, with their signs."""
        always = ("opener", "recorded-drop", "game-result")
        parts = [(sign, self.cell(code)) for sign, code in FIGURES["expected-tray"].parts]
        return [(sign, cell) for sign, cell in parts if cell.amount or cell.figure.code in always]

    @property
    def tray_cents(self) -> int:
        """What should be in the tray now: from the last count on, so that an older difference is not in it."""
        if len(self.periods) == 1:
            return self.result.expected_tray
        return reconcile(facts_of(self.periods[-1:], None)).expected_tray

    @property
    def is_balanced(self) -> bool:
        return self.state == "complete" and not self.result.box_variance and not self.result.tray_variance


@dataclass(frozen=True)
class DropAndHold:
    """All tables of a gaming day, as the books stood at `position` of the log."""

    gaming_date: date
    rows: list[Row]
    total: Row | None
    position: int
    first: date | None
    last: date | None

    @property
    def states(self) -> dict[str, int]:
        """How many tables are in each state."""
        found = dict.fromkeys(("complete", "inventory_only", "open"), 0)
        for row in self.rows:
            found[row.state] += 1
        return found


def _periods() -> Any:
    """Periods, each with its box's count and the checkpoint of the same snapshot, so that sums speak of one moment."""
    checkpoint = Checkpoint.objects.filter(name=BOOKS.name).values("position")
    return TablePeriod.objects.annotate(upto=Subquery(checkpoint)).order_by("table_code", "session")


def table_row(day: date, table: str, periods: list[TablePeriod], counted_drop: int | None) -> Row:
    """A table's whole day from its periods and what its box was counted to."""
    result = reconcile(facts_of(periods, counted_drop))
    reasons = {key: why for key, why in result.unknown.items() if key != "win"}
    return Row(day, table, result, handle_of(periods), reasons, tuple(periods))


def period_row(period: TablePeriod) -> Row:
    """One period by itself. Its drop is counted only where a box is pulled for each; here one box serves the day."""
    result = reconcile(facts_of([period], None))
    reasons = {key: why for key, why in result.unknown.items() if key != "win"}
    reasons["counted_drop"] = "one box serves the whole day, so only the day's drop is counted"
    return Row(period.gaming_date, period.table_code, result, handle_of([period]), reasons, (period,), period.session)


def total_row(day: date, rows: list[Row]) -> Row:
    """All tables' days added up; a count that is missing at one table is missing in the sum."""
    open_ = [row for row in rows if row.result.facts.closer is None]
    uncounted = [row for row in rows if row.result.facts.counted_drop is None]
    reasons = {}
    if open_:
        reasons["closer"] = f"{_tables(open_)} open, so not every tray is counted"
    if uncounted:
        reasons["counted_drop"] = f"the box of {_tables(uncounted, verb=False)} is not counted yet"
    periods = tuple(period for row in rows for period in row.periods)
    result = reconcile(total(row.result.facts for row in rows))
    return Row(day, ALL, result, sum(row.handle_cents for row in rows), reasons, periods, tables=len(rows))


def _tables(rows: list[Row], verb: bool = True) -> str:
    if len(rows) == 1:
        return f"table {rows[0].table}{' is' if verb else ''}"
    return f"{len(rows)} tables{' are' if verb else ''}"


def rows_of(day: date, tables: Iterable[str] | None = None) -> tuple[list[Row], int]:
    """The tables' rows of a gaming day and the position they speak of: two queries, however many tables."""
    return _rows_where(Q(gaming_date=day) if tables is None else Q(gaming_date=day, table_code__in=list(tables)))


def _rows_where(wanted: Q) -> tuple[list[Row], int]:
    """The rows of table-days that are wanted, by table, and the position they speak of; two queries."""
    by_day: dict[tuple[str, date], list[TablePeriod]] = defaultdict(list)
    for period in _periods().filter(wanted):
        by_day[period.table_code, period.gaming_date].append(period)
    upto = max((getattr(p, "upto", 0) or 0 for periods in by_day.values() for p in periods), default=0)
    boxes = Box.objects.filter(wanted, last_position__lte=upto)
    counts = {
        (table, day): cents for table, day, cents in boxes.values_list("table_code", "gaming_date", "counted_cents")
    }
    return [table_row(day, table, periods, counts.get((table, day))) for (table, day), periods in by_day.items()], upto


def drop_and_hold(day: date) -> DropAndHold:
    """The page of one gaming day."""
    rows, position = rows_of(day)
    ends = TablePeriod.objects.aggregate(first=Min("gaming_date"), last=Max("gaming_date"))
    if not rows:
        position = position_of(BOOKS.name)
    return DropAndHold(day, rows, total_row(day, rows) if rows else None, position, ends["first"], ends["last"])


def floor_figures(days: Mapping[str, date]) -> dict[str, dict[str, Any]]:
    """For the floor's pages: each table's figures on its day, in two queries (named in settings.FLOOR_FIGURES)."""
    tables: dict[date, list[str]] = defaultdict(list)
    for table, day in days.items():
        tables[day].append(table)
    wanted = [Q(gaming_date=day, table_code__in=codes) for day, codes in tables.items()]
    rows, _ = _rows_where(reduce(or_, wanted)) if wanted else ([], 0)
    return {row.table: _floor_figures(row) for row in rows}


def _floor_figures(row: Row) -> dict[str, Any]:
    return {
        "recorded_drop_cents": row.result.facts.recorded_drop,
        "estimated_win_cents": row.result.estimated_win,
        "game_result_cents": row.result.facts.game_result,
        "expected_tray_cents": row.tray_cents,
        "position": max(period.last_position for period in row.periods),
        "day": row,
        "now": cache(partial(period_row, row.periods[-1])),  # a table's own page asks for it, the floor doesn't
    }


def table_day(day: date, table: str) -> Row:
    """One table's day; refuses `unknown_table_day`."""
    rows, _ = rows_of(day, [table]) if "\0" not in table else ([], 0)
    if not rows:
        raise Refused("unknown_table_day", f"Table {in_quotes(table)} has no figures on gaming day {day}.")
    return rows[0]


def wait_until_read(position: int, patience_s: float = 2.0) -> bool:
    """Wait until the books have read up to `position`, so that a page shows what was just recorded."""
    return wait_for(BOOKS.name, position, patience_s)
