"""From the log to the shares that hits owe: one row a winner, with the state that its case has reached.

A record of a hit, and of what was missed, makes the rows; the case's own events move them on, and a refill ends
them. `SHARES` stands at the foot.
"""

from django.db.backends.utils import CursorWrapper

from casino.eventstore.follower import Follower

FOUND = """
INSERT INTO jackpot_share (case_key, seat, link, round, rank, table_code, gaming_date, hit_at, at_position,
       amount_cents, state, state_at, last_position)
SELECT concat_ws('/', split_part(s.key, '/', 1), 'hit', p ->> 'link', p ->> 'round', p ->> 'rank'), share.seat::int,
       p ->> 'link', p ->> 'round', p ->> 'rank', e.table_code, e.gaming_date, e.occurred_at,
       (p ->> 'at_position')::bigint, share.cents::bigint, 'pending', e.occurred_at, e.position
  FROM log.event e JOIN log.stream s ON s.id = e.stream_id CROSS JOIN LATERAL (SELECT e.payload::jsonb AS p) AS said,
       LATERAL (SELECT seat, coalesce(p -> 'shares_cents' ->> (nth - 1)::int, p ->> 'share_cents') AS cents
                  FROM jsonb_array_elements_text(p -> 'seats') WITH ORDINALITY AS of(seat, nth)) AS share
 WHERE e.position > %s AND e.position <= %s AND e.type IN ('jackpot_hit', 'jackpot_missed', 'player_missed')
"""

MOVED = """
WITH e AS MATERIALIZED (
    SELECT e.position, s.key, e.type, e.occurred_at, e.gaming_date, e.table_code, e.payload::jsonb AS p, moved.seat
      FROM log.event e JOIN log.stream s ON s.id = e.stream_id CROSS JOIN LATERAL (
           SELECT e.seat::int AS seat WHERE e.seat IS NOT NULL
           UNION ALL SELECT jsonb_array_elements_text(e.payload::jsonb -> 'seats')::int WHERE e.seat IS NULL) AS moved
     WHERE e.position > %s AND e.position <= %s AND e.type IN
           ('share_verified', 'share_disputed', 'dispute_settled', 'payout_prepared', 'payout_approved',
            'payout_voided', 'return_requested', 'return_declined', 'jackpot_paid', 'jackpot_returned')
), last AS (SELECT key, seat, max(position) AS position FROM e GROUP BY key, seat
), state AS (
    SELECT DISTINCT ON (key, seat) key, seat, occurred_at,
           CASE type WHEN 'share_verified' THEN 'verified' WHEN 'share_disputed' THEN 'disputed'
                     WHEN 'dispute_settled' THEN 'pending' WHEN 'payout_prepared' THEN 'prepared'
                     WHEN 'payout_approved' THEN CASE WHEN (p ->> 'complete')::bool THEN 'approved' ELSE 'prepared' END
                     WHEN 'payout_voided' THEN 'verified' WHEN 'jackpot_paid' THEN 'paid'
                     ELSE p ->> 'reason' END AS state
      FROM e WHERE type NOT IN ('return_requested', 'return_declined') ORDER BY key, seat, position DESC
), verified AS (
    SELECT DISTINCT ON (key, seat) key, seat, CASE type WHEN 'share_verified' THEN p ->> 'by' END AS by
      FROM e WHERE type IN ('share_verified', 'dispute_settled') ORDER BY key, seat, position DESC
), slip AS (
    SELECT DISTINCT ON (key, seat) key, seat, (p ->> 'slip')::int AS number, p ->> 'book' AS book,
           p ->> 'paid_from' AS paid_from,
           (p ->> 'share_cents')::bigint + coalesce((p ->> 'override_cents')::bigint, 0) AS payout,
           (p ->> 'document')::bool AS document, type = 'payout_voided' AS is_void
      FROM e WHERE type IN ('payout_prepared', 'payout_voided') ORDER BY key, seat, position DESC
), asked AS (
    SELECT DISTINCT ON (key, seat) key, seat, CASE type WHEN 'return_requested' THEN p ->> 'reason' END AS reason
      FROM e WHERE type IN ('return_requested', 'return_declined', 'jackpot_returned')
     ORDER BY key, seat, position DESC
), paid AS (SELECT key, seat, gaming_date, table_code, p ->> 'by' AS by FROM e WHERE type = 'jackpot_paid')
UPDATE jackpot_share h SET
       state = coalesce(state.state, h.state), state_at = coalesce(state.occurred_at, h.state_at),
       verified_by = CASE WHEN verified.key IS NULL THEN h.verified_by ELSE verified.by END,
       slip = CASE WHEN slip.key IS NULL THEN h.slip WHEN NOT slip.is_void THEN slip.number END,
       slip_book = CASE WHEN slip.key IS NULL THEN h.slip_book WHEN NOT slip.is_void THEN slip.book END,
       paid_from = CASE WHEN slip.key IS NULL THEN h.paid_from WHEN NOT slip.is_void THEN slip.paid_from END,
       payout_cents = CASE WHEN slip.key IS NULL THEN h.payout_cents WHEN NOT slip.is_void THEN slip.payout END,
       has_document = CASE WHEN slip.key IS NULL THEN h.has_document WHEN NOT slip.is_void THEN slip.document END,
       return_asked = CASE WHEN asked.key IS NULL THEN h.return_asked ELSE asked.reason END,
       paid_on = coalesce(paid.gaming_date, h.paid_on), paid_by = coalesce(paid.by, h.paid_by),
       paid_from_table = coalesce(paid.table_code, h.paid_from_table), last_position = last.position
  FROM last LEFT JOIN state USING (key, seat) LEFT JOIN verified USING (key, seat) LEFT JOIN slip USING (key, seat)
            LEFT JOIN asked USING (key, seat) LEFT JOIN paid USING (key, seat)
 WHERE h.case_key = last.key AND h.seat = last.seat
"""


REFILLED = """
UPDATE jackpot_share h SET state = 'refilled', state_at = e.occurred_at, last_position = e.position
  FROM (SELECT position, occurred_at, payload::jsonb AS p FROM log.event
         WHERE position > %s AND position <= %s AND type = 'jackpot_refilled') AS e
 WHERE h.link = p ->> 'link' AND h.round = p ->> 'round' AND h.rank = p ->> 'rank'
   AND p -> 'seats' @> to_jsonb(h.seat)
"""


def fold(cursor: CursorWrapper, after: int, upto: int) -> None:
    """Fold the events with after < position <= upto into the shares."""
    cursor.execute(FOUND, [after, upto])
    cursor.execute(MOVED, [after, upto])
    cursor.execute(REFILLED, [after, upto])


SHARES = Follower("shares", ("jackpot_share",), fold)
