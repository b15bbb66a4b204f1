"""A month of three tables played by the house's own commands, with faults planted in it that the reports find and name.

The house of the test knows what it did: every box, every tray, every bet. What it hides from the books is the fault.
"""

import random
from collections.abc import Iterator
from datetime import date, timedelta
from fractions import Fraction
from typing import NamedTuple

import pytest
from django.test import Client

from casino.commands import rounds, settlement, slips, tables
from casino.eventstore.follower import catch_up
from casino.keys import RoundId, TransferId
from casino.profile import HoldRules
from casino.round.betting import Asked
from casino.slips import Person
from ledger.hold import INVESTIGATE
from ledger.queries.explained import explain
from ledger.queries.hold import hold_report
from ledger.queries.stiff import Report, report
from ledger.scope import Scope
from ledger.stiff import DAY, HOUSE, PIT, TABLE
from ledger.stiff_columns import COLUMNS, SHEET_FIGURES
from tests.closing_house import NOTHING, TABLES, House
from tests.ledger.test_stiff import cells_of, text_of

FIRST, LAST = date(2026, 3, 1), date(2026, 3, 31)
BASE_DAYS = (date(2026, 2, 26), date(2026, 2, 27))
COLUMN = {column.code: column for column in COLUMNS}
DIFFERENCES = ("box-difference", "tray-difference", "errors")
SIGNERS = {"cage": "cara", "security": "sam", "dealer": "dan", "floor": "eve"}
NEVADA = HoldRules(test="points", base="prior_year")

BOX_SHORT = ("R-02", date(2026, 3, 7))
TRAY_SHORT = ("R-03", date(2026, 3, 12))
WRONG_FILL = ("R-01", date(2026, 3, 15))
OVERPAID = ("R-01", date(2026, 3, 20))
OPENER_OFF = ("R-02", date(2026, 3, 24))
LOW_HOLD = "R-03"
"""Half of what this table should win goes back to its players, and nobody records why."""


class Faults(NamedTuple):
    """What the planted faults take, in cents: what a report must show of each table's day, and of nothing else."""

    box: int = 4_000
    tray: int = 10_000
    fill: int = 5_000
    overpaid: int = 2_500
    opener: int = 1_000

    @property
    def shown(self) -> dict[tuple[str, date], dict[str, int]]:
        return {
            BOX_SHORT: {"box-difference": -self.box},
            TRAY_SHORT: {"tray-difference": -self.tray},
            WRONG_FILL: {"tray-difference": -self.fill},
            OVERPAID: {"errors": self.overpaid},
        }


FAULTS = Faults()


class Month:
    """Plays the days, and keeps the tally of what was won and dropped as counted."""

    def __init__(self, house: House) -> None:
        self.house, self.chance = house, random.Random(29)
        self.trays = dict.fromkeys(TABLES, 1_000_000)
        self.win = dict.fromkeys(TABLES, 0)
        self.drop = dict.fromkeys(TABLES, 0)

    def play(self, days: Iterator[date]) -> "Month":
        for day in days:
            self.house.go_to(day)
            boxes = {table: self._table_day(table, day) for table in TABLES}
            self.house.go_to(day + timedelta(days=1), 8)
            for table, cents in boxes.items():
                self.house.count(table, day, cents)
        self.house.read()
        return self

    def _table_day(self, table: str, day: date) -> int:
        """One table's day; what its box holds in the end."""
        house, fault = self.house, (table, day)
        opener = self.trays[table] - (FAULTS.opener if fault == OPENER_OFF else 0)
        house.open(table, opener)
        cash = self.chance.randrange(20_000, 40_000, 1_000)
        house.buy_in(table, cash)
        filled = self._fill(table) if fault == WRONG_FILL else 0
        net = cash // 5 + self.chance.randrange(-400, 401, 100)
        won_back = net // 2 if table == LOW_HOLD and day >= FIRST else 0
        self._round(table, day, lost=net + 2_000, winnings=2_000 + won_back, overpaid=fault == OVERPAID)
        net -= won_back + (FAULTS.overpaid if fault == OVERPAID else 0)
        missing = FAULTS.tray if fault == TRAY_SHORT else FAULTS.fill if fault == WRONG_FILL else 0
        self.trays[table] = opener + filled - cash + net - missing
        house.close(table, self.trays[table])
        box = cash - (FAULTS.box if fault == BOX_SHORT else 0)
        if day >= FIRST:
            self.win[table] += net - missing - (cash - box)
            self.drop[table] += box
        return box

    def _round(self, table: str, day: date, lost: int, winnings: int, overpaid: bool) -> None:
        asked = [Asked(1, "colour:black", lost), Asked(2, "colour:red", winnings)]
        rounds.record_finished_round(self.house.order(), table, asked, NOTHING)
        settlement.settle_due()
        if overpaid:
            rounds.record_payout(self.house.order(), RoundId(table, day, 1), 2, 2 * winnings + FAULTS.overpaid)

    def _fill(self, table: str) -> int:
        """A fill that all four sign for in full, though its rack was not."""
        session = tables.load_table(table).session
        assert session is not None
        slip = TransferId(table, session.gaming_date, session.number, 1)
        chips = {"10000": 40_000, "2500": 10_000}
        ana = Person("ana", frozenset({"floor"}))
        slips.request_transfer(self.house.order(), table, "fill", chips, ana)
        people = {role: Person(name, frozenset({role})) for role, name in SIGNERS.items()}
        slips.prepare_slip(self.house.order("cara"), slip, people["cage"])
        for role, person in people.items():
            slips.sign_slip(self.house.order(person.name), slip, person, role)
        return 50_000


