"""Read models made anew from the log beside the live ones, then compared, or put in their place.

The shadow tables stand in the schema `rebuild` under the same names; the follower's own statements fill them,
because the search path puts that schema first. The work is committed in chunks, so the horizon moves on.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import NamedTuple

from django.db import connections, transaction

from casino.eventstore.follower import BATCH, Follower
from casino.refusal import Refused

CHUNK = BATCH


class Difference(NamedTuple):
    """Rows of one table that only the live model or only the rebuilt one holds, with the first of each."""

    table: str
    only_live: int
    only_rebuilt: int
    example: str


@contextmanager
def shadow(follower: Follower, alias: str) -> Iterator[None]:
    """Empty copies of the follower's tables ahead of the live ones for this connection; dropped at the end.

    Refuses `rebuild_running` while another process has its copies there.
    """
    with connections[alias].cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_lock(hashtext('rebuild'))")
        if not cursor.fetchone()[0]:
            raise Refused("rebuild_running", "Another rebuild is running; wait until it is done.")
        cursor.execute("DROP SCHEMA IF EXISTS rebuild CASCADE; CREATE SCHEMA rebuild")
        for table in follower.tables:
            cursor.execute(f"CREATE TABLE rebuild.{table} (LIKE public.{table} INCLUDING ALL)")
        cursor.execute("SET search_path = rebuild, public")
        try:
            yield
        finally:
            cursor.execute("SET search_path = public; DROP SCHEMA IF EXISTS rebuild CASCADE")
            cursor.execute("SELECT pg_advisory_unlock(hashtext('rebuild'))")


def replay(follower: Follower, alias: str, after: int, upto: int, progress: Callable[[int], object]) -> None:
    """Fold (after, upto] into the shadow tables, one committed chunk at a time."""
    while after < upto:
        until = min(upto, after + CHUNK)
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
            counts, example = [], ""
            for one, other in (("public", "rebuild"), ("rebuild", "public")):
                cursor.execute(
                    f"""WITH apart AS (SELECT * FROM {one}.{table} EXCEPT ALL SELECT * FROM {other}.{table})
                        SELECT count(*), min(apart::text) FROM apart"""
                )
                count, first = cursor.fetchone()
                counts.append(count)
                example = example or (f"{'live' if one == 'public' else 'rebuilt'} {first}" if first else "")
            if any(counts):
                found.append(Difference(table, counts[0], counts[1], example))
    return found


def put_in_place(follower: Follower, alias: str) -> None:
    """Replace the live rows by the rebuilt ones in one transaction, so that no reader sees a half.

    It holds a transaction id for as long as it takes: a repair, not a routine.
    """
    with transaction.atomic(using=alias), connections[alias].cursor() as cursor:
        for table in follower.tables:
            cursor.execute(f"DELETE FROM public.{table}")
            cursor.execute(f"INSERT INTO public.{table} SELECT * FROM rebuild.{table}")


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
