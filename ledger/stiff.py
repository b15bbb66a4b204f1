"""The master game report, which the pit calls the stiff sheet: its rows and their subtotals. Pure.

A row is a table, a table's day or one period of it; subtotals are by game, pit, shift and house (domain 1.9). Several
days of a table are chained: the first opener and the last closer stand, and what later openers differ from the closers
before them is outside the win (books, 1). Amounts are in cents, accruals in micro-units of the currency. What the
columns are says `stiff_columns`.
"""

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from fractions import Fraction
from functools import cached_property
from typing import NamedTuple

from ledger.figures import LEAVES, Amount
from ledger.reconcile import Facts, Reconciled, hold, reconcile, total

TABLE, DAY, SESSION = "table", "day", "session"
GAME, PIT, SHIFT, HOUSE = "game", "pit", "shift", "house"
MICROS_IN_A_CENT = 10_000
ONE_BOX = "one box serves the whole day, so only the day's drop is counted"


class Played(NamedTuple):
    """What the settled rounds were worth: result and theo in cents, and rounds whose mathematics is not known."""

    result_cents: int
    theo: Fraction
    unknown_rounds: int

    def plus(self, other: "Played") -> "Played":
        return Played(
            self.result_cents + other.result_cents,
            self.theo + other.theo,
            self.unknown_rounds + other.unknown_rounds,
        )


NOTHING_PLAYED = Played(0, Fraction(0), 0)


@dataclass(frozen=True)
class Entry:
    """A table's day, or one period of it where `session` says which; `cents` by the code of the kind of event.

    `fills` and `credits` are how many there were. `unknown` is why a count is missing, by its name in `Facts`. `boxes`
    is how many were dropped, and `found` what was counted in them in cents: notes by their value, `checks`, `promo`;
    None while that is not known.
    """

    gaming_date: date
    table: str
    pit: str
    game: str
    shift: int
    facts: Facts
    cents: Mapping[str, int]
    fills: int = 0
    credits: int = 0
    played: Played = NOTHING_PLAYED
    accrual_micros: int = 0
    session: int | None = None
    unknown: Mapping[str, str] = field(default_factory=dict)
    boxes: int = 0
    found: Mapping[str, int] | None = None


class ToDate(NamedTuple):
    """A month or a year so far: the complete table-days added up, and how many are left out because they are not."""

    facts: Facts
    table_days: int
    left_out: int

    @property
    def drop(self) -> int | None:
        return self.facts.counted_drop if self.table_days else None

    @property
    def win(self) -> int | None:
        return reconcile(self.facts).win if self.table_days else None

    @property
    def hold(self) -> Fraction | None:
        return None if self.win is None else hold(self.win, self.drop)


class MonthSum(NamedTuple):
    """A table's days of one month at one place, those that are complete or those that are not, added up.

    `month` is its first day, `pit` and `game` (by name) where the table stood on those days and what it dealt.
    """

    table: str
    pit: str
    game: str
    month: date
    is_complete: bool
    table_days: int
    facts: Facts


def to_date(sums: Iterable[MonthSum]) -> ToDate:
    """What months add up to; their days that are not complete are left out and counted."""
    sums = list(sums)
    complete = [one for one in sums if one.is_complete]
    return ToDate(
        total(one.facts for one in complete),
        sum(one.table_days for one in complete),
        sum(one.table_days for one in sums if not one.is_complete),
    )


