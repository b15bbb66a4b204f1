"""Events as an explanation lists them: the amount, who stands on it, its slip, and what was corrected."""

import json
from collections.abc import Mapping, Sequence
from datetime import date
from typing import NamedTuple

from django.db import connection
from django.urls import reverse

from casino.eventstore import history, store
from casino.eventstore.arrays import Texts
from casino.eventstore.history import Entry
from casino.keys import session_of
from ledger.figures import CORRECTED_BY, Amount, Leaf
from ledger.queries.measured import Worth

_CORRECTED = """
SELECT DISTINCT (c.payload::jsonb ->> 'corrects')::bigint AS position
  FROM unnest(%b) AS k(key) JOIN log.stream s ON s.key = k.key
  JOIN log.event c ON c.stream_id = s.id AND c.type = 'entry_corrected'"""
_SIGNATURES = """
SELECT table_code, gaming_date, session, n, coalesce(prepared_by, ''), signatures FROM slip
 WHERE (table_code, gaming_date, session, n) IN
       (SELECT * FROM unnest(%s::text[], %s::date[], %s::int[], %s::int[]))"""


class EventLine(NamedTuple):
    """One event as it is listed: its amount, its people, its slip, and whether a correction changed it."""

    entry: Entry
    cents: Amount
    people: str
    slip_url: str
    is_correction: bool
    is_corrected: bool


def lines_of(leaves: Sequence[Leaf], listed: Mapping[str, Sequence[Worth]]) -> dict[str, list[EventLine]]:
    """The events at these positions under each kind: a few queries, however many kinds."""
    positions = sorted({one.position for found in listed.values() for one in found})
    events = history.at(positions) if positions else []
    changed, signed = _corrected(events), _signatures(events)
    by_position = {entry.position: (entry, _people(entry, signed), entry.position in changed) for entry in events}
    return {
        leaf.code: [_line(leaf, one, *by_position[one.position]) for one in listed.get(leaf.code, ())]
        for leaf in leaves
    }


def _line(leaf: Leaf, worth: Worth, entry: Entry, people: str, is_corrected: bool) -> EventLine:
    slip = _slip_of(entry)
    cents: Amount = entry.in_cents if leaf.side == "in" else entry.out_cents
    if leaf.streams == "measured":
        cents = worth.cents
    url = reverse("slip", args=[slip[0], slip[1].isoformat(), *slip[2:]]) if slip else ""
    return EventLine(entry, cents, people, url, entry.type == CORRECTED_BY, is_corrected)


def _people(entry: Entry, signed: Mapping[tuple[str, date, int, int], list[str]]) -> str:
    slip = _slip_of(entry)
    people = [*_people_of(entry.content), *(signed.get(slip, []) if slip else [])]
    return ", ".join(dict.fromkeys(people)) or entry.actor


def _corrected(entries: Sequence[Entry]) -> set[int]:
    """The positions among these events that a correction put right, however late."""
    keys = sorted({entry.key for entry in entries})
    return {row.position for row in store.run(_CORRECTED, (Texts(keys),))} if keys else set()


def _people_of(content: Mapping[str, object]) -> list[str]:
    """Who stands on an event itself: who counted, asked, approved, recorded."""
    named: list[str] = []
    for name in ("counted_by", "requested_by", "approved_by", "by"):
        value = content.get(name)
        named += [str(one) for one in value] if isinstance(value, list) else [str(value)] if value else []
    return list(dict.fromkeys(named))


def _slip_of(entry: Entry) -> tuple[str, date, int, int] | None:
    """The fill or credit that an event belongs to: table, day, session, number."""
    if entry.type not in ("fill_received", "credit_removed", "slip_voided") or not entry.table_code:
        return None
    day, session = session_of(entry.key)
    return entry.table_code, day, session, int(entry.content["transfer"])


def _signatures(events: list[Entry]) -> dict[tuple[str, date, int, int], list[str]]:
    """Slip → who prepared and signed it, in order: one query, none where no slip is among the events."""
    slips = [slip for slip in map(_slip_of, events) if slip]
    if not slips:
        return {}
    with connection.cursor() as cursor:
        cursor.execute(_SIGNATURES, [list(column) for column in zip(*slips, strict=True)])
        rows = cursor.fetchall()
    return {
        (table, day, session, n): [name for name in (prepared, *(one["by"] for one in _signed(signatures))) if name]
        for table, day, session, n, prepared, signatures in rows
    }


def _signed(signatures: str | list[dict[str, str]]) -> list[dict[str, str]]:
    """The column as data; a cursor of Django's leaves JSON as text."""
    return list(json.loads(signatures) if isinstance(signatures, str) else signatures)
