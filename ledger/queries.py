"""Drop and hold per table and gaming day, and every figure opened down to the events that make it (books, 1 and 2).

The page reads table_day; a figure's own page adds its events up again from the log, so the two prove each other.
"""

import time
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from typing import Any, NamedTuple

from django.conf import settings
from django.db.models import F, Max, Min, Subquery
from django.urls import reverse

from casino.eventstore import history
from casino.eventstore.follower import position_of
from casino.eventstore.history import Entry, Selection
from casino.eventstore.models import Checkpoint
from casino.keys import round_prefix, session_prefix
from casino.refusal import Refused
from ledger.figures import FIGURES, LEAVES, Amount, Figure, Leaf, counts_under, leaves_under
from ledger.models import DealerError, TableDay
from ledger.projections import BOOKS
from ledger.reconcile import Facts, Reconciled, reconcile, total

ALL = "all"
"""Stands for the sum of all tables in an address; a table's code has capital letters only."""

EVENTS_SHOWN, EVENTS_A_PAGE = 8, 50


def facts_of(day: TableDay) -> Facts:
    """What the read model says of a table's day, in the terms of the books; a count that is missing is None."""
    is_closed = bool(day.sessions_opened) and day.sessions_opened == day.sessions_closed
    return Facts(
        opener=day.opener_cents,
        recorded_drop=day.cash_cents,
        game_result=day.collected_cents + day.progressive_cents - day.winnings_cents,
        jackpots=day.jackpots_paid_cents,
        errors=day.errors_cents,
        closer=day.closer_cents if is_closed else None,
        counted_drop=day.counted_drop_cents,
    )


@dataclass(frozen=True)
class Cell:
    """One figure of one row: its amount, or why there is none, and where it opens."""

    figure: Figure
    amount: Amount
    reason: str
    url: str


@dataclass(frozen=True)
class Row:
    """A table's day, or all tables' together (`table` is ALL), reckoned and explained."""

    gaming_date: date
    table: str
    result: Reconciled
    handle_cents: int
    reasons: Mapping[str, str]
    rounds: int
    voided: int
    sessions: int
    tables: int = 1

    @cached_property
    def cells(self) -> dict[str, Cell]:
        """Every figure by its code, with underscores, as templates want it."""
        return {code.replace("-", "_"): self.cell(code) for code in FIGURES}

    def cell(self, code: str) -> Cell:
        figure = FIGURES[code]
        amount = self.amount(code)
        return Cell(figure, amount, "" if amount is not None else self._reason(code), f"{self._address}{code}/")

    @cached_property
    def _address(self) -> str:
        """Where the row's figures are found; the last step is the figure's code."""
        return reverse("figure", args=[self.gaming_date.isoformat(), self.table, "-"]).removesuffix("-/")

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
    def is_balanced(self) -> bool:
        return self.state == "complete" and not self.result.box_variance and not self.result.tray_variance

    @property
    def awaits_count(self) -> bool:
        """Whether accounting may enter the count now: the table is closed and its box is not counted."""
        return self.table != ALL and self.state == "inventory_only"


# ------------------------------------------------------------------------------------------------- the page


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


def _days() -> Any:
    """Table days, each with the checkpoint of the same snapshot, so that later sums speak of the same moment."""
    checkpoint = Checkpoint.objects.filter(name=BOOKS.name).values("position")
    return TableDay.objects.annotate(upto=Subquery(checkpoint)).order_by("table_code")


def _row(day: TableDay) -> Row:
    result = reconcile(facts_of(day))
    reasons = {key: why for key, why in result.unknown.items() if key != "win"}
    return Row(
        day.gaming_date, day.table_code, result, day.handle_cents, reasons, day.rounds_opened, day.rounds_voided,
        day.sessions_opened,
    )  # fmt: skip


def _total(day: date, rows: list[Row]) -> Row:
    open_ = [row for row in rows if row.result.facts.closer is None]
    uncounted = [row for row in rows if row.result.facts.counted_drop is None]
    reasons = {}
    if open_:
        reasons["closer"] = f"{_tables(open_)} open, so not every tray is counted"
    if uncounted:
        reasons["counted_drop"] = f"the box of {_tables(uncounted, verb=False)} is not counted yet"
    return Row(
        day, ALL, reconcile(total(r.result.facts for r in rows)), sum(r.handle_cents for r in rows), reasons,
        sum(r.rounds for r in rows), sum(r.voided for r in rows), sum(r.sessions for r in rows), len(rows),
    )  # fmt: skip


