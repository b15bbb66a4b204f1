"""Real servers for the tests that need them; a test that asks for none of these fixtures runs without any.

- `database`: a database of the test's own, copied from a migrated template. Django's `default` connection works in
  it as casino_app, `owner` as its owner. Nothing is rolled back or flushed: the database is dropped afterwards.
- `role_connection("casino_app" | "casino_owner" | "postgres")`: a plain psycopg connection to it, for attackers.
- `at_once(f, g, …)`: run functions in threads of their own that start together.
- `redis_url`: the broker for this test, here and in its processes; emptied afterwards.
- `process_environment`: what a child process needs in order to work on that database and Redis.
- `start_process(argv, ready=…)`: a real process, ended with the test. `celery_worker_process` and `web_server` are two.

`make test` runs as many sessions as there are processors (pytest-xdist), up to four; each has servers of its own.
DATABASE_URL and REDIS_URL, where set, name the servers to use; the tests make databases of their own there, and
empty Redis's database 15 (with several sessions 15, 14, …).
"""

import contextlib
import fcntl
import hashlib
import itertools
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import psycopg
import pytest
from django.conf import settings
from django.contrib.auth.hashers import PBKDF2PasswordHasher
from django.core.management import call_command
from django.db import connections
from psycopg import sql
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from casino import environment
from casino.celery import app as celery_app
from casino.servers import embedded, folder, postgres, processes, user

NOWHERE_REDIS = "redis://127.0.0.1:1/0"
SESSION = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw"))  # 0, 1, … of the sessions at work
READY_SECONDS = 30
MEMORY_FREE_BYTES = 3 * 2**30
serial = itertools.count(1)


@dataclass(frozen=True)
class Database:
    """One database and how each role reaches it (conninfo texts). `name` is its name on the server."""

    name: str
    app: str
    owner: str
    superuser: str

    def connect(self, role: str, **options: Any) -> psycopg.Connection[Any]:
        """A connection as `role`, in autocommit unless told otherwise."""
        address = {postgres.APP: self.app, postgres.OWNER: self.owner, postgres.SUPERUSER: self.superuser}[role]
        connection = psycopg.connect(address, **({"autocommit": True} | options))
        if role == postgres.APP and connection.info.user != postgres.APP:
            connection.execute("SET ROLE casino_app")
            if not connection.autocommit:
                connection.commit()
        return connection

    def named(self, name: str) -> "Database":
        """The same server, another database."""
        return Database(name, *(make_conninfo(url, dbname=name) for url in (self.app, self.owner, self.superuser)))


@dataclass
class Process:
    """A child process in a group of its own; its words are in `log`."""

    argv: Sequence[str]
    env: dict[str, str]
    log: Path
    ready: str = ""
    child: "subprocess.Popen[bytes] | None" = field(default=None, repr=False)

    def start(self) -> "Process":
        """Start it (again) and wait until it has said its `ready` words."""
        said_before = self.words().count(self.ready) if self.ready else 0
        with self.log.open("ab") as words:
            self.child = subprocess.Popen(
                self.argv, env=self.env, stdout=words, stderr=words, stdin=subprocess.DEVNULL, start_new_session=True,
                cwd=environment.HOME,
            )  # fmt: skip
        is_ready = processes.wait_until(
            lambda: self.words().count(self.ready) > said_before or self.child.poll() is not None, READY_SECONDS
        )
        if self.ready and (not is_ready or self.child.poll() is not None):
            self.kill()
            pytest.fail(f"{' '.join(self.argv)} did not become ready. Its words:\n{self.words()}")
        return self

    def words(self) -> str:
        return self.log.read_text(errors="replace") if self.log.exists() else ""

    def stop(self, seconds: float = 10) -> int:
        """Ask it to end, and answer its exit status; it is killed if it doesn't."""
        assert self.child is not None
        self.child.terminate()
        try:
            self.child.wait(seconds)
        except subprocess.TimeoutExpired:
            self.kill()
        return self.child.returncode

    def kill(self) -> None:
        """Kill it and all of its children at once, as a power cut would."""
        assert self.child is not None
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.child.pid, signal.SIGKILL)
        self.child.wait()


def pytest_configure() -> None:
    """Cut the way to the demo's servers, which the settings may know of, and hash passwords quickly."""
    for alias in ("default", "owner"):
        connections.settings[alias].update(HOST="/nowhere", NAME="no_test_database")
    _use_redis(NOWHERE_REDIS)
    PBKDF2PasswordHasher.iterations = 1000


