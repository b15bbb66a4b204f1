"""Saying later who a described person was, and which currency reports were filed."""

from datetime import date

from casino.cash import IN, OUT, check_merge
from casino.cash_events import CurrencyReportFiled, PatronMerged, person_key, reports_key
from casino.commands.order import Done, Order, Plan, carry_out, property_code
from casino.commands.patrons import known_patron
from casino.commands.tables import gaming_date
from casino.eventstore import store
from casino.eventstore.store import Addition
from casino.money import check_amount
from casino.refusal import Refused, in_quotes

TEXT_MAX = 200


def merge_patron(order: Order, patron_id: int, into_id: int, reason: str) -> Done:
    """A described patron is another one. Refuses what `check_merge` does, by the log and not by what was read of it."""

    def plan() -> Plan:
        described, _ = known_patron(patron_id), known_patron(into_id)
        check_merge(patron_id, into_id, described.is_described, _merged(patron_id) | _merged(into_id))
        said = _text(reason, "reason_missing", "Say by what the person was known, such as a document shown.")
        event = PatronMerged(patron_id=patron_id, into_id=into_id, reason=said, by=order.by)
        return Plan([Addition(person_key(property_code(), patron_id), 0, gaming_date(order), [event], order.at)])

    content = {"patron_id": patron_id, "into_id": into_id, "reason": reason}
    return carry_out(order, "merge_patron", content, plan)


def _merged(patron_id: int) -> dict[int, int]:
    """Every merge on the way from a patron to who it turned out to be."""
    found: dict[int, int] = {}
    while patron_id not in found and (known := store.load(person_key(property_code(), patron_id)).events):
        found[patron_id] = known[-1].event.into_id
        patron_id = found[patron_id]
    return found


def file_report(order: Order, day: date, patron_id: int, direction: str, amount_cents: int, number: str) -> Done:
    """Record that a currency report was filed; refuses `unknown_direction`, `number_missing` and odd amounts."""

    def plan() -> Plan:
        known_patron(patron_id)
        if direction not in (IN, OUT):
            raise Refused("unknown_direction", f"{in_quotes(direction)} is no direction of cash; it is in or out.")
        check_amount(amount_cents, "The amount of a currency report")
        said = _text(number, "number_missing", "Give the number under which the report was filed.")
        key = reports_key(property_code(), day)
        event = CurrencyReportFiled(
            patron_id=patron_id, direction=direction, amount_cents=amount_cents, number=said, by=order.by
        )
        return Plan([Addition(key, store.load(key).version, day, [event], order.at)])

    content = {
        "day": day, "patron_id": patron_id, "direction": direction, "amount_cents": amount_cents, "number": number,
    }  # fmt: skip
    return carry_out(order, "file_report", content, plan)


def _text(text: str, code: str, sentence: str) -> str:
    text = " ".join(text.split())
    if not text or len(text) > TEXT_MAX or not text.isprintable():
        raise Refused(code, sentence)
    return text