def _tables(rows: list[Row], verb: bool = True) -> str:
    if len(rows) == 1:
        return f"table {rows[0].table}{' is' if verb else ''}"
    return f"{len(rows)} tables{' are' if verb else ''}"


def drop_and_hold(day: date) -> DropAndHold:
    """The page of one gaming day: two queries, however many tables there are."""
    days = list(_days().filter(gaming_date=day))
    ends = TableDay.objects.aggregate(first=Min("gaming_date"), last=Max("gaming_date"))
    rows = [_row(one) for one in days]
    position = days[0].upto or 0 if days else position_of(BOOKS.name)
    return DropAndHold(day, rows, _total(day, rows) if rows else None, position, ends["first"], ends["last"])


def floor_figures(days: Mapping[str, date]) -> dict[str, dict[str, Any]]:
    """For the floor's pages: each table's figures on its day, in one query (named in settings.FLOOR_FIGURES)."""
    known = TableDay.objects.filter(gaming_date__in=set(days.values()), table_code__in=list(days))
    rows = (_row(day) for day in known if days[day.table_code] == day.gaming_date)
    return {row.table: _floor_figures(row) for row in rows}


def _floor_figures(row: Row) -> dict[str, Any]:
    return {
        "recorded_drop_cents": row.result.facts.recorded_drop,
        "estimated_win_cents": row.result.estimated_win,
        "game_result_cents": row.result.facts.game_result,
        # Of a day with several sessions the tray of the present one is not known from the day's sums.
        "expected_tray_cents": row.result.expected_tray if row.sessions == 1 else None,
        "day": row,
    }


class DealerErrors(NamedTuple):
    """A gaming day's wagers that were paid otherwise than due, and what that makes: E = paid − due (books, 2)."""

    errors: list[DealerError]
    over_cents: int
    under_cents: int

    @property
    def difference_cents(self) -> int:
        return self.over_cents - self.under_cents


def dealer_errors(day: date) -> DealerErrors:
    """Every recorded difference of the day, table by table in the order of the rounds; one query."""
    known = DealerError.objects.filter(gaming_date=day).exclude(paid_cents=F("due_cents"))
    errors = list(known.order_by("table_code", "n", "number"))
    differences = [error.difference_cents for error in errors]
    return DealerErrors(errors, sum(d for d in differences if d > 0), -sum(d for d in differences if d < 0))


# ------------------------------------------------------------------------------------------------- one figure


@dataclass(frozen=True)
class LeafPage:
    """The events of one kind under a figure: all of them summed, some of them listed, `more` where it goes on."""

    sign: str
    leaf: Leaf
    count: int
    sum_cents: int
    entries: list[Entry]
    more: str

    def amount_of(self, entry: Entry) -> int:
        return entry.in_cents if self.leaf.side == "in" else entry.out_cents

    @property
    def listed(self) -> list[tuple[Entry, int]]:
        return [(entry, self.amount_of(entry)) for entry in self.entries]

    @property
    def signed_cents(self) -> int:
        return _signed(self.sign, self.sum_cents)


@dataclass(frozen=True)
class PartPage:
    """A part of a figure: its sign, its own cell where it is a figure, what its events add up to, and the events."""

    sign: str
    code: str
    name: str
    cell: Cell | None
    added_cents: int
    leaves: list[LeafPage]

    @property
    def amount(self) -> Amount:
        return self.cell.amount if self.cell else self.added_cents

    @property
    def is_proven(self) -> bool:
        """Whether the part's events add up to it; an amount that is not known yet has nothing to prove."""
        return self.amount is None or self.amount == self.added_cents


@dataclass(frozen=True)
class FigurePage:
    """A figure of a table's day with its formula, its parts and their events, up to `position` of the log."""

    row: Row
    cell: Cell
    parts: list[PartPage]
    position: int
    only: str

    @property
    def is_proven(self) -> bool:
        """Whether the events of the log add up to what the page shows."""
        if not all(part.is_proven for part in self.parts):
            return False
        if self.cell.figure.is_share or self.cell.amount is None:
            return True
        return sum(_signed(part.sign, part.added_cents) for part in self.parts) == self.cell.amount


