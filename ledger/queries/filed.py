"""Closed days as they were filed and as they are known now, and the late facts that make the difference (books, 4)."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date
from typing import Any, Literal, NamedTuple

from django.conf import settings
from django.db import connection, transaction
from django.db.models import Count, Q, QuerySet, Sum

from casino.eventstore import history
from casino.eventstore.follower import position_of
from casino.eventstore.history import Entry
from casino.money import cut_to_cent
from casino.refusal import Refused
from ledger.accounts import PATRONS_CHIPS
from ledger.adjustments import WORDS, Effect, Fact, TableDay, after, effects
from ledger.closing_events import DayFiled, FiledTable, day_key
from ledger.day_books import TableBooks, at_cut, filed_tables, place_of
from ledger.figures import CORRECTED_BY, PERIOD_LEAVES
from ledger.filed import SUMMED, digest_of
from ledger.models import DayClose, FiledTotal, LateFact, TablePeriod
from ledger.places import Place, places
from ledger.projections import BOOKS
from ledger.queries.days import Row, rows_of, table_row, total_row
from ledger.queries.journal import reached, trial_balance
from ledger.reconcile import Facts, Reconciled, reconcile, total

AsOf = Literal["filed", "known"]
BOXES = ("drop_counted", "count_corrected", "emergency_box_placed")
LATE_SLIP = "late_transfer_recorded"
LISTED_MAX = 200
"""How many adjustments of a day are listed one by one; those after them are taken together."""


@contextmanager
def one_snapshot() -> Iterator[None]:
    """All that is read within speaks of one moment; read only, so it holds nothing back."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        yield


# ------------------------------------------------------------------------------------------------- a day's totals


class DayTotals(NamedTuple):
    """A day's tables and all of them together, as filed (`position` is the cut) or as known at `position`."""

    gaming_date: date
    as_of: AsOf
    rows: list[Row]
    total: Row | None
    position: int


def close_of(gaming_date: date) -> DayClose:
    """The day's close; refuses `day_not_closed`."""
    found = DayClose.objects.filter(gaming_date=gaming_date).first()
    if found is None:
        raise Refused("day_not_closed", f"Gaming day {gaming_date} is not closed, so nothing is filed of it yet.")
    return found


def day_totals(gaming_date: date, as_of: AsOf = "known") -> DayTotals:
    """The day's tables as they were at its cut, or as they are known now; "filed" refuses `day_not_closed`."""
    if as_of == "filed":
        return _filed(close_of(gaming_date))
    rows, position = rows_of(gaming_date)
    all_of_them = total_row(gaming_date, rows) if rows else None
    return DayTotals(gaming_date, as_of, rows, all_of_them, position or position_of(BOOKS.name))


def _filed(close: DayClose) -> DayTotals:
    day = close.gaming_date
    rows = [table_row(day, table, books.periods, books.counted_drop) for table, books in at_cut(close).items()]
    return DayTotals(day, "filed", rows, total_row(day, rows) if rows else None, close.cut)


# ------------------------------------------------------------------------------------------------- adjustments


@dataclass(frozen=True)
class Adjustment:
    """A late fact: its event, what it changed of its table's day, and for whom people answer."""

    entry: Entry
    effects: Sequence[Effect]
    record: Entry | None = None
    """Who put a late slip on record, and why; of other facts their own event says it."""

    @property
    def what(self) -> str:
        return WORDS[self.entry.type]

    @property
    def _answers(self) -> dict[str, Any]:
        return (self.record or self.entry).content

    @property
    def requested_by(self) -> str:
        return str(self._answers.get("requested_by") or self._answers.get("by") or self.entry.actor)

    @property
    def approved_by(self) -> str:
        return str(self._answers.get("approved_by") or "")

    @property
    def reason(self) -> str:
        return str(self._answers.get("reason") or "")

    @property
    def corrects(self) -> int | None:
        """The position of the entry that it puts right."""
        return self.entry.content.get("corrects")


@dataclass(frozen=True)
class Compared:
    """A table's day as filed and as known now: the figures that differ."""

    table: str
    filed: Row | None
    known: Row | None
    effects: Sequence[Effect]


@dataclass(frozen=True)
class FiledDay:
    """All that the page of a closed day shows.

    `rest` are the effects, by table, of the facts after the LISTED_MAX first; `is_explained`: the facts, applied to the
    day as filed, make the day as known now, figure by figure.
    """

    close: DayClose
    filed: DayTotals
    known: DayTotals
    adjustments: Sequence[Adjustment]
    rest: Mapping[str, Sequence[Effect]]
    rest_count: int
    tables: Sequence[Compared]
    places: Mapping[str, Place]
    is_explained: bool
    is_proven: bool | None

    @property
    def differs(self) -> list[Compared]:
        return [table for table in self.tables if table.effects]


