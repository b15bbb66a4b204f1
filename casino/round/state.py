"""A round after its events, and what every decision about it asks first."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import NamedTuple

from msgspec import Struct, field
from msgspec.structs import replace as changed

from casino import events as e
from casino.eventstore.registry import Event
from casino.games import game as load_game
from casino.games.game import Dealt, Decision, Fact, Felt, Game, Placed, Setup, Turned
from casino.games.game import PositionDrawn as Drawn
from casino.games.side_bets import PROGRESSIVE as PROGRESSIVE
from casino.keys import RoundId
from casino.payout_events import PayoutRecorded
from casino.refusal import Refused
from casino.seat_events import RoundSeatChanged
from casino.side_bet_terms import WonTier
from casino.void_events import LateBetVoided, RoundResettled, WinDenied, WinFound

Winner = tuple[str, str, int]
"""Who won a progressive in a round: by link, rank and seat."""


def winners_of(wins: Iterable[WonTier]) -> frozenset[Winner]:
    """Every seat of these wins by itself."""
    return frozenset((won.link, won.rank, seat) for won in wins for seat in won.seats)


class Standing(NamedTuple):
    """A wager on the felt, what marks it carries and the most it can win by itself."""

    placed: Placed
    bet: str
    phase: str
    exceptions: tuple[str, ...]
    most_cents: int = 0


class Round(Struct, frozen=True):
    """A round after its events; a Struct, because every event makes a new one and that has to be quick.

    `wagers` holds those that stand; `numbers` counts all ever placed. `patrons` are the rated ones by seat. `paid` is
    what the dealer did pay, in cents by the wager's number, where that was recorded as different from what was due.
    `late` are the wagers that came after "no more bets" and went back alone.
    `closed_bets` are side bets that are no longer taken, with the reason. Winners of a progressive are known by link,
    rank and seat: `denied` are those who after all get nothing of it, `found` those who came to light later.
    """

    id: RoundId
    opened: e.RoundOpened
    game: Game
    setup: Setup
    wagers: Mapping[int, Standing] = field(default_factory=dict)
    numbers: int = 0
    bets_closed: bool = False
    collected: e.ProgressiveCollected | None = None
    felt: Felt = field(default_factory=Felt)
    hand: e.HandCompleted | None = None
    settlements: tuple[e.WagersSettled, ...] = ()
    settled: e.RoundSettled | None = None
    misdeal: e.MisdealDeclared | None = None
    voided: e.RoundVoided | None = None
    patrons: Mapping[int, int] = field(default_factory=dict)
    paid: Mapping[int, int] = field(default_factory=dict)
    late: tuple[LateBetVoided, ...] = ()
    closed_bets: Mapping[str, str] = field(default_factory=dict)
    denied: frozenset[Winner] = frozenset()
    found: frozenset[Winner] = frozenset()

    @property
    def status(self) -> str:
        """`open`, `closed` (no more bets), `dealing`, `complete`, `settled` or `voided`."""
        if self.voided:
            return "voided"
        if self.settled:
            return "settled"
        if self.hand:
            return "complete"
        if self.felt.spots or self.felt.drawn:
            return "dealing"
        return "closed" if self.bets_closed else "open"

    @property
    def winners(self) -> frozenset[Winner]:
        """The winners of a progressive whose shares stand: neither denied nor void nor refilled."""
        return (winners_of(self.hand.wins if self.hand else []) | self.found) - self.denied

    @property
    def patrons_by_seat(self) -> dict[str, int]:
        """The rated patrons as an event names them."""
        return {str(seat): patron for seat, patron in self.patrons.items()}

    @property
    def is_over(self) -> bool:
        """Whether nothing more happens on the felt, so that the table may go on."""
        return self.hand is not None or self.voided is not None

    @property
    def lines(self) -> list[e.SettledLine]:
        """Every wager settled so far, in the order of payment."""
        return [line for settlement in self.settlements for line in settlement.lines]

    def of_phase(self, phase: str) -> list[Placed]:
        """The standing wagers of one phase, in the order they were placed."""
        return [standing.placed for standing in self.wagers.values() if standing.phase == phase]


def round_of(round_id: RoundId, events: Iterable[Event]) -> Round:
    """The round after its events; the first is its `round_opened`."""
    iterator = iter(events)
    first = next(iterator, None)
    if not isinstance(first, e.RoundOpened):
        raise Refused("unknown_round", f"There is no round {round_id}.")
    setup = Setup(first.paytable, first.layout, first.method, first.payout_rounding_cents)
    patrons = {int(seat): patron for seat, patron in first.patrons.items()}
    round_ = Round(round_id, first, load_game(first.game), setup, patrons=patrons, closed_bets=first.suspended)
    for event in iterator:
        round_ = evolve(round_, event)
    return round_


def evolve(round_: Round, event: Event) -> Round:
    """The round after one more event."""
    match event:
        case e.WagerPlaced():
            placed = Placed(event.number, event.seat, event.wager, event.stake_cents)
            wager = round_.game.wager(event.wager, round_.setup)
            most = wager.most_cents(event.stake_cents)
            standing = Standing(placed, wager.bet, wager.phase, tuple(event.exceptions), most)
            return changed(round_, wagers={**round_.wagers, event.number: standing}, numbers=event.number)
        case e.WagerChanged():
            before = round_.wagers[event.number]
            placed = replace(before.placed, stake_cents=event.stake_cents)
            most = round_.game.wager(placed.code, round_.setup).most_cents(event.stake_cents)
            standing = before._replace(placed=placed, exceptions=tuple(event.exceptions), most_cents=most)
            return changed(round_, wagers={**round_.wagers, event.number: standing})
        case e.WagerWithdrawn():
            return changed(round_, wagers={n: w for n, w in round_.wagers.items() if n != event.number})
        case RoundSeatChanged():
            others = {seat: patron for seat, patron in round_.patrons.items() if seat != event.seat}
            mine = {} if event.patron_id is None else {event.seat: event.patron_id}
            return changed(round_, patrons={**others, **mine})
        case e.SideBetClosed():
            return changed(round_, closed_bets={**round_.closed_bets, event.bet: event.reason})
        case e.BetsClosed():
            standing_bets = tuple(standing.placed for standing in round_.wagers.values())
            return changed(round_, bets_closed=True, felt=round_.felt.closed(standing_bets))
        case LateBetVoided():
            left = {n: w for n, w in round_.wagers.items() if n != event.number}
            bets = tuple(bet for bet in round_.felt.bets if bet.number != event.number)
            return changed(round_, wagers=left, felt=round_.felt.closed(bets), late=(*round_.late, event))
        case e.ProgressiveCollected():
            return changed(round_, collected=event)
        case e.PositionDrawn() | e.CardDealt() | e.CardTurned() | e.DecisionMade():
            return changed(round_, felt=round_.felt.after(_fact(event)))
        case e.HandCompleted():
            return changed(round_, hand=event)
        case WinDenied():
            return changed(round_, denied=round_.denied | {(event.link, event.rank, seat) for seat in event.seats})
        case WinFound():
            return changed(round_, found=round_.found | {(event.link, event.rank, seat) for seat in event.seats})
        case e.WagersSettled():
            return changed(round_, settlements=(*round_.settlements, event))
        case e.RoundSettled():
            return changed(round_, settled=event)
        case e.MisdealDeclared():
            return changed(round_, misdeal=event)
        case e.RoundVoided():
            return changed(round_, voided=event)
        case RoundResettled():
            return _resettled(round_, event)
        case PayoutRecorded():
            return changed(round_, paid={**round_.paid, event.number: event.paid_cents})
    return round_


def _resettled(round_: Round, event: RoundResettled) -> Round:
    """With the cards and the lines that were right; what each settlement says is replaced, their number is not."""
    spots = dict(round_.felt.spots)
    for position, card in event.cards.items():
        spots[int(position)] = replace(spots[int(position)], card=card)
    settlements = tuple(changed(one, lines=event.phases[one.phase]) for one in round_.settlements)
    return changed(round_, felt=replace(round_.felt, spots=spots), settlements=settlements)


def _fact(event: e.PositionDrawn | e.CardDealt | e.CardTurned | e.DecisionMade) -> Fact:
    match event:
        case e.PositionDrawn():
            return Drawn(event.drawn_position)
        case e.CardDealt():
            return Dealt(event.card_position, event.face, event.card)
        case e.CardTurned():
            return Turned(event.card_position, event.card)
        case e.DecisionMade():
            return Decision(event.seat, event.street, event.action, None, event.stake_cents)


def not_over(round_: Round) -> None:
    """Refuse a round that is voided or settled."""
    if round_.voided:
        raise Refused("round_voided", f"Round {round_.id} was voided ({round_.voided.reason}).")
    if round_.settled:
        raise Refused("round_settled", f"Round {round_.id} is settled; it can only be corrected by a further event.")


def check_side_bet(round_: Round, bet: str) -> None:
    """Refuse a wager on a side bet that is not taken now, with the reason: `side_bet_disabled`."""
    if bet in round_.closed_bets:
        why = round_.closed_bets[bet].rstrip(".")
        raise Refused("side_bet_disabled", f"The {bet} is not taken at table {round_.id.table} now ({why}).", why=why)


def side_bet_terms(round_: Round, bet: str) -> e.SideBetTerms:
    """What the round pinned for a side bet; refused `side_bet_not_offered`."""
    if bet not in round_.opened.side_bets:
        raise Refused(
            "side_bet_not_offered",
            f"Table {round_.id.table} did not offer the {bet} when round {round_.id} opened; join it to a link first.",
        )
    return round_.opened.side_bets[bet]


def given_reason(reason: str) -> str:
    """The reason without blanks around it; refused `reason_missing`."""
    if not reason.strip():
        raise Refused("reason_missing", "Say why; the reason is kept with the round.")
    return reason.strip()


def decided(round_: Round) -> tuple[str, ...]:
    """The phases that the cards on the felt decide, in the order of settlement."""
    return round_.game.decided(round_.felt, round_.setup)
