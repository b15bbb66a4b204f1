"""From the log to what patrons did, in sets: who sits where, visits, play by real wagers. `RATINGS` stands at the foot.

A round counts once, when it ends: `round_settled` names its rated seats, and the lines settled in its stream name the
stakes. So no fold needs to remember a round, and rounds without a rated patron cost nothing. One that is put right is
taken back as it counted until then and counts as it is right; where every wager went back, it counts no more.
"""

from django.db.backends.utils import CursorWrapper

from casino.eventstore.follower import Follower

SEATS = """
WITH e AS (
    SELECT DISTINCT ON (table_code, seat) table_code, seat, type = 'patron_seated' AS is_taken, occurred_at, position,
           CASE type WHEN 'patron_seated' THEN (payload::jsonb ->> 'patron_id')::bigint END AS patron_id
      FROM log.event WHERE position > %s AND position <= %s AND type IN ('patron_seated', 'patron_left')
     ORDER BY table_code, seat, position DESC
)
INSERT INTO board_seat (table_code, seat, is_taken, patron_id, since, last_position)
SELECT table_code, seat, is_taken, patron_id, occurred_at, position FROM e
    ON CONFLICT (table_code, seat) DO UPDATE SET
       is_taken = excluded.is_taken, patron_id = excluded.patron_id, since = excluded.since,
       last_position = excluded.last_position
"""

VISITS = """
WITH e AS MATERIALIZED (
    SELECT position, table_code, gaming_date, type, seat, in_cents, occurred_at, payload::jsonb AS p,
           (extract(epoch FROM occurred_at) * 1000000)::bigint AS us
      FROM log.event
     WHERE position > %s AND position <= %s AND round_no IS NULL AND type IN
           ('patron_seated', 'patron_left', 'cash_bought_in', 'entry_corrected', 'rating_estimated')
       AND payload LIKE '%%"patron_id":%%'
), v AS (
    SELECT (p ->> 'patron_id')::bigint AS patron_id, gaming_date, table_code,
           (array_agg(seat ORDER BY position DESC))[1] AS seat,
           count(*) FILTER (WHERE type = 'patron_seated') AS seatings,
           count(*) FILTER (WHERE type = 'patron_left') AS leavings,
           coalesce(sum(CASE type WHEN 'patron_seated' THEN -us WHEN 'patron_left' THEN us END), 0)::bigint AS sat,
           count(*) FILTER (WHERE type = 'cash_bought_in') AS buy_ins,
           coalesce(sum(in_cents) FILTER (WHERE type = 'cash_bought_in'
             OR (type = 'entry_corrected' AND p ->> 'entry' = 'cash_bought_in')), 0) AS bought_in,
           (array_agg((p ->> 'average_bet_cents')::bigint ORDER BY position DESC)
             FILTER (WHERE type = 'rating_estimated'))[1] AS estimate,
           (array_agg(p ->> 'by' ORDER BY position DESC) FILTER (WHERE type = 'rating_estimated'))[1] AS estimated_by,
           (array_agg(occurred_at ORDER BY position DESC)
             FILTER (WHERE type = 'rating_estimated'))[1] AS estimated_at,
           min(occurred_at) AS first_at, max(occurred_at) AS last_at, max(position) AS last_position
      FROM e WHERE p ->> 'patron_id' IS NOT NULL
     GROUP BY 1, gaming_date, table_code
)
INSERT INTO patron_visit AS v (patron_id, gaming_date, table_code, seat, seatings, leavings, sat_micros, buy_ins,
       bought_in_cents, estimate_cents, estimated_by, estimated_at, first_at, last_at, last_position)
SELECT patron_id, gaming_date, table_code, seat, seatings, leavings, sat, buy_ins, bought_in, estimate, estimated_by,
       estimated_at, first_at, last_at, last_position
  FROM v
    ON CONFLICT (patron_id, gaming_date, table_code) DO UPDATE SET
       seat = excluded.seat, seatings = v.seatings + excluded.seatings, leavings = v.leavings + excluded.leavings,
       sat_micros = v.sat_micros + excluded.sat_micros, buy_ins = v.buy_ins + excluded.buy_ins,
       bought_in_cents = v.bought_in_cents + excluded.bought_in_cents,
       estimate_cents = coalesce(excluded.estimate_cents, v.estimate_cents),
       estimated_by = coalesce(excluded.estimated_by, v.estimated_by),
       estimated_at = coalesce(excluded.estimated_at, v.estimated_at),
       first_at = least(v.first_at, excluded.first_at), last_at = greatest(v.last_at, excluded.last_at),
       last_position = excluded.last_position
"""

