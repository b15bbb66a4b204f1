"""`manage.py rebuild`: read models from the log, beside the live ones."""

import sys
from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from tqdm import tqdm

from casino.eventstore.follower import catch_up, followers, last_position
from casino.eventstore.rebuild import rebuild_all


class Command(BaseCommand):
    """With --check exit status 1 on any difference; without it, rebuilt rows replace live ones that differ."""

    help = "Rebuild every read model from the log; --check only compares at the live checkpoint."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--check", action="store_true", help="compare, change nothing, exit 1 on a difference")
        parser.add_argument("--follower", help="only this one")

    def handle(self, *args: Any, **options: Any) -> None:
        catch_up(timeout_s=60)
        chosen = [f for f in followers().values() if options["follower"] in (None, f.name)]
        total, quiet = last_position() * len(chosen), not sys.stderr.isatty()
        with tqdm(total=total, unit=" events", disable=quiet) as bar:
            found = rebuild_all(chosen, "owner", options["check"], bar.update)
        differing = 0
        for follower in chosen:
            differences = found[follower.name]
            differing += len(differences)
            for d in differences:
                self.stdout.write(
                    f"{d.table}: {d.only_live} rows only live, {d.only_rebuilt} only rebuilt; {d.example}"
                )
            outcome = "equal to the log" if not differences else "DIFFERS" if options["check"] else "mended"
            self.stdout.write(f"{follower.name}: {outcome} ({', '.join(follower.tables)}).")
        if differing and options["check"]:
            sys.exit(1)
