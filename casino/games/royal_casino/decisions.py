"""Who decides what, and when: PLAY 3 or 4 times the ANTE on one's own cards, twice it on the flop, once on the river.

One PLAY a hand: who has put it down, or folded, decides no more. On a street the seats decide in their order.
"""

from collections.abc import Iterable
from types import MappingProxyType

from casino.games.cards import quoted
from casino.games.game import CHECK, FOLD, RAISE, Decision, DecisionEntry, Felt, Turn
from casino.games.royal_casino import positions
from casino.games.royal_casino.bets import ANTE, BONUS, PLAY, PLAY_MOST_TIMES
from casino.games.side_bets import PROGRESSIVE
from casino.refusal import Refused

PRE_FLOP, FLOP, RIVER = "pre_flop", "flop", "river"
STREETS = (PRE_FLOP, FLOP, RIVER)
TIMES = MappingProxyType({PRE_FLOP: (3, PLAY_MOST_TIMES), FLOP: (2,), RIVER: (1,)})
"""Street → how many times the ANTE its PLAY may be."""

PASSING = MappingProxyType({PRE_FLOP: CHECK, FLOP: CHECK, RIVER: FOLD})
"""Street → what a seat does that doesn't put PLAY down."""

FACING_UP = MappingProxyType({PRE_FLOP: (), FLOP: positions.FLOP, RIVER: positions.BOARD})
"""Street → the community cards that lie face up while the seats decide."""

KEEPING = (BONUS, PROGRESSIVE)
"""The wagers for which a folded hand is kept and turned."""


def seats(felt: Felt) -> tuple[int, ...]:
    """The seats that have a hand, in order: those with an ANTE when bets closed."""
    return tuple(sorted({bet.seat for bet in felt.bets if bet.code == ANTE}))


def ante(felt: Felt, seat: int) -> int:
    """The stake in cents of the seat's ANTE."""
    return next(bet.stake_cents for bet in felt.bets if bet.code == ANTE and bet.seat == seat)


def is_kept(felt: Felt, seat: int) -> bool:
    """Whether the seat has a BONUS or the progressive, so that its hand counts even once folded."""
    return any(bet.code in KEEPING and bet.seat == seat for bet in felt.bets)


def folded(felt: Felt) -> frozenset[int]:
    """The seats that have folded."""
    return frozenset(decision.seat for decision in felt.decisions if decision.action == FOLD)


def are_complete(felt: Felt, street: str) -> bool:
    """Whether nobody has a decision to make on this street or one before it."""
    return _waiting(felt, STREETS[: STREETS.index(street) + 1]) is None


def _waiting(felt: Felt, streets: Iterable[str] = STREETS) -> tuple[str, int] | None:
    """The first street, and on it the first seat, that has not decided."""
    out = {decision.seat for decision in felt.decisions if decision.action in (RAISE, FOLD)}
    made = {(decision.street, decision.seat) for decision in felt.decisions}
    for street in streets:
        for seat in seats(felt):
            if seat not in out and (street, seat) not in made:
                return street, seat
    return None


def turn(felt: Felt) -> Turn | None:
    """Whose decision it is once the cards for it are there; else None."""
    waiting = _waiting(felt)
    if waiting is None:
        return None
    street, seat = waiting
    held = (*positions.BANK, *(position for one in seats(felt) for position in positions.of_seat(one)))
    if any(position not in felt.spots for position in held):
        return None
    if any(felt.up(position) is None for position in FACING_UP[street]):
        return None
    stakes = tuple(times * ante(felt, seat) for times in TIMES[street])
    return Turn(seat, street, MappingProxyType({PASSING[street]: (), RAISE: stakes}), ante(felt, seat))


def decide(felt: Felt, entry: DecisionEntry) -> Decision:
    """The decision of the seat whose turn it is.

    Refuses `no_hand`, `already_played`, `already_folded`, `no_decision_due`, `out_of_turn`, `unknown_action`,
    `play_times` and `stake_without_play`.
    """
    due = turn(felt)
    _check_seat(felt, due, entry.seat)
    assert due is not None
    if entry.action not in due.actions:
        words = f"{PASSING[due.street]} or raise"
        raise Refused("unknown_action", f"On this street seat {entry.seat} may {words}, not {quoted(entry.action)}.")
    if entry.action == RAISE:
        return Decision(due.seat, due.street, RAISE, PLAY, _play(felt, due, entry.stake_cents))
    if entry.stake_cents:
        sentence = f"Seat {entry.seat} can't {entry.action} and stake {entry.stake_cents} cents; only a raise stakes."
        raise Refused("stake_without_play", sentence)
    return Decision(due.seat, due.street, entry.action)


def _check_seat(felt: Felt, due: Turn | None, seat: object) -> None:
    if seat not in seats(felt):
        raise Refused("no_hand", f"Seat {quoted(seat)} has no hand in this round, so it decides nothing.")
    for decision in felt.decisions:
        if decision.seat == seat and decision.action == RAISE:
            raise Refused("already_played", f"Seat {seat} has put its PLAY down; one a hand is all there is.")
        if decision.seat == seat and decision.action == FOLD:
            raise Refused("already_folded", f"Seat {seat} has folded; its hand decides no more.")
    if due is None:
        raise Refused("no_decision_due", "It is nobody's turn to decide; the cards come first.")
    if seat != due.seat:
        raise Refused("out_of_turn", f"It is the turn of seat {due.seat}, not of seat {seat}.", seat=due.seat)


def _play(felt: Felt, due: Turn, stake_cents: int | None) -> int:
    stakes = due.actions[RAISE]
    if stake_cents not in stakes or isinstance(stake_cents, bool):
        times = " or ".join(f"{times} times" for times in TIMES[due.street])
        most = " or ".join(map(str, stakes))
        sentence = f"PLAY is exactly {times} the ANTE here, so {most} cents at seat {due.seat}, not {stake_cents}."
        raise Refused("play_times", sentence, stakes_cents=list(stakes))
    return stake_cents
