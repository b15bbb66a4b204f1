"""From the log to the books, in sets. `BOOKS` stands at the foot."""

from django.db.backends.utils import CursorWrapper

from casino.eventstore.follower import Follower

TABLE_DAYS = """
WITH e AS (
    SELECT gaming_date, table_code, max(position) AS last_position,
           count(*) FILTER (WHERE type = 'table_opened') AS sessions_opened,
           count(*) FILTER (WHERE type = 'table_closed') AS sessions_closed,
           coalesce(sum(in_cents) FILTER (WHERE type = 'table_opened'), 0) AS opener,
           coalesce(sum(out_cents) FILTER (WHERE type = 'table_closed'), 0) AS closer,
           coalesce(sum(in_cents) FILTER (WHERE type = 'cash_bought_in'), 0) AS cash,
           coalesce(sum(in_cents) FILTER (WHERE type = 'wagers_settled'), 0) AS collected,
           coalesce(sum(out_cents) FILTER (WHERE type = 'wagers_settled'), 0) AS winnings,
           coalesce(sum(in_cents) FILTER (WHERE type = 'progressive_collected'), 0)
             - coalesce(sum(out_cents) FILTER (WHERE type = 'round_voided'), 0) AS progressive,
           coalesce(sum(out_cents) FILTER (WHERE type = 'jackpot_paid'), 0) AS jackpots,
           coalesce(sum(in_cents) FILTER (WHERE type IN ('round_settled', 'round_voided', 'progressive_collected')), 0)
             - coalesce(sum(out_cents) FILTER (WHERE type = 'round_voided'), 0) AS handle,
           coalesce(sum(out_cents - in_cents) FILTER (WHERE type = 'payout_recorded'), 0) AS errors,
           count(*) FILTER (WHERE type = 'round_opened') AS rounds_opened,
           count(*) FILTER (WHERE type = 'round_settled') AS rounds_settled,
           count(*) FILTER (WHERE type = 'round_voided') AS rounds_voided,
           sum(in_cents) FILTER (WHERE type = 'drop_counted') AS counted_drop
      FROM log.event
     WHERE position > %s AND position <= %s AND table_code IS NOT NULL AND type IN
           ('table_opened', 'table_closed', 'cash_bought_in', 'wagers_settled', 'progressive_collected', 'round_voided',
            'jackpot_paid', 'round_settled', 'round_opened', 'drop_counted', 'payout_recorded')
     GROUP BY gaming_date, table_code
)
INSERT INTO table_day AS d (gaming_date, table_code, sessions_opened, sessions_closed, opener_cents, closer_cents,
       cash_cents, collected_cents, winnings_cents, progressive_cents, jackpots_paid_cents, handle_cents,
       errors_cents, rounds_opened, rounds_settled, rounds_voided, counted_drop_cents, last_position)
SELECT gaming_date, table_code, sessions_opened, sessions_closed, opener, closer, cash, collected, winnings,
       progressive, jackpots, handle, errors, rounds_opened, rounds_settled, rounds_voided, counted_drop, last_position
  FROM e
    ON CONFLICT (gaming_date, table_code) DO UPDATE SET
       sessions_opened = d.sessions_opened + excluded.sessions_opened,
       sessions_closed = d.sessions_closed + excluded.sessions_closed,
       opener_cents = d.opener_cents + excluded.opener_cents, closer_cents = d.closer_cents + excluded.closer_cents,
       cash_cents = d.cash_cents + excluded.cash_cents, collected_cents = d.collected_cents + excluded.collected_cents,
       winnings_cents = d.winnings_cents + excluded.winnings_cents,
       progressive_cents = d.progressive_cents + excluded.progressive_cents,
       jackpots_paid_cents = d.jackpots_paid_cents + excluded.jackpots_paid_cents,
       handle_cents = d.handle_cents + excluded.handle_cents,
       errors_cents = d.errors_cents + excluded.errors_cents, rounds_opened = d.rounds_opened + excluded.rounds_opened,
       rounds_settled = d.rounds_settled + excluded.rounds_settled,
       rounds_voided = d.rounds_voided + excluded.rounds_voided,
       counted_drop_cents = coalesce(excluded.counted_drop_cents, d.counted_drop_cents),
       last_position = excluded.last_position
"""

# The last record of a wager says what was paid. What was due stays as the first one has it.
DEALER_ERRORS = """
WITH e AS (
    SELECT DISTINCT ON (table_code, gaming_date, round_no, payload::jsonb ->> 'number')
           table_code, gaming_date, round_no, seat, position, occurred_at, payload::jsonb AS p
      FROM log.event
     WHERE position > %s AND position <= %s AND type = 'payout_recorded'
     ORDER BY table_code, gaming_date, round_no, payload::jsonb ->> 'number', position DESC
)
INSERT INTO dealer_error (gaming_date, table_code, n, number, seat, wager, due_cents, paid_cents, recorded_by, at,
       last_position)
SELECT gaming_date, table_code, round_no, (p ->> 'number')::int, (p ->> 'seat')::int, p ->> 'wager',
       (p ->> 'due_cents')::bigint, (p ->> 'paid_cents')::bigint, p ->> 'by', occurred_at, position
  FROM e
    ON CONFLICT (gaming_date, table_code, n, number) DO UPDATE SET
       paid_cents = excluded.paid_cents, recorded_by = excluded.recorded_by, at = excluded.at,
       last_position = excluded.last_position
"""


def fold(cursor: CursorWrapper, after: int, upto: int) -> None:
    """Fold the events with after < position <= upto into the table days and the dealers' errors."""
    cursor.execute(TABLE_DAYS, [after, upto])
    cursor.execute(DEALER_ERRORS, [after, upto])


BOOKS = Follower("books", ("table_day", "dealer_error"), fold)
