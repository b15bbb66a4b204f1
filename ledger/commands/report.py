"""Accounting audits a day's master game report."""

from datetime import date

from casino.commands.order import Done, Order, Plan, carry_out, property_code
from casino.eventstore import store
from casino.eventstore.store import Addition
from casino.refusal import Refused
from ledger.queries.audits import AUDITED, audit_of, counted_by
from ledger.queries.stiff import report
from ledger.report_events import ReportAudited, report_key
from ledger.stiff import TABLE

NOTE_MAX = 400


def audit_report(order: Order, gaming_date: date, note: str = "") -> Done:
    """Mark the day's report audited, with the corrections that are known now.

    Refuses `report_incomplete`, `counted_it_themselves`, `already_audited` and `long_note`.
    """

    def plan() -> Plan:
        key = report_key(property_code(), gaming_date)
        version = store.load(key).version
        event = _audited(order.by, gaming_date, note)
        return Plan([Addition(key, version, gaming_date, [event], order.at)])

    if len(note) > NOTE_MAX:
        raise Refused("long_note", f"An auditor's note has at most {NOTE_MAX} letters.")
    return carry_out(order, "audit_report", {"gaming_date": gaming_date, "note": note}, plan)


def _audited(by: str, gaming_date: date, note: str) -> ReportAudited:
    shown, audit = report(gaming_date, gaming_date, TABLE), audit_of(gaming_date)
    house = shown.house
    if house is None:
        raise Refused("report_incomplete", f"No table was open on gaming day {gaming_date}, so there is no report.")
    if house.result.win is None or house.facts.counted_drop is None:
        why = "; ".join(filter(None, (house.why_missing("closer"), house.why_missing("counted_drop"))))
        raise Refused("report_incomplete", f"The report of {gaming_date} is not complete yet: {why}.")
    if by.lower() in counted_by(gaming_date):
        raise Refused(
            "counted_it_themselves",
            f"{by} counted a box of gaming day {gaming_date}; somebody of accounting who did not audits it.",
        )
    if audit.state == AUDITED:
        raise Refused("already_audited", f"The report of {gaming_date} is audited, and nothing came after.")
    positions = [entry.position for entry in audit.adjustments]
    return ReportAudited(
        by=by, read_up_to=shown.position, adjustments=positions, counted_drop_cents=house.facts.counted_drop,
        win_cents=house.result.win, note=note,
    )  # fmt: skip
