"""Worked examples of the trade: published ones and ones reckoned from the cited formulas (domain, section 7).

Those of meters (D10 to D13), of opener differences (P15), of cash reports (P16) and of seats (P13) stand beside what
they test, in tests/jackpot/test_meter.py and tests/casino (test_session.py, test_cash.py, test_queries.py).
"""

import itertools
from datetime import timedelta
from decimal import Decimal
from fractions import Fraction
from typing import NamedTuple

import pytest

from casino import session_events as s
from casino.commands.order import property_code
from casino.eventstore.follower import catch_up
from casino.eventstore.registry import Event
from casino.games.game import Share
from casino.theo import theo_by_estimate
from jackpot.mathematics import Price, long_run_return, mean_meter
from ledger.base_level import beyond_points
from ledger.count_events import box_key
from ledger.events import DropCounted
from ledger.queries.filed import ChipFloat
from ledger.queries.stiff import report
from ledger.reconcile import Facts, hold, reconcile
from ledger.stiff import HOUSE, SESSION, TABLE, Entry, Line, chained
from ledger.stiff_columns import COLUMNS, amount_of
from tests.ledger import test_periods as periods

DAY = periods.DAY
COLUMN = {column.code: column for column in COLUMNS}

# Units of the currency. P1 to P3 are published; the D are reckoned. D9a, b and c are the shifts of D9.
TABLE_RESULTS = """
name | opener | fills  | credits | closer | cash   | checks | promo | redeemed | win     | hold    | statistical
P1   | 10000  | 0      | 0       | 9500   | 500    | 0      | 0     | 0        | 0       | 0.00    | 0.00
P2   | 10000  | 0      | 0       | 9600   | 500    | 0      | 0     | 0        | 100     | 20.00   | 20.00
P3   | 10000  | 0      | 0       | 9200   | 500    | 0      | 0     | 0        | -300    | -60.00  | -60.00
D1   | 50000  | 20000  | 5000    | 48000  | 32500  | 0      | 0     | 0        | 15500   | 47.69   | 47.69
D2   | 50000  | 20000  | 5000    | 48000  | 22500  | 10000  | 0     | 0        | 15500   | 47.69   | 47.69
D3   | 50000  | 20000  | 5000    | 52000  | 22500  | 10000  | 0     | 4000     | 15500   | 47.69   | 54.39
D5   | 40000  | 30000  | 0       | 35000  | 20000  | 0      | 0     | 0        | -15000  | -75.00  | -75.00
D6   | 25000  | 0      | 0       | 24000  | 0      | 0      | 0     | 0        | -1000   | none    | none
D7   | 20000  | 0      | 0       | 19200  | 5000   | 0      | 500   | 0        | 4700    | 85.45   | 85.45
D8   | 30000  | 0      | 6000    | 30000  | 9000   | 0      | 0     | 0        | 15000   | 166.67  | 166.67
D9a  | 30000  | 0      | 0       | 28000  | 5000   | 0      | 0     | 0        | 3000    | 60.00   | 60.00
D9b  | 28000  | 10000  | 0       | 33000  | 8000   | 0      | 0     | 0        | 3000    | 37.50   | 37.50
D9c  | 33000  | 0      | 8000    | 26000  | 4000   | 0      | 0     | 0        | 5000    | 125.00  | 125.00
D9   | 30000  | 10000  | 8000    | 26000  | 17000  | 0      | 0     | 0        | 11000   | 64.71   | 64.71
"""


class Vector(NamedTuple):
    """A line of the table, amounts in cents; the holds are per cent with two decimals, None where there is none."""

    name: str
    opener: int
    fills: int
    credits: int
    closer: int
    cash: int
    checks: int
    promo: int
    redeemed: int
    win: int
    hold: Decimal | None
    statistical: Decimal | None

    @property
    def drop(self) -> int:
        return self.cash + self.checks + self.promo

    @property
    def facts(self) -> Facts:
        return Facts(
            opener=self.opener, recorded_drop=self.drop, game_result=0, fills=self.fills, credits=self.credits,
            pit_redemptions=self.redeemed, closer=self.closer, counted_drop=self.drop,
        )  # fmt: skip


