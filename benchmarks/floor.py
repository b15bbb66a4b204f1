"""What is recorded in the benchmarks: plausible rounds of 54 Card Roulette, decided by the product's own rules.

A round here has 40 events: opened, 27 wagers of seven seats (four of them on the progressive), bets closed, the
progressive collected, five cards dealt and four of them turned later, the hand completed.
"""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import NamedTuple

from casino.commands import rounds, tables
from casino.commands.order import Order, property_code
from casino.commands.settlement import settle_due
from casino.commands.tables import Loaded, load_table
from casino.eventstore import store
from casino.eventstore.follower import catch_up
from casino.eventstore.registry import Event
from casino.eventstore.store import Addition, Command, Origin
from casino.games import game as load_game
from casino.games.game import Setup
from casino.keys import RoundId, round_key
from casino.round import dealing
from casino.round.betting import Asked
from casino.round.state import PROGRESSIVE
from casino.table import Count
from ledger.floor import GAME, prepare_floor

EVENTS, WAGERS, PROGRESSIVES, SEATS = 40, 27, 4, 7
DULL, WINNING = "As Kd 9c 4h 2s", "As Ks Qs Js Ts"


Decided = Sequence[Event]


class Prepared(NamedTuple):
    """The arguments of one append."""

    origin: Origin
    additions: list[Addition]
    guards: list[tuple[str, int]]


def open_floor(codes: list[str]) -> None:
    """Tables on one link, open."""
    now = datetime.now(UTC)
    prepare_floor(codes, now)
    for code in codes:
        tables.open_table(
            Order("bench", f"open:{code}", now),
            code,
            Count(5_000_000, counted_by=("A. Bencher", "B. Bencher")),
            acknowledged_by="A. Bencher",
        )


@dataclass
class Dealer:
    """Deals rounds at one open table without asking the log for the latest: nobody else deals there."""

    code: str
    chance: random.Random
    played: int = 0

    def __post_init__(self) -> None:
        self.loaded: Loaded = load_table(self.code)
        assert self.loaded.session is not None
        self.day = self.loaded.session.gaming_date

    def asked(self) -> list[Asked]:
        """Wagers of a full table."""
        game, set_up = load_game(GAME), self.loaded.table.set_up
        assert set_up is not None
        setup = Setup(set_up.paytable, set_up.layout, set_up.method)
        asked = [Asked(seat, PROGRESSIVE, 100) for seat in range(1, PROGRESSIVES + 1)]
        while len(asked) < WAGERS:
            seat, style = self.chance.randint(1, SEATS), self.chance.choice(game.styles)
            asked += [Asked(seat, wager, stake) for wager, stake in game.plausible_bets(self.chance, style, setup)]
        return asked[:WAGERS]

    def cards(self) -> list[str]:
        """Five cards of a shuffled deck."""
        return self.chance.sample(list(load_game(GAME).deck), 5)

    def decided(self, cards: list[str] | None = None) -> Decided:
        """The events of a finished round."""
        session = self.loaded.session
        assert session is not None
        opened = dealing.open_round(self.loaded.table, session, self.loaded.session_key, None)
        round_id = RoundId(self.code, self.day, 1)
        return rounds.finished_round(round_id, opened, self.asked(), cards or self.cards(), None, None)

    def prepared(self, events: Decided) -> Prepared:
        """What the terminal's command gives to the log: a new stream, its command, the guard on its session, due."""
        self.played += 1
        round_id = RoundId(self.code, self.day, self.played)
        addition = Addition(
            key=round_key(property_code(), round_id),
            expected=0,
            gaming_date=self.day,
            events=events,
            occurred_at=datetime.now(UTC),
            table=self.code,
            round_no=self.played,
            due=rounds.SETTLE,
        )
        names = ("cards", "drawn_position", "progressive_count", "table", "wagers")
        content = store.fingerprint("record_finished_round", dict.fromkeys(names, self.played))
        origin = Origin("bench", "terminal", commands=[Command("bench", f"bench:{round_id}", content)])
        return Prepared(origin, [addition], [(self.loaded.session_key, self.loaded.session_version)])

    def append(self, events: Decided) -> store.Appended:
        """Append a decided round."""
        return store.append(*self.prepared(events))


def fill(tables_: list[str], wanted: int, seed: int) -> int:
    """Open tables and play `wanted` rounds at them in turn, settled and folded; answers how many events there are."""
    open_floor(tables_)
    dealers = [Dealer(code, random.Random(f"{seed}:{code}")) for code in tables_]
    decided = {dealer.code: [dealer.decided() for _ in range(40)] for dealer in dealers}
    for n in range(wanted):
        dealer = dealers[n % len(dealers)]
        dealer.append(decided[dealer.code][dealer.chance.randrange(40)])
        if n % 20 == 19:
            settle_due()
    settle_due()
    return catch_up(timeout_s=60)


def codes(count: int) -> list[str]:
    """B-01, B-02, …"""
    return [f"B-{n:02d}" for n in range(1, count + 1)]


def endless(decided: Sequence[Decided]) -> Iterator[Decided]:
    """The same rounds again and again."""
    while True:
        yield from decided
