"""From the log to the list of alerts, in sets. `ALERTS` stands at the foot."""

from django.db.backends.utils import CursorWrapper

from casino.eventstore.follower import Follower

RAISED = """
INSERT INTO alert (position, key, gaming_date, rule, subject, table_code, level, sentence, raised_at, is_false,
       last_position)
SELECT e.position, s.key, e.gaming_date, p ->> 'rule', p ->> 'subject', p ->> 'table', p ->> 'level', p ->> 'sentence',
       e.occurred_at, false, e.position
  FROM log.event e JOIN log.stream s ON s.id = e.stream_id CROSS JOIN LATERAL (SELECT e.payload::jsonb AS p) said
 WHERE e.position > %s AND e.position <= %s AND e.type = 'alert_raised'
"""

# What is said later of an alert is said of the last one that its stream raised before.
SEEN_TO = """
WITH e AS (
    SELECT e.position, e.type, e.occurred_at, e.payload::jsonb AS p,
           (SELECT max(a.position) FROM alert a WHERE a.key = s.key AND a.position < e.position) AS raised
      FROM log.event e JOIN log.stream s ON s.id = e.stream_id
     WHERE e.position > %s AND e.position <= %s AND e.type IN ('alert_acknowledged', 'alert_ended')
), one AS (
    SELECT raised, max(position) AS last_position,
           max(occurred_at) FILTER (WHERE type = 'alert_ended') AS ended_at,
           max(occurred_at) FILTER (WHERE type = 'alert_acknowledged') AS acknowledged_at,
           max(p ->> 'by') AS acknowledged_by, max(p ->> 'note') AS note,
           coalesce(bool_or((p ->> 'is_false')::boolean), false) AS is_false
      FROM e GROUP BY raised
)
UPDATE alert a SET ended_at = coalesce(one.ended_at, a.ended_at),
       acknowledged_at = coalesce(one.acknowledged_at, a.acknowledged_at),
       acknowledged_by = coalesce(one.acknowledged_by, a.acknowledged_by), note = coalesce(one.note, a.note),
       is_false = a.is_false OR one.is_false, last_position = one.last_position
  FROM one WHERE a.position = one.raised
"""


INCIDENTS = """
INSERT INTO incident (position, gaming_date, table_code, type, round_no, content)
SELECT position, gaming_date, table_code, type, round_no, payload::jsonb
  FROM log.event
 WHERE position > %s AND position <= %s AND type IN ('progressive_miscounted', 'opener_variance_found')
"""


def fold(cursor: CursorWrapper, after: int, upto: int) -> None:
    """Fold the events with after < position <= upto into the alerts."""
    cursor.execute(RAISED, [after, upto])
    cursor.execute(SEEN_TO, [after, upto])
    cursor.execute(INCIDENTS, [after, upto])


ALERTS = Follower("alerts", ("alert", "incident"), fold)
