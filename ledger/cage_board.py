"""From the log to the cage: every entry that moved its chips or cash, and its float by denomination. `CAGE`: the foot.

The float is derived: it is what the last count found, and all that came and went since. Chips of a fill leave with the
cashier's signature and those of a credit are back with it; a fill voided in transit brings them back.
"""

from django.db.backends.utils import CursorWrapper

from casino.eventstore.follower import Follower

_IN_RANGE = """
    SELECT position, gaming_date, table_code, type, occurred_at, actor, in_cents, out_cents, payload::jsonb AS p
      FROM log.event
     WHERE position > %s AND position <= %s AND type IN
           ('chips_sold', 'chips_redeemed', 'counter_check_redeemed', 'counter_check_deposited',
            'chips_put_in_service', 'chips_taken_out_of_service', 'cage_counted', 'cage_entry_voided', 'fill_sent',
            'credit_received', 'slip_voided', 'winnings_paid_elsewhere', 'entry_corrected', 'jackpot_paid',
            'drop_accepted')
       AND (type <> 'entry_corrected' OR payload::jsonb ->> 'paid_by' = 'cage')"""

_SIGN = """CASE type WHEN 'chips_sold' THEN -1 WHEN 'chips_taken_out_of_service' THEN -1 WHEN 'fill_sent' THEN -1
                     WHEN 'cage_entry_voided'
                     THEN CASE WHEN p ->> 'entry' IN ('chips_sold', 'chips_taken_out_of_service') THEN 1 ELSE -1 END
                     ELSE 1 END"""

_MOVES = f"""
    WITH e AS MATERIALIZED ({_IN_RANGE}), moves AS (
        SELECT position, key::bigint AS chip, sum({_SIGN} * value::bigint)::bigint AS cents
          FROM e CROSS JOIN LATERAL jsonb_each_text(CASE type WHEN 'slip_voided' THEN
                CASE WHEN p ->> 'kind' = 'fill' AND (p ->> 'was_in_transit')::boolean THEN p -> 'denominations'
                     ELSE '{{}}' END
                ELSE coalesce(p -> 'chips', p -> 'denominations', p -> 'counted', '{{}}') END)
         GROUP BY position, key
        UNION ALL
        SELECT position, key::bigint, -value::bigint FROM e CROSS JOIN LATERAL jsonb_each_text(p -> 'expected')
         WHERE type = 'cage_counted'
    )"""

ENTRIES = f"""
{_MOVES}
INSERT INTO cage_entry (position, gaming_date, kind, at, by, table_code, patron_id, chips, chips_cents, cash_cents)
SELECT e.position, gaming_date, type, occurred_at, actor, coalesce(table_code, ''), (p ->> 'patron_id')::bigint,
       coalesce(m.chips, '{{}}'), coalesce(m.cents, 0),
       CASE type WHEN 'chips_sold' THEN in_cents WHEN 'chips_redeemed' THEN -out_cents
                 WHEN 'counter_check_redeemed' THEN (p ->> 'cash_cents')::bigint
                 WHEN 'cage_entry_voided' THEN
                      CASE p ->> 'entry' WHEN 'chips_sold' THEN in_cents WHEN 'chips_redeemed' THEN -out_cents
                                         ELSE -coalesce((p ->> 'cash_cents')::bigint, 0) END
                 WHEN 'winnings_paid_elsewhere' THEN -out_cents WHEN 'entry_corrected' THEN -out_cents
                 WHEN 'jackpot_paid' THEN -out_cents
                 WHEN 'drop_accepted' THEN (p ->> 'counted_cents')::bigint + in_cents ELSE 0 END
  FROM e LEFT JOIN (
       SELECT position, jsonb_object_agg(chip, cents) FILTER (WHERE cents <> 0) AS chips, sum(cents)::bigint AS cents
         FROM (SELECT position, chip, sum(cents)::bigint AS cents FROM moves GROUP BY position, chip) AS by_chip
        GROUP BY position) AS m ON m.position = e.position
 WHERE (type <> 'slip_voided' OR m.chips IS NOT NULL)
   AND (type <> 'winnings_paid_elsewhere' OR p ->> 'paid_by' = 'cage')
   AND (type <> 'jackpot_paid' OR p ->> 'paid_from' = 'cage')
"""

CHIPS = f"""
{_MOVES}
INSERT INTO cage_chip AS c (chip_cents, derived_cents, counted_cents, last_position)
SELECT chip, sum(cents)::bigint, 0, max(position) FROM moves GROUP BY chip
    ON CONFLICT (chip_cents) DO UPDATE SET
       derived_cents = c.derived_cents + excluded.derived_cents, last_position = excluded.last_position
"""

# What the last count found of each chip; a chip that it does not list was not there.
COUNTED = """
WITH last AS (
    SELECT position, payload::jsonb -> 'counted' AS counted FROM log.event
     WHERE position > %s AND position <= %s AND type = 'cage_counted' ORDER BY position DESC LIMIT 1
)
UPDATE cage_chip c SET counted_cents = coalesce((last.counted ->> c.chip_cents::text)::bigint, 0),
       last_position = greatest(c.last_position, last.position)
  FROM last
"""


def fold(cursor: CursorWrapper, after: int, upto: int) -> None:
    """Fold the events with after < position <= upto into the cage's entries and its float."""
    for statement in (ENTRIES, CHIPS, COUNTED):
        cursor.execute(statement, [after, upto])


CAGE = Follower("cage", ("cage_entry", "cage_chip"), fold)
