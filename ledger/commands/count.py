"""What the count team does: the counted drop of a table's day."""

from collections.abc import Sequence
from datetime import date

from casino.commands.order import Done, Order, Plan, carry_out, property_code
from casino.eventstore import store
from casino.eventstore.store import Addition
from casino.keys import check_table_code, session_of, session_prefix, table_key
from casino.money import check_amount
from casino.refusal import Refused
from casino.table import Session, session_after
from ledger.events import DropCounted


def box_key(table: str, gaming_date: date) -> str:
    """The stream of a table's drop box for one gaming day."""
    return f"{property_code()}/box/{table}/{gaming_date.isoformat()}"


def count_drop(order: Order, table: str, gaming_date: date, counted_cents: int, counted_by: Sequence[str] = ()) -> Done:
    """Record the soft count of a table's box; once, after the table's sessions of that day are closed."""

    def plan() -> Plan:
        _check_box(table, gaming_date)
        if counted_cents:
            check_amount(counted_cents, "The counted drop")
        key = box_key(table, gaming_date)
        if store.load(key).version:
            raise Refused("already_counted", f"The box of {table} for {gaming_date} is counted already.")
        event = DropCounted(table=table, counted_cents=counted_cents, counted_by=list(counted_by))
        return Plan([Addition(key, 0, gaming_date, [event], order.at, table=table)])

    content = {
        "table": table,
        "gaming_date": gaming_date,
        "counted_cents": counted_cents,
        "counted_by": list(counted_by),
    }
    return carry_out(order, "count_drop", content, plan)


def _check_box(table: str, gaming_date: date) -> None:
    if not store.load(table_key(property_code(), check_table_code(table))).version:
        raise Refused("unknown_table", f"There is no table {table}; set it up first.")
    latest = store.latest_key(f"{session_prefix(property_code(), table)}{gaming_date.isoformat()}/")
    if latest is None:
        raise Refused("no_session", f"Table {table} was not open on gaming day {gaming_date}, so it has no box.")
    day, number = session_of(latest)
    session = session_after(Session(table, day, number), (r.event for r in store.load(latest).events))
    if session.is_open:
        raise Refused("table_still_open", f"Table {table} is still open for gaming day {gaming_date}; close it first.")
