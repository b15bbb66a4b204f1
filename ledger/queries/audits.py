"""The state of a day's master game report: unaudited, audited, or with facts that came after its audit."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime

from django.conf import settings

from casino.eventstore import history, store
from casino.eventstore.history import Entry
from ledger.models import LateFact
from ledger.report_events import ReportAudited, report_key

UNAUDITED, AUDITED, CHANGED = "unaudited", "audited", "changed since"

# Corrections stand on the streams of sessions and boxes, whose keys end with the gaming day and what is within it.
_CORRECTIONS = """
SELECT e.position, split_part(s.key, '/', 4) AS day FROM log.stream s JOIN log.event e ON e.stream_id = s.id
 WHERE (s.key >= %s AND s.key < %s OR s.key >= %s AND s.key < %s) AND split_part(s.key, '/', 4) BETWEEN %s AND %s
   AND e.type IN ('entry_corrected', 'count_corrected')"""
_AUDITS = """
SELECT DISTINCT ON (s.key) e.gaming_date,
       ARRAY(SELECT jsonb_array_elements_text(e.payload::jsonb -> 'adjustments')::bigint) AS adjustments
  FROM log.stream s JOIN log.event e ON e.stream_id = s.id AND e.type = 'report_audited'
 WHERE s.key >= %s AND s.key <= %s ORDER BY s.key, e.version DESC"""
_COUNTED_BY = """
SELECT DISTINCT lower(p.name) AS name
  FROM log.stream s JOIN log.event e ON e.stream_id = s.id
   AND e.type IN ('drop_counted', 'box_counted', 'box_recounted')
 CROSS JOIN LATERAL (
       SELECT e.actor AS name UNION ALL
       SELECT jsonb_array_elements_text(CASE jsonb_typeof(c) WHEN 'array' THEN c ELSE jsonb_build_array(c) END)
         FROM (SELECT e.payload::jsonb -> 'counted_by' AS c) AS by_whom WHERE c IS NOT NULL) AS p
 WHERE s.key >= %s AND s.key < %s AND split_part(s.key, '/', 4) = %s"""


@dataclass(frozen=True)
class Audit:
    """A gaming day's report: its last audit, None before the first, and all corrections of the day in their order."""

    gaming_date: date
    audited: ReportAudited | None
    at: datetime | None
    adjustments: Sequence[Entry]

    @property
    def later(self) -> list[Entry]:
        """The adjustments that the audit did not know."""
        known = set(self.audited.adjustments) if self.audited else set()
        return [entry for entry in self.adjustments if entry.position not in known]

    @property
    def state(self) -> str:
        if self.audited is None:
            return UNAUDITED
        return CHANGED if self.later else AUDITED


def audit_of(gaming_date: date) -> Audit:
    """How the day's report stands: a few small queries."""
    last = history.latest(report_key(settings.CASINO_PROPERTY, gaming_date), "report_audited", 1)
    adjustments = history.at(corrections_of(gaming_date))
    return Audit(gaming_date, last[0].event if last else None, last[0].occurred_at if last else None, adjustments)


def corrections_of(gaming_date: date) -> list[int]:
    """The positions of all that put the day right: corrections, and what came after its close."""
    return sorted(_corrections(gaming_date, gaming_date).get(gaming_date, set()))


def _corrections(first: date, last: date) -> dict[date, set[int]]:
    """Day → those positions: two queries, however many days."""
    house = settings.CASINO_PROPERTY
    keys = (f"{house}/box/", f"{house}/box/~", f"{house}/session/", f"{house}/session/~")
    found: dict[date, set[int]] = defaultdict(set)
    for row in store.run(_CORRECTIONS, (*keys, first.isoformat(), last.isoformat())):
        found[date.fromisoformat(row.day)].add(row.position)
    late = LateFact.objects.filter(gaming_date__range=(first, last))
    for day, position in late.values_list("gaming_date", "position"):
        found[day].add(position)
    return found


def counted_by(gaming_date: date) -> set[str]:
    """Whoever counted or entered a box of the day, in small letters."""
    prefix = f"{settings.CASINO_PROPERTY}/box/"
    return {row.name for row in store.run(_COUNTED_BY, (prefix, f"{prefix}~", gaming_date.isoformat()))}


def audited_days(first: date, last: date) -> set[date]:
    """The days of a stretch whose report is audited and to which nothing was added since: three queries."""
    low, high = report_key(settings.CASINO_PROPERTY, first), report_key(settings.CASINO_PROPERTY, last)
    corrections = _corrections(first, last)
    known = {row.gaming_date: set(row.adjustments) for row in store.run(_AUDITS, (low, high))}
    return {day for day, positions in known.items() if corrections.get(day, set()) <= positions}
