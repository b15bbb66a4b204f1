"""What people did at the table where it is not what the record asks: a payout other than due, a count that is off."""

from casino.eventstore.registry import Event, event


@event("payout_recorded")
class PayoutRecorded(Event):
    """What the dealer did pay on a settled wager, where it differs from what was due; stake included, as in its line.

    `paid_before_cents` is what stood as paid until now: what was due, or what an earlier record said; where the round
    was put right, that with the difference of what is due, which may be below zero. in = paid before, out = paid, so
    that out − in of all records of a wager is its dealer error, paid − due (books, section 2).
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


@event("progressive_miscounted")
class ProgressiveMiscounted(Event):
    """The progressive chips counted are not as many as the wagers that stand: an exception before a card is dealt.

    Nothing is collected by it; the count is asked for again (COMAR 36.05.03.28A).
    """

    counted: int
    wagers: int
