"""What accounting adds to the record of the floor."""

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