def filed_day(gaming_date: date) -> FiledDay:
    """A closed day with its adjustments; refuses `day_not_closed`."""
    with one_snapshot():
        close = close_of(gaming_date)
        filed, known = _filed(close), day_totals(gaming_date)
        entries = _late(gaming_date)
    days = {table: _table_day(books) for table, books in at_cut(close).items()}
    was = dict(days)
    listed, rest = entries[:LISTED_MAX], entries[LISTED_MAX:]
    records = _records(listed)
    adjustments = [
        Adjustment(entry, _applied(days, entry), records.get((entry.key, entry.content.get("transfer"))))
        for entry in listed
    ]
    between = dict(days)
    for entry in rest:
        _applied(days, entry)
    now = {row.table: _table_day(_as_one_box(row)) for row in known.rows}
    where = places_of(close)
    return FiledDay(
        close=close,
        filed=filed,
        known=known,
        adjustments=adjustments,
        rest={table: found for table in days if (found := effects(between.get(table, TableDay()), days[table]))},
        rest_count=len(rest),
        tables=_compared(filed, known, was, now),
        places=where,
        is_explained={table: day.figures for table, day in days.items()}
        == {table: day.figures for table, day in now.items()},
        is_proven=_is_proven(close, filed_tables(close, lambda periods: where[periods[0].table_code])),
    )


def _late(gaming_date: date) -> list[Entry]:
    return history.at(list(LateFact.objects.filter(gaming_date=gaming_date).values_list("position", flat=True)))


def _records(entries: Sequence[Entry]) -> dict[tuple[str, Any], Entry]:
    """The records of late slips, by stream and transfer."""
    keys = sorted({entry.key for entry in entries if "transfer" in entry.content})
    return {(one.key, one.content["transfer"]): one for one in history.of_types(keys, [LATE_SLIP])} if keys else {}


def _table_day(books: TableBooks) -> TableDay:
    return TableDay(
        openers={period.session: period.opener_cents for period in books.periods},
        closers={p.session: p.closer_cents for p in books.periods if p.closer_cents is not None},
        cents={leaf.code: sum(getattr(p, leaf.column) for p in books.periods) for leaf in PERIOD_LEAVES},
        boxes=books.boxes,
    )


def _as_one_box(row: Row) -> TableBooks:
    """The books of a row, which has all of its boxes as one."""
    counted = row.result.facts.counted_drop
    return TableBooks(list(row.periods), {} if counted is None else {1: counted})


def _applied(days: dict[str, TableDay], entry: Entry) -> list[Effect]:
    """Apply one fact to its table's day, and say what it changed."""
    assert entry.table_code is not None
    before = days.get(entry.table_code, TableDay())
    days[entry.table_code] = after(before, _fact(entry))
    return effects(before, days[entry.table_code])


def _fact(entry: Entry) -> Fact:
    counts_as = str(entry.content["entry"]) if entry.type == CORRECTED_BY else entry.type
    session = entry.content.get("session")
    session = session if isinstance(session, int) else None
    box = entry.content.get("number", 1) if entry.type in BOXES else 1
    return Fact(entry.type, counts_as, session, entry.in_cents, entry.out_cents, box)


def _compared(
    filed: DayTotals, known: DayTotals, was: Mapping[str, TableDay], now: Mapping[str, TableDay]
) -> list[Compared]:
    filed_rows, known_rows = ({row.table: row for row in totals.rows} for totals in (filed, known))
    return [
        Compared(
            table,
            filed_rows.get(table),
            known_rows.get(table),
            effects(was.get(table, TableDay()), now.get(table, TableDay())),
        )
        for table in sorted(filed_rows.keys() | known_rows.keys())
    ]


def places_of(close: DayClose) -> dict[str, Place]:
    """Where each table of the day is counted: as it was filed, and before that by the set-ups."""
    filed = FiledTotal.objects.filter(gaming_date=close.gaming_date).values_list("table_code", "pit", "game")
    if filed:
        return {table: Place(pit, game) for table, pit, game in filed}
    standing = places()
    return {table: place_of(standing, books.periods) for table, books in at_cut(close).items()}


def _is_proven(close: DayClose, tables: Mapping[str, FiledTable]) -> bool | None:
    """Whether the day as kept makes the digest that was filed, by the log itself; None until it is filed."""
    if close.filed_position is None:
        return None
    filed = [one for one in history.at([close.filed_position]) if one.key == _key(close.gaming_date)]
    made = digest_of(close.cut, tables)
    return [one.event.digest for one in filed if isinstance(one.event, DayFiled)] == [made] and made == close.digest


