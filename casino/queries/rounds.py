"""One round, read from its own events."""

from dataclasses import dataclass
from typing import Any, NamedTuple

from django.conf import settings
from django.db.models import Max

from casino import events as e
from casino.eventstore import history
from casino.eventstore.history import Entry
from casino.eventstore.registry import name_of
from casino.games.felt import marks_of
from casino.keys import RoundId, round_key
from casino.models import RoundBoard
from casino.round import state


@dataclass(frozen=True)
class RoundPage:
    """A round with everything its page shows."""

    round: state.Round
    entries: list[Entry]
    others: tuple[int | None, int | None]

    @property
    def spots(self) -> list["SpotShown"]:
        """The cards by position."""
        game, felt = self.round.game, self.round.felt
        marks = marks_of(game, felt, self.round.setup)
        return [
            SpotShown(position, spot.card, spot.face == "up", marks.get(position, ""), game.spot_name(position))
            for position, spot in sorted(felt.spots.items())
        ]

    @property
    def wagers_by_seat(self) -> list[tuple[int, list[state.Standing]]]:
        """Standing wagers, seat by seat, in the order they were placed."""
        seats: dict[int, list[state.Standing]] = {}
        for standing in self.round.wagers.values():
            seats.setdefault(standing.placed.seat, []).append(standing)
        return sorted(seats.items())

    @property
    def stakes_cents(self) -> int:
        return sum(standing.placed.stake_cents for standing in self.round.wagers.values())

    @property
    def result_cents(self) -> int:
        """What the house won (+) or lost (−) so far, progressive stakes included."""
        settled = sum(one.in_cents - one.out_cents for one in self.round.settlements)
        collected = self.round.collected.in_cents if self.round.collected and not self.round.voided else 0
        return settled + collected

    @property
    def misdeal(self) -> dict[str, Any] | None:
        """The fouled deck's evidence, if the round was a misdeal."""
        found = [entry for entry in self.entries if entry.type == name_of(e.MisdealDeclared)]
        return found[0].content if found else None


class SpotShown(NamedTuple):
    """A card as drawn: face up, or its back; `mark` is what it is besides a card, `name` says where it lies."""

    position: int
    card: str | None
    is_up: bool
    mark: str
    name: str


def round_page(round_id: RoundId) -> RoundPage:
    """A round by its own events; refuses `unknown_round`."""
    entries = history.of_stream(round_key(settings.CASINO_PROPERTY, round_id))
    round_ = state.round_of(round_id, (entry.event for entry in entries))
    return RoundPage(round_, entries, _neighbours(round_id))


def _neighbours(round_id: RoundId) -> tuple[int | None, int | None]:
    """The rounds before and after on the same day, as the board knows them."""
    last = RoundBoard.objects.filter(table_code=round_id.table, gaming_date=round_id.gaming_date).aggregate(Max("n"))
    before = round_id.n - 1 if round_id.n > 1 else None
    return before, round_id.n + 1 if (last["n__max"] or 0) > round_id.n else None
