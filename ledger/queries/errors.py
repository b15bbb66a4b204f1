"""What dealers paid otherwise than due, on a gaming day."""

from datetime import date
from typing import NamedTuple

from django.db.models import F

from ledger.models import DealerError


class DealerErrors(NamedTuple):
    """A gaming day's wagers that were paid otherwise than due, and what that makes: E = paid − due (books, 2)."""

    errors: list[DealerError]
    over_cents: int
    under_cents: int

    @property
    def difference_cents(self) -> int:
        return self.over_cents - self.under_cents


def dealer_errors(day: date, table: str | None = None) -> DealerErrors:
    """Every recorded difference of the day, or of one table, in the order of the rounds; one query."""
    known = DealerError.objects.filter(gaming_date=day).exclude(paid_cents=F("due_cents"))
    if table is not None:
        known = known.filter(table_code=table)
    errors = list(known.order_by("table_code", "n", "number"))
    differences = [error.difference_cents for error in errors]
    return DealerErrors(errors, sum(d for d in differences if d > 0), -sum(d for d in differences if d < 0))
