"""What the cage does: chips sold and redeemed, checks redeemed and deposited, chips into and out of service, its count.

Everything is dated by the cage's own clock, not by a table's session (books, 4.2).
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from datetime import date
from typing import Any

from casino.approval import Approval
from casino.checks import CheckId
from casino.commands.checks import owing
from casino.commands.order import Done, Order, Plan, carry_out, property_code
from casino.commands.patrons import known_patron
from casino.commands.tables import gaming_date
from casino.eventstore import store
from casino.eventstore.follower import last_position, position_of, wait_for
from casino.eventstore.registry import Event, name_of
from casino.eventstore.store import Addition
from casino.keys import checks_key
from casino.refusal import Refused
from ledger import cage
from ledger.cage_board import CAGE
from ledger.cage_events import cage_key, service_key
from ledger.models import CageChip, CageEntry

ATTEMPTS = 40
"""How often a command of the cage decides anew: the day's stream is every window's."""


def sell_chips(order: Order, chips: Mapping[str, int], patron_id: int | None = None) -> Done:
    """Chips for cash."""
    content = {"chips": dict(chips), "patron_id": patron_id}
    return _of_patron(order, "sell_chips", content, patron_id, lambda: cage.sell(chips, patron_id, order.by))


def redeem_chips(order: Order, chips: Mapping[str, int], patron_id: int | None = None) -> Done:
    """Cash for chips."""
    content = {"chips": dict(chips), "patron_id": patron_id}
    return _of_patron(order, "redeem_chips", content, patron_id, lambda: cage.redeem(chips, patron_id, order.by))


def _of_patron(
    order: Order, name: str, content: dict[str, Any], patron_id: int | None, decide: Callable[[], Event]
) -> Done:
    def plan() -> Plan:
        if patron_id is not None:
            known_patron(patron_id)
        return Plan([_of_day(order, decide())])

    return carry_out(order, name, content, plan, ATTEMPTS)


def _of_day(order: Order, event: Event) -> Addition:
    """An entry of the cage's gaming day."""
    day = gaming_date(order)
    key = cage_key(property_code(), day.isoformat())
    return Addition(key, store.version_of(key), day, [event], order.at)


def redeem_check(order: Order, patron_id: int, check: CheckId, chips: Mapping[str, int], cash_cents: int = 0) -> Done:
    """A counter check redeemed at the cage, in chips, cash or both; what is owed on it stands with the patron."""

    def plan() -> Plan:
        key = cage_key(property_code(), gaming_date(order).isoformat())
        known = owing(known_patron(patron_id).pk)
        event, owed = cage.redeem_check(known.checks, patron_id, check, chips, cash_cents, order.by, key)
        return Plan([_check(order, patron_id, known.version, owed), _of_day(order, event)])

    content = {"patron_id": patron_id, "check": list(check), "chips": dict(chips), "cash_cents": cash_cents}
    return carry_out(order, "redeem_check_at_cage", content, plan, ATTEMPTS)


def deposit_check(order: Order, patron_id: int, check: CheckId) -> Done:
    """All that is owed on a counter check is presented to the patron's bank."""

    def plan() -> Plan:
        key = cage_key(property_code(), gaming_date(order).isoformat())
        known = owing(known_patron(patron_id).pk)
        event, owed = cage.deposit_check(known.checks, patron_id, check, order.by, key)
        return Plan([_check(order, patron_id, known.version, owed), _of_day(order, event)])

    content = {"patron_id": patron_id, "check": list(check)}
    return carry_out(order, "deposit_check", content, plan, ATTEMPTS)


def _check(order: Order, patron_id: int, version: int, owed: Event) -> Addition:
    """What is owed on the check from now on, on the patron's stream."""
    return Addition(checks_key(property_code(), patron_id), version, gaming_date(order), [owed], order.at)


def put_in_service(order: Order, way: str, chips: Mapping[str, int], reason: str, approval: Approval) -> Done:
    """Chips into service (`in`) or out of it (`out`), by two people of the cage."""
    if way not in cage.SERVICE:
        raise Refused("bad_choice", "Chips go in to service, or out of it; say in or out.")

    def plan() -> Plan:
        key = service_key(property_code())
        event = cage.put_in_service(way, chips, reason, approval)
        return Plan([Addition(key, store.version_of(key), gaming_date(order), [event], order.at)])

    content = {"way": way, "chips": dict(chips), "reason": reason, **asdict(approval)}
    return carry_out(order, "put_in_service", content, plan)


def count_cage(order: Order, counted: Mapping[str, int], counted_by: Sequence[str], note: str = "") -> Done:
    """The cage's chips counted by two people beside what the events so far expect; refuses `not_read`."""

    def plan() -> Plan:
        if not wait_for(CAGE.name, last_position()):
            raise Refused("not_read", "The cage's float has not read the log to its end; try again in a moment.")
        read_up_to = position_of(CAGE.name)
        chips = CageChip.objects.exclude(derived_cents=0).values_list("chip_cents", "derived_cents")
        expected = {str(chip): cents for chip, cents in chips}
        return Plan([_of_day(order, cage.count(counted, expected, read_up_to, counted_by, note, order.by))])

    content = {"counted": dict(counted), "counted_by": list(counted_by), "note": note}
    return carry_out(order, "count_cage", content, plan, ATTEMPTS)


def void_cage_entry(order: Order, day: date, position: int, reason: str, approval: Approval) -> Done:
    """An entry of the cage of that day never was; what is right is entered anew. Two people of the cage."""

    def plan() -> Plan:
        key, version, entries = _stream_of(day, position)
        voided = cage.void_entry(entries, position, reason, approval)
        plan = [Addition(key, version, day, [voided], order.at)]
        if voided.patron_id is not None and voided.entry.startswith("counter_check_"):
            patron = known_patron(voided.patron_id).pk
            known = owing(patron)
            owed = cage.owed_again(known.checks, dict(entries)[position], voided, key)
            plan.append(_check(order, patron, known.version, owed))
        return Plan(plan)

    content = {"day": day, "position": position, "reason": reason, **asdict(approval)}
    return carry_out(order, "void_cage_entry", content, plan, ATTEMPTS)


def _stream_of(day: date, position: int) -> tuple[str, int, list[tuple[int, Event]]]:
    """The stream on which an entry of that day stands, the day's own or that of chips in service."""
    kinds = [name_of(event) for event in cage.SERVICE.values()]
    in_service = CageEntry.objects.filter(gaming_date=day, position=position, kind__in=kinds).exists()
    key = service_key(property_code()) if in_service else cage_key(property_code(), day.isoformat())
    stream = store.load(key)
    return key, stream.version, [(recorded.position, recorded.event) for recorded in stream.events]
