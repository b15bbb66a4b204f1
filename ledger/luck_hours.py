"""From the log to luck: what each table's wagers were worth and how far they may stray, hour by hour. `LUCK` is below.

Theo and variance of a round are exact: whole numbers over the denominator that the round's paytable has
(`casino.games.spread`). One row is of one paytable, so its rounds have one denominator, and the database adds them up.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import Any

import msgspec
from django.db.backends.utils import CursorWrapper

from casino.eventstore.follower import Follower
from ledger.ended import EndedRound, ended_in

KEY = ("gaming_date", "table_code", "session", "hour", "game", "paytable")
SUMS = ("rounds", "unknown_rounds", "stakes_cents", "result_cents", "theo_numerator", "variance_numerator")

ADD = f"""
    INSERT INTO luck_hour AS h ({", ".join((*KEY, *SUMS))}, theo_denominator, variance_denominator, last_position)
    SELECT {", ".join((*KEY, *SUMS))}, theo_denominator, variance_denominator, last_position
      FROM jsonb_to_recordset(%s::jsonb) AS r(
           gaming_date date, table_code text, session int, hour timestamptz, game text, paytable text,
           rounds int, unknown_rounds int, stakes_cents bigint, result_cents bigint, theo_numerator numeric,
           variance_numerator numeric, theo_denominator numeric, variance_denominator numeric, last_position bigint)
        ON CONFLICT ({", ".join(KEY)}) DO UPDATE SET
           {", ".join(f"{name} = h.{name} + excluded.{name}" for name in SUMS)},
           theo_denominator = greatest(h.theo_denominator, excluded.theo_denominator),
           variance_denominator = greatest(h.variance_denominator, excluded.variance_denominator),
           last_position = excluded.last_position"""


def fold(cursor: CursorWrapper, after: int, upto: int) -> None:
    """Fold the rounds that ended at after < position <= upto into their hours."""
    rows = list(hours_of(ended_in(cursor, after, upto)))
    if rows:
        cursor.execute(ADD, [msgspec.json.encode(rows).decode()])


def hours_of(rounds: Iterable[EndedRound]) -> Iterator[dict[str, Any]]:
    """The rounds added up, a row for each key; whole numbers as text, which may be longer than JSON's."""
    rows: dict[tuple[Any, ...], dict[str, Any]] = defaultdict(lambda: dict.fromkeys(SUMS, 0))
    for one in rounds:
        key = one.gaming_date, one.table, one.session, one.hour, one.opened.game, one.opened.paytable
        row = rows[key]
        for name, more in zip(SUMS, _sums_of(one), strict=True):
            row[name] += one.sign * more
        row["theo_denominator"] = one.spread.theo_denominator if one.spread else 1
        row["variance_denominator"] = one.spread.variance_denominator if one.spread else 1
        row["last_position"] = one.position
    for key, row in rows.items():
        yield dict(zip(KEY, key, strict=True)) | {name: str(value) for name, value in row.items()}


def _sums_of(one: EndedRound) -> tuple[int, ...]:
    """One round, in the order of `SUMS`."""
    moments = one.spread.moments(one.bets) if one.spread else None
    theo, variance = moments or (0, 0)
    return 1, int(moments is None), one.stakes_cents, one.result_cents, theo, variance


LUCK = Follower("luck", ("luck_hour",), fold)
