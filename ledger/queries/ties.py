"""The ties of the books: what two sides that are kept apart have to agree on (books, section 8).

Each side is read at the same position of the log; where the journal has not got there yet, a tie says so and does not
guess.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from typing import NamedTuple
from urllib.parse import urlencode

from django.db import connection
from django.db.models import Max
from django.urls import reverse

from casino.eventstore.follower import wait_for
from casino.money import MICROS_PER_CENT
from ledger.accounts import (
    CAGE_CHIPS,
    CHIPS,
    CHIPS_ISSUED,
    CHIPS_OWED,
    DEALER_ERRORS,
    IN_TRANSIT,
    METERS,
    MONEY,
    OVER_AND_SHORT,
    OVERFLOWS,
    PATRONS_CHIPS,
    PAYABLES,
    RESERVES,
    TABLE_WIN,
    TRAYS,
)
from ledger.journal import JOURNAL
from ledger.models import TablePeriod
from ledger.queries.days import Row, rows_of
from ledger.queries.explained import address
from ledger.queries.journal import TrialBalance, by_table, jackpots_by_table, parts_of, trial_balance
from ledger.scope import Scope
from ledger.stiff import TABLE

PATIENCE_S = 1.0
HOLDS, DIFFERS, UNKNOWN = "holds", "differs", "not known"


class Tie(NamedTuple):
    """One tie: its two sides in micro-units, each in words and where it opens; None where it can't be told, and why."""

    name: str
    of: str
    left: str
    left_micros: int | None
    right: str
    right_micros: int | None
    position: int
    reason: str = ""
    left_url: str = ""
    right_url: str = ""

    @property
    def difference_micros(self) -> int | None:
        """Left less right."""
        if self.left_micros is None or self.right_micros is None:
            return None
        return self.left_micros - self.right_micros

    @property
    def state(self) -> str:
        """`holds`, `differs` or `not known`."""
        if self.difference_micros is None:
            return UNKNOWN
        return DIFFERS if self.difference_micros else HOLDS


@dataclass(frozen=True)
class Ties:
    """All ties, those of tables for one gaming day (None before any table opened)."""

    day: date | None
    house: tuple[Tie, ...]
    tables: tuple[Tie, ...]
    links: tuple[Tie, ...]

    @property
    def every(self) -> tuple[Tie, ...]:
        return (*self.house, *self.tables, *self.links)

    @property
    def count_differing(self) -> int:
        return sum(tie.state == DIFFERS for tie in self.every)

    @property
    def count_unknown(self) -> int:
        return sum(tie.state == UNKNOWN for tie in self.every)


def ties(day: date | None = None) -> Ties:
    """Every tie now; `day` left out is the last gaming day on which a table was open."""
    day = day or TablePeriod.objects.aggregate(last=Max("gaming_date"))["last"]
    found = trial_balance()
    return Ties(day, tuple(house_ties(found)), tuple(table_ties(day)) if day else (), tuple(link_ties()))


def house_ties(found: TrialBalance) -> Iterator[Tie]:
    """Trial balance, chips conserved, chips owed: at the position of a trial balance."""
    balance = f"{reverse('trial_balance')}?{urlencode({'position': found.position})}"
    for ledger, name in ((CHIPS, "Trial balance of the chips"), (MONEY, "Trial balance of the money")):
        rows = [row for row in found.rows if row.account.ledger == ledger]
        debits, credits = sum(row.debit_micros for row in rows), sum(row.credit_micros for row in rows)
        yield Tie(name, "house", "all debits", debits, "all credits", credits, found.position, "", balance, balance)
    held = sum(found.of(code) for code in (CAGE_CHIPS, TRAYS, IN_TRANSIT, PATRONS_CHIPS))
    issued = found.of(CHIPS_ISSUED)
    yield Tie("Chips conserved", "house", "cage + trays + in transit + patrons", held, "chips issued", issued,
              found.position, "", balance, reverse("account", args=[CHIPS_ISSUED]))  # fmt: skip
    yield Tie("What patrons hold is owed", "house", "patrons' chips", found.of(PATRONS_CHIPS), "chips owed",
              found.of(CHIPS_OWED), found.position, "", reverse("account", args=[PATRONS_CHIPS]),
              reverse("account", args=[CHIPS_OWED]))  # fmt: skip