@pytest.fixture(scope="session")
def django_db_setup() -> None:
    pytest.fail("pytest-django's database is not used here: ask for the fixture `database` instead of `db`.")


@pytest.fixture(scope="session")
def servers() -> Iterator[embedded.Addresses]:
    """PostgreSQL and Redis for the whole session: those of the environment, else embedded ones in a folder of ours."""
    given = embedded.Addresses(*3 * [environment.text("DATABASE_URL")], environment.text("REDIS_URL"))
    if given.app and given.redis:
        yield replace(given, redis=f"{given.redis.rpartition('/')[0]}/{15 - SESSION}")
        return
    with _slot() as var, embedded.serving(
        var, with_postgres=not given.app, with_redis=not given.redis, durable=False, say=lambda _: None
    ) as made:  # fmt: skip
        yield embedded.Addresses(
            given.app or made.app, given.app or made.owner, given.app or made.superuser, given.redis or made.redis
        )


@contextlib.contextmanager
def _slot() -> Iterator[Path]:
    """The first of test-1, test-2, … that no other session uses. A killed session's is simply used again."""
    var = _room()
    folder.make_var(var, *user.ids())
    for number in itertools.count(1):
        with (var / f"test-{number}.lock").open("a") as lock:
            if _is_ours_now(lock.fileno()):
                yield var / f"test-{number}"
                if var != environment.var_folder():
                    shutil.rmtree(var / f"test-{number}", ignore_errors=True)
                return


def _room() -> Path:
    """A folder in memory where there is room for it, else var/: a copy of a database is some 350 new files.

    Measured: 10 ms a copy in memory, 170 ms on the disk of a virtual machine.
    """
    memory = Path("/dev/shm")
    checkout = hashlib.sha256(str(environment.HOME).encode()).hexdigest()[:8]
    if memory.is_dir() and os.access(memory, os.W_OK) and shutil.disk_usage(memory).free >= MEMORY_FREE_BYTES:
        return memory / f"casino-tests-{os.geteuid()}-{checkout}"
    return environment.var_folder()


def _is_ours_now(lock: int) -> bool:
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


@pytest.fixture(scope="session")
def template(servers: embedded.Addresses, django_db_blocker: Any) -> Iterator[Database]:
    """A migrated database that nobody is connected to, to be copied."""
    any_database = Database("", servers.app, servers.owner, servers.superuser)
    made = any_database.named(f"casino_template_{os.getpid()}")
    with psycopg.connect(servers.superuser, autocommit=True) as admin:
        if not environment.text("DATABASE_URL"):
            _drop_what_a_killed_session_left(admin)
        _create(admin, made)
        with _django_in(made, django_db_blocker):
            call_command("prepare_database", verbosity=0)
        yield made
        _drop(admin, made.name)


@pytest.fixture
def database(servers: embedded.Addresses, template: Database, django_db_blocker: Any) -> Iterator[Database]:
    """A fresh copy of the template, dropped after the test."""
    made = template.named(f"casino_test_{os.getpid()}_{next(serial)}")
    with psycopg.connect(servers.superuser, autocommit=True) as admin:
        _create(admin, made, template.name)
        with _django_in(made, django_db_blocker):
            yield made
        _drop(admin, made.name)


@pytest.fixture
def role_connection(database: Database) -> Iterator[Callable[..., psycopg.Connection[Any]]]:
    """Connect to the test's database as a role; psycopg.connect's options may follow."""
    with contextlib.ExitStack() as stack:
        yield lambda role, **options: stack.enter_context(contextlib.closing(database.connect(role, **options)))


@pytest.fixture
def at_once() -> Callable[..., None]:
    """Run functions in threads that start together; what one of them raises is raised here."""

    def run(*functions: Callable[[], object]) -> None:
        start, errors = threading.Barrier(len(functions)), []

        def one(function: Callable[[], object]) -> None:
            try:
                start.wait(10)
                function()
            except Exception as error:
                errors.append(error)
            finally:
                connections.close_all()

        threads = [threading.Thread(target=one, args=(function,)) for function in functions]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(60)
        assert not any(thread.is_alive() for thread in threads)
        if errors:
            raise errors[0]

    return run


@pytest.fixture
def redis_url(servers: embedded.Addresses) -> Iterator[str]:
    """A Redis database that is empty before and after, and Celery's broker in the meantime."""
    import redis

    url = f"{servers.redis.rpartition('/')[0]}/{15 - SESSION if environment.text('REDIS_URL') else 1}"
    with redis.Redis.from_url(url) as client:
        client.flushdb()
        _use_redis(url)
        yield url
        _use_redis(NOWHERE_REDIS)
        client.flushdb()


