"""The wagers of each table's day dealt again, so that a result can be ranked among what luck might have made of it.

Every round that ended is dealt `REPLAYS` times; a replay of the day is the sum of one replay of each round. The cards
come from the round's name, so that the same rounds give the same replays whenever and wherever they are dealt. It is
a follower like the others, but Celery steps it and nobody rebuilds it: `luck_hours` holds what is exact.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date
from hashlib import sha256

import msgspec
import numpy as np
from django.db.backends.utils import CursorWrapper

from casino.eventstore.follower import Follower
from casino.games.lots import Int64s, Numbers
from casino.keys import RoundId
from ledger.ended import EndedRound, ended_at_table, ended_in
from ledger.luck import REPLAYS

BAND = (REPLAYS + 1) // 40
"""So many replays lie outside on either side: 2.5 in 100."""

TableDay = tuple[date, str]


@dataclass
class Day:
    """A table's day so far: its own result, those of its replays, and the band at the end of each hour."""

    rounds: int = 0
    result_cents: int = 0
    is_known: bool = True
    replays: Int64s = field(default_factory=lambda: np.zeros(REPLAYS, dtype=np.int64))
    band: dict[str, tuple[int, int]] = field(default_factory=dict)
    last_position: int = 0

    def add(self, rounds: Iterable[EndedRound]) -> "Day":
        """The day after these rounds as well, in the order they ended."""
        hour = ""
        for one in rounds:
            if hour and hour != one.hour.isoformat():
                self._note(hour)
            hour = one.hour.isoformat()
            self._add(one)
        if hour:
            self._note(hour)
        return self

    def _add(self, one: EndedRound) -> None:
        dealt = one.spread.results(one.bets, numbers_of(one)) if one.spread else None
        self.is_known = self.is_known and dealt is not None
        if dealt is not None:
            self.replays += one.sign * dealt
        self.rounds += one.sign
        self.result_cents += one.sign * one.result_cents
        self.last_position = one.position

    def _note(self, hour: str) -> None:
        """Where 95 of 100 replays lie now. Rounds of an earlier hour that come late show from the latest hour on."""
        low, high = np.partition(self.replays, (BAND, REPLAYS - 1 - BAND))[[BAND, REPLAYS - 1 - BAND]].tolist()
        self.band[max([hour, *self.band])] = (low, high)

    @property
    def at_or_below(self) -> int:
        return int(np.count_nonzero(self.replays <= self.result_cents))

    @property
    def at_or_above(self) -> int:
        return int(np.count_nonzero(self.replays >= self.result_cents))


def numbers_of(one: EndedRound) -> Numbers:
    """The round's own random numbers: a generator seeded with its name."""
    name = str(RoundId(one.table, one.gaming_date, one.n))
    seed = int.from_bytes(sha256(name.encode()).digest()[:16], "big")
    found: Numbers = np.random.PCG64(seed).random_raw(REPLAYS)
    return found


def fold(cursor: CursorWrapper, after: int, upto: int) -> None:
    """Deal the rounds again that ended at after < position <= upto."""
    rounds: dict[TableDay, list[EndedRound]] = defaultdict(list)
    for one in ended_in(cursor, after, upto):
        rounds[one.gaming_date, one.table].append(one)
    if not rounds:
        return
    known = _days(cursor, rounds)
    lost = [key for key, day in known.items() if day is None]
    before = {key: Day().add(ended_at_table(cursor, key[1], key[0], after)) for key in lost}
    days = {key: (before.get(key) or known.get(key) or Day()).add(played) for key, played in rounds.items()}
    _write(cursor, days)


def _days(cursor: CursorWrapper, rounds: Mapping[TableDay, object]) -> dict[TableDay, Day | None]:
    """The days that were dealt before; None where a crash took the replays, which are then dealt anew."""
    cursor.execute(
        """SELECT c.gaming_date, c.table_code, c.rounds, c.result_cents, c.is_known, r.results, c.band::text,
                  c.last_position
             FROM luck_chance c LEFT JOIN luck_replays r USING (gaming_date, table_code)
             JOIN unnest(%s::date[], %s::text[]) AS w(gaming_date, table_code) USING (gaming_date, table_code)""",
        [[day for day, _ in rounds], [table for _, table in rounds]],
    )
    found: dict[TableDay, Day | None] = {}
    for day, table, count, result, is_known, results, band, position in cursor.fetchall():
        replays = None if results is None else np.frombuffer(results, dtype="<i8").copy()
        kept = msgspec.json.decode(band, type=dict[str, tuple[int, int]])
        found[day, table] = None if replays is None else Day(count, result, is_known, replays, kept, position)
    return found


def _write(cursor: CursorWrapper, days: Mapping[TableDay, Day]) -> None:
    cursor.executemany(
        """INSERT INTO luck_chance (gaming_date, table_code, rounds, result_cents, is_known, at_or_below, at_or_above,
                  band, last_position)
           VALUES (%s, %s, %s, %s, %s, %s, %s, %s::jsonb, %s)
               ON CONFLICT (gaming_date, table_code) DO UPDATE SET
                  rounds = excluded.rounds, result_cents = excluded.result_cents, is_known = excluded.is_known,
                  at_or_below = excluded.at_or_below, at_or_above = excluded.at_or_above, band = excluded.band,
                  last_position = excluded.last_position""",
        [
            (*key, day.rounds, day.result_cents, day.is_known, day.at_or_below, day.at_or_above,
             msgspec.json.encode(day.band).decode(), day.last_position)
            for key, day in days.items()
        ],
    )  # fmt: skip
    cursor.executemany(
        """INSERT INTO luck_replays (gaming_date, table_code, results) VALUES (%s, %s, %s)
               ON CONFLICT (gaming_date, table_code) DO UPDATE SET results = excluded.results""",
        [(*key, day.replays.astype("<i8").tobytes()) for key, day in days.items()],
    )


REPLAYED = Follower("replays", ("luck_chance", "luck_replays"), fold)
