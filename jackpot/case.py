"""The case of a hit: every share's way from found to paid or returned, and who may take which step. Pure.

    pending -> verified -> prepared -> approved -> paid
    disputed on the way, and pending again once that is settled; denied, void or unclaimed with two people

The requester of anything never approves it, and who approves a slip pays none of it out (books, sections 5 and 7).
Amounts and people by amount are the jurisdiction's (`casino/profile.py`).
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import date, timedelta
from typing import NamedTuple

from casino.eventstore.registry import Event
from casino.money import check_amount, written
from casino.profile import Profile
from casino.refusal import Refused, in_quotes
from casino.roles import PIT_MANAGER
from jackpot import case_events as e
from jackpot.case_state import (
    APPROVED,
    DISPUTED,
    PENDING,
    PREPARED,
    VERIFIED,
    WAYS,
    Case,
    Share,
    Slip,
    evolve,
)
from jackpot.events import RETURN_REASONS, JackpotPaid, JackpotReturned

UNPAID = (PENDING, VERIFIED, PREPARED, APPROVED, DISPUTED)


class Asked(NamedTuple):
    """A payout as somebody asks for a slip: how it is to be paid, and how much where that is not the share."""

    seat: int
    paid_from: str
    requested_cents: int | None = None
    override_reason: str = ""


class SlipNumber(NamedTuple):
    """The next number of a book of slips; a book is a year's."""

    book: str
    slip: int


# ------------------------------------------------------------------------------------------------- verification


def verify(case: Case, seats: Sequence[int], log_reference: str, by: str, rules: Profile) -> list[Event]:
    """Surveillance has seen it; from the profile's amount on with the entry of its own log."""
    shares = _shares(case, seats, PENDING)
    least = rules.jackpots.surveillance_from_cents
    if max(share.amount_cents for share in shares) >= least and not log_reference.strip():
        raise Refused(
            "log_reference_missing",
            f"From {written(least)} on surveillance keeps an entry of its own; give its reference.",
        )
    return [e.ShareVerified(seats=_numbers(shares), log_reference=log_reference.strip(), by=by)]


def dispute(case: Case, seats: Sequence[int], reason: str, by: str) -> list[Event]:
    """Stop these shares; a slip that was prepared for one is void."""
    shares = _shares(case, seats, PENDING, VERIFIED, PREPARED, APPROVED)
    reason = _said(reason, "Say what is disputed")
    void: list[Event] = [
        e.PayoutVoided(slip=share.slip.number, seat=share.seat, reason=f"Disputed: {reason}", by=by)
        for share in shares
        if share.slip
    ]
    return [*void, e.ShareDisputed(seats=_numbers(shares), reason=reason, by=by)]


def settle_dispute(case: Case, seats: Sequence[int], ruling: str, by: str) -> list[Event]:
    """The dispute is over; who raised it doesn't rule on it."""
    shares = _shares(case, seats, DISPUTED)
    for share in shares:
        _other_person(by, share.disputed_by, "raised the dispute")
    return [e.DisputeSettled(seats=_numbers(shares), ruling=_said(ruling, "Say how it is settled"), by=by)]


# ------------------------------------------------------------------------------------------------- the slip


def prepare(case: Case, asked: Asked, number: SlipNumber, by: str, day: date, rules: Profile) -> list[Event]:
    """A payout slip for a verified share. More than the share is an override with a reason, and less is refused."""
    (share,) = _shares(case, [asked.seat], VERIFIED)
    if asked.paid_from not in WAYS:
        raise Refused("unknown_way", f"A jackpot is paid from {', '.join(WAYS)}, not {in_quotes(asked.paid_from)}.")
    override_cents = _override(share, asked)
    payout_cents = share.amount_cents + override_cents
    if payout_cents >= rules.jackpots.cheque_from_cents and asked.paid_from != "cheque":
        least = written(rules.jackpots.cheque_from_cents)
        raise Refused("cheque_required", f"A payout of {written(payout_cents)} is paid by cheque, as from {least} on.")
    return [
        e.PayoutPrepared(
            book=number.book,
            slip=number.slip,
            seat=share.seat,
            share_cents=share.amount_cents,
            stake_cents=case.stake_cents,
            paid_from=asked.paid_from,  # type: ignore[arg-type]  # one of WAYS
            document=rules.needs_payout_document(payout_cents, case.stake_cents, day),
            by=by,
            override_cents=override_cents,
            override_reason=asked.override_reason.strip() if override_cents else "",
        )
    ]