def read(line: str) -> Vector:
    name, *cells = (cell.strip() for cell in line.split("|"))
    holds = [None if cell == "none" else Decimal(cell) for cell in cells[9:]]
    return Vector(name, *(int(cell) * 100 for cell in cells[:9]), *holds)


VECTORS = {vector.name: vector for vector in map(read, TABLE_RESULTS.strip().splitlines()[1:])}


def two_decimals(share: Fraction | None) -> Decimal | None:
    """Per cent, the half away from zero, as the trade prints it."""
    return None if share is None else Decimal(round(share * 10_000)) / 100


@pytest.mark.parametrize("vector", VECTORS.values(), ids=VECTORS)
def test_a_tables_win_and_hold(vector: Vector):
    result = reconcile(vector.facts)
    statistical = amount_of("statistical-hold", result, {})
    assert (result.win, two_decimals(result.hold)) == (vector.win, vector.hold)
    assert two_decimals(Fraction(statistical) if statistical is not None else None) == vector.statistical


def test_the_day_of_three_shifts_is_their_chain():
    shifts = [VECTORS[name].facts for name in ("D9a", "D9b", "D9c")]
    assert chained(shifts) == VECTORS["D9"].facts


# ------------------------------------------------------------------------------------------------- the whole program


def play(vector: Vector, session: int = 1, first_round: int = 1, rolled_in: bool = False, rolls: bool = False) -> None:
    """The vector's day as events: what is not paid for in cash, checks or promo was won or lost on the felt."""
    periods.session(session, *movements(vector, session, first_round, rolled_in))
    expected = vector.opener + vector.fills - vector.credits - vector.drop + vector.redeemed
    result = vector.closer - expected
    periods.settled(first_round, lost=max(result, 0), winnings=max(-result, 0))
    periods.session(session, periods.closer(session, vector.closer, first_round, rolled=rolls))


def movements(vector: Vector, session: int, first_round: int, rolled_in: bool) -> list[Event]:
    check = s.CounterCheckIssued(table="R-01", serial=1, seat=1, patron_id=1, amount_cents=vector.checks, by="ana")
    redeemed = s.PitRedemptionTaken(
        table="R-01", redeemed=1, issued_at_table="R-01", seat=1, patron_id=1, chips_cents=vector.redeemed,
        cash_cents=0, owed_cents=vector.checks - vector.redeemed, by="ana",
    )  # fmt: skip
    promo = s.PromoTaken(table="R-01", serial="P-1", seat=1, face_cents=vector.promo, by="ana")
    wanted = [
        (vector.opener, periods.opener(session, vector.opener, first_round, rolled_in)),
        (vector.fills, periods.fill(vector.fills)),
        (vector.credits, periods.credit(vector.credits)),
        (vector.cash, periods.cash(vector.cash)),
        (vector.checks, check),
        (vector.redeemed, redeemed),
        (vector.promo, promo),
    ]
    return [event for cents, event in wanted if cents]


def count(vector: Vector) -> None:
    event = DropCounted(table="R-01", counted_cents=vector.drop, counted_by=["tess", "tom"])
    periods.append(box_key(property_code(), "R-01", DAY.isoformat()), [event])
    catch_up()


@pytest.mark.parametrize("name", [name for name in VECTORS if name[-1] not in "abc" and name != "D9"])
def test_a_days_events_make_its_win_and_hold_in_the_report(database, name: str):
    vector = VECTORS[name]
    play(vector)
    count(vector)
    line = report(DAY, DAY, TABLE).rows[0]
    found = [COLUMN[code].value(line) for code in ("win", "estimated-win", "box-difference", "tray-difference")]
    assert found == [vector.win, vector.win, 0, 0]
    assert two_decimals(COLUMN["hold"].value(line)) == vector.hold
    assert two_decimals(COLUMN["statistical-hold"].value(line)) == vector.statistical


