"""Income audit: the paper of the drop boxes ticked against what is stored, and what became of its exceptions.

A document is named like `fill/2026/17`, `request/2026/17`, `counter_check/2026/3` or `opener/2026-11-29/R-01/1`.
No money moves.
"""

from typing import Literal

from casino.eventstore.registry import Event, event

Finding = Literal["agrees", "differs", "missing"]


def audit_key(property_code: str, gaming_date: str) -> str:
    """The stream of the income audit of a gaming day."""
    return f"{property_code}/income-audit/{gaming_date}"


@event("papers_ticked")
class PapersTicked(Event):
    """The paper of a table's boxes was held beside the stored documents: what was found of each, last word counts.

    `unmatched` are papers that lay there and that nothing stored knows, each with what it says of itself.
    """

    table: str
    findings: dict[str, Finding]
    unmatched: dict[str, str]
    by: str


@event("exception_explained")
class ExceptionExplained(Event):
    """One line of the day's exception list, `exception` being its name there, has its explanation; the last counts."""

    exception: str
    note: str
    by: str
