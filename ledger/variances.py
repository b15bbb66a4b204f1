"""Where counted and recorded differ: the three states of a table's day, and what may belong together. Pure."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import NamedTuple

from casino.money import written
from casino.refusal import counted
from casino.transfers import CHIPS_CENTS
from ledger.reconcile import Reconciled

BOX, TRAY, BETWEEN = "box", "tray", "between"
CLOSENESS = 20
"""Two amounts are nearly the same where they differ by no more than a twentieth of the smaller."""
CHIPS_MAX = 20
"""An amount of at most so many chips of one denomination is named by them."""
SHOWN_MAX = 12


class State(NamedTuple):
    """`complete`, `inventory_only`, `broken`, or `open` while the day is played; `missing` names what is missing."""

    code: str
    missing: tuple[str, ...]


def state_of(result: Reconciled, unsettled: int, is_over: bool) -> State:
    """The three-state result of a table's day or session (books, section 2).

    Complete: tray and box are counted and every round is settled. Inventory only: the tray is counted. Broken: the day
    is over, and what is missing can't be told from a table that is still played.
    """
    missing = []
    if result.facts.closer is None:
        missing.append("the closer")
    if unsettled:
        missing.append(f"the settlement of {counted(unsettled, 'round')}")
    if result.facts.counted_drop is None:
        missing.append("the count of the box")
    if result.facts.closer is None or unsettled:
        return State("broken" if is_over else "open", tuple(missing))
    return State("inventory_only" if missing else "complete", tuple(missing))


@dataclass(frozen=True)
class Variance:
    """A difference of counted less recorded, in cents, at its place: a box, a tray, or a tray between two sessions."""

    table: str
    pit: str
    place: str
    cents: int
    session: int = 0

    @property
    def words(self) -> str:
        """`+41.00 in the box of R-03`."""
        sign = "+" if self.cents > 0 else "−"
        where = {BOX: "in the box of", TRAY: "in the tray of", BETWEEN: "between sessions in the tray of"}[self.place]
        session = f" (session {self.session})" if self.session else ""
        return f"{sign}{written(abs(self.cents))} {where} {self.table}{session}"


@dataclass(frozen=True)
class Suggestion:
    """Two variances that may belong together, why, and what is left of them."""

    over: Variance
    short: Variance
    reasons: Sequence[str]

    @property
    def left_cents(self) -> int:
        return self.over.cents + self.short.cents


def suggestions(variances: Iterable[Variance]) -> list[Suggestion]:
    """Pairs of opposite variances that may belong together, the nearest first; each stands in one pair at most."""
    found = [pair for one, other in combinations(variances, 2) if (pair := _pair(one, other))]
    found.sort(key=_distance)
    used: set[Variance] = set()
    chosen = []
    for pair in found:
        if pair.over not in used and pair.short not in used:
            chosen.append(pair)
            used |= {pair.over, pair.short}
    return chosen[:SHOWN_MAX]


def _distance(pair: Suggestion) -> tuple[bool, int, int, int, str]:
    """One table before two, then what has more reasons and leaves less, then the greater amount."""
    is_of_two = pair.over.table != pair.short.table
    return is_of_two, -len(pair.reasons), abs(pair.left_cents), -pair.over.cents, pair.over.table


def _pair(one: Variance, other: Variance) -> Suggestion | None:
    over, short = (one, other) if one.cents > other.cents else (other, one)
    if over.cents <= 0 or short.cents >= 0:
        return None
    smaller = min(over.cents, -short.cents)
    if abs(over.cents + short.cents) * CLOSENESS > smaller:
        return None
    nearness = _nearness(over, short)
    if not nearness:
        return None
    return Suggestion(over, short, [*nearness, *_amount(over, short, smaller)])


def _nearness(over: Variance, short: Variance) -> list[str]:
    """What brings two places together; nothing where they are far from each other."""
    if over.table == short.table:
        return _same_table(over, short)
    found = ["neighbouring tables"] if _are_neighbours(over.table, short.table) else []
    if over.pit and over.pit == short.pit:
        found.append(f"both in pit {over.pit}")
    if found and over.place == short.place == BOX:
        found.append("two boxes of the same drop")
    return found


def _same_table(over: Variance, short: Variance) -> list[str]:
    places = {over.place, short.place}
    if places == {BOX, TRAY}:
        more = over.place == BOX
        entry = "too little, or not at all" if more else "too much"
        return ["box and tray of one table", f"as if cash for chips had been recorded {entry}"]
    if BETWEEN in places:
        return ["trays of one table", "as if a closer had been counted wrong and the next opener right"]
    return ["trays of one table", "as if one count between two sessions had been wrong"]


def _are_neighbours(one: str, other: str) -> bool:
    """Whether two codes differ by one in the number at their end: R-03 and R-04."""
    (name, number), (other_name, other_number) = map(_numbered, (one, other))
    return name == other_name and number is not None and other_number is not None and abs(number - other_number) == 1


def _numbered(code: str) -> tuple[str, int | None]:
    name = code.rstrip("0123456789")
    digits = code[len(name) :]
    return name, int(digits) if digits else None


def _amount(over: Variance, short: Variance, smaller: int) -> list[str]:
    left = over.cents + short.cents
    same = "the same amount" if not left else f"nearly the same amount, {written(abs(left))} apart"
    chip = next((chip for chip in reversed(CHIPS_CENTS) if not smaller % chip and smaller // chip <= CHIPS_MAX), None)
    if chip is None:
        return [same]
    return [same, f"{written(smaller)} is {counted(smaller // chip, 'piece')} of {written(chip)}"]
