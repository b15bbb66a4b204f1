"""What the cage may do with chips, checks and its own count. Pure.

The cage's float is derived from events, denomination by denomination. A sale is never refused because the record has
too few chips: they are handed over in view of a camera, and what the record lacks is looked for (an alert says so).
"""

from collections.abc import Mapping, Sequence
from datetime import date

from casino.approval import Approval
from casino.checks import CheckId, Checks, standing
from casino.eventstore.registry import Event, name_of
from casino.house_events import CheckOwed
from casino.money import check_amount, written
from casino.refusal import Refused
from casino.transfers import chips_total
from ledger.boxes import check_text, checked_team
from ledger.cage_events import (
    CageCounted,
    CageEntryVoided,
    ChipsPutInService,
    ChipsRedeemed,
    ChipsSold,
    ChipsTakenOutOfService,
    CounterCheckDeposited,
    CounterCheckRedeemed,
)

SERVICE = {"in": ChipsPutInService, "out": ChipsTakenOutOfService}
VOIDABLE = (
    ChipsSold,
    ChipsRedeemed,
    CounterCheckRedeemed,
    CounterCheckDeposited,
    ChipsPutInService,
    ChipsTakenOutOfService,
)
"""What the cage itself may void; jackpots and winnings are put right where they were won."""
COUNTERS = 2
"""How many people count the cage's chips."""


def sell(chips: Mapping[str, int], patron_id: int | None, by: str) -> ChipsSold:
    """Chips for cash of the same amount."""
    chips_total(chips, "The sale")
    return ChipsSold(chips=dict(chips), patron_id=patron_id, by=by)


def redeem(chips: Mapping[str, int], patron_id: int | None, by: str) -> ChipsRedeemed:
    """Cash for chips of the same amount."""
    chips_total(chips, "The redemption")
    return ChipsRedeemed(chips=dict(chips), patron_id=patron_id, by=by)


def redeem_check(
    checks: Checks, patron_id: int, check: CheckId, chips: Mapping[str, int], cash_cents: int, by: str, key: str
) -> tuple[CounterCheckRedeemed, CheckOwed]:
    """Cash, chips or both on the check that is named; the cage takes any that is owed on (domain, 1.3).

    Refuses `nothing_redeemed`, `no_check` and `more_than_owed`. `key` is the stream of the cage's day.
    """
    if not chips and not cash_cents:
        raise Refused("nothing_redeemed", "A redemption is chips, cash or both; say how much of which.")
    paid = (chips_total(chips, "The chips redeemed") if chips else 0) + cash_cents
    if cash_cents:
        check_amount(cash_cents, "The cash redeemed")
    owed = _owed(checks, patron_id, check)
    if paid > owed.owed_cents:
        raise Refused(
            "more_than_owed",
            f"{written(owed.owed_cents)} is owed on check {check.serial} of {check.year}, less than the "
            f"{written(paid)} given; redeem the rest on another check.",
            owed_cents=owed.owed_cents,
        )
    left = owed.owed_cents - paid
    event = CounterCheckRedeemed(
        chips=dict(chips),
        patron_id=patron_id,
        redeemed=owed.serial,
        issued_on=owed.issued_on,
        cash_cents=cash_cents,
        owed_cents=left,
        by=by,
    )
    return event, standing(owed, left, "redeemed", key)


def deposit_check(
    checks: Checks, patron_id: int, check: CheckId, by: str, key: str
) -> tuple[CounterCheckDeposited, CheckOwed]:
    """All that is owed on the check goes to the patron's bank; refuses `no_check`."""
    owed = _owed(checks, patron_id, check)
    event = CounterCheckDeposited(
        patron_id=patron_id,
        deposited=owed.serial,
        issued_on=owed.issued_on,
        amount_cents=owed.owed_cents,
        by=by,
    )
    return event, standing(owed, 0, "deposited", key)


def _owed(checks: Checks, patron_id: int, check: CheckId) -> CheckOwed:
    owed = checks.get(check)
    if owed is None or not owed.owed_cents:
        raise Refused(
            "no_check", f"Patron {patron_id} has no check {check.serial} of {check.year} that anything is owed on."
        )
    return owed


def put_in_service(way: str, chips: Mapping[str, int], reason: str, approval: Approval) -> Event:
    """Chips into the float ("in") from the store, or out of it ("out"); two people."""
    chips_total(chips, "What is put into service" if way == "in" else "What is taken out of service")
    said = check_text(reason, "Why chips go into or out of service")
    people = {"requested_by": approval.requested_by, "approved_by": approval.approved_by}
    return SERVICE[way](chips=dict(chips), reason=said, **people)


def count(
    counted: Mapping[str, int],
    expected: Mapping[str, int],
    read_up_to: int,
    counted_by: Sequence[str],
    note: str,
    by: str,
) -> CageCounted:
    """The cage's chips as two people counted them; a difference wants a note."""
    if counted:
        chips_total(counted, "The count of the cage")
    found = {chip: cents for chip, cents in counted.items() if cents}
    differs = found != {chip: cents for chip, cents in expected.items() if cents}
    return CageCounted(
        counted=found,
        expected=dict(expected),
        read_up_to=read_up_to,
        counted_by=checked_team(counted_by, COUNTERS, "A count of the cage"),
        note=check_text(note, "A note on what differs") if differs and expected else note.strip()[:300],
        by=by,
    )


def void_entry(events: Sequence[tuple[int, Event]], position: int, reason: str, approval: Approval) -> CageEntryVoided:
    """An entry of the cage that never was. Refuses `unknown_entry` and `already_void`."""
    entry = dict(events).get(position)
    if not isinstance(entry, VOIDABLE):
        raise Refused(
            "unknown_entry",
            f"There is no sale, redemption, deposit or chips in service at position {position} of this day to void.",
        )
    if any(isinstance(event, CageEntryVoided) and event.voids == position for _, event in events):
        raise Refused("already_void", "This entry was voided before; what is right is entered anew.")
    return CageEntryVoided(
        chips={} if isinstance(entry, CounterCheckDeposited) else entry.chips,
        voids=position,
        entry=name_of(entry),  # type: ignore[arg-type]
        patron_id=getattr(entry, "patron_id", None),
        reason=check_text(reason, "Why the entry is void"),
        requested_by=approval.requested_by,
        approved_by=approval.approved_by,
        cash_cents=getattr(entry, "cash_cents", 0),
        check_cents=entry.amount_cents if isinstance(entry, CounterCheckDeposited) else 0,
    )


def owed_again(checks: Checks, entry: Event, voided: CageEntryVoided, key: str) -> CheckOwed:
    """The check as it stands once its redemption or deposit never was."""
    assert isinstance(entry, CounterCheckRedeemed | CounterCheckDeposited)
    serial = entry.redeemed if isinstance(entry, CounterCheckRedeemed) else entry.deposited
    owed = checks[CheckId(date.fromisoformat(entry.issued_on).year, serial)]
    more = voided.total_cents + voided.cash_cents + voided.check_cents
    return standing(owed, owed.owed_cents + more, "corrected", key)
