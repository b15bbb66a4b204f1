"""What people and controllers read off meters, on a stream for each meter and gaming day; none of it moves a pool."""

from casino.eventstore.registry import Event, event


@event("meter_read")
class MeterRead(Event):
    """A physical reading of a pool at `read_at` (ISO 8601), beside what the meter stood at in that instant.

    `number` counts the day's readings of the link. `shown_cents` is what was read; `difference_cents` is that less the
    meter's whole cents.
    """

    number: int
    pool: str
    shown_cents: int
    read_at: str
    meter_micros: int
    difference_cents: int
    by: str


@event("difference_explained")
class DifferenceExplained(Event):
    """Why a reading and the meter differed."""

    number: int
    explanation: str
    by: str


@event("meter_day_reconciled")
class MeterDayReconciled(Event):
    """Accounting has gone over the meter's gaming day: read, differences explained; with what main closed at."""

    closing_micros: int
    by: str
