"""The product's own processes on a benchmark's database: Celery workers, the follower, a simulated floor."""

import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from benchmarks.world import Place
from casino import environment

READY_S = 30
CELERY = ("-m", "celery", "-A", "casino.celery")


@contextmanager
def running(place: Place, *arguments: str, ready: str = "") -> Iterator[subprocess.Popen[bytes]]:
    """A Python process on `place`, awaited until it says `ready`, ended afterwards."""
    with tempfile.NamedTemporaryFile(suffix=".log") as words:
        child = subprocess.Popen(
            [sys.executable, *arguments],
            env=place.variables() | {"PYTHONUNBUFFERED": "1"},
            cwd=environment.HOME,
            stdout=words,
            stderr=words,
            stdin=subprocess.DEVNULL,
        )
        try:
            _wait_for(child, Path(words.name), ready)
            yield child
        finally:
            child.terminate()
            with suppress(subprocess.TimeoutExpired):
                child.wait(15)
            if child.poll() is None:
                child.kill()
                child.wait()


def _wait_for(child: subprocess.Popen[bytes], words: Path, ready: str) -> None:
    end = time.monotonic() + READY_S
    while ready not in words.read_text(errors="replace"):
        if child.poll() is not None or time.monotonic() > end:
            raise RuntimeError(f"{child.args!r} did not become ready:\n{words.read_text(errors='replace')}")
        time.sleep(0.05)


@contextmanager
def hands(place: Place) -> Iterator[None]:
    """Who settles and folds, as `make run` has them: a worker with two children, the beat, the follower."""
    with ExitStack() as stack, tempfile.TemporaryDirectory() as folder:
        quiet = ("--without-mingle", "--without-gossip")
        beat = ("beat", "-l", "INFO", "-s", f"{folder}/beat", "--pidfile=")
        stack.enter_context(running(place, "manage.py", "follow", ready="Following the log."))
        stack.enter_context(running(place, *CELERY, "worker", "-c", "2", "-l", "INFO", *quiet, ready=" ready."))
        stack.enter_context(running(place, *CELERY, *beat, ready="beat: Starting"))
        yield
