"""A simulated floor: plausible players at real tables, through the same commands as a terminal.

A table is played by a generator that yields the seconds which pass before its next step. A batch run ignores
them, a live floor waits. All chance comes from one seeded source a table, so a seed plays the same rounds.
"""

import random
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from uuid import uuid4

from casino.approval import Approval
from casino.commands import checks, rounds, seats, tables
from casino.commands.order import Order
from casino.eventstore import store
from casino.games import game as load_game
from casino.games.game import CardEntry, Felt, Game, Placed, Setup
from casino.keys import RoundId, round_of
from casino.refusal import Refused
from casino.round.betting import Asked
from casino.round.state import PROGRESSIVE
from ledger.errands import Errands, counted
from ledger.guests import guests_of
from ledger.queries.days import rows_of
from ledger.staff import counters_of

DEALER, MANAGER = "simulated floor", "Simulated pit manager"
SECOND = Approval(DEALER, MANAGER)
"""Who asks for the simulated floor's voids, and who approves them."""
OPENERS_CENTS = (1_150_000, 1_300_000, 1_600_000, 2_000_000, 2_500_000, 3_400_000)
"""What lies in a tray before its first night: some soon need a fill, one has too much."""
NOT_FOUND = "Counted again by both, with the same result; the lid was sealed."
"""What the simulated floor says of an opener that differs."""
CHECK_ONE_IN, CHECK_CENTS = 6, 50_000
"""How seldom a rated patron signs a counter check where another one pays cash, and over how much."""
BUY_INS_CENTS = (10_000, 20_000, 20_000, 30_000, 50_000, 100_000)
Clock = Callable[[], datetime]


@dataclass
class Tally:
    """What a simulation did, in cents and counts."""

    rounds: int = 0
    voided: int = 0
    wagers: int = 0
    stakes_cents: int = 0
    bought_in_cents: int = 0
    hits: int = 0

    def add(self, other: "Tally") -> None:
        """Add another table's tally."""
        for name in vars(self):
            setattr(self, name, getattr(self, name) + getattr(other, name))


@dataclass
class Player:
    """Somebody at a seat: a style, chips in front, whether the progressive is part of it, and a rated patron's id."""

    style: str
    chips_cents: int
    plays_progressive: bool
    guest: int | None = None
    rounds: int = 0
    staked_cents: int = 0
    owed_cents: int = 0
    """On counter checks."""


