"""The lines of every meter's statement by gaming day, as the fold writes them (`projections.apply`).

A fact belongs to its own gaming day, whenever it becomes known. So the fold adds up stakes only while their day is the
same: what each day's stakes did to a pool then follows from the log alone, however it is read in batches.
"""

from collections.abc import Mapping
from datetime import date
from typing import Any

import msgspec
from django.db.backends.utils import CursorWrapper

from jackpot.link import Link
from jackpot.statement import lines_of


class DayBook:
    """Collects what one range of the log adds to the statements; `days` is position → gaming day."""

    def __init__(self, days: Mapping[int, date]) -> None:
        self.days = days
        self.lines: dict[tuple[str, date, str, str], int] = {}

    def enter(self, at: int, fact: Any, before: Link | None, after: Link) -> None:
        """A fact at a position, or the last of several stakes of one day."""
        for (account, line), micros in lines_of(fact, before.meter if before else None, after.meter).items():
            key = (after.terms.code, self.days[at], account, line)
            self.lines[key] = self.lines.get(key, 0) + micros

    def write(self, cursor: CursorWrapper) -> None:
        """All of it in one statement."""
        if not self.lines:
            return
        rows = [
            {"link": link, "gaming_date": day, "account": account, "line": line, "micros": micros}
            for (link, day, account, line), micros in self.lines.items()
        ]
        cursor.execute(LINES, [msgspec.json.encode(rows).decode()])


LINES = """INSERT INTO jackpot_day_line AS d (link, gaming_date, account, line, micros)
    SELECT link, gaming_date, account, line, micros FROM jsonb_populate_recordset(NULL::jackpot_day_line, %s::jsonb)
        ON CONFLICT (link, gaming_date, account, line) DO UPDATE SET micros = d.micros + excluded.micros"""
