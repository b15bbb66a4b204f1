"""Counter checks issued and redeemed at a table."""

from typing import NamedTuple

from casino import checks as check_rules
from casino.checks import Checks
from casino.commands import books
from casino.commands.chips import at_table
from casino.commands.order import Done, Order, Plan, carry_out, house_profile, property_code
from casino.commands.patrons import known_patron
from casino.commands.tables import at_session
from casino.eventstore import store
from casino.eventstore.store import Addition
from casino.house_events import CheckOwed
from casino.keys import checks_key
from casino.table import Session

BOOK = "counter_check"
"""The book of checks; each year has one."""


class Owing(NamedTuple):
    """A patron's checks as their own stream has them, and the stream's version."""

    patron_id: int
    checks: Checks
    version: int

    def after(self, order: Order, session: Session, event: CheckOwed) -> Addition:
        """What is owed after an entry."""
        key = checks_key(property_code(), self.patron_id)
        return Addition(key, self.version, session.gaming_date, [event], order.at, table=session.table)


def owing(patron_id: int) -> Owing:
    """What a patron owes, by check."""
    stream = store.load(checks_key(property_code(), patron_id))
    return Owing(patron_id, check_rules.checks_of(r.event for r in stream.events), stream.version)


def issue_check(order: Order, code: str, seat: int, amount_cents: int, patron_id: int | None = None) -> Done:
    """Chips against a counter check of the patron at the seat, under the next number of the year's book."""

    def plan() -> Plan:
        table = at_table(code)
        session, key = table.session, table.loaded.session_key
        patron = known_patron(check_rules.check_patron(session, table.set_up.seats, seat, patron_id)).pk
        number = books.next_number(BOOK, session.gaming_date, order.at, code, key)
        issued, owed = check_rules.issue(
            session,
            table.set_up,
            key,
            serial=number.serial,
            seat=seat,
            patron_id=patron,
            amount_cents=amount_cents,
            by=order.by,
        )
        own = at_session(order, table.loaded, [issued])
        return Plan([number.addition, owing(patron).after(order, session, owed), own])

    content = {"table": code, "seat": seat, "amount_cents": amount_cents, "patron_id": patron_id}
    return carry_out(order, "issue_check", content, plan, books.ATTEMPTS)


def redeem_check(
    order: Order,
    code: str,
    seat: int,
    chips_cents: int = 0,
    cash_cents: int = 0,
    patron_id: int | None = None,
    serial: int | None = None,
) -> Done:
    """Chips to the tray, cash to the box, on the check named or on the patron's newest that the pit may redeem."""

    def plan() -> Plan:
        table = at_table(code)
        session, key = table.session, table.loaded.session_key
        patron = check_rules.check_patron(session, table.set_up.seats, seat, patron_id)
        known = owing(patron)
        taken, owed = check_rules.redeem(
            session,
            table.set_up,
            key,
            known.checks,
            house_profile().counter_checks,
            seat=seat,
            patron_id=patron,
            chips_cents=chips_cents,
            cash_cents=cash_cents,
            serial=serial,
            by=order.by,
        )
        return Plan([known.after(order, session, owed), at_session(order, table.loaded, [taken])])

    content = {
        "table": code,
        "seat": seat,
        "chips_cents": chips_cents,
        "cash_cents": cash_cents,
        "patron_id": patron_id,
        "serial": serial,
    }
    return carry_out(order, "redeem_check", content, plan)
