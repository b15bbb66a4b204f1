"""What pages and endpoints ask of the meters. Amounts in cents are cut down; micro-units are exact."""

from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, NamedTuple

from django.db import connection
from django.db.models import Prefetch, QuerySet

from casino.commands.order import property_code
from casino.events import HandCompleted, ProgressiveCollected, RoundVoided
from casino.eventstore.registry import decode, name_of
from casino.keys import RoundId, link_key
from casino.money import cut_to_cent
from casino.refusal import Refused
from jackpot import models
from jackpot.link import Link
from jackpot.projections import OWN
from jackpot.terms import is_link_code

LAST_HITS = 3


@dataclass(frozen=True)
class MeterView:
    """A meter as it stood at `position`. `display_cents` is what the sign shows.

    `pending` says that a hit is won and not paid yet; `last_hits` are the latest ones, newest first.
    """

    code: str
    game: str
    bet: str
    currency: str
    stake_cents: int
    reset_cents: int
    display_cents: int
    reserve_cents: int
    overflow_cents: int
    payable_cents: int
    hits_count: int
    tables: tuple[str, ...]
    last_hits: tuple[models.Hit, ...]
    position: int
    level_of: str = ""
    stopped: str = ""
    is_retired: bool = False

    @property
    def pending(self) -> bool:
        """Whether a jackpot is won and neither paid nor returned."""
        return self.payable_cents > 0


class Term(NamedTuple):
    """One term of the identity: its name and micro-units."""

    name: str
    micros: int


@dataclass(frozen=True)
class Explanation:
    """Both sides of the identity at `position` (books, 5.12): what was put in, and where it is."""

    link: str
    position: int
    put_in: tuple[Term, ...]
    held: tuple[Term, ...]

    @property
    def put_in_micros(self) -> int:
        """Stakes, seeds and adjustments together."""
        return sum(term.micros for term in self.put_in)

    @property
    def held_micros(self) -> int:
        """The pools, the house share and what was won together; equal to what was put in."""
        return sum(term.micros for term in self.held)


class MeterEvent(NamedTuple):
    """A fact that a meter was folded from. `round` is empty where it is the link's own."""

    position: int
    type: str
    round: str
    occurred_at: datetime
    recorded_at: datetime
    actor: str
    event: Any


def links() -> QuerySet[models.Link]:
    """The rows of all links with their tables and latest hits: three queries however many there are."""
    latest = models.Hit.objects.order_by("-at_position", "-nth")[:LAST_HITS]
    return models.Link.objects.prefetch_related("tables", Prefetch("hits", latest, to_attr="last_hits"))


def row_of(code: str) -> models.Link:
    """The row of one link; refuses `unknown_link`."""
    check_link(code)
    return links().get(code=code)


def check_link(code: str) -> None:
    """Refuse `unknown_link` where the follower has seen no such link."""
    if not is_link_code(code) or not models.Link.objects.filter(code=code).exists():
        raise Refused("unknown_link", f"There is no link {code}.")


def meters() -> list[MeterView]:
    """Every meter, by code."""
    return [view_of(one) for one in links().order_by("code")]


def meter_of(code: str) -> MeterView:
    """One meter; refuses `unknown_link`."""
    return view_of(row_of(code))


def hits_of(code: str, limit: int = 50) -> list[models.Hit]:
    """The link's latest hits, newest first; refuses `unknown_link`."""
    check_link(code)
    return list(models.Hit.objects.filter(link=code).order_by("-at_position", "-nth")[:limit])


def link_of(code: str) -> Link:
    """The link as the fold left it, without its hits; refuses `unknown_link`."""
    return row_of(code).folded()


def explain(code: str) -> Explanation:
    """Why the meter stands where it does, exact to the micro-unit; refuses `unknown_link`."""
    return explanation_of(row_of(code))


