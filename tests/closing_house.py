"""Three tables and their gaming days, played by the house's own commands at times of the past. Amounts in cents."""

import itertools
from datetime import UTC, date, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from django.conf import settings

from casino.approval import Approval
from casino.commands import rounds, settlement, tables
from casino.commands.order import Order
from casino.eventstore.follower import catch_up
from casino.games.game import CardEntry
from casino.round.betting import Asked
from ledger.commands.closing import close_day
from ledger.commands.count import count_drop
from ledger.commands.filing import file_closed_days
from ledger.tasks import balance_at
from tests.counts import counted

NOTHING = ["As", "Kd", "9c", "4h", "2s"]
TABLES = ("R-01", "R-02", "R-03")
FIRST = date(2026, 3, 4)
"""A gaming day like others: no clock changes near it."""
TWO = Approval("ben", "pia")


class House:
    """Its clock stands at noon of `FIRST` and moves on a minute with every order."""

    def __init__(self) -> None:
        self.numbers = itertools.count(1)
        self.go_to(FIRST)

    def go_to(self, day: date, hour: int = 12) -> None:
        """Set the clock to an hour of the property's wall on a calendar day."""
        self.now = datetime(day.year, day.month, day.day, hour, tzinfo=ZoneInfo(settings.TIME_ZONE)).astimezone(UTC)

    def order(self, by: str = "ana") -> Order:
        self.now += timedelta(minutes=1)
        return Order(by, f"house-{next(self.numbers)}", self.now)

    def set_up(self) -> "House":
        for code in TABLES:
            tables.set_up_table(self.order(), code, game="54-card-roulette", pit="A" if code != "R-03" else "B")
        return self

    def open(self, code: str, opener: int = 1_000_000) -> None:
        tables.open_table(self.order(), code, counted(opener), "Ana Ortiz", "As it was counted.")

    def buy_in(self, code: str, cents: int) -> int:
        return tables.buy_in(self.order(), code, cents, 1).position

    def lose(self, code: str, cents: int) -> None:
        """A round in which the house wins `cents`: the Roulette Card is Kd, and black loses."""
        rounds.record_finished_round(self.order(), code, [Asked(1, "colour:black", cents)], NOTHING)

    def close(self, code: str, closer: int) -> None:
        settlement.settle_due()
        tables.close_table(self.order(), code, counted(closer))

    def roll(self, code: str, count: int) -> None:
        settlement.settle_due()
        tables.roll_table(self.order(), code, counted(count))

    def count(self, code: str, day: date, cents: int) -> None:
        count_drop(self.order("tess"), code, day, cents, ["tess", "tom"])

    def read(self) -> None:
        settlement.settle_due()
        catch_up()

    def play(self, day: date) -> None:
        """Each table: opener 10,000.00, cash 100.00 in, 30.00 lost; the tray ends 70.00 down, the box holds 100.00."""
        self.go_to(day)
        for code in TABLES:
            self.open(code)
            self.buy_in(code, 10_000)
            self.lose(code, 3_000)
        for code in TABLES:
            self.close(code, 993_000)
        self.go_to(day + timedelta(days=1), 8)
        self.read()

    def played(self, day: date) -> None:
        """A day that is played, counted, and ready to be closed."""
        self.play(day)
        for code in TABLES:
            self.count(code, day, 10_000)
        self.read()

    def close_day(self, day: date, **how: Any) -> int:
        done = close_day(self.order("ben"), day, **how)
        catch_up()
        return done.position

    def file(self) -> int:
        filed = file_closed_days(self.now, balance_at)
        catch_up()
        return filed

    def filed(self, day: date) -> int:
        """A day played, counted, closed and filed; its cut."""
        self.played(day)
        cut = self.close_day(day)
        assert self.file() == 1
        return cut

    def begin_round(self, code: str) -> Any:
        """A round with one bet on the felt, bets closed: it waits for its cards."""
        from casino.commands.tables import latest_round

        rounds.open_round(self.order(), code)
        session = tables.load_table(code).session
        assert session is not None
        found = latest_round(code, session.gaming_date)
        assert found is not None
        rounds.place_wagers(self.order(), found.id, [Asked(1, "colour:black", 500)])
        rounds.close_bets(self.order(), found.id)
        return found.id

    def deal(self, round_id: Any) -> None:
        rounds.record_cards(self.order(), round_id, [CardEntry(card) for card in NOTHING])


@pytest.fixture
def house(database: Any) -> House:
    return House().set_up()
