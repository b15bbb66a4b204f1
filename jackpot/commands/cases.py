"""What people do about a hit, from its verification to its payment or return: each step appended to the hit's case.

A case is decided on its own stream, so two people who want the same share at once do not both get it.
"""

from collections.abc import Callable, Sequence
from datetime import date
from typing import Any, NamedTuple

from casino import table as tables
from casino.commands.order import Done, Order, Plan, carry_out, house_profile, property_code
from casino.commands.tables import gaming_date, load_round, load_table
from casino.eventstore import store
from casino.eventstore.registry import Event
from casino.eventstore.store import Addition, Stream
from casino.keys import RoundId, case_key, round_key, slip_book_key
from casino.refusal import Refused
from casino.void_events import WinDenied
from jackpot import case as cases
from jackpot.case import Asked, SlipNumber
from jackpot.case_events import PayoutSlipNumbered
from jackpot.case_state import Case, Share
from jackpot.events import JackpotReturned
from jackpot.models import Hit


class CaseId(NamedTuple):
    """Which winners: those of a rank in a round on a link."""

    link: str
    round: RoundId
    rank: str

    @property
    def key(self) -> str:
        """The stream of the case."""
        return case_key(property_code(), self.link, str(self.round), self.rank)


class Opened(NamedTuple):
    """A case as it stands, and the stream that it was read from."""

    case: Case
    stream: Stream


def load_case(case_id: CaseId) -> Opened:
    """The case of a hit that is on record; refuses `unknown_hit`.

    What a hit won is fixed by its record, so it may be read where the fold of the meters has put it.
    """
    where = {"link": case_id.link, "round": str(case_id.round), "rank": case_id.rank}
    known = Hit.objects.filter(**where).exclude(recorded_position=None).order_by("at_position", "nth")
    hits = [] if "\0" in "".join(where.values()) else list(known)
    if not hits:
        raise Refused(
            "unknown_hit", f"No {case_id.rank} of round {case_id.round} is on record as a hit of link {case_id.link}."
        )
    shares = {seat: Share(seat, cents) for hit in hits for seat, cents in zip(hit.seats, hit.shares_cents, strict=True)}
    case = Case(case_id.link, str(case_id.round), case_id.rank, hits[0].gaming_date, _stake_of(case_id), shares)
    stream = store.load(case_id.key)
    return Opened(cases.case_of(case, (recorded.event for recorded in stream.events)), stream)


def _stake_of(case_id: CaseId) -> int:
    """What one chance cost in that round."""
    collected = load_round(case_id.round).collected
    return collected.stake_cents if collected else 0


# ------------------------------------------------------------------------------------------------- the steps


def verify(order: Order, case_id: CaseId, seats: Sequence[int] = (), log_reference: str = "") -> Done:
    """Surveillance has seen the hand and its wagers."""
    return _step(
        order, "verify_hit", case_id, {"seats": list(seats), "log_reference": log_reference},
        lambda case: cases.verify(case, seats, log_reference, order.by, house_profile()),
    )  # fmt: skip


def dispute(order: Order, case_id: CaseId, seats: Sequence[int], reason: str) -> Done:
    """Stop shares that are contested; the other winners of the hit are paid all the same."""
    content = {"seats": list(seats), "reason": reason}
    return _step(order, "dispute_share", case_id, content, lambda case: cases.dispute(case, seats, reason, order.by))


def settle_dispute(order: Order, case_id: CaseId, seats: Sequence[int], ruling: str) -> Done:
    """End a dispute; the shares are verified anew."""
    content = {"seats": list(seats), "ruling": ruling}
    return _step(
        order, "settle_dispute", case_id, content, lambda case: cases.settle_dispute(case, seats, ruling, order.by)
    )


def prepare_payout(order: Order, case_id: CaseId, asked: Asked) -> Done:
    """Write a payout slip under the next number of the book."""

    def plan() -> Plan:
        case, stream = load_case(case_id)
        today = gaming_date(order)
        book = f"payout/{today.year}"
        key = slip_book_key(property_code(), book)
        number = SlipNumber(book, store.version_of(key) + 1)
        events = cases.prepare(case, asked, number, order.by, today, house_profile())
        numbered = PayoutSlipNumbered(book=book, slip=number.slip, case=case_id.key, seat=asked.seat)
        on_book = Addition(key, number.slip - 1, today, [numbered], order.at)
        return Plan([on_book, _addition(order, case_id, stream, events, today)])

    return carry_out(order, "prepare_payout", {"case": case_id.key, **asked._asdict()}, plan)


