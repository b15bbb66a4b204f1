"""A meter's curve: exact at every point, whatever the reserve, the limit, hits and voids did, and short for a month."""

import random
from datetime import UTC, datetime, timedelta

import pytest
from django.db import connection

from casino.approval import Approval
from casino.commands import rounds
from casino.commands.order import Order
from casino.eventstore.follower import catch_up
from casino.refusal import Refused
from casino.round.betting import Asked
from jackpot import models
from jackpot.curves import POINTS, curve_of
from jackpot.pictures import chart_of
from tests.jackpot.conftest import NOTHING, Floor

BASE = 5_000_000_000
START = datetime.now(UTC).replace(second=0, microsecond=0) - timedelta(days=20)
STRAIGHT_FLUSH, ROYAL_FLUSH = "9s 8s 7s 6s 5s", "As Ks Qs Js Ts"
TWO = Approval("ana", "ben")


class PastFloor(Floor):
    """A floor whose clock stands at `minutes` after START."""

    minutes = 0.0

    def order(self, key: str = "") -> Order:
        return Order("ana", key or f"key-{next(self.numbers)}", START + timedelta(minutes=self.minutes))

    def play_at(self, minutes: float, cards: str = NOTHING, seats: int = 2, table: str = "R-01"):
        self.minutes = minutes
        asked = [Asked(seat, "progressive", 100) for seat in range(1, seats + 1)]
        rounds.record_finished_round(self.order(), table, asked, cards.split())
        return self.last_round(table)

    def main(self, code: str = "grand") -> int:
        return self.state(code).meter.main_micros


@pytest.fixture
def past(database) -> PastFloor:
    floor = PastFloor()
    floor.open("R-01", "R-02")
    floor.link("grand", tables=["R-01", "R-02"])
    return floor


def minute(number: int) -> datetime:
    return START + timedelta(minutes=number)


def test_a_curve_begins_with_the_base_and_ends_where_the_meter_stands(past):
    past.play_at(1, seats=3)
    past.play_at(5, seats=1)
    catch_up()
    curve = curve_of("grand", upto=minute(10))
    assert [(point.at, point.micros) for point in curve.points] == [
        (START, BASE),
        (minute(2), BASE + 3 * 650_000),
        (minute(6), BASE + 4 * 650_000),
    ]
    assert curve.points[-1].micros == past.main()
    assert [turn.kind for turn in curve.turns] == ["link_set_up"]


def test_a_hit_stands_as_a_step_at_its_own_moment(past):
    past.play_at(1)
    past.play_at(7.5, ROYAL_FLUSH)
    past.play_at(9)
    catch_up()
    curve = curve_of("grand")
    (hit,) = curve.hits
    at = START + timedelta(minutes=7.5)
    steps = [(point.at, point.micros) for point in curve.points if point.at == at]
    assert steps == [(at, hit.before_micros), (at, hit.before_micros), (at, hit.after_micros)]
    assert curve.points[-1].micros == past.main()
    assert [turn.kind for turn in curve.turns] == ["link_set_up", "hit"]


def test_every_minute_of_a_random_evening_is_what_the_meter_stood_at(past):
    """Hits, voids and returns between; what was read off after each minute's last round is on the curve."""
    chance, known = random.Random(7), {}
    for number in range(1, 25):
        for _ in range(chance.randint(0, 2)):
            cards = chance.choice([NOTHING] * 6 + [STRAIGHT_FLUSH, ROYAL_FLUSH])
            played = past.play_at(2 * number, cards, chance.randint(1, 4), chance.choice(["R-01", "R-02"]))
            if cards == NOTHING and chance.random() < 0.3:
                rounds.void_round(past.order(), played, "A card fell.", TWO)
            known[minute(2 * number + 1)] = past.main()
    curve = curve_of("grand", upto=minute(50))
    assert {turn.kind for turn in curve.turns} == {"link_set_up", "hit", "void"}
    assert curve.points[-1].micros == past.main()
    assert len(known) > 12
    for at, micros in known.items():
        assert [point.micros for point in curve.points if point.at <= at][-1] == micros, at


