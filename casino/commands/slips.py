"""Fills and credits: request, withdrawal, slip, signatures, void."""

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import NamedTuple
from zoneinfo import ZoneInfo

from django.conf import settings

from casino import slips
from casino import table as tables
from casino.commands import books
from casino.commands.order import Done, Order, Plan, carry_out, house_profile, property_code
from casino.commands.tables import check_after_opening, load_table
from casino.eventstore import store
from casino.eventstore.registry import Event
from casino.eventstore.store import Addition
from casino.keys import TransferId, check_table_code, session_key
from casino.profile import SlipRules
from casino.refusal import Refused
from casino.slip_events import Kind
from casino.slips import Person
from casino.table import Session
from casino.transfers import Transfer


class LoadedTransfer(NamedTuple):
    """A fill or credit with its session, and the key and version of the session's stream."""

    transfer: Transfer
    session: Session
    key: str
    version: int


def rules_of(kind: Kind) -> SlipRules:
    """The house's rules for fills or for credits."""
    return house_profile().fill if kind == "fill" else house_profile().credit


def load_transfer(slip: TransferId, upto: int | None = None) -> LoadedTransfer:
    """A fill or credit as it stands, or stood at a position of the log; refuses `unknown_slip`."""
    key = session_key(property_code(), check_table_code(slip.table), slip.gaming_date, slip.session)
    stream = store.load(key)
    known = [r.event for r in stream.events if upto is None or r.position <= upto]
    session = tables.session_after(Session(slip.table, slip.gaming_date, slip.session), known)
    if slip.n not in session.transfers:
        raise Refused("unknown_slip", f"There is no fill or credit {slip}.")
    return LoadedTransfer(session.transfers[slip.n], session, key, stream.version)


def _roll_due_at(session: str, rules: SlipRules) -> datetime | None:
    """When the session is due to roll, where the profile has something to say about it."""
    if not rules.none_before_roll_minutes:
        return None
    opened_at = store.load(session).events[0].occurred_at
    return tables.roll_due_at(opened_at, ZoneInfo(settings.TIME_ZONE), settings.CASINO_SHIFTS)


def request_transfer(order: Order, code: str, kind: Kind, denominations: Mapping[str, int], person: Person) -> Done:
    """The floor asks for a fill or a credit, on a request slip with a number of its own."""

    def plan() -> Plan:
        loaded = load_table(code)
        session = tables.opened(loaded.session, code)
        check_after_opening(order, loaded)
        number = books.next_number("request", session.gaming_date, order.at, code, loaded.session_key)
        rules = rules_of(kind)
        due = _roll_due_at(loaded.session_key, rules)
        event = slips.request_transfer(session, rules, kind, denominations, person, number.serial, order.at, due)
        own = Addition(loaded.session_key, loaded.session_version, session.gaming_date, [event], order.at, table=code)
        return Plan([number.addition, own])

    content = {"table": code, "kind": kind, "denominations": denominations, "person": person.name}
    return carry_out(order, "request_transfer", content, plan, books.ATTEMPTS)


def withdraw_request(order: Order, slip: TransferId, person: Person, reason: str) -> Done:
    """Take a request back while it has no slip."""
    content = {"slip": str(slip), "person": person.name, "reason": reason}
    return _on_transfer(order, "withdraw_request", slip, content, lambda t, _: [slips.withdraw(t, person, reason)])


def prepare_slip(order: Order, slip: TransferId, person: Person, counted: Mapping[str, int] | None = None) -> Done:
    """The cashier prepares the slip of a request, under the next number of the book of its kind and year."""

    def plan() -> Plan:
        loaded = load_transfer(slip)
        day, kind = slip.gaming_date, loaded.transfer.kind
        number = books.next_number(kind, day, order.at, slip.table, loaded.key)
        event = slips.prepare(loaded.transfer, person, number.book, number.serial, counted)
        own = Addition(loaded.key, loaded.version, day, [event], order.at, table=slip.table)
        return Plan([number.addition, own])

    content = {"slip": str(slip), "person": person.name, "counted": counted}
    return carry_out(order, "prepare_slip", content, plan, books.ATTEMPTS)


def sign_slip(order: Order, slip: TransferId, person: Person, role: str | None = None) -> Done:
    """One signature, and the move of chips that comes with it; `role` left out is the next that the person can give."""
    content = {"slip": str(slip), "person": person.name, "role": role}
    return _on_transfer(
        order,
        "sign_slip",
        slip,
        content,
        lambda t, session: slips.sign(t, rules_of(t.kind), person, role, session.dealer),
    )


def void_slip(order: Order, slip: TransferId, requested: Person, approved: Person, reason: str) -> Done:
    """Void a slip that is not complete; two people do it, and its number stays used."""
    content = {"slip": str(slip), "requested": requested.name, "approved": approved.name, "reason": reason}
    return _on_transfer(
        order,
        "void_slip",
        slip,
        content,
        lambda t, _: [slips.void(t, rules_of(t.kind), requested, approved, reason)],
    )


def _on_transfer(
    order: Order,
    name: str,
    slip: TransferId,
    content: Mapping[str, object],
    decide: Callable[[Transfer, Session], list[Event]],
) -> Done:
    def plan() -> Plan:
        loaded = load_transfer(slip)
        events = decide(loaded.transfer, loaded.session)
        return Plan([Addition(loaded.key, loaded.version, slip.gaming_date, events, order.at, table=slip.table)])

    return carry_out(order, name, dict(content), plan)
