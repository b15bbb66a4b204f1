"""From the log to the books, in sets. `BOOKS` stands at the foot.

The columns of a period are the kinds of event that `ledger.figures` lists, so that a figure, its page and its column
can't mean different things.
"""

from collections.abc import Mapping

from django.conf import settings
from django.db.backends.utils import CursorWrapper

from casino.eventstore.follower import Follower
from ledger import box_books, filed
from ledger.figures import CORRECTED_BY, DROP, ERRORS, HANDLE, LEAVES, PERIOD_LEAVES, RESULT

PERIODS_BEGUN = """
INSERT INTO table_period (gaming_date, table_code, session, first_round, opened_at, opened_position, rolled,
       opener_cents, rounds_opened, rounds_settled, rounds_voided, last_position, {columns})
SELECT gaming_date, table_code, (payload::jsonb ->> 'session')::smallint,
       coalesce((payload::jsonb ->> 'first_round')::int, 1), occurred_at, position, false, in_cents, 0, 0, 0, position,
       {zeros}
  FROM log.event WHERE position > %s AND position <= %s AND type = 'table_opened'
"""

PERIODS_ENDED = """
UPDATE table_period p SET closer_cents = e.out_cents, closed_at = e.occurred_at,
       last_position = greatest(p.last_position, e.position),
       rolled = coalesce((e.payload::jsonb ->> 'rolled')::boolean, false)
  FROM log.event e
 WHERE e.position > %s AND e.position <= %s AND e.type = 'table_closed' AND p.gaming_date = e.gaming_date
   AND p.table_code = e.table_code AND p.session = (e.payload::jsonb ->> 'session')::smallint
"""

# A round belongs to the last period that began at or below its number; what stands on a session's stream names it in
# its key; any other payment is the period's that was open when it was made.
PERIODS = """
WITH kinds AS (
    SELECT gaming_date, table_code, round_no, CASE WHEN round_no IS NULL THEN stream_id END AS stream_id,
           {of_type} AS type,
           count(*) AS n, sum(in_cents)::bigint AS in_cents, sum(out_cents)::bigint AS out_cents,
           max(position) AS position
      FROM log.event
     WHERE position > %s AND position <= %s AND table_code IS NOT NULL AND type IN ({types})
     GROUP BY 1, 2, 3, 4, 5
), placed AS (
    SELECT k.*, CASE WHEN k.round_no IS NOT NULL THEN
               (SELECT max(p.session) FROM table_period p WHERE p.gaming_date = k.gaming_date
                   AND p.table_code = k.table_code AND p.first_round <= k.round_no)
           WHEN split_part(s.key, '/', 2) = 'session' THEN split_part(s.key, '/', 5)::smallint
           ELSE (SELECT max(p.session) FROM table_period p WHERE p.gaming_date = k.gaming_date
                    AND p.table_code = k.table_code AND p.opened_position < k.position) END AS session
      FROM kinds k LEFT JOIN log.stream s ON s.id = k.stream_id
), e AS (
    SELECT gaming_date, table_code, session, max(position) AS last_position,
           coalesce(sum(n) FILTER (WHERE type = 'round_opened'), 0) AS rounds_opened,
           coalesce(sum(n) FILTER (WHERE type = 'round_settled'), 0) AS rounds_settled,
           coalesce(sum(n) FILTER (WHERE type = 'round_voided'), 0) AS rounds_voided,
           {sums}
      FROM placed GROUP BY gaming_date, table_code, session
), moved AS (
    UPDATE table_period p SET rounds_opened = p.rounds_opened + e.rounds_opened,
           rounds_settled = p.rounds_settled + e.rounds_settled, rounds_voided = p.rounds_voided + e.rounds_voided,
           last_position = greatest(p.last_position, e.last_position),
           {added}
      FROM e WHERE p.gaming_date = e.gaming_date AND p.table_code = e.table_code AND p.session = e.session
    RETURNING 1
)
SELECT table_code, gaming_date, session FROM e WHERE (SELECT count(*) FROM moved) <> (SELECT count(*) FROM e)
   AND NOT EXISTS (SELECT FROM table_period p WHERE p.gaming_date = e.gaming_date AND p.table_code = e.table_code
                      AND p.session = e.session)
"""

