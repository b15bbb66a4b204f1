"""The side bet suspended and taken again: by a person, or because a controller or a table's feed fell silent."""

from casino.commands import side_bets
from casino.commands.order import Done, Order, Plan, carry_out
from casino.commands.tables import load_table
from casino.eventstore.store import Addition
from casino.refusal import Refused
from jackpot import control as controls
from jackpot.commands import readings
from jackpot.commands.links import Bank, link_addition, load_bank, load_link, meter_of
from jackpot.control import HOUSE, Control


def stop_link(order: Order, code: str, reason: str, source: str = HOUSE, last_heard_at: str = "") -> Done:
    """Take no more of the bet: in rounds that take bets neither, and with the reason."""

    def plan() -> Plan:
        linked = load_link(code)
        _check_first(linked.control)
        event = controls.stop(linked.control, source, reason, order.by, last_heard_at)
        additions = [link_addition(order, linked.stream.key, linked.stream.version, event)]
        guards: list[tuple[str, int]] = []
        for table in _tables(linked.control, source):
            loaded = load_table(table)
            if linked.terms.bet in loaded.table.suspended:
                continue
            told = side_bets.suspend(order, loaded, linked.terms.bet, event.reason)
            additions += told.additions
            guards += told.guards
        return Plan(additions, guards)

    content = {"link": code, "reason": reason, "source": source, "last_heard_at": last_heard_at}
    return carry_out(order, "stop_link", content, plan)


def resume_link(order: Order, code: str, source: str = HOUSE, shown_cents: int | None = None) -> Done:
    """Take the bet again under the parameters in force, at every table that nothing else stops.

    `shown_cents` is what the sign shows. A controller that fell silent resumes with a reading that is the meter's, or
    that differs for a reason which another person has put on record. Any other is kept as the day's reading, so that
    its difference can be explained, and refused `reading_differs`.
    """

    def plan() -> Plan:
        bank = load_bank(code)
        linked = bank.first
        _check_first(load_link(code).control)
        meter = meter_of(code)
        explained = shown_cents is not None and readings.is_explained(order, code, shown_cents, meter.display_cents)
        event = controls.resume(linked.control, source, shown_cents, meter, order.by, is_explained=explained)
        own = link_addition(order, linked.stream.key, linked.stream.version, event)
        return Plan([*_offers(order, bank, controls.evolve(linked.control, event), source), own])

    content = {"link": code, "source": source, "shown_cents": shown_cents}
    try:
        return carry_out(order, "resume_link", content, plan)
    except Refused as refusal:
        if refusal.code == "reading_differs" and shown_cents is not None:
            readings.keep_differing(order, code, shown_cents)
        raise


def _offers(order: Order, bank: Bank, after: Control, source: str) -> list[Addition]:
    """The bet offered again where nothing else stops it; elsewhere the tables show what does."""
    told = []
    for loaded in map(load_table, _tables(after, source)):
        stops, bet = after.stops_at(loaded.table.code), after.terms.bet
        if not stops:
            told.append(side_bets.offer(order, loaded, bet, bank.pinned()))
        elif loaded.table.suspended.get(bet) != stops[0].reason:
            told.append(side_bets.take_off(order, loaded, bet, stops[0].reason))
    return told


def _tables(control: Control, source: str) -> list[str]:
    """The tables that a source stops: one of its own, or all."""
    if source.startswith("table "):
        return [table for table in sorted(control.tables) if controls.table_source(table) == source]
    return sorted(control.tables)


def _check_first(control: Control) -> None:
    if control.terms.level_of:
        raise Refused("is_a_level", f"Link {control.code} is a level; stop or resume {control.terms.level_of}.")
