"""What a game is to the rest of the product: wagers, cards on the felt, decisions, phases, settlement, exact odds.

A game is a folder whose `__init__` has a `GAME` that fulfils `Game`. Everything here is pure: no clock, no
randomness, no database. Cards are text as players write them: `As Kd Th 9c 2s X1`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Protocol, runtime_checkable

from casino.games.cards import quoted
from casino.money import winnings
from casino.refusal import Refused

UP = "up"
DOWN = "down"
WIN, LOSE, PUSH = "win", "lose", "push"
CHECK, RAISE, FOLD = "check", "raise", "fold"


@dataclass(frozen=True)
class Setup:
    """How a table offers its game; a round pins it when it opens. The first three are names the game knows.

    `payout_rounding_cents` is the smallest amount the table pays: what pays 3 to 2 is cut down to it.
    """

    paytable: str
    layout: str
    method: str
    payout_rounding_cents: int = 1


@dataclass(frozen=True)
class Wager:
    """A wager as the game understands it: `code` in the one canonical spelling, `bet` its kind.

    `phase` names the settlement it belongs to; `pays` is the most it can win, to 1, with what its stake fixes besides,
    and None where a meter pays it or another wager answers for it. `limited` is False where another wager's stake
    fixes this one's, so that posted limits say nothing of it.
    """

    code: str
    bet: str
    phase: str
    pays: Fraction | None
    limited: bool = True

    def most_cents(self, stake_cents: int) -> int:
        """The most that so much on it can win; 0 where a meter pays it or another wager answers for it."""
        return 0 if self.pays is None else winnings(stake_cents, self.pays)


@dataclass(frozen=True)
class Placed:
    """A wager that stands on the felt. `number` counts the round's wagers from 1; `code` is canonical."""

    number: int
    seat: int
    code: str
    stake_cents: int


@dataclass(frozen=True)
class Dealt:
    """A card laid on a spot, `face` up or down; `card` is None while nobody has seen it."""

    position: int
    face: str
    card: str | None


@dataclass(frozen=True)
class Turned:
    """A face-down card turned up (or its value learnt)."""

    position: int
    card: str


@dataclass(frozen=True)
class PositionDrawn:
    """A wheel or RNG named a position, recorded before any card is turned (sheet, paragraph 6b)."""

    position: int


@dataclass(frozen=True)
class Decision:
    """What a seat decided when it was its turn; a raise puts `stake_cents` down on the wager of this code."""

    seat: int
    street: str
    action: str
    wager: str | None = None
    stake_cents: int = 0


Fact = Dealt | Turned | PositionDrawn | Decision


@dataclass(frozen=True)
class Felt:
    """One round so far: the cards by position, the position drawn by wheel, if any, and the decisions in order.

    `bets` are the wagers that stood at "no more bets"; a game that deals to the players knows from them whom.
    """

    spots: Mapping[int, Dealt] = field(default_factory=dict)
    drawn: int | None = None
    bets: tuple[Placed, ...] = ()
    decisions: tuple[Decision, ...] = ()

    def after(self, fact: Fact) -> "Felt":
        """The felt once `fact` has happened; facts are trusted here, the game checked them."""
        if isinstance(fact, PositionDrawn):
            return Felt(self.spots, fact.position, self.bets, self.decisions)
        if isinstance(fact, Decision):
            return Felt(self.spots, self.drawn, self.bets, (*self.decisions, fact))
        if isinstance(fact, Turned):
            fact = Dealt(fact.position, UP, fact.card)
        return Felt({**self.spots, fact.position: fact}, self.drawn, self.bets, self.decisions)

    def closed(self, bets: tuple[Placed, ...]) -> "Felt":
        """The felt once no more bets are taken and these stand."""
        return Felt(self.spots, self.drawn, bets, self.decisions)

    def up(self, position: int) -> str | None:
        """The card lying face up at `position`, or None."""
        spot = self.spots.get(position)
        return spot.card if spot is not None and spot.face == UP else None


@dataclass(frozen=True)
class CardEntry:
    """One card as a terminal posts it.

    `CardEntry("As")` deals the next position with its value known. `CardEntry(None)` deals the next position
    face down, unseen. `CardEntry("As", position=3)` turns the card that lies face down at position 3.
    """

    card: str | None
    position: int | None = None


@dataclass(frozen=True)
class DecisionEntry:
    """A decision as a terminal posts it: `check`, `raise` with the stake put down, or `fold`."""

    seat: int
    action: str
    stake_cents: int | None = None


