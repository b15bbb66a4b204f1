"""A round's end: its phases settled in the sheet's order, or the round voided."""

from casino import events as e
from casino.eventstore.registry import Event
from casino.refusal import Refused
from casino.round.state import Round, decided, evolve, given_reason, not_over


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
    lines = round_.game.settle(phase, round_.of_phase(phase), round_.felt, round_.setup)
    return e.WagersSettled(
        phase=phase,
        lines=[
            e.SettledLine(
                number=line.number,
                seat=line.seat,
                wager=line.wager,
                stake_cents=line.stake_cents,
                result=line.result,  # type: ignore[arg-type]
                returned_cents=line.returned_cents,
            )
            for line in lines
        ],
    )


def void(round_: Round, reason: str) -> list[Event]:
    """Give back every wager that is not paid, and the progressive stakes; refused once a hit stands (books, 5.8)."""
    not_over(round_)
    reason = given_reason(reason)
    if round_.hand and round_.hand.wins:
        raise Refused(
            "round_has_hit",
            f"Round {round_.id} hit the progressive with a {round_.hand.rank}; deny or void the hit first.",
        )
    paid = {line.number for settlement in round_.settlements for line in settlement.lines}
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
    )
    return [voided]


def declare_misdeal(round_: Round, reason: str, card: str | None, position: int | None) -> list[Event]:
    """The deck is fouled: keep the offending card as evidence, void the round, take the deck out."""
    if card is not None and card not in round_.game.deck:
        raise Refused("unknown_card", f"{card!r} is not a card of {round_.game.name}.")
    voided = void(round_, reason)
    evidence = e.MisdealDeclared(reason=given_reason(reason), card=card, card_position=position, deck_taken_out=True)
    return [evidence, *voided]
