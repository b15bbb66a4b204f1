"""Read models made anew from the log beside the live ones, then compared, or put in their place.

A follower's shadow tables stand in a schema of their own under the same names; the follower's own statements fill
them, because the search path puts that schema first. The work is committed in chunks, so the horizon moves on.
Followers don't meet, so `rebuild_all` has each in a thread with a connection of its own.
"""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import NamedTuple

from django.db import connections, transaction
from django.db.backends.utils import CursorWrapper

from casino.eventstore.follower import Follower
from casino.refusal import Refused

CHUNK = 20_000
"""Positions in one transaction: what a statement costs apart from its events is shared by more than live (BATCH)."""
STEPS = 4
"""And no more than so many steps of the follower."""


class Difference(NamedTuple):
    """Rows of one table that only the live model or only the rebuilt one holds, with the first of each."""

    table: str
    only_live: int
    only_rebuilt: int
    example: str


def schema_of(follower: Follower) -> str:
    """Where the follower's shadow tables stand."""
    return f"rebuild_{follower.name}"


@contextmanager
def shadow(follower: Follower, alias: str) -> Iterator[None]:
    """Empty copies of the follower's tables ahead of the live ones for this connection; dropped at the end.

    Refuses `rebuild_running` while another process has its copies there.
    """
    schema = schema_of(follower)
    with connections[alias].cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_lock(hashtext(%s))", [schema])
        if not cursor.fetchone()[0]:
            raise Refused("rebuild_running", "Another rebuild is running; wait until it is done.")
        cursor.execute(f"DROP SCHEMA IF EXISTS {schema} CASCADE; CREATE SCHEMA {schema}")
        for table in follower.tables:
            cursor.execute(f"CREATE UNLOGGED TABLE {schema}.{table} (LIKE public.{table} INCLUDING ALL)")
        # What a crash takes from a shadow is of no worth: nobody waits for the disk.
        cursor.execute(f"SET search_path = {schema}, public; SET synchronous_commit = off")
        try:
            yield
        finally:
            cursor.execute(
                f"SET search_path = public; RESET synchronous_commit; DROP SCHEMA IF EXISTS {schema} CASCADE"
            )
            cursor.execute("SELECT pg_advisory_unlock(hashtext(%s))", [schema])


def replay(follower: Follower, alias: str, after: int, upto: int, progress: Callable[[int], object]) -> None:
    """Fold (after, upto] into the shadow tables, one committed chunk at a time."""
    while after < upto:
        until = min(upto, after + min(CHUNK, STEPS * follower.batch))
        with transaction.atomic(using=alias), connections[alias].cursor() as cursor:
            follower.apply(cursor, after, until)
        progress(until - after)
        after = until


@contextmanager
def held(follower: Follower, alias: str) -> Iterator[None]:
    """Keep the live follower where it stands; a session lock, which holds no transaction id."""
    with connections[alias].cursor() as cursor:
        cursor.execute("SELECT pg_advisory_lock(hashtext(%s))", [f"follower:{follower.name}"])
        try:
            yield
        finally:
            cursor.execute("SELECT pg_advisory_unlock(hashtext(%s))", [f"follower:{follower.name}"])


def live_position(follower: Follower, alias: str) -> int:
    """The live follower's checkpoint."""
    with connections[alias].cursor() as cursor:
        cursor.execute("SELECT position FROM public.checkpoint WHERE name = %s", [follower.name])
        row = cursor.fetchone()
    return row[0] if row else 0


def compare(follower: Follower, alias: str) -> list[Difference]:
    """Every difference between the live tables and their shadows; columns that hold a moment are data too."""
    found = []
    with connections[alias].cursor() as cursor:
        for table in follower.tables:
            live, rebuilt = f"public.{table}", f"{schema_of(follower)}.{table}"
            only_live, first_live = _only_in(cursor, live, rebuilt)
            if not only_live and _count(cursor, live) == _count(cursor, rebuilt):
                continue  # as many rows, and none of them apart: the other way round there is none either
            only_rebuilt, first_rebuilt = _only_in(cursor, rebuilt, live)
            example = f"live {first_live}" if only_live else f"rebuilt {first_rebuilt}"
            found.append(Difference(table, only_live, only_rebuilt, example))
    return found


def _only_in(cursor: CursorWrapper, one: str, other: str) -> tuple[int, str]:
    """How many rows only `one` holds, and the first of them as text."""
    cursor.execute(
        f"""WITH apart AS (SELECT * FROM {one} EXCEPT ALL SELECT * FROM {other})
            SELECT count(*), coalesce(min(apart::text), '') FROM apart"""
    )
    count, first = cursor.fetchone()
    return count, first


def _count(cursor: CursorWrapper, table: str) -> int:
    cursor.execute(f"SELECT count(*) FROM {table}")
    return int(cursor.fetchone()[0])


def put_in_place(follower: Follower, alias: str) -> None:
    """Replace the live rows by the rebuilt ones in one transaction, so that no reader sees a half.

    It holds a transaction id for as long as it takes: a repair, not a routine.
    """
    with transaction.atomic(using=alias), connections[alias].cursor() as cursor:
        cursor.execute("SET LOCAL synchronous_commit = on")
        for table in follower.tables:
            cursor.execute(f"DELETE FROM public.{table}")
            cursor.execute(f"INSERT INTO public.{table} SELECT * FROM {schema_of(follower)}.{table}")


def rebuild(follower: Follower, alias: str, check: bool, progress: Callable[[int], object]) -> list[Difference]:
    """Rebuild one follower's tables at its live checkpoint; with `check` compare and leave the live ones alone."""
    with shadow(follower, alias):
        reached = live_position(follower, alias)
        replay(follower, alias, 0, reached, progress)
        with held(follower, alias):
            replay(follower, alias, reached, live_position(follower, alias), progress)
            differences = compare(follower, alias)
            if differences and not check:
                put_in_place(follower, alias)
    return differences


def rebuild_all(
    chosen: Sequence[Follower], alias: str, check: bool, progress: Callable[[int], object]
) -> dict[str, list[Difference]]:
    """Rebuild several followers at once; their differences by name."""

    def one(follower: Follower) -> list[Difference]:
        try:
            return rebuild(follower, alias, check, progress)
        finally:
            connections.close_all()  # the thread's own

    with ThreadPoolExecutor(max_workers=max(1, len(chosen)), thread_name_prefix="rebuild") as threads:
        return dict(zip([follower.name for follower in chosen], threads.map(one, chosen), strict=True))
