"""Each game's and table's hold by month, put to the test of the house's profile."""

from calendar import monthrange
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date

from casino.commands.order import house_profile
from casino.eventstore.follower import position_of
from casino.profile import HoldRules
from ledger.hold import INVESTIGATE, MonthTested, by_month, put_to_test
from ledger.projections import BOOKS
from ledger.queries.filed import one_snapshot
from ledger.queries.stiff import month_sums
from ledger.stiff import GAME, TABLE, MonthSum, ToDate


@dataclass(frozen=True)
class HoldReport:
    """A month's holds: each game's, then each table's. `history` is every month of a game, from the base year on."""

    month: date
    profile: str
    rules: HoldRules
    lines: Sequence[MonthTested]
    history: dict[str, dict[date, ToDate]]
    position: int

    @property
    def to_investigate(self) -> list[MonthTested]:
        return [line for line in self.lines if line.verdict == INVESTIGATE]


def hold_report(month: date, rules: HoldRules | None = None) -> HoldReport:
    """The report of a month by its first day, under the house's rules unless others are given: two queries."""
    profile = house_profile()
    rules = rules or profile.hold
    with one_snapshot():
        position = position_of(BOOKS.name)
        sums = month_sums(date(month.year - 1, 1, 1), month.replace(day=monthrange(month.year, month.month)[1]))
    of_game, of_table = _grouped(sums, lambda one: one.game), _grouped(sums, lambda one: one.table)
    lines = [put_to_test(kind, name, months, month, rules) for kind, groups in ((GAME, of_game), (TABLE, of_table))
             for name, months in groups.items() if month in months]  # fmt: skip
    return HoldReport(month, profile.name, rules, lines, of_game, position)


def _grouped(sums: Sequence[MonthSum], group: Callable[[MonthSum], str]) -> dict[str, dict[date, ToDate]]:
    """Group → its months; a table that no set-up places has a group without a name."""
    found: dict[str, list[MonthSum]] = {}
    for one in sums:
        found.setdefault(group(one), []).append(one)
    return {name: by_month(parts) for name, parts in sorted(found.items())}