def _override(share: Share, asked: Asked) -> int:
    """What is asked for above the share, in cents."""
    if asked.requested_cents is None or asked.requested_cents == share.amount_cents:
        return 0
    check_amount(asked.requested_cents, "The amount asked for")
    if asked.requested_cents < share.amount_cents:
        raise Refused(
            "below_share",
            f"Seat {share.seat} won {written(share.amount_cents)} and is paid no less; dispute the share instead.",
        )
    _said(asked.override_reason, "Say why more than the share is paid")
    return asked.requested_cents - share.amount_cents


def approve(case: Case, seat: int, by: str, role: str, rules: Profile) -> list[Event]:
    """One approval of a slip, by somebody else than its preparer; from the profile's amount on it needs two people,
    one of them a pit manager."""
    share, slip = _with_slip(case, seat, PREPARED)
    _other_person(by, slip.by, "prepared this slip")
    if by.casefold() in (one.casefold() for one, _ in slip.approvals):
        raise Refused("same_person", f"{by} has approved slip {slip.number} already; somebody else has to.")
    given = [*slip.approvals, (by, role)]
    complete = is_approved(slip.payout_cents, [one for _, one in given], rules)
    return [e.PayoutApproved(slip=slip.number, seat=share.seat, by=by, role=role, complete=complete)]


def is_approved(payout_cents: int, roles: Sequence[str], rules: Profile) -> bool:
    """Whether people of these roles are enough for a payout."""
    if payout_cents < rules.jackpots.second_approval_from_cents:
        return len(roles) >= 1
    return len(roles) >= 2 and PIT_MANAGER in roles


def void_slip(case: Case, seat: int, reason: str, by: str) -> list[Event]:
    """Take a slip out before it is paid; its number stays used."""
    share, slip = _with_slip(case, seat, PREPARED, APPROVED)
    return [e.PayoutVoided(slip=slip.number, seat=share.seat, reason=_said(reason, "Say why the slip is void"), by=by)]


def printed(case: Case, seat: int, by: str) -> list[Event]:
    """One more copy of the slip in hand; the page says whether it is a reprint."""
    share = _share(case, seat)
    if share.slip is None:
        raise Refused("no_slip", f"Seat {seat} has no payout slip to print; prepare one first.")
    return [e.PayoutPrinted(slip=share.slip.number, seat=seat, copy_number=share.slip.copies + 1, by=by)]


def pay(case: Case, seat: int, by: str, cheque: str = "") -> list[Event]:
    """Hand the payout over, as its approved slip says; by cheque with the cheque's number."""
    share, slip = _with_slip(case, seat, APPROVED)
    for approver, _ in slip.approvals:
        _other_person(by, approver, "approved this slip, and who approves doesn't pay")
    if (slip.paid_from == "cheque") != bool(cheque.strip()):
        raise Refused(
            "cheque_number",
            f"Slip {slip.number} is paid from {slip.paid_from}; give a cheque's number with a cheque, and only then.",
        )
    return [
        JackpotPaid(
            round=case.round,
            rank=case.rank,
            seat=seat,
            amount_cents=share.amount_cents,
            paid_from=slip.paid_from,
            slip=slip.number,
            override_cents=slip.payout_cents - share.amount_cents,
            cheque=cheque.strip(),
            by=by,
        )
    ]


# ------------------------------------------------------------------------------------------------- returned


def ask_return(
    case: Case, seats: Sequence[int], reason: str, because: str, by: str, today: date, rules: Profile
) -> list[Event]:
    """Ask that nobody gets these shares: denied, void, or unclaimed once the profile's days have passed."""
    shares = _shares(case, seats, PENDING, VERIFIED, DISPUTED)
    if reason not in RETURN_REASONS:
        known = ", ".join(sorted(RETURN_REASONS))
        raise Refused("unknown_reason", f"A hit is not returned for {in_quotes(reason)}; use one of {known}.")
    due = case.gaming_date + timedelta(days=rules.jackpots.unclaimed_after_days)
    if reason == "unclaimed" and today < due:
        raise Refused("not_unclaimed_yet", f"This hit of {case.gaming_date} is unclaimed from {due} on, not before.")
    because = _said(because, "Say why nobody gets these shares, with the evidence")
    return [e.ReturnRequested(seats=_numbers(shares), reason=reason, because=because, by=by)]


