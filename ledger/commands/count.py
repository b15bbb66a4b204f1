"""What the count team does: a count of boxes from its opening to its close, and a count put right afterwards."""

from collections.abc import Callable, Sequence
from dataclasses import asdict
from datetime import date
from typing import Any, NamedTuple

import msgspec

from casino.approval import Approval
from casino.commands.order import Done, Order, Plan, carry_out, house_profile, property_code
from casino.eventstore import store
from casino.eventstore.registry import Event
from casino.eventstore.store import Addition
from casino.keys import check_table_code, session_of, session_prefix, table_key
from casino.money import check_amount
from casino.refusal import Refused, in_quotes
from casino.slips import Person
from casino.table import Session, session_after
from ledger import counts
from ledger.boxes import BoxId, CountId, box_of, collected
from ledger.count_events import Contents, box_key, count_key, drop_key
from ledger.counts import SoftCount, count_after
from ledger.events import DropCounted


class LoadedCount(NamedTuple):
    """A count as its stream has it, with the stream's key and version."""

    soft: SoftCount
    key: str
    version: int


def load_count(wanted: CountId) -> LoadedCount:
    """The count that is named; refuses `unknown_count`."""
    key = count_key(property_code(), wanted.gaming_date.isoformat(), wanted.number)
    stream = store.load(key)
    count = count_after(recorded.event for recorded in stream.events)
    if count is None:
        raise Refused("unknown_count", f"There is no count {wanted}.")
    return LoadedCount(count, key, stream.version)


def counts_of(gaming_date: date) -> list[SoftCount]:
    """All counts of a gaming day's boxes, in the order of their opening."""
    found: list[SoftCount] = []
    while True:
        key = count_key(property_code(), gaming_date.isoformat(), len(found) + 1)
        count = count_after(recorded.event for recorded in store.load(key).events)
        if count is None:
            return found
        found.append(count)


def open_count(order: Order, gaming_date: date, boxes: Sequence[str], team: Sequence[Person]) -> Done:
    """Begin a count of boxes that were collected; no boxes named is all that wait."""

    def plan() -> Plan:
        before = counts_of(gaming_date)
        ready = _ready(gaming_date, before)
        wanted = [box_of(box) for box in boxes] or sorted(ready)
        name = CountId(gaming_date, len(before) + 1)
        event = counts.open_count(str(name), wanted, team, house_profile().boxes.count_team, ready=ready, by=order.by)
        key = count_key(property_code(), gaming_date.isoformat(), name.number)
        return Plan([Addition(key, 0, gaming_date, [event], order.at)])

    content = {"gaming_date": gaming_date, "boxes": list(boxes), "team": [person.name for person in team]}
    return carry_out(order, "open_count", content, plan)


def _ready(gaming_date: date, before: Sequence[SoftCount]) -> set[BoxId]:
    """The boxes that were collected and are in no count."""
    stream = store.load(drop_key(property_code(), gaming_date.isoformat()))
    begun = {box_of(box) for count in before for box in count.boxes}
    return set(collected(recorded.event for recorded in stream.events)) - begun


def count_box(order: Order, wanted: CountId, box: str, contents: Contents, counted_by: str) -> Done:
    """The first count of a box."""
    content = _content(wanted, box, contents) | {"counted_by": counted_by}
    return _in_count(
        order, "count_box", wanted, content, lambda c: counts.count_box(c, box, contents, counted_by, order.by)
    )


def recount_box(order: Order, wanted: CountId, box: str, contents: Contents, counted_by: str) -> Done:
    """The second count of a box; where it agrees with the first, the box's count is done."""
    content = _content(wanted, box, contents) | {"counted_by": counted_by}
    return _in_count(
        order, "recount_box", wanted, content, lambda c: counts.recount_box(c, box, contents, counted_by, order.by)
    )


def record_difference(order: Order, wanted: CountId, box: str, accepted: Contents | str, explanation: str) -> Done:
    """What is accepted where two counts differ: `first`, `second`, or what a third look found."""

    def decide(count: SoftCount) -> Event:
        found = _of_count(count, box, accepted) if isinstance(accepted, str) else accepted
        return counts.record_difference(count, box, found, explanation, order.by)

    plain = accepted if isinstance(accepted, str) else msgspec.to_builtins(accepted)
    content = {"count": str(wanted), "box": box, "accepted": plain, "explanation": explanation}
    return _in_count(order, "record_difference", wanted, content, decide)


