"""Several processes at once for `manage.py run`: started, watched, started again, and stopped in order.

Every word of a process goes to `var/log/NAME.log`; the console shows only those that a person should read.
"""

import contextlib
import ctypes
import logging.handlers
import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

from casino.refusal import Refused

IMPORTANT = re.compile(r"(?<![%\w])(WARNING|ERROR|CRITICAL|FATAL)\b|^Traceback|^[\w.]+(Error|Exception|Refused)\b")
COLOURS = (36, 32, 35, 33, 34, 31)
LOG_BYTES_MAX = 10_000_000
QUICK_DEATH_SECONDS, QUICK_DEATHS_MAX = 10, 5
PATIENCE_SECONDS = 5  # from the request to end until the kill
PR_SET_PDEATHSIG = 1


@dataclass
class Child:
    """One process by name; `quick_deaths` counts those soon after a start, in a row."""

    name: str
    argv: Sequence[str]
    colour: int
    process: "subprocess.Popen[str]"
    started: float = field(default_factory=time.monotonic)
    quick_deaths: int = 0


class Supervisor:
    """Runs children with the environment `env`; `logs` is the folder of their log files."""

    def __init__(self, env: dict[str, str], logs: Path) -> None:
        self.env, self.logs, self.children = env, logs, list[Child]()
        self.is_coloured = sys.stdout.isatty() and "NO_COLOR" not in os.environ
        self.logs.mkdir(mode=0o700, exist_ok=True)

    def start(self, name: str, *argv: str) -> None:
        colour = COLOURS[len(self.children) % len(COLOURS)]
        self.children.append(Child(name, argv, colour, self._spawn(name, argv, colour)))

    def watch(
        self,
        until: Callable[[], bool] = lambda: False,
        beside: Callable[[], None] = lambda: None,
        pause_seconds: float = 0.5,
    ) -> None:
        """Keep the children alive until `until()`, and do `beside()` in every turn.

        Raises Refused when a child keeps dying.
        """
        while not until():
            beside()
            for child in self.children:
                if child.process.poll() is not None:
                    self._revive(child)
            time.sleep(pause_seconds)

    def stop(self) -> None:
        """End the children, the last started first: who makes work ends before who does it."""
        for child in reversed(self.children):
            _end(child.process)
        self.children.clear()

    def say(self, name: str, colour: int, line: str) -> None:
        prefix = f"{time.strftime('%H:%M:%S')} {name:<6} |"
        print(f"\033[{colour}m{prefix}\033[0m {line}" if self.is_coloured else f"{prefix} {line}", flush=True)

    def _revive(self, child: Child) -> None:
        is_quick = time.monotonic() - child.started < QUICK_DEATH_SECONDS
        child.quick_deaths = child.quick_deaths + 1 if is_quick else 1
        how = f"{child.name} ended ({_status(child.process)}); its words are in {self.logs}/{child.name}.log"
        if is_quick and child.quick_deaths >= QUICK_DEATHS_MAX:
            raise Refused("keeps_dying", f"{how}. It did so {child.quick_deaths} times in a row, so all is stopped.")
        self.say(child.name, child.colour, f"{how}. It is started again.")
        _kill_group(child.process)  # what it left behind
        child.process, child.started = self._spawn(child.name, child.argv, child.colour), time.monotonic()

    def _spawn(self, name: str, argv: Sequence[str], colour: int) -> "subprocess.Popen[str]":
        """A process in a group of its own, so that a Ctrl-C in the terminal reaches us alone and we keep the order."""
        libc = ctypes.CDLL(None)
        process = subprocess.Popen(
            argv,
            env=self.env,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            start_new_session=True,
            # Should we be killed, the kernel ends the child for us.
            preexec_fn=lambda: libc.prctl(PR_SET_PDEATHSIG, signal.SIGTERM),
        )
        assert process.stdout
        threading.Thread(target=self._read, args=(name, colour, process.stdout), daemon=True).start()
        return process

    def _read(self, name: str, colour: int, lines: IO[str]) -> None:
        with contextlib.closing(
            logging.handlers.RotatingFileHandler(self.logs / f"{name}.log", maxBytes=LOG_BYTES_MAX, backupCount=1)
        ) as log, lines:  # fmt: skip
            for line in lines:
                log.emit(logging.LogRecord(name, logging.INFO, "", 0, line.rstrip("\n"), None, None))
                if IMPORTANT.search(line):
                    self.say(name, colour, line.rstrip())


def _status(process: "subprocess.Popen[str]") -> str:
    code = process.returncode
    return f"by {signal.Signals(-code).name}" if code < 0 else f"with status {code}"


def _end(process: "subprocess.Popen[str]") -> None:
    process.terminate()
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(PATIENCE_SECONDS)
    _kill_group(process)
    process.wait()


def _kill_group(process: "subprocess.Popen[str]") -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
