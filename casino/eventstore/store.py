"""Appending to the log and loading from it: the only way events come in, and how a decision reads its stream.

An append is one call of `log.append` (migrations/0001_log.sql): one transaction, one round trip, any number of
streams. Callers make at most one append a transaction; the lock order is written down there.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from hashlib import sha256
from operator import attrgetter
from typing import Any, NamedTuple

import psycopg
from django.db import DatabaseError, connection
from django.db.backends.base.base import BaseDatabaseWrapper
from psycopg.rows import namedtuple_row

from casino.eventstore.arrays import BigInts, Dates, Ints, Texts, register
from casino.eventstore.canonical import micros
from casino.eventstore.registry import Event, decode, encode_all

VERSION_CONFLICT, GUARD_MOVED, KEY_REUSED = "CL001", "CL002", "CL003"


class Conflict(Exception):
    """Another append came first; load the stream again and decide anew. `key` names the stream."""

    def __init__(self, key: str) -> None:
        super().__init__(f"The stream {key} has moved on.")
        self.key = key


class KeyReused(Exception):
    """An idempotency key came back with other content; nothing was written."""

    def __init__(self, key: str) -> None:
        super().__init__(f"The idempotency key {key} was used before.")
        self.key = key


class BrokenStream(Exception):
    """A stream's head and its events disagree: the log was tampered with, and nothing is decided on it."""

    def __init__(self, key: str, version: int, found: int) -> None:
        super().__init__(f"The stream {key} is at version {version}, but {found} events are there: verify the log.")
        self.key = key


class Recorded(NamedTuple):
    """An event as loaded: where it stands in the log and in its stream, and the event itself."""

    position: int
    version: int
    event: Any
    occurred_at: datetime


@dataclass(frozen=True)
class Stream:
    """A stream as loaded; version 0 and no events when it does not exist."""

    key: str
    version: int = 0
    events: tuple[Recorded, ...] = ()


@dataclass(frozen=True)
class Addition:
    """Events to be added to one stream. `occurred_at` may be one moment for all, or one for each."""

    key: str
    expected: int
    gaming_date: date
    events: Sequence[Event]
    occurred_at: datetime | Sequence[datetime]
    table: str | None = None
    round_no: int | None = None
    due: str | None = None


@dataclass(frozen=True)
class Command:
    """Who asked, under which idempotency key, for what: `content` is a fingerprint, field by field.

    The principal is the actor of the command's events, whoever carries the append out.
    """

    principal: str
    key: str
    content: str


class Answered(NamedTuple):
    """A command known to the log: its fingerprint and where its events lie."""

    content: str
    first_position: int
    last_position: int


class Appended(NamedTuple):
    """Where the events of an append lie; `replayed` when the command had been carried out before."""

    first_position: int
    last_position: int
    replayed: bool


@dataclass(frozen=True)
class Origin:
    """Where an append comes from: a person or device, the kind of source, its own number for the message.

    `commands` are none, one for the whole append, or one for each addition in the same order.
    """

    actor: str
    source: str
    source_seq: int | None = None
    correlation: str | None = None
    commands: Sequence[Command] = field(default_factory=tuple)


_APPEND = f"SELECT first_position, last_position, replayed FROM log.append({', '.join(['%b'] * 25)})"
# Lateral and sorted inside, or a plan made while the log was small reads all of it for one stream, as long as the
# session keeps that plan.
_LOAD = """
    SELECT s.key, s.version AS top, e.position, e.version, e.type, e.schema_version, e.payload, e.occurred_at
      FROM log.stream s LEFT JOIN LATERAL (
           SELECT * FROM log.event WHERE stream_id = s.id ORDER BY version) e ON true
     WHERE s.key = ANY(%b) ORDER BY s.key, e.version"""
# Positions of appends at the same moment lie between each other, so the range alone doesn't say whose they are.
_OF_COMMAND = """
    SELECT position, version, type, schema_version, payload, occurred_at FROM log.event
     WHERE position BETWEEN %s AND %s AND actor = %s AND command = %s ORDER BY position"""