HOURS = """
WITH e AS (
    SELECT gaming_date, table_code, hour, max(position) AS last_position,
           {drop} AS dropped, {result} - ({jackpots}) - ({errors}) AS won, {handle} AS handled, {fills} AS filled,
           {credits} AS credited, count(*) FILTER (WHERE type = 'round_opened') AS rounds
      FROM (SELECT gaming_date, table_code, date_trunc('hour', occurred_at, %s) AS hour, position, in_cents, out_cents,
                   {of_type} AS type
              FROM log.event
             WHERE position > %s AND position <= %s AND table_code IS NOT NULL AND type IN ({types})) AS moved
     GROUP BY 1, 2, 3
)
INSERT INTO table_hour AS h (gaming_date, table_code, hour, drop_cents, win_cents, handle_cents, fills_cents,
       credits_cents, rounds, last_position)
SELECT gaming_date, table_code, hour, dropped, won, handled, filled, credited, rounds, last_position FROM e
    ON CONFLICT (gaming_date, table_code, hour) DO UPDATE SET
       drop_cents = h.drop_cents + excluded.drop_cents, win_cents = h.win_cents + excluded.win_cents,
       handle_cents = h.handle_cents + excluded.handle_cents, fills_cents = h.fills_cents + excluded.fills_cents,
       credits_cents = h.credits_cents + excluded.credits_cents, rounds = h.rounds + excluded.rounds,
       last_position = excluded.last_position
"""

# The last record of a wager says what was paid and what was due, which changes where its round is put right.
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
       due_cents = excluded.due_cents, paid_cents = excluded.paid_cents, recorded_by = excluded.recorded_by,
       at = excluded.at, last_position = excluded.last_position
"""

OF_TYPE = "CASE type WHEN 'entry_corrected' THEN payload::jsonb ->> 'entry' ELSE type END"
"""SQL: a correction counts as what it corrects, by the difference that it makes."""


def _cents(code: str) -> str:
    """SQL: what the events of a kind add up to within a group."""
    leaf = LEAVES[code]
    return f"coalesce(sum({leaf.side}_cents) FILTER (WHERE type = '{leaf.type}'), 0)::bigint"


def _all(signs: Mapping[str, int]) -> str:
    return " ".join(f"{'+' if sign > 0 else '-'} {_cents(code)}" for code, sign in signs.items())


def _moving() -> str:
    """SQL: the types that move a period's figures."""
    types = {leaf.type for leaf in PERIOD_LEAVES} | {
        "round_opened", "round_settled", "round_voided", CORRECTED_BY,
    }  # fmt: skip
    return ", ".join(f"'{name}'" for name in sorted(types))


def _periods() -> tuple[str, str]:
    """The statements that begin periods and that move them, with a column for each kind of event."""
    columns = [leaf.column for leaf in PERIOD_LEAVES]
    begun = PERIODS_BEGUN.format(columns=", ".join(columns), zeros=", ".join("0" for _ in columns))
    sums = ",\n           ".join(f"{_cents(leaf.code)} AS {leaf.column}" for leaf in PERIOD_LEAVES)
    added = ",\n           ".join(f"{name} = p.{name} + e.{name}" for name in columns)
    return begun, PERIODS.format(of_type=OF_TYPE, types=_moving(), sums=sums, added=added)


def _hours() -> str:
    return HOURS.format(
        drop=_all(dict.fromkeys(DROP, 1)),
        result=_all(RESULT),
        jackpots=_cents("jackpots-paid"),
        errors=_all(ERRORS),
        handle=_all(HANDLE),
        fills=_cents("fills-received"),
        credits=_all({"credits-removed": 1, "credits-returned": -1}),
        types=_moving(),
        of_type=OF_TYPE,
    )


BEGUN, MOVED = _periods()
BY_HOUR = _hours()
FACTS = {leaf.type for leaf in LEAVES.values()} | {CORRECTED_BY, "emergency_box_placed"}
"""The types of event that move a day's figures: one of a closed day is late, and an adjustment."""
LATE = filed.late_facts_of(FACTS)


class OutsideEveryPeriod(Exception):
    """Money moved at a table that no opener had opened: the fold stops here and steps over nothing."""


def fold(cursor: CursorWrapper, after: int, upto: int) -> None:
    """Fold the events with after < position <= upto into the books, and keep each closed day as it is at its cut."""
    for low, high, is_cut in filed.up_to_cuts(cursor, after, upto):
        _fold(cursor, low, high)
        if is_cut:
            cursor.execute(filed.CLOSED, [high])


def _fold(cursor: CursorWrapper, after: int, upto: int) -> None:
    cursor.execute(BEGUN, [after, upto])
    cursor.execute(MOVED, [after, upto])
    if astray := cursor.fetchone():
        raise OutsideEveryPeriod(f"Events of {astray[0]} on {astray[1]} belong to no period that the log opened.")
    for statement in (PERIODS_ENDED, *box_books.STATEMENTS, DEALER_ERRORS, LATE, filed.FILED, filed.TOTALS):
        cursor.execute(statement, [after, upto])
    cursor.execute(BY_HOUR, [settings.TIME_ZONE, after, upto])


BOOKS = Follower("books", ("table_period", "table_hour", "box", "dealer_error", *box_books.TABLES, *filed.TABLES), fold)
