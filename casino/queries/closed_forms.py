"""Tables that did not open on a gaming day and have no closed-table form of it."""

from collections.abc import Sequence
from datetime import date
from typing import NamedTuple

from django.conf import settings

from casino import profile
from casino.eventstore import store
from casino.eventstore.arrays import Texts
from casino.eventstore.registry import name_of
from casino.keys import session_prefix, table_key
from casino.models import TableBoard
from casino.session_events import ClosedTableRecorded

MISSING = """
SELECT t.code FROM unnest(%b) AS t(code) JOIN log.stream s ON s.key = %s || t.code
 WHERE s.gaming_date <= %s
   AND NOT EXISTS (SELECT FROM log.stream o WHERE o.key > replace(%s, '*', t.code) AND o.key < replace(%s, '*', t.code))
   AND NOT EXISTS (SELECT FROM log.event e WHERE e.stream_id = s.id AND e.type = %s AND e.gaming_date = %s)"""
"""Set up by then, no session of the day, no form of the day: three short looks a table, all by key."""


class Unopened(NamedTuple):
    """A table without the form, and the day on which it was last open, None where it never was."""

    code: str
    last_open: date | None


def without_form(day: date) -> list[Unopened]:
    """The tables that lack a gaming day's form; none where the profile asks for no such form.

    A table still open from an earlier day is not among them: it is to be rolled or closed first.
    """
    if not profile.load(settings.CASINO_PROFILE).inventory.closed_table_form_daily:
        return []
    boards = {board.table_code: board for board in TableBoard.objects.filter(game__isnull=False)}
    shut = [code for code, board in sorted(boards.items()) if not (board.is_open and board.gaming_date < day)]
    return [Unopened(code, boards[code].gaming_date) for code in _missing(shut, day)]


def _missing(codes: Sequence[str], day: date) -> list[str]:
    house, named = settings.CASINO_PROPERTY, session_prefix(settings.CASINO_PROPERTY, "*") + f"{day.isoformat()}/"
    params = (Texts(codes), table_key(house, ""), day, named, named + "~", name_of(ClosedTableRecorded), day)
    return sorted(row.code for row in store.run(MISSING, params))
