"""Filing closed days: their totals, digest and seal go on record once, when the books have read their cut."""

from collections.abc import Callable
from datetime import datetime
from functools import partial

from casino.commands.order import Order, Plan, carry_out, property_code
from casino.eventstore import store
from casino.eventstore.follower import seal
from casino.eventstore.store import Addition
from ledger.closing_events import DayFiled, day_key
from ledger.commands.closing import CLOCK
from ledger.day_books import filed_tables, place_of
from ledger.filed import digest_of
from ledger.models import DayClose
from ledger.places import places

SEAL = """
SELECT number, encode(hash, 'hex') AS hash FROM log.seal WHERE from_position <= %s AND to_position >= %s"""


def file_closed_days(now: datetime, balance_at: Callable[[int], str | None]) -> int:
    """File every closed day that is not filed yet; returns how many. Many may run it at once: a day is filed once.

    `balance_at` gives the trial balance's digest at a position, None while the journal has not come to it: the day
    waits for that.
    """
    waiting = DayClose.objects.filter(filed_position=None).order_by("gaming_date")
    ready = [(close, digest) for close in waiting if (digest := balance_at(close.cut)) is not None]
    return sum(file_day(now, close, digest) for close, digest in ready)


def file_day(now: datetime, close: DayClose, trial_balance: str) -> bool:
    """Append the day's `day_filed`; False where it is on record already and the books have yet to read it.

    The books hold the day as it was at the cut, so the totals are the same whenever this runs.
    """
    number, hash_ = _seal_over(close.cut)
    tables = filed_tables(close, partial(place_of, places()))
    event = DayFiled(
        cut=close.cut,
        tables=tables,
        digest=digest_of(close.cut, tables),
        seal=number,
        seal_hash=hash_,
        trial_balance=trial_balance,
    )

    def plan() -> Plan:
        key = day_key(property_code(), close.gaming_date)
        return Plan([Addition(key, store.load(key).version, close.gaming_date, [event], now)])

    order = Order(CLOCK, f"filed:{close.gaming_date}", now, source="clock")
    content = {"gaming_date": close.gaming_date, "cut": close.cut, "digest": event.digest}
    return not carry_out(order, "file_day", content, plan).replayed


def _seal_over(cut: int) -> tuple[int, str]:
    """The seal that lies over a cut; the log is sealed up to its mark first, which the books have not passed."""
    seal()
    row = store.run(SEAL, (cut, cut)).fetchone()
    assert row is not None, f"The cut {cut} is below the mark, and no seal lies over it."
    return row.number, row.hash
