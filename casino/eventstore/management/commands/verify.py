"""`manage.py verify`: compute the whole log again and name the first event that doesn't fit."""

import json
import sys
from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from django.db import connections
from tqdm import tqdm

from casino.eventstore.follower import last_position
from casino.eventstore.verify import Verdict, verify
from casino.refusal import counted


class Command(BaseCommand):
    """Exit status 1 and the first bad position when anything was altered, removed or put in."""

    help = "Verify every hash, chain, stream head and seal of the log."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--json", action="store_true", help="print the verdict as JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        quiet = options["json"] or not sys.stderr.isatty()
        own = connections.create_connection("default")
        try:
            own.ensure_connection()
            with tqdm(total=last_position(), unit=" events", disable=quiet, file=sys.stderr) as bar:
                verdict = verify(own.connection, bar.update)
        finally:
            own.close()
        self.stdout.write(json.dumps(as_data(verdict)) if options["json"] else as_text(verdict))
        if verdict.faults:
            sys.exit(1)


def as_data(verdict: Verdict) -> dict[str, Any]:
    """The verdict as plain data; `first_bad_position` is null when all fits."""
    return {
        "ok": not verdict.faults,
        "events": verdict.events,
        "streams": verdict.streams,
        "seals": verdict.seals,
        "sealed_to": verdict.sealed_to,
        "first_bad_position": verdict.faults[0].position if verdict.faults else None,
        "faults": [fault._asdict() for fault in verdict.faults[:100]],
    }


def as_text(verdict: Verdict) -> str:
    """The verdict for a person."""
    read = (
        f"{counted(verdict.events, 'event')} in {counted(verdict.streams, 'stream')}, "
        f"{counted(verdict.seals, 'seal')} up to {verdict.sealed_to:,}"
    )
    if not verdict.faults:
        return f"The log is whole: {read}."
    first = "\n".join(f"  {fault.position}: {fault.message}" for fault in verdict.faults[:10])
    return f"THE LOG DOES NOT FIT, first at position {verdict.faults[0].position}. Read {read}.\n{first}"