@dataclass(frozen=True)
class Turn:
    """Whose turn it is. `actions`: each action open to the seat → the stakes in cents that may go with it.

    `unit_cents` is what a raise is so many times of; 0 where that is the seat's first wager.
    """

    seat: int
    street: str
    actions: Mapping[str, tuple[int, ...]]
    unit_cents: int = 0


@dataclass(frozen=True)
class Line:
    """One wager settled: `returned_cents` is all that goes back to the player, stake included on a win."""

    number: int
    seat: int
    wager: str
    stake_cents: int
    result: str
    returned_cents: int


@dataclass(frozen=True)
class Reading:
    """What the pure core reads in a complete hand; `shown` is plain data for the log and the pages."""

    rank: str
    shown: Mapping[str, Any]


@dataclass(frozen=True)
class SideBetWin:
    """Seats whose side bet won at one rank; they split that rank's part of the pool equally."""

    rank: str
    seats: tuple[int, ...]


@dataclass(frozen=True)
class Share:
    """One way in which one progressive wager of a round wins, and its exact chance.

    What `rank` wins is split equally among `players`, this wager's own among them, once the ranks `after` of the same
    round have been paid.
    """

    rank: str
    players: int
    after: tuple[str, ...]
    chance: Fraction


@dataclass(frozen=True)
class Odds:
    """The exact mathematics of one wager; every figure is a fraction of the stake.

    `pays` is to 1, or rank → to 1 where a table pays.
    """

    wager: str
    pays: Fraction | Mapping[str, Fraction]
    win_probability: Fraction
    house_edge: Fraction
    variance: Fraction

    @property
    def player_advantage(self) -> bool:
        """True where the house pays more than it takes, which a table may offer only knowingly."""
        return self.house_edge < 0


class Chance(Protocol):
    """A source of chance, such as random.Random; games hold none of their own."""

    def randint(self, a: int, b: int) -> int:
        """A whole number from a to b."""

    def choice(self, seq: Sequence[Any]) -> Any:
        """One of them."""


class Game(Protocol):
    """A table game. Every method refuses bad input with `Refused` and changes nothing."""

    code: str
    name: str
    deck: tuple[str, ...]
    seats_max: int
    paytables: Sequence[str]
    layouts: Sequence[str]
    methods: Sequence[str]
    side_bets: Sequence[str]
    tier_sets: Sequence[str]
    phases: Sequence[str]
    streets: Sequence[str]
    styles: Sequence[str]

    def wager(self, text: str, setup: Setup) -> Wager:
        """Read a wager in any order of its cards; refuses what the layout does not offer."""

    def check_seat(self, wager: Wager, standing: Sequence[Placed], seat: int, stake_cents: int = 0) -> None:
        """Refuse a wager that the seat may not add to those that stand (say, a second progressive)."""

    def check_bets(self, standing: Sequence[Placed]) -> None:
        """Refuse "no more bets" while the standing wagers do not fit together (say, an ante without its blind)."""

    def draw(self, felt: Felt, setup: Setup, position: int) -> list[Fact]:
        """Record the position that a wheel or RNG named."""

    def record_cards(self, felt: Felt, setup: Setup, entries: Sequence[CardEntry]) -> list[Fact]:
        """The facts that follow from the cards posted, in the order of the rule sheet."""

    def turn(self, felt: Felt, setup: Setup) -> Turn | None:
        """Whose decision the game waits for, None while it waits for cards or for nothing."""

    def decide(self, felt: Felt, setup: Setup, entry: DecisionEntry) -> list[Fact]:
        """The decision as a fact, and the turns of known cards that it sets free."""

    def spot_name(self, position: int) -> str:
        """A position in words, as it stands under a card: "card 3", "flop 1", "seat 4, card 2"."""

    def decided(self, felt: Felt, setup: Setup) -> tuple[str, ...]:
        """The phases that the cards on the felt decide, in the order they are to be settled."""

    def reading(self, felt: Felt, setup: Setup) -> Reading | None:
        """The complete hand, or None while a card is missing or face down."""

    def settle(self, phase: str, placed: Sequence[Placed], felt: Felt, setup: Setup) -> list[Line]:
        """Settle the standing wagers of one phase, in the order they were placed."""

    def side_bet_wins(self, bet: str, seats: Sequence[int], felt: Felt, setup: Setup) -> list[SideBetWin]:
        """Who won the progressive in a complete hand, best rank first; empty when nobody did."""

    def tiers(self, name: str) -> Mapping[str, Fraction]:
        """Rank → the part of a progressive's meter that it wins, best rank first, in one of the `tier_sets`."""

    def tier_chances(self, name: str) -> Mapping[str, Fraction]:
        """Rank → the exact chance that one progressive wager completes it, for the ranks of one of the `tier_sets`."""

    def shares(self, name: str, wagers: int) -> Sequence[Share]:
        """Every way in which one of `wagers` progressive wagers of a round wins, by one of the `tier_sets`."""

    def odds(self, paytable: str) -> list[Odds]:
        """The mathematics of every fixed-pay wager under `paytable`, from the shipped counts."""

    def paytable_report(self, paytable: str) -> dict[str, Any]:
        """What `manage.py paytable` prints, enumerated afresh; fractions as "a/b"."""

    def plausible_bets(self, chance: Chance, style: str, setup: Setup) -> list[tuple[str, int]]:
        """What a simulated player of one of `styles` bets in a round: (wager, stake in cents)."""

    def plausible_decision(self, chance: Chance, felt: Felt, setup: Setup, turn: Turn) -> DecisionEntry:
        """What a simulated player decides whose turn it is."""

    def dry_run(self, line: Mapping[str, Any]) -> dict[str, Any]:
        """Settle one line of `manage.py settle` (plain data in and out)."""


