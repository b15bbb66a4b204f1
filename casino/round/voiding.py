"""What goes back unplayed: a whole round, or one whose deck is fouled. Two people answer for it, by name.

The requester of anything never approves it (books, section 7).
"""

from typing import NamedTuple

from casino import events as e
from casino.eventstore.registry import Event
from casino.refusal import Refused, in_quotes
from casino.round.state import Round, given_reason, not_over


class Second(NamedTuple):
    """Who asks for something to go back (a person, or the device of the table), and the other person who approves."""

    requested_by: str
    approved_by: str


def check_second(second: Second) -> None:
    """Refuses `second_person_missing` and `same_person`."""
    if not second.requested_by.strip() or not second.approved_by.strip():
        raise Refused("second_person_missing", "Two people answer for this: name who asks and who approves.")
    if second.requested_by.casefold() == second.approved_by.casefold():
        raise Refused("same_person", f"{second.requested_by} asked for this; somebody else has to approve it.")


def void(round_: Round, reason: str, second: Second) -> list[Event]:
    """Give back every wager that is not paid, and the progressive stakes; refused once a hit stands (books, 5.8)."""
    not_over(round_)
    reason = given_reason(reason)
    check_second(second)
    if round_.hand and round_.hand.wins:
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
        requested_by=second.requested_by,
        approved_by=second.approved_by,
        settled_stakes_cents=sum(line.stake_cents for line in round_.lines),
    )
    return [voided]


def declare_misdeal(
    round_: Round, reason: str, second: Second, card: str | None = None, position: int | None = None
) -> list[Event]:
    """The deck is fouled: keep the offending card as evidence, void the round, take the deck out."""
    if card is not None and card not in round_.game.deck:
        raise Refused("unknown_card", f"{in_quotes(card)} is not a card of {round_.game.name}.")
    voided = void(round_, reason, second)
    evidence = e.MisdealDeclared(reason=given_reason(reason), card=card, card_position=position, deck_taken_out=True)
    return [evidence, *voided]