def _of_count(count: SoftCount, box: str, which: str) -> Contents:
    if which not in ("first", "second"):
        raise Refused("bad_choice", f"{in_quotes(which)} is no count; accept first or second, or say what was found.")
    if box not in count.second:
        raise Refused("nothing_differs", f"The box {in_quotes(box)} has no two counts in this count yet.")
    return (count.first if which == "first" else count.second)[box].contents


def close_count(order: Order, wanted: CountId) -> Done:
    """The end of a count: from then on the cage counts its currency."""
    return _in_count(order, "close_count", wanted, {"count": str(wanted)}, lambda c: counts.close_count(c, order.by))


def _content(wanted: CountId, box: str, contents: Contents) -> dict[str, Any]:
    return {"count": str(wanted), "box": box, "contents": msgspec.to_builtins(contents)}


def _in_count(
    order: Order, name: str, wanted: CountId, content: dict[str, Any], decide: Callable[[SoftCount], Event]
) -> Done:
    """Add to a count, and to the box's own stream where that ends the box's count."""

    def plan() -> Plan:
        loaded = load_count(wanted)
        event = decide(loaded.soft)
        own = Addition(loaded.key, loaded.version, wanted.gaming_date, [event], order.at)
        return Plan([own, *_box_done(order, wanted, loaded.soft, event)])

    return carry_out(order, name, content, plan)


def _box_done(order: Order, wanted: CountId, before: SoftCount, event: Event) -> list[Addition]:
    box = getattr(event, "box", None)
    after = counts.after(before, event)
    done = counts.drop_counted(after, box) if box else None
    if done is None:
        return []
    key = box_key(property_code(), done.table, wanted.gaming_date.isoformat(), done.number)
    return [Addition(key, store.version_of(key), wanted.gaming_date, [done], order.at, table=done.table)]


def correct_count(order: Order, gaming_date: date, box: str, right: Contents, reason: str, approval: Approval) -> Done:
    """Put a box's count right, after the cage has taken its drop over; two people of the count team."""

    def plan() -> Plan:
        wanted = box_of(box)
        key = box_key(property_code(), wanted.table, gaming_date.isoformat(), wanted.number)
        stream = store.load(key)
        events = [recorded.event for recorded in stream.events]
        before, name = counts.standing(events), next((e.count for e in events if isinstance(e, DropCounted)), "")
        if before is None or not name:
            raise Refused("not_counted", f"The box of {wanted.in_words} was counted in no count of {gaming_date}.")
        count = load_count(CountId(gaming_date, int(name.rpartition("/")[2]))).soft
        event = counts.correct_count(count, wanted, before, right, reason, approval)
        return Plan([Addition(key, stream.version, gaming_date, [event], order.at, table=wanted.table)])

    content = {"gaming_date": gaming_date, "box": box, "right": msgspec.to_builtins(right), "reason": reason}
    return carry_out(order, "correct_count", content | asdict(approval), plan)


# ------------------------------------------------------------------------------------------------- one figure


def count_drop(order: Order, table: str, gaming_date: date, counted_cents: int, counted_by: Sequence[str] = ()) -> Done:
    """A box's count as one figure, for records that come from elsewhere; a count room counts by `open_count`."""

    def plan() -> Plan:
        _check_box(table, gaming_date)
        if counted_cents:
            check_amount(counted_cents, "The counted drop")
        key = box_key(property_code(), table, gaming_date.isoformat())
        if store.load(key).version:
            raise Refused("already_counted", f"The box of {table} for {gaming_date} is counted already.")
        event = DropCounted(table=table, counted_cents=counted_cents, counted_by=list(counted_by))
        return Plan([Addition(key, 0, gaming_date, [event], order.at, table=table)])

    content = {
        "table": table,
        "gaming_date": gaming_date,
        "counted_cents": counted_cents,
        "counted_by": list(counted_by),
    }
    return carry_out(order, "count_drop", content, plan)


def _check_box(table: str, gaming_date: date) -> None:
    if not store.load(table_key(property_code(), check_table_code(table))).version:
        raise Refused("unknown_table", f"There is no table {table}; set it up first.")
    check_closed(table, gaming_date)


def check_closed(table: str, gaming_date: date) -> None:
    """Refuse `no_session` and `table_still_open`: a day's box is pulled once the table's sessions of it are over."""
    latest = store.latest_key(f"{session_prefix(property_code(), check_table_code(table))}{gaming_date.isoformat()}/")
    if latest is None:
        raise Refused("no_session", f"Table {table} was not open on gaming day {gaming_date}, so it has no box.")
    day, number = session_of(latest)
    session = session_after(Session(table, day, number), (r.event for r in store.load(latest).events))
    if session.is_open:
        raise Refused("table_still_open", f"Table {table} is still open for gaming day {gaming_date}; close it first.")
