"""The wagers of a day dealt again: against exact chances, in pieces or at once, before and after a crash."""

from collections.abc import Iterable
from datetime import UTC, date, datetime, timedelta
from fractions import Fraction
from math import comb

import pytest
from django.conf import settings
from django.db import connection

from casino import events as e
from casino.celery import app
from casino.eventstore.follower import catch_up, position_of
from casino.eventstore.registry import encode
from ledger.ended import EndedRound
from ledger.luck import REPLAYS, UNKNOWN, Replayed
from ledger.models import LuckChance, LuckReplays
from ledger.queries.luck import luck_line, luck_of
from ledger.replays import REPLAYED, Day, fold
from ledger.tasks import deal_again
from tests.played import NOTHING, Asked, Played

DAY = date(2026, 11, 29)
NOON = datetime(2026, 11, 29, 12, tzinfo=UTC)


def ended(
    n: int, wagers: dict[str, int], won: Iterable[str] = (), hour: int = 0, game: str = "54-card-roulette"
) -> EndedRound:
    """A round of one seat as the log gives it; what is won pays even money."""
    opened = e.RoundOpened(
        table="R-01", session="demo/session/R-01/2026-11-29/01", game=game, paytable="printed", layout="standard",
        method="second_card", seats=8, limits={}, round_payout_max_cents=0, off_limits="warn", side_bets={},
        recorded_by="terminal",
    )  # fmt: skip
    lines = [
        e.SettledLine(
            number=number, seat=1, wager=code, stake_cents=cents, result="win" if code in won else "lose",
            returned_cents=2 * cents if code in won else 0,
        )
        for number, (code, cents) in enumerate(wagers.items(), start=1)
    ]  # fmt: skip
    return EndedRound((n, "R-01", DAY, n, NOON + timedelta(hours=hour), 1, encode(opened).payload), lines)


def reds(rounds: int, lost: int) -> list[EndedRound]:
    """10.00 on red in every round, the first `lost` of them lost."""
    return [ended(n, {"colour:red": 1_000}, () if n <= lost else ("colour:red",)) for n in range(1, rounds + 1)]


def at_least(hits: int, rounds: int, chance: Fraction) -> Fraction:
    """The exact chance of so many hits or more."""
    return sum(
        (comb(rounds, k) * chance**k * (1 - chance) ** (rounds - k) for k in range(hits, rounds + 1)), Fraction(0)
    )


def replayed(day: Day) -> Replayed:
    return Replayed(day.rounds, day.at_or_below, day.at_or_above)


# ------------------------------------------------------------------------------------------------- right chances


@pytest.mark.parametrize("lost", [16, 21, 25, 27, 30])
def test_the_chance_of_forty_reds_is_the_binomials(lost: int) -> None:
    """Red loses 28 times in 54; of 40, so many or more, and so many or fewer. Four standard errors are allowed."""
    found = Day().add(reds(40, lost))
    above = at_least(lost, 40, Fraction(28, 54))
    below = 1 - at_least(lost + 1, 40, Fraction(28, 54))
    for counted, exact in ((found.at_or_above, above), (found.at_or_below, below)):
        assert abs(Fraction(counted, REPLAYS) - exact) <= 4 * float(exact * (1 - exact) / REPLAYS) ** 0.5
    exact = min(Fraction(1), 2 * min(above, below))
    assert abs(replayed(found).chance - exact) <= 4 * replayed(found).error + Fraction(1, 5_000)


def test_long_shots_keep_their_skew() -> None:
    """300 rounds of 1.00 on a straight flush: one hit or more comes on 1 day in 20, where a normal curve of the same
    mean and deviation would say that z = −4 never comes at all.
    """
    day = Day().add([ended(n, {"straight_flush": 100}) for n in range(1, 301)])
    exact = at_least(1, 300, Fraction(2, 11_713))
    assert abs(Fraction(int((day.replays < 0).sum()), REPLAYS) - exact) <= 4 * float(exact / REPLAYS) ** 0.5
    assert replayed(day).chance == 1  # the house won every one of them, as on 19 days of 20


def test_bets_of_one_round_share_its_cards() -> None:
    """Red and black of equal stakes: a card of the 52 costs the house nothing, a joker brings both stakes."""
    day = Day().add([ended(1, {"colour:red": 1_000, "colour:black": 1_000}, ("colour:red",))])
    assert set(day.replays.tolist()) == {0, 2_000}


