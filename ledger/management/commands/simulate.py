"""`manage.py simulate`: plausible players at real tables, through the same commands as a terminal."""

import heapq
import random
import sys
import time
from datetime import UTC, datetime
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import DatabaseError, InterfaceError, connection
from tqdm import tqdm

from casino.commands.hint import hint_settlement
from casino.commands.settlement import settle_due
from casino.commands.tables import gaming_date, load_table
from casino.eventstore.follower import catch_up
from casino.money import written
from casino.refusal import Refused
from casino.transfers import open_transfers
from jackpot.commands.hits import append_due_hits
from ledger.floor import codes, demo_codes, prepare_floor
from ledger.simulate import SimulatedTable, Tally, expected_tray, simulated
from ledger.staff import dealers_of

TABLES_MAX, ROUNDS_MAX = 500, 10_000_000
OFF_CENTS = -2_500
"""By which one opener of a live floor differs from the closer that was carried."""


def now() -> datetime:
    """The clock of a simulation that plays now."""
    return datetime.now(UTC)


class Command(BaseCommand):
    """A batch plays M rounds as fast as it can; --live plays on in real time until stopped."""

    help = "Play M rounds in all at N tables, seeded; or a live floor in real time with --live."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--tables", type=int, default=12, help="how many tables a batch plays at (default 12)")
        parser.add_argument("--rounds", type=int, default=500, help="rounds in all, over the tables (default 500)")
        parser.add_argument("--seed", type=int, help="the same seed plays the same rounds (default 54, live: the time)")
        parser.add_argument("--live", action="store_true", help="play in real time until stopped")
        parser.add_argument("--speed", type=float, default=1.0, help="how many times faster than life --live plays")

    def handle(self, *args: Any, **options: Any) -> None:
        if not 1 <= options["tables"] <= TABLES_MAX:
            raise CommandError(f"--tables takes a whole number from 1 to {TABLES_MAX}.", returncode=2)
        if not 1 <= options["rounds"] <= ROUNDS_MAX:
            raise CommandError(f"--rounds takes a whole number from 1 to {ROUNDS_MAX}.", returncode=2)
        if not 0 < options["speed"] <= 1000:
            raise CommandError("--speed takes a number above 0, 1000 at most.", returncode=2)
        wanted = demo_codes() if options["live"] else codes(options["tables"], "S")
        prepare_floor(wanted, now())
        seed = options["seed"] if options["seed"] is not None else int(time.time()) if options["live"] else 54
        floor = [simulated(code, seed, now, dealers_of(n)) for n, code in enumerate(wanted)]
        wrong = random.Random(seed).choice(floor) if options["live"] else None
        for table in floor:
            table.open(off_cents=OFF_CENTS if table is wrong else 0)
        if options["live"]:
            live(floor, options["speed"])
        else:
            self._batch(floor, options["rounds"])

    def _batch(self, floor: list[SimulatedTable], wanted: int) -> None:
        started = time.monotonic()
        with tqdm(total=wanted, unit=" rounds", file=sys.stderr, disable=None) as bar:
            play_batch(floor, wanted, bar.update)
        finish()
        seconds = time.monotonic() - started
        tally = Tally()
        for table in floor:
            tally.add(table.tally)
        self.stdout.write(summary(tally, len(floor), seconds))


def play_batch(floor: list[SimulatedTable], wanted: int, progress: Any = lambda n: None) -> None:
    """Play `wanted` finished rounds in turn at the tables; what comes due is settled on the way."""
    plays = [(table, table.play()) for table in floor]
    done = 0
    while done < wanted:
        for table, play in plays:
            before = table.tally.rounds
            while table.tally.rounds == before:
                next(play)
            done += 1
            progress(1)
            if done % 25 == 0:
                settle_due()
            if done >= wanted:
                return


def finish() -> None:
    """Settle and fold all that the simulation left, whether or not workers and followers run beside it."""
    settle_due()
    catch_up(timeout_s=120)
    append_due_hits()
    catch_up(timeout_s=60)


def summary(tally: Tally, tables: int, seconds: float) -> str:
    """What was played, for the end of a batch."""
    per_second = tally.rounds / seconds if seconds else 0
    return "\n".join([
        f"{tally.rounds:,} rounds at {tables} tables in {seconds:,.1f} s ({per_second:,.0f} rounds/s), "
        f"{tally.voided} voided, {tally.hits} progressive hits.",
        f"{tally.wagers:,} wagers, {written(tally.stakes_cents)} staked, {written(tally.bought_in_cents)} bought in.",
    ])  # fmt: skip


def live(floor: list[SimulatedTable], speed: float) -> None:
    """Play on in real time: one heap of (when, table), each step at its time; a table rolls with the gaming day."""
    chance = random.Random()
    heap = [(time.monotonic() + chance.uniform(0, 40) / speed, n) for n in range(len(floor))]
    heapq.heapify(heap)
    plays = {n: table.play() for n, table in enumerate(floor)}
    while True:
        when, n = heapq.heappop(heap)
        time.sleep(max(0.0, when - time.monotonic()))
        pause = live_step(floor[n], plays, n)
        heapq.heappush(heap, (time.monotonic() + pause / speed, n))


def live_step(table: SimulatedTable, plays: dict[int, Any], n: int) -> float:
    """One step at one table; after a fault the table begins anew, as a terminal would after a restart."""
    before = table.tally.rounds + table.tally.voided
    try:
        pause: float = next(plays[n])
    except Refused as refusal:
        sys.stderr.write(f"{table.code}: {refusal}\n")
        plays[n] = table.play()
        return 5.0
    except (DatabaseError, InterfaceError) as error:
        sys.stderr.write(f"{table.code}: the database did not answer ({error})\n")
        connection.close()
        plays[n] = table.play()
        return 5.0
    if table.tally.rounds + table.tally.voided > before:
        hint_settlement()
        roll(table)
    return pause


def roll(table: SimulatedTable) -> None:
    """Roll once the gaming day is over and no slip is open; the tray is counted as the events expect it."""
    session = load_table(table.code).session
    if session is None or not session.is_open or open_transfers(session):
        return
    if session.gaming_date < gaming_date(table.order()):
        table.roll(expected_tray(table.code, session.gaming_date))