def test_three_shifts_and_their_day_in_the_report(database):
    shifts = [VECTORS[name] for name in ("D9a", "D9b", "D9c")]
    for number, shift in enumerate(shifts, 1):
        play(shift, number, first_round=number, rolled_in=number > 1, rolls=number < 3)
    count(VECTORS["D9"])
    day, periods_ = report(DAY, DAY, TABLE).rows[0], report(DAY, DAY, SESSION).rows
    assert (COLUMN["win"].value(day), two_decimals(COLUMN["hold"].value(day))) == (1_100_000, Decimal("64.71"))
    assert [COLUMN["estimated-win"].value(line) for line in periods_] == [shift.win for shift in shifts]
    assert [two_decimals(line.result.estimated_hold) for line in periods_] == [shift.hold for shift in shifts]
    assert [COLUMN["win"].value(line) for line in periods_] == [None] * 3, "one box served the day"


# ------------------------------------------------------------------------------------------------- theo and meters


@pytest.mark.parametrize(
    ("bet_cents", "decisions", "edge", "theo_cents"),
    [
        (25_00, 4 * 60, Fraction(1, 100), 60_00),  # P4
        (5_00, 100, Fraction(4, 100), 20_00),  # P5
        (1_00, 360, Fraction(55, 1000), 19_80),  # P6
        (1_00, 720, Fraction(55, 1000), 39_60),  # P6
    ],
)
def test_theo_is_bet_times_decisions_times_edge(bet_cents: int, decisions: int, edge: Fraction, theo_cents: int):
    assert theo_by_estimate(bet_cents, decisions, edge) == theo_cents


def test_a_bet_of_a_quarter_on_the_same_drop_holds_a_quarter():  # P14
    small, great = (theo_by_estimate(bet, 100, Fraction(1, 50)) for bet in (5_00, 20_00))
    assert 4 * small / 100_00 == great / 100_00


HANDS = 2_598_960
LEVELS = """
name | seed | rate | hands | average  | return
P7   | 1000 | 900  | 40    | 6847.66  | 0.105391
P8   | 250  | 2000 | 624   | 1083.00  | 0.260024
P8   | 50   | 800  | 3744  | 105.53   | 0.152029
P9   | 6000 | 800  | 40    | 11197.92 | 0.172345
P9   | 500  | 950  | 624   | 895.675  | 0.215048
P9   | 100  | 800  | 3744  | 155.53   | 0.224058
"""


def level(line: str) -> tuple[Fraction | None, Fraction, Decimal, Decimal]:
    """Average award in units and return of a level whose one rank takes all of it, and what is published of both."""
    _, seed, rate, hands, average, returns = (cell.strip() for cell in line.split("|"))
    price = Price(stake_cents=100, reset_cents=int(seed) * 100, increment_bp=int(rate))
    shares, tiers = [Share("top", 1, (), Fraction(int(hands), HANDS))], {"top": Fraction(1)}
    return (
        mean_meter(shares, 1, tiers, price),
        long_run_return(shares, tiers, price),
        Decimal(average),
        Decimal(returns),
    )


PUBLISHED = [level(line) for line in LEVELS.strip().splitlines()[1:]]


@pytest.mark.parametrize(("award", "returns", "published_award", "published_return"), PUBLISHED)
def test_a_levels_average_award_and_return(award, returns, published_award: Decimal, published_return: Decimal):
    assert abs(award - Fraction(published_award)) < Fraction(1, 100)
    assert abs(returns - Fraction(published_return)) < Fraction(1, 1_000_000)


def test_a_pay_table_with_fixed_awards_returns_the_sum_of_its_levels():  # P10
    fixed = Fraction(50 * 5_108 + 10 * 10_200, HANDS)
    first, second = (sum(level[1] for level in PUBLISHED[start : start + 3]) + fixed for start in (0, 3))
    assert abs(first - Fraction("0.654960")) < Fraction(1, 1_000_000)
    assert abs(second - Fraction("0.748967")) < Fraction(1, 1_000_000)


