"""The rounds that ended in a range of the log, each with what it pinned and every wager that was settled in it.

A round ends once: settled, or voided. Of a round voided after one of its phases was paid, what was settled counts; of
any other voided round, nothing. It belongs to the hour of the property's clock in which it opened.

A round that is settled anew is taken back as it counted until then and counts as it is right from there on; where every
wager went back it counts for nothing, as a void does.
"""

from collections.abc import Iterator, Sequence
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
from casino.void_events import RoundResettled

OPENED, SETTLED, ANEW = name_of(RoundOpened), name_of(WagersSettled), name_of(RoundResettled)
ENDS = [name_of(RoundSettled), name_of(RoundVoided), ANEW]
WITH_LINES = f"""
    SELECT d.position, d.table_code, d.gaming_date, d.round_no, date_trunc('hour', o.occurred_at, %s::text),
           o.schema_version, o.payload, l.versions, l.payloads, a.versions, a.payloads
      FROM ended d JOIN log.event o ON o.stream_id = d.stream_id AND o.version = 1
     CROSS JOIN LATERAL (SELECT array_agg(s.schema_version ORDER BY s.version) AS versions,
                                array_agg(s.payload ORDER BY s.version) AS payloads
                           FROM log.event s WHERE s.stream_id = d.stream_id AND s.version < d.version
                            AND s.type = '{SETTLED}') l
     -- Where it was settled anew: how it is right from here on, and before that the last time that it was put right.
     CROSS JOIN LATERAL (SELECT array_agg(s.schema_version ORDER BY s.version DESC) AS versions,
                                array_agg(s.payload ORDER BY s.version DESC) AS payloads
                           FROM (SELECT * FROM log.event s WHERE d.type = '{ANEW}' AND s.stream_id = d.stream_id
                                    AND s.version <= d.version AND s.type = '{ANEW}'
                                  ORDER BY s.version DESC LIMIT 2) s) a
     WHERE l.payloads IS NOT NULL
     ORDER BY d.position"""
IN_RANGE = f"""
    WITH ended AS MATERIALIZED (
        SELECT position, stream_id, version, type, table_code, gaming_date, round_no FROM log.event
         WHERE position > %s AND position <= %s AND type = ANY(%s)
    ) {WITH_LINES}"""
OF_A_DAY = f"""
    WITH ended AS MATERIALIZED (
        SELECT e.position, e.stream_id, e.version, e.type, e.table_code, e.gaming_date, e.round_no
          FROM log.stream s JOIN log.event e ON e.stream_id = s.id
         WHERE s.key >= %s AND s.key < %s AND e.position <= %s AND e.type = ANY(%s)
    ) {WITH_LINES}"""

UNDER = f"""
    WITH ended AS MATERIALIZED (
        SELECT e.position, e.stream_id, e.version, e.type, e.table_code, e.gaming_date, e.round_no
          FROM unnest(%s::text[], %s::text[], %s::bigint[]) AS r(low, high, upto)
         CROSS JOIN LATERAL (SELECT id FROM log.stream WHERE key >= r.low AND key < r.high OFFSET 0) AS s
          JOIN log.event e ON e.stream_id = s.id AND e.position <= r.upto AND e.type = ANY(%s)
    ) {WITH_LINES}"""


class EndedRound:
    """One round as it ended, or as it was put right; `position` is where. `sign` is −1 where it is taken back."""

    def __init__(self, row: Sequence[Any], lines: Sequence[SettledLine], sign: int = 1) -> None:
        self.position: int = row[0]
        self.table: str = row[1]
        self.gaming_date: date = row[2]
        self.n: int = row[3]
        self.hour: datetime = row[4]
        self.opened: RoundOpened = decode(OPENED, row[5], row[6])
        self.lines = lines
        self.sign = sign

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
    return [one for row in cursor.fetchall() for one in _counted(row)]


def ended_under(
    cursor: CursorWrapper, lows: Sequence[str], highs: Sequence[str], uptos: Sequence[int]
) -> list[EndedRound]:
    """Those whose keys are from a low to below its high and that ended at or below its position, in that order."""
    cursor.execute(UNDER, [list(lows), list(highs), list(uptos), ENDS, settings.TIME_ZONE])
    return [one for row in cursor.fetchall() for one in _counted(row)]


def ended_at_table(cursor: CursorWrapper, table: str, day: date, upto: int) -> list[EndedRound]:
    """Those of one table's gaming day that ended at position <= upto, in that order."""
    prefix = round_prefix(settings.CASINO_PROPERTY, table, day)
    cursor.execute(OF_A_DAY, [prefix, prefix[:-1] + "0", upto, ENDS, settings.TIME_ZONE])  # "0" is what follows "/"
    return [one for row in cursor.fetchall() for one in _counted(row)]


def _counted(row: Sequence[Any]) -> Iterator[EndedRound]:
    """What a row adds: a round that ended; of one put right, what counted until then taken back, and what is right."""
    anew = [decode(ANEW, version, text) for version, text in zip(row[9] or (), row[10] or (), strict=True)]
    if not anew:
        yield EndedRound(row, _settled(row))
        return
    right, before = anew[0], anew[1:]
    if was := _lines_of(before[0]) if before else _settled(row):
        yield EndedRound(row, was, sign=-1)
    if lines := _lines_of(right):
        yield EndedRound(row, lines)


def _settled(row: Sequence[Any]) -> list[SettledLine]:
    settled = [decode(SETTLED, version, text) for version, text in zip(row[7], row[8], strict=True)]
    return [line for one in settled for line in one.lines]


def _lines_of(right: RoundResettled) -> list[SettledLine]:
    """The lines of a round that was put right; none where every wager went back."""
    return [line for lines in right.phases.values() for line in lines] if right.cards else []
