"""What a meter's history is drawn from: its turning points, and the stakes that flowed in between, a row a minute.

The fold writes both as it goes (`projections.apply`). A turn is a fact that changed a pool by itself: the set-up, a
completed hand that won, a void, a return, an adjustment. What contributions did between two turns doesn't depend on
their order (jackpot/meter.py), so their sums are all a history needs, and a month of rounds opens as fast as a day.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

import msgspec
from django.db.backends.utils import CursorWrapper

from casino.eventstore.registry import name_of
from jackpot.link import Collected, Completed, Link, Voided
from jackpot.meter import Meter, Rates, pools

HIT, VOID = "hit", "void"
KINDS: dict[type, str] = {Completed: HIT, Voided: VOID}
"""Kinds of turns made by the floor; those of the link's own stream go by their words on disk."""


class Minute(NamedTuple):
    """Where a flow belongs: after the link's nth turn, in a minute of the floor's clock, under one set of rates."""

    link: str
    nth: int
    minute: datetime
    rates: Rates


class Chronicle:
    """Collects what one range of the log adds to the histories; `moments` is position → when it happened."""

    def __init__(self, cursor: CursorWrapper, links: Sequence[str], moments: Mapping[int, datetime]) -> None:
        cursor.execute("SELECT link, max(nth) FROM jackpot_turn WHERE link = ANY(%s) GROUP BY link", [list(links)])
        self.nth: dict[str, int] = dict(cursor.fetchall())
        self.moments = moments
        self.turns: list[dict[str, Any]] = []
        self.flows: dict[Minute, list[int]] = {}

    def fed(self, code: str, at: int, fact: Collected) -> None:
        """Stakes that a meter took."""
        rates = fact.rates._replace(taken_bp=0)  # what feeds other levels moves no pool of this one
        minute = Minute(code, self.nth[code], self.moments[at].replace(second=0, microsecond=0), rates)
        flow = self.flows.setdefault(minute, [0, 0, 0, at, at])
        for place, more in enumerate((1, fact.wagers, fact.stakes_cents)):
            flow[place] += more
        flow[-1] = at

    def turned(self, at: int, fact: object, before: Link | None, after: Link) -> None:
        """A fact other than stakes; it is a turn where it changed a pool, or what fills one."""
        if before is not None and _felt(before.meter) == _felt(after.meter):
            return
        code = after.terms.code
        self.nth[code] = self.nth.get(code, 0) + 1
        self.turns.append(
            {
                "link": code,
                "nth": self.nth[code],
                "position": at,
                "at": self.moments[at],
                "kind": KINDS.get(type(fact)) or name_of(type(fact)),  # type: ignore[arg-type]
                "before_micros": before.meter.main_micros if before else 0,
                "after_micros": after.meter.main_micros,
                "meter": msgspec.json.encode(after.meter, order="sorted").decode(),
            }
        )

    def write(self, cursor: CursorWrapper) -> None:
        """One statement for the turns, one for the flows."""
        if self.turns:
            cursor.execute(TURNS, [msgspec.json.encode(self.turns).decode()])
        if self.flows:
            cursor.execute(FLOWS, [msgspec.json.encode([_row(*flow) for flow in self.flows.items()]).decode()])


def _felt(meter: Meter) -> tuple[object, ...]:
    """The pools, and the parameters that say how stakes are poured into them."""
    return (pools(meter), meter.reset_micros, meter.limit_micros, meter.overflow_rule)


def _row(where: Minute, sums: Sequence[int]) -> dict[str, Any]:
    rounds, wagers, stakes, first, last = sums
    return {
        "link": where.link,
        "nth": where.nth,
        "minute": where.minute,
        "increment_bp": where.rates.increment_bp,
        "hidden_bp": where.rates.hidden_bp,
        "rounds": rounds,
        "wagers": wagers,
        "stakes_cents": stakes,
        "first_position": first,
        "last_position": last,
    }


TURNS = """INSERT INTO jackpot_turn (link, nth, position, at, kind, before_micros, after_micros, meter)
    SELECT link, nth, position, at, kind, before_micros, after_micros, meter
      FROM jsonb_populate_recordset(NULL::jackpot_turn, %s::jsonb)"""

FLOWS = """INSERT INTO jackpot_flow AS f (link, nth, minute, increment_bp, hidden_bp, rounds, wagers, stakes_cents,
           first_position, last_position)
    SELECT link, nth, minute, increment_bp, hidden_bp, rounds, wagers, stakes_cents, first_position, last_position
      FROM jsonb_populate_recordset(NULL::jackpot_flow, %s::jsonb)
        ON CONFLICT (link, nth, minute, increment_bp, hidden_bp) DO UPDATE SET
           rounds = f.rounds + excluded.rounds, wagers = f.wagers + excluded.wagers,
           stakes_cents = f.stakes_cents + excluded.stakes_cents, last_position = excluded.last_position"""
