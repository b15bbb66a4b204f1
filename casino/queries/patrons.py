"""Patrons and their ratings: the read models' sums, made into averages and theo when they are read."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from fractions import Fraction
from typing import Any, NamedTuple

from django.db.models import Q, QuerySet
from django.utils import timezone

from casino import theo
from casino.eventstore.canonical import micros
from casino.models import Patron, PatronPlay, PatronStake, PatronVisit, SeatBoard, TableBoard
from casino.queries.floor import game_name

PATRONS_SHOWN = 50
"""Of a page of the list, and of a search at a seat."""
VISITS_SHOWN = 200
ID_DIGITS_MAX = 18


class Visit(NamedTuple):
    """Which patron, on which gaming day, at which table."""

    patron_id: int
    gaming_date: date
    table: str


@dataclass(frozen=True)
class Rating:
    """A patron at a table on a gaming day, in one game; amounts in cents, the house's view of a result.

    `play` is None before the first settled wager, `visit` where the session has nothing of the patron (yet).
    """

    visit: PatronVisit | None
    play: PatronPlay | None
    stakes: Sequence[theo.Stakes]
    now: datetime

    @property
    def key(self) -> Visit:
        one: Any = self.visit or self.play
        return Visit(one.patron_id, one.gaming_date, one.table_code)

    @property
    def game(self) -> str:
        return self.play.game if self.play else ""

    @property
    def game_name(self) -> str:
        return game_name(self.game)

    @property
    def decisions(self) -> int:
        """Rounds in which the patron had a wager that was settled."""
        return self.play.decisions if self.play else 0

    @property
    def handle_cents(self) -> int:
        return sum(one.cents for one in self.stakes)

    @property
    def average_bet(self) -> Fraction | None:
        """Cents a decision; None before the first."""
        return theo.average_bet(self.game, self.stakes, self.decisions) if self.play else None

    @property
    def theo(self) -> Fraction | None:
        """What the house may expect of these wagers, in cents; None before the first."""
        return theo.theo(self.game, self.stakes) if self.play else None

    @property
    def actual_cents(self) -> int | None:
        """What the house has won (+) from the patron or lost (−)."""
        return self.play.collected_cents - self.play.winnings_cents if self.play else None

    @property
    def seconds(self) -> int | None:
        """Time at the seat; until now where the patron still sits there."""
        if self.visit is None:
            return None
        still = self.visit.seatings - self.visit.leavings
        return max(0, self.visit.sat_micros + still * micros(self.now)) // 1_000_000

    @property
    def is_seated(self) -> bool:
        """Whether the patron still sits there."""
        return self.visit is not None and self.visit.seatings > self.visit.leavings

    @property
    def estimate_cents(self) -> int | None:
        """The supervisor's latest estimate of the average bet."""
        return self.visit.estimate_cents if self.visit else None

    @property
    def estimate_off(self) -> Fraction | None:
        """Estimate less the real average bet."""
        if self.estimate_cents is None or self.average_bet is None:
            return None
        return self.estimate_cents - self.average_bet

    @property
    def theo_by_estimate(self) -> Fraction | None:
        """Theo as the estimate would have it, at the edge that the patron's own wagers had."""
        if self.estimate_cents is None or self.theo is None or not self.average_bet:
            return None
        edge = self.theo / (self.average_bet * self.decisions)
        return theo.theo_by_estimate(self.estimate_cents, self.decisions, edge)


class SeatShown(NamedTuple):
    """A seat of a table, or somebody who has left it today; `patron` and `rating` are None for the unrated."""

    seat: int
    is_taken: bool
    since: datetime
    patron: Patron | None
    rating: Rating | None


def patrons(text: str = "") -> QuerySet[Patron]:
    """Patrons by a part of their name or by their number, newest first; all without a text."""
    found = Patron.objects.order_by("-pk")
    text = text.strip().replace("\0", "")
    if not text:
        return found
    wanted = Q(name__icontains=text)
    if text.isascii() and text.isdecimal() and len(text) <= ID_DIGITS_MAX:
        wanted |= Q(pk=int(text))
    return found.filter(wanted)


def ratings_of(patron_id: int) -> list[Rating]:
    """A patron's ratings, the latest days first."""
    visits = PatronVisit.objects.filter(patron_id=patron_id).order_by("-gaming_date", "table_code")[:VISITS_SHOWN]
    plays = PatronPlay.objects.filter(patron_id=patron_id)
    stakes = PatronStake.objects.filter(patron_id=patron_id)
    found = _ratings(visits, plays, stakes)
    return sorted(found, key=lambda one: (-one.key.gaming_date.toordinal(), one.key.table, one.game))


def players_at(board: TableBoard) -> list[SeatShown]:
    """Who sits at a table now, and which patrons have left it on the gaming day of its latest session."""
    here = {"table_code": board.table_code, "gaming_date": board.gaming_date}
    sources = (model.objects.filter(**here) for model in (PatronVisit, PatronPlay, PatronStake))
    ratings: dict[int, list[Rating]] = defaultdict(list)
    for one in _ratings(*sources):  # type: ignore[arg-type]
        ratings[one.key.patron_id].append(one)
    taken = list(SeatBoard.objects.filter(table_code=board.table_code, is_taken=True).order_by("seat"))
    names = Patron.objects.in_bulk({*ratings, *(seat.patron_id for seat in taken if seat.patron_id)})
    shown = [
        SeatShown(seat.seat, True, seat.since, names.get(seat.patron_id or 0), rating)
        for seat in taken
        for rating in ratings.pop(seat.patron_id or 0, [None])  # type: ignore[list-item]
    ]
    left = [one for patron_id in sorted(ratings) for one in ratings[patron_id] if one.visit]
    return shown + [
        SeatShown(r.visit.seat, False, r.visit.last_at, names.get(r.key.patron_id), r) for r in left if r.visit
    ]


def _ratings(visits: Iterable[PatronVisit], plays: Iterable[PatronPlay], stakes: Iterable[PatronStake]) -> list[Rating]:
    """One for each play, and one for each visit without any; figures of a visit stand with its first play."""
    now = timezone.now()
    by_visit = {(one.patron_id, one.gaming_date, one.table_code): one for one in visits}
    staked: Mapping[tuple[Any, ...], list[theo.Stakes]] = defaultdict(list)
    for one in stakes:
        key = (one.patron_id, one.gaming_date, one.table_code, one.game)
        staked[key].append(theo.Stakes(one.paytable, one.bet, one.stakes_cents))
    found = []
    for play in sorted(plays, key=lambda one: one.game):
        place = (play.patron_id, play.gaming_date, play.table_code)
        found.append(Rating(by_visit.pop(place, None), play, staked[*place, play.game], now))
    return found + [Rating(visit, None, (), now) for visit in by_visit.values()]
