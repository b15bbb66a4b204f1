"""Every figure opened down to the events that make it, added up again from the log (books, 1 and 2).

The pages read the books; here the events are summed anew, so the two prove each other.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date

from django.conf import settings

from casino.eventstore import history
from casino.eventstore.history import Entry, Selection
from casino.keys import RoundId, round_key, round_prefix, session_key, session_prefix
from casino.refusal import Refused, in_quotes
from ledger.figures import CORRECTED_BY, FIGURES, LEAVES, Amount, Leaf, leaves_under
from ledger.models import TablePeriod
from ledger.queries.days import Cell, Row, drop_and_hold, period_row, rows_of

EVENTS_SHOWN, EVENTS_A_PAGE = 8, 50
Sums = Mapping[Selection, history.Sum]


@dataclass(frozen=True)
class Scope:
    """Where a row's events are found: its day or period, and the position up to which its figures speak."""

    row: Row
    following: TablePeriod | None
    upto: int

    def selection(self, leaf: Leaf) -> Selection:
        low, high = self._range(leaf.streams)
        after, upto = (0, self.upto) if leaf.streams != "payment" else self._while_open()
        return Selection(low, high, leaf.type, self.row.table, self.row.gaming_date, upto, after, CORRECTED_BY)

    def _while_open(self) -> tuple[int, int]:
        """A payment stands on the hit's stream: it is the period's that was open when it was made."""
        after = 0 if self.row.session in (None, 1) else self.row.periods[0].opened_position
        following = self.following.opened_position if self.following else self.upto
        return after, min(self.upto, following)

    def _range(self, streams: str) -> tuple[str, str]:
        house, table, day = settings.CASINO_PROPERTY, self.row.table, self.row.gaming_date
        if streams == "round":
            return self._rounds()
        if streams == "box":
            box = f"{house}/box/{table}/{day.isoformat()}"
            return box, f"{box}~"
        if streams == "payment":
            return f"{house}/hit/", f"{house}/hit/~"
        return self._sessions(streams)

    def _rounds(self) -> tuple[str, str]:
        house, table, day = settings.CASINO_PROPERTY, self.row.table, self.row.gaming_date
        if self.row.session is None:
            prefix = round_prefix(house, table, day)
            return prefix, f"{prefix}~"
        low = round_key(house, RoundId(table, day, self.row.periods[0].first_round))
        if self.following is None:
            return low, f"{round_prefix(house, table, day)}~"
        return low, round_key(house, RoundId(table, day, self.following.first_round))

    def _sessions(self, which: str) -> tuple[str, str]:
        """The key range of all sessions of the row, or of the first, the later, the last, the earlier ones."""
        house, table, day = settings.CASINO_PROPERTY, self.row.table, self.row.gaming_date
        first, last = self.row.periods[0].session, self.row.periods[-1].session
        low = last if which == "last" else first + 1 if which == "later" else first
        high = first if which == "first" else last - 1 if which == "earlier" else last
        below = f"{session_prefix(house, table)}{day.isoformat()}/{high + 1:02d}"
        return session_key(house, table, day, low), below


@dataclass(frozen=True)
class LeafPage:
    """The events of one kind under a figure: all of them summed, some of them listed, `more` where it goes on."""

    sign: str
    leaf: Leaf
    count: int
    sum_cents: int
    entries: list[Entry]
    more: str

    def amount_of(self, entry: Entry) -> int:
        return entry.in_cents if self.leaf.side == "in" else entry.out_cents

    @property
    def listed(self) -> list[tuple[Entry, int]]:
        return [(entry, self.amount_of(entry)) for entry in self.entries]

    @property
    def signed_cents(self) -> int:
        return _signed(self.sign, self.sum_cents)


@dataclass(frozen=True)
class PartPage:
    """A part of a figure: its sign, its own cell where it is a figure, what its events add up to, and the events."""

    sign: str
    code: str
    name: str
    cell: Cell | None
    added_cents: int
    leaves: list[LeafPage]

    @property
    def amount(self) -> Amount:
        return self.cell.amount if self.cell else self.added_cents

    @property
    def is_empty(self) -> bool:
        """Whether it is a kind of event of which there is none; such parts are named together."""
        return self.cell is None and not any(leaf.count for leaf in self.leaves)

    @property
    def is_proven(self) -> bool:
        """Whether the part's events add up to it; an amount that is not known yet has nothing to prove."""
        return self.amount is None or self.amount == self.added_cents


