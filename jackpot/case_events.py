"""What people do about a hit, on the stream of its case: one case for the winners of a rank in a round on a link.

The record of the hit itself stands on the link's stream. Every share has a way of its own: verified by surveillance,
a payout slip prepared, approved, paid; or disputed, denied, void, unclaimed (books, section 5).
"""

from typing import Literal

from casino.eventstore.registry import Event, event

PaidFrom = Literal["tray", "cage", "cheque"]


@event("share_verified")
class ShareVerified(Event):
    """Surveillance has seen the hand and its wagers. `log_reference` is its own log's entry, "" where none is due."""

    seats: tuple[int, ...]
    log_reference: str
    by: str


@event("share_disputed")
class ShareDisputed(Event):
    """Something about these shares is contested; nothing is paid on them until it is settled."""

    seats: tuple[int, ...]
    reason: str
    by: str


@event("dispute_settled")
class DisputeSettled(Event):
    """The dispute is over and the shares are looked at anew, from verification on."""

    seats: tuple[int, ...]
    ruling: str
    by: str


@event("payout_prepared")
class PayoutPrepared(Event, omit_defaults=True):
    """A payout slip for one winner, under the next number of its book; nothing on it changes afterwards.

    `override_cents` is what is asked for above the share; the house pays that. `document` says that the payout needs
    a payout document and a W-2G mark, by `least_cents` of the day and so many times the stake.
    """

    book: str
    slip: int
    seat: int
    share_cents: int
    stake_cents: int
    paid_from: PaidFrom
    document: bool
    by: str
    override_cents: int = 0
    override_reason: str = ""

    @property
    def payout_cents(self) -> int:
        """What the winner gets."""
        return self.share_cents + self.override_cents


@event("payout_approved")
class PayoutApproved(Event):
    """One person other than the preparer approves a slip; `complete` once as many have as its amount asks for."""

    slip: int
    seat: int
    by: str
    role: str
    complete: bool


@event("payout_voided")
class PayoutVoided(Event):
    """A slip is void before it was paid, and keeps its number; another one may be prepared."""

    slip: int
    seat: int
    reason: str
    by: str


@event("payout_printed")
class PayoutPrinted(Event):
    """A copy of a slip was printed; every copy after the first is a reprint and marked as one."""

    slip: int
    seat: int
    copy_number: int
    by: str


@event("return_requested")
class ReturnRequested(Event):
    """Somebody asks that shares be denied, voided or given up as unclaimed; another person decides."""

    seats: tuple[int, ...]
    reason: str
    because: str
    by: str


@event("return_declined")
class ReturnDeclined(Event):
    """A request to return shares is declined or taken back; they stand as they did."""

    seats: tuple[int, ...]
    because: str
    by: str


@event("payout_slip_numbered")
class PayoutSlipNumbered(Event):
    """On the book of a year's payout slips: the number `slip` went to a seat of this case. It is the book's version."""

    book: str
    slip: int
    case: str
    seat: int
