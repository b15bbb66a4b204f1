"""Luck from the log: G, T and V of each hour, exactly, on the small floor of tests/played.py and on further rounds."""

import shutil
from datetime import UTC, datetime, timedelta
from fractions import Fraction
from pathlib import Path

from casino.commands import rounds, settlement, tables
from casino.commands.order import Order
from casino.eventstore.follower import catch_up
from casino.eventstore.rebuild import rebuild
from casino.games import use_folders
from casino.games.game import CHECK, CardEntry, DecisionEntry
from casino.round.betting import Asked
from ledger.luck import UNKNOWN
from ledger.luck_hours import LUCK
from ledger.models import LuckHour
from ledger.queries.luck import latest_day, luck_line, luck_of
from tests.played import ANA, NOTHING, SECOND, Played

RED, STRAIGHT_FLUSH = Fraction(1, 27), Fraction(2_111, 11_713)
"""House edges of the rule sheet's paytable."""

TOY = Path(__file__).parents[1] / "toy_games" / "high_card"
CHECKED = DecisionEntry(1, CHECK)
THEO = 1_500 * RED + 100 * STRAIGHT_FLUSH
"""Of R-01: 500 on red and 1,000 on spades in one round, 100 on the straight flush in another."""


def test_each_table_has_its_result_theo_and_variance_without_the_progressive(played: Played) -> None:
    """R-01: a round of +500 and one of −480,000; its misdeal is no round of it. R-02: 1,000 on black, lost."""
    luck = luck_of(played.day)
    assert set(luck) == {"R-01", "R-02"}
    first, second = luck["R-01"].played, luck["R-02"].played
    assert (first.rounds, first.unknown_rounds, first.stakes_cents, first.result_cents) == (2, 0, 1_600, -479_500)
    assert first.theo == THEO
    # Red and spades share the card: 500² × 728/729 + 1,000² × 2,132/729 − 2 × 500 × 1,000 × 676/729.
    pair = Fraction(500**2 * 728 + 1_000**2 * 2_132 - 2 * 500 * 1_000 * 676, 729)
    assert first.variance == pair + 100**2 * Fraction(539_867_754_622, 137_194_369)
    assert (second.rounds, second.result_cents) == (1, 1_000)
    assert (second.theo, second.variance) == (1_000 * RED, 1_000**2 * Fraction(728, 729))


def test_a_round_without_a_settled_wager_counts_for_nothing(played: Played) -> None:
    before = luck_of(played.day)["R-01"].played
    rounds.void_round(played.order(), played.round(4), "Nobody plays.", SECOND)
    played.read()
    assert luck_of(played.day)["R-01"].played == before


def test_of_a_round_voided_after_its_roulette_phase_that_phase_counts(played: Played) -> None:
    """700 on red, lost to the king of spades; 300 on a flush, given back."""
    fourth = played.round(4)
    rounds.place_wagers(played.order(), fourth, [Asked(3, "colour:red", 700), Asked(3, "flush", 300)])
    rounds.close_bets(played.order(), fourth)
    rounds.record_cards(played.order(), fourth, [CardEntry(None), CardEntry("Ks")])
    settlement.settle_due()
    rounds.void_round(played.order(), fourth, "The deck fell to the floor.", SECOND)
    played.read()
    found = luck_of(played.day)["R-01"].played
    assert (found.rounds, found.stakes_cents, found.result_cents) == (3, 2_300, -478_800)
    assert found.theo == THEO + 700 * RED


def test_a_table_that_never_settled_a_round_has_no_luck(played: Played) -> None:
    assert luck_of(played.day, "R-03") == {}
    assert (latest_day("R-03"), latest_day("R-01")) == (None, played.day)
    assert luck_line("R-03", played.day).points == []


def test_a_page_of_all_tables_asks_twice_and_a_line_twice(played: Played, statements: list[str]) -> None:
    day = played.day
    statements.clear()
    luck_of(day)
    assert len(statements) == 2
    luck_line("R-01", day)
    assert len(statements) == 4


def test_the_line_adds_up_hour_by_hour_of_the_houses_clock(played: Played) -> None:
    """Rounds of two more hours, the first of them recorded last: each stands in the hour in which it was opened."""
    rounds.void_round(played.order(), played.round(4), "Nobody plays.", SECOND)
    now = datetime.now(UTC)
    for hours, cents in ((-2, 4_000), (-1, 8_000)):
        order = Order(ANA, f"late-{hours}", now + timedelta(hours=hours))
        rounds.record_finished_round(order, "R-01", [Asked(5, "suit:s", cents)], NOTHING)
    played.read()
    points = luck_line("R-01", played.day).points
    assert [point.rounds for point in points] == [1, 2, 4]
    assert [point.result_cents for point in points] == [4_000, 12_000, 12_000 - 479_500]
    assert [point.theo for point in points] == [4_000 * RED, 12_000 * RED, 12_000 * RED + THEO]
    assert all(point.hour.minute == point.hour.second == 0 for point in points)
    assert points[1].hour - points[0].hour == timedelta(hours=1)


def test_a_game_that_the_house_no_longer_deals_is_not_known_and_stops_nothing(played: Played, tmp_path: Path) -> None:
    """Its rounds are counted, and their mathematics is gone with the game: the page says so, the follower goes on."""
    shutil.copytree(TOY, tmp_path / "high_card", ignore=shutil.ignore_patterns("__pycache__"))
    use_folders(tmp_path)
    tables.set_up_table(played.order(), "T-01", game="high-card")
    played.open("T-01", 100_000)
    rounds.record_finished_round(played.order(), "T-01", [Asked(1, "high", 500)], ["Ks", "2d"], decisions=[CHECKED])
    settlement.settle_due()
    use_folders()
    catch_up()
    luck = luck_of(played.day)["T-01"]
    assert (luck.played.rounds, luck.played.unknown_rounds, luck.played.result_cents) == (1, 1, -500)
    assert (luck.verdict, luck.z_hundredths) == (UNKNOWN, None)


def test_rebuilt_hours_are_the_live_ones(played: Played) -> None:
    assert LuckHour.objects.count() == 2
    assert rebuild(LUCK, "owner", check=True, progress=lambda n: None) == []
    LuckHour.objects.filter(table_code="R-02").update(theo_numerator=1)
    found = rebuild(LUCK, "owner", check=True, progress=lambda n: None)
    assert [(one.table, one.only_live, one.only_rebuilt) for one in found] == [("luck_hour", 1, 1)]
