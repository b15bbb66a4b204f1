"""What the pit writes down in mid-shift: what the day's tables show."""

from collections.abc import Mapping
from datetime import date

from casino.commands.order import Done, Order, Plan, carry_out, property_code
from casino.eventstore import store
from casino.eventstore.store import Addition
from casino.refusal import Refused
from ledger.events import CheckpointTaken, TableAt, checkpoint_key

NOTE_MAX = 200


def take_checkpoint(order: Order, gaming_date: date, tables: Mapping[str, TableAt], read_up_to: int, note: str) -> Done:
    """Write down what the day's tables show; refuses `nothing_to_write_down` and `long_note`."""

    def plan() -> Plan:
        if not tables:
            raise Refused("nothing_to_write_down", f"No table has figures on gaming day {gaming_date} yet.")
        if len(note) > NOTE_MAX:
            raise Refused("long_note", f"A checkpoint's note has at most {NOTE_MAX} letters.")
        key = checkpoint_key(property_code(), gaming_date)
        event = CheckpointTaken(by=order.by, note=note, read_up_to=read_up_to, tables=dict(tables))
        return Plan([Addition(key, store.load(key).version, gaming_date, [event], order.at)])

    # The figures are the house's at that moment and no part of what is asked, so a repeated press is the same order.
    return carry_out(order, "take_checkpoint", {"gaming_date": gaming_date, "note": note}, plan)
