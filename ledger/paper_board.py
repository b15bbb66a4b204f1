"""From the log to the paper that a day's boxes should hold, and what income audit found of it. `PAPER` at the foot."""

from django.db.backends.utils import CursorWrapper

from casino.eventstore.follower import Follower

# A box holds a copy of every numbered slip and request of its table, of every check, and of openers and closers.
NUMBERED = """
INSERT INTO box_paper (gaming_date, table_code, document, kind, serial, is_void, finding, said, note, last_position)
SELECT e.gaming_date, p ->> 'table',
       concat_ws('/', split_part(s.key, '/', 3), split_part(s.key, '/', 4), p ->> 'serial'), p ->> 'document',
       (p ->> 'serial')::int, false, '', '', '', e.position
  FROM log.event e JOIN log.stream s ON s.id = e.stream_id CROSS JOIN LATERAL (SELECT e.payload::jsonb AS p) j
 WHERE e.position > %s AND e.position <= %s AND e.type = 'slip_numbered'
 ORDER BY e.position
    ON CONFLICT (gaming_date, document) DO NOTHING
"""

# A number given twice, which only a forger can do: the first paper stands, and says where the number is besides.
TWICE = """
WITH e AS (
    SELECT e.position, p ->> 'table' AS table_code, e.gaming_date,
           concat_ws('/', split_part(s.key, '/', 3), split_part(s.key, '/', 4), p ->> 'serial') AS document
      FROM log.event e JOIN log.stream s ON s.id = e.stream_id CROSS JOIN LATERAL (SELECT e.payload::jsonb AS p) j
     WHERE e.position > %s AND e.position <= %s AND e.type = 'slip_numbered'
)
UPDATE box_paper b SET said = (
       SELECT format('it is on a paper of %%s of %%s too', e.table_code, e.gaming_date) FROM e
        WHERE e.document = b.document AND e.position <> b.last_position ORDER BY e.position LIMIT 1)
 WHERE b.serial IS NOT NULL AND b.said = ''
   AND EXISTS (SELECT FROM e WHERE e.document = b.document AND e.position <> b.last_position)
"""

INVENTORIES = """
INSERT INTO box_paper (gaming_date, table_code, document, kind, serial, is_void, finding, said, note, last_position)
SELECT gaming_date, table_code, concat_ws('/', kind, gaming_date::text, table_code, payload::jsonb ->> 'session'), kind,
       NULL, false, '', '', '', position
  FROM (SELECT *, CASE type WHEN 'table_opened' THEN 'opener' ELSE 'closer' END AS kind FROM log.event
         WHERE position > %s AND position <= %s AND type IN ('table_opened', 'table_closed')) AS e
"""

VOIDED = """
UPDATE box_paper b SET is_void = true, last_position = e.position
  FROM (SELECT position, gaming_date, payload::jsonb AS p FROM log.event
         WHERE position > %s AND position <= %s AND type = 'slip_voided') AS e
 WHERE b.gaming_date = e.gaming_date
   AND b.document = concat_ws('/', p ->> 'kind', extract(year FROM e.gaming_date)::int, p ->> 'serial')
"""

TICKED = """
UPDATE box_paper b SET finding = f.finding, last_position = f.position
  FROM (SELECT DISTINCT ON (gaming_date, key) gaming_date, key, value AS finding, position
          FROM log.event CROSS JOIN LATERAL jsonb_each_text(payload::jsonb -> 'findings')
         WHERE position > %s AND position <= %s AND type = 'papers_ticked'
         ORDER BY gaming_date, key, position DESC) AS f
 WHERE b.gaming_date = f.gaming_date AND b.document = f.key
"""

UNMATCHED = """
INSERT INTO box_paper (gaming_date, table_code, document, kind, serial, is_void, finding, said, note, last_position)
SELECT DISTINCT ON (gaming_date, key) gaming_date, payload::jsonb ->> 'table', key, 'unmatched', NULL::int, false,
       'unmatched', value, '', position
  FROM log.event CROSS JOIN LATERAL jsonb_each_text(payload::jsonb -> 'unmatched')
 WHERE position > %s AND position <= %s AND type = 'papers_ticked'
 ORDER BY gaming_date, key, position DESC
    ON CONFLICT (gaming_date, document) DO UPDATE SET said = excluded.said, last_position = excluded.last_position
"""

# A number that its book skips has no paper: its explanation stands in a line of its own.
EXPLAINED = """
INSERT INTO box_paper (gaming_date, table_code, document, kind, serial, is_void, finding, said, note, last_position)
SELECT DISTINCT ON (gaming_date, payload::jsonb ->> 'exception') gaming_date, '', payload::jsonb ->> 'exception',
       'skipped', NULL::int, false, '', '', payload::jsonb ->> 'note', position
  FROM log.event WHERE position > %s AND position <= %s AND type = 'exception_explained'
 ORDER BY gaming_date, payload::jsonb ->> 'exception', position DESC
    ON CONFLICT (gaming_date, document) DO UPDATE SET note = excluded.note, last_position = excluded.last_position
"""


def fold(cursor: CursorWrapper, after: int, upto: int) -> None:
    """Fold the events with after < position <= upto into the paper of the boxes."""
    for statement in (NUMBERED, TWICE, INVENTORIES, VOIDED, TICKED, UNMATCHED, EXPLAINED):
        cursor.execute(statement, [after, upto])


PAPER = Follower("paper", ("box_paper",), fold)
