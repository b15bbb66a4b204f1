"""Where each table stood and what it dealt at any position of the log, from its set-ups: for totals by pit and game."""

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from django.conf import settings

from casino.eventstore import store
from casino.games import load_games

SET_UPS = """
SELECT e.table_code, e.position, coalesce(e.payload::jsonb ->> 'pit', '') AS pit, e.payload::jsonb ->> 'game' AS game
  FROM log.stream s JOIN log.event e ON e.stream_id = s.id AND e.type = 'table_set_up'
 WHERE s.key >= %s AND s.key < %s ORDER BY e.position"""


class Place(NamedTuple):
    """A table's pit, "" where its set-up names none, and the code of its game."""

    pit: str
    game: str

    @property
    def game_name(self) -> str:
        """The game's name; its code where the house no longer has it."""
        found = load_games().get(self.game)
        return found.name if found else self.game


NOWHERE = Place("", "")


class Places:
    """Every table's set-ups, each with its position, in order."""

    def __init__(self, set_ups: Mapping[str, Sequence[tuple[int, Place]]]) -> None:
        self._set_ups = set_ups

    def at(self, table: str, position: int) -> Place:
        """The table's last set-up at or below a position."""
        found = self._set_ups.get(table, ())
        before = bisect_right(found, position, key=lambda one: one[0])
        return found[before - 1][1] if before else NOWHERE

    @property
    def set_ups(self) -> list[tuple[str, int, str, str]]:
        """Table, position, pit and game of every set-up."""
        return [(table, at, *place) for table, found in self._set_ups.items() for at, place in found]

    @property
    def pits(self) -> list[str]:
        """Every pit in which a table ever stood."""
        return sorted({place.pit for found in self._set_ups.values() for _, place in found if place.pit})


def places() -> Places:
    """The places of all tables: one query."""
    prefix = f"{settings.CASINO_PROPERTY}/table/"
    found: dict[str, list[tuple[int, Place]]] = defaultdict(list)
    for row in store.run(SET_UPS, (prefix, f"{prefix}~")):
        found[row.table_code].append((row.position, Place(row.pit, row.game)))
    return Places(found)
