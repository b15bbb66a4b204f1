"""Fills and credits put on record after their session was counted, or their gaming day closed."""

from dataclasses import asdict
from datetime import date

from casino import late_transfers as core
from casino import table as tables
from casino.approval import Approval
from casino.commands import books
from casino.commands.order import Done, Order, Plan, carry_out, property_code
from casino.commands.slips import rules_of
from casino.eventstore import store
from casino.eventstore.store import Addition
from casino.keys import check_table_code, session_key
from casino.late_transfers import Numbers, Paper
from casino.refusal import Refused, in_quotes
from casino.table import Session


def record_late_transfer(
    order: Order, code: str, gaming_date: date, session: int, paper: Paper, reason: str, approval: Approval
) -> Done:
    """Put a fill or credit on record as its paper has it, at `order.at`, on the session's own gaming day.

    Refuses `unknown_session`, and what `casino.late_transfers` refuses.
    """

    def plan() -> Plan:
        key = session_key(property_code(), check_table_code(code), gaming_date, session)
        stream = store.load(key)
        if not stream.version:
            raise Refused("unknown_session", f"Table {in_quotes(code)} had no session {session} on {gaming_date}.")
        found = tables.session_after(Session(code, gaming_date, session), (r.event for r in stream.events))
        rules = rules_of(paper.kind)
        asked = books.next_number("request", gaming_date, order.at, code, key)
        slip = books.next_number(paper.kind, gaming_date, order.at, code, key)
        numbers = Numbers(asked.serial, slip.book, slip.serial)
        events = core.late_transfer(found, rules, paper, numbers, order.at, reason, approval)
        own = Addition(key, stream.version, gaming_date, events, order.at, table=code)
        return Plan([asked.addition, slip.addition, own])

    content = {"table": code, "gaming_date": gaming_date, "session": session, **paper._asdict(), "reason": reason}
    return carry_out(order, "record_late_transfer", content | asdict(approval), plan, books.ATTEMPTS)
