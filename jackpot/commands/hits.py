"""The one thing that happens by itself: a hit that was found goes on record, once and in its order."""

from collections.abc import Mapping
from typing import Any

from casino.commands.order import Done, Order, Plan, carry_out, property_code
from casino.eventstore import store
from casino.keys import link_key
from jackpot.commands.links import link_addition
from jackpot.events import JackpotHit
from jackpot.models import Hit
from jackpot.projections import hit_of

RECORDER = "jackpot"


def append_due_hits() -> int:
    """Put every hit that is folded but not on record into the log, in the order of the hits; returns how many.

    Safe to run many times and at once: the key of a hit is unique in the log, and nobody appends a link's second hit
    before its first is there. No amount is computed here; the folded one is recorded, and the fold checks it again.
    """
    columns = ("key", "table_code", "gaming_date", "occurred_at", *JackpotHit.__struct_fields__)
    due = Hit.objects.filter(recorded_position=None).order_by("link", "at_position", "nth").values(*columns)
    return sum(not _record_hit(row).replayed for row in due)


def _record_hit(row: Mapping[str, Any]) -> Done:
    """A hit takes its round's date (books, 4.2) and the moment of the hand that won it."""
    hit = hit_of(row)
    order = Order(by=RECORDER, key=row["key"], at=row["occurred_at"], source="settlement")

    def plan() -> Plan:
        key = link_key(property_code(), hit.link)
        return Plan([link_addition(order, key, store.version_of(key), hit, row["table_code"], row["gaming_date"])])

    return carry_out(order, "record_hit", {"hit": repr(hit)}, plan)