_LATEST = """
    SELECT key FROM log.stream WHERE key > %s AND key < %s ORDER BY key DESC LIMIT 1"""


def raw(over: BaseDatabaseWrapper | None = None) -> psycopg.Cursor[Any]:
    """A psycopg cursor on Django's own connection, so that it shares its transaction."""
    wrapper = over or connection
    wrapper.ensure_connection()
    pg = wrapper.connection
    if not getattr(pg, "_casino_arrays", False):
        register(pg)
        pg._casino_arrays = True
    return psycopg.Cursor(pg, row_factory=namedtuple_row)


def run(query: str, params: Sequence[object] = ()) -> psycopg.Cursor[Any]:
    """Execute a prepared statement with binary results, errors as Django's."""
    cursor = raw()
    with connection.wrap_database_errors:
        return cursor.execute(query, params, prepare=True, binary=True)  # type: ignore[arg-type]


def load(key: str) -> Stream:
    """The stream named `key` with all its events, empty at version 0 when there is none."""
    return load_many([key])[key]


def load_many(keys: Sequence[str]) -> dict[str, Stream]:
    """Several streams in one query, by key. Raises BrokenStream where events are missing, UnknownEvent for new ones."""
    found: dict[str, list[Recorded]] = {key: [] for key in keys}
    tops = dict.fromkeys(keys, 0)
    for row in run(_LOAD, (Texts(keys),)):
        tops[row.key] = row.top
        if row.position is not None:
            event = decode(row.type, row.schema_version, row.payload)
            found[row.key].append(Recorded(row.position, row.version, event, row.occurred_at))
    for key, events in found.items():
        if len(events) != tops[key]:
            raise BrokenStream(key, tops[key], len(events))
    return {key: Stream(key, tops[key], tuple(events)) for key, events in found.items()}


def version_of(key: str) -> int:
    """The version of a stream, 0 when it does not exist; for a command that need not read what it adds to."""
    row = run("SELECT version FROM log.stream WHERE key = %s", (key,)).fetchone()
    return row.version if row else 0


def latest_key(prefix: str) -> str | None:
    """The last stream key that begins with `prefix`, in key order; None when there is none."""
    return latest_key_below(prefix, prefix + "~")


def latest_key_below(prefix: str, below: str) -> str | None:
    """The last stream key that begins with `prefix` and stands before `below`; None when there is none."""
    row = run(_LATEST, (prefix, below)).fetchone()
    return row.key if row else None


def key_at(position: int) -> str:
    """The stream that the event at `position` belongs to; there is one."""
    key = find_key_at(position)
    assert key is not None
    return key


def find_key_at(position: int) -> str | None:
    """The stream that the event at `position` belongs to, None where no event is there."""
    query = "SELECT s.key FROM log.event e JOIN log.stream s ON s.id = e.stream_id WHERE e.position = %s"
    row = run(query, (position,)).fetchone()
    return str(row.key) if row else None


def find_command(principal: str, key: str) -> Answered | None:
    """What the log knows of an idempotency key."""
    query = "SELECT content, first_position, last_position FROM log.command WHERE principal = %s AND key = %s"
    row = run(query, (principal, key)).fetchone()
    return Answered(*row) if row else None


def events_of_command(answered: Answered | Appended, command: Command) -> list[Recorded]:
    """The events that a command appended, in order."""
    span = (answered.first_position, answered.last_position)
    rows = run(_OF_COMMAND, (*span, command.principal, command.key))
    return [Recorded(r.position, r.version, decode(r.type, r.schema_version, r.payload), r.occurred_at) for r in rows]


def fingerprint(name: str, content: dict[str, Any]) -> str:
    """The content of a command in one line, a short digest a field, so that a conflict can name the fields."""
    fields = (f"{field}={_digest(value)}" for field, value in sorted(content.items()))
    return "|".join((name, *fields))


def _digest(value: Any) -> str:
    return sha256(json.dumps(value, sort_keys=True, default=str).encode()).hexdigest()[:16]


