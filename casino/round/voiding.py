"""What goes back unplayed: a whole round, one whose deck is fouled, or a late bet alone. Two people answer for it.

The requester of anything never approves it (books, section 7).
"""

from collections.abc import Sequence

from casino import events as e
from casino.approval import Approval
from casino.eventstore.registry import Event
from casino.games.game import WagersTogether
from casino.refusal import Refused, in_quotes
from casino.round.dealing import completed
from casino.round.state import PROGRESSIVE, Round, decided, evolve, given_reason, not_over
from casino.void_events import LateBetVoided


def void(round_: Round, reason: str, approval: Approval) -> list[Event]:
    """Give back every wager that is not paid, and the progressive stakes; refused once a hit stands (books, 5.8)."""
    not_over(round_)
    reason = given_reason(reason)
    if round_.hand and round_.winners:
        raise Refused(
            "round_has_hit",
            f"Round {round_.id} hit the progressive with a {round_.hand.rank}; deny or void the hit first.",
        )
    paid = {line.number for line in round_.lines}
    refunds = [
        e.Refund(number=s.placed.number, seat=s.placed.seat, stake_cents=s.placed.stake_cents)
        for s in round_.wagers.values()
        if s.placed.number not in paid
    ]
    voided = e.RoundVoided(
        reason=reason,
        scope="poker_and_progressive" if round_.settlements else "round",
        refunds=refunds,
        progressive=round_.collected,
        patrons=round_.patrons_by_seat if round_.settlements else {},
        requested_by=approval.requested_by,
        approved_by=approval.approved_by,
        settled_stakes_cents=sum(line.stake_cents for line in round_.lines),
    )
    return [voided]


def declare_misdeal(
    round_: Round, reason: str, approval: Approval, card: str | None = None, position: int | None = None
) -> list[Event]:
    """The deck is fouled: keep the offending card as evidence, void the round, take the deck out."""
    if card is not None and card not in round_.game.deck:
        raise Refused("unknown_card", f"{in_quotes(card)} is not a card of {round_.game.name}.")
    voided = void(round_, reason, approval)
    evidence = e.MisdealDeclared(reason=given_reason(reason), card=card, card_position=position, deck_taken_out=True)
    return [evidence, *voided]


def void_late_bet(round_: Round, number: int, reason: str, approval: Approval) -> list[Event]:
    """Give back a wager that came after "no more bets", while the rest of the round plays on (games, section 3).

    What hangs together with it goes back too, an event each. Where the hand waited for nothing else, it is complete.
    Refuses what `going_back` lists, and `reason_missing`.
    """
    numbers = going_back(round_, number)
    reason = given_reason(reason)
    events: list[Event] = []
    for placed in (round_.wagers[n].placed for n in numbers):
        events.append(
            LateBetVoided(
                number=placed.number,
                seat=placed.seat,
                wager=placed.code,
                stake_cents=placed.stake_cents,
                reason=reason,
                requested_by=approval.requested_by,
                approved_by=approval.approved_by,
            )
        )
        round_ = evolve(round_, events[-1])
    return [*events, *completed(round_, round_.felt)]


def going_back(round_: Round, number: int) -> Sequence[int]:
    """The numbers of the wagers that go back with a late one, itself among them.

    Refuses `bets_open`, `no_such_wager`, `not_a_late_bet`, `late_bet_collected`, `wager_decided` and `hand_dealt`.
    """
    not_over(round_)
    if not round_.bets_closed:
        raise Refused("bets_open", f"Round {round_.id} still takes bets; withdraw the wager instead.")
    if number not in round_.wagers:
        raise Refused("no_such_wager", f"Round {round_.id} has no standing wager number {number}.")
    if all(bet.number != number for bet in round_.felt.bets):
        sentence = f"Wager {number} was put down by a decision in its turn, after no more bets; it is not late."
        raise Refused("not_a_late_bet", sentence)
    if round_.wagers[number].phase in decided(round_):
        sentence = f"The cards have decided wager {number} of round {round_.id}; it is settled and can't go back alone."
        raise Refused("wager_decided", sentence)
    numbers = _together(round_, number)
    if round_.collected and any(round_.wagers[n].phase == PROGRESSIVE for n in numbers):
        seat = round_.wagers[number].placed.seat
        raise Refused(
            "late_bet_collected",
            f"The progressive of seat {seat} is counted, collected and in the meter; it goes back, with what hangs "
            "together with it, only when the whole round is voided.",
        )
    return numbers


def _together(round_: Round, number: int) -> Sequence[int]:
    if round_.wagers[number].phase == PROGRESSIVE:
        return (number,)
    if isinstance(round_.game, WagersTogether):
        return round_.game.back_with(round_.felt, round_.setup, number)
    if round_.felt.spots:
        sentence = f"Cards lie on the felt of round {round_.id} already; void the whole round instead."
        raise Refused("hand_dealt", sentence)
    return (number,)


def late_bets(round_: Round) -> list[Sequence[int]]:
    """What may go back now, each as the numbers that go together; nothing before "no more bets"."""
    found: list[Sequence[int]] = []
    for number in round_.wagers:
        try:
            numbers = going_back(round_, number)
        except Refused:
            continue
        if set(numbers) not in map(set, found):
            found.append(numbers)
    return found