@pytest.fixture
def process_environment(database: Database, redis_url: str) -> dict[str, str]:
    """The environment of a child process that works on the test's database and Redis."""
    return dict(os.environ) | {
        "DATABASE_URL": database.app,
        "DATABASE_OWNER_URL": database.owner,
        "REDIS_URL": redis_url,
        "SECRET_KEY": settings.SECRET_KEY,
        "CASINO_ENV_FILE": os.devnull,
        "PYTHONUNBUFFERED": "1",
    }


@pytest.fixture
def start_process(process_environment: dict[str, str], tmp_path: Path) -> Iterator[Callable[..., Process]]:
    """Start a process with the virtual environment's Python: `start_process("manage.py", "follow", ready="…")`."""
    started: list[Process] = []

    def start(*arguments: str, ready: str = "", **variables: str) -> Process:
        log = tmp_path / f"process-{len(started)}.log"
        process = Process([sys.executable, *arguments], process_environment | variables, log, ready)
        started.append(process)
        return process.start()

    yield start
    for process in started:
        process.kill()


@pytest.fixture
def celery_worker_process(start_process: Callable[..., Process]) -> Process:
    """A real Celery worker with two children; `.kill()` and `.start()` are at hand for tests that break it."""
    arguments = ["-m", "celery", "-A", "casino.celery", "worker", "-c", "2", "-l", "INFO", "--without-mingle"]
    return start_process(*arguments, "--without-gossip", ready=" ready.")


@pytest.fixture
def web_server(start_process: Callable[..., Process]) -> str:
    """The address of a real web server, without a slash at its end."""
    port = processes.any_free_port()
    arguments = ["-m", "uvicorn", "casino.asgi:application", "--port", str(port), "--timeout-graceful-shutdown", "2"]
    start_process(*arguments, ready="Uvicorn running on")
    return f"http://127.0.0.1:{port}"


def _create(admin: psycopg.Connection[Any], made: Database, template: str = "template0") -> None:
    """A database with the rights of the real one: these don't come with a copy."""
    name, owner = sql.Identifier(made.name), sql.Identifier(conninfo_to_dict(made.owner)["user"])
    start = time.monotonic()
    while True:
        try:
            admin.execute(
                sql.SQL("CREATE DATABASE {} TEMPLATE {} OWNER {} STRATEGY FILE_COPY").format(
                    name, sql.Identifier(template), owner
                )
            )
            break
        except psycopg.errors.ObjectInUse:  # the template's last connection is still being taken down
            if time.monotonic() - start > 5:
                raise
    admin.execute(sql.SQL("REVOKE ALL ON DATABASE {} FROM PUBLIC").format(name))
    if admin.execute("SELECT 1 FROM pg_roles WHERE rolname = 'casino_app'").fetchone():
        admin.execute(sql.SQL("GRANT CONNECT ON DATABASE {} TO casino_app").format(name))


def _drop(admin: psycopg.Connection[Any], name: str) -> None:
    admin.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))


def _drop_what_a_killed_session_left(admin: psycopg.Connection[Any]) -> None:
    for (name,) in admin.execute(
        r"SELECT datname FROM pg_database WHERE datname ~ '^casino_(test|template)_'"
    ).fetchall():
        _drop(admin, name)


@contextlib.contextmanager
def _django_in(made: Database, blocker: Any) -> Iterator[None]:
    """Point Django's two connections, in every thread, at `made`."""
    before = {alias: dict(connections.settings[alias]) for alias in ("default", "owner")}
    _point(made)
    try:
        with blocker.unblock():
            yield
            connections.close_all()
    finally:
        for alias, entry in before.items():
            connections.settings[alias].update(entry)


def _point(made: Database) -> None:
    """The dictionaries are changed in place: connections that exist already look into the same ones."""
    from casino.settings import app_database, database

    connections.close_all()
    connections.settings["default"].update(app_database(made.app))
    connections.settings["owner"].update(database(made.owner))


def _use_redis(url: str) -> None:
    """Point the settings and this process's Celery at `url`; connections to the place before are dropped."""
    settings.REDIS_URL = settings.CELERY_BROKER_URL = url
    celery_app.conf.update(broker_url=url, broker_read_url=url, broker_write_url=url)
    if celery_app._pool is not None:
        celery_app._pool.force_close_all()
    celery_app._after_fork()
