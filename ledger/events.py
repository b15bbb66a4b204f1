"""What accounting adds to the record of the floor."""

from datetime import date

import msgspec

from casino.eventstore.registry import Event, event


@event("drop_counted")
class DropCounted(Event, frozen=True, omit_defaults=True):
    """A drop box's count is done: what was accepted as its content. in = the drop; the cash was taken before.

    On the box's own stream, once a box. `number` is 1 for the day's box and more for emergency boxes; `count` is the
    count in which it was done. `currency` maps a note's cents, as text, to the cents of all such notes; counter checks
    issued and promotional instruments are counted at face, without regard to whether they are good. `foreign` are
    things found that are no part of the drop, in words, with what they may be worth in cents.
    A box that was recorded as one figure (`count` is "") does not say what it held: see `is_itemised`.
    """

    table: str
    counted_cents: int
    counted_by: list[str]
    number: int = 1
    count: str = ""
    currency: dict[str, int] = {}
    checks_cents: int = 0
    promo_cents: int = 0
    foreign: dict[str, int] = {}

    @property
    def in_cents(self) -> int:
        return self.counted_cents

    @property
    def is_itemised(self) -> bool:
        """Whether the figure is known by instrument."""
        return self.count != ""

    @property
    def currency_cents(self) -> int:
        """What of it was cash; all of it where nobody said what it was."""
        return self.counted_cents - self.checks_cents - self.promo_cents


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