def table_ties(day: date) -> Iterator[Tie]:
    """Win = table win − J + over/short, table by table; of a table that is not counted yet, the estimated win."""
    rows, at = rows_of(day)
    if rows and not wait_for(JOURNAL.name, at, PATIENCE_S):
        for row in rows:
            yield _table_tie(row, None, at)
        return
    sums, jackpots = by_table(day, (TABLE_WIN, *OVER_AND_SHORT), at), jackpots_by_table(day, at)
    for row in sorted(rows, key=lambda row: row.table):
        yield _table_tie(row, _win(row, sums.get(row.table, {}), jackpots.get(row.table, 0)), at)


def _win(row: Row, sums: dict[str, int], jackpots: int) -> int:
    """The journal's win of a table: with all differences where it is counted, else with dealers' errors only."""
    found = OVER_AND_SHORT if row.result.win is not None else (DEALER_ERRORS,)
    return -sum(sums.get(code, 0) for code in (TABLE_WIN, *found)) - jackpots


def _table_tie(row: Row, ledger_micros: int | None, at: int) -> Tie:
    is_counted = row.result.win is not None
    win = row.result.win if is_counted else row.result.estimated_win
    assert win is not None
    day = row.gaming_date
    return Tie(
        name="Win" if is_counted else "Estimated win",
        of=row.table,
        left="win of the counts" if is_counted else "estimated win (G − J − E)",
        left_micros=win * MICROS_PER_CENT,
        right="table win − J + over/short" if is_counted else "table win − J − dealer errors",
        right_micros=ledger_micros,
        position=at,
        reason="" if ledger_micros is not None else NOT_THERE.format(at=at),
        left_url=address("win" if is_counted else "estimated-win", Scope(TABLE, row.table, day, day)),
        right_url=f"{reverse('journal')}?{urlencode({'table': row.table, 'first': day.isoformat()})}",
    )


def link_ties() -> Iterator[Tie]:
    """Liability = meters + reserves + overflow + payables, link by link, against the meters' own read model."""
    with connection.cursor() as cursor:
        cursor.execute(LINKS)
        rows = cursor.fetchall()
    at = rows[0][-1] if rows else 0
    is_there = wait_for(JOURNAL.name, at, PATIENCE_S)
    owed = _owed(at) if is_there else {}
    for link, main, reserve, overflow, payable, _ in rows:
        yield Tie(
            name="Liability",
            of=link,
            left="main + reserve + overflow + payable",
            left_micros=main + reserve + overflow + payable,
            right="meter liability + reserves + overflow + jackpots payable",
            right_micros=owed.get(link, 0) if is_there else None,
            position=at,
            reason="" if is_there else NOT_THERE.format(at=at),
            left_url=reverse("progressive", args=[link]),
            right_url=f"{reverse('account', args=[METERS])}?{urlencode({'link': link})}",
        )


def _owed(at: int) -> dict[str, int]:
    owed: dict[str, int] = {}
    for code in (METERS, RESERVES, OVERFLOWS, PAYABLES):
        for part in parts_of(code, at):
            owed[part.link] = owed.get(part.link, 0) + part.own_micros
    return owed


NOT_THERE = "the journal is not written up to position {at} yet; look again in a moment"

# The ledger knows the jackpot by its events; the meters' own figures are read by their table's name, in one statement
# with the position up to which they were folded.
LINKS = """
    SELECT link.code, link.main_micros, link.reserve_micros, link.overflow_micros, link.payable_micros,
           coalesce((SELECT position FROM checkpoint WHERE name = 'meters'), 0)
      FROM jackpot_link AS link ORDER BY link.code"""
