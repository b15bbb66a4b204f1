"""Raising alerts, ending them, and seeing to them by name."""

from datetime import date, datetime

from casino.alert_events import AlertAcknowledged, alert_date, alert_key
from casino.alerts import Finding, alert_of, next_events
from casino.commands.order import Done, Order, Plan, carry_out, property_code
from casino.eventstore import store
from casino.eventstore.store import Addition, Stream
from casino.refusal import Refused

WATCH = "watch"
NOTE_MAX = 200


def _history(stream: Stream) -> list[tuple[datetime, object]]:
    return [(recorded.occurred_at, recorded.event) for recorded in stream.events]


def raise_or_end(now: datetime, gaming_date: date, rule: str, subject: str, finding: Finding | None) -> bool:
    """Record what a rule says now of a subject, if that is news; whether it was.

    Two watches that look at once come to one record: the key names the stream's version that they decided on.
    """
    key = alert_key(property_code(), gaming_date, rule, subject)
    stream = store.load(key)
    events = next_events(alert_of(_history(stream)), finding, rule, subject, now)
    if not events:
        return False
    order = Order(WATCH, f"{key}:{stream.version}", now, source="watch")
    table = finding.table if finding else None
    addition = Addition(key, stream.version, gaming_date, events, now, table=table)
    carry_out(order, "watch", {"key": key, "version": stream.version}, lambda: Plan([addition]))
    return True


def acknowledge(order: Order, key: str, note: str = "", is_false: bool = False) -> Done:
    """See to an alert by name; refuses `unknown_alert`, `already_acknowledged` and `long_note`."""

    def plan() -> Plan:
        stream = store.load(key if key.isprintable() else "")
        alert = alert_of(_history(stream))
        if not stream.version or not alert.was_raised:
            raise Refused("unknown_alert", "There is no such alert; look at the list again.")
        if alert.is_acknowledged:
            raise Refused("already_acknowledged", "Somebody has seen to this alert already; the list says who.")
        if len(note) > NOTE_MAX:
            raise Refused("long_note", f"A note has at most {NOTE_MAX} letters.")
        event = AlertAcknowledged(by=order.by, note=note, is_false=is_false)
        table = stream.events[0].event.table
        return Plan([Addition(key, stream.version, alert_date(key), [event], order.at, table=table)])

    return carry_out(order, "acknowledge_alert", {"key": key, "note": note, "is_false": is_false}, plan)
