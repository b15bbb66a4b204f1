"""Where each table stands and what it deals, from the set-ups on record: for totals by pit and game."""

from typing import NamedTuple

from django.conf import settings

from casino.eventstore import store
from casino.games import load_games

SET_UPS = """
SELECT e.table_code, coalesce(e.payload::jsonb ->> 'pit', '') AS pit, e.payload::jsonb ->> 'game' AS game
  FROM log.stream s CROSS JOIN LATERAL (
       SELECT table_code, payload FROM log.event
        WHERE stream_id = s.id AND type = 'table_set_up' AND position <= %s ORDER BY version DESC LIMIT 1) e
 WHERE s.key >= %s AND s.key < %s"""
LATEST = 2**62


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


def places(upto: int = LATEST) -> dict[str, Place]:
    """Every table's place by its last set-up at or below a position of the log: one query."""
    prefix = f"{settings.CASINO_PROPERTY}/table/"
    return {row.table_code: Place(row.pit, row.game) for row in store.run(SET_UPS, (upto, prefix, f"{prefix}~"))}
