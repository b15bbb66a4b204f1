"""The page of the close: the day that is to be closed next with what is open on it, and the days closed before."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime

from django.conf import settings
from django.db.models import Count

from casino.eventstore import history
from casino.eventstore.history import Entry
from ledger.closing import DayState, Open, what_is_open
from ledger.closing_events import DayCloseRefused, day_key
from ledger.day_state import day_state
from ledger.models import DayClose, LateFact

CLOSED_SHOWN = 31


@dataclass(frozen=True)
class DayToClose:
    """A gaming day that is not closed: what is open on it now, and when the clock was last refused to close it."""

    state: DayState
    open_things: Sequence[Open]
    refused: Entry | None

    @property
    def gaming_date(self) -> date:
        return self.state.gaming_date

    @property
    def is_over(self) -> bool:
        return all(one.kind != "not_over" for one in self.open_things)

    @property
    def is_next(self) -> bool:
        """Whether it may be closed: no earlier day is open."""
        return not self.state.earlier


@dataclass(frozen=True)
class ClosedDay:
    """A day that is closed, and how many late facts have come since."""

    close: DayClose
    late: int


def day_to_close(gaming_date: date, now: datetime) -> DayToClose:
    """What is open on a day that is not closed."""
    state = day_state(gaming_date)
    entries = history.of_stream(day_key(settings.CASINO_PROPERTY, gaming_date))
    refused = [entry for entry in entries if isinstance(entry.event, DayCloseRefused)]
    return DayToClose(state, what_is_open(state, now), refused[-1] if refused else None)


def closed_days() -> list[ClosedDay]:
    """The days closed last, newest first."""
    closes = list(DayClose.objects.defer("periods", "boxes").order_by("-gaming_date")[:CLOSED_SHOWN])
    days = [close.gaming_date for close in closes]
    late = LateFact.objects.filter(gaming_date__in=days).values("gaming_date").annotate(facts=Count("position"))
    counts = dict(late.values_list("gaming_date", "facts"))
    return [ClosedDay(close, counts.get(close.gaming_date, 0)) for close in closes]
