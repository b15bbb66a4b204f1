"""From the log to the slips of fills and credits, in sets. `PAPERS` stands at the foot."""

from django.db.backends.utils import CursorWrapper

from casino.eventstore.follower import Follower

REQUESTED = """
INSERT INTO slip (table_code, gaming_date, session, n, kind, stage, request_serial, denominations, total_cents,
       requested_by, requested_at, signatures, signed, moved_at, last_position)
SELECT e.table_code, e.gaming_date, split_part(s.key, '/', 5)::int, (p ->> 'transfer')::int, p ->> 'kind', 1,
       (p ->> 'serial')::int, p -> 'denominations', (p ->> 'total_cents')::bigint, p ->> 'by', e.occurred_at, '[]', 0,
       e.occurred_at, e.position
  FROM log.event e JOIN log.stream s ON s.id = e.stream_id CROSS JOIN LATERAL (SELECT e.payload::jsonb AS p) AS j
 WHERE e.position > %s AND e.position <= %s AND e.type = 'transfer_requested'
"""

MOVED = """
WITH e AS MATERIALIZED (
    SELECT e.position, e.table_code, e.gaming_date, split_part(s.key, '/', 5)::int AS session, e.type, e.occurred_at,
           e.payload::jsonb AS p
      FROM log.event e JOIN log.stream s ON s.id = e.stream_id
     WHERE e.position > %s AND e.position <= %s AND e.type IN
           ('transfer_withdrawn', 'slip_prepared', 'slip_signed', 'fill_sent', 'fill_received', 'credit_removed',
            'credit_received', 'slip_voided')
), moved AS (
    SELECT table_code, gaming_date, session, (p ->> 'transfer')::int AS n, max(position) AS last_position,
           max(occurred_at) AS moved_at,
           max(CASE type WHEN 'slip_prepared' THEN 2 WHEN 'fill_sent' THEN 3 WHEN 'credit_removed' THEN 3
                         WHEN 'fill_received' THEN 4 WHEN 'credit_received' THEN 4 WHEN 'transfer_withdrawn' THEN 5
                         WHEN 'slip_voided' THEN 6 ELSE 0 END) AS stage,
           max(p ->> 'book') AS book,
           max((p ->> 'serial')::int) FILTER (WHERE type = 'slip_prepared') AS serial,
           max(p ->> 'by') FILTER (WHERE type = 'slip_prepared') AS prepared_by,
           max(occurred_at) FILTER (WHERE type = 'slip_prepared') AS prepared_at,
           count(*) FILTER (WHERE type = 'slip_signed') AS signed,
           coalesce(jsonb_agg(jsonb_build_object('role', p ->> 'role', 'by', p ->> 'by', 'at',
                        to_char(occurred_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')) ORDER BY position)
                    FILTER (WHERE type = 'slip_signed'), '[]') AS signatures,
           max(p ->> 'reason') AS reason,
           max(occurred_at) FILTER (WHERE type IN
               ('fill_received', 'credit_received', 'transfer_withdrawn', 'slip_voided')) AS ended_at
      FROM e GROUP BY table_code, gaming_date, session, n
)
UPDATE slip SET
       stage = greatest(slip.stage, m.stage), book = coalesce(m.book, slip.book),
       serial = coalesce(m.serial, slip.serial), prepared_by = coalesce(m.prepared_by, slip.prepared_by),
       prepared_at = coalesce(m.prepared_at, slip.prepared_at), signatures = slip.signatures || m.signatures,
       signed = slip.signed + m.signed, reason = coalesce(m.reason, slip.reason),
       ended_at = coalesce(m.ended_at, slip.ended_at), moved_at = greatest(slip.moved_at, m.moved_at),
       last_position = m.last_position
  FROM moved m
 WHERE (slip.table_code, slip.gaming_date, slip.session, slip.n) = (m.table_code, m.gaming_date, m.session, m.n)
"""


def fold(cursor: CursorWrapper, after: int, upto: int) -> None:
    """Fold the events with after < position <= upto into the slips."""
    cursor.execute(REQUESTED, [after, upto])
    cursor.execute(MOVED, [after, upto])


PAPERS = Follower("papers", ("slip",), fold)