PLAY = """
WITH ended AS MATERIALIZED (
    SELECT e.stream_id, e.version, e.position, e.table_code, e.gaming_date, e.type,
           coalesce(d.payload, e.payload)::jsonb -> 'patrons' AS patrons, e.payload::jsonb -> 'phases' AS phases,
           e.payload::jsonb -> 'cards' = '{}' AS is_undone, o.payload::jsonb ->> 'game' AS game,
           o.payload::jsonb ->> 'paytable' AS paytable
      FROM log.event e JOIN log.event o ON o.stream_id = e.stream_id AND o.version = 1
      LEFT JOIN log.event d ON e.type = 'round_resettled' AND d.stream_id = e.stream_id AND d.type = 'round_settled'
     WHERE e.position > %s AND e.position <= %s AND e.type IN ('round_settled', 'round_voided', 'round_resettled')
       AND coalesce(d.payload, e.payload) LIKE '%%"patrons":{%%'
), settled AS (
    SELECT d.stream_id, d.version, 1 AS sign, s.payload::jsonb -> 'lines' AS lines
      FROM ended d
      JOIN log.event s ON s.stream_id = d.stream_id AND s.version < d.version AND s.type = 'wagers_settled'
     WHERE d.type <> 'round_resettled'
    UNION ALL  -- of a round put right, what is right from here on; where every wager went back, nothing
    SELECT d.stream_id, d.version, 1, p.value FROM ended d CROSS JOIN LATERAL jsonb_each(d.phases) p
     WHERE d.type = 'round_resettled' AND NOT d.is_undone
    UNION ALL  -- and what counted until then is taken back
    SELECT d.stream_id, d.version, -1, w.lines
      FROM ended d
      LEFT JOIN LATERAL (SELECT b.payload::jsonb AS last FROM log.event b
                          WHERE b.stream_id = d.stream_id AND b.version < d.version AND b.type = 'round_resettled'
                          ORDER BY b.version DESC LIMIT 1) b ON true
     CROSS JOIN LATERAL (
           SELECT p.value AS lines FROM jsonb_each(b.last -> 'phases') p WHERE b.last -> 'cards' <> '{}'
            UNION ALL
           SELECT s.payload::jsonb -> 'lines' FROM log.event s
            WHERE b.last IS NULL AND s.stream_id = d.stream_id AND s.version < d.version
              AND s.type = 'wagers_settled') w
     WHERE d.type = 'round_resettled'
), line AS MATERIALIZED (
    -- A bet is what stands before the colon of a wager's canonical spelling.
    SELECT d.stream_id, d.version, d.position, d.table_code, d.gaming_date, d.game, d.paytable, s.sign,
           (d.patrons ->> l.seat::text)::bigint AS patron_id, split_part(l.wager, ':', 1) AS bet,
           s.sign * l.stake_cents AS stake_cents,
           s.sign * CASE l.result WHEN 'lose' THEN l.stake_cents ELSE 0 END AS collected,
           s.sign * CASE l.result WHEN 'win' THEN l.returned_cents - l.stake_cents ELSE 0 END AS winnings
      FROM ended d JOIN settled s USING (stream_id, version)
     CROSS JOIN LATERAL jsonb_to_recordset(s.lines)
        AS l(seat int, wager text, stake_cents bigint, result text, returned_cents bigint)
     WHERE d.patrons ->> l.seat::text IS NOT NULL
), play AS (
    INSERT INTO patron_play AS p (patron_id, gaming_date, table_code, game, decisions, collected_cents,
           winnings_cents, last_position)
    SELECT patron_id, gaming_date, table_code, game,
           count(DISTINCT (stream_id, version)) FILTER (WHERE sign > 0)
           - count(DISTINCT (stream_id, version)) FILTER (WHERE sign < 0), sum(collected), sum(winnings), max(position)
      FROM line GROUP BY patron_id, gaming_date, table_code, game
        ON CONFLICT (patron_id, gaming_date, table_code, game) DO UPDATE SET
           decisions = p.decisions + excluded.decisions,
           collected_cents = p.collected_cents + excluded.collected_cents,
           winnings_cents = p.winnings_cents + excluded.winnings_cents, last_position = excluded.last_position
)
INSERT INTO patron_stake AS s (patron_id, gaming_date, table_code, game, paytable, bet, wagers, stakes_cents,
       last_position)
SELECT patron_id, gaming_date, table_code, game, paytable, bet, sum(sign), sum(stake_cents), max(position)
  FROM line GROUP BY patron_id, gaming_date, table_code, game, paytable, bet
    ON CONFLICT (patron_id, gaming_date, table_code, game, paytable, bet) DO UPDATE SET
       wagers = s.wagers + excluded.wagers, stakes_cents = s.stakes_cents + excluded.stakes_cents,
       last_position = excluded.last_position
"""


def fold(cursor: CursorWrapper, after: int, upto: int) -> None:
    """Fold the events with after < position <= upto into seats, visits and play."""
    for statement in (SEATS, VISITS, PLAY):
        cursor.execute(statement, [after, upto])


RATINGS = Follower("ratings", ("board_seat", "patron_visit", "patron_play", "patron_stake"), fold)
