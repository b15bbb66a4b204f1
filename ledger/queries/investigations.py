"""Investigations read: the list by state and age, and one of them with its own history."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

from django.conf import settings
from django.db.models import QuerySet

from casino.eventstore import history
from casino.eventstore.history import Entry
from casino.refusal import Refused
from ledger import models
from ledger.investigation import CONCLUSIONS, Investigation, Subject, Variances, investigation_of
from ledger.investigation_events import investigation_key
from ledger.queries.reconciliation import variances_of

WORDS = {
    "investigation_opened": "Opened",
    "investigation_assigned": "Handed on",
    "investigation_noted": "Noted",
    "investigation_concluded": "Concluded",
    "investigation_reopened": "Taken up again",
}
STATES = ("open", "concluded", "all")


class Listed(NamedTuple):
    """A row of the list, and how many whole days it has been open, or was."""

    row: models.Investigation
    days: int

    @property
    def conclusion(self) -> str:
        return CONCLUSIONS.get(self.row.conclusion, "")

    @property
    def subject(self) -> Subject:
        return Subject(self.row.table_code, self.row.day, self.row.session)


def listed(state: str, assignee: str, now: datetime) -> list[Listed]:
    """Those in a state (open, concluded, all), of one assignee or of everybody; the oldest first."""
    rows: QuerySet[models.Investigation] = models.Investigation.objects.order_by("opened_at", "table_code")
    if state != "all":
        rows = rows.filter(conclusion="") if state == "open" else rows.exclude(conclusion="")
    if assignee:
        rows = rows.filter(assignee=assignee)
    return [Listed(row, ((row.concluded_at or now) - row.opened_at).days) for row in rows]


class Step(NamedTuple):
    """A step of the history: what was done, in words, by whom, and what was said."""

    entry: Entry
    what: str
    by: str
    said: str
    more: str


@dataclass(frozen=True)
class Read:
    """One investigation: how it stands, what differs now, and every step."""

    subject: Subject
    now: Investigation
    variances: Variances
    steps: Sequence[Step]

    @property
    def conclusion(self) -> str:
        return CONCLUSIONS.get(self.now.conclusion, "") if self.now.state == "concluded" else ""


def read(subject: Subject) -> Read:
    """One investigation, or the place where one would be opened; refuses `unknown_table_day`."""
    if "\0" in subject.table or "/" in subject.table:
        raise Refused("unknown_table_day", "There is no such table's day to investigate.")
    entries = history.of_stream(investigation_key(settings.CASINO_PROPERTY, *subject))
    now = investigation_of(entry.event for entry in entries)
    return Read(subject, now, Variances(*variances_of(subject.day, subject.table, subject.session)), _steps(entries))


def _steps(entries: Sequence[Entry]) -> list[Step]:
    return [_step(entry, entry.content) for entry in entries]


def _step(entry: Entry, content: dict[str, Any]) -> Step:
    more = f"to {content['assignee']}" if "assignee" in content else CONCLUSIONS.get(content.get("conclusion", ""), "")
    return Step(entry, WORDS[entry.type], content["by"], content.get("note") or content.get("reason") or "", more)
