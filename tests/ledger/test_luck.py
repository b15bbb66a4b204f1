"""What may be said of a result: z, the chance among replays, and the words for it; all numbers reckoned by hand."""

from dataclasses import replace
from fractions import Fraction

import pytest

from ledger.luck import LOOK_HERE, ORDINARY, TOO_FEW, UNKNOWN, UNUSUAL, Luck, Played, Replayed, Thresholds

# 100 rounds of 10.00 on red: T = 100 × 1,000 ÷ 27, V = 100 × 1,000² × 728/729.
RED = Played(100, 0, 100_000, 0, Fraction(100_000, 27), Fraction(100 * 1_000**2 * 728, 729))
MIDDLE = Replayed(100, 5_000, 5_100)


def luck(result_cents: int, at_or_below: int = 5_000, at_or_above: int = 5_100, played: Played = RED) -> Luck:
    return Luck(played._replace(result_cents=result_cents), Replayed(played.rounds, at_or_below, at_or_above))


@pytest.mark.parametrize(("result", "hundredths"), [(23_704, 200), (3_704, 0), (3_600, -1), (-16_296, -200)])
def test_z_is_the_distance_from_theo_in_standard_deviations(result: int, hundredths: int) -> None:
    """√V is 9,993.1 cents and T 3,703.7: 23,704 is 20,000.3 above, which is 2.00 of them; 3,600 is 103.7 below."""
    assert luck(result).z_hundredths == hundredths


def test_the_worked_example_of_two_losing_tables() -> None:
    """Each took 1,000,000 and lost 50,000 where 10,579 was expected; one in 1,000 bets (SD 29,326), one in 20 (SD
    207,367). Hold can't tell them apart, z does: −2.07 and −0.29.
    """
    many = Played(1_000, 0, 100_000_000, -5_000_000, Fraction(1_057_900), Fraction(2_932_600**2))
    few = replace(Luck(many, None), played=many._replace(rounds=20, variance=Fraction(20_736_700**2)))
    assert (Luck(many, None).z_hundredths, few.z_hundredths) == (-207, -29)


def test_the_chance_counts_both_sides_and_the_day_itself_and_is_never_nothing() -> None:
    assert Replayed(100, 249, 9_760).chance == Fraction(2 * 250, 10_000)
    assert Replayed(100, 9_999, 0).chance == Fraction(2, 10_000)
    assert Replayed(100, 9_900, 9_950).chance == 1  # almost every replay came out just so


def test_a_chance_has_the_error_of_a_share_counted_in_so_many_replays() -> None:
    """2.5 in 100 to one side: 2 × √(0.025 × 0.975 ÷ 9,999) = 0.0031."""
    assert Replayed(100, 249, 9_760).error == Fraction(30, 10_000)


@pytest.mark.parametrize(
    ("rarer", "verdict", "words"),
    [
        (4_000, ORDINARY, "80 %"), (499, ORDINARY, "10 %"), (250, ORDINARY, "1 in 20"), (249, UNUSUAL, "1 in 20"),
        (49, UNUSUAL, "1 in 100"), (5, UNUSUAL, "1 in 833"), (4, LOOK_HERE, "1 in 1,000"),
        (0, LOOK_HERE, "1 in 5,000 or rarer"),
    ],
)  # fmt: skip
def test_the_words_follow_the_chance(rarer: int, verdict: str, words: str) -> None:
    for found in (luck(90_000, 9_999 - rarer, rarer), luck(-90_000, rarer, 9_999 - rarer)):
        assert (found.verdict, found.chance_words) == (verdict, words)
        assert found.reason == ""


def test_thresholds_are_data() -> None:
    strict = Thresholds(rounds_least=200, unusual=Fraction(1, 2), look_here=Fraction(1, 4))
    assert replace(luck(0), thresholds=strict).verdict == TOO_FEW
    assert replace(luck(0, 9_000, 999), thresholds=strict._replace(rounds_least=1)).verdict == LOOK_HERE


def test_few_rounds_tell_nothing_however_far_out_they_are() -> None:
    few = luck(-480_000, 0, 9_999, RED._replace(rounds=29))
    assert (few.verdict, few.reason) == (TOO_FEW, "29 of at least 30 rounds")
    assert few.chance_words == "1 in 5,000 or rarer"


def test_long_shots_that_could_never_stand_out_are_not_called_ordinary() -> None:
    """100 rounds of 1.00 on five of a kind: one deviation is 1,589 stakes, and only 100 were put down."""
    shots = Played(100, 0, 10_000, 10_000, Fraction(2_848 * 10_000, 13_515), Fraction(100 * 100**2 * 25_257))
    found = Luck(shots, Replayed(100, 9_999, 9_975))
    assert found.verdict == TOO_FEW
    assert found.reason == "luck alone may move the result by more than all that was staked"
    won = Luck(shots._replace(result_cents=-3_190_000), Replayed(100, 24, 9_975))
    assert won.verdict == UNUSUAL  # 1 day in 200 holds one: the chance is right though z is 20


def test_what_is_not_known_says_why() -> None:
    assert Luck(RED, None).verdict == UNKNOWN
    assert Luck(RED, None).reason == "the wagers are being dealt again; the chance follows in a moment"
    assert Luck(RED, None, can_be_replayed=False).reason.startswith("a game that was played does not say")
    strange = Luck(RED._replace(unknown_rounds=1), MIDDLE)
    assert (strange.verdict, strange.z_hundredths, strange.chance, strange.chance_words) == (UNKNOWN, None, None, "")
    assert strange.reason == "1 round has wagers whose mathematics is not known"
    nothing = Luck(Played(0, 0, 0, 0, Fraction(0), Fraction(0)), None)
    assert (nothing.z_hundredths, nothing.reason) == (None, "no round has been settled")


def test_rounds_add_up() -> None:
    both = RED.plus(RED._replace(rounds=1, theo=Fraction(1, 3)))
    assert (both.rounds, both.theo, both.variance) == (101, Fraction(100_000, 27) + Fraction(1, 3), 2 * RED.variance)
