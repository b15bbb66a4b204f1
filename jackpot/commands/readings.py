"""What people and controllers read off a meter, differences explained, and a meter's gaming day reconciled."""

import time
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, date, datetime
from typing import Any
from zoneinfo import ZoneInfo

from django.conf import settings
from django.db.models import Sum

from casino.commands.order import CLOCK_AHEAD_MAX, Done, Order, Plan, carry_out, property_code
from casino.commands.tables import gaming_date
from casino.eventstore import store
from casino.eventstore.registry import Event
from casino.eventstore.store import Addition
from casino.keys import readings_key
from casino.money import cut_to_cent
from casino.refusal import Refused
from casino.table import gaming_date_of
from jackpot import meter as meters
from jackpot.commands.links import load_link
from jackpot.events import MAIN
from jackpot.instants import meter_at
from jackpot.models import DayLine
from jackpot.reading_events import DifferenceExplained, MeterDayReconciled, MeterRead
from jackpot.readings import Readings, readings_of
from jackpot.terms import AMOUNT_CENTS_MAX

PATIENCE_S = 2.0
"""How long a reading waits for the fold."""


def record_reading(order: Order, code: str, shown_cents: int, read_at: datetime, pool: str = MAIN) -> Done:
    """Put a physical reading beside what the meter stood at in that instant."""
    load_link(code)
    if pool not in (meters.MAIN, meters.RESERVE, meters.OVERFLOW):
        raise Refused("unknown_pool", "A meter has main, reserve and overflow; say which of them was read.")
    if not 0 <= shown_cents <= AMOUNT_CENTS_MAX:
        raise Refused("bad_reading", f"{shown_cents} cents is no reading of a meter.")
    if read_at > datetime.now(UTC) + CLOCK_AHEAD_MAX:
        raise Refused(
            "clock_ahead", f"The reading's time, {read_at.isoformat()}, is over two minutes ahead of the house's."
        )

    def decide(readings: Readings) -> Event:
        micros = meters.pools(_when_read(code, read_at))[pool]
        return MeterRead(
            number=len(readings.read) + 1,
            pool=pool,
            shown_cents=shown_cents,
            read_at=read_at.isoformat(),
            meter_micros=micros,
            difference_cents=shown_cents - cut_to_cent(micros),
            by=order.by,
        )

    day = gaming_date_of(read_at, ZoneInfo(settings.TIME_ZONE), settings.CASINO_ROLLOVER_HOUR)
    content = {"shown_cents": shown_cents, "read_at": read_at, "pool": pool}
    return _on_day(order, "record_reading", code, day, content, decide)


def _when_read(code: str, at: datetime) -> meters.Meter:
    """The meter in an instant, which the fold may reach in a moment: a reading is mostly entered at once."""
    end = time.monotonic() + PATIENCE_S
    while True:
        try:
            return meter_at(code, at)
        except Refused as refusal:
            if refusal.code != "meter_behind" or time.monotonic() > end:
                raise
        time.sleep(0.05)


def explain_difference(order: Order, code: str, day: date, number: int, explanation: str) -> Done:
    """Say why a reading and the meter differed."""

    def decide(readings: Readings) -> Event:
        readings.check_explained(number, explanation)
        return DifferenceExplained(number=number, explanation=explanation.strip(), by=order.by)

    content = {"number": number, "explanation": explanation}
    return _on_day(order, "explain_difference", code, day, content, decide)


def is_explained(order: Order, code: str, shown_cents: int, meter_cents: int) -> bool:
    """Whether another person has said today why the sign shows this beside this meter."""
    today = _readings_on(code, gaming_date(order))
    reading = today.differing(shown_cents, shown_cents - meter_cents)
    why = today.explained.get(reading.number) if reading else None
    return why is not None and why.by != order.by


def keep_differing(order: Order, code: str, shown_cents: int) -> None:
    """Put on record what a sign shows that differs from the meter, once.

    A device that says it every few seconds is kept until somebody has explained what it said first.
    """
    now = datetime.now(UTC)
    today = _readings_on(code, gaming_date(order))
    meter_cents = cut_to_cent(_when_read(code, now).main_micros)
    waits = order.source == "feed" and any(one.by == order.by for one in today.unexplained)
    if not waits and today.differing(shown_cents, shown_cents - meter_cents) is None:
        record_reading(replace(order, key=f"{order.key}:reading"), code, shown_cents, now)


def reconcile_day(order: Order, code: str, day: date) -> Done:
    """Sign a meter's gaming day: it is over, the meter was read, and every difference is explained."""
    if day >= gaming_date(order):
        raise Refused("day_not_over", f"Gaming day {day} is not over; reconcile it afterwards.")

    def decide(readings: Readings) -> Event:
        readings.check_reconcilable(code, day)
        closing = DayLine.objects.filter(link=code, account=MAIN, gaming_date__lte=day).aggregate(micros=Sum("micros"))
        return MeterDayReconciled(closing_micros=int(closing["micros"] or 0), by=order.by)

    return _on_day(order, "reconcile_day", code, day, {}, decide)


def _on_day(
    order: Order, name: str, code: str, day: date, content: dict[str, Any], decide: Callable[[Readings], Event]
) -> Done:
    """Decide on the day's readings alone."""

    def plan() -> Plan:
        load_link(code)
        stream = store.load(readings_key(property_code(), code, day))
        event = decide(_after(stream))
        return Plan([Addition(stream.key, stream.version, day, [event], order.at)])

    return carry_out(order, name, {"link": code, "day": day, **content}, plan)


def _readings_on(code: str, day: date) -> Readings:
    return _after(store.load(readings_key(property_code(), code, day)))


def _after(stream: store.Stream) -> Readings:
    return readings_of(recorded.event for recorded in stream.events)