def test_a_span_begins_with_what_the_meter_stood_at_then(past):
    past.play_at(1, seats=4)
    past.play_at(60, STRAIGHT_FLUSH)
    past.play_at(100, seats=2)
    before = past.main()
    past.play_at(200, seats=3)
    catch_up()
    curve = curve_of("grand", minute(150))
    assert (curve.points[0].at, curve.points[0].micros) == (minute(150), before)
    assert curve.points[-1].micros == past.main()
    assert (curve.turns, curve.hits) == ((), ())
    assert (curve.growth.rounds, curve.growth.wagers, curve.growth.stakes_cents) == (1, 3, 300)


def test_growth_is_by_the_rates_where_neither_reserve_nor_limit_is_full(past):
    past.play_at(1, seats=4)
    past.play_at(11, ROYAL_FLUSH, seats=1)
    void = past.play_at(20, seats=3)
    rounds.void_round(past.order(), void, "A card fell.", TWO)
    past.play_at(120, seats=2)
    catch_up()
    growth = curve_of("grand").growth
    assert (growth.rounds, growth.wagers, growth.stakes_cents) == (4, 10, 1000)
    assert growth.expected_micros == growth.actual_micros == 10 * 650_000
    assert (growth.a_wager_micros, growth.minutes) == (650_000, 120)
    assert growth.actual_an_hour_micros == 10 * 650_000 / 2


@pytest.mark.parametrize(
    ("terms", "expected", "actual"),
    [
        # The reserve holds its reset of 1.00 after ten wagers; the other ten give 10 cents each to main.
        ({"reset_cents": 100, "base_cents": 100}, 20 * 650_000, 20 * 650_000 + 10 * 100_000),
        # 5.00 to the limit, and the rest goes over.
        ({"limit_cents": 500_500}, 20 * 650_000, 5_000_000),
    ],
)
def test_growth_tells_what_a_full_reserve_adds_and_a_limit_takes(past, terms, expected, actual):
    past.open("R-03")
    past.link("small", tables=["R-03"], **terms)
    for number in range(1, 6):
        past.play_at(number, seats=4, table="R-03")
    catch_up()
    curve = curve_of("small")
    assert (curve.growth.expected_micros, curve.growth.actual_micros) == (expected, actual)
    assert curve.growth.difference_micros == actual - expected
    assert curve.points[-1].micros == past.main("small")


def test_a_month_of_minutes_opens_as_some_hundred_points(past, statements):
    past.play_at(1)
    past.play_at(2, STRAIGHT_FLUSH)
    catch_up()
    with connection.cursor() as cursor:
        cursor.execute(
            """INSERT INTO jackpot_flow (link, nth, minute, increment_bp, hidden_bp, rounds, wagers, stakes_cents,
                      first_position, last_position)
               SELECT 'grand', 2, %s + n * interval '1 minute', 6500, 1000, 10, 20, 2000, 1, 1
                 FROM generate_series(3, 28000) AS n""",
            [START],
        )
    statements.clear()
    curve = curve_of("grand")
    assert len(curve.points) <= POINTS + 8
    assert len(statements) <= 7
    assert curve.growth.rounds == 2 + 10 * 27_998
    after = models.Hit.objects.get().after_micros
    expected = 27_998 * 2000 * 6500
    reserve_full = 27_998 * 2000 * 1000 + 4 * 100_000 - BASE
    assert curve.points[-1].micros == after + expected + reserve_full


def test_what_was_not_set_up_has_no_curve(past):
    with pytest.raises(Refused) as refused:
        curve_of("silver")
    assert refused.value.code == "unknown_link"


def test_the_chart_shows_the_curve_the_resets_and_the_hits(past):
    past.play_at(1, seats=4)
    past.play_at(7, ROYAL_FLUSH, seats=1)
    void = past.play_at(9, seats=3)
    rounds.void_round(past.order(), void, "A card fell.", TWO)
    catch_up()
    chart = chart_of(curve_of("grand"), 500_000)
    meter, resets, hits = chart.traces
    assert (meter["y"][0], meter["y"][-1], set(resets["y"])) == ("5000.00", "5000.00", {"5000.00"})
    assert (hits["y"], hits["text"]) == (["5003.25"], ["royal flush at R-01: 5,003.25"])
    assert chart.summary == "From 5,000.00 to 5,000.00, 1 hit took 5,003.25; stakes brought 5.20."
    assert [row[1:] for row in chart.rows] == [
        ("set up", "0.00", "5,000.00", "+5,000.00"),
        ("hit: royal flush", "5,003.25", "5,000.00", "−3.25"),
        ("last stakes", "", "5,000.00", ""),
    ]
    assert chart.note == "1 voided round took 1.95 back."
