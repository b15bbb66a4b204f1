"""Players at the seats of an open table: who may sit down and get up, and what an open round must know of it. Pure.

A round pins who is rated at which seat. While it takes bets a change is told to it, and refused where the seat has
wagers: so a wager always belongs to the one patron whom its round names for the seat.
"""

from casino.eventstore.registry import Event
from casino.money import check_amount
from casino.refusal import Refused
from casino.round.state import Round
from casino.seat_events import PatronLeft, PatronSeated, RatingEstimated, RoundSeatChanged
from casino.table import Session, check_seat


def seat_patron(session: Session, seats: int, seat: int, patron_id: int | None) -> PatronSeated:
    """Take a seat of the open session; refuses `seat_out_of_range`, `seat_taken` and `patron_seated`."""
    check_seat(session.table, seats, seat)
    if seat in session.seats:
        raise Refused("seat_taken", f"Seat {seat} of {session.table} is taken; free it first.", seat=seat)
    for other, patron in session.rated().items():
        if patron == patron_id:
            sentence = f"Patron {patron_id} sits at seat {other} of {session.table}; free that seat first."
            raise Refused("patron_seated", sentence, seat=other)
    return PatronSeated(table=session.table, seat=seat, patron_id=patron_id)


def leave_seat(session: Session, seats: int, seat: int) -> PatronLeft:
    """Free a seat; refuses `seat_out_of_range` and `seat_empty`."""
    return PatronLeft(table=session.table, seat=seat, patron_id=_at(session, seats, seat))


def estimate(session: Session, seats: int, seat: int, average_bet_cents: int, by: str) -> RatingEstimated:
    """A supervisor's estimate of a patron's average bet; refuses `seat_empty` and `seat_unrated`."""
    patron_id = _at(session, seats, seat)
    if patron_id is None:
        raise Refused("seat_unrated", f"The player at seat {seat} of {session.table} is not rated.", seat=seat)
    check_amount(average_bet_cents, "The estimated average bet")
    return RatingEstimated(
        table=session.table, seat=seat, patron_id=patron_id, average_bet_cents=average_bet_cents, by=by
    )


def told_to_round(round_: Round | None, seat: int, patron_id: int | None) -> list[Event]:
    """What the table's latest round must know of a change: nothing, unless it takes bets and the rating changes.

    Refuses `seat_in_play` where the seat has wagers in it, which belong to whoever it names already.
    """
    if round_ is None or round_.is_over or round_.bets_closed or round_.patrons.get(seat) == patron_id:
        return []
    if any(standing.placed.seat == seat for standing in round_.wagers.values()):
        sentence = f"Seat {seat} has wagers in round {round_.id}; wait for no more bets, or withdraw them."
        raise Refused("seat_in_play", sentence, seat=seat, round=str(round_.id))
    return [RoundSeatChanged(seat=seat, patron_id=patron_id)]


def _at(session: Session, seats: int, seat: int) -> int | None:
    check_seat(session.table, seats, seat)
    if seat not in session.seats:
        raise Refused("seat_empty", f"Nobody sits at seat {seat} of {session.table}.", seat=seat)
    return session.seats[seat]
