"""`manage.py follow`: the horizon's keeper, the followers and the sealer, one leader a database."""

import json
import logging
import signal
import threading
import time
from typing import Any

import psycopg
import redis
from django.conf import settings
from django.core.management.base import BaseCommand
from django.db import DatabaseError, InterfaceError, OperationalError, connection, connections

from casino.eventstore.follower import Follower, followers, position_of, seal, step, stop_loudly
from casino.eventstore.horizon import Keeper, holders

logger = logging.getLogger(__name__)
LEADER_LOCK = "SELECT pg_try_advisory_lock(hashtext('follow'))"
BUSY_S, IDLE_S, SEAL_S, AWAY_S = 0.004, 0.02, 1.0, 1.0
LAG_ALARM_S = 2.0
CHANNEL = "casino:moved"


class Command(BaseCommand):
    """A second copy stands by and takes over when the first is gone."""

    help = "Keep the horizon, feed the read models and seal the log, until stopped."

    def handle(self, *args: Any, **options: Any) -> None:
        stop = threading.Event()
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda *_: stop.set())
        moved = threading.Condition()
        work = [threading.Thread(target=_keep, args=(stop, moved), name="keeper", daemon=True)]
        for follower in followers().values():
            work.append(threading.Thread(target=_follow, args=(follower, stop, moved), name=follower.name, daemon=True))
        work.append(threading.Thread(target=_seal, args=(stop,), name="sealer", daemon=True))
        for thread in work:
            thread.start()
        self.stdout.write("Following the log.")
        stop.wait()
        with moved:
            moved.notify_all()
        for thread in work:
            thread.join(timeout=5)


def _keep(stop: threading.Event, moved: threading.Condition) -> None:
    """Be the leader when nobody else is, and move the mark."""
    while not stop.is_set():
        own = connections.create_connection("default")
        try:
            own.ensure_connection()
            pg: psycopg.Connection[Any] = own.connection
            while not stop.is_set() and not pg.execute(LEADER_LOCK).fetchone()[0]:  # type: ignore[index]
                stop.wait(AWAY_S)
            pg.execute("SET synchronous_commit = off")  # a mark lost in a crash is found again
            _poll(Keeper(pg), stop, moved)
        except Exception as error:  # whatever it was, letting go of the lead lets a second copy take it
            logger.warning("The keeper starts anew: %s: %s", type(error).__name__, error)
            stop.wait(AWAY_S)
        finally:
            own.close()


def _poll(keeper: Keeper, stop: threading.Event, moved: threading.Condition) -> None:
    since = time.monotonic()
    alarmed = False
    while not stop.is_set():
        before = keeper.mark
        if keeper.poll() != before:
            with moved:
                moved.notify_all()
        if not keeper.pending:
            since, alarmed = time.monotonic(), False
        elif not alarmed and time.monotonic() - since > LAG_ALARM_S:
            alarmed = True
            for holder in holders(keeper.connection)[:1]:
                logger.error("The mark has stood at %s for over %g s; held by %s", keeper.mark, LAG_ALARM_S, holder)
        time.sleep(BUSY_S if keeper.pending else IDLE_S)


def _follow(follower: Follower, stop: threading.Event, moved: threading.Condition) -> None:
    """Step the follower whenever the mark has moved; an error that is not the server's stops it, loudly."""
    announce = Announcer(follower.name)
    while not stop.is_set():
        try:
            before = position_of(follower.name)
            while not stop.is_set() and step(follower):
                pass
            announce.moved(before, position_of(follower.name))
        except Exception as error:
            if isinstance(error, OperationalError | InterfaceError) or not connection.is_usable():
                logger.warning("The follower %s tries again: %s", follower.name, error)
                connection.close()  # a connection lost, a lock not got: nothing was folded
                stop.wait(AWAY_S)
                continue
            stop_loudly(follower, error)
            logger.exception("The follower %s stopped.", follower.name)
            return
        with moved:
            moved.wait(timeout=0.25)
    connection.close()


def _seal(stop: threading.Event) -> None:
    """Seal what lies below the mark, about every second."""
    while not stop.wait(SEAL_S):
        try:
            seal()
        except (InterfaceError, DatabaseError) as error:
            logger.warning("The sealer tries again: %s", error)
            connection.close()
    connection.close()


class Announcer:
    """Tells open pages, through Redis, that a follower has read on and at which tables; never what."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.redis = redis.Redis.from_url(settings.REDIS_URL, socket_timeout=0.2, socket_connect_timeout=0.2)
        self.quiet_until = 0.0

    def moved(self, before: int, position: int) -> None:
        """Announce (before, position], unless nothing moved or Redis was away a moment ago."""
        if position <= before or time.monotonic() < self.quiet_until:
            return
        with connection.cursor() as cursor:
            cursor.execute(
                """SELECT DISTINCT table_code FROM log.event
                    WHERE position > %s AND position <= %s AND table_code IS NOT NULL""",
                [before, position],
            )
            tables = sorted(row[0] for row in cursor.fetchall())
        try:
            self.redis.publish(CHANNEL, json.dumps({"by": self.name, "position": position, "tables": tables}))
        except redis.RedisError:
            self.quiet_until = time.monotonic() + 5
