"""Starting the embedded servers when a command needs them, and stopping them when the last command ends.

Two locks in `var/` keep this straight, and both vanish with their process, however it ends:
1. `servers.lock` is held while servers are started or stopped, so two commands never start two of them.
2. `servers.users` is held, shared, by every command while it uses the servers. Whoever leaves and then can take it
   alone was the last one out, and stops them. Servers whose users were all killed wait for the next command.
"""

import fcntl
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, replace
from pathlib import Path

from casino import environment
from casino.refusal import Refused
from casino.servers import folder, postgres, processes, redis, user

START_ATTEMPTS = 3
"""How often a server that ended is started before that has failed."""


@dataclass(frozen=True)
class Addresses:
    """Where the servers are, as URLs; an empty text is one that nobody has told us."""

    app: str = ""
    owner: str = ""
    superuser: str = ""
    redis: str = ""

    def variables(self) -> dict[str, str]:
        """What a child process needs in its environment to use the same servers."""
        known = {"DATABASE_URL": self.app, "DATABASE_OWNER_URL": self.owner, "REDIS_URL": self.redis}
        return {name: value for name, value in known.items() if value}


def needed() -> AbstractContextManager[Addresses]:
    """The servers that the environment doesn't name (DATABASE_URL, REDIS_URL), served from `var/`."""
    missing = {name for name in ("DATABASE_URL", "REDIS_URL") if not environment.text(name)}
    if not missing:
        return nullcontext(Addresses())
    return serving(environment.var_folder(), with_postgres="DATABASE_URL" in missing, with_redis="REDIS_URL" in missing)


def written_addresses(var: Path) -> Addresses:
    """The addresses of the servers in `var` as the last start wrote them down; empty before the first start."""
    notes = folder.read_notes(var)
    return _addresses(var, notes) if notes else Addresses()


def tell(sentence: str) -> None:
    print(sentence, file=sys.stderr, flush=True)


@contextmanager
def serving(
    var: Path,
    *,
    with_postgres: bool = True,
    with_redis: bool = True,
    durable: bool = True,
    say: Callable[[str], None] = tell,
) -> Iterator[Addresses]:
    """The servers in `var`, started if they don't run, and stopped at the end if nobody else uses them.

    A server that the caller has elsewhere is left out, and so is its address. Raises Refused.
    """
    folder.make_var(var, *user.ids())
    cluster, queue = postgres.Postgres(var / "postgres", durable), redis.Redis(var / "redis")
    with _open_lock(var / "servers.users") as users:
        try:
            with _open_lock(var / "servers.lock") as mutex:
                fcntl.flock(mutex, fcntl.LOCK_EX)
                fcntl.flock(users, fcntl.LOCK_SH)
                notes = _notes(var, cluster)
                if with_postgres:
                    _ensure_postgres(cluster, notes, say)
                if with_redis:
                    notes = _ensure_redis(var, queue, notes, say)
            found = _addresses(var, notes)
            found = found if with_postgres else Addresses(redis=found.redis)
            yield found if with_redis else replace(found, redis="")
        finally:
            with undisturbed(), _open_lock(var / "servers.lock") as mutex:
                fcntl.flock(mutex, fcntl.LOCK_EX)
                if _is_last(users):
                    _stop(cluster, queue)


def revive(var: Path, ours: Addresses, say: Callable[[str], None] = tell) -> None:
    """Start again what has ended of the servers behind the addresses that `serving` gave; the addresses stay."""
    cluster, queue = postgres.Postgres(var / "postgres"), redis.Redis(var / "redis")
    if (not ours.app or cluster.is_running()) and (not ours.redis or queue.pids()):
        return
    with _open_lock(var / "servers.lock") as mutex:
        fcntl.flock(mutex, fcntl.LOCK_EX)
        notes = _notes(var, cluster)
        if ours.app:
            _start_again(cluster, notes, say)
        if ours.redis:
            _ensure_redis(var, queue, notes, say)


def _start_again(cluster: postgres.Postgres, notes: folder.Notes, say: Callable[[str], None]) -> None:
    """Whoever killed a server may kill it in its start too; that ends nothing until it has failed several times."""
    for _ in range(START_ATTEMPTS - 1):
        try:
            return _ensure_postgres(cluster, notes, say)
        except Refused as refusal:
            if refusal.code != "postgres_failed":
                raise
            say(refusal.message)
    return _ensure_postgres(cluster, notes, say)


def _addresses(var: Path, notes: folder.Notes) -> Addresses:
    cluster, passwords = postgres.Postgres(var / "postgres"), notes.passwords
    return Addresses(
        app=cluster.url(postgres.APP, passwords[postgres.APP]),
        owner=cluster.url(postgres.OWNER, passwords[postgres.OWNER]),
        superuser=cluster.url(postgres.SUPERUSER, passwords[postgres.SUPERUSER]),
        redis=redis.url(notes.redis_port, passwords["redis"]),
    )


def _notes(var: Path, cluster: postgres.Postgres) -> folder.Notes:
    """The notes of the last run; at the first one, new passwords."""
    if notes := folder.read_notes(var):
        return notes
    if cluster.data.exists():
        raise Refused(
            "passwords_lost",
            f"{var}/servers.json with the passwords of the data in {cluster.data} is missing. Put it back, or move "
            f"{var} away and start anew.",
        )
    notes = folder.Notes(postgres.new_passwords() | {"redis": postgres.new_password()})
    folder.write_notes(var, notes)
    return notes


def _ensure_postgres(cluster: postgres.Postgres, notes: folder.Notes, say: Callable[[str], None]) -> None:
    """Join a running cluster, waiting out a start or stop that somebody was killed in; else start it."""
    processes.wait_until(lambda: cluster.is_ready() or not cluster.is_running(), postgres.CRASH_RECOVERY_SECONDS)
    if not cluster.is_ready():
        say(f"Starting PostgreSQL in {cluster.home} …")
        cluster.start(notes.passwords)


def _ensure_redis(var: Path, queue: redis.Redis, notes: folder.Notes, say: Callable[[str], None]) -> folder.Notes:
    """The same for Redis; the notes come back with its port."""
    port, password = notes.redis_port, notes.passwords["redis"]
    processes.wait_until(lambda: queue.is_ready(port, password) or not queue.pids(), redis.LOADING_SECONDS)
    if queue.pids():
        return notes
    say(f"Starting Redis in {queue.home} …")
    notes = replace(notes, redis_port=queue.start(port, password))
    folder.write_notes(var, notes)
    return notes


def _stop(cluster: postgres.Postgres, queue: redis.Redis) -> None:
    if queue.pids():
        queue.stop()
    if cluster.is_running():
        cluster.stop()


@contextmanager
def _open_lock(path: Path) -> Iterator[int]:
    """An open lock file; closing it lets go of what was taken on it."""
    handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        yield handle
    finally:
        fcntl.flock(handle, fcntl.LOCK_UN)  # closing is not enough while a forked child has the file open too
        os.close(handle)


def _is_last(users: int) -> bool:
    """Let go of our share and see whether nobody else holds one. The caller holds `servers.lock`."""
    fcntl.flock(users, fcntl.LOCK_UN)
    try:
        fcntl.flock(users, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


@contextmanager
def undisturbed() -> Iterator[None]:
    """A second Ctrl-C while the servers stop would leave them running, so it has to wait."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    signs = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
    before = [signal.signal(sign, signal.SIG_IGN) for sign in signs]
    try:
        yield
    finally:
        for sign, handler in zip(signs, before, strict=True):
            signal.signal(sign, handler)
