"""The journal as a general ledger takes it: one line a posting line, by posting date (books, 4.5).

Posting dates never go back along the journal, so what was posted up to a day is all entries up to one position: the
cut. Once an entry of a later date is there, nothing can come before the cut any more, and the export stays as it was.
"""

import csv
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from io import StringIO
from typing import Any

from django.conf import settings
from django.db import connection

from casino.refusal import Refused
from ledger.accounts import CHART
from ledger.queries.journal import at_most_reached

HEAD = (
    "entry", "posting_date", "gaming_date", "account", "account_name", "debit", "credit", "currency", "table",
    "session", "link", "text", "reference",
)  # fmt: skip
ENTRIES = 2_000
"""Entries in one read and one piece of the file."""


@dataclass(frozen=True)
class Export:
    """What is exported: entries posted from `first` to `last`, up to the position `cut`.

    `is_final`: no further entry can be posted on these dates; else the file is of what is there now.
    """

    first: date
    last: date
    cut: int
    entries: int
    is_final: bool

    @property
    def name(self) -> str:
        """The file's name: with its dates, and the cut, by which the same can be had again."""
        return f"journal-{self.first}-to-{self.last}-cut-{self.cut}.csv"


def export_of(first: date, last: date, upto: int | None = None) -> Export:
    """An export of the entries posted from `first` to `last`, both included; `upto` cuts earlier.

    Refuses `bad_dates` and `position_not_reached`.
    """
    if last < first:
        raise Refused("bad_dates", f"{last} is before {first}; give the first date before the last.")
    at = at_most_reached(upto)
    with connection.cursor() as cursor:
        cursor.execute(CUT, {"first": first, "last": last, "at": at})
        entries, cut, is_final = cursor.fetchone()
    return Export(first, last, cut if is_final else at, entries, is_final)


def csv_of(export: Export) -> Iterator[str]:
    """The file, a piece at a time; no piece holds a transaction open while the next is waited for."""
    yield _written([HEAD])
    after = 0
    while rows := _rows(export, after):
        yield _written(_fields(row) for row in rows)
        after = rows[-1][0]


def _rows(export: Export, after: int) -> list[Any]:
    wanted = {"first": export.first, "last": export.last, "cut": export.cut, "after": after}
    with connection.cursor() as cursor:
        cursor.execute(LINES, wanted)
        return list(cursor.fetchall())


def _fields(row: Any) -> list[object]:
    position, posted, gaming_date, account, micros, table, session, link, kind, reference = row
    return [
        position, posted.isoformat(), gaming_date.isoformat(), account, CHART[account].name, units(max(micros, 0)),
        units(max(-micros, 0)), settings.CASINO_CURRENCY, table, "" if session is None else session, link,
        kind.replace("_", " "), reference,
    ]  # fmt: skip


def units(micros: int) -> str:
    """Micro-units as a decimal of the currency, exactly: at least two decimals, at most six. 6500 → 0.0065"""
    whole, rest = divmod(micros, 1_000_000)
    decimals = f"{rest:06d}".rstrip("0")
    return f"{whole}.{decimals:0<2}"


def _written(rows: Any) -> str:
    stream = StringIO()
    csv.writer(stream).writerows(rows)
    return stream.getvalue()


CUT = """
    SELECT (SELECT count(*) FROM journal_entry
             WHERE posting_date BETWEEN %(first)s AND %(last)s AND position <= %(at)s),
           (SELECT coalesce(max(position), 0) FROM journal_entry WHERE posting_date <= %(last)s AND position <= %(at)s),
           EXISTS (SELECT FROM journal_entry WHERE posting_date > %(last)s AND position <= %(at)s)"""

LINES = f"""
    SELECT e.position, e.posting_date, e.gaming_date, l.account, l.micros, e.table_code, e.session, l.link, e.type,
           e.reference
      FROM (SELECT * FROM journal_entry
             WHERE posting_date BETWEEN %(first)s AND %(last)s AND position > %(after)s AND position <= %(cut)s
             ORDER BY position LIMIT {ENTRIES}) AS e
      JOIN journal_line l USING (position) ORDER BY e.position, l.nth"""
