"""What the cage does with a drop that was counted: its own blind count of the currency, and taking it over."""

from collections.abc import Mapping
from typing import Any

from casino.commands.order import Done, Order, Plan, carry_out
from casino.eventstore.store import Addition
from casino.slips import Person
from ledger import counts
from ledger.boxes import CountId
from ledger.commands.count import load_count


def recount_drop(order: Order, wanted: CountId, currency: Mapping[str, int], person: Person) -> Done:
    """The cashier's count of the currency in bulk; the first is blind, since nothing was shown before."""

    def plan() -> Plan:
        loaded = load_count(wanted)
        event = counts.recount_drop(loaded.soft, currency, person)
        return Plan([Addition(loaded.key, loaded.version, wanted.gaming_date, [event], order.at)])

    content: dict[str, Any] = {"count": str(wanted), "currency": dict(currency), "person": person.name}
    return carry_out(order, "recount_drop", content, plan)


def accept_drop(order: Order, wanted: CountId, cashier: Person, counter: Person, note: str = "") -> Done:
    """The cage takes the currency over by its own last count; one of the count's team signs beside the cashier."""

    def plan() -> Plan:
        loaded = load_count(wanted)
        event = counts.accept_drop(loaded.soft, cashier, counter, note)
        return Plan([Addition(loaded.key, loaded.version, wanted.gaming_date, [event], order.at)])

    content = {"count": str(wanted), "cashier": cashier.name, "counter": counter.name, "note": note}
    return carry_out(order, "accept_drop", content, plan)
