"""From the log to the list of counts: how far each is, and what count room and cage found. `COUNTS` at the foot."""

from django.db.backends.utils import CursorWrapper

from casino.eventstore.follower import Follower

OPENED = """
INSERT INTO drop_count (gaming_date, number, boxes, team, opened_at, last_position)
SELECT gaming_date, split_part(p ->> 'count', '/', 2)::int, jsonb_array_length(p -> 'boxes'), p -> 'team', occurred_at,
       position
  FROM log.event CROSS JOIN LATERAL (SELECT payload::jsonb AS p) j
 WHERE position > %s AND position <= %s AND type = 'count_opened'
"""

MOVED = """
WITH e AS (
    SELECT gaming_date, split_part(p ->> 'count', '/', 2)::int AS number, max(position) AS last_position,
           max(occurred_at) FILTER (WHERE type = 'count_closed') AS closed_at,
           max((SELECT sum(value::bigint) FROM jsonb_each_text(p -> 'currency'))) FILTER (WHERE type = 'count_closed')
             AS currency_cents,
           max((p ->> 'checks_cents')::bigint) FILTER (WHERE type = 'count_closed') AS checks_cents,
           max((p ->> 'promo_cents')::bigint) FILTER (WHERE type = 'count_closed') AS promo_cents,
           max(occurred_at) FILTER (WHERE type = 'drop_recounted') AS recounted_at,
           max(occurred_at) FILTER (WHERE type = 'drop_accepted') AS accepted_at,
           max((SELECT coalesce(sum(value::bigint), 0) FROM jsonb_each_text(p -> 'accepted')))
             FILTER (WHERE type = 'drop_accepted') AS accepted_cents,
           max(p ->> 'cashier') AS cashier
      FROM log.event CROSS JOIN LATERAL (SELECT payload::jsonb AS p) j
     WHERE position > %s AND position <= %s AND type IN ('count_closed', 'drop_recounted', 'drop_accepted')
     GROUP BY 1, 2
)
UPDATE drop_count c SET
       closed_at = coalesce(e.closed_at, c.closed_at),
       currency_cents = CASE WHEN e.closed_at IS NULL THEN c.currency_cents ELSE coalesce(e.currency_cents, 0) END,
       checks_cents = coalesce(e.checks_cents, c.checks_cents), promo_cents = coalesce(e.promo_cents, c.promo_cents),
       recounted_at = coalesce(e.recounted_at, c.recounted_at), accepted_at = coalesce(e.accepted_at, c.accepted_at),
       accepted_cents = coalesce(e.accepted_cents, c.accepted_cents), cashier = coalesce(e.cashier, c.cashier),
       last_position = e.last_position
  FROM e WHERE c.gaming_date = e.gaming_date AND c.number = e.number
"""


def fold(cursor: CursorWrapper, after: int, upto: int) -> None:
    """Fold the events with after < position <= upto into the counts."""
    cursor.execute(OPENED, [after, upto])
    cursor.execute(MOVED, [after, upto])


COUNTS = Follower("counts", ("drop_count",), fold)