def _key(gaming_date: date) -> str:
    return day_key(settings.CASINO_PROPERTY, gaming_date)


# ------------------------------------------------------------------------------------------------- chip float


class ChipFloat(NamedTuple):
    """The chips that patrons hold at a day's cut and held at the cut of the closed day before it, in cents.

    A jurisdiction that taxes it (Indiana) adds the adjustment to the tables' win. `before_cents` is None for the first
    day that was closed.
    """

    cents: int
    before_cents: int | None

    @property
    def adjustment_cents(self) -> int | None:
        """By how much it rose from the day before; below zero where chips came back."""
        return None if self.before_cents is None else self.cents - self.before_cents

    def receipts_cents(self, win_cents: int | None) -> int | None:
        """The win with the adjustment; None where one of the two is not known."""
        if win_cents is None or self.adjustment_cents is None:
            return None
        return win_cents + self.adjustment_cents


def chip_float(close: DayClose) -> ChipFloat | None:
    """The day's chip float by the journal: chips issued less cage, trays and transit; None where it is not read yet."""
    if reached() < close.cut:
        return None
    before = DayClose.objects.filter(gaming_date__lt=close.gaming_date).order_by("-gaming_date").first()
    return ChipFloat(_held_at(close.cut), _held_at(before.cut) if before else None)


def _held_at(cut: int) -> int:
    return cut_to_cent(trial_balance(cut).of(PATRONS_CHIPS))


# ------------------------------------------------------------------------------------------------- to date


@dataclass(frozen=True)
class ToDate:
    """The sum of the filed days from `first` to `last`, by table and together; `unfiled` days with play are left out.

    An opener or a closer has no meaning over days, but their sums make the win of the sum.
    """

    first: date
    last: date
    days: int
    unfiled: int
    tables: Mapping[str, tuple[Facts, int]]

    @property
    def result(self) -> Reconciled | None:
        """All tables' filed days together, reckoned; None where none is filed."""
        return reconcile(total(facts for facts, _ in self.tables.values())) if self.tables else None

    @property
    def handle_cents(self) -> int:
        return sum(handle for _, handle in self.tables.values())


def month_to_date(close: DayClose) -> ToDate:
    """From the first of the month to the day, as filed with it."""
    return filed_to_date(close, close.gaming_date.replace(day=1))


def year_to_date(close: DayClose) -> ToDate:
    """From the first of January to the day, as filed with it."""
    return filed_to_date(close, close.gaming_date.replace(month=1, day=1))


def sums_to_date(close: DayClose) -> list[tuple[str, ToDate]]:
    """Month and year to date as they were filed with the day, each with its name."""
    return [("Month", month_to_date(close)), ("Year", year_to_date(close))]


def filed_by(close: DayClose, first: date, last: date) -> QuerySet[DayClose]:
    """The days from `first` to `last` that were filed when this one was, itself included; while it waits, all filed."""
    upto = Q() if close.filed_position is None else Q(filed_position__lte=close.filed_position)
    is_filed = upto & ~Q(filed_position=None)
    return DayClose.objects.filter(is_filed | Q(pk=close.pk), gaming_date__range=(first, last))


def filed_to_date(close: DayClose, first: date) -> ToDate:
    """The sum of the days from `first` to a closed one that were filed when it was: a few queries, however many days.

    What is filed later, of whichever day, changes nothing of it: it is the same whenever it is printed.
    """
    last, filed = close.gaming_date, filed_by(close, first, close.gaming_date).exclude(filed_position=None)
    within = FiledTotal.objects.filter(gaming_date__in=filed.values("gaming_date"))
    sums = within.values("table_code").annotate(
        **{f"sum_{name}": Sum(name) for name in SUMMED},
        open=Count("pk", filter=Q(closer=None)),
        uncounted=Count("pk", filter=Q(counted_drop=None)),
    )
    tables = {row["table_code"]: _summed(row) for row in sums.order_by("table_code")}
    played = TablePeriod.objects.filter(gaming_date__range=(first, last))
    unfiled = played.exclude(gaming_date__in=filed.values("gaming_date")).aggregate(
        days=Count("gaming_date", distinct=True)
    )
    return ToDate(first, last, filed.count(), unfiled["days"], tables)


def _summed(row: Mapping[str, int]) -> tuple[Facts, int]:
    """A table's facts over filed days, and its handle; a count that one day lacks is missing in the sum."""
    sums: dict[str, Any] = {name: row[f"sum_{name}"] for name in SUMMED}
    handle = int(sums.pop("handle"))
    sums["closer"] = None if row["open"] else sums["closer"]
    sums["counted_drop"] = None if row["uncounted"] else sums["counted_drop"]
    return Facts(**sums), handle
