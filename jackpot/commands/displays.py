"""The displays for walls: opened to everybody, and closed again."""

from casino.commands.order import Done, Order, Plan, carry_out, property_code
from casino.commands.tables import gaming_date
from casino.eventstore import store
from casino.eventstore.store import Addition
from casino.keys import link_key
from casino.refusal import Refused
from jackpot import terms as rules
from jackpot.events import DisplaySwitched


def switch_display(order: Order, code: str, *, is_open: bool) -> Done:
    """Open the display of a link to everybody, or close it; a new link's is closed.

    Refuses `unknown_link` and `display_as_it_is`.
    """

    def plan() -> Plan:
        key = link_key(property_code(), code)
        stream = store.load(key) if rules.is_link_code(code) else store.Stream("")
        if not stream.version:
            raise Refused("unknown_link", f"There is no link {code}; set it up first.")
        if _is_open(stream) == is_open:
            state = "open to everybody" if is_open else "closed to whoever has not logged in"
            raise Refused("display_as_it_is", f"The display of link {code} is {state} already.")
        switched = DisplaySwitched(is_open=is_open, by=order.by)
        return Plan([Addition(key, stream.version, gaming_date(order), [switched], order.at)])

    return carry_out(order, "switch_display", {"link": code, "is_open": is_open}, plan)


def _is_open(stream: store.Stream) -> bool:
    switched = [one.event.is_open for one in stream.events if isinstance(one.event, DisplaySwitched)]
    return bool(switched) and switched[-1]
