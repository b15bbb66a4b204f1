"""The rounds that ended in a range of the log, each with what it pinned and every wager that was settled in it.

A round ends once: settled, or voided. Of a round voided after one of its phases was paid, what was settled counts; of
any other voided round, nothing. It belongs to the hour of the property's clock in which it opened.
"""

from collections.abc import Sequence
from datetime import date, datetime
from functools import cached_property
from typing import Any

from django.conf import settings
from django.db.backends.utils import CursorWrapper

from casino.events import RoundOpened, RoundSettled, RoundVoided, SettledLine, WagersSettled
from casino.eventstore.registry import decode, name_of
from casino.games.game import LOSE, WIN, Placed, Setup
from casino.games.spread import Spread, spread_of
from casino.keys import round_prefix, session_of
from casino.refusal import Refused

OPENED, SETTLED = name_of(RoundOpened), name_of(WagersSettled)
ENDS = [name_of(RoundSettled), name_of(RoundVoided)]
WITH_LINES = f"""
    SELECT d.position, d.table_code, d.gaming_date, d.round_no, date_trunc('hour', o.occurred_at, %s::text),
           o.schema_version, o.payload, l.versions, l.payloads
      FROM ended d JOIN log.event o ON o.stream_id = d.stream_id AND o.version = 1
     CROSS JOIN LATERAL (SELECT array_agg(s.schema_version ORDER BY s.version) AS versions,
                                array_agg(s.payload ORDER BY s.version) AS payloads
                           FROM log.event s WHERE s.stream_id = d.stream_id AND s.version < d.version
                            AND s.type = '{SETTLED}') l
     WHERE l.payloads IS NOT NULL
     ORDER BY d.position"""
IN_RANGE = f"""
    WITH ended AS MATERIALIZED (
        SELECT position, stream_id, version, table_code, gaming_date, round_no FROM log.event
         WHERE position > %s AND position <= %s AND type = ANY(%s)
    ) {WITH_LINES}"""
OF_A_DAY = f"""
    WITH ended AS MATERIALIZED (
        SELECT e.position, e.stream_id, e.version, e.table_code, e.gaming_date, e.round_no
          FROM log.stream s JOIN log.event e ON e.stream_id = s.id
         WHERE s.key >= %s AND s.key < %s AND e.position <= %s AND e.type = ANY(%s)
    ) {WITH_LINES}"""

UNDER = f"""
    WITH ended AS MATERIALIZED (
        SELECT e.position, e.stream_id, e.version, e.table_code, e.gaming_date, e.round_no
          FROM unnest(%s::text[], %s::text[], %s::bigint[]) AS r(low, high, upto)
         CROSS JOIN LATERAL (SELECT id FROM log.stream WHERE key >= r.low AND key < r.high OFFSET 0) AS s
          JOIN log.event e ON e.stream_id = s.id AND e.position <= r.upto AND e.type = ANY(%s)
    ) {WITH_LINES}"""


class EndedRound:
    """One round that ended; `position` is where it did."""

    def __init__(self, row: Sequence[Any]) -> None:
        self.position: int = row[0]
        self.table: str = row[1]
        self.gaming_date: date = row[2]
        self.n: int = row[3]
        self.hour: datetime = row[4]
        self.opened: RoundOpened = decode(OPENED, row[5], row[6])
        settled = [decode(SETTLED, version, text) for version, text in zip(row[7], row[8], strict=True)]
        self.lines: list[SettledLine] = [line for one in settled for line in one.lines]

    @property
    def session(self) -> int:
        """The number of the session in which it was played, from 1 within the gaming day."""
        return session_of(self.opened.session)[1]

    @property
    def stakes_cents(self) -> int:
        return sum(line.stake_cents for line in self.lines)

    @property
    def result_cents(self) -> int:
        """Stakes collected less winnings due, the progressive in neither."""
        collected = sum(line.stake_cents for line in self.lines if line.result == LOSE)
        return collected - sum(line.returned_cents - line.stake_cents for line in self.lines if line.result == WIN)

    @cached_property
    def bets(self) -> list[Placed]:
        return [Placed(line.number, line.seat, line.wager, line.stake_cents) for line in self.lines]

    @cached_property
    def spread(self) -> Spread | None:
        """The mathematics that its set-up pins; None where this house no longer knows the game or the paytable."""
        pinned = self.opened
        setup = Setup(pinned.paytable, pinned.layout, pinned.method, pinned.payout_rounding_cents)
        try:
            return spread_of(pinned.game, setup)
        except Refused:
            return None


def ended_in(cursor: CursorWrapper, after: int, upto: int) -> list[EndedRound]:
    """Those that ended at after < position <= upto, in that order."""
    cursor.execute(IN_RANGE, [after, upto, ENDS, settings.TIME_ZONE])
    return [EndedRound(row) for row in cursor.fetchall()]


def ended_under(
    cursor: CursorWrapper, lows: Sequence[str], highs: Sequence[str], uptos: Sequence[int]
) -> list[EndedRound]:
    """Those whose keys are from a low to below its high and that ended at or below its position, in that order."""
    cursor.execute(UNDER, [list(lows), list(highs), list(uptos), ENDS, settings.TIME_ZONE])
    return [EndedRound(row) for row in cursor.fetchall()]


def ended_at_table(cursor: CursorWrapper, table: str, day: date, upto: int) -> list[EndedRound]:
    """Those of one table's gaming day that ended at position <= upto, in that order."""
    prefix = round_prefix(settings.CASINO_PROPERTY, table, day)
    cursor.execute(OF_A_DAY, [prefix, prefix[:-1] + "0", upto, ENDS, settings.TIME_ZONE])  # "0" is what follows "/"
    return [EndedRound(row) for row in cursor.fetchall()]
