"""Income audit: the paper of a table's boxes ticked, exceptions explained. Accounting touches no box and no cash."""

from collections.abc import Mapping
from datetime import date
from typing import get_args

from casino.commands.order import Done, Order, Plan, carry_out, property_code
from casino.eventstore import store
from casino.eventstore.registry import Event
from casino.eventstore.store import Addition
from casino.refusal import Refused, in_quotes
from ledger.audit_events import ExceptionExplained, Finding, PapersTicked, audit_key
from ledger.boxes import check_text
from ledger.models import BoxPaper
from ledger.queries.audit import exceptions_of


def tick_papers(
    order: Order, day: date, table: str, findings: Mapping[str, str], unmatched: Mapping[str, str] | None = None
) -> Done:
    """What was found of the paper of a table's boxes. Refuses `nothing_ticked`, `bad_finding` and `unknown_paper`."""
    odd = dict(unmatched or {})

    def plan() -> Plan:
        if not findings and not odd:
            raise Refused("nothing_ticked", f"Nothing is ticked of the paper of {table}; say what was found of each.")
        known = BoxPaper.objects.filter(gaming_date=day, table_code=table).exclude(kind__in=("unmatched", "skipped"))
        documents = set(known.values_list("document", flat=True))
        for document, finding in findings.items():
            if finding not in get_args(Finding):
                raise Refused("bad_finding", f"{in_quotes(finding)} is no finding; it agrees, differs or is missing.")
            if document not in documents:
                raise Refused("unknown_paper", f"{in_quotes(document)} is no document of {table} on {day}.")
        for paper, said in odd.items():
            check_text(paper, "The number of an unmatched paper", 80)
            check_text(said, "What an unmatched paper says")
            if paper in documents:
                raise Refused("paper_known", f"{in_quotes(paper)} is stored for {table}; tick it instead.")
        event = PapersTicked(table=table, findings=dict(findings), unmatched=odd, by=order.by)  # type: ignore[arg-type]
        return Plan([_addition(order, day, event)])

    content = {"day": day, "table": table, "findings": dict(findings), "unmatched": odd}
    return carry_out(order, "tick_papers", content, plan)


def explain_exception(order: Order, day: date, document: str, note: str) -> Done:
    """The explanation of a line of the day's exception list; refuses `unknown_paper`."""

    def plan() -> Plan:
        if document not in {one.document for one in exceptions_of(day)}:
            raise Refused("unknown_paper", f"{in_quotes(document)} is no exception of {day}, so nothing is explained.")
        said = check_text(note, "The explanation")
        return Plan([_addition(order, day, ExceptionExplained(exception=document, note=said, by=order.by))])

    return carry_out(order, "explain_exception", {"day": day, "document": document, "note": note}, plan)


def _addition(order: Order, day: date, event: Event) -> Addition:
    key = audit_key(property_code(), day.isoformat())
    return Addition(key, store.version_of(key), day, [event], order.at)