@dataclass(frozen=True)
class Line:
    """A row or a subtotal: `kind` says of what, `name` of which; `month` and `year` are to date, `base` a hold."""

    kind: str
    name: str
    of: tuple[Entry, ...]
    month: ToDate | None = None
    year: ToDate | None = None
    base: Fraction | None = None
    why_no_base: str = ""

    @cached_property
    def facts(self) -> Facts:
        return total(chained([entry.facts for entry in days]) for days in _by(self.of, lambda e: e.table).values())

    @cached_property
    def result(self) -> Reconciled:
        return reconcile(self.facts)

    @cached_property
    def cents(self) -> dict[str, int]:
        """Cents by the code of the kind of event; counts of trays and boxes are in `facts`."""
        return {code: sum(entry.cents.get(code, 0) for entry in self.of) for code in LEAVES}

    @cached_property
    def played(self) -> Played:
        played = NOTHING_PLAYED
        for entry in self.of:
            played = played.plus(entry.played)
        return played

    @property
    def accrual_micros(self) -> int:
        return sum(entry.accrual_micros for entry in self.of)

    @property
    def amounts(self) -> dict[str, Amount]:
        """As `cents`, with what is measured of rounds; theo is None where a round's mathematics is not known."""
        theo = None if self.played.unknown_rounds else self.played.theo
        fed = Fraction(self.accrual_micros, MICROS_IN_A_CENT)
        return {**self.cents, "rounds-result": self.played.result_cents, "rounds-theo": theo, "fed": fed}

    @property
    def fills(self) -> int:
        return sum(entry.fills for entry in self.of)

    @property
    def credits(self) -> int:
        return sum(entry.credits for entry in self.of)

    @property
    def boxes(self) -> int | None:
        """How many boxes were dropped; None of a period whose day has several."""
        return None if self._is_part_of_days else sum(entry.boxes for entry in self.of)

    @property
    def found(self) -> dict[str, int] | None:
        """What was counted in all boxes; None where it is not known of one of them."""
        if self._is_part_of_days or any(entry.found is None for entry in self.of):
            return None
        found: dict[str, int] = {}
        for entry in self.of:
            for name, cents in (entry.found or {}).items():
                found[name] = found.get(name, 0) + cents
        return found

    @property
    def why_not_found(self) -> str:
        """Why the content of boxes is not known."""
        if self._is_part_of_days:
            return ONE_BOX
        return self.why_missing("counted_drop") or "a box was recorded as one figure, without what it held"

    @property
    def _is_part_of_days(self) -> bool:
        """Whether it is of periods that share a box with others of their day."""
        return any(entry.unknown.get("counted_drop") == ONE_BOX for entry in self.of)

    @property
    def tables(self) -> list[str]:
        return sorted({entry.table for entry in self.of})

    @property
    def table_days(self) -> int:
        """How many days tables were open, each table by itself."""
        return len({(entry.table, entry.gaming_date) for entry in self.of})

    @property
    def is_subtotal(self) -> bool:
        return self.kind in (GAME, PIT, SHIFT, HOUSE)

    def missing(self, count: str) -> list[Entry]:
        """The entries that a count is missing of: `closer` or `counted_drop`."""
        return [entry for entry in self.of if getattr(entry.facts, count) is None]

    def why_missing(self, count: str) -> str:
        """Why a count is unknown, naming the first few; "" where it is known."""
        missing = self.missing(count)
        if len(missing) == 1:
            return f"{missing[0].table} on {missing[0].gaming_date.isoformat()}: {missing[0].unknown.get(count, '')}"
        reasons = sorted({entry.unknown.get(count, "") for entry in missing})
        return f"{len(missing)} of {len(self.of)}: {'; '.join(reasons)}" if missing else ""


def chained(days: Sequence[Facts]) -> Facts:
    """Following days or periods of one table as one: the first opener, the last closer, all that moved."""
    added = total(days)
    openers, closers = [day.opener for day in days[1:]], [day.closer for day in days[:-1]]
    if None in closers:
        return replace(added, opener=days[0].opener, closer=None)
    between = added.between + sum(openers) - sum(closer or 0 for closer in closers)
    return replace(added, opener=days[0].opener, closer=days[-1].closer, between=between)


def _by(entries: Iterable[Entry], key: Callable[[Entry], Hashable]) -> dict[Hashable, list[Entry]]:
    """Entries by a key, in the order of its values."""
    found: dict[Hashable, list[Entry]] = {}
    for entry in sorted(entries, key=lambda e: (e.table, e.gaming_date, e.session or 0)):
        found.setdefault(key(entry), []).append(entry)
    return found


ROWS: Mapping[str, Callable[[Entry], tuple[object, ...]]] = {
    TABLE: lambda e: (e.table,),
    DAY: lambda e: (e.table, e.gaming_date),
    SESSION: lambda e: (e.table, e.gaming_date, e.session),
}
"""What makes a row of its own, by the word in the address."""


def rows(days: Sequence[Entry], sessions: Sequence[Entry], by: str) -> Iterator[Line]:
    """The rows: a table, a table's day, or a period."""
    for key, entries in _by(sessions if by == SESSION else days, ROWS[by]).items():
        yield Line(by, " ".join(str(part) for part in key), tuple(entries))  # type: ignore[attr-defined]


def subtotals(days: Sequence[Entry], sessions: Sequence[Entry]) -> Iterator[Line]:
    """By game, by pit and by shift, each in its order, then the house.

    A shift is of the periods that began in it. Where every table had one period, its box is the period's own.
    """
    for kind, key in ((GAME, lambda e: e.game), (PIT, lambda e: e.pit)):
        for name, entries in sorted(_by(days, key).items(), key=lambda item: str(item[0])):
            yield Line(kind, str(name), tuple(entries))
    for shift, entries in sorted(_by(sessions, lambda e: e.shift).items(), key=lambda item: str(item[0])):
        yield Line(SHIFT, str(shift), tuple(entries))
    if days:
        yield Line(HOUSE, "", tuple(days))
