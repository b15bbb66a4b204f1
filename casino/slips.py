"""What may be done with a fill or credit: request, prepare, sign, void. Pure.

The pit asks, the cage prepares the slip, security carries the chips, the pit receives them (COMAR 36.05.03.04 and .05).
Who signs in which order, and who signs a void, is the profile's. Chips leave and reach the cage at the cashier's
signature; they reach and leave the tray at the table's last one, by which dealer and floorperson have both seen them.

A slip is prepared over exactly what was requested: the last of the pit compares the two, and what is stored must not
change afterwards. A cage that can't serve it has the request withdrawn, and another one is made.
"""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import NamedTuple

from casino.approval import Approval
from casino.eventstore.registry import Event
from casino.money import written
from casino.profile import SlipRules
from casino.refusal import Refused, in_quotes
from casino.roles import CAGE, DEALER, FLOOR, SECURITY
from casino.slip_events import (
    CreditReceived,
    CreditRemoved,
    FillReceived,
    FillSent,
    Kind,
    SlipPrepared,
    SlipSigned,
    SlipVoided,
    TransferRequested,
    TransferWithdrawn,
)
from casino.table import Session
from casino.transfers import Transfer, chips_total

TABLE_ROLES = (DEALER, FLOOR)
KINDS: tuple[Kind, ...] = ("fill", "credit")
REASON_MAX = 500


class Person(NamedTuple):
    """Somebody who acts on a transfer, with the roles of theirs that count here."""

    name: str
    roles: frozenset[str]

    def is_(self, name: str) -> bool:
        """Whether it is the person of this name; capitals make no other person."""
        return self.name.casefold() == name.casefold()


# ------------------------------------------------------------------------------------------------- the request


def request_transfer(
    session: Session,
    rules: SlipRules,
    kind: Kind,
    denominations: Mapping[str, int],
    person: Person,
    serial: int,
    at: datetime,
    roll_due_at: datetime | None = None,
) -> TransferRequested:
    """Ask for a fill or a credit at an open table; `serial` is the next number of the requests' book.

    Refuses `wrong_role`, `unknown_kind`, `bad_denomination`, `nothing_asked` and `too_near_roll`.
    """
    if kind not in KINDS:
        raise Refused("unknown_kind", f"{in_quotes(kind)} can't be requested; ask for a fill or a credit.")
    _check_role(person, FLOOR, f"request a {kind}")
    total_cents = chips_total(denominations, f"A {kind}")
    _check_roll(session, rules, kind, at, roll_due_at)
    return TransferRequested(
        table=session.table,
        kind=kind,
        transfer=len(session.transfers) + 1,
        serial=serial,
        denominations=dict(denominations),
        total_cents=total_cents,
        by=person.name,
    )


def _check_roll(session: Session, rules: SlipRules, kind: Kind, at: datetime, due: datetime | None) -> None:
    """A profile may forbid transfers from so many minutes before the roll is due until the table has rolled."""
    minutes = rules.none_before_roll_minutes
    if minutes and due is not None and at >= due - timedelta(minutes=minutes):
        raise Refused(
            "too_near_roll",
            f"Table {session.table} is due to roll, and no {kind} is requested in the {minutes} minutes before that; "
            "roll the table first.",
        )


def withdraw(transfer: Transfer, person: Person, reason: str) -> TransferWithdrawn:
    """Take a request back while no slip is prepared of it; its number stays used."""
    _check_role(person, FLOOR, "withdraw a request")
    _check_open(transfer)
    if transfer.slip:
        raise Refused("slip_prepared", f"{transfer.document} is prepared already; void it instead.")
    return TransferWithdrawn(
        table=transfer.requested.table, transfer=transfer.number, reason=_given(reason), by=person.name
    )


# ------------------------------------------------------------------------------------------------- the slip


