"""What a dealer did pay, where it is not what was due."""

from casino.eventstore.registry import Event, event


@event("payout_recorded")
class PayoutRecorded(Event):
    """What the dealer did pay on a settled wager, where it differs from what was due; stake included, as in its line.

    `paid_before_cents` is what stood as paid until now: what was due, or what an earlier record said. in = paid
    before, out = paid, so that out − in of all records of a wager is its dealer error, paid − due (books, section 2).
    """

    number: int
    seat: int
    wager: str
    due_cents: int
    paid_before_cents: int
    paid_cents: int
    by: str

    @property
    def in_cents(self) -> int:
        return self.paid_before_cents

    @property
    def out_cents(self) -> int:
        return self.paid_cents
