"""How streams are named. Every key carries the property; a round's number is padded so that keys sort as numbers."""

import re
from datetime import date
from typing import NamedTuple

from casino.refusal import Refused, in_quotes

TABLE_CODE = re.compile(r"[A-Z0-9][A-Z0-9-]{0,11}")
ROUND_MAX = 99_999


class RoundId(NamedTuple):
    """A round: table, gaming date and number within that day, written `R-01/2026-11-29/17`."""

    table: str
    gaming_date: date
    n: int

    def __str__(self) -> str:
        return f"{self.table}/{self.gaming_date.isoformat()}/{self.n}"


def table_key(property_code: str, table: str) -> str:
    """The stream of a table's set-up."""
    return f"{property_code}/table/{table}"


def session_prefix(property_code: str, table: str) -> str:
    """What the keys of all sessions of a table begin with, oldest first."""
    return f"{property_code}/session/{table}/"


def session_key(property_code: str, table: str, gaming_date: date, number: int) -> str:
    """The stream of one session, opener to closer."""
    return f"{session_prefix(property_code, table)}{gaming_date.isoformat()}/{number:02d}"


class TransferId(NamedTuple):
    """A fill or credit: its session and the number of its request in it, written `R-01/2026-11-29/1/3`."""

    table: str
    gaming_date: date
    session: int
    n: int

    def __str__(self) -> str:
        return f"{self.table}/{self.gaming_date.isoformat()}/{self.session}/{self.n}"


def slip_book_key(property_code: str, book: str) -> str:
    """The stream of a book of numbered paper; a book is a kind and a year, like `fill/2026`."""
    return f"{property_code}/slip-book/{book}"


def prints_key(property_code: str, document: str) -> str:
    """The stream of a document's printed copies."""
    return f"{property_code}/print/{document}"


def round_prefix(property_code: str, table: str, gaming_date: date) -> str:
    """What the keys of a table's rounds of one gaming day begin with."""
    return f"{property_code}/round/{table}/{gaming_date.isoformat()}/"


def round_key(property_code: str, round_id: RoundId) -> str:
    """The stream of one round."""
    return f"{round_prefix(property_code, round_id.table, round_id.gaming_date)}{round_id.n:05d}"


def round_of(key: str) -> RoundId:
    """The round whose stream is named `key`."""
    _, _, table, day, n = key.split("/")
    return RoundId(table, date.fromisoformat(day), int(n))


def session_of(key: str) -> tuple[date, int]:
    """The gaming date and number of the session whose stream is named `key`."""
    _, _, _, day, number = key.split("/")
    return date.fromisoformat(day), int(number)


def pit_key(property_code: str, pit: str) -> str:
    """The stream of a pit's hand-overs."""
    return f"{property_code}/pit/{pit}"


def checks_key(property_code: str, patron_id: int) -> str:
    """The stream of a patron's counter checks."""
    return f"{property_code}/checks/{patron_id}"


def instrument_key(property_code: str, serial: str) -> str:
    """The stream of a promotional instrument or coupon."""
    return f"{property_code}/instrument/{serial}"


def dealer_key(property_code: str, dealer: str) -> str:
    """The stream that says where a dealer is."""
    return f"{property_code}/dealer/{dealer}"


def link_key(property_code: str, link: str) -> str:
    """The stream of a progressive link."""
    return f"{property_code}/link/{link}"


def readings_key(property_code: str, link: str, gaming_date: date) -> str:
    """The stream of what was read off a link's meter on one gaming day."""
    return f"{property_code}/readings/{link}/{gaming_date.isoformat()}"


def case_key(property_code: str, link: str, round_id: str, rank: str) -> str:
    """The stream of a hit's case: what people do about the winners of a rank in a round on a link."""
    return f"{property_code}/hit/{link}/{round_id}/{rank}"


def link_of(key: str) -> str:
    """The code of the link whose stream, or whose hit's case, is named `key`."""
    return key.split("/")[2]


def check_table_code(code: str) -> str:
    """Refuse what can't be a table's code: capital letters, digits and hyphens, at most 12."""
    if not TABLE_CODE.fullmatch(code):
        raise Refused(
            "bad_table_code", f"{in_quotes(code)} is not a table's code; use capital letters, digits and hyphens."
        )
    return code
