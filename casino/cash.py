"""Cash of one person on one gaming day, in and out apart, against the thresholds of the profile. Pure.

Source: 31 CFR 1021.311 (over 10,000 in or out; the two are never netted); logging from 3,000 is house practice. What
is said here is never shown to the patron's side of a table.
"""

from typing import Literal, NamedTuple

from casino.profile import CurrencyRules
from casino.refusal import Refused

Mark = Literal["", "log", "watch", "report"]
IN, OUT = "in", "out"

WORDS: dict[Mark, str] = {
    "": "below the log",
    "log": "to be logged",
    "watch": "near the report",
    "report": "a report is due",
}
"""What a mark says, in words."""


class Cash(NamedTuple):
    """One person's cash of a gaming day, in cents: what the house took in, what it gave out."""

    in_cents: int = 0
    out_cents: int = 0

    def with_more(self, direction: str, cents: int) -> "Cash":
        """After a further transaction."""
        return Cash(
            self.in_cents + (cents if direction == IN else 0), self.out_cents + (cents if direction == OUT else 0)
        )


def mark(cents: int, rules: CurrencyRules) -> Mark:
    """Where a day's sum in one direction stands: exactly 10,000.00 is no report, one cent more is."""
    if cents > rules.report_over_cents:
        return "report"
    if cents >= rules.warn_from_cents:
        return "watch"
    return "log" if cents >= rules.log_from_cents else ""


def check_merge(patron_id: int, into_id: int, is_described: bool, merged: dict[int, int]) -> None:
    """Refuses `same_patron`, `patron_known`, `already_merged` and `merge_in_a_circle`."""
    if patron_id == into_id:
        raise Refused("same_patron", f"Patron {patron_id} is merged into another one, not into itself.")
    if not is_described:
        raise Refused("patron_known", f"Patron {patron_id} is known by name; only a description is merged.")
    if patron_id in merged:
        raise Refused("already_merged", f"Patron {patron_id} is patron {merged[patron_id]} already.")
    if person(into_id, merged) == patron_id:
        raise Refused("merge_in_a_circle", f"Patron {into_id} is patron {patron_id} already; merge the other way.")


def person(patron_id: int, merged: dict[int, int]) -> int:
    """Who a patron turned out to be, along all merges; a circle, which no command makes, ends where it began."""
    passed: set[int] = set()
    while patron_id in merged and patron_id not in passed:
        passed.add(patron_id)
        patron_id = merged[patron_id]
    return patron_id