def differing_fields(one: str, other: str) -> list[str]:
    """The names of the fields in which two fingerprints differ; ["command"] when it is another command."""
    if one.split("|")[0] != other.split("|")[0]:
        return ["command"]
    apart = set(one.split("|")) ^ set(other.split("|"))
    return sorted({part.split("=")[0] for part in apart})


def append(origin: Origin, additions: Sequence[Addition], guards: Iterable[tuple[str, int]] = ()) -> Appended:
    """Append in one transaction and one round trip.

    Raises Conflict when a stream or guard has moved (nothing is written), KeyReused for a used key.
    """
    try:
        row = run(_APPEND, _parameters(origin, additions, guards)).fetchone()
    except DatabaseError as error:
        raise _meaning(error) from error
    assert row is not None
    return Appended(*row)


def _meaning(error: DatabaseError) -> Exception:
    cause = error.__cause__
    if not isinstance(cause, psycopg.Error):
        return error
    if cause.sqlstate in (VERSION_CONFLICT, GUARD_MOVED):
        return Conflict(cause.diag.message_detail or "")
    if cause.sqlstate == KEY_REUSED:
        return KeyReused(cause.diag.message_detail or "")
    return error


def _parameters(origin: Origin, additions: Sequence[Addition], guards: Iterable[tuple[str, int]]) -> tuple[object, ...]:
    """The arguments of log.append: commands, streams and guards in key order, events in the caller's."""
    order = _sorted_places([a.key for a in additions])
    streams = [additions[i] for i in order]
    number = {i: place for place, i in enumerate(order, 1)}
    commands = sorted(origin.commands, key=attrgetter("principal", "key"))
    guards = sorted(guards)
    due = [(number[i], a.due) for i, a in enumerate(additions) if a.due]
    return (
        origin.actor,
        origin.source,
        origin.correlation,
        Texts([c.principal for c in commands]),
        Texts([c.key for c in commands]),
        Texts([c.content for c in commands]),
        Texts([a.key for a in streams]),
        Ints([a.expected for a in streams]),
        Dates([a.gaming_date for a in streams]),
        Texts([a.table for a in streams]),
        Ints([a.round_no for a in streams]),
        Ints(_command_of_each(origin.commands, order)),
        *_event_columns(origin, additions, number),
        Texts([key for key, _ in guards]),
        Ints([version for _, version in guards]),
        Ints([i for i, _ in due]),
        Texts([queue for _, queue in due]),
    )


def _sorted_places(keys: Sequence[Any]) -> list[int]:
    """The places of `keys` in their order; PostgreSQL's "C" and Python agree on the order of texts."""
    return sorted(range(len(keys)), key=keys.__getitem__)


def _command_of_each(commands: Sequence[Command], streams: Sequence[int]) -> Sequence[int | None]:
    """Which command, counted from 1 in key order, the additions at the places `streams` belong to."""
    if len(commands) <= 1:
        return [len(commands) or None] * len(streams)
    if len(commands) != len(streams):
        raise ValueError(f"{len(commands)} commands can't be told apart in {len(streams)} additions.")
    order = _sorted_places([(c.principal, c.key) for c in commands])
    number = {i: place for place, i in enumerate(order, 1)}
    return [number[i] for i in streams]


def _event_columns(origin: Origin, additions: Sequence[Addition], number: Mapping[int, int]) -> tuple[object, ...]:
    events = [event for addition in additions for event in addition.events]
    types, versions, payloads = encode_all(events)
    return (
        Ints([number[i] for i, a in enumerate(additions) for _ in a.events]),
        Texts(types),
        Ints(versions),
        Ints([getattr(event, "seat", None) for event in events]),
        BigInts([event.in_cents for event in events]),
        BigInts([event.out_cents for event in events]),
        BigInts([at for addition in additions for at in _moments(addition)]),
        BigInts([] if origin.source_seq is None else [origin.source_seq] * len(events)),
        Texts(payloads),
    )


def _moments(addition: Addition) -> list[int]:
    if isinstance(addition.occurred_at, datetime):
        return [micros(addition.occurred_at)] * len(addition.events)
    return [micros(at) for at in addition.occurred_at]
