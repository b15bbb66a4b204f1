"""Physical readings beside the meter of their own instant, days signed, statements that add up, and the tie-out."""

from datetime import UTC, date, datetime, timedelta

import pytest

from casino.commands import rounds
from casino.commands.order import Order
from casino.eventstore.follower import catch_up
from casino.refusal import Refused
from casino.round.betting import Asked
from jackpot import models
from jackpot.commands import readings
from jackpot.instants import meter_at
from jackpot.statements import day_page, liability, month_page, statement_of
from tests.jackpot.test_cases import a_hit, approved, by, cases

ROYAL_FLUSH, NOTHING = "As Ks Qs Js Ts", "As Kd 9c 4h 2s"


def refusal(function, *arguments, **named) -> str:
    with pytest.raises(Refused) as refused:
        function(*arguments, **named)
    assert refused.value.message.endswith(".")
    return refused.value.code


def play_at(floor, at: datetime, cards: str = NOTHING, seats=(1,), table: str = "R-01") -> None:
    """A finished round that happened at a moment."""
    asked = [Asked(seat, "progressive", 100) for seat in seats]
    order = Order("ana", f"at-{at.timestamp()}-{table}", at)
    rounds.record_finished_round(order, table, asked, cards.split())


@pytest.fixture
def timed(floor):
    """Rounds at known seconds of one minute and the next; a hit in between."""
    start = datetime.now(UTC).replace(second=0, microsecond=0) + timedelta(minutes=0)
    for seconds in (-50, -40, -30):
        play_at(floor, start + timedelta(seconds=seconds))
    play_at(floor, start + timedelta(seconds=-20), ROYAL_FLUSH, (1, 2))
    for seconds in (-15, -10, -5):
        play_at(floor, start + timedelta(seconds=seconds))
    catch_up()
    return floor, start


@pytest.fixture(autouse=True)
def set_up_long_ago(database, monkeypatch):
    """The link of these tests was set up before their rounds were played."""
    from tests.jackpot import conftest

    monkeypatch.setattr(
        conftest.Floor,
        "order",
        lambda self, key="": Order(
            "ana", key or f"key-{next(self.numbers)}", datetime.now(UTC) - timedelta(minutes=30)
        ),
    )


@pytest.mark.parametrize(
    ("seconds", "micros"),
    [
        (-51, 5_000_000_000),
        (-50, 5_000_650_000),
        (-31, 5_001_300_000),
        (-20.000001, 5_001_950_000),
        (-20, 5_000_000_000 + 10_000 * (500_325 - 2 * 250_162)),  # the hit: 5,003.25 for two leaves an odd cent
        (-12, 5_000_010_000 + 650_000),
        (-5, 5_000_010_000 + 3 * 650_000),
        (0, 5_000_010_000 + 3 * 650_000),
    ],
)
def test_the_meter_of_an_instant_is_exact_to_the_second_and_the_micro_unit(timed, seconds, micros):
    _, start = timed
    assert meter_at("grand", start + timedelta(seconds=seconds)).main_micros == micros


def test_the_meter_now_is_the_meter_as_it_was_folded(timed):
    floor, _ = timed
    now, folded = meter_at("grand", datetime.now(UTC)), floor.state().meter
    pools = ("main_micros", "reserve_micros", "overflow_micros")
    assert [getattr(now, pool) for pool in pools] == [getattr(folded, pool) for pool in pools]


def test_before_its_set_up_a_link_has_no_meter(floor):
    catch_up()
    assert refusal(meter_at, "grand", datetime(2020, 1, 1, tzinfo=UTC)) == "before_set_up"


def test_an_instant_that_is_not_folded_yet_is_not_guessed(floor, monkeypatch):
    catch_up()
    floor.play("R-01")
    assert refusal(meter_at, "grand", datetime.now(UTC)) == "meter_behind"
    monkeypatch.setattr(readings, "PATIENCE_S", 0)
    assert refusal(readings.record_reading, by("ben"), "grand", 1, datetime.now(UTC)) == "meter_behind"


def test_a_reading_stands_beside_the_meter_of_its_own_time(timed):
    _, start = timed
    done = readings.record_reading(by("ben"), "grand", 500_130, start - timedelta(seconds=31))
    assert (done.events[0].meter_micros, done.events[0].difference_cents) == (5_001_300_000, 0)
    done = readings.record_reading(by("ben"), "grand", 500_130, start)
    assert (done.events[0].number, done.events[0].difference_cents) == (2, 500_130 - 500_196)


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("unknown_pool", {"pool": "jackpot"}),
        ("bad_reading", {"shown_cents": -1}),
        ("clock_ahead", {"read_at": datetime.now(UTC) + timedelta(days=1)}),
        ("unknown_link", {"code": "gold"}),
    ],
)
def test_a_reading_that_can_not_be_is_refused(floor, code, said):
    wanted = {"code": "grand", "shown_cents": 1, "read_at": datetime.now(UTC)} | said
    assert refusal(readings.record_reading, by("ben"), **wanted) == code


