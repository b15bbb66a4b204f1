"""A balanced entry: the one form in which lines reach the journal. Pure.

Amounts are whole micro-units of the currency, since an accrual is not whole cents: debits above zero, credits below.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from casino.money import MICROS_PER_CENT
from ledger.accounts import CHART, CHIPS, MONEY


class Unbalanced(Exception):
    """Lines that do not balance on the chip side and on the money side: nothing is posted, and the follower stops."""


class Line(NamedTuple):
    """One line: an account, the link where the account is a meter's, and micro-units (debit above zero)."""

    account: str
    micros: int
    link: str = ""


@dataclass(frozen=True)
class Entry:
    """The lines of one event. No instance is unbalanced: making one raises Unbalanced.

    Lines of zero are left out; an entry without lines moved nothing.
    """

    lines: tuple[Line, ...]

    def __post_init__(self) -> None:
        sums = {CHIPS: 0, MONEY: 0}
        for line in self.lines:
            if type(line.micros) is not int or line.account not in CHART:
                raise Unbalanced(f"{line} is no line of whole micro-units on an account of the chart.")
            sums[CHART[line.account].ledger] += line.micros
        for side, rest in sums.items():
            if rest:
                raise Unbalanced(f"The {side} of {self.lines} are out by {rest} micro-units.")


def entry_of(lines: Iterable[Line]) -> Entry:
    """The entry of these lines without those of zero."""
    return Entry(tuple(line for line in lines if line.micros))


def transfer(debit: str, credit: str, cents: int) -> Iterator[Line]:
    """Cents debited to one account and credited to another; below zero it is the reverse."""
    yield Line(debit, cents * MICROS_PER_CENT)
    yield Line(credit, -cents * MICROS_PER_CENT)
