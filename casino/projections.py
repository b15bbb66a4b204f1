"""From the log to the floor's tables, in sets: one statement a table and batch. `BOARD` stands at the foot."""

from django.db.backends.utils import CursorWrapper

from casino.eventstore.follower import Follower

ROUNDS = """
WITH kinds AS (
    -- Once over the events, a row for each round and type: all that follows looks at a quarter as many rows.
    -- A correction of a round's settlement counts as one.
    SELECT table_code, gaming_date, round_no,
           CASE type WHEN 'entry_corrected' THEN 'wagers_settled' ELSE type END AS type,
           count(*) AS n, min(position) AS first_position, max(position) AS last_position,
           min(occurred_at) AS opened_at, max(occurred_at) AS moved_at,
           sum(in_cents)::bigint AS came_in, sum(out_cents)::bigint AS went_out, bit_or(1 << seat) AS seats,
           count(*) FILTER (WHERE type = 'wager_placed' AND payload NOT LIKE '%%"exceptions":[]%%') AS exceptions,
           -- The opening is long, and its canonical text has the one name "game" in it: cut out, not parsed.
           max(CASE type WHEN 'round_opened' THEN split_part(split_part(payload, '"game":"', 2), '"', 1)
                         WHEN 'hand_completed' THEN payload WHEN 'round_voided' THEN payload END COLLATE "C") AS said
      FROM log.event WHERE position > %s AND position <= %s AND round_no IS NOT NULL
     GROUP BY table_code, gaming_date, round_no, type
), e AS (
    SELECT table_code, gaming_date, round_no,
           min(first_position) AS first_position, max(last_position) AS last_position,
           min(opened_at) AS opened_at, max(moved_at) AS moved_at,
           max(CASE type WHEN 'round_opened' THEN 1 WHEN 'bets_closed' THEN 2 WHEN 'card_dealt' THEN 3
                         WHEN 'position_drawn' THEN 3 WHEN 'hand_completed' THEN 4 WHEN 'round_settled' THEN 5
                         WHEN 'round_voided' THEN 6 ELSE 0 END) AS stage,
           coalesce(sum(CASE type WHEN 'wager_placed' THEN n WHEN 'wager_withdrawn' THEN -n
                             WHEN 'late_bet_voided' THEN -n END), 0) AS wagers,
           sum(exceptions) AS exceptions,
           coalesce(bit_or(seats) FILTER (WHERE type = 'wager_placed'), 0) AS seats,
           coalesce(sum(CASE type WHEN 'bets_closed' THEN came_in WHEN 'decision_made' THEN came_in
                             WHEN 'late_bet_voided' THEN -went_out END), 0) AS stakes,
           coalesce(sum(CASE type WHEN 'progressive_collected' THEN came_in WHEN 'round_voided' THEN -went_out END), 0)
             AS progressive,
           coalesce(sum(came_in) FILTER (WHERE type = 'wagers_settled'), 0) AS collected,
           coalesce(sum(went_out) FILTER (WHERE type = 'wagers_settled'), 0) AS winnings,
           coalesce(sum(came_in) FILTER (WHERE type IN ('round_settled', 'round_voided')), 0) AS handle,
           max(said) FILTER (WHERE type = 'round_opened') AS game,
           max(said) FILTER (WHERE type = 'hand_completed') AS hand,
           max(said) FILTER (WHERE type = 'round_voided') AS void
      FROM kinds GROUP BY table_code, gaming_date, round_no
)
INSERT INTO board_round AS r (table_code, gaming_date, n, stage, game, opened_at, moved_at, first_position,
       last_position, wagers, exceptions, seats, stakes_cents, progressive_cents, collected_cents, winnings_cents,
       handle_cents, rank, shown, void_reason)
SELECT table_code, gaming_date, round_no, stage, game, opened_at, moved_at, first_position, last_position, wagers,
       exceptions, seats, stakes, progressive, collected, winnings, handle, hand::jsonb ->> 'rank',
       hand::jsonb -> 'shown', void::jsonb ->> 'reason'
  FROM e
    ON CONFLICT (table_code, gaming_date, n) DO UPDATE SET
       stage = greatest(r.stage, excluded.stage), game = coalesce(r.game, excluded.game),
       moved_at = greatest(r.moved_at, excluded.moved_at), last_position = excluded.last_position,
       wagers = r.wagers + excluded.wagers, exceptions = r.exceptions + excluded.exceptions,
       seats = r.seats | excluded.seats, stakes_cents = r.stakes_cents + excluded.stakes_cents,
       progressive_cents = r.progressive_cents + excluded.progressive_cents,
       collected_cents = r.collected_cents + excluded.collected_cents,
       winnings_cents = r.winnings_cents + excluded.winnings_cents,
       handle_cents = r.handle_cents + excluded.handle_cents, rank = coalesce(excluded.rank, r.rank),
       shown = coalesce(excluded.shown, r.shown), void_reason = coalesce(excluded.void_reason, r.void_reason)
"""

