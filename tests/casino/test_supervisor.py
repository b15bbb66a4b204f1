"""The processes of `make run`: kept alive, given up loudly, stopped in order, no orphan left."""

import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from casino import environment
from casino.refusal import Refused
from casino.servers import processes
from casino.servers.supervisor import Supervisor

STAYS = "import time\nprint('INFO here', flush=True)\ntime.sleep(60)"
DIES = "raise SystemExit(3)"


@pytest.fixture
def supervisor(tmp_path: Path) -> Iterator[Supervisor]:
    made = Supervisor(dict(os.environ), tmp_path / "log")
    yield made
    made.stop()


def start(supervisor: Supervisor, name: str, program: str) -> None:
    supervisor.start(name, sys.executable, "-c", program)


def log_of(supervisor: Supervisor, name: str) -> str:
    path = supervisor.logs / f"{name}.log"
    return path.read_text() if path.exists() else ""


def wait_for(done: Callable[[], bool]) -> None:
    assert processes.wait_until(done, 10)


def test_all_words_go_to_the_log_and_the_important_ones_to_the_console(
    supervisor: Supervisor, capfd: pytest.CaptureFixture[str]
) -> None:
    start(supervisor, "worker", "print('INFO settled 3'); print('WARNING Redis is away')\n" + STAYS)
    wait_for(lambda: "INFO here" in log_of(supervisor, "worker"))
    assert log_of(supervisor, "worker") == "INFO settled 3\nWARNING Redis is away\nINFO here\n"
    shown = capfd.readouterr().out
    assert re.search(r"^\d\d:\d\d:\d\d worker \| WARNING Redis is away$", shown, re.MULTILINE)
    assert "settled 3" not in shown


def test_a_process_that_dies_is_started_again_with_a_sentence(
    supervisor: Supervisor, capfd: pytest.CaptureFixture[str]
) -> None:
    start(supervisor, "web", STAYS)
    first = supervisor.children[0].process
    first.kill()
    supervisor.watch(until=lambda: supervisor.children[0].process is not first)
    assert supervisor.children[0].process.poll() is None
    assert "web ended (by SIGKILL)" in capfd.readouterr().out


def test_a_process_that_keeps_dying_is_given_up_loudly(supervisor: Supervisor) -> None:
    start(supervisor, "web", DIES)
    with pytest.raises(Refused, match=r"web ended \(with status 3\).* 5 times in a row") as refusal:
        supervisor.watch(pause_seconds=0.01)
    assert refusal.value.code == "keeps_dying"


def test_the_last_started_is_stopped_first(supervisor: Supervisor, tmp_path: Path) -> None:
    says_when = (
        "import signal, sys, time\n"
        f"def end(*_): open({str(tmp_path / 'ended')!r}, 'a').write(NAME); sys.exit()\n"
        "signal.signal(signal.SIGTERM, end)\nprint('ready', flush=True)\ntime.sleep(60)"
    )
    for name in ("a", "b", "c"):
        start(supervisor, name, f"NAME = {name!r}\n{says_when}")
        wait_for(lambda name=name: "ready" in log_of(supervisor, name))
    supervisor.stop()
    assert (tmp_path / "ended").read_text() == "cba"


def test_children_of_a_child_are_ended_with_it(supervisor: Supervisor) -> None:
    nest = f"import subprocess, sys\nsubprocess.Popen([sys.executable, '-c', 'import time; time.sleep(61.5)'])\n{STAYS}"
    start(supervisor, "worker", nest)
    wait_for(lambda: bool(processes.running(Path(sys.executable).name, "time.sleep(61.5)")))
    supervisor.stop()
    wait_for(lambda: not processes.running(Path(sys.executable).name, "\0import time; time.sleep(61.5)"))


def test_children_end_when_the_supervisor_is_killed(tmp_path: Path) -> None:
    program = (
        "import os, sys, time\nfrom pathlib import Path\nfrom casino.servers.supervisor import Supervisor\n"
        "supervisor = Supervisor(dict(os.environ), Path(sys.argv[1]))\n"
        "supervisor.start('web', sys.executable, '-c', 'import time; time.sleep(62.5)')\n"
        "print(supervisor.children[0].process.pid, flush=True)\ntime.sleep(60)"
    )
    parent = subprocess.Popen(
        [sys.executable, "-c", program, str(tmp_path)], cwd=environment.HOME, stdout=subprocess.PIPE, text=True
    )
    assert parent.stdout
    child = int(parent.stdout.readline())
    parent.kill()
    parent.communicate()
    wait_for(lambda: child not in processes.running(Path(sys.executable).name, "time.sleep(62.5)"))
