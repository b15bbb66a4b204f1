"""`manage.py demo_property`: log-ins, tables and a played gaming day, for somebody who wants to look around."""

import logging
import random
from datetime import UTC, date, datetime, timedelta
from typing import Any
from uuid import uuid4
from zoneinfo import ZoneInfo

from django.conf import settings
from django.contrib.auth.models import Group, User
from django.core.management.base import BaseCommand, CommandError
from django.utils.crypto import salted_hmac

from casino import roles
from casino.commands.dealers import put_on
from casino.commands.order import Order
from casino.eventstore.follower import catch_up
from casino.models import Device, TableBoard
from casino.refusal import Refused
from casino.table import gaming_date_of
from ledger.commands import closing
from ledger.commands.filing import file_closed_days
from ledger.counted import count_boxes, put_chips_in_service
from ledger.errands import CREDIT_LINE_CENTS
from ledger.floor import GAME, LINKS, demo_codes, open_displays, prepare_floor, prepare_table
from ledger.management.commands.simulate import finish, play_batch
from ledger.management.jackpots import show_jackpots
from ledger.models import TablePeriod
from ledger.simulate import SimulatedTable, expected_tray, simulated, ticking
from ledger.staff import dealers_of, make_staff
from ledger.tasks import balance_at

logger = logging.getLogger(__name__)

SPARE_TABLE = "R-99"
SPARE_TABLES = (SPARE_TABLE, "H-99")
"""Set up and closed, and left alone by the simulated floor: tables to try the interface and the terminal on."""
DEALERS_TABLE, DEALER = "R-98", "dan"
"""Open, with the demo's dealer on duty: a dealer's log-in records nowhere else."""
ROUNDS_OF_THE_DAY = 600
LOG_INS = (
    ("ana", roles.FLOOR, "Ana Ortiz", "ana-at-the-pit"),
    ("eve", roles.FLOOR, "Eve Lindqvist", "eve-at-the-pit"),
    ("pia", roles.PIT_MANAGER, "Pia Keller", "pia-runs-the-pit"),
    ("dan", roles.DEALER, "Dan Weber", "dan-at-the-table"),
    ("cara", roles.CAGE, "Cara Nolan", "cara-in-the-cage"),
    ("cole", roles.CAGE, "Cole Brandt", "cole-in-the-cage"),
    ("sam", roles.SECURITY, "Sam Okafor", "sam-carries-chips"),
    ("tess", roles.COUNT_TEAM, "Tess Moss", "tess-in-the-count"),
    ("tom", roles.COUNT_TEAM, "Tom Reyes", "tom-in-the-count"),
    ("tia", roles.COUNT_TEAM, "Tia Marsh", "tia-in-the-count"),
    ("ben", roles.ACCOUNTING, "Ben Adler", "ben-in-accounting"),
    ("max", roles.PROGRESSIVE_ADMIN, "Max Duval", "max-at-the-meters"),
    ("mia", roles.PROGRESSIVE_ADMIN, "Mia Sorel", "mia-at-the-meters"),
    ("sue", roles.SURVEILLANCE, "Sue Laurent", "sue-at-the-screens"),
    ("otto", roles.AUDITOR, "Otto Weiss", "otto-reads-it-all"),
    ("ada", roles.ADMIN, "Ada Brook", "ada-keeps-log-ins"),
)
"""Name, role, full name, password. Two of a role where one asks and another approves."""


class Command(BaseCommand):
    """Does what is missing and leaves the rest; refused in production, where the demo's log-ins must not exist."""

    help = "Make the demo property: log-ins, tables, and the gaming day before today played, counted, closed and filed."

    def handle(self, *args: Any, **options: Any) -> None:
        if settings.IS_PRODUCTION:
            raise CommandError("The demo's log-ins are known to everybody; they are never made in production.")
        make_log_ins()
        today = gaming_date_of(datetime.now(UTC), ZoneInfo(settings.TIME_ZONE), settings.CASINO_ROLLOVER_HOUR)
        if not TableBoard.objects.exists() and not TablePeriod.objects.exists():
            play_day(today - timedelta(days=1))
        prepare_floor(demo_codes(), datetime.now(UTC))
        open_displays(datetime.now(UTC))
        for spare in SPARE_TABLES:
            prepare_table(spare, datetime.now(UTC))
        put_dealer_on(datetime.now(UTC))
        put_jackpots_up()
        for line in log_ins():
            self.stdout.write(line)


