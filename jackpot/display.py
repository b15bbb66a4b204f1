"""What a link shows on a wall: its meters, what wins what, hits that wait for payment, the last ones; no names.

Amounts are cut down to the cent, so a display never shows more than is there.
"""

from dataclasses import dataclass
from datetime import datetime
from fractions import Fraction
from typing import NamedTuple

from django.db import connection

from casino.commands.order import property_code
from casino.eventstore.registry import name_of
from casino.games import game as load_game
from casino.games.game import SideBetInWords
from casino.keys import link_key
from casino.money import cut_to_cent, written
from jackpot import models, queries
from jackpot.events import DisplaySwitched
from jackpot.link import OPEN, RETURNED, Link
from jackpot.terms import is_link_code, tiers_of

LAST_HITS = 5

_SWITCHED = f"""
    SELECT (e.payload::jsonb ->> 'is_open')::bool FROM log.stream s JOIN log.event e ON e.stream_id = s.id
     WHERE s.key = %s AND e.type = '{name_of(DisplaySwitched)}' ORDER BY e.version DESC LIMIT 1"""


class Prize(NamedTuple):
    """A rank and the part of the meter that it wins; `amount_cents` is what that is now."""

    rank: str
    part: Fraction
    amount_cents: int


class Level(NamedTuple):
    """One meter of the link, with what wins it; `name` is empty where the link has one meter alone."""

    name: str
    cents: int
    prizes: tuple[Prize, ...]


class ShownHit(NamedTuple):
    """A hit as everybody may see it. `pending_cents` is what of it is still to be verified or paid."""

    rank: str
    table: str
    at: datetime
    amount_cents: int
    players: int
    pending_cents: int


@dataclass(frozen=True)
class Display:
    """A bank as it stood at `position`: the link whose bet tables take, and every level that its stake feeds.

    `in_words` says what the hand is, in the words of its game. `is_taken` is False while the bet is stopped.
    """

    link: str
    game: str
    bet: str
    in_words: str
    currency: str
    price_cents: int
    levels: tuple[Level, ...]
    hits: tuple[ShownHit, ...]
    is_taken: bool
    position: int

    @property
    def glyphs(self) -> int:
        """Of the longest amount; all are drawn in the size that it allows."""
        return max(len(written(level.cents)) for level in self.levels)

    @property
    def pending(self) -> tuple[ShownHit, ...]:
        """Hits that are not paid to the last share, the latest first."""
        return tuple(hit for hit in self.hits if hit.pending_cents)

    @property
    def last_hits(self) -> tuple[ShownHit, ...]:
        """The latest hits, pending ones among them."""
        return self.hits[:LAST_HITS]


def is_open(code: str) -> bool:
    """Whether anybody may look at the display of the link's bank; it is closed until somebody opens it."""
    if not is_link_code(code):
        return False
    level_of = models.Link.objects.filter(code=code).values_list("level_of", flat=True).first()
    with connection.cursor() as cursor:
        cursor.execute(_SWITCHED, [link_key(property_code(), level_of or code)])
        row = cursor.fetchone()
    return bool(row and row[0])


def display_of(code: str) -> Display:
    """What the link's bank shows; refuses `unknown_link`."""
    bank = bank_of(code)
    first, game = bank[0], load_game(bank[0].game)
    return Display(
        link=first.code,
        game=game.name,
        bet=first.bet,
        in_words=game.side_bet_words if isinstance(game, SideBetInWords) else "",
        currency=first.currency,
        price_cents=first.stake_cents,
        levels=tuple(_level(row.folded(), row.code.replace("-", " ") if bank[1:] else "") for row in bank),
        hits=tuple(map(_shown, _hits([row.code for row in bank]))),
        is_taken=not first.stopped and not first.is_retired,
        position=max(row.position for row in bank),
    )


def bank_of(code: str) -> list[models.Link]:
    """The link whose bet is taken, and its levels that are not retired, in the order in which they were added."""
    row = queries.row_of(code)
    first = queries.row_of(row.level_of) if row.level_of else row
    levels = first.folded().control.levels
    rows = {one.code: one for one in models.Link.objects.filter(code__in=levels, is_retired=False)}
    return [first, *(rows[level] for level in levels if level in rows)]


def _level(link: Link, name: str) -> Level:
    main = link.meter.main_micros
    prizes = (Prize(rank, part, cut_to_cent(int(main * part))) for rank, part in tiers_of(link.terms.tiers).items())
    return Level(name, link.meter.display_cents, tuple(prizes))


def _hits(codes: list[str]) -> list[models.Hit]:
    """All that wait for payment, and the latest; a hit that was denied or voided as a whole is none."""
    won = models.Hit.objects.filter(link__in=codes).exclude(state=RETURNED).order_by("-at_position", "-nth")
    found = {hit.key: hit for hit in (*won.filter(state=OPEN), *won[:LAST_HITS])}
    return sorted(found.values(), key=lambda hit: (-hit.at_position, -hit.nth))


def _shown(hit: models.Hit) -> ShownHit:
    shares = list(zip(hit.shares_cents, hit.states, strict=True))
    return ShownHit(
        rank=hit.rank,
        table=hit.table_code,
        at=hit.occurred_at,
        amount_cents=sum(cents for cents, state in shares if state != RETURNED),
        players=sum(state != RETURNED for _, state in shares),
        pending_cents=sum(cents for cents, state in shares if state == OPEN),
    )
