"""What is reckoned from rounds and stands in no column of the log: their results, their theo, what their stakes fed.

The report reads it from read models; here every round is reckoned again, so the two prove each other.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import groupby
from typing import NamedTuple

from django.db import connection

from casino.events import ProgressiveCollected, RoundVoided
from casino.eventstore import store
from casino.eventstore.arrays import BigInts, Texts
from casino.eventstore.registry import decode
from ledger.ended import EndedRound, ended_under
from ledger.figures import Leaf
from ledger.queries.origins import Range
from ledger.stiff import MICROS_IN_A_CENT

FED = """
SELECT e.position, e.type, e.schema_version, e.payload
  FROM unnest(%b, %b, %b) AS r(low, high, upto)
 CROSS JOIN LATERAL (SELECT id FROM log.stream WHERE key >= r.low AND key < r.high OFFSET 0) AS s
  JOIN log.event e ON e.stream_id = s.id AND e.position <= r.upto
   AND (e.type = 'progressive_collected' OR e.type = 'round_voided' AND e.out_cents <> 0)
 ORDER BY e.position"""


class Worth(NamedTuple):
    """What one event is worth in cents; None where its round's mathematics is not known."""

    position: int
    cents: Fraction | None


def worth(leaves: Iterable[Leaf], ranges: Iterable[Range]) -> dict[str, list[Worth]]:
    """Kind → its events and what each is worth, in the order of the log."""
    wanted, rounds = {leaf.side for leaf in leaves}, [one for one in ranges if one.streams == "round"]
    found: dict[str, list[Worth]] = {}
    if wanted & {"result", "theo"}:
        ended = _ended(rounds)
        found["result"] = list(_by_position(ended, lambda one: Fraction(one.sign * one.result_cents)))
        found["theo"] = list(_by_position(ended, _theo))
    if "fed" in wanted:
        found["fed"] = list(_fed(rounds))
    return {leaf.code: found[leaf.side] for leaf in leaves}


def _ended(rounds: Sequence[Range]) -> list[EndedRound]:
    with connection.cursor() as cursor:
        lows, highs, uptos = ([getattr(one, name) for one in rounds] for name in ("low", "high", "upto"))
        return ended_under(cursor, lows, highs, uptos)


def _by_position(ended: Iterable[EndedRound], cents: Callable[[EndedRound], Fraction | None]) -> Iterator[Worth]:
    """A worth an event: where a round was put right, what is right less what counted until then."""
    for position, rounds in groupby(ended, key=lambda one: one.position):
        amounts = [cents(one) for one in rounds]
        known = [amount for amount in amounts if amount is not None]
        yield Worth(position, sum(known, Fraction(0)) if len(known) == len(amounts) else None)


def _theo(one: EndedRound) -> Fraction | None:
    moments = one.spread.moments(one.bets) if one.spread else None
    return one.sign * Fraction(moments.theo, one.spread.theo_denominator) if moments and one.spread else None


def _fed(rounds: Sequence[Range]) -> Iterator[Worth]:
    """Every collection, and every void that took one back."""
    lows, highs = (Texts([getattr(one, name) for one in rounds]) for name in ("low", "high"))
    for row in store.run(FED, (lows, highs, BigInts([one.upto for one in rounds]))):
        event: ProgressiveCollected | RoundVoided = decode(row.type, row.schema_version, row.payload)
        if isinstance(event, ProgressiveCollected):
            yield Worth(row.position, fed_by(event))
        elif event.progressive:
            yield Worth(row.position, -fed_by(event.progressive))


def fed_by(event: ProgressiveCollected) -> Fraction:
    """What a collection fed to meters and reserves of all levels, in cents: a basis point of a cent is a micro-unit."""
    points = event.increment_bp + event.hidden_bp + sum(one.increment_bp + one.hidden_bp for one in event.levels)
    return Fraction(event.in_cents * points, MICROS_IN_A_CENT)