def test_a_payback_is_the_rate_and_the_seed_times_its_chance():  # P12
    price, chance = Price(100, 10_000_00, 7_500), Fraction(1, 20_000)
    shares = [Share("top", 1, (), chance)]
    assert long_run_return(shares, {"top": Fraction(1)}, price) == Fraction(3, 4) + 10_000 * chance


def test_a_check_is_taxed_when_it_is_collected_where_the_rule_is_nevadas(database):  # D4
    play(VECTORS["D2"])
    count(VECTORS["D2"])
    line = report(DAY, DAY, TABLE).rows[0]
    assert COLUMN["win-as-collected"].value(line) == 5_500_00


def test_a_check_that_is_redeemed_at_the_table_is_collected():
    parts = {"checks": VECTORS["D3"].checks}
    assert amount_of("win-as-collected", reconcile(VECTORS["D3"].facts), parts) == 5_500_00 + 4_000_00


def test_promotional_play_is_excluded_from_the_win_that_is_taxed():  # D7
    parts = {"promo": VECTORS["D7"].promo, "coupons": 0}
    assert amount_of("win-less-promo", reconcile(VECTORS["D7"].facts), parts) == 4_200_00


def test_indianas_adjustment_by_the_chip_float():  # D15
    held = ChipFloat(5_000_000_00 - 4_930_000_00, before_cents=65_000_00)
    assert (held.cents, held.adjustment_cents) == (70_000_00, 5_000_00)
    assert held.receipts_cents(120_000_00) == 125_000_00


def test_the_first_day_that_is_closed_has_no_adjustment_and_no_receipts():
    assert ChipFloat(70_000_00, None).receipts_cents(120_000_00) is None


@pytest.mark.parametrize(("cents", "tables", "days"), [(717_08, 4, 3), (733_41, 4, 3), (1_533_92, 1, 2)])
def test_a_win_per_table_and_day(cents: int, tables: int, days: int):  # P18
    each = Facts(opener=0, recorded_drop=0, game_result=0, closer=0, counted_drop=cents)
    played = itertools.product(range(days), range(tables))
    of = tuple(Entry(DAY + timedelta(day), f"R-{table:02}", "", "", 1, each, {}) for day, table in played)
    line = Line(HOUSE, "", of)
    assert (line.result.win, COLUMN["win-per-table-day"].value(line)) == (cents * tables * days, cents)


def test_a_table_whose_win_is_not_known_has_none_per_day():
    line = Line(TABLE, "R-01", (Entry(DAY, "R-01", "", "", 1, Facts(0, 0, 0), {}, unknown={"closer": "open"}),))
    assert COLUMN["win-per-table-day"].value(line) is None


def test_washingtons_adjusted_win():  # D14
    day = reconcile(Facts(opener=0, recorded_drop=0, game_result=0, closer=5_000_00, counted_drop=0))
    assert amount_of("adjusted-win", day, {"fed": Fraction(300_00) * Fraction(3, 4)}) == 4_775_00


# ------------------------------------------------------------------------------------------------- holds


def test_a_win_of_a_year_at_a_hold_of_18_percent_is_a_drop_of_about_two_thousand_millions():  # P11
    assert two_decimals(hold(361_800_000, 2_010_000_000)) == 18


@pytest.mark.parametrize(
    ("state", "before", "after"),
    [  # P17: per cent of 2011 and 2012
        ("CO", "20.0", "19.9"), ("IL", "15.7", "15.8"), ("IN", "17.3", "19.3"), ("IA", "20.0", "20.9"),
        ("MS", "16.8", "17.5"), ("MO", "19.1", "18.3"), ("NV", "13.2", "13.1"), ("NJ", "14.6", "14.2"),
        ("SD", "17.3", "17.9"),
    ],
)  # fmt: skip
def test_no_state_was_flagged_by_three_points(state: str, before: str, after: str):
    held, base = Fraction(after) / 100, Fraction(before) / 100
    assert beyond_points(held, base).investigate is False
    assert beyond_points(base + Fraction(301, 10_000), base).investigate is True
