"""`manage.py set_up_table CODE`: a table and the token of its terminal, ready to be opened."""

import uuid
from datetime import UTC, datetime
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from casino.commands.order import Order
from casino.commands.tables import set_up_table
from casino.models import Device
from casino.refusal import Refused


class Command(BaseCommand):
    """Prints the token once; a second run sets the table up anew and renews the token."""

    help = "Set a table up and print a device token for it."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("table", help="its code, such as R-01")
        parser.add_argument("--game", default="54-card-roulette")
        parser.add_argument("--paytable")
        parser.add_argument("--method", help="how the Roulette Card is chosen")
        parser.add_argument("--seats", type=int)
        parser.add_argument("--off-limits", default="warn", help="warn about wagers off the limits, or refuse them")

    def handle(self, *args: Any, **options: Any) -> None:
        table = options["table"]
        order = Order(by="manage", key=f"set_up_table:{uuid.uuid4()}", at=datetime.now(UTC), source="console")
        try:
            set_up_table(
                order,
                table,
                game=options["game"],
                paytable=options["paytable"],
                method=options["method"],
                seats=options["seats"],
                off_limits=options["off_limits"],
            )
        except Refused as refusal:
            raise CommandError(str(refusal), returncode=2) from refusal
        _, token = Device.issue(f"{table} terminal", table)
        self.stdout.write(f"Table {table} is set up. Its terminal's token, shown once:\n{token}")
