"""The displays for walls: opened to everybody, and closed again."""

from casino.commands.order import Done, Order, Plan, carry_out
from casino.eventstore.store import Stream
from casino.refusal import Refused
from jackpot.commands.links import link_addition, load_link
from jackpot.events import DisplaySwitched


def switch_display(order: Order, code: str, *, is_open: bool) -> Done:
    """Open the display of a link and its levels to everybody, or close it; a new link's is closed.

    Refuses `unknown_link`, `is_a_level` and `display_as_it_is`.
    """

    def plan() -> Plan:
        linked = load_link(code)
        stream = linked.stream
        if linked.terms.level_of:
            first = linked.terms.level_of
            raise Refused("is_a_level", f"Link {code} is a level of {first}; its display shows them together.")
        if _is_open(stream) == is_open:
            state = "open to everybody" if is_open else "closed to whoever has not logged in"
            raise Refused("display_as_it_is", f"The display of link {code} is {state} already.")
        switched = DisplaySwitched(is_open=is_open, by=order.by)
        return Plan([link_addition(order, stream.key, stream.version, switched)])

    return carry_out(order, "switch_display", {"link": code, "is_open": is_open}, plan)


def _is_open(stream: Stream) -> bool:
    switched = [one.event.is_open for one in stream.events if isinstance(one.event, DisplaySwitched)]
    return bool(switched) and switched[-1]