def test_the_band_holds_95_in_100_at_the_end_of_each_hour() -> None:
    """Its ends are the farthest results of 40 reds that come, they or farther ones, on 2.5 days in 100 or more."""
    rounds = [ended(n, {"colour:red": 1_000}, hour=(n - 1) // 20) for n in range(1, 41)]
    day = Day().add(rounds)
    assert [hour[11:13] for hour in day.band] == ["12", "13"]
    low, high = day.band[(NOON + timedelta(hours=1)).isoformat()]
    outside = [k for k in range(41) if at_least(k, 40, Fraction(28, 54)) < Fraction(25, 1000)]
    assert high == (2 * (outside[0] - 1) - 40) * 1_000
    under = [k for k in range(41) if 1 - at_least(k + 1, 40, Fraction(28, 54)) < Fraction(25, 1000)]
    assert low == (2 * (under[-1] + 1) - 40) * 1_000


def test_an_hour_that_comes_late_shows_from_the_latest_on() -> None:
    day = Day().add([ended(1, {"colour:red": 1_000}, hour=1)])
    before = dict(day.band)
    day.add([ended(2, {"suit:s": 5_000}, hour=0)])
    assert list(day.band) == list(before)
    assert day.band != before


def test_a_game_that_is_not_known_leaves_the_chance_unknown() -> None:
    assert not Day().add([*reds(2, 1), ended(3, {"high": 500}, game="no-such-game")]).is_known


# ------------------------------------------------------------------------------------------------- exactly once


def test_the_task_deals_what_was_settled_and_the_page_reads_it(played: Played) -> None:
    assert luck_of(played.day)["R-01"].verdict == UNKNOWN
    assert deal_again() > 0
    luck = luck_of(played.day)
    row = LuckChance.objects.get(table_code="R-02")
    assert (row.rounds, row.result_cents) == (1, 1_000)
    assert luck["R-02"].replayed == Replayed(1, REPLAYS, row.at_or_above)
    assert row.at_or_above == pytest.approx(REPLAYS * 28 / 54, abs=200)  # black lost: four standard deviations
    assert luck["R-01"].chance_words == "1 in 5,000 or rarer" or luck["R-01"].chance < Fraction(1, 500)
    assert [point.band is not None for point in luck_line("R-01", played.day).points] == [True]
    assert deal_again() == 0


def kept() -> dict[str, tuple[object, ...]]:
    rows = LuckChance.objects.order_by("table_code")
    found = {row.table_code: (row.rounds, row.result_cents, row.at_or_below, row.at_or_above, row.band) for row in rows}
    return found | {f"{one.table_code} replays": (bytes(one.results),) for one in LuckReplays.objects.all()}


def test_in_pieces_or_at_once_the_replays_are_the_same(played: Played) -> None:
    """Dealt as the log grew, position by position; then all of it again from nothing."""
    last = position_of("luck")
    with connection.cursor() as cursor:
        for position in range(last):
            fold(cursor, position, position + 1)
    in_pieces = kept()
    LuckChance.objects.all().delete()
    LuckReplays.objects.all().delete()
    with connection.cursor() as cursor:
        fold(cursor, 0, last)
    assert kept() == in_pieces
    assert set(in_pieces) == {"R-01", "R-02", "R-01 replays", "R-02 replays"}


def test_what_a_crash_takes_is_dealt_again_the_same(played: Played) -> None:
    deal_again()
    with connection.cursor() as cursor:
        cursor.execute("SELECT relpersistence FROM pg_class WHERE relname = 'luck_replays'")
        assert cursor.fetchone() == ("u",)  # unlogged: PostgreSQL empties it when it comes back from a crash
    LuckReplays.objects.all().delete()
    played.open("R-02", 1_990_500)
    played.finish("R-02", [Asked(1, "suit:s", 2_000)], NOTHING)
    played.read()
    deal_again()
    after_the_crash = kept()
    LuckChance.objects.all().delete()
    LuckReplays.objects.all().delete()
    with connection.cursor() as cursor:
        fold(cursor, 0, position_of("luck"))
    assert after_the_crash["R-02"] == kept()["R-02"]
    assert after_the_crash["R-02 replays"] == kept()["R-02 replays"]
    assert kept()["R-02"][:2] == (2, 3_000)


def test_replays_of_days_gone_by_are_forgotten_and_what_came_of_them_stays(played: Played) -> None:
    deal_again()
    old = played.day - timedelta(days=30)
    LuckReplays.objects.create(gaming_date=old, table_code="R-09", results=b"")
    played.open("R-03", 100_000)
    played.finish("R-03", [Asked(1, "suit:s", 2_000)], NOTHING)
    played.read()
    deal_again()
    assert not LuckReplays.objects.filter(gaming_date=old).exists()
    assert LuckReplays.objects.count() == LuckChance.objects.count() == 3


def test_an_error_stops_it_loudly(played: Played, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settings, "TIME_ZONE", "Nowhere/AtAll")
    with pytest.raises(Exception, match="Nowhere/AtAll"):
        deal_again()
    monkeypatch.undo()
    with connection.cursor() as cursor:
        cursor.execute("SELECT error FROM checkpoint WHERE name = %s", [REPLAYED.name])
        assert "Nowhere/AtAll" in cursor.fetchone()[0]
    assert deal_again() > 0
    catch_up()


def test_beat_asks_for_it_by_a_name_that_celery_knows() -> None:
    app.loader.import_default_modules()
    assert set(settings.CELERY_BEAT_SCHEDULE) <= set(app.tasks)
