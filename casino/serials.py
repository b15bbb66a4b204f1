"""A book of numbered paper against 1, 2, 3 …, and against the papers that carry its numbers. Pure."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple


class Line(NamedTuple):
    """A number of a book, and how its paper stands: open, used, void, withdrawn, or "" where there is none.

    `session` is None for papers of no table's session, such as a payout slip.
    """

    serial: int
    table: str
    session: int | None
    state: str = ""


@dataclass(frozen=True)
class Book:
    """A book's numbers of one gaming day, and what does not fit.

    `missing` are numbers between the first and last of the day that no line has; `unmatched` are numbers without a
    paper, papers whose number is not in the book, and numbers that are on two papers.
    """

    name: str
    lines: Sequence[Line]
    missing: Sequence[int]
    unmatched: Sequence[int]

    @property
    def used(self) -> int:
        return len(self.lines)

    @property
    def first(self) -> int | None:
        return self.lines[0].serial if self.lines else None

    @property
    def last(self) -> int | None:
        return self.lines[-1].serial if self.lines else None

    @property
    def void(self) -> list[int]:
        return [line.serial for line in self.lines if line.state == "void"]

    @property
    def open(self) -> list[int]:
        """Numbers whose paper still waits for somebody."""
        return [line.serial for line in self.lines if line.state == "open"]

    @property
    def is_in_order(self) -> bool:
        return not self.missing and not self.unmatched


def compared(name: str, taken: Sequence[int], of_day: Sequence[Line], papers: Mapping[int, Sequence[str]]) -> Book:
    """The book of one gaming day: `taken` are all its numbers ever, `papers` how each paper with a number stands."""
    serials = Counter(taken)
    lines = [line._replace(state=(papers.get(line.serial) or [""])[0]) for line in of_day]
    first, last = (lines[0].serial, lines[-1].serial) if lines else (1, 0)
    missing = [n for n in range(first, last + 1) if n not in serials]
    odd = {line.serial for line in lines if not line.state}
    odd |= {n for n, on in papers.items() if n not in serials or len(on) > 1}
    odd |= {n for n, times in serials.items() if times > 1 and first <= n <= last}
    return Book(name, lines, missing, sorted(odd))
