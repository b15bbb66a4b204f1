"""Counter checks: issued for chips at a table, redeemed in the pit. Pure.

What a patron owes stands on one stream a patron, in the order of issue: of two redemptions at once one is decided
anew, and never more is taken than is owed. Limits of credit are not kept here.
"""

from collections.abc import Iterable, Mapping
from datetime import date
from typing import NamedTuple

from casino.events import TableSetUp
from casino.eventstore.registry import Event
from casino.house_events import CheckOwed
from casino.money import check_amount, written
from casino.profile import CounterCheckRules
from casino.refusal import Refused
from casino.session_events import CounterCheckIssued, PitRedemptionTaken
from casino.table import Session, check_seat


class CheckId(NamedTuple):
    """A check: the year of its book, and its number in it."""

    year: int
    serial: int


Checks = Mapping[CheckId, CheckOwed]
"""A patron's checks in the order of issue, each as it was last said to stand."""


def checks_of(events: Iterable[Event]) -> dict[CheckId, CheckOwed]:
    """A patron's checks after the events of their stream."""
    checks: dict[CheckId, CheckOwed] = {}
    for event in events:
        if isinstance(event, CheckOwed):
            checks[id_of(event)] = event
    return checks


def id_of(check: CheckOwed) -> CheckId:
    """The year and number of a check."""
    return CheckId(date.fromisoformat(check.issued_on).year, check.serial)


def owed_cents(checks: Checks) -> int:
    """All that a patron owes."""
    return sum(check.owed_cents for check in checks.values())


def check_patron(session: Session, seats: int, seat: int, patron_id: int | None) -> int:
    """The patron who signs at a seat: the one named, else the rated one who sits there.

    Refuses `patron_missing`, `seat_of_another` and `seat_out_of_range`.
    """
    check_seat(session.table, seats, seat)
    seated = session.seats.get(seat)
    if patron_id is None and seated is None:
        raise Refused("patron_missing", "A counter check is a patron's: name the patron who signs it.")
    if patron_id is not None and seated is not None and seated != patron_id:
        sentence = f"Patron {seated} sits at seat {seat} of {session.table}, not patron {patron_id}."
        raise Refused("seat_of_another", sentence, patron_id=seated)
    return patron_id if patron_id is not None else int(seated or 0)


def issue(
    session: Session,
    set_up: TableSetUp,
    key: str,
    *,
    serial: int,
    seat: int,
    patron_id: int,
    amount_cents: int,
    by: str,
) -> tuple[CounterCheckIssued, CheckOwed]:
    """Chips against a patron's check, under the next number of the year's book. `key` is the session's stream."""
    check_amount(amount_cents, "A counter check")
    issued = CounterCheckIssued(
        table=session.table, serial=serial, seat=seat, patron_id=patron_id, amount_cents=amount_cents, by=by
    )
    owed = CheckOwed(
        patron_id=patron_id,
        serial=serial,
        issued_on=session.gaming_date.isoformat(),
        table=session.table,
        pit=set_up.pit,
        amount_cents=amount_cents,
        owed_cents=amount_cents,
        because="issued",
        session=key,
    )
    return issued, owed


def redeem(
    session: Session,
    set_up: TableSetUp,
    key: str,
    checks: Checks,
    rules: CounterCheckRules,
    *,
    seat: int,
    patron_id: int,
    chips_cents: int,
    cash_cents: int,
    serial: int | None,
    by: str,
) -> tuple[PitRedemptionTaken, CheckOwed]:
    """Take chips, cash or both on a check: the one named, else the newest that may be redeemed here (domain, 1.3).

    Refuses `nothing_redeemed`, `no_check`, `check_elsewhere` and `more_than_owed`.
    """
    for cents, what in ((chips_cents, "The chips redeemed"), (cash_cents, "The cash redeemed")):
        if cents:
            check_amount(cents, what)
    paid = chips_cents + cash_cents
    if not paid:
        raise Refused("nothing_redeemed", "A redemption is chips, cash or both; say how much of which.")
    check = _chosen(session, set_up, checks, rules, patron_id, serial)
    if paid > check.owed_cents:
        raise Refused(
            "more_than_owed",
            f"{written(check.owed_cents)} is owed on check {check.serial}, less than the {written(paid)} given; "
            "redeem the rest on another check.",
            owed_cents=check.owed_cents,
        )
    left = check.owed_cents - paid
    taken = PitRedemptionTaken(
        table=session.table,
        redeemed=check.serial,
        issued_at_table=check.table,
        seat=seat,
        patron_id=patron_id,
        chips_cents=chips_cents,
        cash_cents=cash_cents,
        owed_cents=left,
        by=by,
    )
    return taken, standing(check, left, "redeemed", key)


def corrected(checks: Checks, serial: int, day: date, more_cents: int, amount_cents: int | None, key: str) -> CheckOwed:
    """The check with as much more owed on it by a correction of its issue or of a redemption on gaming day `day`.

    Refuses `less_than_nothing_owed`. `amount_cents` is what it was issued for, where that is what was wrong.
    """
    check = [one for one in checks.values() if one.serial == serial and one.issued_on <= day.isoformat()][-1]
    left = check.owed_cents + more_cents
    if left < 0:
        raise Refused(
            "less_than_nothing_owed",
            f"{written(check.owed_cents)} is owed on check {serial}, and {written(-more_cents)} would come off it; "
            "first correct what was redeemed.",
        )
    return standing(check, left, "corrected", key, amount_cents)


def standing(check: CheckOwed, owed: int, because: str, key: str, amount_cents: int | None = None) -> CheckOwed:
    """The check as it stands after an entry on the session's stream `key`."""
    return CheckOwed(
        patron_id=check.patron_id,
        serial=check.serial,
        issued_on=check.issued_on,
        table=check.table,
        pit=check.pit,
        amount_cents=check.amount_cents if amount_cents is None else amount_cents,
        owed_cents=owed,
        because=because,  # type: ignore[arg-type]
        session=key,
    )


def _chosen(
    session: Session, set_up: TableSetUp, checks: Checks, rules: CounterCheckRules, patron_id: int, serial: int | None
) -> CheckOwed:
    wanted = [one for one in checks.values() if one.owed_cents and serial in (None, one.serial)]
    if not wanted:
        which = f"no check {serial} that anything" if serial else "no check that anything"
        raise Refused("no_check", f"Patron {patron_id} has {which} is owed on.")
    here = [one for one in wanted if _is_redeemed_here(one, session, set_up, rules)]
    if not here:
        raise Refused(
            "check_elsewhere",
            f"Check {wanted[-1].serial} was issued at {wanted[-1].table} on {wanted[-1].issued_on}; a pit redeems "
            "its own checks on their gaming day, the cage any.",
        )
    return here[-1]


def _is_redeemed_here(check: CheckOwed, session: Session, set_up: TableSetUp, rules: CounterCheckRules) -> bool:
    if rules.redeemed_in_pit == "anywhere":
        return True
    same_pit = check.table == session.table or (check.pit == set_up.pit != "")
    return same_pit and check.issued_on == session.gaming_date.isoformat()