def approve_payout(order: Order, case_id: CaseId, seat: int, role: str) -> Done:
    """Approve a slip, as somebody of `role`."""
    return _step(
        order, "approve_payout", case_id, {"seat": seat, "role": role},
        lambda case: cases.approve(case, seat, order.by, role, house_profile()),
    )  # fmt: skip


def void_slip(order: Order, case_id: CaseId, seat: int, reason: str) -> Done:
    """Void a slip that was not paid; another one may be prepared."""
    content = {"seat": seat, "reason": reason}
    return _step(
        order, "void_payout_slip", case_id, content, lambda case: cases.void_slip(case, seat, reason, order.by)
    )


def print_slip(order: Order, case_id: CaseId, seat: int) -> Done:
    """Count a printed copy of a slip."""
    return _step(order, "print_payout_slip", case_id, {"seat": seat}, lambda case: cases.printed(case, seat, order.by))


def ask_return(order: Order, case_id: CaseId, seats: Sequence[int], reason: str, because: str) -> Done:
    """Ask that shares be denied, voided or given up as unclaimed."""
    return _step(
        order, "ask_return", case_id, {"seats": list(seats), "reason": reason, "because": because},
        lambda case: cases.ask_return(case, seats, reason, because, order.by, gaming_date(order), house_profile()),
    )  # fmt: skip


def decline_return(order: Order, case_id: CaseId, seats: Sequence[int], because: str) -> Done:
    """Let shares stand though their return was asked for."""
    content = {"seats": list(seats), "because": because}
    return _step(
        order, "decline_return", case_id, content, lambda case: cases.decline_return(case, seats, because, order.by)
    )


def approve_return(order: Order, case_id: CaseId, seats: Sequence[int]) -> Done:
    """Return shares to the meter as it stands now; that nobody has won them is told to their round (books, 5.8)."""

    def plan() -> Plan:
        case, stream = load_case(case_id)
        events = cases.approve_return(case, seats, order.by)
        own = _addition(order, case_id, stream, events, gaming_date(order))
        return Plan([*_told(order, case_id, events), own])

    return carry_out(order, "approve_return", {"case": case_id.key, "seats": list(seats)}, plan)


def _told(order: Order, case_id: CaseId, events: Sequence[Event]) -> list[Addition]:
    """What the round learns of a return; unclaimed shares were won, so it learns nothing of them."""
    id_ = case_id.round
    key = round_key(property_code(), id_)
    denied = [
        WinDenied(
            link=case_id.link, rank=one.rank, seats=one.seats, reason=one.reason, by=one.by,
            approved_by=one.approved_by,
        )
        for one in events
        if isinstance(one, JackpotReturned) and one.reason != "unclaimed"
    ]  # fmt: skip
    if not denied:
        return []
    return [Addition(key, store.version_of(key), id_.gaming_date, denied, order.at, table=id_.table, round_no=id_.n)]


def pay(order: Order, case_id: CaseId, seat: int, cheque: str = "") -> Done:
    """Hand a payout over as its slip says.

    From a tray: the chips leave the table where the hand was dealt, whose session has to be open and stays so until
    this is appended; the payment then belongs to that session's day (books, 4.2 and 5.11).
    """

    def plan() -> Plan:
        case, stream = load_case(case_id)
        events = cases.pay(case, seat, order.by, cheque)
        if case.shares[seat].slip.paid_from != "tray":  # type: ignore[union-attr]  # only what has a slip is paid
            return Plan([_addition(order, case_id, stream, events, gaming_date(order), is_of_table=False)])
        loaded = load_table(case_id.round.table)
        session = tables.opened(loaded.session, case_id.round.table)
        guard = (loaded.session_key, loaded.session_version)
        return Plan([_addition(order, case_id, stream, events, session.gaming_date)], [guard])

    return carry_out(order, "pay_jackpot", {"case": case_id.key, "seat": seat, "cheque": cheque}, plan)


def _step(
    order: Order, name: str, case_id: CaseId, content: dict[str, Any], decide: Callable[[Case], list[Event]]
) -> Done:
    """Decide on the case alone."""

    def plan() -> Plan:
        case, stream = load_case(case_id)
        return Plan([_addition(order, case_id, stream, decide(case), gaming_date(order))])

    return carry_out(order, name, {"case": case_id.key, **content}, plan)


def _addition(
    order: Order, case_id: CaseId, stream: Stream, events: Sequence[Event], day: date, is_of_table: bool = True
) -> Addition:
    """Events of the case; of its table too, but for what cage and cheque pay, which is no table's J."""
    table = case_id.round.table if is_of_table else None
    return Addition(case_id.key, stream.version, day, events, order.at, table=table)