def prepare(
    transfer: Transfer, person: Person, book: str, serial: int, counted: Mapping[str, int] | None = None
) -> SlipPrepared:
    """The cashier prepares the slip under the next number of the book; `counted` is what lies ready, if it is said.

    Refuses `slip_prepared`, `same_person` for whoever asked, and `slip_differs` where the chips are others.
    """
    _check_role(person, CAGE, "prepare a slip")
    _check_open(transfer)
    if transfer.slip:
        raise Refused("slip_prepared", f"{transfer.document} is prepared already, by {transfer.slip.by}.")
    if person.is_(transfer.requested.by):
        raise Refused("same_person", f"{person.name} asked for this {transfer.kind}; somebody else prepares its slip.")
    if counted is not None and dict(counted) != transfer.denominations:
        raise Refused(
            "slip_differs",
            f"The chips counted out are not those of {transfer.document} over {written(transfer.total_cents)}; count "
            "again, or have the request withdrawn and another one made.",
        )
    return SlipPrepared(
        table=transfer.requested.table,
        kind=transfer.kind,
        transfer=transfer.number,
        book=book,
        serial=serial,
        denominations=transfer.denominations,
        total_cents=transfer.total_cents,
        by=person.name,
    )


def awaited_role(transfer: Transfer, rules: SlipRules) -> str | None:
    """Whose signature comes next; None where no slip is open."""
    if not transfer.is_open or not transfer.slip:
        return None
    signed = len(transfer.signatures)
    return rules.signatures[signed] if signed < len(rules.signatures) else None


def sign(
    transfer: Transfer, rules: SlipRules, person: Person, role: str | None = None, on_duty: str | None = None
) -> list[Event]:
    """One signature, with the move of chips that it makes. `role` left out is the next that the person can give.

    `on_duty` is who deals at the table: the dealer's signature is theirs. Where nobody does, it is any dealer's.
    Refuses, in this order: a slip that is not open; `same_person` who has signed; `wrong_role`; `out_of_order`;
    `same_person` who asked for it, or prepared it for the cage; `not_on_duty`.
    """
    _check_open(transfer)
    slip = transfer.slip
    if slip is None:
        raise Refused("slip_not_prepared", f"{transfer.document} has no slip yet; the cage prepares it first.")
    for signed in transfer.signatures:
        if person.is_(signed.by):
            sentence = f"{person.name} has signed {transfer.document} for {_for(signed.role)}; nobody signs it twice."
            raise Refused("same_person", sentence)
    awaited = awaited_role(transfer, rules)
    assert awaited is not None  # an open slip's last signature has not been given
    role = _role_of(transfer, rules, person, role)
    if role != awaited:
        raise Refused(
            "out_of_order",
            f"{transfer.document} waits for {_for(awaited)} to sign; {_for(role)} comes later.",
            awaited=awaited,
        )
    _check_apart(transfer, rules, person, role)
    if role == DEALER and on_duty is not None and not person.is_(on_duty):
        sentence = f"{on_duty} deals at {slip.table} and signs {transfer.document} for the dealer, not {person.name}."
        raise Refused("not_on_duty", sentence)
    signature = SlipSigned(
        table=slip.table, kind=slip.kind, transfer=slip.transfer, serial=slip.serial, role=role, by=person.name
    )
    return [signature, *_moves(slip, rules, role)]


def may_sign(transfer: Transfer, rules: SlipRules, person: Person, on_duty: str | None = None) -> bool:
    """Whether the next signature may be this person's."""
    try:
        sign(transfer, rules, person, on_duty=on_duty)
    except Refused:
        return False
    return True


def _role_of(transfer: Transfer, rules: SlipRules, person: Person, role: str | None) -> str:
    remaining = rules.signatures[len(transfer.signatures) :]
    if role is None:
        role = next((one for one in remaining if one in person.roles), None)
    if role is None or role not in rules.signatures or role not in person.roles:
        raise Refused(
            "wrong_role",
            f"{transfer.document} is signed by {', '.join(rules.signatures)}, and {person.name} is not of "
            f"{_for(role) if role in rules.signatures else 'those that are left'}.",
        )
    if role not in remaining:
        raise Refused("out_of_order", f"{_for(role).capitalize()} has signed {transfer.document} already.")
    return role


def _check_apart(transfer: Transfer, rules: SlipRules, person: Person, role: str) -> None:
    """Pit, cage and security are different people (domain, 1.11), and the requester never approves (books, 7)."""
    requested = transfer.requested
    if person.is_(requested.by) and not (role == FLOOR and rules.requester_may_verify):
        raise Refused("same_person", f"{person.name} asked for {transfer.document}; somebody else signs it.")
    if transfer.slip and person.is_(transfer.slip.by) and role != CAGE:
        raise Refused("same_person", f"{person.name} prepared {transfer.document} and signs it for the cage only.")


