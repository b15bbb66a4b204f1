"""Whether a run was right: counted and computed again by other ways than the product's own."""

from typing import Any

import psycopg

from benchmarks.world import Place
from casino.eventstore.verify import verify


def deadlocks(place: Place) -> int:
    """Deadlocks that PostgreSQL has counted in the database."""
    with place.admin() as admin:
        admin.execute("SELECT pg_stat_force_next_flush()")
        row = admin.execute("SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()").fetchone()
    return int(row[0]) if row else 0


def whole_log(connection: psycopg.Connection[Any]) -> int:
    """How many events, heads and seals don't fit when every hash is computed again in Python."""
    return len(verify(connection).faults)
