"""Boxes and counts to look at: which box is where, and what the cage may know of a drop."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import NamedTuple

from django.conf import settings
from django.db.models import Exists, OuterRef

from casino import profile
from casino.eventstore import store
from casino.refusal import Refused
from ledger.boxes import BoxId, CountId, collected
from ledger.boxes_due import boxes_due
from ledger.count_events import BoxesCollected, count_key, drop_key
from ledger.counts import SoftCount as SoftCount
from ledger.counts import count_after
from ledger.models import Box, DropBox, DropCount, TablePeriod

WAITING = {"due": "due, not collected", "at_table": "at its table"}


@dataclass(frozen=True)
class BoxNow:
    """A box of the day and where it is: `at_table`, `due`, `collected`, `in_count` or `counted`; no figure."""

    box: BoxId
    mark: str
    state: str


def boxes_of(day: date) -> list[BoxNow]:
    """Every box of a gaming day, of tables that were open."""
    marks = {BoxId(b.table_code, b.number): b for b in DropBox.objects.filter(gaming_date=day)}
    due = set(boxes_due(day))
    tables = TablePeriod.objects.filter(gaming_date=day).values_list("table_code", flat=True)
    known = {*marks, *due, *(BoxId(table, 1) for table in tables)}
    carried = set(carried_on(day))
    counted = {box for box, row in marks.items() if row.counted_cents is not None}
    begun = {box for count in counts_on(day) for box in count.boxes} if carried else set()
    return [
        BoxNow(box, marks[box].mark if box in marks else "", _state(box, counted, begun, carried, due))
        for box in sorted(known)
    ]


def _state(box: BoxId, counted: set[BoxId], begun: set[str], carried: set[BoxId], due: set[BoxId]) -> str:
    if box in counted:
        return "counted"
    if str(box) in begun:
        return "in_count"
    if box in carried:
        return "collected"
    return "due" if box in due else "at_table"


def carried_on(day: date) -> Mapping[BoxId, BoxesCollected]:
    """The boxes of a gaming day that came to the count room, by the log itself."""
    stream = store.load(drop_key(settings.CASINO_PROPERTY, day.isoformat()))
    return collected(recorded.event for recorded in stream.events)


def counts_on(day: date) -> list[SoftCount]:
    """The counts of a gaming day, by the log itself, as far as the books know that they were opened."""
    numbers = DropCount.objects.filter(gaming_date=day).order_by("number").values_list("number", flat=True)
    keys = [count_key(settings.CASINO_PROPERTY, day.isoformat(), number) for number in numbers]
    streams = store.load_many(keys) if keys else {}
    found = (count_after(recorded.event for recorded in streams[key].events) for key in keys)
    return [count for count in found if count]


def soft_count(wanted: CountId) -> SoftCount:
    """One count by the log itself; refuses `unknown_count`."""
    key = count_key(settings.CASINO_PROPERTY, wanted.gaming_date.isoformat(), wanted.number)
    count = count_after(recorded.event for recorded in store.load(key).events)
    if count is None:
        raise Refused("unknown_count", f"There is no count {wanted}.")
    return count


# ------------------------------------------------------------------------------------------------- what the cage sees


class VarianceLine(NamedTuple):
    """One denomination of a drop: as the count room and as the cage counted it."""

    note_cents: int
    counted_cents: int
    recounted_cents: int

    @property
    def difference_cents(self) -> int:
        return self.recounted_cents - self.counted_cents


class VarianceReport(NamedTuple):
    """Count room against cage, once the cage's own figure is in; `due_hours` where the regulator hears of it."""

    lines: list[VarianceLine]
    counted_cents: int
    recounted_cents: int
    recounted_by: str
    times: int
    accepted_by: list[str]
    note: str
    due_hours: int | None

    @property
    def variance_cents(self) -> int:
        return self.recounted_cents - self.counted_cents


@dataclass(frozen=True)
class Drop:
    """A closed count as the cage may see it: no figure before its own is recorded."""

    wanted: CountId
    boxes: int
    state: str
    report: VarianceReport | None

    @property
    def name(self) -> str:
        return str(self.wanted)


def drop(wanted: CountId) -> Drop:
    """One drop; refuses `unknown_count` and `count_open`."""
    count = soft_count(wanted)
    if count.closed is None:
        raise Refused("count_open", f"Count {wanted} is not closed yet; the cage counts its currency after that.")
    state = "accepted" if count.accepted else count.step
    return Drop(wanted, len(count.boxes), state, None if count.is_secret else variance_report(count))


def variance_report(count: SoftCount) -> VarianceReport:
    """What count room and cage found, note by note."""
    assert count.closed is not None
    assert count.recounts
    counted, last = count.closed.currency, count.recounts[-1]
    notes = sorted({int(note) for note in (*counted, *last.currency)}, reverse=True)
    lines = [VarianceLine(note, counted.get(str(note), 0), last.currency.get(str(note), 0)) for note in notes]
    accepted = count.accepted
    report = VarianceReport(
        lines,
        sum(counted.values()),
        sum(last.currency.values()),
        last.by,
        len(count.recounts),
        [accepted.cashier, accepted.counter] if accepted else [],
        accepted.note if accepted else "",
        None,
    )
    rules = profile.load(settings.CASINO_PROFILE).cage
    is_due = abs(report.variance_cents) >= rules.variance_report_cents
    return report._replace(due_hours=rules.variance_report_hours if is_due else None)


def drops_of(day: date) -> list[Drop]:
    """The closed counts of a gaming day."""
    rows = DropCount.objects.filter(gaming_date=day, closed_at__isnull=False).order_by("number")
    return [drop(CountId(row.gaming_date, row.number)) for row in rows]


def waiting_drops() -> list[DropCount]:
    """The closed counts that the cage has not taken over, oldest first; a page shows no figure of them."""
    return list(DropCount.objects.filter(closed_at__isnull=False, accepted_at=None).order_by("gaming_date", "number"))


def taken_drops(shown: int = 20) -> list[DropCount]:
    """The drops that were taken over last."""
    return list(DropCount.objects.filter(accepted_at__isnull=False).order_by("-accepted_at")[:shown])


def days_with_boxes() -> list[date]:
    """The gaming days that have a box that is not counted, oldest first."""
    complete = Box.objects.filter(gaming_date=OuterRef("gaming_date"), table_code=OuterRef("table_code"))
    days = TablePeriod.objects.filter(~Exists(complete)).order_by("gaming_date")
    return list(days.values_list("gaming_date", flat=True).distinct())