@dataclass(frozen=True)
class FigurePage:
    """A figure of a row with its formula, its parts and their events, up to `position` of the log."""

    row: Row
    cell: Cell
    parts: list[PartPage]
    position: int
    only: str

    @property
    def shown(self) -> list[PartPage]:
        """The parts that say something; all of them where none does."""
        return [part for part in self.parts if not part.is_empty] or self.parts

    @property
    def empty(self) -> list[PartPage]:
        return [part for part in self.parts if part not in self.shown]

    @property
    def is_proven(self) -> bool:
        """Whether the events of the log add up to what the page shows."""
        if not all(part.is_proven for part in self.parts):
            return False
        if self.cell.figure.is_share or self.cell.amount is None:
            return True
        return sum(_signed(part.sign, part.added_cents) for part in self.parts) == self.cell.amount


def figure_page(
    day: date, table: str, code: str, only: str = "", after: str = "", session: int | None = None
) -> FigurePage:
    """A figure of a table's day, or of one period of it, down to its events.

    `only` lists one kind of event, a page of it `after` a cursor. Refuses `unknown_figure`, `unknown_part`,
    `unknown_table_day` and `unknown_session`; an odd cursor raises ValueError.
    """
    if code not in FIGURES:
        raise Refused("unknown_figure", f"There is no figure {in_quotes(code)}; choose one on the page of the day.")
    scope = scope_of(day, table, session)
    if only and only not in {leaf.code for _, leaf in leaves_under(code)}:
        raise Refused("unknown_part", f"{in_quotes(only)} is no part of this figure.")
    sums = history.sums([scope.selection(leaf) for _, leaf in leaves_under(code)])
    parts = [_part(scope, sign, part, sums, only, after) for sign, part in FIGURES[code].parts]
    return FigurePage(scope.row, scope.row.cell(code), parts, scope.upto, only)


def scope_of(day: date, table: str, session: int | None = None) -> Scope:
    """The row of a table's day or period, and where its events are; refuses `unknown_table_day`, `unknown_session`."""
    rows, upto = rows_of(day, [table]) if "\0" not in table else ([], 0)
    if not rows:
        raise Refused("unknown_table_day", f"Table {in_quotes(table)} has no figures on gaming day {day}.")
    if session is None:
        return Scope(rows[0], None, upto)
    period = next((p for p in rows[0].periods if p.session == session), None)
    if period is None:
        raise Refused("unknown_session", f"Table {table} has no session {session} on gaming day {day}.")
    following = next((p for p in rows[0].periods if p.session == session + 1), None)
    return Scope(period_row(period), following, upto)


@dataclass(frozen=True)
class TotalPage:
    """A figure of the whole day: every table's own figure, which opens further down to its events."""

    row: Row
    cell: Cell
    tables: list[tuple[str, Cell]]


def total_page(day: date, code: str) -> TotalPage:
    """A figure of all tables together; refuses `unknown_figure` and `unknown_table_day`."""
    if code not in FIGURES:
        raise Refused("unknown_figure", f"There is no figure {in_quotes(code)}; choose one on the page of the day.")
    of_day = drop_and_hold(day)
    if of_day.total is None:
        raise Refused("unknown_table_day", f"No table has figures on gaming day {day}.")
    return TotalPage(of_day.total, of_day.total.cell(code), [(row.table, row.cell(code)) for row in of_day.rows])


def _part(scope: Scope, sign: str, code: str, sums: Sums, only: str, after: str) -> PartPage:
    under = leaves_under(code)
    added = sum(_signed(s, _cents(scope, leaf, sums)) for s, leaf in under)
    leaves = [_leaf_page(scope, s, leaf, sums, only, after) for s, leaf in under if only in ("", leaf.code)]
    if code in LEAVES:
        return PartPage(sign, code, LEAVES[code].name, None, added, leaves)
    return PartPage(sign, code, FIGURES[code].name, scope.row.cell(code), added, leaves)


def _leaf_page(scope: Scope, sign: str, leaf: Leaf, sums: Sums, only: str, after: str) -> LeafPage:
    wanted = scope.selection(leaf)
    count = sums[wanted].events
    size = EVENTS_A_PAGE if only else EVENTS_SHOWN
    entries = history.page(wanted, after if only else "", size + 1) if count else []
    more = entries[size - 1].cursor if len(entries) > size else ""
    return LeafPage(sign, leaf, count, _cents(scope, leaf, sums), entries[:size], more)


def _cents(scope: Scope, leaf: Leaf, sums: Sums) -> int:
    made = sums[scope.selection(leaf)]
    return made.in_cents if leaf.side == "in" else made.out_cents


def _signed(sign: str, cents: int) -> int:
    return -cents if sign == "−" else cents
