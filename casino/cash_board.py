"""From the log to people's cash and to payouts that need a document, in sets. `CASH` stands at the foot."""

from django.db.backends.utils import CursorWrapper

from casino.eventstore.follower import Follower

# Of the cage's own entries no table is known; what it pays for a table has the table's seat, and no patron.
TRANSACTIONS = """
INSERT INTO cash_transaction (position, gaming_date, table_code, seat, patron_id, direction, amount_cents, kind, at, by)
SELECT position, gaming_date, coalesce(table_code, 'cage'), seat, (p ->> 'patron_id')::bigint,
       CASE WHEN kind IN ('cash_bought_in', 'pit_redemption_taken', 'chips_sold', 'counter_check_redeemed') THEN 'in'
            ELSE 'out' END, cents, type, occurred_at, actor
  FROM (SELECT *, CASE kind WHEN 'cash_bought_in' THEN in_cents WHEN 'pit_redemption_taken' THEN out_cents
                            WHEN 'chips_sold' THEN in_cents WHEN 'chips_redeemed' THEN out_cents
                            WHEN 'counter_check_redeemed' THEN
                                 CASE type WHEN kind THEN 1 ELSE -1 END * coalesce((p ->> 'cash_cents')::bigint, 0)
                            WHEN 'winnings_paid_elsewhere' THEN out_cents WHEN 'jackpot_paid' THEN out_cents
                            ELSE 0 END AS cents
          FROM (SELECT *, payload::jsonb AS p, coalesce(payload::jsonb ->> 'entry', type) AS kind
                  FROM log.event
                 WHERE position > %s AND position <= %s AND type IN
                       ('cash_bought_in', 'pit_redemption_taken', 'entry_corrected', 'chips_sold', 'chips_redeemed',
                        'counter_check_redeemed', 'cage_entry_voided', 'winnings_paid_elsewhere', 'jackpot_paid')) AS e
       ) AS t
 WHERE cents <> 0 AND coalesce(p ->> 'paid_by', p ->> 'paid_from', 'cage') = 'cage'
"""

MERGES = """
INSERT INTO patron_merge (patron_id, into_id, by, at, position)
SELECT (payload::jsonb ->> 'patron_id')::bigint, (payload::jsonb ->> 'into_id')::bigint, payload::jsonb ->> 'by',
       occurred_at, position
  FROM log.event WHERE position > %s AND position <= %s AND type = 'patron_merged'
"""

FILED = """
INSERT INTO currency_report (position, gaming_date, patron_id, direction, amount_cents, number, by, at)
SELECT position, gaming_date, (payload::jsonb ->> 'patron_id')::bigint, payload::jsonb ->> 'direction',
       (payload::jsonb ->> 'amount_cents')::bigint, payload::jsonb ->> 'number', payload::jsonb ->> 'by', occurred_at
  FROM log.event WHERE position > %s AND position <= %s AND type = 'currency_report_filed'
"""

# Far below every threshold that was ever in force: the dated rule decides when the list is read.
PAYOUTS = """
INSERT INTO large_payout (position, number, gaming_date, table_code, n, seat, wager, stake_cents, winnings_cents, at)
SELECT e.position, (l ->> 'number')::int, e.gaming_date, e.table_code, e.round_no, (l ->> 'seat')::int, l ->> 'wager',
       (l ->> 'stake_cents')::bigint, (l ->> 'returned_cents')::bigint - (l ->> 'stake_cents')::bigint, e.occurred_at
  FROM log.event e CROSS JOIN LATERAL jsonb_array_elements(e.payload::jsonb -> 'lines') l
 WHERE e.position > %s AND e.position <= %s AND e.type = 'wagers_settled' AND e.out_cents >= 60000
   AND (l ->> 'returned_cents')::bigint - (l ->> 'stake_cents')::bigint
       >= greatest(60000, 300 * (l ->> 'stake_cents')::bigint)
"""

# A round that is settled anew pays what its last settlement says, and nothing of what an earlier one said.
PAID_NO_MORE = """
DELETE FROM large_payout p USING log.event e
 WHERE e.position > %s AND e.position <= %s AND e.type = 'round_resettled' AND p.position < e.position
   AND (p.table_code, p.gaming_date, p.n) = (e.table_code, e.gaming_date, e.round_no)
"""
PAID_INSTEAD = """
INSERT INTO large_payout (position, number, gaming_date, table_code, n, seat, wager, stake_cents, winnings_cents, at)
SELECT e.position, (l ->> 'number')::int, e.gaming_date, e.table_code, e.round_no, (l ->> 'seat')::int, l ->> 'wager',
       (l ->> 'stake_cents')::bigint, (l ->> 'returned_cents')::bigint - (l ->> 'stake_cents')::bigint, e.occurred_at
  FROM (SELECT DISTINCT ON (table_code, gaming_date, round_no) * FROM log.event
         WHERE position > %s AND position <= %s AND type = 'round_resettled'
         ORDER BY table_code, gaming_date, round_no, position DESC) e
       CROSS JOIN LATERAL jsonb_each(e.payload::jsonb -> 'phases') AS phase
       CROSS JOIN LATERAL jsonb_array_elements(phase.value) l
 WHERE (l ->> 'returned_cents')::bigint - (l ->> 'stake_cents')::bigint
       >= greatest(60000, 300 * (l ->> 'stake_cents')::bigint)
"""


def fold(cursor: CursorWrapper, after: int, upto: int) -> None:
    """Fold the events with after < position <= upto into people's cash."""
    for statement in (TRANSACTIONS, MERGES, FILED, PAYOUTS, PAID_NO_MORE, PAID_INSTEAD):
        cursor.execute(statement, [after, upto])


CASH = Follower("cash", ("cash_transaction", "patron_merge", "currency_report", "large_payout"), fold)
