"""The sequence check of income audit: every number of a gaming day's books, and the paper that it is on.

A number is the version of its book's stream, so none can be missing; here that is proved by reading: the lines of the
book against 1, 2, 3 …, and against the papers on the sessions' streams, in both directions. Books of other apps' papers
are read by those (settings.OTHER_BOOKS).
"""

from collections.abc import Iterator, Sequence
from datetime import date
from typing import Any

from django.conf import settings
from django.utils.module_loading import import_string

from casino.eventstore import history, store
from casino.eventstore.history import Entry
from casino.eventstore.registry import name_of
from casino.keys import session_of, slip_book_key
from casino.models import SlipBoard
from casino.serials import Book, Line, compared
from casino.table import Session, session_after

OTHER_PAPERS = {"error_notification": "opener_variance_found", "counter_check": "counter_check_issued"}
"""Books of papers that are one event each, on the session's stream: the word of that event."""
REQUEST_STATES = {"requested": "open", "withdrawn": "withdrawn"}
SLIP_STATES = {"complete": "used", "void": "void"}


def sequence_check(day: date) -> list[Book]:
    """The books in which the gaming day has numbers."""
    checked = [_checked(name, day) for name in _books(day.year)]
    return [book for book in checked if book.lines or not book.is_in_order]


def _books(year: int) -> list[str]:
    """The books of a year that have a number at all."""
    prefix = slip_book_key(settings.CASINO_PROPERTY, "")
    rows = store.run("SELECT key FROM log.stream WHERE key >= %s AND key < %s ORDER BY key", (prefix, prefix + "~"))
    names = [row.key.removeprefix(prefix) for row in rows]
    return [name for name in names if name.endswith(f"/{year}")]


def _checked(name: str, day: date) -> Book:
    other = settings.OTHER_BOOKS.get(name.partition("/")[0])
    if other:
        return import_string(other)(name, day)  # type: ignore[no-any-return]  # a dotted name says no type
    entries = history.of_stream(slip_book_key(settings.CASINO_PROPERTY, name))
    of_day = [entry for entry in entries if entry.gaming_date == day]
    papers = _papers(name, {entry.event.session for entry in of_day} | _known_sessions(day))
    return compared(name, [entry.event.serial for entry in entries], [_line(entry) for entry in of_day], papers)


def _line(entry: Entry) -> Line:
    number: Any = entry.event
    return Line(number.serial, number.table, session_of(number.session)[1])


def _known_sessions(day: date) -> set[str]:
    """The sessions of the day that have transfers by the read model, whatever the books say."""
    rows = SlipBoard.objects.filter(gaming_date=day).values_list("table_code", "gaming_date", "session").distinct()
    place = settings.CASINO_PROPERTY
    return {f"{place}/session/{table}/{on.isoformat()}/{session:02d}" for table, on, session in rows}


def _papers(name: str, sessions: set[str]) -> dict[int, list[str]]:
    """Number → how each paper that carries it stands, from the sessions' own streams."""
    document = name.partition("/")[0]
    found: dict[int, list[str]] = {}
    for key, stream in store.load_many(sorted(sessions)).items():
        events = [recorded.event for recorded in stream.events]
        for serial, state in _numbered(key, events, document):
            found.setdefault(serial, []).append(state)
    return found


def _numbered(key: str, events: Sequence[Any], document: str) -> Iterator[tuple[int, str]]:
    """The papers of one session that are of the document's kind: their numbers and how they stand."""
    if word := OTHER_PAPERS.get(document):
        yield from ((event.serial, "used") for event in events if name_of(event) == word)
        return
    transfers = session_after(Session(key.split("/")[2], *session_of(key)), events).transfers
    for transfer in transfers.values():
        if document == "request":
            yield transfer.requested.serial, REQUEST_STATES.get(transfer.state, "used")
        elif transfer.slip and transfer.kind == document:
            yield transfer.slip.serial, SLIP_STATES.get(transfer.state, "open")