def decline_return(case: Case, seats: Sequence[int], because: str, by: str) -> list[Event]:
    """The shares stand as they did; whoever asked may take it back."""
    shares = _shares(case, seats, *UNPAID, asked=True)
    return [e.ReturnDeclined(seats=_numbers(shares), because=_said(because, "Say why it is declined"), by=by)]


def approve_return(case: Case, seats: Sequence[int], by: str) -> list[Event]:
    """Return what one request asked for, to the meter as it stands now (books, 5.9)."""
    shares = _shares(case, seats, PENDING, VERIFIED, DISPUTED, asked=True)
    requests = {share.return_asked for share in shares}
    if len(requests) > 1:
        raise Refused("several_requests", "These shares were asked for in several requests; approve them one by one.")
    (request,) = requests
    assert request is not None  # _shares has seen to it
    _other_person(by, request.by, "asked for this return")
    return [
        JackpotReturned(
            round=case.round,
            rank=case.rank,
            seats=_numbers(shares),
            amount_cents=sum(share.amount_cents for share in shares),
            reason=request.reason,
            by=request.by,
            approved_by=by,
        )
    ]


# ------------------------------------------------------------------------------------------------- common ground


def case_of(case: Case, events: Iterable[Event]) -> Case:
    """The case after its events."""
    for event in events:
        case = evolve(case, event)
    return case


def _shares(case: Case, seats: Sequence[int], *states: str, asked: bool = False) -> list[Share]:
    """The shares of these seats (of none named: all that are in one of the states), each in one of the states."""
    wanted = list(seats) or [
        s.seat for s in case.shares.values() if s.state in states and bool(s.return_asked) == asked
    ]
    if not wanted:
        raise Refused(f"share_not_{states[0]}", f"No share of {case} is {states[0]}; look at the case again.")
    if len(set(wanted)) != len(wanted):
        raise Refused("seat_twice", "A seat is named twice; name each once.")
    shares = [_share(case, seat) for seat in sorted(wanted)]
    for share in shares:
        _check_state(share, states, asked)
    return shares


def _check_state(share: Share, states: Sequence[str], asked: bool) -> None:
    if share.state not in states:
        raise Refused(
            f"share_not_{states[0]}",
            f"The share of seat {share.seat} is {share.state}; for this it has to be {' or '.join(states)}.",
            state=share.state,
        )
    if share.return_asked and not asked:
        raise Refused(
            "return_asked",
            f"It is asked that the share of seat {share.seat} be {share.return_asked.reason}; decide that first.",
        )
    if asked and not share.return_asked:
        raise Refused("no_return_asked", f"Nobody has asked that the share of seat {share.seat} be returned.")


def _with_slip(case: Case, seat: int, *states: str) -> tuple[Share, Slip]:
    (share,) = _shares(case, [seat], *states)
    assert share.slip is not None  # the states ask for it
    return share, share.slip


def _share(case: Case, seat: int) -> Share:
    if seat not in case.shares:
        raise Refused("no_such_share", f"Seat {seat} has no share in {case}.")
    return case.shares[seat]


def _numbers(shares: Sequence[Share]) -> tuple[int, ...]:
    return tuple(share.seat for share in shares)


def _said(text: str, what: str) -> str:
    if not text.strip():
        raise Refused("reason_missing", f"{what}; it is kept with the case.")
    return text.strip()


def _other_person(by: str, first: str, did: str) -> None:
    if by.casefold() == first.casefold():
        raise Refused("same_person", f"{by} {did}; somebody else has to do this.")


def stands(shares: Mapping[int, Share]) -> bool:
    """Whether a share of the hit is still owed or was paid, or went back as unclaimed: then it was a hit."""
    return any(share.state not in ("denied", "void") for share in shares.values())
