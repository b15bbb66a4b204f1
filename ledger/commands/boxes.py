"""Emergency boxes, and the rounds in which the drop team carries boxes to the count room."""

from collections.abc import Sequence
from datetime import date

from casino import table as tables
from casino.commands.order import Done, Order, Plan, carry_out, house_profile, property_code
from casino.commands.tables import load_table
from casino.eventstore import store
from casino.eventstore.store import Addition
from casino.refusal import Refused
from ledger import boxes
from ledger.boxes import BoxId, box_of, collected
from ledger.boxes_due import boxes_due
from ledger.commands.count import check_closed
from ledger.count_events import box_key, drop_key

EMERGENCY_MAX = 9


def place_emergency_box(order: Order, table: str, mark: str, reason: str) -> Done:
    """An emergency box takes the place of the table's box, which may then be collected while the table plays on."""

    def plan() -> Plan:
        loaded = load_table(table)
        session = tables.opened(loaded.session, table)
        day = session.gaming_date.isoformat()
        number = next((n for n in range(2, EMERGENCY_MAX + 2) if not store.version_of(_key(table, day, n))), None)
        if number is None:
            raise Refused("too_many_boxes", f"Table {table} has {EMERGENCY_MAX} emergency boxes on {day} already.")
        event = boxes.place_emergency_box(table, number, mark, reason, order.by)
        own = Addition(_key(table, day, number), 0, session.gaming_date, [event], order.at, table=table)
        return Plan([own], [(loaded.session_key, loaded.session_version)])

    return carry_out(order, "place_emergency_box", {"table": table, "mark": mark, "reason": reason}, plan)


def _key(table: str, day: str, number: int) -> str:
    return box_key(property_code(), table, day, number)


def collect_boxes(
    order: Order, gaming_date: date, taken: Sequence[str], team: Sequence[str], explanation: str = ""
) -> Done:
    """A round of the drop team: the boxes that were carried, and why those that were due and are not were left."""

    def plan() -> Plan:
        wanted = [box_of(box) for box in taken]
        key = drop_key(property_code(), gaming_date.isoformat())
        stream = store.load(key)
        already = set(collected(recorded.event for recorded in stream.events))
        due = set(boxes_due(gaming_date)) | {box for box in wanted if _may_go(box, gaming_date)}
        event = boxes.collect(
            sorted(due),
            wanted,
            already,
            explanation=explanation,
            team=[order.by, *team],
            least=house_profile().boxes.drop_team,
            by=order.by,
        )
        return Plan([Addition(key, stream.version, gaming_date, [event], order.at)])

    content = {"gaming_date": gaming_date, "taken": list(taken), "team": list(team), "explanation": explanation}
    return carry_out(order, "collect_boxes", content, plan)


def _may_go(box: BoxId, gaming_date: date) -> bool:
    """Whether the box's content is complete by the log itself, which the books may not have read yet."""
    day = gaming_date.isoformat()
    if store.version_of(_key(box.table, day, box.number + 1)):
        return True  # another box took its place
    if box.number > 1 and not store.version_of(_key(box.table, day, box.number)):
        return False  # there never was such an emergency box
    try:
        check_closed(box.table, gaming_date)
    except Refused:
        return False
    return True
