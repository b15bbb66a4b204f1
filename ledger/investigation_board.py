"""From the log to the list of investigations. `INVESTIGATIONS` stands at the foot."""

from django.db.backends.utils import CursorWrapper

from casino.eventstore.follower import Follower

BEGUN = """
INSERT INTO investigation (table_code, day, session, opened_at, opened_by, assignee, box_cents, tray_cents, notes,
       reopenings, conclusion, concluded_by, last_position)
SELECT p ->> 'table', (p ->> 'day')::date, (p ->> 'session')::smallint, occurred_at, p ->> 'by', p ->> 'assignee',
       (p ->> 'box_cents')::bigint, (p ->> 'tray_cents')::bigint, 0, 0, '', '', position
  FROM (SELECT *, payload::jsonb AS p FROM log.event
         WHERE position > %s AND position <= %s AND type = 'investigation_opened') e
"""

# The last of a kind says how it stands; `turn` is the last conclusion or reopening.
MOVED = """
WITH e AS (
    SELECT p ->> 'table' AS table_code, (p ->> 'day')::date AS day, (p ->> 'session')::smallint AS session,
           max(position) AS last_position,
           count(*) FILTER (WHERE type = 'investigation_noted') AS notes,
           count(*) FILTER (WHERE type = 'investigation_reopened') AS reopenings,
           (array_agg(p ->> 'assignee' ORDER BY position DESC) FILTER (WHERE p ? 'assignee'))[1] AS assignee,
           (array_agg(p || jsonb_build_object('at', occurred_at) ORDER BY position DESC)
               FILTER (WHERE type IN ('investigation_concluded', 'investigation_reopened')))[1] AS turn
      FROM (SELECT *, payload::jsonb AS p FROM log.event
             WHERE position > %s AND position <= %s
               AND type IN ('investigation_assigned', 'investigation_noted', 'investigation_concluded',
                            'investigation_reopened')) moved
     GROUP BY 1, 2, 3
)
UPDATE investigation i SET
       notes = i.notes + e.notes, reopenings = i.reopenings + e.reopenings,
       assignee = coalesce(e.assignee, i.assignee),
       conclusion = CASE WHEN turn IS NULL THEN i.conclusion ELSE coalesce(turn ->> 'conclusion', '') END,
       concluded_by = CASE WHEN turn IS NULL THEN i.concluded_by
                           WHEN turn ? 'conclusion' THEN turn ->> 'by' ELSE '' END,
       concluded_at = CASE WHEN turn IS NULL THEN i.concluded_at
                           WHEN turn ? 'conclusion' THEN (turn ->> 'at')::timestamptz END,
       last_position = greatest(i.last_position, e.last_position)
  FROM e WHERE i.table_code = e.table_code AND i.day = e.day AND i.session = e.session
"""


def fold(cursor: CursorWrapper, after: int, upto: int) -> None:
    """Fold the events with after < position <= upto into the list."""
    cursor.execute(BEGUN, [after, upto])
    cursor.execute(MOVED, [after, upto])


INVESTIGATIONS = Follower("investigations", ("investigation",), fold)
