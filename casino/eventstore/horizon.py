"""The horizon: the position below which the log is final, holes included.

Positions are drawn before they are committed, so a reader of `position > cursor` misses events that commit
late (measured by others: 11 to 40 per cent under load). Locking writers would halve their speed. The keeper
finds the mark in two phases instead:

1. read the sequence's last value L;
2. then take X, a transaction id of its own. `log.append` takes its id before its first position, so whoever
   drew a position up to L has an id below X;
3. once the oldest running id of the cluster (the snapshot's xmin) has reached X, all of them have ended:
   the mark becomes L.

The keeper runs in autocommit and holds no transaction id between polls, or it would hold its own mark. Any
transaction with an id, in any database of the cluster, holds the mark; `holders` names them.
"""

from typing import Any, NamedTuple

import psycopg

LAST = "SELECT last_value, is_called FROM log.event_position"
PENDING_MAX = 256
"""Pairs remembered at once: while a long transaction holds the mark, more of them would tell nothing more."""


class Pending(NamedTuple):
    """A last position seen, and the transaction id taken after it was seen."""

    last: int
    xid: int


class Holder(NamedTuple):
    """A transaction that keeps the mark from moving; of another role's only the first four are known.

    A prepared transaction belongs to no process: its pid is 0 and its name stands in `application`.
    """

    pid: int
    database: str
    user: str
    application: str
    seconds: float | None
    query: str


class Keeper:
    """Moves the mark. One a database (leader by advisory lock, see follow.py); give it a connection of its own."""

    def __init__(self, connection: psycopg.Connection[Any]) -> None:
        if not connection.autocommit:
            raise ValueError("The horizon's keeper needs an autocommit connection: a transaction would hold its mark.")
        self.connection = connection
        self.pending: list[Pending] = []
        self.mark = self._one("SELECT mark FROM log.horizon")

    def poll(self) -> int:
        """One step: note what was written, settle what has ended; returns the mark."""
        last = self.last_position()
        if last > (self.pending[-1].last if self.pending else self.mark) and len(self.pending) < PENDING_MAX:
            self.pending.append(Pending(last, self._one("SELECT pg_current_xact_id()::text::bigint")))
        if self.pending:
            oldest = self._one("SELECT pg_snapshot_xmin(pg_current_snapshot())::text::bigint")
            settled = [p for p in self.pending if p.xid <= oldest]
            if settled:
                self.pending = self.pending[len(settled) :]
                self.mark = self._one("SELECT log.advance_mark(%s)", settled[-1].last)
        return self.mark

    def last_position(self) -> int:
        """The last position drawn. A sequence never used says 1 and "not called", which means none.

        Reads the sequence itself, so a missing right is an error and not an empty log.
        """
        row = self.connection.execute(LAST).fetchone()
        assert row is not None
        return row[0] if row[1] else 0

    def _one(self, query: str, *params: object) -> int:
        row = self.connection.execute(query, params, prepare=True).fetchone()  # type: ignore[arg-type]
        assert row is not None
        return int(row[0])


def holders(connection: psycopg.Connection[Any]) -> list[Holder]:
    """Transactions that have an id, oldest first: whoever holds a lagging mark stands first."""
    rows = connection.execute("""
        SELECT pid, coalesce(datname, ''), coalesce(usename, ''), application_name,
               extract(epoch FROM clock_timestamp() - xact_start)::float8, left(query, 120)
          FROM (SELECT pid, datname, usename, application_name, xact_start, query, backend_xid
                  FROM pg_stat_activity WHERE pid <> pg_backend_pid()
                UNION ALL SELECT 0, database, owner, gid, prepared, 'a prepared transaction', transaction
                            FROM pg_prepared_xacts) AS running
         WHERE backend_xid IS NOT NULL ORDER BY age(backend_xid) DESC""").fetchall()
    return [Holder(*row) for row in rows]
