"""The close of a gaming day as facts, all on the day's own stream: refused, closed, filed."""

from datetime import date

import msgspec

from casino.eventstore.registry import Event, event


def day_key(property_code: str, gaming_date: date) -> str:
    """The stream of a gaming day's close."""
    return f"{property_code}/day/{gaming_date.isoformat()}"


@event("day_close_refused")
class DayCloseRefused(Event):
    """The clock would have closed the day and did not: `open_things` says why, a sentence each. No money moves."""

    open_things: list[str]


@event("day_closed")
class DayClosed(Event, omit_defaults=True):
    """Accounting, or the clock, closed the gaming day: this event's position is the cut (books, 4.4). No money moves.

    Where something was open all the same, `open_things` names it, `reason` says why the day was closed with it, and
    `approved_by` is the second person.
    """

    by: str
    tables: list[str]
    open_things: list[str] = []
    reason: str = ""
    approved_by: str = ""


class FiledTable(msgspec.Struct, frozen=True, omit_defaults=True):
    """A table's day as filed, in cents; None is "not counted by the cut". Names as in `ledger.reconcile.Facts`."""

    pit: str
    game: str
    opener: int
    closer: int | None
    counted_drop: int | None
    recorded_drop: int
    game_result: int
    handle: int
    fills: int = 0
    credits: int = 0
    pit_redemptions: int = 0
    elsewhere: int = 0
    jackpots: int = 0
    errors: int = 0
    between: int = 0


@event("day_filed")
class DayFiled(Event, omit_defaults=True):
    """The totals of a closed day from the facts at or below its `cut`, appended once; reports print them.

    `digest` is `ledger.filed.digest_of` of cut and tables, `seal` and `seal_hash` name the log's seal that lies over
    the cut, and `trial_balance` is the digest of the trial balance at the cut, where a journal is kept. No money moves:
    the totals repeat what other events said.
    """

    cut: int
    tables: dict[str, FiledTable]
    digest: str
    seal: int
    seal_hash: str
    trial_balance: str = ""
