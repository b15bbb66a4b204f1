"""Counted beside recorded beside theoretical, per table, session, day; every variance at its place (books, 2 and 3)."""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from fractions import Fraction
from zoneinfo import ZoneInfo

from django.conf import settings
from django.db import connection

from casino.refusal import Refused, in_quotes
from casino.table import shift_of
from ledger.closing import ends_at
from ledger.day_books import place_of
from ledger.models import Investigation
from ledger.places import Place, Places, places
from ledger.queries.days import Row, period_row, rows_of
from ledger.queries.explained import address
from ledger.reconcile import Reconciled, reconcile, total
from ledger.scope import Scope
from ledger.stiff import GAME, HOUSE, PIT, SESSION, TABLE
from ledger.variances import BETWEEN, BOX, TRAY, State, Suggestion, Variance, state_of, suggestions

THEO = """
    SELECT table_code, session, sum(theo_numerator), max(theo_denominator), sum(unknown_rounds)::int
      FROM luck_hour WHERE gaming_date = %s GROUP BY table_code, session, game, paytable"""

ORDERS = ("table", "pit", "game", "state", "drop", "box", "tray", "win", "estimated", "theo", "variance")
"""What the lines may be sorted by; with a minus before it, the other way round."""


@dataclass(frozen=True)
class Line:
    """A table's day or one session of it: its row, T (None where the mathematics is not known), and how it stands."""

    row: Row
    place: Place
    theo_cents: Fraction | None
    state: State
    shift: int | None = None
    investigation: Investigation | None = None

    @property
    def session(self) -> int:
        return self.row.session or 0

    @property
    def theo_url(self) -> str:
        """Where T is explained."""
        day, table = self.row.gaming_date, self.row.table
        if not self.session:
            return address("theo", Scope(TABLE, table, day, day))
        return address("theo", Scope(SESSION, f"{table}/{day.isoformat()}/{self.session}", day, day))

    @property
    def has_variance(self) -> bool:
        result = self.row.result
        return bool(result.box_variance or result.tray_variance or result.facts.between)


@dataclass(frozen=True)
class Group:
    """The lines of a pit, of a game, or of the house, added up."""

    name: str
    lines: int
    result: Reconciled
    theo_cents: Fraction | None
    scope: Scope | None = None
    """What explains its figures; None where a filter left some of it out."""


@dataclass(frozen=True)
class Reconciliation:
    """The page: lines in the order asked for, totals, and what may belong together."""

    gaming_date: date
    by_session: bool
    order: str
    lines: Sequence[Line]
    pits: Sequence[Group]
    games: Sequence[Group]
    house: Group | None
    suggestions: Sequence[Suggestion]
    position: int

    @property
    def states(self) -> Mapping[str, int]:
        """How many lines are in each state."""
        found = dict.fromkeys(("complete", "inventory_only", "broken", "open"), 0)
        for line in self.lines:
            found[line.state.code] += 1
        return found


def reconciliation(
    gaming_date: date, now: datetime, *, by_session: bool = False, order: str = "table", wanted: Mapping[str, str] = {}
) -> Reconciliation:
    """Every table's day, or every session; `wanted` filters by pit, game and state. Refuses `unknown_order`."""
    rows, position = rows_of(gaming_date)
    lines = _lines(gaming_date, now, rows, by_session)
    lines = [line for line in lines if _is_wanted(line, wanted)]
    found = _variances(rows, places())
    whole = gaming_date if not by_session and not any(wanted.values()) else None
    return Reconciliation(
        gaming_date=gaming_date,
        by_session=by_session,
        order=order,
        lines=_sorted(lines, order),
        pits=_groups(lines, PIT, lambda line: line.place.pit, whole),
        games=_groups(lines, GAME, lambda line: line.place.game_name, whole),
        house=_group(HOUSE, "", lines, whole) if lines else None,
        suggestions=suggestions(found),
        position=position,
    )


def _lines(gaming_date: date, now: datetime, rows: Sequence[Row], by_session: bool) -> list[Line]:
    standing, theo, investigations = places(), _theo(gaming_date), _investigations(gaming_date)
    zone = ZoneInfo(settings.TIME_ZONE)
    is_over = now >= ends_at(gaming_date, zone, settings.CASINO_ROLLOVER_HOUR)
    found = []
    for row in rows:
        for one in [period_row(period) for period in row.periods] if by_session else [row]:
            session = one.session or 0
            opened = one.periods[0].opened_at
            found.append(
                Line(
                    row=one,
                    place=place_of(standing, one.periods),
                    theo_cents=_sum_of(theo, one),
                    state=_state(one, is_over or row.periods[-1].session != (session or row.periods[-1].session)),
                    shift=shift_of(opened, zone, settings.CASINO_SHIFTS) if by_session else None,
                    investigation=investigations.get((one.table, session)),
                )
            )
    return found


