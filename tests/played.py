"""A small floor that was played: three tables with every kind of ending a page has to show. Amounts are worked out
by hand in the comments, in cents.
"""

import itertools
from collections.abc import Callable
from datetime import UTC, date, datetime
from typing import Any

import psycopg
import pytest
from django.contrib.auth.models import Group, User
from django.test import Client

from casino.approval import Approval
from casino.commands import rounds, settlement, tables
from casino.commands.order import Order
from casino.events import Limits
from casino.eventstore.follower import catch_up
from casino.games.game import CardEntry
from casino.keys import RoundId
from casino.round.betting import Asked
from jackpot.commands.hits import append_due_hits
from jackpot.commands.links import join_table, set_up_link
from ledger.commands.count import count_drop
from tests.counts import counted

MODEL_BACKEND = "django.contrib.auth.backends.ModelBackend"
NOTHING = ["As", "Kd", "9c", "4h", "2s"]
STRAIGHT_FLUSH = ["9h", "Th", "Jh", "X1", "Qh"]
ANA, BEN, DAN, TESS = "ana", "ben", "dan", "tess"
PASSWORD = "felt-and-chips"
SECOND = Approval("ana", "eve")
"""Who asks for a void, and who approves it."""


class Played:
    """R-01 is open with a win, a straight flush, a misdeal and a round that takes bets; R-02 is closed; R-03 was never
    opened.
    """

    def __init__(self) -> None:
        self.numbers = itertools.count(1)

    def order(self, by: str = ANA) -> Order:
        return Order(by, f"played-{next(self.numbers)}", datetime.now(UTC))

    @property
    def day(self) -> date:
        session = tables.load_table("R-01").session
        assert session is not None
        return session.gaming_date

    def address(self, *parts: object) -> str:
        return "/".join(["/drop-and-hold", self.day.isoformat(), *map(str, parts)]) + "/"

    def round(self, n: int, table: str = "R-01") -> RoundId:
        return RoundId(table, self.day, n)

    def set_up(self, code: str, limits: dict[str, Limits] | None = None) -> None:
        tables.set_up_table(self.order(), code, game="54-card-roulette", limits=limits)

    def open(self, code: str, opener_cents: int, explanation: str = "") -> None:
        tables.open_table(self.order(), code, counted(opener_cents), "Ana Ortiz", explanation)

    def finish(self, code: str, asked: list[Asked], cards: list[str] = NOTHING) -> None:
        rounds.record_finished_round(self.order(), code, asked, cards)

    def read(self) -> None:
        """Settle, follow, put hits on record, follow again: what the running processes do all the time."""
        settlement.settle_due()
        catch_up()
        append_due_hits()
        catch_up()

    def play(self) -> "Played":
        self.set_up("R-01", {"colour": Limits(500, 50_000)})
        self.set_up("R-02")
        self.set_up("R-03")
        set_up_link(self.order(), "grand", game="54-card-roulette")
        join_table(self.order(), "grand", "R-01")
        self.open("R-01", 5_000_000)
        tables.buy_in(self.order(), "R-01", 50_000, 1)
        tables.buy_in(self.order(), "R-01", 20_000, 2)
        # The Roulette Card is Kd: red wins 500, the suit loses 1,000, one progressive 100: the house has +600.
        self.finish("R-01", [Asked(1, "colour:red", 500), Asked(2, "suit:s", 1_000), Asked(1, "progressive", 100)])
        # 4,800 to 1 on 100, and two progressives: the house has 200 − 480,000 = −479,800. Each wins a half of a tenth.
        self.finish(
            "R-01",
            [Asked(1, "straight_flush", 100), Asked(1, "progressive", 100), Asked(2, "progressive", 100)],
            STRAIGHT_FLUSH,
        )
        self.misdeal()
        rounds.open_round(self.order(), "R-01")
        self.close_r_02()
        self.read()
        return self

    def misdeal(self) -> None:
        """A second king of diamonds: wager and progressive go back, nothing is won."""
        rounds.open_round(self.order(), "R-01")
        third = self.round(3)
        rounds.place_wagers(self.order(), third, [Asked(3, "colour:red", 60_000), Asked(3, "progressive", 100)])
        rounds.close_bets(self.order(), third)
        rounds.collect_progressive(self.order(), third, 1)
        rounds.record_cards(self.order(), third, [CardEntry(None), CardEntry("Kd"), CardEntry(None)])
        rounds.declare_misdeal(self.order(), third, "Two kings of diamonds.", SECOND, "Kd", 3)

    def close_r_02(self) -> None:
        """Opener 2,000,000 − cash 10,000 + result 1,000 = 1,991,000 expected; the count is 500 short."""
        self.open("R-02", 2_000_000)
        tables.buy_in(self.order(), "R-02", 10_000, 1)
        self.finish("R-02", [Asked(1, "colour:black", 1_000)])
        settlement.settle_due()
        tables.close_table(self.order(), "R-02", counted(1_990_500))

    def count(self, cents: int = 9_900) -> None:
        """The box of R-02 as counted, 100 short unless told otherwise."""
        count_drop(self.order(TESS), "R-02", self.day, cents, ["Ben Okafor", "Cleo Martin"])
        catch_up()


@pytest.fixture
def played(database: Any) -> Played:
    return Played().play()


@pytest.fixture
def people(database: Any) -> dict[str, User]:
    """Ana of the floor, Ben of accounting, Tess of the count team, and Dan, who has no role."""
    made = {name: User.objects.create_user(name, password=PASSWORD) for name in (ANA, BEN, DAN, TESS)}
    for name, role in ((ANA, "floor"), (BEN, "accounting"), (TESS, "count_team")):
        made[name].groups.add(Group.objects.get(name=role))
    return made


@pytest.fixture
def client_of(people: dict[str, User]) -> Callable[[str], Client]:
    """A browser in which somebody has logged in."""

    def log_in(name: str) -> Client:
        client = Client()
        client.force_login(people[name], backend=MODEL_BACKEND)
        return client

    return log_in


@pytest.fixture
def ana(client_of: Callable[[str], Client]) -> Client:
    return client_of(ANA)


@pytest.fixture
def ben(client_of: Callable[[str], Client]) -> Client:
    return client_of(BEN)


@pytest.fixture
def tess(client_of: Callable[[str], Client]) -> Client:
    return client_of(TESS)


@pytest.fixture
def statements(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Every statement that reaches the database, Django's own and those of the log."""
    sent: list[str] = []
    execute = psycopg.Cursor.execute

    def noting(self: Any, query: Any, *args: Any, **options: Any) -> Any:
        sent.append(str(query))
        return execute(self, query, *args, **options)

    monkeypatch.setattr(psycopg.Cursor, "execute", noting)
    return sent
