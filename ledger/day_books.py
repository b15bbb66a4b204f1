"""A table's day from the books' rows, as they are now or as they were at the day's cut."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date, datetime
from typing import Any, NamedTuple

from ledger.adjustments import drop_of
from ledger.closing_events import FiledTable
from ledger.figures import PERIOD_LEAVES, facts_from
from ledger.models import DayClose, TablePeriod
from ledger.places import Place, Places
from ledger.reconcile import Facts


class TableBooks(NamedTuple):
    """A table's periods of a day, and what each of its boxes was counted to by number, None until it is."""

    periods: list[TablePeriod]
    boxes: Mapping[int, int | None]

    @property
    def counted_drop(self) -> int | None:
        """What all its boxes hold; None until every one of them is counted."""
        return drop_of(self.boxes)


def facts_of(periods: Iterable[TablePeriod], counted_drop: int | None) -> Facts:
    """One or several following periods of a table, as one: the first opener, the last closer, all that moved."""
    periods = sorted(periods, key=lambda period: period.session)
    first, last = periods[0], periods[-1]
    openers = sum(period.opener_cents for period in periods[1:])
    closers = sum(period.closer_cents for period in periods[:-1])
    cents = {leaf.code: sum(getattr(p, leaf.column) for p in periods) for leaf in PERIOD_LEAVES}
    return facts_from(
        cents,
        opener=first.opener_cents,
        between=openers - closers,
        closer=last.closer_cents,
        counted_drop=counted_drop,
    )


def handle_of(periods: Iterable[TablePeriod]) -> int:
    """All that was wagered and settled, the progressive included; what a void gave back is not in it. In cents."""
    return sum(
        p.settled_cents + p.settled_then_void_cents + p.racked_cents - p.refunded_cents  # type: ignore[attr-defined]
        for p in periods
    )


def at_cut(close: DayClose) -> dict[str, TableBooks]:
    """The books of each table of a closed day, as they were at its cut."""
    by_table: dict[str, list[TablePeriod]] = defaultdict(list)
    for row in close.periods:
        by_table[row["table_code"]].append(_period(row))
    boxes: dict[str, dict[int, int | None]] = defaultdict(dict)
    for row in close.boxes:
        boxes[row["table_code"]][row["number"]] = row["counted_cents"]
    return {table: TableBooks(periods, boxes[table]) for table, periods in by_table.items()}


NAMES = {field.name for field in TablePeriod._meta.get_fields()} - {"pk"}


def _period(row: dict[str, Any]) -> TablePeriod:
    """A period from its row as data; a kind of event that the books did not know yet is 0."""
    known = {name: value for name, value in row.items() if name in NAMES}
    known["gaming_date"] = date.fromisoformat(row["gaming_date"])
    for name in ("opened_at", "closed_at"):
        known[name] = datetime.fromisoformat(row[name]) if row[name] else None
    return TablePeriod(**known)


def place_of(standing: Places, periods: Iterable[TablePeriod]) -> Place:
    """Where a table's periods of a day are counted: where the first of them opened."""
    first = min(periods, key=lambda period: period.session)
    return standing.at(first.table_code, first.opened_position)


def filed_tables(close: DayClose, where: Callable[[Sequence[TablePeriod]], Place]) -> dict[str, FiledTable]:
    """The totals that are filed of a closed day, by table; `where` says where a table's periods are counted."""
    found = {}
    for table, books in sorted(at_cut(close).items()):
        place, facts = where(books.periods), facts_of(books.periods, books.counted_drop)
        found[table] = FiledTable(pit=place.pit, game=place.game, handle=handle_of(books.periods), **vars(facts))
    return found
