"""A month's hold put to the test of a profile, and the report of it."""

from datetime import date
from fractions import Fraction

import pytest
from django.test import Client

from casino.profile import HoldRules, load
from ledger.hold import INVESTIGATE, NO_TEST, ORDINARY, base_for, by_month, put_to_test
from ledger.queries.explained import explain
from ledger.queries.hold import hold_report
from ledger.reconcile import Facts
from ledger.scope import Scope
from ledger.stiff import TABLE, MonthSum
from tests.closing_house import FIRST, House
from tests.ledger.test_stiff import cells_of, text_of

MARYLAND, NEW_JERSEY, NEVADA, KANSAS = (load(code).hold for code in ("maryland", "new_jersey", "nevada", "kansas"))
RELATIVE = HoldRules(test="points", base="prior_year", points=3, mode="relative")
MARCH = date(2026, 3, 1)


def month(first: date, hold_permille: int, table: str = "R-01", complete: bool = True) -> MonthSum:
    """A month of 1,000.00 dropped with this hold."""
    drop = 100_000 if complete else None
    facts = Facts(opener=0, recorded_drop=0, game_result=0, closer=hold_permille * 100 - 100_000, counted_drop=drop)
    return MonthSum(table, "A", "54 Card Roulette", first, complete, 1, facts)


def year(*permilles: int) -> list[MonthSum]:
    return [month(date(2025, n, 1), permille) for n, permille in enumerate(permilles, 1)]


def said(rules: HoldRules, permille: int, *before: MonthSum) -> str:
    months = by_month([*before, month(MARCH, permille)])
    return put_to_test("table", "R-01", months, MARCH, rules).verdict


def test_a_base_is_the_year_before_and_in_the_first_year_the_month_before():
    months = by_month([*year(200, 220), month(date(2026, 2, 1), 300)])
    assert base_for(months, MARCH, MARYLAND).hold == Fraction(21, 100)
    del months[date(2025, 1, 1)], months[date(2025, 2, 1)]
    base = base_for(months, MARCH, MARYLAND)
    assert (base.hold, base.words) == (Fraction(3, 10), "the month February 2026")
    assert base_for({}, MARCH, MARYLAND).why_none == "the month February 2026 has no complete table-day with a drop"


@pytest.mark.parametrize(
    ("rules", "permille", "verdict"),
    [
        # the base is 20 %, its months 18, 20 and 22 %: a deviation of 2 points, so 95 of 100 lie within 3.92 points
        (MARYLAND, 239, ORDINARY),
        (MARYLAND, 240, INVESTIGATE),
        (MARYLAND, 161, ORDINARY),
        (MARYLAND, 160, INVESTIGATE),
        (NEW_JERSEY, 239, ORDINARY),
        (NEW_JERSEY, 240, INVESTIGATE),
        (NEVADA, 230, ORDINARY),
        (NEVADA, 231, INVESTIGATE),
        (NEVADA, 170, ORDINARY),
        (NEVADA, 169, INVESTIGATE),
        (KANSAS, 230, ORDINARY),
        (KANSAS, 231, INVESTIGATE),
        (RELATIVE, 206, ORDINARY),
        (RELATIVE, 207, INVESTIGATE),
    ],
)
def test_each_jurisdictions_test_has_its_own_edge(rules: HoldRules, permille: int, verdict: str):
    assert said(rules, permille, *year(180, 200, 220)) == verdict


def test_without_a_base_there_is_no_test():
    assert said(MARYLAND, 500) == NO_TEST
    assert said(NEVADA, 500) == NO_TEST
    assert said(MARYLAND, 500, month(date(2026, 2, 1), 200)) == NO_TEST, "an interval takes two months"
    assert said(NEVADA, 500, month(date(2026, 2, 1), 200)) == INVESTIGATE


def test_days_that_are_not_complete_are_left_out_and_counted():
    held = by_month([month(MARCH, 200), month(MARCH, 900, complete=False)])[MARCH]
    assert (held.hold, held.table_days, held.left_out) == (Fraction(1, 5), 1, 1)


# ------------------------------------------------------------------------------------------------- the report


@pytest.fixture
def two_months(house: House) -> House:
    """March held 30 % at every table; in April R-01's box is 20.00 short of its 100.00."""
    house.played(FIRST)
    april = FIRST.replace(month=4)
    house.play(april)
    for code, cents in (("R-01", 8_000), ("R-02", 10_000), ("R-03", 10_000)):
        house.count(code, april, cents)
    house.read()
    return house


def test_the_report_names_the_table_whose_month_is_out_of_line(two_months: House, ben: Client):
    shown = hold_report(date(2026, 4, 1), NEVADA)
    verdicts = {line.name: line.verdict for line in shown.lines}
    assert verdicts == {
        "54 Card Roulette": INVESTIGATE, "R-01": INVESTIGATE, "R-02": ORDINARY, "R-03": ORDINARY,
    }  # fmt: skip
    line = shown.to_investigate[1]
    assert (line.held.hold, line.base.hold, line.deviation) == (Fraction(1, 8), Fraction(3, 10), Fraction(-7, 40))
    assert line.words == "more than 3 percentage points of the base level"
    said = text_of(ben.get("/hold/?month=2026-04"))
    assert "Maryland: a month outside the 95 % interval of the base level is investigated." in said
    assert "R-01 1 80.00 +10.00 12.5 % 30.0 % the month March 2026 −17.50 no test" in said


def test_the_report_comes_as_files_and_as_data(two_months: House, ben: Client):
    text = ben.get("/hold/report.csv?month=2026-04").content.decode("utf-8-sig").splitlines()
    assert text[2].startswith("table,R-01,1,0,80.00,10.00,0.125000,0.300000,the month March 2026,-17.500000,no test")
    cells = cells_of(ben.get("/hold/report.xlsx?month=2026-04").content)
    assert ["table", "R-01", "1", "0", "80.00", "10.00", "0.125000"] in [row[:7] for row in cells]
    answer = ben.get("/api/v1/hold/?month=2026-04").json()
    assert [line["hold"] for line in answer] == ["1/4", "1/8", "3/10", "3/10"]
    assert ben.get("/hold/?month=soon").status_code == 400
    assert ben.get("/hold/report.pdf").status_code == 400


def test_a_month_without_play_says_so(house: House, ben: Client):
    assert "Nothing was played" in text_of(ben.get("/hold/?month=2026-01"))


def test_the_report_is_put_to_the_test_of_the_houses_profile(two_months: House, ben: Client, settings):
    settings.CASINO_PROFILE = "kansas"
    said = text_of(ben.get("/hold/?month=2026-04"))
    rule = "Kansas: a month outside the 95 % interval of the base level, or more than 3 percentage points from the base"
    assert rule in said
    assert "30.0 % the month March 2026 −17.50 investigate" in said


def test_the_base_of_a_month_opens_to_its_own_days(two_months: House):
    line = next(line for line in hold_report(date(2026, 4, 1)).lines if line.name == "R-01")
    base = explain("hold", Scope(TABLE, "R-01", line.base.first, line.base.last, only_complete=True))
    assert base.amount == line.base.hold == Fraction(3, 10)
