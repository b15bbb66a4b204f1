"""What accounting adds to the record of the floor."""

from datetime import date

import msgspec

from casino.eventstore.registry import Event, event


@event("drop_counted")
class DropCounted(Event):
    """The soft count of a table's box for a gaming day. in = the drop: a count, the cash was taken before."""

    table: str
    counted_cents: int
    counted_by: list[str]

    @property
    def in_cents(self) -> int:
        return self.counted_cents


def checkpoint_key(property_code: str, gaming_date: date) -> str:
    """The stream of a gaming day's checkpoints."""
    return f"{property_code}/checkpoints/{gaming_date.isoformat()}"


class TableAt(msgspec.Struct, frozen=True):
    """A table's recorded drop and estimated win of its day, in cents, at a checkpoint."""

    drop_cents: int
    win_cents: int


@event("checkpoint_taken")
class CheckpointTaken(Event):
    """Somebody wrote the floor's figures down in mid-shift, to see later what came since. No money moves.

    `read_up_to` is the position of the log of which the figures speak.
    """

    by: str
    note: str
    read_up_to: int
    tables: dict[str, TableAt]
