"""The page of the close: the day that is to be closed next with what is open on it, and the days closed before."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from zoneinfo import ZoneInfo

from django.conf import settings
from django.db.models import Count

from casino.eventstore import history
from casino.eventstore.history import Entry
from casino.refusal import counted
from ledger.closing import NAMED_MAX, DayState, Open, what_is_open
from ledger.closing_events import DayCloseRefused, day_key
from ledger.day_state import day_state, days_to_close
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
    return DayToClose(state, what_is_open(state, now), _refused(gaming_date))


def _refused(gaming_date: date) -> Entry | None:
    """The last time that the clock was refused to close a day."""
    entries = history.of_stream(day_key(settings.CASINO_PROPERTY, gaming_date))
    return next((entry for entry in reversed(entries) if isinstance(entry.event, DayCloseRefused)), None)


def refused_closes() -> list[tuple[str, str]]:
    """For the watch: the day that the clock could not close, with all that was open (settings.REFUSED_CLOSES).

    Days close in order, so only the first day that is open can have been refused.
    """
    first = days_to_close()[:1] if settings.CASINO_CLOSE_HOUR is not None else []
    return [(day.isoformat(), _not_closed(day, refused)) for day in first if (refused := _refused(day))]


def _not_closed(day: date, refused: Entry) -> str:
    at = refused.occurred_at.astimezone(ZoneInfo(settings.TIME_ZONE))
    things = refused.event.open_things
    more = f" And {counted(len(things) - NAMED_MAX, 'more thing')}." if len(things) > NAMED_MAX else ""
    return f"Gaming day {day} was not closed at {at:%H:%M}, for something is open: {' '.join(things[:NAMED_MAX])}{more}"


def closed_days() -> list[ClosedDay]:
    """The days closed last, newest first."""
    closes = list(DayClose.objects.defer("periods", "boxes").order_by("-gaming_date")[:CLOSED_SHOWN])
    days = [close.gaming_date for close in closes]
    late = LateFact.objects.filter(gaming_date__in=days).values("gaming_date").annotate(facts=Count("position"))
    counts = dict(late.values_list("gaming_date", "facts"))
    return [ClosedDay(close, counts.get(close.gaming_date, 0)) for close in closes]