def explanation_of(one: models.Link) -> Explanation:
    """The same for a row that is at hand, so that both speak of one position."""
    link = one.folded()
    meter = link.meter
    return Explanation(
        link=one.code,
        position=link.position,
        put_in=(
            Term("stakes", meter.stakes_micros),
            Term("seeds", meter.seeds_micros),
            Term("adjustments", meter.adjustments_micros),
        ),
        held=(
            Term("main", meter.main_micros),
            Term("reserve", meter.reserve_micros),
            Term("overflow", meter.overflow_micros),
            Term("house share", meter.house_share_micros),
            Term("hits", meter.won_micros),
        ),
    )


def meter_events(code: str, limit: int = 50, before: int | None = None) -> list[MeterEvent]:
    """The facts the meter was folded from, newest first: all up to where it stands, or those below `before`."""
    top = link_of(code).position + 1
    with connection.cursor() as cursor:
        params = {
            "key": link_key(property_code(), code), "code": code, "own": OWN, "limit": limit,
            "cases": f"{property_code()}/hit/{code}/", "fed": f'[{{"link": "{code}"}}]',
        }  # fmt: skip
        cursor.execute(_EVENTS, {**params, "before": top if before is None else min(before, top)})
        return [_meter_event(*row) for row in cursor.fetchall()]


# A link's facts stand no deeper in the log than its set-up, which bounds the search.
_EVENTS = f"""
    WITH link AS (SELECT id, (SELECT min(position) FROM log.event WHERE stream_id = s.id) AS first
                    FROM log.stream s WHERE s.key = %(key)s)
    SELECT e.position, e.type, e.schema_version, e.payload, e.table_code, e.gaming_date, e.round_no, e.occurred_at,
           e.recorded_at, e.actor
      FROM log.event e, link
     WHERE e.position >= link.first AND e.position < %(before)s AND CASE e.type
           WHEN '{name_of(ProgressiveCollected)}'
           THEN e.payload::jsonb ->> 'link' = %(code)s OR e.payload::jsonb -> 'levels' @> %(fed)s::jsonb
           WHEN '{name_of(RoundVoided)}'
           THEN e.payload::jsonb #>> '{{progressive,link}}' = %(code)s
             OR e.payload::jsonb #> '{{progressive,levels}}' @> %(fed)s::jsonb
           WHEN '{name_of(HandCompleted)}'
           THEN e.payload::jsonb -> 'wins' @> jsonb_build_array(jsonb_build_object('link', %(code)s::text))
           ELSE e.type = ANY(%(own)s) AND (e.stream_id = link.id OR e.stream_id IN (
                SELECT id FROM log.stream WHERE key >= %(cases)s AND key < %(cases)s || '~')) END
     ORDER BY e.position DESC LIMIT %(limit)s"""


def _meter_event(
    position: int,
    type_: str,
    schema: int,
    payload: str,
    table: str,
    day: date,
    n: int | None,
    occurred_at: datetime,
    recorded_at: datetime,
    actor: str,
) -> MeterEvent:
    round_id = "" if n is None else str(RoundId(table, day, n))
    event = decode(type_, schema, payload)
    return MeterEvent(position, type_, round_id, occurred_at, recorded_at, actor, event)


def view_of(one: models.Link) -> MeterView:
    """What pages see of a row of `links`."""
    return MeterView(
        code=one.code,
        game=one.game,
        bet=one.bet,
        currency=one.currency,
        stake_cents=one.stake_cents,
        reset_cents=one.reset_cents,
        display_cents=cut_to_cent(one.main_micros),
        reserve_cents=cut_to_cent(one.reserve_micros),
        overflow_cents=cut_to_cent(one.overflow_micros),
        payable_cents=cut_to_cent(one.payable_micros),
        hits_count=one.hits_count,
        tables=tuple(sorted(linked.table_code for linked in one.tables.all())),
        last_hits=tuple(one.last_hits),  # type: ignore[attr-defined]  # links() fetched them
        position=one.position,
        level_of=one.level_of,
        stopped=one.stopped,
        is_retired=one.is_retired,
    )
