"""Nine days over a change of the clock with faults planted in them: each is found, in its place, and nothing else.

What the books must hold all the same is asked at two hundred positions; what somebody changes behind the house's back
is refused or found.
"""

import random
from collections.abc import Callable
from datetime import date, timedelta
from functools import partial

import psycopg
import pytest

from casino.approval import Approval
from casino.commands import rounds, slips, tables
from casino.commands.corrections import correct_entry
from casino.commands.late_transfers import record_late_transfer
from casino.eventstore.follower import followers, last_position
from casino.eventstore.rebuild import rebuild
from casino.eventstore.verify import verify
from casino.keys import RoundId, TransferId
from casino.late_transfers import Paper
from casino.models import Incident
from casino.round.betting import Asked
from casino.slips import Person
from jackpot.commands import links
from jackpot.instants import meter_below
from ledger.accounts import METERS
from ledger.day_books import filed_tables, place_of
from ledger.filed import digest_of
from ledger.models import DayClose
from ledger.places import places
from ledger.queries.export import csv_of, export_of
from ledger.queries.filed import filed_day
from ledger.queries.journal import parts_of, trial_balance
from ledger.queries.reconciliation import reconciliation
from ledger.queries.ties import HOLDS, house_ties, ties
from tests.closing_house import NOTHING, TABLES, TWO, House
from tests.conftest import Database

FIRST = date(2026, 3, 4)
"""The clock goes forward on the 8th, in the gaming day of the 7th."""
SIGNERS = {"cage": "cara", "security": "sam", "dealer": "dan", "floor": "eve"}
NAMES = {"request": "Ana", "cage": "Cara", "security": "Sam", "dealer": "Dan", "floor": "Eve"}
PAPER = Paper("fill", {"2500": 50_000}, NAMES, "E-17")
CASH, LOST = 10_000, 3_000
DAY = {n: FIRST + timedelta(days=n) for n in range(12)}


class Weeks:
    """Every day three tables take 100.00 and win 30.00; `trays` and `boxes` are what is really in them."""

    def __init__(self, house: House) -> None:
        self.house = house
        self.trays = dict.fromkeys(TABLES, 1_000_000)
        self.buy_ins: dict[str, int] = {}
        links.set_up_link(house.order(), "grand", game="54-card-roulette")
        for code in TABLES:
            links.join_table(house.order(), "grand", code)
        self.begun = last_position()

    def day(
        self,
        day: date,
        *,
        tray: dict[str, int] | None = None,
        box: dict[str, int] | None = None,
        openers: dict[str, int] | None = None,
        during: Callable[[str], None] = lambda code: None,
        closers: dict[str, int] | None = None,
        open_over: str = "",
    ) -> "Weeks":
        """Play, count, close and file a day. `tray` and `box` are chips and cash that go or come and nobody records;
        `openers` and `closers` what is miscounted at the count, the chips being there."""
        house = self.house
        house.go_to(day)
        for code in TABLES:
            house.open(code, self.trays[code] + (openers or {}).get(code, 0))
            self.buy_ins[code] = house.buy_in(code, CASH)
            house.lose(code, LOST)
            house.read()
            during(code)
        house.go_to(day + timedelta(days=1), 8 if open_over else 3)
        for code in TABLES:
            self.trays[code] += LOST - CASH + (tray or {}).get(code, 0)
            house.close(code, self.trays[code] + (closers or {}).get(code, 0))
        house.go_to(day + timedelta(days=1), 9)
        for code in TABLES:
            house.count(code, day, CASH + (box or {}).get(code, 0))
        house.read()
        house.close_day(day)
        assert house.file() == 1
        return self

    def fill(self, code: str) -> None:
        """A fill of 500.00 that all four sign for, whether its chips came or not."""
        house, session = self.house, tables.load_table(code).session
        assert session is not None
        slip = TransferId(code, session.gaming_date, session.number, len(session.transfers) + 1)
        ana = Person("ana", frozenset({"floor"}))
        slips.request_transfer(house.order(), code, "fill", {"10000": 40_000, "2500": 10_000}, ana)
        people = {role: Person(name, frozenset({role})) for role, name in SIGNERS.items()}
        slips.prepare_slip(house.order("cara"), slip, people["cage"])
        for role, person in people.items():
            slips.sign_slip(house.order(person.name), slip, person, role)

    def fill_twice(self, code: str) -> None:
        if code == "R-03":
            self.fill(code)
            self.fill(code)
            self.trays[code] += 50_000

    def fill_without_paper(self, code: str) -> None:
        self.trays[code] += 50_000 if code == "R-02" else 0

    def progressive(self, code: str) -> None:
        rounds.record_finished_round(self.house.order(), code, [Asked(1, "progressive", 100)], NOTHING)
        self.trays[code] += 100
        self.house.read()


