"""Sentences for what happens at a table besides its rounds, and for what the house keeps of more than one table."""

from collections.abc import Callable, Mapping
from typing import Any

from casino.templatetags.figures import money, words

Content = dict[str, Any]


def chips(denominations: Mapping[str, int]) -> str:
    """{"2500": 50000, "500": 10000} → "20 × 25.00 and 20 × 5.00", the dearest first."""
    dearest = sorted(denominations.items(), key=lambda one: -int(one[0]))
    said = [f"{cents // int(chip)} × {money(int(chip))}" for chip, cents in dearest if cents]
    return " and ".join([", ".join(said[:-1]), said[-1]] if len(said) > 1 else said)


def _opener_variance_found(c: Content) -> str:
    due = f"; an incident report within {c['incident_report_hours']} hours" if c["incident_report_hours"] else ""
    return (
        f"Error notification {c['serial']}: the opener counted is {money(c['counted_cents'])}, the closer carried "
        f"{money(c['carried_cents'])} ({c['explanation']}); told {' and '.join(c['notified'])}{due}"
    )


def _closed_table_recorded(c: Content) -> str:
    last = f"last open on {c['last_open']}" if c["last_open"] else "never open"
    left = f", closed with {money(c['closer_cents'])}" if c["closer_cents"] is not None else ""
    return f"Closed table form by {c['by']}: {last}{left}"


def _limits_announced(c: Content) -> str:
    posted = ", ".join(
        f"{words(bet)} {money(limit['min_cents'])} to {money(limit['max_cents'])}" for bet, limit in c["limits"].items()
    )
    where = "where somebody played" if c["occupied"] else "where nobody played"
    since = c["effective_at"][:16].replace("T", " ")
    return f"Limits announced by {c['by']} {where}, from {since} on: {posted or 'none'}"


def _dealer_on(c: Content) -> str:
    return f"Dealer {c['dealer']} takes the table{' in relief of ' + c['relieves'] if c['relieves'] else ''}"


def _deck_moved(c: Content) -> str:
    move = {"in": "came to the table", "counted": "was counted", "out": "left the table"}[c["move"]]
    why = f": {c['reason']}" if c["reason"] else ""
    return f"Deck {c['deck']} {move}, {c['cards']} cards{why}"


def _pit_redemption_taken(c: Content) -> str:
    parts = (("chips_cents", "chips"), ("cash_cents", "cash"))
    paid = " and ".join(f"{money(c[name])} in {what}" for name, what in parts if c[name])
    owed = money(c["owed_cents"])
    return f"Counter check {c['redeemed']} redeemed at seat {c['seat']} with {paid}; {owed} is owed on it"


def _coupon_settled(c: Content) -> str:
    end = f"won {money(c['winnings_cents'])}" if c["won"] else "lost"
    return f"{words(c['kind']).capitalize()} coupon {c['serial']} of {money(c['face_cents'])} at seat {c['seat']} {end}"


def _chips_exchanged(c: Content) -> str:
    seat = f" at seat {c['seat']}" if c["seat"] else ""
    return f"Chips exchanged{seat}: {chips(c['taken'])} taken, {chips(c['given'])} given"


def _entry_corrected(c: Content) -> str:
    changes = ", ".join(
        f"{words(name.removesuffix('_cents'))} {money(c['before'][name])} → {money(c['after'][name])}"
        for name in c["after"]
        if c["before"][name] != c["after"][name]
    )
    return (
        f"Entry {c['corrects']} ({words(c['entry'])}) corrected, {changes} (asked by {c['requested_by']}, approved by "
        f"{c['approved_by']}): {c['reason']}"
    )


def _transfer_requested(c: Content) -> str:
    return f"{c['kind'].capitalize()} of {money(c['total_cents'])} requested by {c['by']} on request {c['serial']}"


def _slip_voided(c: Content) -> str:
    return (
        f"{c['kind'].capitalize()} slip {c['serial']} of {money(c['total_cents'])} voided (asked by {c['requested_by']}"
        f"{', approved by ' + c['approved_by'] if c['approved_by'] else ''}): {c['reason']}"
    )


def _moved(what: str) -> Callable[[Content], str]:
    return lambda c: f"{what.format(money(c['total_cents']))}, slip {c['serial']}"


def _shift_handed_over(c: Content) -> str:
    counts = ((len(c["tables_open"]), "open tables"), (len(c["transfers"]), "slips that wait"))
    matters = ", ".join(f"{n} {what}" for n, what in (*counts, (c["patrons_near"], "patrons near a threshold")))
    note = f". {c['note']}" if c["note"] else ""
    return f"Pit {c['pit']} handed over by {c['outgoing']} to {c['incoming']}: {matters}{note}"


def _counter_check_issued(c: Content) -> str:
    amount = money(c["amount_cents"])
    return f"Counter check {c['serial']} of {amount} issued to patron {c['patron_id']} at seat {c['seat']}"


SENTENCES: dict[str, Callable[[Content], str]] = {
    "opener_variance_found": _opener_variance_found,
    "closed_table_recorded": _closed_table_recorded,
    "limits_announced": _limits_announced,
    "dealer_on": _dealer_on,
    "dealer_off": lambda c: f"Dealer {c['dealer']} leaves the table",
    "deck_moved": _deck_moved,
    "counter_check_issued": _counter_check_issued,
    "pit_redemption_taken": _pit_redemption_taken,
    "promo_taken": lambda c: (
        f"Promotional instrument {c['serial']} of {money(c['face_cents'])} taken for chips at seat {c['seat']}"
    ),
    "coupon_settled": _coupon_settled,
    "chips_exchanged": _chips_exchanged,
    "winnings_paid_elsewhere": lambda c: (
        f"Winnings of {money(c['amount_cents'])} of seat {c['seat']} in round {c['round']} paid by {c['paid_by']}"
    ),
    "entry_corrected": _entry_corrected,
    "transfer_requested": _transfer_requested,
    "late_transfer_recorded": lambda c: (
        f"{c['kind'].capitalize()} slip {c['serial']}{' (paper ' + c['paper'] + ')' if c['paper'] else ''} put on "
        f"record late (asked by {c['requested_by']}, approved by {c['approved_by']}): {c['reason']}"
    ),
    "transfer_withdrawn": lambda c: f"Request {c['transfer']} withdrawn by {c['by']}: {c['reason']}",
    "slip_prepared": lambda c: (
        f"{c['kind'].capitalize()} slip {c['serial']} of {money(c['total_cents'])} prepared by {c['by']}"
    ),
    "slip_numbered": lambda c: f"Number {c['serial']} given to a {words(c['document'])} of {c['table']}",
    "slip_signed": lambda c: f"{c['kind'].capitalize()} slip {c['serial']} signed by {c['by']} for {c['role']}",
    "fill_sent": _moved("Fill of {} left the cage"),
    "fill_received": _moved("Fill of {} received in the tray"),
    "credit_removed": _moved("Credit of {} left the tray"),
    "credit_received": _moved("Credit of {} received in the cage"),
    "slip_voided": _slip_voided,
    "slip_printed": lambda c: f"Copy {c['copy_number']} of {words(c['document'])} printed by {c['by']}",
    "dealer_placed": lambda c: f"Dealer {c['dealer']} is at {c['table'] or 'no table'}",
    "check_owed": lambda c: (
        f"Patron {c['patron_id']} owes {money(c['owed_cents'])} on counter check {c['serial']} of {c['issued_on']}"
    ),
    "instrument_marked": lambda c: f"Instrument {c['serial']} is {'used up' if c['is_used'] else 'valid again'}",
    "shift_handed_over": _shift_handed_over,
}