def place_of(rules: SlipRules, role: str) -> str | None:
    """Where a signature moves chips: the cashier's at the cage, the table's last one at the tray, others nowhere."""
    if role == CAGE:
        return "cage"
    return "tray" if role == [one for one in rules.signatures if one in TABLE_ROLES][-1] else None


def _moves(slip: SlipPrepared, rules: SlipRules, role: str) -> list[Event]:
    place = place_of(rules, role)
    if place is None:
        return []
    at_cage_or_tray = (FillSent, FillReceived) if slip.kind == "fill" else (CreditReceived, CreditRemoved)
    move = at_cage_or_tray[place == "tray"]
    return [
        move(
            table=slip.table,
            transfer=slip.transfer,
            serial=slip.serial,
            denominations=slip.denominations,
            total_cents=slip.total_cents,
        )
    ]


# ------------------------------------------------------------------------------------------------- the void


def void(transfer: Transfer, rules: SlipRules, requested: Person, approved: Person, reason: str) -> SlipVoided:
    """Void an open slip by two people; its number stays used, and chips on their way go back where they came from.

    One of the two is of the cage, which prepared it. Where the profile has two sign, one is of security or has had no
    part in the transfer (Kansas 112-108-32(e)).
    """
    _check_open(transfer)
    slip = transfer.slip
    if slip is None:
        raise Refused("slip_not_prepared", f"{transfer.document} has no slip yet; withdraw the request instead.")
    Approval(requested.name, approved.name)  # refuses one person
    _check_voiders(transfer, rules, requested, approved)
    returns_to_tray = transfer.has_left and transfer.kind == "credit"
    return SlipVoided(
        table=slip.table,
        kind=slip.kind,
        transfer=slip.transfer,
        serial=slip.serial,
        reason=_given(reason),
        denominations=slip.denominations,
        total_cents=slip.total_cents,
        tray_cents=slip.total_cents if returns_to_tray else 0,
        was_in_transit=transfer.has_left,
        requested_by=requested.name,
        approved_by=approved.name,
    )


def _check_voiders(transfer: Transfer, rules: SlipRules, *people: Person) -> None:
    allowed = {CAGE, FLOOR} if rules.void_signatures < 2 else {CAGE, FLOOR, SECURITY}
    for person in people:
        if not person.roles & allowed:
            raise Refused("wrong_role", f"{person.name} is of neither {' nor '.join(sorted(allowed))}, who void slips.")
    of_cage = [person for person in people if CAGE in person.roles]
    if not of_cage:
        raise Refused("void_needs_cage", f"One of the two who void {transfer.document} is of the cage.")
    if rules.void_signatures < 2:
        return
    if not any(SECURITY in person.roles or _is_independent(transfer, person) for person in people):
        raise Refused(
            "void_needs_independent",
            f"One of the two who void {transfer.document} is of security or has had no part in it.",
        )


def _is_independent(transfer: Transfer, person: Person) -> bool:
    assert transfer.slip is not None
    names = [transfer.requested.by, transfer.slip.by, *(signed.by for signed in transfer.signatures)]
    return not any(person.is_(name) for name in names)


# ------------------------------------------------------------------------------------------------- refusals


def _check_role(person: Person, role: str, deed: str) -> None:
    if role not in person.roles:
        raise Refused("wrong_role", f"Only {_for(role)} may {deed}, and {person.name} is not of it.")


def _check_open(transfer: Transfer) -> None:
    match transfer.state:
        case "void":
            raise Refused("slip_void", f"{transfer.document} is void.")
        case "complete":
            back = "credit" if transfer.kind == "fill" else "fill"
            raise Refused("slip_complete", f"{transfer.document} is complete; chips go back by a {back}.")
        case "withdrawn":
            raise Refused("request_withdrawn", f"{transfer.document} has been withdrawn; make another request.")


def _given(reason: str) -> str:
    reason = reason.strip()
    if not reason:
        raise Refused("reason_missing", "Say why; the reason is kept with the slip.")
    return reason[:REASON_MAX]


def _for(role: str | None) -> str:
    return {CAGE: "the cage", SECURITY: "security", DEALER: "the dealer", FLOOR: "the floor"}.get(role or "", str(role))
