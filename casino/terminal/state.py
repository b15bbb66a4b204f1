"""What the terminal shows of a table: the step it is at, and everything that the step needs. Read from the streams."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from django.db.models import QuerySet

from casino import events as e
from casino.commands.order import property_code
from casino.commands.tables import Loaded, load_round_at, load_table
from casino.eventstore import store
from casino.games.cards import DECK_54, JOKERS, RANKS, SUITS
from casino.games.felt import GRID, ROW, SEAT, Place, marks_of, places_of, raise_name, typed_bets_of
from casino.games.game import RAISE, Dealt, Placed, Turn
from casino.keys import RoundId, round_of, round_prefix
from casino.models import Patron
from casino.money import written
from casino.refusal import Refused
from casino.round import voiding
from casino.round.awaited import Awaited, cards_awaited, positions_to_draw, turns_ahead
from casino.round.state import PROGRESSIVE, Round, Standing
from casino.terminal.payment import PaidPhase, PaidSeat, ProgressiveSeat, by_seat, payment_of, progressive_of
from casino.terminal.players import Seated, known_patrons, seated
from casino.terminal.reading import choices_of, times_of

CHIPS_CENTS = (100, 500, 2_500, 10_000, 50_000, 100_000)
CHIP_KEYS = "qwerty"
RECALLED = 3
CLOSED, READY, BETS, COUNT, DRAW, CARDS, DECIDE, STUCK, PAY = (
    "closed", "ready", "bets", "count", "draw", "cards", "decide", "stuck", "pay",
)  # fmt: skip


class Lying(NamedTuple):
    """A card on the felt, where it lies in words, and what it is besides ("Roulette Card", say)."""

    spot: Dealt
    name: str
    mark: str


class Option(NamedTuple):
    """Something that the seat whose turn it is may do; `move` is how it is typed, `words` what it is called."""

    action: str
    move: str
    words: str
    stake_cents: int


class Hand(NamedTuple):
    """A seat at its cards: who sits and what lies there, what it has staked, decided and holds."""

    seat: int
    who: str
    spots: list[Dealt]
    stakes: list[Placed]
    decided: list[str]
    reads: str
    is_next: bool


@dataclass(frozen=True)
class Terminal:
    """A table, and one of its rounds: the one under way, or an earlier one recalled.

    `position` is the round's last position in the log: a press says what it was decided on.
    """

    loaded: Loaded
    round: Round | None
    position: int = 0
    latest_n: int = 0
    recalled: bool = False

    @property
    def code(self) -> str:
        return self.loaded.table.code

    @property
    def set_up(self) -> e.TableSetUp:
        assert self.loaded.table.set_up is not None
        return self.loaded.table.set_up

    @property
    def is_open(self) -> bool:
        return self.loaded.session is not None and self.loaded.session.is_open

    @cached_property
    def step(self) -> str:
        """What comes next on the felt."""
        if not self.is_open and not self.recalled:
            return CLOSED
        if self.round is None:
            return READY
        if self.round.is_over:
            return PAY
        if not self.round.bets_closed:
            return BETS
        if self.round.of_phase(PROGRESSIVE) and not self.round.collected:
            return COUNT
        if self.turn:
            return DECIDE
        if self.to_draw and not any(one.is_dealt for one in self.awaited):
            return DRAW
        return CARDS if self.awaited else STUCK

    @property
    def stamp(self) -> str:
        """What changes with everything that this page shows, so that a page with the same stamp is up to date."""
        return f"{self.position}-{self.loaded.session_version}-{self.loaded.version}"

    @property
    def next_n(self) -> int:
        return self.round.id.n + 1 if self.round else 1

    @property
    def earlier(self) -> list[RoundId]:
        """The last three rounds, latest first, besides the one that the table is at."""
        last = self.latest_n if self.recalled else self.latest_n - 1
        session = self.loaded.session
        if session is None:
            return []
        return [RoundId(self.code, session.gaming_date, n) for n in range(last, max(last - RECALLED, 0), -1)]

    # --------------------------------------------------------------------------------------------- the felt

    @cached_property
    def places(self) -> list[Place]:
        assert self.round is not None
        offered = {*self.round.opened.side_bets, *self.round.closed_bets}
        found = places_of(self.round.game, self.round.setup)
        return [p for p in found if p.wager not in self.round.game.side_bets or p.wager in offered]

    @property
    def grid(self) -> list[Place]:
        return [place for place in self.places if place.area == GRID]

    @property
    def boxes(self) -> list[Place]:
        return [place for place in self.places if place.area == ROW]

    @property
    def circles(self) -> list[Place]:
        return [place for place in self.places if place.area == SEAT]

    @property
    def typed_hint(self) -> str:
        """How wagers are typed, with the game's own example."""
        assert self.round is not None
        order = "seat, amount" if self.circles else "seat, wager, amount"
        example = typed_bets_of(self.round.game)
        return f"{order}: {example}" if example else order

    @property
    def closed_bets(self) -> Mapping[str, str]:
        """Side bets that are not taken now, with the reason."""
        assert self.round is not None
        return self.round.closed_bets

    @property
    def price_cents(self) -> int | None:
        """What the progressive costs, where it is offered."""
        assert self.round is not None
        terms = self.round.opened.side_bets.get(PROGRESSIVE)
        return terms.stake_cents if terms else None

    @property
    def seats(self) -> range:
        return range(1, (self.round.opened.seats if self.round else self.set_up.seats) + 1)

    @cached_property
    def seated(self) -> list[Seated]:
        """Every seat, and who sits there now."""
        return seated(self.loaded.session, len(self.seats))

    @property
    def known_patrons(self) -> QuerySet[Patron]:
        return known_patrons()

    @property
    def chips(self) -> list[tuple[int, str]]:
        return list(zip(CHIPS_CENTS, CHIP_KEYS, strict=True))

    @property
    def standing(self) -> list[Standing]:
        return list(self.round.wagers.values()) if self.round else []

    @cached_property
    def late_bets(self) -> list[list[Placed]]:
        """What may go back alone now, as what goes back together; nothing on a round that is recalled."""
        if self.round is None or self.recalled:
            return []
        return [[self.round.wagers[n].placed for n in numbers] for numbers in voiding.late_bets(self.round)]

    # --------------------------------------------------------------------------------------------- the cards

    @cached_property
    def awaited(self) -> list[Awaited]:
        return cards_awaited(self.round) if self.round else []

    @cached_property
    def to_draw(self) -> list[int]:
        return positions_to_draw(self.round) if self.round else []

    @property
    def all_unseen(self) -> bool:
        """Whether every card that comes next may be dealt without anybody seeing it."""
        return bool(self.awaited) and all(one.may_be_unseen for one in self.awaited)

    @property
    def some_unseen(self) -> bool:
        """Whether a card that comes next may be dealt without anybody seeing it."""
        return any(one.may_be_unseen for one in self.awaited)

    @property
    def picker(self) -> list[list[str]]:
        """The deck as a dealer looks for a card: a row a suit, from the ace down; jokers by themselves."""
        assert self.round is not None
        deck = set(self.round.game.deck)
        rows = [[rank + suit for rank in RANKS if rank + suit in deck] for suit in SUITS]
        return [*rows, [card for card in JOKERS if card in deck]]

    @property
    def used(self) -> list[str]:
        """Cards on the felt by name, of which a deck has no second."""
        return [spot.card for spot in self.round.felt.spots.values() if spot.card in DECK_54] if self.round else []

    @property
    def named_again(self) -> set[str | None]:
        """Cards that are known where they lie face down, and turned now by their names."""
        return {one.card for one in self.awaited}

    @cached_property
    def spots(self) -> list[Lying]:
        """The cards on the felt, by position."""
        if self.round is None:
            return []
        game, felt = self.round.game, self.round.felt
        marks = marks_of(game, felt, self.round.setup)
        return [Lying(spot, game.spot_name(n), marks.get(n, "")) for n, spot in sorted(felt.spots.items())]

    @property
    def places_of_cards(self) -> list[tuple[int, str]]:
        """Where a card lies or comes to lie, for the evidence of a misdeal: the position and its name."""
        coming = {one.position: one.name for one in self.awaited}
        return sorted({**coming, **{one.spot.position: one.name for one in self.spots}}.items())

    # --------------------------------------------------------------------------------------------- decisions

    @cached_property
    def turn(self) -> Turn | None:
        if self.round is None or self.round.is_over or not self.round.bets_closed:
            return None
        return self.round.game.turn(self.round.felt, self.round.setup)

    @property
    def options(self) -> list[Option]:
        """What the seat whose turn it is may do."""
        assert self.turn is not None
        return self._options(self.turn)

    def _options(self, turn: Turn) -> list[Option]:
        assert self.round is not None
        return [self._option(turn, *choice) for choice in choices_of(self.round, turn)]

    def _option(self, turn: Turn, move: str, action: str, stake_cents: int) -> Option:
        assert self.round is not None
        if action != RAISE:
            return Option(action, move, action, 0)
        times = times_of(self.round, turn, stake_cents)
        name = raise_name(self.round.game)
        return Option(action, move, f"{name} {times}×" if times else f"{name} {written(stake_cents)}", stake_cents)

    @property
    def deciding(self) -> list[dict[str, Any]]:
        """The seats whose turns follow each other, each with what it may do, for the page to say as it is typed."""
        assert self.round is not None
        return [
            {"seat": turn.seat, "options": [{"move": one.move, "words": one.words} for one in self._options(turn)]}
            for turn in turns_ahead(self.round)
        ]

    @property
    def hands(self) -> list[Hand]:
        """The seats that bet, with their cards where the game deals to seats, in order."""
        assert self.round is not None
        seats = sorted({s.placed.seat for s in self.standing})
        return [self._hand(seat) for seat in seats]

    def _hand(self, seat: int) -> Hand:
        assert self.round is not None
        spots = [one.spot for one in self.spots if one.name.partition(",")[0] == f"seat {seat}"]
        stakes = [s.placed for s in self.standing if s.placed.seat == seat]
        name = raise_name(self.round.game)
        decided = [name if d.action == RAISE else d.action for d in self.round.felt.decisions if d.seat == seat]
        who = next((one.who for one in self.seated if one.seat == seat), "")
        shown = self.round.hand.shown.get("seats", ()) if self.round.hand else ()
        reads = next((one["rank"] for one in shown if one["seat"] == seat), "")
        return Hand(seat, who, spots, stakes, decided, reads, self.turn is not None and self.turn.seat == seat)

    @property
    def shared(self) -> list[Lying]:
        """The cards that belong to no seat."""
        return [one for one in self.spots if not one.name.startswith("seat ")]

    # --------------------------------------------------------------------------------------------- the payment

    @cached_property
    def is_recorded(self) -> bool:
        """Whether the settlement stands in the log; until then it is shown as the core reckons it."""
        return self.round is not None and bool(self.round.settled or self.round.voided)

    @cached_property
    def payment(self) -> list[PaidPhase]:
        """What is paid to whom, phase by phase; reckoned now where it is not recorded yet."""
        return payment_of(self.round) if self.round else []

    @property
    def paid_seats(self) -> list[PaidSeat]:
        """Over all phases, the seats to which something is paid or goes back."""
        found = by_seat(one for phase in self.payment for one in phase.lines)
        return [seat for seat in found if seat.pays_cents or seat.back_cents]

    @property
    def progressive(self) -> list[ProgressiveSeat]:
        return progressive_of(self.round) if self.round else []


def terminal_of(code: str, n: int | None = None) -> Terminal:
    """The table at its round under way, or at its round `n` of the session's day.

    Refuses `unknown_table`, `bad_table_code` and `unknown_round`.
    """
    loaded = load_table(code)
    session = loaded.session
    key = store.latest_key(round_prefix(property_code(), code, session.gaming_date)) if session else None
    if session is None or key is None:
        return Terminal(loaded, None)
    latest = round_of(key)
    if n is None:
        return Terminal(loaded, *load_round_at(latest), latest_n=latest.n)
    if not 1 <= n <= latest.n:
        raise Refused("unknown_round", f"Table {code} has had no round {n} in this session's gaming day.")
    return Terminal(loaded, *load_round_at(latest._replace(n=n)), latest_n=latest.n, recalled=True)
