"""Printed copies of documents. The first is the original; every later one is a reprint and is marked with its number.

Copies are counted on a stream of the document's own, so that a closed session's paper can be printed as well, and a
filed day knows of no late fact because of it.
"""

from zoneinfo import ZoneInfo

from django.conf import settings

from casino.commands.order import Done, Order, Plan, carry_out, property_code
from casino.eventstore import store
from casino.eventstore.store import Addition
from casino.keys import prints_key
from casino.slip_events import SlipPrinted
from casino.table import gaming_date_of


def print_copy(order: Order, document: str, table: str) -> Done:
    """Count the next copy of a document that the caller has found to exist."""

    def plan() -> Plan:
        key = prints_key(property_code(), document)
        printed = store.version_of(key)
        event = SlipPrinted(table=table, document=document, copy_number=printed + 1, by=order.by)
        day = gaming_date_of(order.at, ZoneInfo(settings.TIME_ZONE), settings.CASINO_ROLLOVER_HOUR)
        return Plan([Addition(key, printed, day, [event], order.at, table=table)])

    return carry_out(order, "print_copy", {"document": document, "table": table}, plan)
