"""The form for a table that does not open on a gaming day."""

from datetime import date

from casino import session as sessions
from casino.commands.order import Done, Order, Plan, carry_out, property_code
from casino.commands.tables import Loaded, gaming_date, load_table
from casino.eventstore import history, store
from casino.eventstore.registry import name_of
from casino.eventstore.store import Addition
from casino.keys import session_of, session_prefix, table_key
from casino.refusal import Refused
from casino.session_events import ClosedTableRecorded
from casino.table import Session, session_after


def record_closed_table(order: Order, code: str, day: date | None = None) -> Done:
    """Record that the table was not open on a gaming day, today unless named, with when it last was; once a day.

    Refuses `day_not_begun` and `table_not_there` besides what the core refuses.
    """

    def plan() -> Plan:
        today = gaming_date(order)
        wanted, loaded = day or today, load_table(code)
        if wanted > today:
            raise Refused("day_not_begun", f"Gaming day {wanted} has not begun; it is {today}.")
        entries = history.of_stream(table_key(property_code(), code))
        if entries[0].gaming_date > wanted:
            raise Refused("table_not_there", f"Table {code} was first set up on {entries[0].gaming_date}.")
        forms = {entry.gaming_date for entry in entries if entry.type == name_of(ClosedTableRecorded)}
        event = sessions.closed_table(code, _last_up_to(loaded, wanted), wanted, wanted in forms, order.by)
        own = Addition(entries[0].key, entries[-1].version, wanted, [event], order.at, table=code)
        # Whoever opens the table meanwhile guards this stream, and its last session is as it was.
        return Plan([own], [(loaded.session_key, loaded.session_version)] if loaded.session else [])

    content = {"table": code} | ({"gaming_date": day.isoformat()} if day else {})
    return carry_out(order, "record_closed_table", content, plan)


def _last_up_to(loaded: Loaded, day: date) -> Session | None:
    """The table's last session of the gaming day or before it."""
    if loaded.session is None or loaded.session.gaming_date <= day:
        return loaded.session
    prefix = session_prefix(property_code(), loaded.table.code)
    key = store.latest_key_below(prefix, f"{prefix}{day.isoformat()}/~")
    if key is None:
        return None
    events = (recorded.event for recorded in store.load(key).events)
    return session_after(Session(loaded.table.code, *session_of(key)), events)
