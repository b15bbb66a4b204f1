"""What becomes of a day's master game report: accounting audits it. No money moves."""

from datetime import date

from casino.eventstore.registry import Event, event


def report_key(property_code: str, gaming_date: date) -> str:
    """The stream of the audits of a gaming day's report."""
    return f"{property_code}/report/{gaming_date.isoformat()}"


@event("report_audited")
class ReportAudited(Event):
    """Accounting held the day's report against its papers, as the books stood at `read_up_to`.

    `adjustments` are the positions of the corrections of the day that were known then, which the report lists. Totals
    are the house's, in cents. What becomes known later asks for a further audit.
    """

    by: str
    read_up_to: int
    adjustments: list[int]
    counted_drop_cents: int
    win_cents: int
    note: str
