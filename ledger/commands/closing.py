"""Closing a gaming day, by accounting or by the clock, and filing it once the books have read its close."""

from dataclasses import asdict
from datetime import date, datetime
from hashlib import sha256
from zoneinfo import ZoneInfo

from django.conf import settings

from casino.approval import Approval
from casino.commands.order import Done, Order, Plan, carry_out, property_code
from casino.eventstore import store
from casino.eventstore.store import Addition
from casino.refusal import Refused
from ledger.clock import gaming_date_now
from ledger.closing import close, close_due_at
from ledger.closing_events import DayClosed, DayCloseRefused, day_key
from ledger.day_state import days_to_close, decided_on

CLOCK = "clock"
"""Who closes a day at the set hour."""


def close_day(order: Order, gaming_date: date, reason: str = "", approval: Approval | None = None) -> Done:
    """Close a gaming day: the position of its `day_closed` is the cut.

    Over what is open only with a reason and a second person. Refuses `already_closed`, `day_not_begun`, `not_read`, and
    what `ledger.closing.close` refuses.
    """

    def plan() -> Plan:
        key = day_key(property_code(), gaming_date)
        stream = store.load(key)
        check_not_closed(stream, gaming_date)
        _check_begun(gaming_date, order.at)
        event = close(decided_on(gaming_date), order.at, order.by, reason, approval)
        return Plan([Addition(key, stream.version, gaming_date, [event], order.at)])

    content = {"gaming_date": gaming_date, "reason": reason, **(asdict(approval) if approval else {})}
    return carry_out(order, "close_day", content, plan)


def closed_in(stream: store.Stream) -> store.Recorded | None:
    """The record of the day's close on its stream, None while it is open."""
    return next((recorded for recorded in stream.events if isinstance(recorded.event, DayClosed)), None)


def check_not_closed(stream: store.Stream, gaming_date: date) -> None:
    """Refuse `already_closed`: a day never reopens."""
    if known := closed_in(stream):
        sentence = f"Gaming day {gaming_date} was closed by {known.event.by} already; what comes now is an adjustment."
        raise Refused("already_closed", sentence)


def _check_begun(gaming_date: date, at: datetime) -> None:
    if gaming_date > gaming_date_now(at):
        raise Refused("day_not_begun", f"Gaming day {gaming_date} has not begun yet.")


# ------------------------------------------------------------------------------------------------- by the clock


def close_due_days(now: datetime) -> int:
    """Close every day whose hour has come, oldest first, and stop at one that is not ready; how many were closed.

    The clock overrides nothing: what kept it is put on the day's record and raised as an alert, once while it is the
    same. Nothing happens where the house has set no hour.
    """
    hour = settings.CASINO_CLOSE_HOUR
    if hour is None:
        return 0
    done = 0
    zone, rollover = ZoneInfo(settings.TIME_ZONE), settings.CASINO_ROLLOVER_HOUR
    for day in days_to_close():
        if now < close_due_at(day, zone, rollover, hour):
            break
        try:
            close_day(Order(CLOCK, f"close:{day}", now, source="clock"), day)
        except Refused as refusal:
            if refusal.code == "day_not_ready":
                _note_refusal(now, day, refusal)
            break
        done += 1
    return done


def _note_refusal(now: datetime, gaming_date: date, refusal: Refused) -> None:
    sentences = [str(one["sentence"]) for one in refusal.details["open"]]  # type: ignore[attr-defined]
    event = DayCloseRefused(open_things=sentences)

    def plan() -> Plan:
        key = day_key(property_code(), gaming_date)
        stream = store.load(key)
        check_not_closed(stream, gaming_date)
        return Plan([Addition(key, stream.version, gaming_date, [event], now)])

    same = sha256("\n".join(sentences).encode()).hexdigest()[:16]
    order = Order(CLOCK, f"close-refused:{gaming_date}:{same}", now, source="clock")
    carry_out(order, "note_refused_close", {"gaming_date": gaming_date, "open_things": sentences}, plan)
