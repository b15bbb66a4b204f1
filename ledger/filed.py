"""What a closed day was when it was closed: statements of the books' fold, and the digest that a filed day carries.

The fold stops at every `day_closed`, keeps the day's rows as they are there, and goes on; so what was filed is neither
reckoned backwards nor asked from the whole log (books, 4.4). From then on a fact that is dated to the day is late.
"""

import hashlib
from collections.abc import Iterable, Iterator, Mapping

import msgspec
from django.db.backends.utils import CursorWrapper

from ledger.closing_events import FiledTable

TABLES = ("day_close", "filed_total", "late_fact")

CUTS = """
SELECT position FROM log.event WHERE position > %s AND position <= %s AND type = 'day_closed' ORDER BY position
"""

CLOSED = """
INSERT INTO day_close (gaming_date, cut, closed_at, closed_by, approved_by, reason, open_things, periods, boxes,
       digest, seal_hash, trial_balance)
SELECT gaming_date, position, occurred_at, p ->> 'by', coalesce(p ->> 'approved_by', ''), coalesce(p ->> 'reason', ''),
       coalesce(p -> 'open_things', '[]'),
       coalesce((SELECT jsonb_agg(to_jsonb(t) ORDER BY t.table_code, t.session) FROM table_period t
                  WHERE t.gaming_date = e.gaming_date), '[]'),
       coalesce((SELECT jsonb_agg(to_jsonb(b) ORDER BY b.table_code, b.number) FROM drop_box b
                  WHERE b.gaming_date = e.gaming_date), '[]'),
       '', '', ''
  FROM (SELECT *, payload::jsonb AS p FROM log.event WHERE position = %s) e
"""

LATE = """
INSERT INTO late_fact (position, gaming_date, table_code)
SELECT e.position, e.gaming_date, e.table_code
  FROM log.event e JOIN day_close d ON d.gaming_date = e.gaming_date AND e.position > d.cut
 WHERE e.position > %s AND e.position <= %s AND e.table_code IS NOT NULL AND e.type IN ({types})
"""

FILED = """
UPDATE day_close d SET filed_position = e.position, filed_at = e.occurred_at, digest = p ->> 'digest',
       seal = (p ->> 'seal')::int, seal_hash = p ->> 'seal_hash', trial_balance = coalesce(p ->> 'trial_balance', '')
  FROM (SELECT *, payload::jsonb AS p FROM log.event
         WHERE position > %s AND position <= %s AND type = 'day_filed') e
 WHERE d.gaming_date = e.gaming_date
"""

NAMES = [field.name for field in msgspec.structs.fields(FiledTable)]
SUMMED = [name for name in NAMES if name not in ("pit", "game")]

TOTALS = f"""
INSERT INTO filed_total (gaming_date, table_code, pit, game, {", ".join(SUMMED)})
SELECT e.gaming_date, t.key, t.value ->> 'pit', t.value ->> 'game',
       {
    ", ".join(
        f"(t.value ->> '{name}')::bigint"
        if name in ("closer", "counted_drop")
        else f"coalesce((t.value ->> '{name}')::bigint, 0)"
        for name in SUMMED
    )
}
  FROM log.event e CROSS JOIN LATERAL jsonb_each(e.payload::jsonb -> 'tables') t
 WHERE e.position > %s AND e.position <= %s AND e.type = 'day_filed'
"""


def up_to_cuts(cursor: CursorWrapper, after: int, upto: int) -> Iterator[tuple[int, int, bool]]:
    """The range in parts that end at the cuts within it: (after, upto, whether it ends at a cut)."""
    cursor.execute(CUTS, [after, upto])
    for (cut,) in cursor.fetchall():
        yield after, cut, True
        after = cut
    if after < upto:
        yield after, upto, False


def late_facts_of(types: Iterable[str]) -> str:
    """The statement that notes late facts of these types of event."""
    return LATE.format(types=", ".join(f"'{name}'" for name in sorted(set(types))))


def balance_digest(sums: Iterable[tuple[str, int, int]]) -> str:
    """SHA-256, in hex, over a trial balance: accounts by number, each with its debits and credits in micro-units."""
    return hashlib.sha256(msgspec.json.encode(sorted(sums))).hexdigest()


def digest_of(cut: int, tables: Mapping[str, FiledTable]) -> str:
    """SHA-256, in hex, over the cut and the totals in one canonical text: tables by code, fields by name."""
    plain = {code: msgspec.to_builtins(table) for code, table in tables.items()}
    return hashlib.sha256(msgspec.json.encode([cut, plain], order="deterministic")).hexdigest()
