"""The form for a table that does not open on a gaming day."""

from zoneinfo import ZoneInfo

from django.conf import settings

from casino import session as sessions
from casino.commands.order import Done, Order, Plan, carry_out, property_code
from casino.commands.tables import gaming_date, load_table
from casino.eventstore import store
from casino.eventstore.store import Addition
from casino.keys import table_key
from casino.session_events import ClosedTableRecorded
from casino.table import gaming_date_of


def record_closed_table(order: Order, code: str) -> Done:
    """Record that the table has not been open on the gaming day, with when it last was; once a day."""

    def plan() -> Plan:
        loaded, day = load_table(code), gaming_date(order)
        stream = store.load(table_key(property_code(), code))
        forms = [r.occurred_at for r in stream.events if isinstance(r.event, ClosedTableRecorded)]
        zone, hour = ZoneInfo(settings.TIME_ZONE), settings.CASINO_ROLLOVER_HOUR
        last_form = gaming_date_of(forms[-1], zone, hour) if forms else None
        event = sessions.closed_table(code, loaded.session, day, last_form, order.by)
        own = Addition(stream.key, stream.version, day, [event], order.at, table=code)
        # Whoever opens the table meanwhile guards this stream, and its last session is as it was.
        return Plan([own], [(loaded.session_key, loaded.session_version)] if loaded.session else [])

    return carry_out(order, "record_closed_table", {"table": code}, plan)