TABLES = """
WITH e AS MATERIALIZED (
    SELECT position, table_code, gaming_date, type, occurred_at, in_cents, out_cents, payload::jsonb AS p
      FROM log.event
     WHERE position > %s AND position <= %s AND round_no IS NULL AND type IN
           ('table_set_up', 'table_opened', 'table_closed', 'side_bet_offered', 'side_bet_suspended',
            'limits_announced', 'dealer_on', 'dealer_off')
), set_up AS (
    SELECT DISTINCT ON (table_code) * FROM e WHERE type = 'table_set_up' ORDER BY table_code, position DESC
), opened AS (
    SELECT DISTINCT ON (table_code) * FROM e WHERE type = 'table_opened' ORDER BY table_code, position DESC
), closed AS (
    SELECT DISTINCT ON (table_code) * FROM e WHERE type = 'table_closed' ORDER BY table_code, position DESC
), bet AS (
    SELECT DISTINCT ON (table_code) * FROM e WHERE type LIKE 'side_bet_%%' ORDER BY table_code, position DESC
), dealer AS (
    SELECT DISTINCT ON (table_code) * FROM e WHERE type LIKE 'dealer_%%' ORDER BY table_code, position DESC
), announced AS (
    -- A set-up has limits of its own, and what was announced before it holds no more.
    SELECT e.table_code, jsonb_agg(jsonb_build_object('limits', e.p -> 'limits', 'from', e.p -> 'effective_at')
           ORDER BY e.position) AS list
      FROM e LEFT JOIN set_up USING (table_code)
     WHERE e.type = 'limits_announced' AND e.position > coalesce(set_up.position, 0) GROUP BY e.table_code
), t AS (SELECT table_code, max(position) AS last_position FROM e GROUP BY table_code)
INSERT INTO board_table AS b (table_code, game, paytable, method, seats, limits, pit, par_cents, fill_line_cents, link,
       side_bet_off, is_open, gaming_date, session, opener_cents, closer_cents, since, announced, dealer,
       last_position)
SELECT t.table_code, set_up.p ->> 'game', set_up.p ->> 'paytable', set_up.p ->> 'method', (set_up.p ->> 'seats')::int,
       set_up.p -> 'limits', CASE WHEN set_up.position > 0 THEN coalesce(set_up.p ->> 'pit', '') END,
       CASE WHEN set_up.position > 0 THEN coalesce((set_up.p ->> 'par_cents')::bigint, 0) END,
       CASE WHEN set_up.position > 0 THEN coalesce((set_up.p ->> 'fill_line_cents')::bigint, 0) END,
       CASE bet.type WHEN 'side_bet_offered' THEN bet.p #>> '{terms,link}' WHEN 'side_bet_suspended' THEN '' END,
       CASE bet.type WHEN 'side_bet_offered' THEN '' WHEN 'side_bet_suspended' THEN bet.p ->> 'reason' END,
       CASE WHEN closed.position > coalesce(opened.position, 0) THEN false WHEN opened.position > 0 THEN true END,
       opened.gaming_date, (opened.p ->> 'session')::int, opened.in_cents,
       CASE WHEN closed.position > coalesce(opened.position, 0) THEN closed.out_cents END,
       greatest(opened.occurred_at, closed.occurred_at),
       CASE WHEN set_up.position > 0 THEN coalesce(announced.list, '[]') ELSE announced.list END,
       CASE dealer.type WHEN 'dealer_on' THEN dealer.p ->> 'dealer' WHEN 'dealer_off' THEN '' END, t.last_position
  FROM t LEFT JOIN set_up USING (table_code) LEFT JOIN opened USING (table_code) LEFT JOIN closed USING (table_code)
         LEFT JOIN bet USING (table_code) LEFT JOIN dealer USING (table_code) LEFT JOIN announced USING (table_code)
    ON CONFLICT (table_code) DO UPDATE SET
       game = coalesce(excluded.game, b.game), paytable = coalesce(excluded.paytable, b.paytable),
       method = coalesce(excluded.method, b.method), seats = coalesce(excluded.seats, b.seats),
       limits = coalesce(excluded.limits, b.limits), pit = coalesce(excluded.pit, b.pit),
       par_cents = coalesce(excluded.par_cents, b.par_cents),
       fill_line_cents = coalesce(excluded.fill_line_cents, b.fill_line_cents), link = coalesce(excluded.link, b.link),
       side_bet_off = coalesce(excluded.side_bet_off, b.side_bet_off),
       is_open = coalesce(excluded.is_open, b.is_open), gaming_date = coalesce(excluded.gaming_date, b.gaming_date),
       session = coalesce(excluded.session, b.session), opener_cents = coalesce(excluded.opener_cents, b.opener_cents),
       closer_cents = CASE WHEN excluded.is_open THEN NULL ELSE coalesce(excluded.closer_cents, b.closer_cents) END,
       since = coalesce(excluded.since, b.since), dealer = coalesce(excluded.dealer, b.dealer),
       announced = CASE WHEN excluded.game IS NOT NULL THEN excluded.announced
                        ELSE coalesce(b.announced, '[]') || coalesce(excluded.announced, '[]') END,
       last_position = excluded.last_position
"""


def fold(cursor: CursorWrapper, after: int, upto: int) -> None:
    """Fold the events with after < position <= upto into the board."""
    cursor.execute(ROUNDS, [after, upto])
    cursor.execute(TABLES, [after, upto])


BOARD = Follower("board", ("board_round", "board_table"), fold)
