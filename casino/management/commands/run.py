"""The whole product on one machine, for one person to look at: servers, web site, workers and a floor that plays."""

import os
import subprocess
import sys
import time
import urllib.error
import urllib.request

from django.conf import settings
from django.core.management import get_commands
from django.core.management.base import BaseCommand

from casino import environment
from casino.refusal import Refused
from casino.servers import embedded, processes
from casino.servers.supervisor import Supervisor

PYTHON, MANAGE = sys.executable, str(environment.HOME / "manage.py")
WORKERS = 2
HEALTH_SECONDS = 60


class Command(BaseCommand):
    help = "Start everything on http://127.0.0.1:CASINO_PORT (8000) and run it until Ctrl-C."
    requires_system_checks: list[str] = []

    def handle(self, *args: object, **options: object) -> None:
        port = environment.whole("CASINO_PORT", 8000, least=1, most=65535)
        if not processes.port_is_free(port):
            raise Refused(
                "port_taken",
                f"Port {port} on 127.0.0.1 is taken, perhaps by another `make run`. End that one, or choose another "
                f"port: CASINO_PORT={port + 1} make run.",
            )
        with embedded.needed() as addresses:
            env = os.environ | addresses.variables() | {"PYTHONUNBUFFERED": "1"}
            self._prepare(env)
            self._run(env, port, addresses)
        self.stdout.write("Everything is stopped. The data is kept.")

    def _prepare(self, env: dict[str, str]) -> None:
        self.stdout.write("Preparing the database …")
        _manage(env, "prepare_database", "--verbosity=0")

    def _run(self, env: dict[str, str], port: int, ours: embedded.Addresses) -> None:
        supervisor = Supervisor(env, settings.VAR / "log")
        try:
            self._start_hands(supervisor)
            log_ins = self._demo_property(env)
            self._start_site(supervisor, port)
            self._announce(supervisor, port, log_ins)
            supervisor.watch(beside=lambda: embedded.revive(settings.VAR, ours))
        except KeyboardInterrupt:
            self.stdout.write("\nStopping …")
        finally:
            with embedded.undisturbed():
                supervisor.stop()

    def _start_hands(self, supervisor: Supervisor) -> None:
        """Who settles, folds and follows; the demo's gaming day needs them too."""
        celery = (PYTHON, "-m", "celery", "-A", "casino.celery")
        if _exists("follow"):
            supervisor.start("follow", PYTHON, MANAGE, "follow")
        supervisor.start(
            "worker", *celery, "worker", "-c", str(WORKERS), "-l", "WARNING", "--without-mingle", "--without-gossip"
        )
        supervisor.start("beat", *celery, "beat", "-l", "WARNING", "-s", str(settings.VAR / "beat"), "--pidfile=")

    def _demo_property(self, env: dict[str, str]) -> str:
        """Make the demo property where it is missing; the log-ins are what the command prints."""
        if not _exists("demo_property"):
            return ""
        self.stdout.write("Making the demo property, if there is none yet …")
        return _manage(env, "demo_property")

    def _start_site(self, supervisor: Supervisor, port: int) -> None:
        supervisor.start(
            "web", PYTHON, "-m", "uvicorn", "casino.asgi:application", "--host", "127.0.0.1", "--port", str(port),
            "--timeout-graceful-shutdown", "2", "--no-access-log", "--no-server-header", "--lifespan", "off",
        )  # fmt: skip
        if _exists("simulate"):
            supervisor.start("floor", PYTHON, MANAGE, "simulate", "--live")

    def _announce(self, supervisor: Supervisor, port: int, log_ins: str) -> None:
        address = f"http://127.0.0.1:{port}"
        end = time.monotonic() + HEALTH_SECONDS
        supervisor.watch(until=lambda: _is_healthy(address) or time.monotonic() > end)
        if not _is_healthy(address):
            raise Refused("not_healthy", f"{address}/healthz does not answer; see {settings.VAR}/log/web.log.")
        self.stdout.write(f"\n  {self.style.SUCCESS(address)}\n")
        self.stdout.write("".join(f"  {line}\n" for line in log_ins.splitlines()))
        self.stdout.write(f"  Words of the processes: {settings.VAR}/log/   Stop: Ctrl-C\n")


def _exists(command: str) -> bool:
    return command in get_commands()


def _manage(env: dict[str, str], *arguments: str) -> str:
    """Run a command of manage.py to its end and answer what it printed; its progress bars are shown."""
    done = subprocess.run([PYTHON, MANAGE, *arguments], env=env, stdout=subprocess.PIPE, text=True)
    if done.returncode != 0:
        raise Refused("command_failed", f"`manage.py {' '.join(arguments)}` failed; its reasons stand above.")
    return done.stdout


def _is_healthy(address: str) -> bool:
    try:
        with urllib.request.urlopen(f"{address}/healthz", timeout=5) as answer:
            return bool(answer.status == 200)
    except (urllib.error.URLError, OSError):
        return False
