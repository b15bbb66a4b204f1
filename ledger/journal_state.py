"""Where trays, sessions and boxes stand while the journal is written: loaded, moved by entries, written back."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from django.db.backends.utils import CursorWrapper

from casino.events import TableClosed, TableOpened
from ledger.accounts import BOXES, TRAYS
from ledger.count_events import CountCorrected, EmergencyBoxPlaced
from ledger.entry import Line
from ledger.events import DropCounted
from ledger.postings.felt import paper_cents
from ledger.postings.place import Move, Place

Day = tuple[date, str]
"""A gaming date and a table."""


@dataclass
class Tray:
    """A table's tray in the journal."""

    micros: int = 0
    is_opened: bool = False


@dataclass
class Period:
    """A session of a table on a gaming date."""

    session: int
    first_round: int
    opened_position: int
    is_counted: bool = False


@dataclass
class Box:
    """A table's boxes of a gaming day: what no count has found yet, and how many there are."""

    micros: int = 0
    paper_cents: int = 0
    placed: int = 1
    counted: int = 0


class Desk:
    """The trays of some tables, and the sessions and boxes of some of their days."""

    def __init__(self, cursor: CursorWrapper, days: Collection[Day]) -> None:
        self.trays = self._trays(cursor, list({table for _, table in days}))
        dates, tables = [day for day, _ in days], [table for _, table in days]
        self.periods: dict[Day, list[Period]] = {}
        cursor.execute(PERIODS, [dates, tables])
        for day, table, *row in cursor.fetchall():
            self.periods.setdefault((day, table), []).append(Period(*row))
        cursor.execute(BOXES_OF, [dates, tables])
        self.boxes = {(day, table): Box(*row) for day, table, *row in cursor.fetchall()}

    def _trays(self, cursor: CursorWrapper, tables: list[str]) -> dict[str, Tray]:
        cursor.execute("SELECT table_code, micros, is_opened FROM journal_tray WHERE table_code = ANY(%s)", [tables])
        return {table: Tray(*row) for table, *row in cursor.fetchall()}

    def period(self, day: Day, position: int, round_no: int | None, session: int | None) -> Period | None:
        """The session of an event: that of its stream, else of its round, else the one that was open."""
        periods = self.periods.get(day, [])
        if session is not None:
            fits = [one for one in periods if one.session == session]
        elif round_no is not None:
            fits = [one for one in periods if one.first_round <= round_no]
        else:
            fits = [one for one in periods if one.opened_position < position]
        return max(fits, key=lambda one: one.session, default=None)

    def place(self, day: Day | None, period: Period | None, moves: tuple[Move, ...]) -> Place:
        """What the posting of an event needs."""
        if day is None:
            return Place(moves=moves)
        tray, box = self.trays.get(day[1], Tray()), self.boxes.get(day, Box())
        return Place(
            table=day[1],
            tray_micros=tray.micros,
            is_first_count=not tray.is_opened,
            is_counted=period is not None and period.is_counted,
            box_micros=box.micros,
            paper_cents=box.paper_cents,
            boxes_left=box.placed - box.counted,
            moves=moves,
        )

    def begin(self, day: Day, event: TableOpened, position: int) -> Period:
        """A session begins with its opener."""
        period = Period(event.session, event.first_round, position)
        self.periods.setdefault(day, []).append(period)
        self.trays.setdefault(day[1], Tray()).is_opened = True
        return period

    def keep(self, day: Day, period: Period | None, event: Any, lines: Iterable[Line]) -> None:
        """What an entry leaves in tray and box."""
        for line in lines:
            if line.account == TRAYS:
                self.trays.setdefault(day[1], Tray()).micros += line.micros
            elif line.account == BOXES:
                self.boxes.setdefault(day, Box()).micros += line.micros
        if isinstance(event, TableClosed) and period is not None:
            period.is_counted = True
        if isinstance(event, OF_BOXES) or paper_cents(event):
            self._keep_box(self.boxes.setdefault(day, Box()), event)

    def _keep_box(self, box: Box, event: Any) -> None:
        """Paper that is recorded or found, and boxes placed and counted; once all are, nothing is left to be found."""
        if isinstance(event, EmergencyBoxPlaced):
            box.placed = max(box.placed, event.number)
        if isinstance(event, DropCounted):
            box.counted += 1
            box.paper_cents -= event.checks_cents + event.promo_cents if event.is_itemised else box.paper_cents
        elif isinstance(event, CountCorrected):
            box.paper_cents -= event.in_cents - event.currency_difference_cents
        else:
            box.paper_cents += paper_cents(event)
        if box.counted >= box.placed:
            box.paper_cents = 0

    def write(self, cursor: CursorWrapper) -> None:
        """All of it, as it stands now."""
        put(cursor, TRAY, [(table, tray.micros, tray.is_opened) for table, tray in self.trays.items()])
        periods = [(day, one) for day, several in self.periods.items() for one in several]
        put(
            cursor,
            PERIOD,
            [(*day, one.session, one.first_round, one.opened_position, one.is_counted) for day, one in periods],
        )
        put(
            cursor,
            BOX,
            [(*day, box.micros, box.paper_cents, box.placed, box.counted) for day, box in self.boxes.items()],
        )


def put(cursor: CursorWrapper, statement: str, rows: Sequence[Sequence[object]]) -> None:
    """Write rows by one statement that takes each of their columns as an array."""
    if rows:
        cursor.execute(statement, [list(column) for column in zip(*rows, strict=True)])


OF_BOXES = (EmergencyBoxPlaced, DropCounted, CountCorrected)

PERIODS = """SELECT s.gaming_date, s.table_code, s.session, s.first_round, s.opened_position, s.is_counted
    FROM unnest(%s::date[], %s::text[]) AS d (day, code)
    JOIN journal_session s ON s.gaming_date = d.day AND s.table_code = d.code"""

BOXES_OF = """SELECT b.gaming_date, b.table_code, b.micros, b.paper_cents, b.placed, b.counted
    FROM unnest(%s::date[], %s::text[]) AS d (day, code)
    JOIN journal_box b ON b.gaming_date = d.day AND b.table_code = d.code"""

TRAY = """INSERT INTO journal_tray (table_code, micros, is_opened)
    SELECT * FROM unnest(%s::text[], %s::bigint[], %s::bool[])
        ON CONFLICT (table_code) DO UPDATE SET micros = excluded.micros, is_opened = excluded.is_opened"""

PERIOD = """INSERT INTO journal_session (gaming_date, table_code, session, first_round, opened_position, is_counted)
    SELECT * FROM unnest(%s::date[], %s::text[], %s::smallint[], %s::int[], %s::bigint[], %s::bool[])
        ON CONFLICT (gaming_date, table_code, session) DO UPDATE SET is_counted = excluded.is_counted"""

BOX = """INSERT INTO journal_box (gaming_date, table_code, micros, paper_cents, placed, counted)
    SELECT * FROM unnest(%s::date[], %s::text[], %s::bigint[], %s::bigint[], %s::smallint[], %s::smallint[])
        ON CONFLICT (gaming_date, table_code) DO UPDATE SET micros = excluded.micros,
           paper_cents = excluded.paper_cents, placed = excluded.placed, counted = excluded.counted"""
