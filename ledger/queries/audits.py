"""The state of a day's master game report: unaudited, audited, or with facts that came after its audit."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime

from django.conf import settings

from casino.eventstore import history, store
from casino.eventstore.history import Entry
from ledger.models import LateFact
from ledger.report_events import ReportAudited, report_key

UNAUDITED, AUDITED, CHANGED = "unaudited", "audited", "changed since"
CORRECTIONS = ("entry_corrected", "count_corrected")

# Corrections stand on the streams of sessions and boxes, whose keys end with the gaming day and what is within it.
_CORRECTIONS = """
SELECT e.position FROM log.stream s JOIN log.event e ON e.stream_id = s.id
 WHERE (s.key >= %s AND s.key < %s OR s.key >= %s AND s.key < %s) AND split_part(s.key, '/', 4) = %s
   AND e.type IN ('entry_corrected', 'count_corrected')"""
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
    house = settings.CASINO_PROPERTY
    keys = (f"{house}/box/", f"{house}/box/~", f"{house}/session/", f"{house}/session/~", gaming_date.isoformat())
    found = {row.position for row in store.run(_CORRECTIONS, keys)}
    found |= set(LateFact.objects.filter(gaming_date=gaming_date).values_list("position", flat=True))
    return sorted(found)


def counted_by(gaming_date: date) -> set[str]:
    """Whoever counted or entered a box of the day, in small letters."""
    prefix = f"{settings.CASINO_PROPERTY}/box/"
    return {row.name for row in store.run(_COUNTED_BY, (prefix, f"{prefix}~", gaming_date.isoformat()))}


def audited_days(first: date, last: date) -> set[date]:
    """The days of a stretch whose report was audited at least once: one query over short streams."""
    low, high = report_key(settings.CASINO_PROPERTY, first), report_key(settings.CASINO_PROPERTY, last)
    rows = store.run("SELECT key FROM log.stream WHERE key >= %s AND key <= %s", (low, high))
    return {date.fromisoformat(row.key.rpartition("/")[2]) for row in rows}