def found(house: House, day: date) -> dict[tuple[str, str], int]:
    """Every variance of a day by its table and place."""
    shown = reconciliation(day, house.now)
    assert {line.state.code for line in shown.lines} == {"complete"}
    amounts = {
        (line.row.table, place): cents
        for line in shown.lines
        for place, cents in (
            ("box", line.row.result.box_variance),
            ("tray", line.row.result.tray_variance),
            ("between", line.row.result.facts.between),
            ("errors", line.row.result.facts.errors),
        )
    }
    return {key: cents for key, cents in amounts.items() if cents}


@pytest.fixture
def weeks(house: House) -> Weeks:
    weeks = Weeks(house)
    weeks.day(DAY[0], box={"R-01": 4_100, "R-02": -4_100})
    weeks.day(DAY[1], during=weeks.fill_twice)
    weeks.day(DAY[2], during=weeks.fill_without_paper)
    weeks.day(DAY[3], closers={"R-01": 10_000})
    weeks.day(DAY[4], tray={"R-02": -30_000})
    weeks.day(DAY[5], tray={"R-03": -2_500})
    weeks.day(DAY[6], openers={"R-02": -22_500})
    weeks.day(DAY[7], open_over="R-01", during=weeks.progressive)
    weeks.day(DAY[8], box={"R-01": -1_000}, tray={"R-01": 1_000})
    return weeks


SHOWN = {
    0: {("R-01", "box"): 4_100, ("R-02", "box"): -4_100},
    1: {("R-03", "tray"): -50_000},
    2: {("R-02", "tray"): 50_000},
    3: {("R-01", "tray"): 10_000},
    4: {("R-02", "tray"): -30_000},
    5: {("R-03", "tray"): -2_500},
    6: {("R-02", "tray"): 22_500},
    7: {},
    8: {("R-01", "box"): -1_000, ("R-01", "tray"): 1_000},
}
"""Day by day what the reports must find: a fill signed for twice, one without paper, a closer counted too high, chips
that walked away, a payout nobody recorded, hundreds counted as twenty-fives in an opener, a buy-in recorded too high.
"""


def test_each_fault_is_found_at_its_place_and_what_belongs_together_is_suggested(weeks: Weeks) -> None:
    house = weeks.house
    assert {n: found(house, DAY[n]) for n in SHOWN} == SHOWN
    [pair] = reconciliation(DAY[0], house.now).suggestions
    assert (pair.over.words, pair.short.words) == ("+41.00 in the box of R-01", "−41.00 in the box of R-02")
    assert {"neighbouring tables", "two boxes of the same drop", "the same amount"} <= set(pair.reasons)
    [pair] = reconciliation(DAY[8], house.now).suggestions
    assert "as if cash for chips had been recorded too much" in pair.reasons
    off = [
        (one.table_code, one.gaming_date, one.content["counted_cents"] - one.content["carried_cents"])
        for one in Incident.objects.filter(type="opener_variance_found").order_by("position")
    ]
    assert off == [("R-01", DAY[4], -10_000), ("R-02", DAY[6], -22_500)]


def learn(weeks: Weeks) -> None:
    """The fill's paper is found, the tape shows what the dealer paid, and the buy-in was 90.00 and not 100.00."""
    house = weeks.house
    record_late_transfer(house.order(), "R-02", DAY[2], 1, PAPER, "It lay under the tray.", Approval("ana", "cara"))
    rounds.record_payout(house.order(), RoundId("R-03", DAY[5], 1), 1, 2_500)
    correct_entry(house.order(), "R-01", weeks.buy_ins["R-01"], {"amount_cents": 9_000}, "Misread.", TWO)
    rounds.resettle_round(house.order(), RoundId("R-01", DAY[7], 1), {2: "Ks"}, "The tape shows it.", TWO)
    house.read()


