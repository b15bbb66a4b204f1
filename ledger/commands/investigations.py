"""Investigating a variance: who looks into it, what was found, how it ended."""

from collections.abc import Callable
from typing import Any

from casino.commands.order import Done, Order, Plan, carry_out, property_code
from casino.eventstore import history, store
from casino.eventstore.store import Addition
from casino.keys import check_table_code, session_key, session_prefix
from casino.refusal import Refused
from ledger import investigation as core
from ledger.clock import gaming_date_now
from ledger.commands.boxes import EMERGENCY_MAX
from ledger.count_events import box_key
from ledger.investigation import Investigation, Subject, Variances
from ledger.investigation_events import investigation_key

COUNTS = {"table_opened", "table_closed", "drop_counted"}
BOXES_MAX = 1 + EMERGENCY_MAX


def open_investigation(order: Order, subject: Subject, variances: Variances, assignee: str, note: str) -> Done:
    """Open one on a table's day or session that there was; refuses `unknown_table_day` and what `core.open_` does."""

    def decide(now: Investigation) -> Any:
        _check_there(subject)
        return core.open_(now, subject, variances, order.by, assignee, note)

    # What the variances were is the house's to know, so it is no part of what is asked.
    return _carry_out(order, "open_investigation", subject, {"assignee": assignee, "note": note}, decide)


def assign(order: Order, subject: Subject, assignee: str) -> Done:
    """Give it to somebody else."""
    content = {"assignee": assignee}
    return _carry_out(
        order, "assign_investigation", subject, content, lambda now: core.assign(now, subject, order.by, assignee)
    )


def note(order: Order, subject: Subject, said: str) -> Done:
    """Write down what was found or done."""
    return _carry_out(
        order, "note_investigation", subject, {"note": said}, lambda now: core.note(now, subject, order.by, said)
    )


def conclude(order: Order, subject: Subject, variances: Variances, conclusion: str, why: str) -> Done:
    """End it with a conclusion; not by somebody whose count it was, where the record says so."""
    content = {"conclusion": conclusion, "note": why}
    return _carry_out(
        order,
        "conclude_investigation",
        subject,
        content,
        lambda now: core.conclude(now, subject, variances, order.by, conclusion, why, counters(subject)),
    )


def reopen(order: Order, subject: Subject, assignee: str, reason: str) -> Done:
    """Take it up again."""
    content = {"assignee": assignee, "reason": reason}
    return _carry_out(
        order,
        "reopen_investigation",
        subject,
        content,
        lambda now: core.reopen(now, subject, order.by, assignee, reason),
    )


def _carry_out(
    order: Order, name: str, subject: Subject, content: dict[str, Any], decide: Callable[[Investigation], Any]
) -> Done:
    check_table_code(subject.table)

    def plan() -> Plan:
        key = investigation_key(property_code(), *subject)
        stream = store.load(key)
        event = decide(core.investigation_of(recorded.event for recorded in stream.events))
        # It is dated to the day on which somebody works at it: the day investigated learns nothing from that.
        addition = Addition(key, stream.version, gaming_date_now(order.at), [event], order.at, table=subject.table)
        return Plan([addition])

    return carry_out(order, name, {"subject": str(subject), **content}, plan)


def _check_there(subject: Subject) -> None:
    prefix = f"{session_prefix(property_code(), subject.table)}{subject.day.isoformat()}/"
    key = session_key(property_code(), subject.table, subject.day, subject.session) if subject.session else None
    if not (store.version_of(key) if key else store.latest_key(prefix)):
        raise Refused("unknown_table_day", f"There is no {subject} to investigate.")


def counters(subject: Subject) -> set[str]:
    """Who counted or entered the counts of tray and box that are investigated, as the record names them."""
    house, table, day = property_code(), subject.table, subject.day
    prefix = f"{session_prefix(house, table)}{day.isoformat()}/"
    last = store.latest_key(prefix)
    numbers = [subject.session] if subject.session else range(1, int(last[-2:]) + 1 if last else 1)
    keys = [session_key(house, table, day, number) for number in numbers]
    keys += [] if subject.session else [box_key(house, table, day.isoformat(), n) for n in range(1, BOXES_MAX + 1)]
    found: set[str] = set()
    for entry in (entry for key in keys for entry in history.of_stream(key) if entry.type in COUNTS):
        found |= {entry.actor, *map(str, entry.content.get("counted_by", ()))}
    return found
