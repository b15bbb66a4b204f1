"""What a figure of a report is of: a table, a period, a game, a pit, a shift or the house, over which days. Pure."""

from datetime import UTC, date, datetime
from typing import NamedTuple
from urllib.parse import urlencode

from ledger.stiff import DAY, GAME, HOUSE, PIT, SESSION, SHIFT, TABLE, Entry, Line
from ledger.stiff_columns import MONTH, RANGE, YEAR

KINDS = (HOUSE, GAME, PIT, SHIFT, TABLE, SESSION)


class Scope(NamedTuple):
    """`name` says which; of a period it is `R-01/2026-11-28/1`. `only_complete` leaves out what to-dates leave out.

    `hour` narrows a scope to what occurred from then on, for an hour; only recorded figures have hours. `filed` is the
    closed day with which the figures were filed; without it they are as known now.
    """

    kind: str
    name: str
    first: date
    last: date
    only_complete: bool = False
    hour: datetime | None = None
    filed: date | None = None

    @property
    def query(self) -> str:
        """The scope as it stands in an address."""
        asked = {"of": f"{self.kind}:{self.name}" if self.name else self.kind, "from": self.first.isoformat()}
        asked |= {"to": self.last.isoformat()} | ({"complete": "1"} if self.only_complete else {})
        asked |= {"hour": self.hour.astimezone(UTC).strftime("%Y-%m-%dT%H:%M")} if self.hour else {}
        asked |= {"filed": self.filed.isoformat()} if self.filed else {}
        return urlencode(asked, safe=":/")

    @property
    def words(self) -> str:
        """Of what, for people."""
        if self.kind == HOUSE:
            return "the house"
        if self.kind == SESSION:
            table, _, rest = self.name.partition("/")
            return f"{table}, session {rest.rpartition('/')[2]}"
        return {TABLE: "", GAME: "game ", PIT: "pit ", SHIFT: "shift "}[self.kind] + (self.name or "without a name")

    def holds(self, entry: Entry) -> bool:
        """Whether a table's day, or a period of it, belongs to the scope by its name; days are asked for besides."""
        mine = {
            HOUSE: "", GAME: entry.game, PIT: entry.pit, SHIFT: str(entry.shift), TABLE: entry.table,
            SESSION: f"{entry.table}/{entry.gaming_date.isoformat()}/{entry.session}",
        }  # fmt: skip
        return mine[self.kind] == self.name and (not self.only_complete or _is_complete(entry))


def _is_complete(entry: Entry) -> bool:
    return entry.facts.closer is not None and entry.facts.counted_drop is not None


def scope_of(line: Line, first: date, last: date, span: str = RANGE) -> Scope:
    """The scope of a line's cells; `span` says whether of the report's days, or of a month or year to date."""
    if span != RANGE:
        first = last.replace(day=1) if span == MONTH else last.replace(month=1, day=1)
    entry = line.of[0]
    if line.kind == SESSION:
        return Scope(SESSION, f"{entry.table}/{entry.gaming_date.isoformat()}/{entry.session}", first, last)
    if line.kind == DAY and span == RANGE:
        return Scope(TABLE, entry.table, entry.gaming_date, entry.gaming_date)
    kind, name = (TABLE, entry.table) if line.kind in (TABLE, DAY) else (line.kind, line.name)
    return Scope(kind, name, first, last, only_complete=span in (MONTH, YEAR))


def named(kind: str, name: str) -> str:
    """A line's name for people: "Game 54 Card Roulette", "Pit without a name", "House", "R-01"."""
    if kind == HOUSE:
        return "House"
    return f"{kind.capitalize()} {name or 'without a name'}" if kind in (GAME, PIT, SHIFT) else name
