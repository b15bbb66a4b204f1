"""Entries of a session put right, with what else hangs on them: checks owed, instruments used."""

from collections.abc import Mapping
from dataclasses import asdict
from datetime import date

from casino import checks as check_rules
from casino import chips, corrections
from casino import table as tables
from casino.approval import Approval
from casino.commands.checks import owing
from casino.commands.chips import instrument
from casino.commands.order import Done, Order, Plan, carry_out, property_code
from casino.commands.tables import load_round
from casino.corrections import Standing
from casino.eventstore import store
from casino.eventstore.registry import Event
from casino.eventstore.store import Addition
from casino.keys import RoundId, check_table_code, session_of, session_prefix
from casino.refusal import Refused
from casino.session_events import (
    CounterCheckIssued,
    CouponSettled,
    EntryCorrected,
    PitRedemptionTaken,
    PromoTaken,
    WinningsPaidElsewhere,
)
from casino.table import Session


def correct_entry(
    order: Order, code: str, position: int, amounts: Mapping[str, int], reason: str, approval: Approval
) -> Done:
    """Put right the entry at a position of the log: amounts by their names, zeros where it never was.

    The session may be closed and its day gone: the difference is of the entry's own gaming day.
    """

    def plan() -> Plan:
        key = store.find_key_at(position) or ""
        if not key.startswith(session_prefix(property_code(), check_table_code(code))):
            raise Refused("unknown_entry", f"There is no entry of {code} at position {position}.")
        stream = store.load(key)
        day, number = session_of(key)
        session = tables.session_after(Session(code, day, number), (r.event for r in stream.events))
        found = corrections.standing([(r.position, r.event) for r in stream.events], position)
        event = corrections.correct(code, found, amounts, reason, approval)
        own = Addition(key, stream.version, day, [event], order.at, table=code)
        return Plan([*_what_hangs_on_it(order, session, key, found, event), own])

    content = {"table": code, "position": position, "amounts": dict(amounts), "reason": reason, **asdict(approval)}
    return carry_out(order, "correct_entry", content, plan)


def _what_hangs_on_it(
    order: Order, session: Session, key: str, found: Standing, event: EntryCorrected
) -> list[Addition]:
    entry: Event = found.entry
    match entry:
        case CounterCheckIssued():
            return [
                _check(order, session, key, entry.patron_id, entry.serial, event.in_cents, event.after["amount_cents"])
            ]
        case PitRedemptionTaken():
            return [_check(order, session, key, entry.patron_id, entry.redeemed, -event.in_cents, None)]
        case PromoTaken() | CouponSettled():
            return _instrument(order, session, key, entry.serial, event)
        case WinningsPaidElsewhere():
            chips.check_won(load_round(_round(entry.round)), entry.seat, event.after["amount_cents"])
    return []


def _round(text: str) -> RoundId:
    """A round as events write it, like R-01/2026-11-29/17."""
    table, day, n = text.split("/")
    return RoundId(table, date.fromisoformat(day), int(n))


def _check(
    order: Order, session: Session, key: str, patron_id: int, serial: int, more_cents: int, amount_cents: int | None
) -> Addition:
    """The patron's check with as much more owed on it; below zero is refused."""
    known = owing(patron_id)
    event = check_rules.corrected(known.checks, serial, session.gaming_date, more_cents, amount_cents, key)
    return known.after(order, session, event)


def _instrument(order: Order, session: Session, key: str, serial: str, event: EntryCorrected) -> list[Addition]:
    """An instrument that never was taken is good again; one that was taken after all is used up."""
    was, is_ = any(event.before.values()), any(event.after.values())
    if was == is_:
        return []
    paper = instrument(serial)
    if is_:
        chips.check_unused(paper.last)
    return [paper.marked(order, session, key, is_used=is_)]