def test_what_is_learnt_later_explains_them_and_every_day_stays_as_it_was_filed(weeks: Weeks) -> None:
    before = {day: export(day) for day in DAY.values()}
    filed = {n: filed_day(DAY[n]).filed for n in SHOWN}
    learn(weeks)
    cleared = {2: {}, 5: {("R-03", "errors"): 2_500}, 7: {("R-01", "tray"): 6_000}, 8: {}}
    assert {n: found(weeks.house, DAY[n]) for n in SHOWN} == SHOWN | cleared
    for n in SHOWN:
        shown = filed_day(DAY[n])
        assert (shown.is_explained, shown.is_proven, shown.filed) == (True, True, filed[n])
        assert bool(shown.differs) == (n in cleared)
        assert {tie.state for tie in ties(DAY[n]).every} == {HOLDS}
    assert {day: export(day) for day in DAY.values()} == before
    the_books_hold_at_two_hundred_positions(weeks.begun)
    for name in sorted(set(followers()) - {"replays"}):
        assert rebuild(followers()[name], "owner", check=True, progress=lambda _: None) == [], name


def export(day: date) -> str:
    return "".join(csv_of(export_of(day, day)))


def the_books_hold_at_two_hundred_positions(begun: int) -> None:
    """They balance, chips are conserved and owed, and the liability is the meter as it stood there."""
    for at in random.Random(7).sample(range(begun, last_position()), 200):
        shown = trial_balance(at)
        assert shown.is_zero
        assert {tie.state for tie in house_ties(shown)} == {HOLDS}
        main = sum(one.own_micros for one in parts_of(METERS, at) if one.link == "grand")
        assert main == meter_below("grand", at + 1).main_micros


# ------------------------------------------------------------------------------------------------- behind its back


def test_what_somebody_changes_behind_the_houses_back_is_refused_or_found(house: House, database: Database) -> None:
    house.filed(FIRST)
    with database.connect("casino_app") as app:
        for statement in (
            "UPDATE log.event SET in_cents = 0 WHERE type = 'day_filed'",
            "DELETE FROM log.event WHERE type = 'day_closed'",
            "TRUNCATE log.event CASCADE",
            "ALTER TABLE log.event DISABLE TRIGGER ALL",
            "DELETE FROM log.seal",
            "UPDATE journal_line SET micros = 0",
            "TRUNCATE journal_entry CASCADE",
        ):
            with pytest.raises(psycopg.Error):
                app.execute(statement)
        assert verify(app).faults == []


def test_a_day_forged_in_the_books_is_told_from_the_day_that_was_filed(house: House) -> None:
    """Somebody with the password of the program raises a table's opener, and makes the digest fit."""
    house.filed(FIRST)
    day = DayClose.objects.get(gaming_date=FIRST)
    day.periods[0]["opener_cents"] += 100_000
    day.save()
    assert filed_day(FIRST).is_proven is False
    day.digest = digest_of(day.cut, filed_tables(day, partial(place_of, places())))
    day.save()
    assert filed_day(FIRST).is_proven is False
    assert rebuild(followers()["books"], "owner", check=True, progress=lambda _: None) != []


def test_a_day_forged_in_the_log_is_found_by_verify(house: House, database: Database) -> None:
    house.filed(FIRST)
    with database.connect("postgres") as root:
        root.execute("ALTER TABLE log.event DISABLE TRIGGER ALL")
        root.execute(
            "UPDATE log.event SET payload = replace(payload, '\"counted_drop\":10000', '\"counted_drop\":10001')"
            " WHERE type = 'day_filed' AND gaming_date = %s", [FIRST]
        )  # fmt: skip
        at = DayClose.objects.get(gaming_date=FIRST).filed_position
        assert at in {fault.position for fault in verify(root).faults}
