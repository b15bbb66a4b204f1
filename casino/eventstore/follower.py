"""Followers: read models fed from the log below the horizon, exactly once, in sets.

A follower is a name, its tables, and a function that folds the events of a range of positions into them with a
few set-based statements. Table names in its SQL are unqualified: a rebuild runs the very same statements with a
search path that puts shadow tables first (rebuild.py).
"""

import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

from django.conf import settings
from django.db import connection, connections, transaction
from django.db.backends.utils import CursorWrapper
from django.utils.module_loading import import_string

from casino.eventstore.horizon import Keeper, holders

BATCH = 5_000
"""Positions in one step: small enough that a step's transaction stays well under 250 ms."""


@dataclass(frozen=True)
class Follower:
    """`apply(cursor, after, upto)` folds the events with after < position <= upto in the caller's transaction.

    `batch` is how many positions one step may fold; smaller where an event costs more.
    """

    name: str
    tables: tuple[str, ...]
    apply: Callable[[CursorWrapper, int, int], None]
    batch: int = BATCH


@cache
def followers() -> dict[str, Follower]:
    """The followers named in settings.FOLLOWERS, in that order."""
    return {follower.name: follower for follower in map(import_string, settings.FOLLOWERS)}


def position_of(name: str) -> int:
    """How far the follower has read; 0 before its first step."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT position FROM checkpoint WHERE name = %s", [name])
        row = cursor.fetchone()
    return row[0] if row else 0


def wait_for(name: str, position: int, patience_s: float = 2.0) -> bool:
    """Wait until the follower has read up to `position`; False where it has not within `patience_s` seconds."""
    end = time.monotonic() + patience_s
    while position_of(name) < position:
        if time.monotonic() > end:
            return False
        time.sleep(0.02)
    return True


def mark() -> int:
    """The horizon's mark as last stored by its keeper."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT mark FROM log.horizon")
        return int(cursor.fetchone()[0])


def step(follower: Follower, batch: int | None = None, upto: int | None = None) -> bool:
    """Fold the next batch and move the checkpoint with it, in one transaction; False when there was nothing to do.

    Two processes never step the same follower at once: an advisory lock, which a rebuild holds while it compares.
    """
    limit = mark() if upto is None else upto
    if limit <= position_of(follower.name):
        return False
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_xact_lock(hashtext(%s))", [f"follower:{follower.name}"])
        if not cursor.fetchone()[0]:
            return False
        after = position_of(follower.name)
        until = min(limit, after + (batch or follower.batch))
        if until <= after:
            return False
        follower.apply(cursor, after, until)
        cursor.execute(
            """INSERT INTO checkpoint (name, position, error, moved_at) VALUES (%s, %s, '', clock_timestamp())
               ON CONFLICT (name) DO UPDATE
               SET position = excluded.position, error = '', moved_at = excluded.moved_at""",
            [follower.name, until],
        )
    return True


def stop_loudly(follower: Follower, error: Exception) -> None:
    """Keep the reason where pages and /readyz show it."""
    with connection.cursor() as cursor:
        cursor.execute(
            """INSERT INTO checkpoint (name, position, error, moved_at) VALUES (%s, 0, %s, clock_timestamp())
               ON CONFLICT (name) DO UPDATE SET error = excluded.error""",
            [follower.name, words_of(error)],
        )


def words_of(error: Exception) -> str:
    """An error in a line that the database takes, whatever was quoted in it."""
    line = f"{type(error).__name__}: {error}".replace("\0", "\\0")
    return line.encode(errors="backslashreplace").decode()[:2000]


def last_position() -> int:
    """The last position drawn so far."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT CASE WHEN is_called THEN last_value ELSE 0 END FROM log.event_position")
        return int(cursor.fetchone()[0])


def catch_up(timeout_s: float = 10.0) -> int:
    """Bring the mark, every follower and the seals to what is in the log now; returns the position reached.

    Polls a keeper of its own, which is safe beside a running one: the mark only moves forward, by the same proof.
    Raises TimeoutError with who holds the mark when it does not get there.
    """
    target, deadline = last_position(), time.monotonic() + timeout_s
    own = connections.create_connection("default")
    try:
        own.ensure_connection()
        keeper = Keeper(own.connection)
        while keeper.poll() < target:
            if time.monotonic() > deadline:
                by = holders(own.connection)[:1] or "nobody with a transaction"
                raise TimeoutError(
                    f"The mark stands at {keeper.mark}, not {target}, after {timeout_s:g} s; held by {by}."
                )
            time.sleep(0.002)
    finally:
        own.close()
    for follower in followers().values():
        while position_of(follower.name) < target:
            if step(follower):
                continue
            time.sleep(0.002)  # another process is at it
            if time.monotonic() > deadline:
                raise TimeoutError(f"The follower {follower.name} did not reach {target} within {timeout_s:g} s.")
    seal()
    return target


def seal(batch: int = 20_000) -> None:
    """Seal everything below the mark that is not under a seal yet."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT log.seal(%s)", [batch])
        while cursor.fetchone()[0]:
            cursor.execute("SELECT log.seal(%s)", [batch])
