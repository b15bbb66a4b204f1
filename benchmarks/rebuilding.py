"""All read models from the log, beside one raw scan of the same events; and verify beside SHA-256 of the same bytes."""

import time
from hashlib import sha256
from typing import Any

import psycopg

from benchmarks import floor
from benchmarks.runner import Row, compare, interleave
from benchmarks.world import Place, product_database
from casino.eventstore.canonical import canonical
from casino.eventstore.follower import followers
from casino.eventstore.rebuild import rebuild_all
from casino.eventstore.verify import rows, verify

TABLES, ROUNDS, TURNS, VERIFY_TURNS = 20, 4_000, 11, 3
SCAN = """
    SELECT count(*), sum(position), max(stream_id), sum(version), max(type), sum(schema_version), max(gaming_date),
           max(table_code), max(round_no), sum(seat), sum(in_cents), sum(out_cents), max(occurred_at), max(recorded_at),
           max(actor), max(command), max(correlation), max(source), max(source_seq), sum(length(payload)),
           sum(octet_length(hash))
      FROM log.event"""
"""Every column of every event is read, in one statement on the server."""


def run(place: Place) -> list[Row]:
    """Two rows: rebuild with its target, verify for information."""
    with product_database(place) as ours:
        events = floor.fill(floor.codes(TABLES), ROUNDS, seed=5)
        with ours.admin() as admin:
            admin.execute("VACUUM ANALYZE log.event")
            return [_rebuild(admin, events), _verify(admin)]


def _rebuild(admin: psycopg.Connection[Any], events: int) -> Row:
    differing: list[object] = []

    def ours() -> float:
        start = time.perf_counter()
        for found in rebuild_all(list(followers().values()), "owner", True, lambda n: None).values():
            differing.extend(found)
        return events / (time.perf_counter() - start)

    def theirs() -> float:
        start = time.perf_counter()
        admin.execute(SCAN).fetchone()
        return events / (time.perf_counter() - start)

    rates = interleave({"ours": ours, "scan": theirs}, TURNS)
    return compare(
        "rebuild of all read models, compared with the live ones",
        "one raw scan of the same events on the server",
        "events/s",
        rates,
        "ours",
        "scan",
        at_least=0.5,
        wrong=len(differing),
        notes={"events": events},
    )


def _verify(admin: psycopg.Connection[Any]) -> Row:
    with admin.transaction():
        texts = [canonical(row) for row in rows(admin)]
    faults: list[object] = []

    def ours() -> float:
        start = time.perf_counter()
        faults.extend(verify(admin).faults)
        return len(texts) / (time.perf_counter() - start)

    def theirs() -> float:
        start = time.perf_counter()
        for text in texts:
            sha256(text).digest()
        return len(texts) / (time.perf_counter() - start)

    rates = interleave({"ours": ours, "hash": theirs}, VERIFY_TURNS)
    return compare(
        "verify of the whole log",
        "SHA-256 of the same bytes in memory",
        "events/s",
        rates,
        "ours",
        "hash",
        informational=True,
        wrong=len(faults),
    )
