"""Chips against paper at a table, chips against chips, and winnings that the tray does not pay."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from casino import chips
from casino import table as tables
from casino.commands.order import Done, Order, Plan, carry_out, property_code
from casino.commands.tables import Loaded, at_session, load_round, load_table
from casino.events import TableSetUp
from casino.eventstore import store
from casino.eventstore.store import Addition
from casino.house_events import InstrumentMarked
from casino.keys import RoundId, instrument_key
from casino.table import Session


class AtTable(NamedTuple):
    """An open table: what was loaded, its session and its set-up."""

    loaded: Loaded
    session: Session
    set_up: TableSetUp


def at_table(code: str) -> AtTable:
    """The open table; refuses `unknown_table` and `table_closed`."""
    loaded = load_table(code)
    return AtTable(loaded, tables.opened(loaded.session, code), tables.set_up_of(loaded.table))


class Instrument(NamedTuple):
    """A promotional instrument or coupon as its own stream has it, and the stream's version."""

    serial: str
    last: InstrumentMarked | None
    version: int

    def marked(self, order: Order, session: Session, key: str, is_used: bool) -> Addition:
        """It is used up, or good again, by an entry on the session's stream `key`."""
        event = chips.marked(self.serial, is_used, session, key)
        own = instrument_key(property_code(), self.serial)
        return Addition(own, self.version, session.gaming_date, [event], order.at, table=session.table)


def instrument(serial: str) -> Instrument:
    """An instrument by its serial number; refuses `bad_serial`."""
    serial = chips.checked_serial(serial)
    stream = store.load(instrument_key(property_code(), serial))
    return Instrument(serial, stream.events[-1].event if stream.events else None, stream.version)


def take_promo(order: Order, code: str, serial: str, seat: int, face_cents: int) -> Done:
    """Chips against a promotional instrument, which goes into the box; it is good once in the house."""

    def plan() -> Plan:
        table, paper = at_table(code), instrument(serial)
        event = chips.take_promo(table.session, table.set_up.seats, paper.serial, seat, face_cents, order.by)
        chips.check_unused(paper.last)
        used = paper.marked(order, table.session, table.loaded.session_key, is_used=True)
        return Plan([used, at_session(order, table.loaded, [event])])

    content = {"table": code, "serial": serial, "seat": seat, "face_cents": face_cents}
    return carry_out(order, "take_promo", content, plan)


def settle_coupon(
    order: Order, code: str, *, serial: str, kind: str, seat: int, face_cents: int, won: bool, winnings_cents: int = 0
) -> Done:
    """A coupon that won or lost goes into the box at face; what it won is paid in chips."""
    said: dict[str, Any] = {"kind": kind, "seat": seat, "face_cents": face_cents, "won": won}
    said["winnings_cents"] = winnings_cents

    def plan() -> Plan:
        table, paper = at_table(code), instrument(serial)
        event = chips.settle_coupon(table.session, table.set_up.seats, serial=paper.serial, by=order.by, **said)
        chips.check_unused(paper.last)
        used = paper.marked(order, table.session, table.loaded.session_key, is_used=True)
        return Plan([used, at_session(order, table.loaded, [event])])

    return carry_out(order, "settle_coupon", {"table": code, "serial": serial, **said}, plan)


def exchange_chips(
    order: Order, code: str, taken: Mapping[str, int], given: Mapping[str, int], seat: int | None = None
) -> Done:
    """Chips for chips of equal value; the tray's total stands."""

    def plan() -> Plan:
        table = at_table(code)
        event = chips.exchange(table.session, table.set_up.seats, seat, taken, given, order.by)
        return Plan([at_session(order, table.loaded, [event])])

    content = {"table": code, "taken": dict(taken), "given": dict(given), "seat": seat}
    return carry_out(order, "exchange_chips", content, plan)


def pay_elsewhere(order: Order, round_id: RoundId, seat: int, amount_cents: int, paid_by: str) -> Done:
    """Winnings of a settled round that cage or cheque pays, so that the tray keeps these chips."""

    def plan() -> Plan:
        table = at_table(round_id.table)
        round_ = load_round(round_id)
        event = chips.pay_elsewhere(
            table.session, table.loaded.session_key, round_, seat, amount_cents, paid_by, order.by
        )
        return Plan([at_session(order, table.loaded, [event])])

    content = {"round": str(round_id), "seat": seat, "amount_cents": amount_cents, "paid_by": paid_by}
    return carry_out(order, "pay_elsewhere", content, plan)
