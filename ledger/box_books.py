"""SQL: from the log to each drop box, and to what a table's boxes of a day were counted to once all of them are."""

_TYPES = "('emergency_box_placed', 'drop_counted', 'count_corrected')"

# An emergency box comes after the boxes before it, of which the first was never placed by an event.
PLACED = """
INSERT INTO drop_box (gaming_date, table_code, number, mark, counted_cents, currency, checks_cents, promo_cents,
       count, last_position)
SELECT DISTINCT ON (e.gaming_date, e.table_code, n) e.gaming_date, e.table_code, n,
       CASE WHEN n = (p ->> 'number')::int THEN p ->> 'mark' ELSE '' END, NULL::bigint, NULL::jsonb, NULL::bigint,
       NULL::bigint, '', e.position
  FROM log.event e CROSS JOIN LATERAL (SELECT e.payload::jsonb AS p) j
 CROSS JOIN LATERAL generate_series(1, (p ->> 'number')::int) AS n
 WHERE e.position > %s AND e.position <= %s AND e.type = 'emergency_box_placed'
 ORDER BY e.gaming_date, e.table_code, n, (n = (p ->> 'number')::int) DESC
    ON CONFLICT (gaming_date, table_code, number) DO NOTHING
"""

# What a box held is kept by instrument where the count said it; one figure alone says nothing of that.
COUNTED = """
INSERT INTO drop_box (gaming_date, table_code, number, mark, counted_cents, currency, checks_cents, promo_cents,
       count, last_position)
SELECT gaming_date, table_code, coalesce((p ->> 'number')::int, 1), '', in_cents,
       CASE WHEN p ? 'count' THEN coalesce(p -> 'currency', '{}') END,
       CASE WHEN p ? 'count' THEN coalesce((p ->> 'checks_cents')::bigint, 0) END,
       CASE WHEN p ? 'count' THEN coalesce((p ->> 'promo_cents')::bigint, 0) END, coalesce(p ->> 'count', ''), position
  FROM log.event CROSS JOIN LATERAL (SELECT payload::jsonb AS p) j
 WHERE position > %s AND position <= %s AND type = 'drop_counted'
    ON CONFLICT (gaming_date, table_code, number) DO UPDATE SET
       counted_cents = excluded.counted_cents, currency = excluded.currency, checks_cents = excluded.checks_cents,
       promo_cents = excluded.promo_cents, count = excluded.count, last_position = excluded.last_position
"""

CORRECTED = """
WITH e AS (
    SELECT gaming_date, table_code, (payload::jsonb ->> 'number')::int AS number, sum(in_cents)::bigint AS more,
           (array_agg(payload::jsonb -> 'after' ORDER BY position DESC))[1] AS right_, max(position) AS last_position
      FROM log.event WHERE position > %s AND position <= %s AND type = 'count_corrected' GROUP BY 1, 2, 3
)
UPDATE drop_box b SET counted_cents = b.counted_cents + e.more, currency = coalesce(e.right_ -> 'currency', '{}'),
       checks_cents = coalesce((e.right_ ->> 'checks_cents')::bigint, 0),
       promo_cents = coalesce((e.right_ ->> 'promo_cents')::bigint, 0), last_position = e.last_position
  FROM e WHERE b.gaming_date = e.gaming_date AND b.table_code = e.table_code AND b.number = e.number
"""

_MOVED = f"""
    SELECT DISTINCT gaming_date, table_code FROM log.event
     WHERE position > %s AND position <= %s AND type IN {_TYPES}"""

COMPLETE = f"""
INSERT INTO box (gaming_date, table_code, counted_cents, last_position)
SELECT gaming_date, table_code, sum(counted_cents)::bigint, max(last_position)
  FROM drop_box JOIN ({_MOVED}) AS moved USING (gaming_date, table_code)
 GROUP BY gaming_date, table_code HAVING count(*) = count(counted_cents)
    ON CONFLICT (gaming_date, table_code) DO UPDATE SET
       counted_cents = excluded.counted_cents, last_position = excluded.last_position
"""

# A further box that was placed after the others were counted: the day's drop is unknown again.
UNCOUNTED = f"""
DELETE FROM box b USING ({_MOVED}) AS moved
 WHERE b.gaming_date = moved.gaming_date AND b.table_code = moved.table_code
   AND EXISTS (SELECT FROM drop_box d WHERE d.gaming_date = b.gaming_date AND d.table_code = b.table_code
                  AND d.counted_cents IS NULL)
"""

STATEMENTS = (PLACED, COUNTED, CORRECTED, COMPLETE, UNCOUNTED)
TABLES = ("drop_box",)
