"""A floor to break things under: tables that finish rounds, a Redis and workers of the test's own, and the proof that
in the end every round was settled once.
"""

import itertools
import os
import signal
import sys
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest
import redis

from casino.commands.hint import hint_settlement
from casino.eventstore import store
from casino.eventstore.verify import verify
from casino.round.betting import Asked
from casino.servers import processes
from casino.servers.redis import binary
from casino.servers.supervisor import Supervisor
from tests.conftest import NOWHERE_REDIS, Process, _use_redis
from tests.played import Played

WAIT_SECONDS = 60
PHASES = 2


class Floor(Played):
    """Tables that finish one round after another, as terminals do: a command, then a hint to the workers."""

    def __init__(self, *codes: str) -> None:
        super().__init__()
        self.turns = itertools.cycle(codes)
        self.codes = codes
        self.finished = 0
        for code in codes:
            self.set_up(code)
            self.open(code, 1_000_000)

    def play(self, rounds: int = 1, code: str = "") -> None:  # type: ignore[override]
        for _ in range(rounds):
            self.finish(code or next(self.turns), [Asked(1, "colour:red", 500), Asked(2, "split:Ks+As", 500)])
            self.finished += 1
            hint_settlement()


@pytest.fixture
def floor(database: Any, redis_url: str) -> Floor:
    return Floor("R-01", "R-02", "R-03", "R-04")


@pytest.fixture
def redis_server(tmp_path: Path) -> Iterator[Process]:
    """A Redis of the test's own, to be stopped, killed and started again."""
    port = processes.any_free_port()
    command = [str(binary()), "--port", str(port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "yes"]
    folder = tmp_path / "redis"
    folder.mkdir()
    server = Process([*command, "--dir", str(folder)], dict(os.environ), tmp_path / "redis.log", "Ready to accept")
    yield server.start()
    os.kill(server.child.pid, signal.SIGCONT) if server.child and server.child.poll() is None else None
    server.kill()


@pytest.fixture
def redis_url(redis_server: Process) -> Iterator[str]:
    """The broker here and in the test's processes is the Redis that the test may break."""
    url = f"redis://127.0.0.1:{redis_server.argv[2]}/0"
    _use_redis(url)
    yield url
    _use_redis(NOWHERE_REDIS)


@pytest.fixture
def broker(redis_url: str) -> Iterator[redis.Redis]:
    with redis.Redis.from_url(redis_url) as client:
        yield client


@pytest.fixture
def beat(start_process: Callable[..., Process], tmp_path: Path) -> Process:
    """The clock that finds what lost messages would have told."""
    arguments = ["-m", "celery", "-A", "casino.celery", "beat", "-l", "INFO", "-s", str(tmp_path / "beat")]
    return start_process(*arguments, ready="beat: Starting")


@pytest.fixture
def supervised(process_environment: dict[str, str], tmp_path: Path) -> Iterator[None]:
    """A worker and the beat as `manage.py run` has them: started again when they die.

    A worker that loses its Redis in the middle of a message may end for good (kombu 5.7 stumbles over the connection
    that it is just closing), so workers are never run without somebody who starts them again.
    """
    supervisor = Supervisor(process_environment, tmp_path / "logs")
    celery = [sys.executable, "-m", "celery", "-A", "casino.celery"]
    supervisor.start("worker", *celery, "worker", "-c", "2", "-l", "WARNING", "--without-mingle", "--without-gossip")
    supervisor.start("beat", *celery, "beat", "-l", "WARNING", "-s", str(tmp_path / "beat"), "--pidfile=")
    ended = threading.Event()
    watch = threading.Thread(target=supervisor.watch, args=(ended.is_set,))
    watch.start()
    yield
    ended.set()
    watch.join()
    supervisor.stop()


@pytest.fixture
def superuser(database: Any, role_connection: Callable[..., psycopg.Connection[Any]]) -> psycopg.Connection[Any]:
    return role_connection("postgres")


def wait_until(done: Callable[[], Any], what: str) -> None:
    assert processes.wait_until(lambda: bool(done()), WAIT_SECONDS), f"Not within {WAIT_SECONDS} s: {what}."


def due() -> int:
    """Rounds that wait to be settled, those set aside not counted."""
    return int(store.run("SELECT count(*) FROM log.due WHERE set_aside_at IS NULL").fetchone()[0])


def settlements() -> dict[str, tuple[int, int]]:
    """For every round, how often it was settled and how many phases were."""
    rows = store.run(
        """SELECT s.key, count(*) FILTER (WHERE e.type = 'round_settled') AS rounds,
                  count(*) FILTER (WHERE e.type = 'wagers_settled') AS phases
             FROM log.event e JOIN log.stream s ON s.id = e.stream_id WHERE e.round_no IS NOT NULL GROUP BY s.key"""
    )
    return {row[0]: (row[1], row[2]) for row in rows}


def wait_until_settled(floor: Floor) -> None:
    wait_until(lambda: Counter(settlements().values()) == {(1, PHASES): floor.finished} and not due(), "all settled")


@pytest.fixture
def prove(database: Any, superuser: psycopg.Connection[Any]) -> Callable[[Floor], None]:
    """Wait until the floor is settled, then prove that it was done once, without deadlocks, in a whole log."""

    def prove(floor: Floor) -> None:
        wait_until_settled(floor)
        assert verify(superuser).faults == []
        query = "SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()"
        assert superuser.execute(query).fetchone() == (0,)

    return prove


@pytest.fixture
def hold(role_connection: Callable[..., psycopg.Connection[Any]]) -> Callable[[str], psycopg.Connection[Any]]:
    """Hold the head of a stream, so that whoever adds to it waits in the middle; let go by rolling back."""

    def hold(key: str) -> psycopg.Connection[Any]:
        holder = role_connection("postgres", autocommit=False)
        holder.execute("SELECT FROM log.stream WHERE key = %s FOR UPDATE", [key])
        return holder

    return hold


@pytest.fixture
def poison(superuser: psycopg.Connection[Any]) -> Callable[[str, str], Callable[[], None]]:
    """Alter or take out one event of a round behind the triggers' back; called again it puts it right."""

    def spoil(key: str, change: str) -> Callable[[], None]:
        superuser.execute("ALTER TABLE log.event DISABLE TRIGGER ALL")
        where = f"stream_id = (SELECT id FROM log.stream WHERE key = '{key}') AND version = 2"
        superuser.execute(f"CREATE TABLE saved AS SELECT * FROM log.event WHERE {where}")
        superuser.execute(f"{change} WHERE {where}")

        def put_right() -> None:
            superuser.execute(f"DELETE FROM log.event WHERE {where}")
            superuser.execute("INSERT INTO log.event TABLE saved")

        return put_right

    return spoil


def waiting(connection: psycopg.Connection[Any]) -> list[int]:
    """The server processes that wait in the middle of an append."""
    rows = connection.execute(
        """SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'casino'
              AND wait_event_type = 'Lock' AND query LIKE '%log.append%'"""
    )
    return [row[0] for row in rows]


def children(process: Process) -> list[int]:
    """The children of a worker, which do its work."""
    assert process.child is not None
    pid = process.child.pid
    return [int(word) for word in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
