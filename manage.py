#!/usr/bin/env python
"""Every command of the back-office. Where no DATABASE_URL or REDIS_URL is set, the embedded servers serve it."""

import os
import signal
import sys
from collections.abc import Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import NoReturn

from casino import environment
from casino.refusal import Refused
from casino.servers import embedded

NEED_NO_SERVER = {
    # `run` starts the servers itself, once it knows that its port is free.
    "run",
    # These never ask the database anything.
    "paytable", "settle", "help", "version", "makemigrations", "collectstatic", "findstatic", "spectacular", "check",
    "diffsettings", "compilemessages", "makemessages", "startapp", "--help", "-h", "--version",
}  # fmt: skip
PREPARE_THEMSELVES = {"prepare_database", "migrate", "showmigrations", "sqlmigrate"}


def main(argv: Sequence[str]) -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "casino.settings")
    # A terminated command still has to stop the servers that it started.
    for sign in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(sign, _end)
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a script's background job is born deaf to it
    try:
        environment.read_env_file(environment.HOME / os.environ.get("CASINO_ENV_FILE", ".env"))
        command = argv[1] if len(argv) > 1 else "help"
        needs_none = command in NEED_NO_SERVER or {"--help", "-h"} & set(argv) or not _is_there(command)
        with nullcontext(embedded.Addresses()) if needs_none else embedded.needed() as addresses:
            os.environ.update(addresses.variables())
            if addresses.app and command not in PREPARE_THEMSELVES:
                _prepare_our_own_database()
            _carry_out(argv)
    except Refused as refusal:
        sys.exit(str(refusal))
    except KeyboardInterrupt:
        sys.exit(130)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # the reader has seen enough
        sys.exit(141)


def _is_there(command: str) -> bool:
    """Whether a package here has such a command; what none has, Django refuses without any server."""
    places = (environment.HOME, *map(Path, sys.path))
    found = (
        place.glob(f"{package}/management/commands/{command}.py")
        for package in ("*", "*/*", "django/contrib/*")
        for place in places
    )
    return command.isidentifier() and any(True for one in found for _ in one)


def _prepare_our_own_database() -> None:
    """The embedded database is nobody's but ours, so a first command on a fresh checkout finds its tables."""
    import django
    from django.core.management import call_command

    django.setup()
    call_command("prepare_database", if_needed=True, verbosity=0)


def _carry_out(argv: Sequence[str]) -> None:
    from django.core.management import execute_from_command_line
    from django.db import OperationalError

    try:
        execute_from_command_line(list(argv))
    except OperationalError as problem:
        if "connection" not in str(problem):
            raise
        raise Refused(
            "no_database", f"The database can't be reached: {str(problem).strip()}. Check DATABASE_URL."
        ) from None


def _end(sign: int, frame: object) -> NoReturn:
    sys.exit(128 + sign)


if __name__ == "__main__":
    main(sys.argv)
