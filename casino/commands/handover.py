"""A pit handed over from shift to shift."""

from zoneinfo import ZoneInfo

from django.conf import settings

from casino import handover
from casino.commands.order import Done, Order, Plan, carry_out, property_code
from casino.commands.tables import gaming_date
from casino.eventstore import store
from casino.eventstore.store import Addition
from casino.handover import Matters, OpenTable
from casino.keys import pit_key, session_key
from casino.models import TableBoard
from casino.refusal import Refused, in_quotes
from casino.slips import Person
from casino.table import Session, session_after, shift_of


def hand_over(order: Order, pit: str, outgoing: Person, incoming: Person, note: str, patrons_near: int) -> Done:
    """Give a pit to another person, with what is open in it now; `patrons_near` counts who nears a cash threshold.

    Of two who give it over at once the second is refused, since the pit is not theirs any more.
    """

    def plan() -> Plan:
        matters = open_matters(pit, order)
        stream = store.load(pit_key(property_code(), pit))
        last = stream.events[-1].event if stream.events else None
        shift = shift_of(order.at, ZoneInfo(settings.TIME_ZONE), settings.CASINO_SHIFTS)
        event = handover.hand_over(pit, last, shift, outgoing, incoming, note, matters, patrons_near)
        return Plan([Addition(stream.key, stream.version, gaming_date(order), [event], order.at)])

    return carry_out(order, "hand_over", {"pit": pit, "incoming": incoming.name, "note": note}, plan)


def open_matters(pit: str, order: Order) -> Matters:
    """What is open at the pit's tables, from their own streams; refuses `unknown_pit`."""
    boards = list(TableBoard.objects.filter(pit=pit).order_by("table_code")) if pit and "\0" not in pit else []
    if not boards:
        raise Refused("unknown_pit", f"No table stands in pit {in_quotes(pit)}.")
    sessions = {
        session_key(property_code(), board.table_code, board.gaming_date, board.session): Session(
            board.table_code, board.gaming_date, board.session
        )
        for board in boards
        if board.is_open
    }
    streams = store.load_many(list(sessions))
    found = [
        OpenTable(session_after(session, (r.event for r in streams[key].events)), streams[key].events[0].occurred_at)
        for key, session in sessions.items()
    ]
    still_open = [table for table in found if table.session.is_open]
    return handover.matters_of(still_open, order.at, ZoneInfo(settings.TIME_ZONE), settings.CASINO_SHIFTS)