def make_log_ins() -> None:
    """One or two people for each role of the house."""
    for name, role, full_name, password in LOG_INS:
        group = Group.objects.get(name=role)  # prepare_database has made it
        first, last = full_name.split()
        user, made = User.objects.get_or_create(username=name, defaults={"first_name": first, "last_name": last})
        if made:
            user.set_password(password)
            user.save()
        user.groups.add(group)
    make_staff()


def put_dealer_on(at: datetime) -> None:
    """Open the dealer's table if it is closed and put the dealer on, unless the floor has seen to either otherwise."""
    prepare_table(DEALERS_TABLE, at)
    simulated(DEALERS_TABLE, 54, lambda: at).open()
    try:
        put_on(Order("ana", f"demo:duty:{uuid4().hex}", at, source="simulation"), DEALERS_TABLE, DEALER)
    except Refused as refusal:
        if refusal.code not in ("dealer_on_duty", "dealer_elsewhere"):
            raise


def put_jackpots_up() -> None:
    """Hits and a reading at the dealer's table; where people have changed what they need, it is left to them."""
    try:
        show_jackpots(LINKS[GAME][0], DEALERS_TABLE)
    except Refused as refusal:
        logger.warning("The demo's jackpots are not shown: %s", refusal)


def play_day(day: date) -> None:
    """A gaming day from noon: played, closed, counted, with one box and one tray a little off."""
    zone = ZoneInfo(settings.TIME_ZONE)
    noon = datetime(day.year, day.month, day.day, 12, tzinfo=zone).astimezone(UTC)
    prepare_floor(demo_codes(), noon)
    put_chips_in_service(noon)
    floor = [simulated(code, 54, ticking(noon), dealers_of(n)) for n, code in enumerate(demo_codes())]
    for table in floor:
        table.open()
    play_batch(floor, ROUNDS_OF_THE_DAY)
    finish()
    close_day(floor, day)
    finish()
    close_and_file(day)


MADE_UP = "R-08"
"""Closes with far more in its tray than it needs, so that the live floor begins with a credit."""


def close_day(floor: list[SimulatedTable], day: date) -> None:
    """Closers and counts as the events expect them, but for one tray and one box."""
    for table in floor:
        table.errands.finish(table.order)
        if table.code == MADE_UP:
            table.errands.make_up(table.order, 2 * CREDIT_LINE_CENTS)
    catch_up(timeout_s=60)
    chance = random.Random(54)
    off_tray, off_box = chance.sample([table.code for table in floor], 2)
    for table in floor:
        table.close(expected_tray(table.code, day) - (2_500 if table.code == off_tray else 0))
    count_boxes(day, {off_box: 10_000})


def close_and_file(day: date) -> None:
    """Accounting closes the day and it is filed; one on which something is open waits for whoever looks at it."""
    now = datetime.now(UTC)
    try:
        closing.close_day(Order("ben", f"demo:close:{day}", now, source="simulation"), day)
    except Refused as refusal:
        if refusal.code != "day_not_ready":
            raise
        return
    catch_up(timeout_s=60)
    file_closed_days(now, balance_at)
    catch_up(timeout_s=60)


def log_ins() -> list[str]:
    """What a visitor needs to know; the device's secret is derived, so that every run prints the same."""
    secret = salted_hmac("casino.demo.device", SPARE_TABLE).hexdigest()[:40]
    _, token = Device.issue(f"{SPARE_TABLE} terminal", SPARE_TABLE, secret)
    return [
        "Log in as (name, password, role):",
        *(
            f"  {name:5} {password:18} {roles.in_words([role])}: {roles.ROLES[role]}"
            for name, role, _, password in LOG_INS
        ),
        f"{DEALER} deals at {DEALERS_TABLE}.",
        f"Table {SPARE_TABLE} is yours to try over HTTP with the device token {token}",
    ]
