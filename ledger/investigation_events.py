"""An investigation of a variance as facts, on a stream of the table's day or of one session of it."""

from datetime import date

from casino.eventstore.registry import Event, event


def investigation_key(property_code: str, table: str, day: date, session: int) -> str:
    """The stream of the investigation of a table's day; session 0 is the whole day."""
    return f"{property_code}/investigation/{table}/{day.isoformat()}/{session:02d}"


class OfTableDay(Event, frozen=True):
    """What is investigated: a table's gaming day, or one session of it (0 is the whole day). No money ever moves."""

    table: str
    day: date
    session: int
    by: str


@event("investigation_opened")
class InvestigationOpened(OfTableDay, frozen=True):
    """Somebody is to find out why counted and recorded differ; in cents as known then, None where not known."""

    assignee: str
    note: str
    box_cents: int | None
    tray_cents: int | None


@event("investigation_assigned")
class InvestigationAssigned(OfTableDay, frozen=True):
    """Somebody else takes it over."""

    assignee: str


@event("investigation_noted")
class InvestigationNoted(OfTableDay, frozen=True):
    """What was found or done."""

    note: str


@event("investigation_concluded")
class InvestigationConcluded(OfTableDay, frozen=True):
    """How it ended: a code of `ledger.investigation.CONCLUSIONS`, and why; the variances as known then, in cents."""

    conclusion: str
    note: str
    box_cents: int | None
    tray_cents: int | None


@event("investigation_reopened")
class InvestigationReopened(OfTableDay, frozen=True):
    """It is taken up again after its conclusion."""

    assignee: str
    reason: str