@dataclass
class SimulatedTable:
    """A table and its players. `clock` says when a step happens; `run` makes the keys of this run its own.

    Who is rated, and what people do around the table, has sources of chance of its own: they change nothing of what
    is played.
    """

    code: str
    chance: random.Random
    clock: Clock
    guest_chance: random.Random = field(default_factory=random.Random)
    guests: list[int] = field(default_factory=list)
    errands: Errands = field(default_factory=lambda: Errands("", random.Random()))
    run: str = field(default_factory=lambda: uuid4().hex[:12])
    players: dict[int, Player] = field(default_factory=dict)
    tally: Tally = field(default_factory=Tally)
    steps: int = 0

    def order(self, by: str = DEALER) -> Order:
        """The next command's order."""
        self.steps += 1
        return Order(by, f"simulate:{self.run}:{self.code}:{self.steps}", self.clock(), source="simulation")

    # --------------------------------------------------------------------------------------------- the table

    @property
    def _counters(self) -> tuple[str, str]:
        return counters_of(self.errands.dealers)

    def open(self, off_cents: int = 0) -> None:
        """Open a closed table with its last closer, or so much beside it, which is an error to be notified.

        The demo's manager acknowledges what the paytable gives.
        """
        latest = tables.load_table(self.code).session
        carried = latest.closer.total_cents if latest and latest.closer else self.errands.chance.choice(OPENERS_CENTS)
        opener, why = carried + off_cents, NOT_FOUND if off_cents else ""
        try:
            tables.open_table(self.order(), self.code, counted(opener, self._counters), MANAGER, why)
        except Refused as refusal:
            if refusal.code != "table_open":
                raise

    def close(self, closer_cents: int) -> None:
        """Close the table with a counted closer."""
        tables.close_table(self.order(), self.code, counted(max(0, closer_cents), self._counters))
        self.players.clear()

    def roll(self, counted_cents: int) -> None:
        """Count the tray once, for the session that ends and the one that begins; the players play on."""
        tables.roll_table(self.order(), self.code, counted(max(0, counted_cents), self._counters))
        self.errands.tray_cents = max(0, counted_cents)

    def play(self) -> Iterator[float]:
        """Rounds without end; yields the seconds before each next step."""
        loaded = tables.load_table(self.code)
        assert loaded.table.set_up is not None
        set_up = loaded.table.set_up
        game = load_game(set_up.game)
        setup = Setup(set_up.paytable, set_up.layout, set_up.method, set_up.payout_rounding_cents)
        self._void_leftover()
        self._free_leftover()
        self.guests = guests_of(self.code, self.clock())
        self.errands.tray_cents = self._tray()
        while True:
            self.errands.step(self.order)
            self._come_and_go(game, set_up.seats)
            self._estimate()
            yield self.chance.uniform(2, 8)
            round_id = self._opened()
            yield from self._round(round_id, game, setup)

    def _void_leftover(self) -> None:
        """A round that an interrupted run left open is voided, as a floorperson would."""
        session = tables.load_table(self.code).session
        last = tables.latest_round(self.code, session.gaming_date) if session else None
        if last is not None and not last.is_over:
            rounds.void_round(self.order(), last.id, "Left open when the simulated floor was stopped", SECOND)
            self.tally.voided += 1

    def _tray(self) -> int:
        """What lies in the tray as play begins: the opener, or what an interrupted run has left by the books."""
        session = tables.load_table(self.code).session
        if session is None or session.opener is None:
            return 0
        return expected_tray(self.code, session.gaming_date) or session.opener.total_cents

    def _free_leftover(self) -> None:
        """Seats that an interrupted run left taken are free: its players are gone."""
        session = tables.load_table(self.code).session
        for seat in sorted(session.seats if session else ()):
            if seat not in self.players:
                seats.leave_seat(self.order(), self.code, seat)

    def _opened(self) -> RoundId:
        done = rounds.open_round(self.order(), self.code)
        return round_of(store.key_at(done.position))

    # --------------------------------------------------------------------------------------------- the players

    def _come_and_go(self, game: Game, seats_max: int) -> None:
        for seat, player in list(self.players.items()):
            broke = player.chips_cents < 2_000
            if self.chance.random() < (0.5 if broke else 0.02):
                del self.players[seat]
                self._redeem(seat, player)
                seats.leave_seat(self.order(), self.code, seat)
            elif broke:
                self._buy_in(seat, player)
        free = [seat for seat in range(1, seats_max + 1) if seat not in self.players]
        while free and (len(self.players) < 2 or self.chance.random() < 0.15):
            seat = free.pop(self.chance.randrange(len(free)))
            self.players[seat] = Player(self.chance.choice(game.styles), 0, self.chance.random() < 0.6, self._guest())
            seats.seat_patron(self.order(), self.code, seat, self.players[seat].guest)
            self._buy_in(seat, self.players[seat])

    def _guest(self) -> int | None:
        """A rated patron who is not at the table, or None: about every second player is not rated."""
        seated = {player.guest for player in self.players.values()}
        free = [guest for guest in self.guests if guest not in seated]
        return self.guest_chance.choice(free) if free and self.guest_chance.random() < 0.5 else None

    def _estimate(self) -> None:
        """Now and then the supervisor notes what a rated player bets, about right and in steps of 5.00."""
        for seat, player in sorted(self.players.items()):
            if player.guest and player.rounds >= 4 and self.guest_chance.random() < 0.04:
                seen = player.staked_cents * self.guest_chance.randint(75, 125) // (100 * player.rounds)
                seats.estimate_rating(self.order(), self.code, seat, max(500, seen // 500 * 500))

    def _buy_in(self, seat: int, player: Player) -> None:
        amount = self.chance.choice(BUY_INS_CENTS)
        if player.guest and amount >= CHECK_CENTS and self.guest_chance.randrange(CHECK_ONE_IN) == 0:
            checks.issue_check(self.order(), self.code, seat, amount)
            player.owed_cents += amount
        else:
            tables.buy_in(self.order(), self.code, amount, seat)
        self.errands.tray_cents -= amount
        player.chips_cents += amount
        self.tally.bought_in_cents += amount

    def _redeem(self, seat: int, player: Player) -> None:
        """Whoever leaves with chips takes back what they signed, as far as the chips go."""
        if chips := min(player.owed_cents, player.chips_cents):
            checks.redeem_check(self.order(), self.code, seat, chips_cents=chips)
            self.errands.tray_cents += chips

    # --------------------------------------------------------------------------------------------- the round

    def _round(self, round_id: RoundId, game: Game, setup: Setup) -> Iterator[float]:
        offered = PROGRESSIVE in tables.load_round(round_id).opened.side_bets
        placed = yield from self._bets(round_id, game, setup, offered)
        if game.streets and not placed:
            rounds.void_round(self.order(), round_id, "Nobody has a hand", SECOND)
            self.tally.voided += 1
            return
        rounds.close_bets(self.order(), round_id)
        yield 2.0
        progressive = sum(1 for one in placed if one.code == PROGRESSIVE)
        if progressive:
            rounds.collect_progressive(self.order(), round_id, progressive)
            yield 3.0
        if self.chance.random() < 0.004:
            rounds.declare_misdeal(self.order(), round_id, "Card exposed while dealing", SECOND)
            self.tally.voided += 1
            self._give_back(placed)
            return
        if game.streets:
            yield from self._hands(round_id, game, setup)
        else:
            yield from self._cards(round_id, game, setup)

    def _bets(
        self, round_id: RoundId, game: Game, setup: Setup, progressive: bool
    ) -> Generator[float, None, list[Placed]]:
        placed: list[Placed] = []
        for seat, player in sorted(self.players.items()):
            asked = self._asked(game, setup, seat, player, progressive)
            if not asked:
                continue
            rounds.place_wagers(self.order(), round_id, asked)
            for one in asked:
                code = game.wager(one.wager, setup).code
                placed.append(Placed(len(placed) + 1, one.seat, code, one.stake_cents))
                player.chips_cents -= one.stake_cents
                player.staked_cents += one.stake_cents
            player.rounds += 1
            self.tally.wagers += len(asked)
            yield self.chance.uniform(1, 4)
        if placed and self.chance.random() < 0.03:
            placed = self._withdraw(round_id, game, placed)
        self.tally.stakes_cents += sum(one.stake_cents for one in placed)
        return placed

    def _asked(self, game: Game, setup: Setup, seat: int, player: Player, progressive: bool) -> list[Asked]:
        bets = game.plausible_bets(self.chance, player.style, setup)
        asked, left = [], player.chips_cents
        if bets and progressive and player.plays_progressive:
            bets.append((PROGRESSIVE, 100))
        if game.streets and 3 * sum(stake_cents for _, stake_cents in bets) > left:
            return []  # who could not raise sits the round out
        for wager, stake_cents in bets:
            if stake_cents <= left:
                asked.append(Asked(seat, wager, stake_cents))
                left -= stake_cents
        return asked

    def _withdraw(self, round_id: RoundId, game: Game, placed: list[Placed]) -> list[Placed]:
        """One wager is taken back; a hand is taken back with all that belongs to it."""
        chosen = self.chance.choice(placed)
        gone = [one for one in placed if one is chosen or (game.streets and one.seat == chosen.seat)]
        for one in gone:
            rounds.withdraw_wager(self.order(), round_id, one.number)
        self._give_back(gone)
        return [one for one in placed if one not in gone]

    def _shuffled(self, game: Game) -> list[str]:
        deck = list(game.deck)
        self.chance.shuffle(deck)
        return deck

    def _cards(self, round_id: RoundId, game: Game, setup: Setup) -> Iterator[float]:
        """A game without decisions: all its cards, mostly in one piece as a shoe sends them."""
        deck, drawn = self._shuffled(game), None
        if setup.method == "drawn_position":
            drawn = self.chance.randint(1, 5)
            rounds.draw_position(self.order(), round_id, drawn)
        cards = _needed(game, setup, Felt(drawn=drawn), deck)
        if self.chance.random() < 0.1:
            for card in cards:
                rounds.record_cards(self.order(), round_id, [CardEntry(card)])
                yield 1.5
        else:
            rounds.record_cards(self.order(), round_id, [CardEntry(card) for card in cards])
        self.tally.rounds += 1
        self._pay(round_id)
        yield 10.0

    def _hands(self, round_id: RoundId, game: Game, setup: Setup) -> Iterator[float]:
        """A game with decisions: a card when the game wants one, a decision of whoever's turn it is."""
        deck = self._shuffled(game)
        while not (round_ := tables.load_round(round_id)).is_over:
            turn = game.turn(round_.felt, setup)
            if turn is None:
                rounds.record_cards(self.order(), round_id, [CardEntry(deck.pop())])
                yield 1.0
                continue
            made = game.plausible_decision(self.chance, round_.felt, setup, turn)
            rounds.decide(self.order(), round_id, [made])
            staked = made.stake_cents or 0
            self._chips(turn.seat, -staked)
            self.tally.wagers += 1 if staked else 0
            self.tally.stakes_cents += staked
            yield self.chance.uniform(1, 4)
        self.tally.rounds += 1
        self._pay(round_id)
        yield 10.0

    def _pay(self, round_id: RoundId) -> None:
        """What the players get, so that they leave or stay as people do; the books settle on their own."""
        round_ = tables.load_round(round_id)
        game, felt, setup = round_.game, round_.felt, round_.setup
        for phase in game.phases:
            for line in game.settle(phase, round_.of_phase(phase), felt, setup):
                self._chips(line.seat, line.returned_cents)
                self.errands.tray_cents += line.stake_cents - line.returned_cents
        self.errands.tray_cents += sum(one.stake_cents for one in round_.of_phase(PROGRESSIVE))
        seats = [one.seat for one in round_.of_phase(PROGRESSIVE)]
        self.tally.hits += len(game.side_bet_wins(PROGRESSIVE, seats, felt, setup)) if seats else 0

    def _give_back(self, placed: list[Placed]) -> None:
        for one in placed:
            self._chips(one.seat, one.stake_cents)

    def _chips(self, seat: int, cents: int) -> None:
        if seat in self.players:
            self.players[seat].chips_cents += cents


def _needed(game: Game, setup: Setup, felt: Felt, deck: list[str]) -> list[str]:
    """As many cards from the top as complete the hand."""
    for number, card in enumerate(deck, start=1):
        for fact in game.record_cards(felt, setup, [CardEntry(card)]):
            felt = felt.after(fact)
        if game.reading(felt, setup) is not None:
            return deck[:number]
    return deck


def simulated(code: str, seed: int, clock: Clock, dealers: Sequence[str] = ()) -> SimulatedTable:
    """A table with chance of its own, from the seed and its code; `dealers` (log-ins) relieve each other there."""
    errands = Errands(code, random.Random(f"{seed}:{code}:errands"), dealers)
    guest_chance = random.Random(f"{seed}:{code}:guests")
    return SimulatedTable(code, random.Random(f"{seed}:{code}"), clock, guest_chance, errands=errands)


def ticking(start: datetime, step_s: float = 45.0) -> Clock:
    """A clock that starts at `start` and goes on a little at every look, never into the future."""
    now = start - timedelta(seconds=1)

    def look() -> datetime:
        nonlocal now
        now += timedelta(seconds=step_s / 8)
        return now

    return look


def expected_tray(table: str, gaming_date: date) -> int:
    """What the events say is in the tray, in cents, as far as the books have read; 0 where they know no such day."""
    rows, _ = rows_of(gaming_date, [table])
    return rows[0].tray_cents if rows else 0
