"""What dealers paid otherwise than due, on a gaming day."""

from collections.abc import Iterable, Mapping
from datetime import date
from typing import NamedTuple

from django.conf import settings
from django.db.models import F

from casino.eventstore import history
from casino.keys import RoundId, round_key
from ledger.models import DealerError


class DealerErrors(NamedTuple):
    """A gaming day's wagers that were paid otherwise than due, and what that makes: E = paid − due (books, 2).

    `dealers` is who dealt, by table and round; None where nobody was on record as the table's dealer then.
    """

    errors: list[DealerError]
    over_cents: int
    under_cents: int
    dealers: Mapping[tuple[str, int], str | None]

    @property
    def named(self) -> list[tuple[DealerError, str | None]]:
        """Each error with who dealt the round."""
        return [(error, self.dealers.get((error.table_code, error.n))) for error in self.errors]

    @property
    def difference_cents(self) -> int:
        return self.over_cents - self.under_cents


def dealer_errors(day: date, table: str | None = None) -> DealerErrors:
    """Every recorded difference of the day, or of one table, in the order of the rounds; three queries."""
    known = DealerError.objects.filter(gaming_date=day).exclude(paid_cents=F("due_cents"))
    if table is not None:
        known = known.filter(table_code=table)
    errors = list(known.order_by("table_code", "n", "number"))
    differences = [error.difference_cents for error in errors]
    over, under = sum(d for d in differences if d > 0), -sum(d for d in differences if d < 0)
    return DealerErrors(errors, over, under, _dealers(errors))


def _dealers(errors: Iterable[DealerError]) -> dict[tuple[str, int], str | None]:
    """Who dealt each round: the last to take the table before the round's hand was complete, who had not left it."""
    rounds = {RoundId(error.table_code, error.gaming_date, error.n) for error in errors}
    keys = [round_key(settings.CASINO_PROPERTY, round_id) for round_id in rounds]
    played = history.of_types(keys, ["round_opened", "hand_completed"]) if keys else []
    sessions = {(one.table_code, one.round_no): one.content["session"] for one in played if one.type == "round_opened"}
    duties = history.of_types(sorted(set(sessions.values())), ["dealer_on", "dealer_off"]) if sessions else []
    found: dict[tuple[str, int], str | None] = {}
    for one in played:  # in order, so that where a hand was completed that moment counts
        before = [d for d in duties if d.key == sessions[one.table_code, one.round_no] and d.position < one.position]
        on = before[-1] if before and before[-1].type == "dealer_on" else None
        found[str(one.table_code), int(one.round_no or 0)] = on.content["dealer"] if on else None
    return found
