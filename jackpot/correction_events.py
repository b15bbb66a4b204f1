"""Corrections of a jackpot that is on record, and rounds that became known after a hit. On the link's own stream.

A paid jackpot is corrected and never voided (books, 5.9). Amounts in cents; what a correction moves is said with each.
"""

from casino.eventstore.registry import Event, event


class Corrected(Event, frozen=True):
    """What all corrections say: which winners, why, by what evidence, by which request, and the two people."""

    link: str
    round: str
    rank: str
    seats: tuple[int, ...]
    reason: str
    evidence: str
    request: int
    by: str
    approved_by: str


@event("jackpot_missed")
class JackpotMissed(Corrected, frozen=True):
    """A hand won, and nobody saw it: its winners get what the meter stood at then, below `at_position` (Q).

    Moves Σ `shares_cents` into jackpots payable, at this event's own position: from main as it stands now down to its
    reset, the rest from the house share. No reseed. The fold says how much came from where; main never falls below its
    reset by this. Odd cents are never taken.
    """

    at_position: int
    fraction: str
    before_micros: int
    amount_cents: int
    share_cents: int
    remainder_cents: int
    shares_cents: tuple[int, ...]

    @property
    def out_cents(self) -> int:
        """The house owes the shares from here on."""
        return sum(self.shares_cents)


@event("player_missed")
class PlayerMissed(Corrected, frozen=True):
    """Seats that won with the others of a hit and were left out of its split: each gets the same share.

    Moves `share_cents` × seats from the house share into jackpots payable; no pool moves and no other share changes.
    """

    at_position: int
    fraction: str
    before_micros: int
    share_cents: int

    @property
    def out_cents(self) -> int:
        """The house owes these shares from here on."""
        return self.share_cents * len(self.seats)


@event("jackpot_refilled")
class JackpotRefilled(Corrected, frozen=True):
    """Shares that were paid and were no hit after all: the house refills the meter with them.

    Moves `amount_cents` from the house share into main, as far as its posted limit lets it, the rest into overflow.
    What was paid stays paid, what was reseeded stays, and other hits keep their amounts.
    """

    amount_cents: int


@event("hit_in_between")
class HitInBetween(Event, frozen=True):
    """A feed's round became known after a hit of its link, and had occurred before it (books, 5.10). No money moves.

    Its stakes went to the meter as it stood when they became known, and the hit keeps its price; a person looks at it.
    `hit` is round and rank, `occurred_at` and `hit_at` ISO 8601.
    """

    link: str
    round: str
    hit: str
    stakes_cents: int
    occurred_at: str
    hit_at: str


@event("in_between_settled")
class InBetweenSettled(Event, frozen=True):
    """A person has looked at a round in between, and what came of it. No money moves."""

    round: str
    ruling: str
    by: str
