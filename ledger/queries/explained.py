"""A figure of a table, period, pit, game, shift or the house over some days, opened down to its events.

The books say what the figure is; the log is added up again beside them, and the page says whether the two agree. Where
there are more rounds than one look may add up, the figure is opened by table and by day first, and each of those by its
events.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from fractions import Fraction
from typing import Any, NamedTuple

from django.urls import reverse

from casino.eventstore.follower import position_of
from casino.refusal import Refused, in_quotes
from ledger.figures import LEAVES, Amount, Leaf, leaves_under
from ledger.luck_hours import LUCK
from ledger.models import TableHour, TablePeriod
from ledger.projections import BOOKS
from ledger.queries import origins
from ledger.queries.as_filed import as_filed
from ledger.queries.evidence import EventLine, lines_of
from ledger.queries.filed import one_snapshot
from ledger.queries.measured import Worth, worth
from ledger.queries.origins import Chain, Moments, Range
from ledger.queries.stiff import check_days, entries
from ledger.scope import KINDS, Scope
from ledger.stiff import DAY, SESSION, SHIFT, TABLE, Entry, Line
from ledger.stiff_columns import SHEET_FIGURES, amount_of, why

EVENTS_SHOWN, EVENTS_A_PAGE = 8, 50
ROUNDS_MAX, MEASURED_MAX = 20_000, 2_000
"""How many rounds one look adds up, and how many it reckons again one by one."""
EVER = Moments(datetime(1900, 1, 1, tzinfo=UTC), datetime(3000, 1, 1, tzinfo=UTC))
NOT_BY_DAY = {"opener", "closer", "between", "expected-tray"}
"""What following days have in common with each other, so that their sum says nothing."""
HOURS = {"estimated-win": "win_cents", "recorded-drop": "drop_cents", "handle": "handle_cents",
         "fills": "fills_cents", "credits": "credits_cents"}  # fmt: skip
"""The figures that the hours of the books have, and their columns."""


class LeafShown(NamedTuple):
    """A kind of event under a figure: all of them summed, some listed; `more` is where the list goes on, 0 nowhere."""

    sign: str
    leaf: Leaf
    number: int
    cents: Amount
    lines: list[EventLine]
    more: int
    url: str

    @property
    def signed_cents(self) -> Amount:
        return -self.cents if self.sign == "−" and self.cents is not None else self.cents


class Part(NamedTuple):
    """A part of the formula with its amount in the books, why there is none, and where it opens."""

    sign: str
    code: str
    name: str
    basis: str
    amount: Amount
    is_share: bool
    url: str


class Piece(NamedTuple):
    """The same figure of a part of the scope: a table, a day, a period."""

    name: str
    amount: Amount
    reason: str
    url: str


@dataclass(frozen=True)
class Explained:
    """A figure with its formula, its parts, its pieces and its events. `added` is what the log says of it.

    `tables` and `days` are what the scope holds; `rounds` how many rounds, of which too many are not added up at once.
    """

    code: str
    scope: Scope
    amount: Amount
    reason: str
    parts: Sequence[Part]
    by: str
    pieces: Sequence[Piece]
    leaves: Sequence[LeafShown]
    position: int
    tables: Sequence[str]
    days: int
    rounds: int
    is_added: bool
    only: str = ""

    @property
    def figure(self) -> Any:
        return SHEET_FIGURES[self.code]

    @property
    def added(self) -> Amount:
        """What the events make of the figure; None where it was not asked, or the figure is a share or not known."""
        if not self.is_added or self.figure.is_share or self.amount is None:
            return None
        amounts = [leaf.signed_cents for leaf in self.leaves]
        return None if None in amounts else sum(amount for amount in amounts if amount is not None)

    @property
    def is_proven(self) -> bool | None:
        """Whether the events make the figure; None where there is nothing to compare."""
        return None if self.added is None else self.added == self.amount

    @property
    def pieces_agree(self) -> bool | None:
        """Whether the pieces add up to the figure; None where sums of them say nothing."""
        amounts = [piece.amount for piece in self.pieces]
        if self.figure.is_share or not amounts or self.amount is None or None in amounts:
            return None
        if self.by != TABLE and self.code in NOT_BY_DAY:
            return None
        return sum(amount for amount in amounts if amount is not None) == self.amount


def explain(code: str, scope: Scope, only: str = "", after: int = 0) -> Explained:
    """A figure opened; `only` lists one kind of event, a page of it behind the position `after`.

    Refuses `unknown_figure`, `unknown_part`, `unknown_scope`, `not_by_the_hour`, `not_filed`,
    `days_backwards`, `too_many_days`, `day_not_closed`.
    """
    _check(code, scope, only)
    leaves = leaves_under(code, figures=SHEET_FIGURES)
    measured = [leaf for _, leaf in leaves if leaf.streams == "measured"]
    with one_snapshot():
        books = _filed(scope) if scope.filed else _known(scope, bool(measured))
        sessions = books.sessions
        mine = [one for one in (sessions if scope.kind in (SESSION, SHIFT) else books.days) if scope.holds(one)]
        if not mine:
            raise Refused("unknown_scope", f"The books have nothing of {scope.words} on these days.")
        chains = _chains(mine, books)
        hours = _hours(code, scope, mine) if scope.hour else None
    line = Line(scope.kind, scope.name, tuple(mine))
    rounds = sum(period.rounds_opened for chain in chains for period in chain.periods)
    most = MEASURED_MAX if measured else ROUNDS_MAX
    is_added = rounds <= most or all(leaf.streams not in ("round", "measured") for _, leaf in leaves)
    # The log up to the books' position is final, so it is read without holding the snapshot.
    found = _leaves(code, scope, chains, books, only, after) if is_added else []
    amount = hours if scope.hour else amount_of(code, line.result, line.amounts)
    return Explained(
        code, scope, amount, "" if amount is not None else why(code, line), _parts(code, scope, line),
        *_pieces(code, scope, mine, sessions), found, books.position, line.tables,
        len({one.gaming_date for one in mine}), rounds, is_added, only,
    )  # fmt: skip


class _Books(NamedTuple):
    """What the books have of some days, and up to which position of the log, of one day or other an earlier one."""

    days: list[Entry]
    sessions: list[Entry]
    periods: Sequence[TablePeriod]
    position: int
    cuts: Mapping[date, int]


def _known(scope: Scope, with_measured: bool) -> _Books:
    """As known now."""
    position = min(position_of(name) for name in ({BOOKS.name, LUCK.name} if with_measured else {BOOKS.name}))
    days, sessions = entries(scope.first, scope.last, position, books_only=not with_measured)
    return _Books(
        days, sessions, TablePeriod.objects.filter(gaming_date__range=(scope.first, scope.last)), position, {}
    )


def _filed(scope: Scope) -> _Books:
    """As filed."""
    assert scope.filed
    days, sessions, periods, cuts = as_filed(scope.first, scope.last, scope.filed)
    return _Books(days, sessions, periods, max(cuts.values()), cuts)


def _check(code: str, scope: Scope, only: str) -> None:
    check_days(scope.first, scope.last)
    if code not in SHEET_FIGURES:
        raise Refused("unknown_figure", f"There is no figure {in_quotes(code)}; choose one on a report.")
    if only and only not in {leaf.code for _, leaf in leaves_under(code, figures=SHEET_FIGURES)}:
        raise Refused("unknown_part", f"{in_quotes(only)} is no part of this figure.")
    if scope.kind not in KINDS:
        raise Refused("unknown_scope", f"{in_quotes(scope.kind)} is not what a figure can be of: {', '.join(KINDS)}.")
    if scope.filed and (
        scope.hour or any(leaf.streams == "measured" for _, leaf in leaves_under(code, figures=SHEET_FIGURES))
    ):
        raise Refused("not_filed", f"{SHEET_FIGURES[code].name} is no figure that is filed; look at it as known now.")
    if scope.hour and (code not in HOURS or scope.kind in (SESSION, SHIFT)):
        raise Refused("not_by_the_hour", f"The books have no hours of {in_quotes(code)} of {scope.words}.")


def address(code: str, scope: Scope) -> str:
    """Where a figure of a scope is explained."""
    return f"{reverse('explained', args=[code])}?{scope.query}"


# ------------------------------------------------------------------------------------------------- parts and pieces


def _parts(code: str, scope: Scope, line: Line) -> list[Part]:
    parts = []
    for sign, part in SHEET_FIGURES[code].parts:
        if part in LEAVES:
            continue
        figure = SHEET_FIGURES[part]
        amount = None if scope.hour else amount_of(part, line.result, line.amounts)
        url = "" if scope.hour else address(part, scope)
        parts.append(Part(sign, part, figure.name, figure.basis, amount, figure.is_share, url))
    return parts


def _pieces(code: str, scope: Scope, mine: list[Entry], sessions: list[Entry]) -> tuple[str, list[Piece]]:
    """The figure by table where there are several, else by day, else by period."""
    tables, days = sorted({one.table for one in mine}), sorted({one.gaming_date for one in mine})
    if scope.hour:
        return TABLE, []
    if scope.kind == SHIFT:
        return SESSION, [_period(code, one) for one in mine]
    if len(tables) > 1:
        kept = [(t, scope._replace(kind=TABLE, name=t), [one for one in mine if one.table == t]) for t in tables]
        return TABLE, [_piece(code, *one) for one in kept]
    if len(days) > 1:
        dated = [
            (d.isoformat(), scope._replace(first=d, last=d), [o for o in mine if o.gaming_date == d]) for d in days
        ]
        return DAY, [_piece(code, *one) for one in dated]
    periods = [one for one in sessions if (one.table, one.gaming_date) == (mine[0].table, mine[0].gaming_date)]
    return SESSION, [_period(code, one) for one in periods] if scope.kind != SESSION and len(periods) > 1 else []


def _period(code: str, one: Entry) -> Piece:
    day = one.gaming_date
    scope = Scope(SESSION, f"{one.table}/{day.isoformat()}/{one.session}", day, day)
    return _piece(code, f"{one.table}, {day.isoformat()}, session {one.session}", scope, [one])


def _piece(code: str, name: str, scope: Scope, part: list[Entry]) -> Piece:
    line = Line(scope.kind, scope.name, tuple(part))
    amount = amount_of(code, line.result, line.amounts)
    return Piece(name, amount, "" if amount is not None else why(code, line), address(code, scope))


def _hours(code: str, scope: Scope, mine: list[Entry]) -> int:
    """The figure of the scope's hour, as the books keep it."""
    tables = {one.table for one in mine}
    found = TableHour.objects.filter(gaming_date=scope.first, hour=scope.hour, table_code__in=tables)
    return sum(found.values_list(HOURS[code], flat=True))


