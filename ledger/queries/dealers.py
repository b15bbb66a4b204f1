"""What was recorded of each dealer's rounds on a gaming day: no count tells dealers apart (books, section 2)."""

from collections.abc import Sequence
from datetime import date
from typing import NamedTuple

from django.conf import settings

from casino.eventstore import store
from casino.eventstore.arrays import Texts
from casino.keys import round_prefix, session_prefix
from ledger.models import TablePeriod


class DealerDay(NamedTuple):
    """A dealer's rounds at a table: how many, their handle, G and E, in cents. `dealer` is "" where nobody was."""

    dealer: str
    table: str
    rounds: int
    handle_cents: int
    result_cents: int
    errors_cents: int


# A round is the dealer's who was on duty when it opened; dealers' comings and goings stand on the session's stream.
OF_DAY = """
WITH ranges AS (
    SELECT * FROM unnest(%b, %b, %b) AS r(table_code, sessions, rounds)
), duty AS (
    SELECT r.table_code, e.occurred_at AS since, e.type,
           lead(e.occurred_at, 1, 'infinity'::timestamptz)
               OVER (PARTITION BY r.table_code ORDER BY e.occurred_at, e.position) AS until,
           e.payload::jsonb ->> 'dealer' AS dealer
      FROM ranges r JOIN log.stream s ON s.key >= r.sessions AND s.key < r.sessions || '~'
      JOIN log.event e ON e.stream_id = s.id AND e.type IN ('dealer_on', 'dealer_off', 'table_closed')
), rounds AS (
    SELECT r.table_code, s.id, min(e.occurred_at) FILTER (WHERE e.type = 'round_opened') AS opened_at,
           coalesce(sum(in_cents)
               FILTER (WHERE e.type IN ('wagers_settled', 'entry_corrected', 'progressive_collected')), 0)
         - coalesce(sum(out_cents)
               FILTER (WHERE e.type IN ('wagers_settled', 'entry_corrected', 'round_voided')), 0) AS result,
           coalesce(sum(in_cents)
               FILTER (WHERE e.type IN ('round_settled', 'round_voided', 'progressive_collected')), 0)
         - coalesce(sum(out_cents) FILTER (WHERE e.type = 'round_voided'), 0) AS handle,
           coalesce(sum(out_cents - in_cents) FILTER (WHERE e.type = 'payout_recorded'), 0) AS errors
      FROM ranges r JOIN log.stream s ON s.key >= r.rounds AND s.key < r.rounds || '~'
      JOIN log.event e ON e.stream_id = s.id GROUP BY 1, 2
)
SELECT coalesce(d.dealer, '') AS dealer, r.table_code, count(*)::int AS rounds, sum(r.handle)::bigint AS handle,
       sum(r.result)::bigint AS result, sum(r.errors)::bigint AS errors
  FROM rounds r LEFT JOIN duty d
    ON d.table_code = r.table_code AND d.type = 'dealer_on' AND r.opened_at >= d.since AND r.opened_at < d.until
 GROUP BY 1, 2 ORDER BY 1, 2"""


def dealer_days(gaming_date: date) -> Sequence[DealerDay]:
    """Every dealer at every table of the day, from that day's rounds: one query beside the list of tables."""
    played = TablePeriod.objects.filter(gaming_date=gaming_date).values_list("table_code", flat=True)
    tables = sorted(set(played))
    house = settings.CASINO_PROPERTY
    sessions = [f"{session_prefix(house, table)}{gaming_date.isoformat()}/" for table in tables]
    rounds = [round_prefix(house, table, gaming_date) for table in tables]
    return [DealerDay(*row) for row in store.run(OF_DAY, (Texts(tables), Texts(sessions), Texts(rounds)))]
