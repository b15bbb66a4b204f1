"""A floor with a progressive: tables on one link, on a real database, played through the commands of a terminal."""

import itertools
from collections.abc import Sequence
from datetime import UTC, datetime

import pytest

from casino.commands import rounds, tables
from casino.commands.order import Order, property_code
from casino.eventstore import store
from casino.eventstore.follower import catch_up
from casino.keys import RoundId, link_key
from casino.round.betting import Asked
from jackpot import queries
from jackpot.commands import links
from jackpot.commands.hits import append_due_hits
from jackpot.events import JackpotHit
from jackpot.link import Link
from tests.counts import counted
from tests.played import ana, ben, client_of, people, statements

__all__ = ["ana", "ben", "client_of", "people", "statements"]
NOTHING = "As Kd 9c 4h 2s"


class Floor:
    """Tables R-01, R-02, … open and, unless told otherwise, on the link `grand` under its default terms."""

    def __init__(self) -> None:
        self.numbers = itertools.count(1)

    def order(self, key: str = "") -> Order:
        return Order("ana", key or f"key-{next(self.numbers)}", datetime.now(UTC))

    def open(self, *codes: str) -> None:
        for code in codes:
            tables.set_up_table(self.order(), code, game="54-card-roulette")
            tables.open_table(self.order(), code, counted(5_000_000), acknowledged_by="Ana Ortiz")

    def link(self, code: str = "grand", tables: Sequence[str] = (), **terms) -> None:
        links.set_up_link(self.order(), code, **{"game": "54-card-roulette"} | terms)
        for table in tables:
            links.join_table(self.order(), code, table)

    def play(self, table: str, cards: str = NOTHING, seats: Sequence[int] = (1,)) -> RoundId:
        """A finished round with a progressive wager of 1.00 on each of the seats."""
        asked = [Asked(seat, "progressive", 100) for seat in seats] + [Asked(1, "colour:red", 500)]
        rounds.record_finished_round(self.order(), table, asked, cards.split())
        return self.last_round(table)

    def last_round(self, table: str) -> RoundId:
        session = tables.load_table(table).session
        assert session is not None
        latest = tables.latest_round(table, session.gaming_date)
        assert latest is not None
        return latest.id

    def state(self, code: str = "grand") -> Link:
        """The meter after all that is in the log now."""
        catch_up()
        return queries.link_of(code)

    def record(self) -> int:
        """Fold what is in the log, put the hits on record and fold the records."""
        catch_up()
        recorded = append_due_hits()
        catch_up()
        return recorded

    def events(self, code: str = "grand") -> list[store.Recorded]:
        """What the link's own stream says."""
        return list(store.load(link_key(property_code(), code)).events)

    def hits(self, code: str = "grand") -> list[JackpotHit]:
        return [one.event for one in self.events(code) if isinstance(one.event, JackpotHit)]


@pytest.fixture
def floor(database) -> Floor:
    floor = Floor()
    floor.open("R-01", "R-02", "R-03")
    floor.link("grand", tables=["R-01", "R-02", "R-03"])
    return floor
