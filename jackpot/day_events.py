"""What the lines of a meter's day are made of: each fact that moved an account by itself, and the stakes of the day.

The facts are few, so a link is folded anew from its set-up; the stakes between two turns lie added up
(`jackpot/chronicle.py`) and go in as sums, which changes nothing (books, 5.3). What is left of a line is what the day's
stakes poured in.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import NamedTuple

from django.db.models import Max, Min, Sum
from msgspec.structs import replace

from casino.commands.order import property_code
from casino.eventstore import history, store
from casino.eventstore.history import Entry
from casino.keys import case_key, link_key
from jackpot import queries
from jackpot.facts import Fact, facts_of, next_link
from jackpot.link import Collected, Link
from jackpot.meter import Rates, contribute
from jackpot.models import Flow, Turn
from jackpot.projections import OWN
from jackpot.statement import PAYABLE, POOLS, Lines, lines_of, total

STAKES_A_PAGE = 50
_OWN = """
    SELECT e.position FROM log.stream s JOIN log.event e ON e.stream_id = s.id
     WHERE (s.key = %s OR starts_with(s.key, %s)) AND e.type = ANY(%s) AND e.position <= %s"""
_STAKES = """
    SELECT e.position, count(*) OVER () AS rounds, sum(e.in_cents) OVER ()::bigint AS cents FROM log.event e
     WHERE e.position BETWEEN %s AND %s AND e.gaming_date = %s AND e.type = 'progressive_collected'
       AND (e.payload::jsonb ->> 'link' = %s
            OR e.payload::jsonb -> 'levels' @> jsonb_build_array(jsonb_build_object('link', %s::text)))
     ORDER BY e.position"""


class Moved(NamedTuple):
    """A fact and what it did, in micro-units with their sign, by account and line."""

    entry: Entry
    lines: Lines


class Stake(NamedTuple):
    """A round's progressive stakes, and the rates that it had pinned for this link."""

    entry: Entry
    fed: Collected


@dataclass(frozen=True)
class DayEvents:
    """All that a day's lines come from. `stakes` are those behind the position asked for, `stakes_cents` of all."""

    moved: tuple[Moved, ...]
    poured: Lines
    stakes: Sequence[Stake]
    rounds: int
    stakes_cents: int
    next_after: int | None


def day_events(code: str, day: date, stated: Lines, position: int, after: int = 0) -> DayEvents:
    """What `stated`, the day's lines of a link up to a position of the log, is made of. Refuses `unknown_link`."""
    queries.row_of(code)
    moved = tuple(one for one in _moved(code, position) if one.entry.gaming_date == day and one.lines)
    turned = total(item for one in moved for item in one.lines.items())
    left = {key: stated.get(key, 0) - turned.get(key, 0) for key in stated | turned}
    found = store.run(_STAKES, (*_places(code, day, position), day, code, code)).fetchall()
    shown = [row.position for row in found if row.position > after]
    return DayEvents(
        moved=moved,
        poured={key: micros for key, micros in left.items() if micros},
        stakes=[Stake(entry, fed) for entry in history.at(shown[:STAKES_A_PAGE]) for fed in _fed_by(code, entry)],
        rounds=len(found),
        stakes_cents=found[0].cents if found else 0,
        next_after=shown[STAKES_A_PAGE - 1] if len(shown) > STAKES_A_PAGE else None,
    )


def _moved(code: str, position: int) -> Iterator[Moved]:
    """Every fact of a link besides its stakes, with what it did to the pools and to what is payable."""
    turns = dict(Turn.objects.filter(link=code, position__lte=position).values_list("position", "nth"))
    flows, now, nth = _flows(code), None, 0
    for entry in history.at(sorted({*turns, *_own(code, position)})):
        if entry.position in turns:
            now, nth = _fed(now, flows.get(nth, ())), turns[entry.position]
        for fact in _facts(code, entry):
            before, now = now, next_link(now, entry.position, fact)
            if now is not None:
                yield Moved(entry, _shown(lines_of(fact, before.meter if before else None, now.meter)))


def _places(code: str, day: date, position: int) -> tuple[int, int]:
    """Between which positions a gaming day's stakes stand, so that no more of the log is read: flows know their places.

    Whatever the zone and the rollover hour, a gaming day's rounds happen within a day of its calendar day.
    """
    begin = datetime.combine(day, time(), UTC) - timedelta(days=1)
    flows = Flow.objects.filter(link=code, minute__range=(begin, begin + timedelta(days=4)))
    found = flows.aggregate(low=Min("first_position"), high=Max("last_position"))
    return found["low"] or 0, min(found["high"] or 0, position)


def _own(code: str, position: int) -> list[int]:
    """Where the facts of the link's own stream and of its hits' cases stand."""
    cases = case_key(property_code(), code, "", "").rstrip("/") + "/"
    found = store.run(_OWN, (link_key(property_code(), code), cases, OWN, position))
    return [row.position for row in found]


def _facts(code: str, entry: Entry) -> list[Fact]:
    """What an event means for the link."""
    round_key = f"{entry.table_code}/{entry.gaming_date.isoformat()}/{entry.round_no}"
    return [fact for of, fact in facts_of(entry.event, round_key, entry.key) if of == code]


def _fed_by(code: str, entry: Entry) -> list[Collected]:
    return [fact for fact in _facts(code, entry) if isinstance(fact, Collected)]


def _flows(code: str) -> Mapping[int, Sequence[tuple[Rates, int]]]:
    """The stakes after each turn, by their rates, in cents."""
    found: dict[int, list[tuple[Rates, int]]] = defaultdict(list)
    rows = Flow.objects.filter(link=code).values_list("nth", "increment_bp", "hidden_bp").order_by("nth")
    for nth, increment_bp, hidden_bp, cents in rows.annotate(cents=Sum("stakes_cents")):
        found[nth].append((Rates(increment_bp, hidden_bp), int(cents)))
    return found


def _fed(now: Link | None, flows: Sequence[tuple[Rates, int]]) -> Link | None:
    """The link with these stakes in; there are none before it is set up."""
    if now is None:
        return None
    meter = now.meter
    for rates, cents in flows:
        meter = contribute(meter, cents, rates)
    return replace(now, meter=meter)


def _shown(lines: Lines) -> Lines:
    return {(account, line): micros for (account, line), micros in lines.items() if account in (*POOLS, PAYABLE)}
