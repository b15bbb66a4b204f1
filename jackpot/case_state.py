"""A case after its events: the winners of one rank in one round on one link, each with a state of their own. Pure."""

from collections.abc import Mapping, Sequence
from datetime import date

import msgspec
from msgspec.structs import replace

from casino.eventstore.registry import Event
from jackpot import case_events as e
from jackpot.events import JackpotPaid, JackpotReturned

PENDING, VERIFIED, PREPARED, APPROVED, PAID, DISPUTED = (
    "pending", "verified", "prepared", "approved", "paid", "disputed",
)  # fmt: skip
WAYS = ("tray", "cage", "cheque")
"""How a jackpot is paid."""


class Slip(msgspec.Struct, frozen=True):
    """The payout slip in force: its book and number, amount and way, and the approvals that it has (name, role)."""

    book: str
    number: int
    payout_cents: int
    paid_from: str
    document: bool
    by: str
    approvals: tuple[tuple[str, str], ...] = ()
    copies: int = 0


class Share(msgspec.Struct, frozen=True):
    """What one seat won, and how far it has come."""

    seat: int
    amount_cents: int
    state: str = PENDING
    disputed_by: str = ""
    disputed_for: str = ""
    return_asked: e.ReturnRequested | None = None
    slip: Slip | None = None


class Case(msgspec.Struct, frozen=True):
    """The winners of a rank in a round on a link; `gaming_date` is the hit's own, `stake_cents` one wager's price."""

    link: str
    round: str
    rank: str
    gaming_date: date
    stake_cents: int
    shares: Mapping[int, Share] = {}

    def __str__(self) -> str:
        return f"the {self.rank.replace('_', ' ')} of round {self.round} on link {self.link}"


def evolve(case: Case, event: Event) -> Case:
    """The case after one more event."""
    match event:
        case e.ShareVerified():
            return _with(case, event.seats, state=VERIFIED)
        case e.ShareDisputed():
            return _with(case, event.seats, state=DISPUTED, disputed_by=event.by, disputed_for=event.reason)
        case e.DisputeSettled():
            return _with(case, event.seats, state=PENDING, disputed_by="", disputed_for="")
        case e.PayoutPrepared():
            slip = Slip(event.book, event.slip, event.payout_cents, event.paid_from, event.document, event.by)
            return _with(case, [event.seat], state=PREPARED, slip=slip)
        case e.PayoutApproved():
            return _approved(case, event)
        case e.PayoutVoided():
            return _with(case, [event.seat], state=VERIFIED, slip=None)
        case e.PayoutPrinted():
            known = case.shares[event.seat].slip
            return _with(case, [event.seat], slip=known and replace(known, copies=event.copy_number))
        case e.ReturnRequested():
            return _with(case, event.seats, return_asked=event)
        case e.ReturnDeclined():
            return _with(case, event.seats, return_asked=None)
        case JackpotPaid():
            return _with(case, [event.seat], state=PAID)
        case JackpotReturned():
            return _with(case, event.seats, state=event.reason, return_asked=None)
    return case


def _approved(case: Case, event: e.PayoutApproved) -> Case:
    slip = case.shares[event.seat].slip
    assert slip is not None
    approvals = (*slip.approvals, (event.by, event.role))
    state = APPROVED if event.complete else PREPARED
    return _with(case, [event.seat], state=state, slip=replace(slip, approvals=approvals))


def _with(case: Case, seats: Sequence[int], **changes: object) -> Case:
    changed = {seat: replace(case.shares[seat], **changes) for seat in seats}  # type: ignore[arg-type]
    return replace(case, shares={**case.shares, **changed})
