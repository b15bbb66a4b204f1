"""Books of numbered paper: a number is the version of the book's stream, so none is missing and none is given twice.

Whoever numbers a paper appends to the book and to the paper's own stream together; when two do so at once one of them
decides again. A book is used in its year: that of the gaming date of the session.
"""

from datetime import date, datetime
from typing import NamedTuple

from casino.commands.order import property_code
from casino.eventstore import store
from casino.eventstore.store import Addition
from casino.keys import slip_book_key
from casino.slip_events import SlipNumbered

ATTEMPTS = 40
"""How often a command that takes a number decides anew: a book is the whole house's, not one table's."""


class NextNumber(NamedTuple):
    """The next number of a book, and the addition to the book that takes it."""

    book: str
    serial: int
    addition: Addition


def next_number(document: str, day: date, at: datetime, table: str, session: str) -> NextNumber:
    """The next number of the book of this kind of `document` for a paper on the stream `session`."""
    book = f"{document}/{day.year}"
    key = slip_book_key(property_code(), book)
    used = store.version_of(key)
    event = SlipNumbered(serial=used + 1, document=document, table=table, session=session)
    return NextNumber(book, used + 1, Addition(key, used, day, [event], at, table=table))
