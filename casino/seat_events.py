"""Who sits where, as facts. A patron is a number here and nothing else: the name stands outside the log, erasable."""

from casino.eventstore.registry import Event, event


@event("patron_seated")
class PatronSeated(Event):
    """A player took a seat; `patron_id` is null for one who is not rated."""

    table: str
    seat: int
    patron_id: int | None


@event("patron_left")
class PatronLeft(Event):
    """The seat is free again; the table's close frees every seat that is taken."""

    table: str
    seat: int
    patron_id: int | None


@event("rating_estimated")
class RatingEstimated(Event):
    """What a supervisor takes the average bet of a seated patron to be. It moves no money, so in = out = 0."""

    table: str
    seat: int
    patron_id: int
    average_bet_cents: int
    by: str


@event("round_seat_changed")
class RoundSeatChanged(Event):
    """In a round that takes bets, on its own stream: whose wagers at this seat are, from now on (null: unrated)."""

    seat: int
    patron_id: int | None