def _state(row: Row, is_over: bool) -> State:
    unsettled = sum(p.rounds_opened - p.rounds_settled - p.rounds_voided for p in row.periods)
    if row.session is None:
        return state_of(row.result, unsettled, is_over)
    state = state_of(row.result, unsettled, is_over)
    # One box serves the day, so a session's box is nothing that is missing.
    missing = tuple(what for what in state.missing if what != "the count of the box")
    return State("complete" if state.code == "inventory_only" and not missing else state.code, missing)


def _theo(gaming_date: date) -> dict[tuple[str, int], Fraction | None]:
    """T of each table and session, exactly; None where the mathematics of a round is not known."""
    found: dict[tuple[str, int], Fraction | None] = {}
    with connection.cursor() as cursor:
        cursor.execute(THEO, [gaming_date])
        for table, session, numerator, denominator, unknown in cursor.fetchall():
            before = found.get((table, session), Fraction(0))
            known = None if unknown else Fraction(int(numerator), int(denominator))
            found[table, session] = None if before is None or known is None else before + known
    return found


def _sum_of(theo: Mapping[tuple[str, int], Fraction | None], row: Row) -> Fraction | None:
    """T of a row's sessions; a session that settled nothing has 0."""
    parts = [theo.get((row.table, period.session), Fraction(0)) for period in row.periods]
    return None if None in parts else sum((part for part in parts if part is not None), Fraction(0))


def _investigations(gaming_date: date) -> dict[tuple[str, int], Investigation]:
    return {(one.table_code, one.session): one for one in Investigation.objects.filter(day=gaming_date)}


def _variances(rows: Sequence[Row], standing: Places) -> list[Variance]:
    """Every difference of the day at its place: boxes by the day, trays by the session, and between sessions."""
    found = []
    for row in rows:
        pit = place_of(standing, row.periods).pit
        if row.result.box_variance:
            found.append(Variance(row.table, pit, BOX, row.result.box_variance))
        if row.result.facts.between:
            found.append(Variance(row.table, pit, BETWEEN, row.result.facts.between))
        for period in row.periods:
            tray = period_row(period).result.tray_variance
            if tray:
                found.append(Variance(row.table, pit, TRAY, tray, period.session if len(row.periods) > 1 else 0))
    return found


def _is_wanted(line: Line, wanted: Mapping[str, str]) -> bool:
    has = {"pit": line.place.pit, "game": line.place.game, "state": line.state.code}
    if any(value and has.get(name) != value for name, value in wanted.items() if name in has):
        return False
    return line.has_variance if wanted.get("only") == "variance" else True


# ------------------------------------------------------------------------------------------------- order and sums


def _sorted(lines: Sequence[Line], order: str) -> list[Line]:
    """In the order asked for; amounts by how much they are, whichever way, and what is not known last."""
    name = order.removeprefix("-")
    if name not in ORDERS:
        raise Refused("unknown_order", f"{in_quotes(order)} is no order; choose from {', '.join(ORDERS)}.")
    keyed = [(_key(line, name), line) for line in lines]
    known = [pair for pair in keyed if pair[0] is not None]
    known.sort(key=lambda pair: (pair[0], pair[1].row.table, pair[1].session), reverse=order.startswith("-"))
    return [line for _, line in known] + [line for key, line in keyed if key is None]


def _key(line: Line, name: str) -> str | Fraction | int | None:
    result = line.row.result
    texts = {"table": line.row.table, "pit": line.place.pit, "game": line.place.game, "state": line.state.code}
    if name in texts:
        return texts[name]
    differences = {"box": result.box_variance, "tray": result.tray_variance, "variance": result.variance}
    if name in differences:
        cents = differences[name]
        return None if cents is None else abs(cents)
    amounts = {
        "drop": result.facts.recorded_drop, "win": result.win, "estimated": result.estimated_win,
        "theo": line.theo_cents,
    }  # fmt: skip
    return amounts[name]


def _groups(lines: Sequence[Line], kind: str, named: Callable[[Line], str], whole: date | None) -> list[Group]:
    by_name: dict[str, list[Line]] = defaultdict(list)
    for line in lines:
        by_name[named(line)].append(line)
    return [_group(kind, name, found, whole) for name, found in sorted(by_name.items())]


def _group(kind: str, name: str, lines: Sequence[Line], whole: date | None) -> Group:
    theo = [line.theo_cents for line in lines]
    known = None if None in theo else sum((one for one in theo if one is not None), Fraction(0))
    scope = Scope(kind, name, whole, whole) if whole else None
    shown = "All" if kind == HOUSE else name or "no pit"
    return Group(shown, len(lines), reconcile(total(line.row.result.facts for line in lines)), known, scope)


def variances_of(gaming_date: date, table: str, session: int) -> tuple[int | None, int | None]:
    """What differs now in box and tray of a table's day or session, in cents; None where it is not known."""
    rows, _ = rows_of(gaming_date, [table])
    found = rows[0] if rows else None
    if found and session:
        period = next((p for p in found.periods if p.session == session), None)
        found = period_row(period) if period else None
    if found is None:
        raise Refused("unknown_table_day", f"Table {in_quotes(table)} has no such figures on gaming day {gaming_date}.")
    return found.result.box_variance, found.result.tray_variance