def days(first: date, last: date) -> Iterator[date]:
    return (first + timedelta(days=n) for n in range((last - first).days + 1))


@pytest.fixture
def month(house: House) -> Month:
    played = Month(house).play(iter(BASE_DAYS))
    return played.play(days(FIRST, LAST))


def differences(shown: Report) -> dict[tuple[str, date], dict[str, int]]:
    """Table and day → the differences and errors that its row shows."""
    found = {}
    for line in shown.rows:
        amounts = {code: COLUMN[code].value(line) for code in DIFFERENCES}
        if any(amounts.values()):
            entry = line.of[0]
            found[entry.table, entry.gaming_date] = {code: cents for code, cents in amounts.items() if cents}
    return found


def test_a_months_faults_are_found_and_named_and_nothing_else_is(month: Month, ben: Client):
    by_day = report(FIRST, LAST, DAY)
    assert len(by_day.rows) == 31 * 3
    assert differences(by_day) == FAULTS.shown

    by_table = report(FIRST, LAST, TABLE)
    assert {line.name: line.facts.between for line in by_table.rows} == {"R-01": 0, "R-02": -FAULTS.opener, "R-03": 0}
    _the_totals_are_those_of_the_house(month, by_table, ben)
    _each_fault_opens_to_its_events(ben)
    _every_figure_is_what_its_events_make()
    _the_hold_report_names_the_table(ben)


def _the_totals_are_those_of_the_house(month: Month, by_table: Report, ben: Client) -> None:
    for line in by_table.rows:
        assert (line.result.win, line.facts.counted_drop) == (month.win[line.name], month.drop[line.name])
    house = by_table.house
    assert house is not None
    assert house.month is not None
    assert house.result.win == house.month.win == sum(month.win.values())
    located = sum(COLUMN[code].value(house) for code in ("box-difference", "tray-difference"))
    assert located == house.result.win - house.result.estimated_win == -FAULTS.box - FAULTS.tray - FAULTS.fill
    cells = cells_of(ben.get(f"/stiff/report.xlsx?from={FIRST}&to={LAST}&by=table").content)
    win = next(row for row in cells if row[0] == "Gaming day").index("Win")
    assert cells[-1][win].replace(".", "") == str(sum(month.win.values()))


def _each_fault_opens_to_its_events(ben: Client) -> None:
    for (table, day), amounts in FAULTS.shown.items():
        for code, cents in amounts.items():
            shown = explain(code, Scope(TABLE, table, day, day))
            assert (shown.amount, shown.is_proven) == (cents, True)
    fill = explain("tray-difference", Scope(TABLE, WRONG_FILL[0], WRONG_FILL[1], WRONG_FILL[1]))
    received = next(leaf for leaf in fill.leaves if leaf.leaf.code == "fills-received")
    line = received.lines[0]
    assert line.slip_url == "/slips/R-01/2026-03-15/1/1/"
    assert line.people == "cara, sam, dan, eve"
    assert "was paid 65.00 on colour red, due 40.00" in text_of(
        ben.get(f"/explain/errors/?of=table:R-01&from={OVERPAID[1]}")
    )


def _every_figure_is_what_its_events_make() -> None:
    tables = [Scope(TABLE, table, FIRST, LAST) for table in TABLES]
    for scope in (Scope(HOUSE, "", FIRST, LAST, only_complete=True), Scope(PIT, "A", FIRST, LAST), *tables):
        for code, figure in SHEET_FIGURES.items():
            shown = explain(code, scope)
            assert shown.is_proven is (None if figure.is_share else True), (scope.words, code)
            assert shown.pieces_agree is not False, (scope.words, code)


def _the_hold_report_names_the_table(ben: Client) -> None:
    shown = hold_report(FIRST, NEVADA)
    assert [line.name for line in shown.lines if line.kind == TABLE and line.verdict == INVESTIGATE] == [LOW_HOLD]
    low = next(line for line in shown.lines if line.name == LOW_HOLD)
    assert low.deviation is not None
    assert low.deviation < Fraction(-3, 100)
    assert "R-03" in text_of(ben.get("/hold/?month=2026-03"))
    catch_up()
