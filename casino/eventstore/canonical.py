"""The canonical bytes of an event and the hash chain, in Python: what `verify` computes beside the database.

Format 1 is written out in migrations/0001_log.sql (`log.append`): a digest of what the events of one append share,
then the event's own text. Both are whole numbers between bars, then each text behind its length in bytes, an absent
one as `~`. A database's own rendering of anything is never hashed.
"""

from datetime import UTC, datetime
from functools import lru_cache
from hashlib import sha256
from typing import NamedTuple

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


class Row(NamedTuple):
    """A row of log.event in whole numbers and texts: its stream's key for the id, dates as days and moments as
    microseconds since 1970, and of its command (null where it has none) the content and the range of positions.
    """

    position: int
    key: str
    version: int
    type: str
    schema_version: int
    gaming_day: int | None
    table_code: str | None
    round_no: int | None
    seat: int | None
    in_cents: int
    out_cents: int
    occurred_us: int | None
    recorded_us: int | None
    actor: str
    command: str | None
    content: str | None
    first_position: int | None
    last_position: int | None
    correlation: str | None
    source: str
    source_seq: int | None
    payload: str
    hash: bytes


def micros(moment: datetime) -> int:
    """Microseconds since 1970, in whole numbers."""
    since = moment - _EPOCH
    return (since.days * 86_400 + since.seconds) * 1_000_000 + since.microseconds


def _text(value: str | None) -> str:
    return "~" if value is None else f"{len(value.encode())}:{value}"


def _number(value: int | None) -> str:
    return "" if value is None else str(value)


def shared(row: Row) -> bytes:
    """The text that `row` has in common with the other events of its stream in one append."""
    return (
        f"1|{_number(row.gaming_day)}|{_number(row.round_no)}|{_number(row.recorded_us)}|{_number(row.first_position)}"
        f"|{_number(row.last_position)}|{_text(row.key)}{_text(row.table_code)}{_text(row.actor)}{_text(row.command)}"
        f"{_text(row.content)}{_text(row.correlation)}{_text(row.source)}"
    ).encode()


def own(row: Row) -> bytes:
    """The text that is the event's own."""
    return (
        f"1|{row.position}|{row.version}|{row.schema_version}|{_number(row.seat)}|{row.in_cents}|{row.out_cents}"
        f"|{_number(row.occurred_us)}|{_number(row.source_seq)}|{_text(row.type)}{_text(row.payload)}"
    ).encode()


@lru_cache(maxsize=256)
def _digest(text: bytes) -> bytes:
    return sha256(text).digest()


def canonical(row: Row) -> bytes:
    """The bytes that are hashed for `row`, in which every column but the hash has its part."""
    return _digest(shared(row)) + own(row)


def chain(previous: bytes, row: Row) -> bytes:
    """The hash of `row` behind `previous`, the hash of the event before it in its stream (b"" for the first)."""
    return sha256(previous + canonical(row)).digest()
