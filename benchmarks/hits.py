"""Appends while a link's fold runs and a hit falls every 50 ms, beside appends alone; every amount computed again."""

import multiprocessing
import random
import time
from fractions import Fraction
from typing import Any

import msgspec
import psycopg
from django.db import connections

from benchmarks import floor
from benchmarks.checks import deadlocks, whole_log
from benchmarks.floor import EVENTS, Dealer
from benchmarks.runner import Row, compare, interleave
from benchmarks.world import Place, product_database
from casino.eventstore.follower import step
from casino.eventstore.horizon import Keeper
from jackpot.commands.hits import append_due_hits
from jackpot.projections import METERS

SLICE_S, TURNS, HIT_EVERY_S, DISTINCT = 0.7, 15, 0.05, 100


def run(place: Place) -> list[Row]:
    """One row. Hits are royal flushes of four seats at another table of the same link."""
    with product_database(place) as ours:
        floor.open_floor(floor.codes(2))
        dealer = Dealer(floor.codes(2)[0], random.Random(3))
        decided = [dealer.decided() for _ in range(DISTINCT)]
        with _Folding(ours) as folding:
            ready = floor.endless(decided)

            def alone() -> float:
                return _appended(dealer, ready)

            def beside() -> float:
                folding.go()
                try:
                    return _appended(dealer, ready)
                finally:
                    folding.rest()

            rates = interleave({"beside": beside, "alone": alone}, TURNS)
        with ours.admin() as reader:
            hits, wrong = recomputed(reader)
            wrong += whole_log(reader)
        row = compare(
            f"append of 40-event rounds while hits are folded, one every {HIT_EVERY_S * 1000:g} ms",
            "the same appends alone",
            "events/s",
            rates,
            "beside",
            "alone",
            at_least=0.9,
            wrong=wrong,
            deadlocked=deadlocks(ours),
            notes={"hits": hits},
        )
    return [row]


def _appended(dealer: Dealer, ready: Any) -> float:
    start, n = time.perf_counter(), 0
    while time.perf_counter() < start + SLICE_S:
        dealer.append(next(ready))
        n += 1
    return n * EVENTS / (time.perf_counter() - start)


class _Folding:
    """A process that records a winning round every 50 ms and runs the link's fold after it, while it is told to."""

    def __init__(self, place: Place) -> None:
        context = multiprocessing.get_context("fork")
        self.wanted, self.resting, self.over = context.Event(), context.Event(), context.Event()
        connections.close_all()  # the child must not end our sessions with its own
        self.child = context.Process(target=self._live, args=(place,))

    def __enter__(self) -> "_Folding":
        self.child.start()
        self.rest()
        return self

    def __exit__(self, *_: object) -> None:
        self.over.set()
        self.wanted.set()
        self.child.join(30)
        if self.child.exitcode:
            raise RuntimeError(f"The fold ended with status {self.child.exitcode}.")

    def go(self) -> None:
        self.resting.clear()
        self.wanted.set()

    def rest(self) -> None:
        self.wanted.clear()
        if not self.resting.wait(30):
            raise RuntimeError("The fold does not come to rest.")

    def _live(self, place: Place) -> None:
        dealer = Dealer(floor.codes(2)[1], random.Random(4))
        winning = dealer.decided(floor.WINNING.split())
        with place.as_app() as own:
            keeper = Keeper(own)
            while True:
                self.resting.set()
                self.wanted.wait()
                if self.over.is_set():
                    break
                start = time.monotonic()
                dealer.append(winning)
                _fold(keeper)
                time.sleep(max(0.0, start + HIT_EVERY_S - time.monotonic()))
            time.sleep(0.05)
            while keeper.poll() < keeper.last_position() or _fold(keeper):
                time.sleep(0.002)


def _fold(keeper: Keeper) -> int:
    """What the follower and the Celery task of the link do: move the mark, fold up to it, put hits on record."""
    mark = keeper.poll()
    while step(METERS, upto=mark):
        pass
    return append_due_hits()


def recomputed(reader: psycopg.Connection[Any]) -> tuple[int, int]:
    """Hits on record, and how many of them differ from a meter kept here in fractions, event by event.

    It shares nothing with the product's fold but the rules (books, section 5): stakes raise the meter by their
    increment and what a full reserve doesn't take; a win takes its fraction, cut to the cent, in equal shares; odd
    cents stay; a whole win puts one reset back, from the reserve first.
    """
    query = "SELECT position, type, payload FROM log.event ORDER BY position"
    main = reserve = reset = Fraction(0)
    due: list[tuple[int, int, tuple[int, ...]]] = []
    hits = wrong = 0
    for position, kind, text in reader.execute(query):
        if kind not in ("link_set_up", "progressive_collected", "hand_completed", "jackpot_hit"):
            continue
        content = msgspec.json.decode(text)
        if kind == "link_set_up":
            main, reset = Fraction(content["base_cents"]), Fraction(content["reset_cents"])
        elif kind == "progressive_collected":
            stakes = Fraction(content["stake_cents"] * len(content["seats"]), 10_000)
            kept = min(stakes * content["hidden_bp"], max(Fraction(0), reset - reserve))
            reserve += kept
            main += stakes * (content["increment_bp"] + content["hidden_bp"]) - kept
        elif kind == "hand_completed":
            for won in sorted(content["wins"], key=lambda one: -Fraction(one["fraction"])):
                part = Fraction(won["fraction"])
                amount, players = int(main * part), len(won["seats"])
                due.append((position, amount, (amount // players,) * players))
                main -= amount // players * players
                if part == 1:
                    main, reserve = main + reset, reserve - min(reserve, reset)
        else:
            hits += 1
            said = (content["at_position"], content["amount_cents"], tuple(content["shares_cents"]))
            wrong += not due or due.pop(0) != said
    return hits, wrong + len(due)