def test_a_day_is_signed_once_it_is_over_read_and_explained(timed, monkeypatch):
    _, start = timed
    day = models.Hit.objects.get().gaming_date
    assert refusal(readings.reconcile_day, by("ben"), "grand", day) == "day_not_over"
    monkeypatch.setattr(readings, "gaming_date", lambda order: day + timedelta(days=1))
    assert refusal(readings.reconcile_day, by("ben"), "grand", day) == "not_read"
    readings.record_reading(by("ben"), "grand", 500_194, start)
    assert refusal(readings.reconcile_day, by("ben"), "grand", day) == "difference_unexplained"
    assert refusal(readings.explain_difference, by("max"), "grand", day, 2, "Lag.") == "unknown_reading"
    assert refusal(readings.explain_difference, by("max"), "grand", day, 1, " ") == "reason_missing"
    readings.explain_difference(by("max"), "grand", day, 1, "The sign lags by three wagers.")
    readings.reconcile_day(by("ben"), "grand", day)
    assert refusal(readings.reconcile_day, by("ben"), "grand", day) == "already_reconciled"
    page = day_page("grand", day, day + timedelta(days=1))
    assert (page.readings.state, page.is_over, page.is_changed_since) == ("signed", True, False)
    assert page.readings.signed.closing_micros == 5_000_010_000 + 3 * 650_000


def test_a_reading_that_agrees_needs_no_explanation(timed):
    _, start = timed
    readings.record_reading(by("ben"), "grand", 500_196, start)
    day = models.Hit.objects.get().gaming_date
    assert refusal(readings.explain_difference, by("max"), "grand", day, 1, "Nothing.") == "no_difference"


# ------------------------------------------------------------------------------------------------- statements


def test_the_days_statement_adds_up_line_by_line_for_every_account(floor):
    first = a_hit(floor, ROYAL_FLUSH, seats=(1, 2))
    a_hit(floor, table="R-02", seats=(3,))
    approved(first, 1, "cage")
    cases.pay(by("cole"), first, 1)
    catch_up()
    link, day = floor.state(), first.round.gaming_date
    statement = statement_of("grand", day, day)
    closing = {column.account: column.closing_micros for column in statement.columns}
    assert closing == {
        "main": link.meter.main_micros, "reserve": link.meter.reserve_micros, "overflow": 0,
        "payable": link.meter.payable_micros,
    }  # fmt: skip
    rows = dict(statement.rows)
    assert rows["increments"] == [3 * 650_000, 3 * 100_000, 0, 0]
    assert rows["wins"][0] == -rows["wins"][3]
    assert rows["payments"][3] == -250_065 * 10_000


def test_stakes_count_on_their_own_gaming_day_whatever_the_order_of_the_log(floor):
    """Two days' rounds in turn, in batches of any size: the same lines."""
    today = datetime.now(UTC) - timedelta(minutes=5)
    for number in range(3):
        play_at(floor, today + timedelta(seconds=number))
    catch_up()
    days = {line.gaming_date for line in models.DayLine.objects.all()}
    (day,) = days
    before = statement_of("grand", day - timedelta(days=1), day - timedelta(days=1))
    after = statement_of("grand", day + timedelta(days=1), day + timedelta(days=1))
    assert [column.closing_micros for column in before.columns] == [0, 0, 0, 0]
    assert after.column("main").opening_micros == after.column("main").closing_micros == 5_001_950_000


def test_a_month_lists_its_days_and_adds_up(timed):
    floor, start = timed
    readings.record_reading(by("ben"), "grand", 500_196, start)
    day = models.Hit.objects.get().gaming_date
    page = month_page("grand", day)
    assert [one.day for one in page.days] == [day]
    assert page.days[0].main.closing_micros == page.statement.column("main").closing_micros
    assert page.statement.column("main").closing_micros == floor.state().meter.main_micros
    assert page.days[0].readings.state == "read"
    assert month_page("grand", date(2020, 5, 5)).days == ()


def test_the_liability_ties_to_statements_and_winners_or_says_where_not(floor):
    first = a_hit(floor, ROYAL_FLUSH, seats=(1, 2))
    approved(first, 1, "cage")
    cases.pay(by("cole"), first, 1)
    floor.link("silver")
    catch_up()
    owed = liability()
    grand, silver = owed.owed
    assert owed.is_tied
    assert (grand.payable, silver.total) == (250_065 * 10_000, 5_000_000_000)
    assert grand.total == floor.state().meter.main_micros + grand.payable
    models.DayLine.objects.filter(link="silver").update(micros=1)
    assert [liability().ties(one) for one in owed.owed] == [True, False]
    assert not liability().is_tied
