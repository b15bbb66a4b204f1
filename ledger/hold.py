"""A month's hold beside its base level, under the test that a profile names (domain 1.10). Pure.

A base is all win ÷ all drop of the months it is made of: those of the year before or, in the first year, the month
before. What a test says asks for an investigation; it accuses nobody.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from fractions import Fraction
from typing import NamedTuple

from casino.profile import HoldRules
from ledger.base_level import Period, Tested, base_of, beyond_points, outside_interval
from ledger.stiff import MonthSum, ToDate, to_date

ORDINARY, INVESTIGATE, NO_TEST = "ordinary", "investigate", "no test"


class Base(NamedTuple):
    """The months that a base level is made of, and what they are in words."""

    periods: Sequence[Period]
    words: str
    first: date
    last: date

    @property
    def hold(self) -> Fraction | None:
        return base_of(self.periods)

    @property
    def why_none(self) -> str:
        return f"{self.words} has no complete table-day with a drop" if self.hold is None else ""


def month_before(month: date) -> date:
    """The first day of the month before."""
    return (month.replace(day=1) - timedelta(days=1)).replace(day=1)


def base_for(months: Mapping[date, ToDate], month: date, rules: HoldRules) -> Base:
    """The base level of a month, from the same table's or game's earlier months by their first days."""
    before = month_before(month)
    of_year = [held for first, held in sorted(months.items()) if first.year == month.year - 1]
    if rules.base == "prior_year" and any(one.drop for one in of_year):
        year = month.year - 1
        return Base(_periods(of_year), f"the year {year}", date(year, 1, 1), date(year, 12, 31))
    found = [months[before]] if before in months else []
    return Base(_periods(found), f"the month {before:%B %Y}", before, month.replace(day=1) - timedelta(days=1))


def _periods(months: Iterable[ToDate]) -> list[Period]:
    return [Period(one.win, one.drop) for one in months if one.win is not None and one.drop]


def by_month(sums: Iterable[MonthSum]) -> dict[date, ToDate]:
    """What each month adds up to, over whatever tables the sums are of."""
    found: dict[date, list[MonthSum]] = {}
    for one in sums:
        found.setdefault(one.month, []).append(one)
    return {month: to_date(parts) for month, parts in sorted(found.items())}


@dataclass(frozen=True)
class MonthTested:
    """A table's or game's month: its hold, its base, and what the profile's test says of them."""

    kind: str
    name: str
    month: date
    held: ToDate
    base: Base
    tested: Sequence[Tested]

    @property
    def verdict(self) -> str:
        """ORDINARY, INVESTIGATE, or NO_TEST where no test could be put."""
        said = [one.investigate for one in self.tested]
        if any(said):
            return INVESTIGATE
        return ORDINARY if any(one is False for one in said) else NO_TEST

    @property
    def words(self) -> str:
        return "; ".join(one.words for one in self.tested)

    @property
    def deviation(self) -> Fraction | None:
        """Hold less base, as a share: 0.03 is three percentage points."""
        if self.held.hold is None or self.base.hold is None:
            return None
        return self.held.hold - self.base.hold


def put_to_test(kind: str, name: str, months: Mapping[date, ToDate], month: date, rules: HoldRules) -> MonthTested:
    """A month put to the profile's test."""
    base, held = base_for(months, month, rules), months[month]
    said = []
    if rules.test != "points":
        said.append(outside_interval(held.hold, base.periods))
    if rules.test != "interval":
        said.append(beyond_points(held.hold, base.hold, rules.points, rules.mode))
    return MonthTested(kind, name, month, held, base, said)
