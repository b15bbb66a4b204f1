"""The others: raw COPY into a bare table, and the eventsourcing library on the same server."""

import itertools
import os
from collections.abc import Sequence
from typing import Any

import msgspec
import psycopg
from eventsourcing.application import Application
from eventsourcing.domain import Aggregate
from psycopg.conninfo import conninfo_to_dict

from benchmarks.world import Place
from casino.eventstore.registry import Event, decode, encode, name_of

BARE_TABLE = """
CREATE TABLE bare (
    position bigint PRIMARY KEY, stream_id bigint NOT NULL, version integer NOT NULL, type text NOT NULL,
    schema_version smallint NOT NULL, gaming_date date NOT NULL, table_code text, round_no integer, seat smallint,
    in_cents bigint NOT NULL, out_cents bigint NOT NULL, occurred_at timestamptz NOT NULL,
    recorded_at timestamptz NOT NULL, actor text NOT NULL, command text, correlation text, source text NOT NULL,
    source_seq bigint, payload text NOT NULL, hash bytea NOT NULL,
    UNIQUE (stream_id, version)
) WITH (autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_freeze_min_age = 0);
CREATE INDEX ON bare USING brin (recorded_at) WITH (pages_per_range = 32, autosummarize = on)"""
"""The columns and indexes of log.event, and nothing else: no head, chain, idempotency, triggers or due work."""

TYPES = ["int8", "int8", "int4", "text", "int2", "date", "text", "int4", "int2", "int8", "int8", "timestamptz"]
TYPES += ["timestamptz", "text", "text", "text", "text", "int8", "text", "bytea"]

Rows = list[tuple[Any, ...]]


class Copier:
    """Writes rounds by COPY, as anybody would with psycopg: one COPY and so one commit a round."""

    def __init__(self, place: Place, binary: bool = False) -> None:
        self.connection = psycopg.connect(place.owner, autocommit=True)
        self.command = "COPY bare FROM STDIN" + (" (FORMAT BINARY)" if binary else "")
        self.binary = binary

    def write(self, rows: Rows) -> None:
        """One round: rows whose payload is still an event, as in every contender; a hash lies ready."""
        with self.connection.cursor().copy(self.command) as copy:
            if self.binary:
                copy.set_types(TYPES)
            for *columns, event, digest in rows:
                copy.write_row((*columns, encode(event).payload, digest))


class Renumbered:
    """Rows of rounds in the log under positions and streams that the bare table doesn't have yet."""

    def __init__(self, rounds: Sequence[Rows]) -> None:
        self.rounds = itertools.cycle(rounds)
        self.positions, self.streams = itertools.count(1), itertools.count(1)

    def next(self, count: int) -> list[Rows]:
        """The next `count` rounds."""
        return [self._one(rows, next(self.streams)) for rows in itertools.islice(self.rounds, count)]

    def _one(self, rows: Rows, stream: int) -> Rows:
        return [(next(self.positions), stream, *row[2:]) for row in rows]


def rows_of_rounds(connection: psycopg.Connection[Any], limit: int) -> list[Rows]:
    """Rows of log.event as Python has them, the payload as its event again, round by round."""
    query = """SELECT * FROM log.event WHERE stream_id IN
                 (SELECT stream_id FROM log.event WHERE type = 'round_opened' ORDER BY position LIMIT %s)
                ORDER BY stream_id, version"""
    rows = [
        (*row[:18], decode(row[3], row[4], row[18]), row[19]) for row in connection.execute(query, [limit]).fetchall()
    ]
    return [list(group) for _, group in itertools.groupby(rows, key=lambda row: row[1])]


class TheirRound(Aggregate):
    """A round as the eventsourcing library keeps it: one domain event for each of our events."""

    class Fact(Aggregate.Event):
        name: str
        content: dict[str, Any]


def their_schema(functions: bool) -> str:
    """Where the tables of either mode stand."""
    return "functions" if functions else "plain"


def their_application(place: Place, functions: bool, create: bool = True) -> Application:
    """Their application with the PostgreSQL recorder, by default settings or with database functions."""
    schema = their_schema(functions)
    parts = conninfo_to_dict(place.owner)
    with psycopg.connect(place.owner, autocommit=True) as connection:
        connection.execute(f"CREATE SCHEMA IF NOT EXISTS {schema}")
    env = {
        "PERSISTENCE_MODULE": "eventsourcing.postgres",
        "POSTGRES_DBNAME": str(parts["dbname"]),
        "POSTGRES_HOST": str(parts.get("host", "")),
        "POSTGRES_PORT": str(parts.get("port", "5432")),
        "POSTGRES_USER": str(parts["user"]),
        "POSTGRES_PASSWORD": str(parts.get("password", os.environ.get("PGPASSWORD", ""))),
        "POSTGRES_SCHEMA": schema,
        "POSTGRES_ENABLE_DB_FUNCTIONS": "yes" if functions else "no",
        "CREATE_TABLE": "yes" if create else "no",
    }
    return Application(env)


def their_round(events: Sequence[Event]) -> TheirRound:
    """The same events, decided and waiting to be saved; the library's own `Created` stands for `RoundOpened`."""
    one = TheirRound()
    for event in events[1:]:
        one.trigger_event(TheirRound.Fact, name=name_of(event), content=msgspec.to_builtins(event))
    return one