def figure_page(day: date, table: str, code: str, only: str = "", after: str = "") -> FigurePage:
    """A table's figure down to its events; `only` lists one kind of event, a page of it `after` a cursor.

    Refuses `unknown_figure` and `unknown_table_day`; an odd cursor raises ValueError.
    """
    if code not in FIGURES:
        raise Refused("unknown_figure", f"There is no figure {code!r}; choose one on the page of the day.")
    found = _days().filter(gaming_date=day, table_code=table).first() if "\0" not in table else None
    if found is None:
        raise Refused("unknown_table_day", f"Table {table!r} has no figures on gaming day {day}.")
    row, upto = _row(found), found.upto or 0
    if only and only not in {leaf.code for _, leaf in leaves_under(code)}:
        raise Refused("unknown_part", f"{only!r} is no part of this figure.")
    sums = history.sums([_selection(row, leaf, upto) for _, leaf in leaves_under(code)])
    parts = [_part(row, sign, part, sums, upto, only, after) for sign, part in FIGURES[code].parts]
    return FigurePage(row, row.cell(code), parts, upto, only)


@dataclass(frozen=True)
class TotalPage:
    """A figure of the whole day: every table's own figure, which opens further down to its events."""

    row: Row
    cell: Cell
    tables: list[tuple[str, Cell]]


def total_page(day: date, code: str) -> TotalPage:
    """A figure of all tables together; refuses `unknown_figure` and `unknown_table_day`."""
    if code not in FIGURES:
        raise Refused("unknown_figure", f"There is no figure {code!r}; choose one on the page of the day.")
    of_day = drop_and_hold(day)
    if of_day.total is None:
        raise Refused("unknown_table_day", f"No table has figures on gaming day {day}.")
    return TotalPage(of_day.total, of_day.total.cell(code), [(row.table, row.cell(code)) for row in of_day.rows])


def table_day(day: date, table: str) -> Row:
    """One table's day; refuses `unknown_table_day`."""
    found = _days().filter(gaming_date=day, table_code=table).first() if "\0" not in table else None
    if found is None:
        raise Refused("unknown_table_day", f"Table {table!r} has no figures on gaming day {day}.")
    return _row(found)


def wait_until_read(position: int, patience_s: float = 2.0) -> bool:
    """Wait until the books have read up to `position`, so that a page shows what was just recorded."""
    end = time.monotonic() + patience_s
    while position_of(BOOKS.name) < position:
        if time.monotonic() > end:
            return False
        time.sleep(0.02)
    return True


def _part(
    row: Row, sign: str, code: str, sums: Mapping[str, history.Sum], upto: int, only: str, after: str
) -> PartPage:
    under = leaves_under(code)
    added = sum(_signed(s, _cents(leaf, sums)) for s, leaf in under)
    leaves = [_leaf_page(row, s, leaf, sums, upto, only, after) for s, leaf in under if only in ("", leaf.code)]
    if code in LEAVES:
        return PartPage(sign, code, LEAVES[code].name, None, added, leaves)
    return PartPage(sign, code, FIGURES[code].name, row.cell(code), added, leaves)


def _leaf_page(
    row: Row, sign: str, leaf: Leaf, sums: Mapping[str, history.Sum], upto: int, only: str, after: str
) -> LeafPage:
    count = sums[leaf.type].events if leaf.type in sums else 0
    size = EVENTS_A_PAGE if only else EVENTS_SHOWN
    entries = history.page(_selection(row, leaf, upto), after if only else "", size + 1) if count else []
    more = entries[size - 1].cursor if len(entries) > size else ""
    return LeafPage(sign, leaf, count, _cents(leaf, sums), entries[:size], more)


def _cents(leaf: Leaf, sums: Mapping[str, history.Sum]) -> int:
    made = sums.get(leaf.type, history.Sum(0, 0, 0))
    return made.in_cents if leaf.side == "in" else made.out_cents


def _signed(sign: str, cents: int) -> int:
    return -cents if sign == "−" else cents


def _selection(row: Row, leaf: Leaf, upto: int) -> Selection:
    house, day = settings.CASINO_PROPERTY, row.gaming_date
    prefix = {
        "session": f"{session_prefix(house, row.table)}{day.isoformat()}/",
        "round": round_prefix(house, row.table, day),
        "box": f"{house}/box/{row.table}/{day.isoformat()}",
        "hit": f"{house}/hit/",
    }[leaf.streams]
    return Selection(prefix, leaf.type, row.table, day, upto)