@runtime_checkable
class OwnEdges(Protocol):
    """What a game says besides, whose `odds` have not one row for each bet: how its players are rated (books, 3).

    `average_bets` are those whose stakes make a player's average bet.
    """

    average_bets: Sequence[str]

    def edges(self, paytable: str) -> Mapping[str, Fraction]:
        """Bet → house edge of its stake, for every bet that carries a theoretical win of its own."""


@runtime_checkable
class WagersTogether(Protocol):
    """What a game says besides, of a wager that came after "no more bets" and goes back while the round plays on.

    A game that doesn't say it gives none back once a card lies on the felt.
    """

    def back_with(self, felt: Felt, setup: Setup, number: int) -> Sequence[int]:
        """The numbers of the wagers that go back together with this one, which is among them.

        Refuses what the cards dealt so far bind to the felt (`hand_dealt`).
        """


@runtime_checkable
class SideBetInWords(Protocol):
    """What a game says besides, whose side bet is shown on a wall: which hand wins it, in one sentence for patrons."""

    side_bet_words: str


class WithoutSideBets:
    """What a game says that offers no progressive and draws no position; such a game is a sub-class of this."""

    side_bets: Sequence[str] = ()
    tier_sets: Sequence[str] = ()

    def draw(self, felt: Felt, setup: Setup, position: int) -> list[Fact]:
        """Refuses `position_not_for_drawing`."""
        raise Refused("position_not_for_drawing", "No position is drawn in this game; its cards are dealt in order.")

    def side_bet_wins(self, bet: str, seats: Sequence[int], felt: Felt, setup: Setup) -> list[SideBetWin]:
        """Refuses `unknown_side_bet`."""
        raise Refused("unknown_side_bet", f"There is no side bet {quoted(bet)} in this game.")

    def tiers(self, name: str) -> Mapping[str, Fraction]:
        """Refuses `unknown_tiers`."""
        raise Refused("unknown_tiers", f"There is no set of tiers {quoted(name)} in this game.")

    def tier_chances(self, name: str) -> Mapping[str, Fraction]:
        """Refuses `unknown_tiers`."""
        return self.tiers(name)

    def shares(self, name: str, wagers: int) -> Sequence[Share]:
        """Refuses `unknown_tiers`."""
        raise Refused("unknown_tiers", f"There is no set of tiers {quoted(name)} in this game.")


class WithoutDecisions:
    """What a game says where nobody decides anything once bets are closed; such a game is a sub-class of this."""

    streets: Sequence[str] = ()

    def check_bets(self, standing: Sequence[Placed]) -> None:
        """Any wagers may stand together."""

    def turn(self, felt: Felt, setup: Setup) -> Turn | None:
        """It is nobody's turn."""
        return None

    def decide(self, felt: Felt, setup: Setup, entry: DecisionEntry) -> list[Fact]:
        """Refuses `no_decisions`."""
        raise Refused("no_decisions", "This game has no decisions; after the bets there are only cards.")

    def plausible_decision(self, chance: Chance, felt: Felt, setup: Setup, turn: Turn) -> DecisionEntry:
        """Refuses `no_decisions`."""
        raise Refused("no_decisions", "This game has no decisions; after the bets there are only cards.")

    def spot_name(self, position: int) -> str:
        """Cards are called by their numbers."""
        return f"card {position}"
