"""Jackpots that are won and not paid, by age; and the case of one hit with everything that was done about it."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import NamedTuple

from jackpot.models import Share

OPEN = ("pending", "verified", "prepared", "approved", "disputed")
AGES = ((0, "today"), (1, "1 to 7 days"), (8, "8 to 30 days"), (31, "31 to 90 days"), (91, "over 90 days"))
"""From how many days on, and what that age is called."""


class Payable(NamedTuple):
    """A share that is owed, and how long: from the hit's gaming day to today's."""

    share: Share
    days: int
    is_unclaimed: bool

    @property
    def age(self) -> str:
        """The name of its age."""
        return [name for least, name in AGES if self.days >= least][-1]


@dataclass(frozen=True)
class Payables:
    """Everything that is owed to winners, the oldest first."""

    open: Sequence[Payable]
    today: date

    @property
    def total_cents(self) -> int:
        return sum(one.share.amount_cents for one in self.open)

    @property
    def by_age(self) -> list[tuple[str, int, int]]:
        """Each age with its count and cents."""
        found = []
        for _, name in AGES:
            of_age = [one for one in self.open if one.age == name]
            found.append((name, len(of_age), sum(one.share.amount_cents for one in of_age)))
        return found


def payables(today: date, unclaimed_after_days: int, link: str | None = None) -> Payables:
    """What is owed to winners now, on one link or on all."""
    shares = Share.objects.filter(state__in=OPEN).order_by("gaming_date", "at_position", "seat")
    if link is not None:
        shares = shares.filter(link=link)
    ages = [(share, (today - share.gaming_date).days) for share in shares]
    return Payables([Payable(share, days, days >= unclaimed_after_days) for share, days in ages], today)
