"""Four ways to follow a log: ours, and three well-known ones that lose events, kept beside it as the proof of its need.

Every reader has a connection of its own and notes each position that it was shown.
"""

from typing import Any

import psycopg

from casino.eventstore.horizon import Keeper

LAST = "SELECT CASE WHEN is_called THEN last_value ELSE 0 END FROM log.event_position"


class Reader:
    """Reads on from `cursor`, the last position it is done with."""

    def __init__(self, connection: psycopg.Connection[Any]) -> None:
        self.connection = connection
        self.cursor = 0
        self.seen: list[int] = []

    def poll(self) -> None:
        found = [row[0] for row in self.look()]
        self.seen += found
        self.cursor = max([self.cursor, *found])

    def look(self) -> list[tuple[int]]:
        raise NotImplementedError

    def read(self, condition: str, *values: int) -> list[tuple[int]]:
        query = f"SELECT position FROM log.event WHERE position > %s AND {condition} ORDER BY position"
        return self.connection.execute(query, [self.cursor, *values]).fetchall()

    def read_to(self, mark: int) -> list[tuple[int]]:
        """What lies up to the mark, which is thought to be final; the cursor goes there."""
        found = self.read("position <= %s", mark)
        self.cursor = max(self.cursor, mark)
        return found

    def one(self, query: str) -> int:
        (value,) = self.connection.execute(query).fetchone() or (0,)
        return int(value)


class Ours(Reader):
    """Reads up to the mark of the two-phase horizon."""

    def __init__(self, connection: psycopg.Connection[Any]) -> None:
        super().__init__(connection)
        self.keeper = Keeper(connection)

    def look(self) -> list[tuple[int]]:
        return self.read_to(self.keeper.poll())


class Naive(Reader):
    """Whatever lies above the cursor: a lower position that is committed later is never seen."""

    def look(self) -> list[tuple[int]]:
        return self.read("true")


class BelowTheOldest(Reader):
    """Only rows of transactions older than all that run: positions are not drawn in the order of transaction ids."""

    def look(self) -> list[tuple[int]]:
        return self.read(
            "xmin::text::bigint < pg_snapshot_xmin(pg_current_snapshot())::text::bigint %% (1::bigint << 32)"
        )


class FencedByXmax(Reader):
    """Our two phases with the snapshot's xmax for an id of one's own: xmax is the latest *ended* id plus one, so
    transactions that have drawn a position may run with higher ids.
    """

    def __init__(self, connection: psycopg.Connection[Any]) -> None:
        super().__init__(connection)
        self.mark = self.last = self.fence = 0

    def look(self) -> list[tuple[int]]:
        if self.last <= self.mark:
            self.last = self.one(LAST)
            self.fence = self.one("SELECT pg_snapshot_xmax(pg_current_snapshot())::text::bigint")
        if self.fence <= self.one("SELECT pg_snapshot_xmin(pg_current_snapshot())::text::bigint"):
            self.mark = self.last
        return self.read_to(self.mark)


WRONG = (Naive, BelowTheOldest, FencedByXmax)