# ------------------------------------------------------------------------------------------------- events


def _chains(mine: list[Entry], books: _Books) -> list[Chain]:
    """The periods of each table of the scope, with those that follow them in their day."""
    wanted = {(one.table, one.gaming_date, one.session) for one in mine}
    found: dict[str, list[TablePeriod]] = defaultdict(list)
    following: dict[str, dict[tuple[str, int], TablePeriod]] = defaultdict(dict)
    for period in sorted(books.periods, key=lambda one: (one.table_code, one.gaming_date, one.session)):
        table, day = period.table_code, period.gaming_date
        following[table][day.isoformat(), period.session - 1] = period
        if (table, day, period.session) in wanted or (table, day, None) in wanted:
            found[table].append(period)
    boxes = {(one.table, one.gaming_date.isoformat()) for one in mine if one.facts.counted_drop is not None}
    return [
        Chain(periods, following[table], frozenset(day for of, day in boxes if of == table))
        for table, periods in found.items()
    ]


def _leaves(code: str, scope: Scope, chains: list[Chain], books: _Books, only: str, after: int) -> list[LeafShown]:
    """Every kind of event under the figure, summed; listed are a few of each, or a page of the one asked for."""
    signed = leaves_under(code, figures=SHEET_FIGURES)
    within = Moments(scope.hour, scope.hour + timedelta(hours=1)) if scope.hour else EVER
    ranges = [one for chain in chains for one in chain.ranges(lambda day: books.cuts.get(day, books.position))]
    size = EVENTS_A_PAGE if only else EVENTS_SHOWN
    found = _found([leaf for _, leaf in signed], ranges, within, after if only else 0, size + 1)
    listed = {leaf.code: found[leaf.code].listed[:size] for _, leaf in signed if only in ("", leaf.code)}
    lines = lines_of([leaf for _, leaf in signed], listed)
    shown = []
    for sign, leaf in signed:
        of = found[leaf.code]
        more = of.listed[size - 1].position if leaf.code in listed and len(of.listed) > size else 0
        url = f"{address(code, scope)}&events={leaf.code}"
        shown.append(LeafShown(sign, leaf, of.events, of.cents, lines[leaf.code], more, url))
    return shown


class _Found(NamedTuple):
    """The events of one kind: how many, what they are worth together, and those that may be listed."""

    events: int
    cents: Amount
    listed: list[Worth]


def _found(leaves: list[Leaf], ranges: list[Range], within: Moments, after: int, limit: int) -> dict[str, _Found]:
    """Kind of event → what the log has of it, of what is measured as of what stands in it."""
    of_log = origins.under(ranges, [leaf for leaf in leaves if leaf.streams != "measured"], within, after, limit)
    reckoned = worth([leaf for leaf in leaves if leaf.streams == "measured"], ranges)
    found = {}
    for leaf in leaves:
        if leaf.code in of_log:
            of = of_log[leaf.code]
            cents = of.in_cents if leaf.side == "in" else of.out_cents
            found[leaf.code] = _Found(of.events, cents, [Worth(position, None) for position in of.positions])
        else:
            all_ = reckoned[leaf.code]
            known = [one.cents for one in all_ if one.cents is not None]
            total = sum(known, Fraction(0)) if len(known) == len(all_) else None
            found[leaf.code] = _Found(len(all_), total, [one for one in all_ if one.position > after][:limit])
    return found
