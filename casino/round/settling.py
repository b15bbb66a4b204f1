"""A round's end: its phases settled in the sheet's order, and what the dealer did pay on it."""

from casino import events as e
from casino.eventstore.registry import Event
from casino.money import AMOUNT_MAX_CENTS, written
from casino.payout_events import PayoutRecorded
from casino.refusal import Refused
from casino.round.state import PROGRESSIVE, Round, decided, evolve


def settle(round_: Round) -> list[Event]:
    """Settle every phase that is decided and not yet settled, in the sheet's order; nothing twice."""
    if round_.voided or round_.settled:
        return []
    done = {settlement.phase for settlement in round_.settlements}
    events: list[Event] = [_settled(round_, phase) for phase in decided(round_) if phase not in done]
    for event in events:
        round_ = evolve(round_, event)
    if round_.hand is not None and len(round_.settlements) == len(round_.game.phases):
        lines = [line for settlement in round_.settlements for line in settlement.lines]
        stakes = sum(line.stake_cents for line in lines)
        returned = sum(line.returned_cents for line in lines)
        events.append(e.RoundSettled(stakes_cents=stakes, returned_cents=returned, patrons=round_.patrons_by_seat))
    return events


def _settled(round_: Round, phase: str) -> e.WagersSettled:
    return e.WagersSettled(phase=phase, lines=settled_lines(round_, phase))


def settled_lines(round_: Round, phase: str) -> list[e.SettledLine]:
    """What each wager of a phase comes to, by the cards on the felt."""
    return [
        e.SettledLine(
            number=line.number,
            seat=line.seat,
            wager=line.wager,
            stake_cents=line.stake_cents,
            result=line.result,  # type: ignore[arg-type]
            returned_cents=line.returned_cents,
        )
        for line in round_.game.settle(phase, round_.of_phase(phase), round_.felt, round_.setup)
    ]


def record_payout(round_: Round, number: int, paid_cents: int, by: str) -> list[Event]:
    """Record what the dealer did pay on a settled wager, stake included; 0 where nothing went back.

    Refuses `no_such_wager`, `paid_by_meter`, `not_settled`, `bad_payout`, and `payout_as_recorded` where that is what
    is known already.
    """
    _check_payable(round_, number)
    line = next((line for line in round_.lines if line.number == number), None)
    if line is None:
        raise Refused("not_settled", f"Wager {number} of round {round_.id} is not settled; nothing is due on it yet.")
    if not 0 <= paid_cents <= AMOUNT_MAX_CENTS:
        raise Refused("bad_payout", f"{paid_cents} cents can't be what was paid; give 0 or what went to the player.")
    before = round_.paid.get(number, line.returned_cents)
    if paid_cents == before:
        sentence = f"Wager {number} is on record with {written(before)} gone back, stake included; nothing differs."
        raise Refused("payout_as_recorded", sentence)
    return [
        PayoutRecorded(
            number=number,
            seat=line.seat,
            wager=line.wager,
            due_cents=line.returned_cents,
            paid_before_cents=before,
            paid_cents=paid_cents,
            by=by,
        )
    ]


def _check_payable(round_: Round, number: int) -> None:
    standing = round_.wagers.get(number)
    if standing is None:
        raise Refused("no_such_wager", f"Round {round_.id} has no wager number {number}.")
    if standing.phase == PROGRESSIVE:
        sentence = f"Wager {number} is the progressive: its meter pays a hit, once it is verified, and nothing else."
        raise Refused("paid_by_meter", sentence)
