"""Finding a server among this machine's processes, by the words on its command line.

A process id in a file proves nothing after a kill -9 or a reboot: another process may have it by then. The
command line may be read by every user, also of a process of another one (in a container root can't look further).
"""

import contextlib
import os
import signal
import socket
import time
from collections.abc import Callable
from pathlib import Path


def running(program: str, mark: str) -> list[int]:
    """Ids of the processes of `program` whose command line or title contains `mark`."""
    return [int(entry.name) for entry in Path("/proc").iterdir() if entry.name.isdigit() and _is(entry, program, mark)]


def _is(entry: Path, program: str, mark: str) -> bool:
    try:
        words = (entry / "cmdline").read_bytes()
    except OSError:  # it ended while we looked
        return False
    first = words.split(b"\0", 1)[0]
    is_program = first.rpartition(b"/")[2] == program.encode() or first.startswith(program.encode() + b":")
    return is_program and mark.encode() in words


def stop(pid: int, sign: signal.Signals = signal.SIGTERM) -> None:
    """Send `sign` to a process that may be gone already."""
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, sign)


def wait_until(done: Callable[[], bool], seconds: float, pause_seconds: float = 0.02) -> bool:
    """Whether `done()` came true within `seconds`."""
    end = time.monotonic() + seconds
    while not done():
        if time.monotonic() > end:
            return False
        time.sleep(pause_seconds)
    return True


def port_is_free(port: int) -> bool:
    """Whether a server could listen on 127.0.0.1:`port` now."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
        return True


def any_free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
