"""From the log to the journal: every event's entry, in the order of the log. `JOURNAL` stands at the foot.

One query reads what may post in a range; each event goes through its one posting function with what it needs, and all
lines are written at once. What is written follows from the log alone.
"""

from collections.abc import Iterable, Sequence
from datetime import date
from typing import Any, NamedTuple

from django.conf import settings
from django.db.backends.utils import CursorWrapper

from casino.events import HandCompleted, RoundVoided, TableOpened
from casino.eventstore.follower import Follower
from casino.eventstore.registry import decode, name_of
from casino.keys import RoundId
from jackpot.facts import Fact, facts_of
from ledger.accounts import CHART
from ledger.count_events import EmergencyBoxPlaced
from ledger.entry import Line
from ledger.journal_meters import OWN, Meters
from ledger.journal_models import BLOCK
from ledger.journal_state import Day, Desk, Period, put
from ledger.postings import POSTINGS, post

ONLY_WITH_A_METER = {name_of(HandCompleted), name_of(RoundVoided)}
TYPES = sorted(({name_of(cls) for cls in POSTINGS} | {name_of(EmergencyBoxPlaced)} | set(OWN)) - ONLY_WITH_A_METER)
OF_METERS = ONLY_WITH_A_METER | set(OWN) | {"progressive_collected"}
"""What a link's fold may have to know."""

READ = f"""
    SELECT e.position, e.type, e.schema_version, e.payload, e.gaming_date, e.table_code, e.round_no,
           (e.recorded_at AT TIME ZONE %s)::date,
           CASE WHEN e.round_no IS NULL THEN (SELECT s.key FROM log.stream s WHERE s.id = e.stream_id) END
      FROM log.event e
     WHERE e.position > %s AND e.position <= %s
       AND (e.type = ANY(%s)
            OR e.type = '{name_of(HandCompleted)}' AND e.payload NOT LIKE '%%"wins":[]%%'
            OR e.type = '{name_of(RoundVoided)}' AND e.payload::jsonb -> 'progressive' <> 'null')
     ORDER BY e.position"""


class Read(NamedTuple):
    """An event as the query gives it; `key` is its stream's where that is no round's."""

    position: int
    type: str
    schema_version: int
    payload: str
    gaming_date: date
    table_code: str | None
    round_no: int | None
    recorded_on: date
    key: str | None

    @property
    def day(self) -> Day | None:
        """Its gaming date and table, None where it is of no table."""
        return (self.gaming_date, self.table_code) if self.table_code else None

    @property
    def reference(self) -> str:
        """Its round (`R-01/2026-11-29/17`), else its stream."""
        if self.round_no is None:
            return self.key or ""
        return str(RoundId(self.table_code or "", self.gaming_date, self.round_no))

    @property
    def session(self) -> int | None:
        """The number of the session whose stream it stands on."""
        parts = (self.key or "").split("/")
        return int(parts[4]) if len(parts) == 5 and parts[1] == "session" else None


def apply(cursor: CursorWrapper, after: int, upto: int) -> None:
    """Post the events with after < position <= upto. Raises Unbalanced, and what the links' fold raises."""
    cursor.execute(READ, [settings.TIME_ZONE, after, upto, TYPES])
    reads = [Read._make(row) for row in cursor.fetchall()]
    if not reads:
        return
    events = [decode(read.type, read.schema_version, read.payload) for read in reads]
    facts = [_facts(read, event) for read, event in zip(reads, events, strict=True)]
    meters = Meters(cursor, [fact for several in facts for fact in several])
    desk = Desk(cursor, {read.day for read in reads if read.day})
    page = Page(_last_posting_date(cursor))
    for read, event, of_links in zip(reads, events, facts, strict=True):
        moves = meters.moves(read.position, of_links)
        period = desk.period(read.day, read.position, read.round_no, read.session) if read.day else None
        entry = post(event, desk.place(read.day, period, moves))
        if isinstance(event, TableOpened) and read.day:
            period = desk.begin(read.day, event, read.position)
        if read.day:
            desk.keep(read.day, period, event, entry.lines)
        page.enter(read, period, entry.lines)
    for part in (meters, desk, page):
        part.write(cursor)


def _facts(read: Read, event: Any) -> list[tuple[str, Fact]]:
    return list(facts_of(event, read.reference, read.key or "")) if read.type in OF_METERS else []


def _last_posting_date(cursor: CursorWrapper) -> date:
    cursor.execute("SELECT posting_date FROM journal_entry ORDER BY position DESC LIMIT 1")
    row = cursor.fetchone()
    return row[0] if row else date.min


class Page:
    """The entries of a range, their lines, and the sums of the lines."""

    def __init__(self, posted_on: date) -> None:
        self.posted_on = posted_on
        self.entries: list[Sequence[object]] = []
        self.lines: list[Sequence[object]] = []
        self.sums: dict[Sequence[object], list[int]] = {}

    def enter(self, read: Read, period: Period | None, lines: Sequence[Line]) -> None:
        """One event's entry; nothing where it moved nothing."""
        if not lines:
            return
        # positions are drawn before the clock is read, so of two appends at midnight the later may be dated earlier
        self.posted_on = max(self.posted_on, read.recorded_on)
        table, session = read.table_code or "", period.session if period else None
        dates = (read.gaming_date, self.posted_on)
        self.entries.append((read.position, read.type, *dates, table, session, read.reference))
        for nth, line in enumerate(lines, 1):
            self.lines.append((read.position, nth, line.account, line.link, line.micros))
            self._add(read, table, line)

    def _add(self, read: Read, table: str, line: Line) -> None:
        of_table = table if CHART[line.account].kept_by == "table" else ""
        key = (read.position // BLOCK, read.gaming_date, line.account, of_table, line.link)
        sums = self.sums.setdefault(key, [0, 0])
        sums[line.micros < 0] += abs(line.micros)

    def write(self, cursor: CursorWrapper) -> None:
        """Entries and lines by COPY, the lines in one statement, which the database checks; the sums by another."""
        _copy(cursor, ENTRIES, self.entries)
        _copy(cursor, LINES, self.lines)
        put(cursor, SUMS, [(*key, *sums) for key, sums in self.sums.items()])


def _copy(cursor: CursorWrapper, statement: str, rows: Iterable[Sequence[object]]) -> None:
    with cursor.copy(statement) as copy:
        for row in rows:
            copy.write_row(row)


ENTRIES = """COPY journal_entry (position, type, gaming_date, posting_date, table_code, session, reference)
    FROM STDIN"""
LINES = "COPY journal_line (position, nth, account, link, micros) FROM STDIN"
SUMS = """INSERT INTO journal_sum AS j (block, gaming_date, account, table_code, link, debit_micros, credit_micros)
    SELECT * FROM unnest(%s::int[], %s::date[], %s::text[], %s::text[], %s::text[], %s::bigint[], %s::bigint[])
        ON CONFLICT (block, gaming_date, account, table_code, link) DO UPDATE SET
           debit_micros = j.debit_micros + excluded.debit_micros,
           credit_micros = j.credit_micros + excluded.credit_micros"""

TABLES = (
    "journal_entry", "journal_line", "journal_sum", "journal_tray", "journal_session", "journal_box", "journal_meter",
    "journal_hit",
)  # fmt: skip
JOURNAL = Follower("journal", TABLES, apply, batch=1_000)  # every fifth event posts, eight lines each
