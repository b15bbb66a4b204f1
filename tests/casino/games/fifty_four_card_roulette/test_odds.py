import json
from fractions import Fraction
from pathlib import Path

import pytest

from casino.games import game
from casino.games.fifty_four_card_roulette import counts, odds
from casino.games.fifty_four_card_roulette.counts import enumerated, shipped
from casino.games.fifty_four_card_roulette.layout import layout
from casino.refusal import Refused

FACTS = Path(__file__).parents[3] / "facts"
GAME = game("54-card-roulette")


def facts(name):
    return json.loads((FACTS / f"54-card-roulette.{name}.json").read_text(encoding="utf-8"))


COVARIANCE = facts("covariance")
CODE_OF = {
    "straight_up": "straight_up:As",
    "straight_up_joker": "straight_up:X1",
    "straight_up_X2": "straight_up:X2",
    "split": "split:As+Ks",
    "street": "street:X1+As+Ah",
    "corner": "corner:As+Ah+Ks+Kh",
    "rank": "rank:A",
    "rank_2": "rank:2",
    "split_rank": "split_rank:A+K",
    "suit_s": "suit:s",
    "suit_h": "suit:h",
    "red": "colour:red",
    "black": "colour:black",
}
"""The wagers that the facts took as examples; the others stand under their own names."""


@pytest.fixture(scope="module")
def report():
    return GAME.paytable_report("printed")


def test_the_shipped_counts_are_those_of_all_hands_one_by_one():
    assert counts.as_json(enumerated()) == counts.SHIPPED.read_text(encoding="utf-8")


def test_the_hands_of_each_rank_are_the_known_ones():
    assert shipped().ranks == facts("ranks")["counts"]
    assert shipped().hands == 3_162_510


def test_the_hands_of_each_rank_with_each_card_are_the_known_ones():
    known = facts("joint")
    for rank, by_card in shipped().with_card.items():
        for card, hands in by_card.items():
            of_card = known["per_joker"] if card in ("X1", "X2") else known["per_card_of_rank"][card[0]]
            assert hands == of_card[rank], (rank, card)


def test_the_odds_of_every_wager_are_the_known_ones_to_the_last_digit():
    known = facts("wagers")
    known = {**known["roulette"], **known["poker"]}
    rows = {row.wager: row for row in GAME.odds("printed")}
    assert set(rows) == set(known) - {"straight_up_joker"}
    for wager, row in rows.items():
        assert row.pays == known[wager]["payout_to_1"]
        assert row.win_probability == Fraction(known[wager]["p_win"])
        assert row.house_edge == Fraction(known[wager]["house_edge"])
        assert row.variance == Fraction(known[wager]["variance"])


def test_the_player_has_the_advantage_on_the_split_rank_and_nowhere_else():
    assert [row.wager for row in GAME.odds("printed") if row.player_advantage] == ["split_rank"]


def test_all_spots_of_a_bet_have_the_odds_of_their_bet():
    chance_of = {row.wager: row.win_probability for row in GAME.odds("printed")}
    for spot in layout("standard").spots.values():
        assert Fraction(len(spot.cards), 54) == chance_of[spot.bet], spot.code


def test_the_covariance_of_every_two_wagers_is_the_known_one():
    names = COVARIANCE["wagers"]
    for name, row in zip(names, COVARIANCE["cov_fraction"], strict=True):
        for other, known in zip(names, row, strict=True):
            found = odds.covariance(CODE_OF.get(name, name), CODE_OF.get(other, other), "printed", shipped())
            assert found == Fraction(known), (name, other)


@pytest.mark.parametrize("name", COVARIANCE["portfolios"])
def test_the_variance_of_wagers_played_together_is_the_known_one(name):
    known = COVARIANCE["portfolios"][name]
    stakes = {CODE_OF.get(wager, wager): stake for wager, stake in known["stakes"].items()}
    assert odds.variance(stakes, "printed", shipped()) == Fraction(known["variance"])


def test_the_progressive_has_no_covariance_for_it_pays_from_a_meter():
    with pytest.raises(Refused) as refused:
        odds.covariance("progressive", "flush", "printed", shipped())
    assert refused.value.code == "no_fixed_pay"


def test_the_report_says_of_every_wager_what_the_odds_say(report):
    assert report["hands"] == 3_162_510
    assert report["hand_ranks"] == facts("ranks")["counts"]
    for shown, row in zip(report["wagers"], GAME.odds("printed"), strict=True):
        assert shown["wager"] == row.wager
        assert shown["pays"] == row.pays
        assert isinstance(shown["pays"], int)
        assert shown["player_advantage"] is row.player_advantage
        for name in ("win_probability", "house_edge", "variance"):
            assert shown[name] == "{0.numerator}/{0.denominator}".format(getattr(row, name))


@pytest.mark.parametrize(("tiers", "name"), [("tiered", "A five 100% / royal 100% / SF 10%"), ("literal", "B whole")])
def test_the_progressive_breaks_even_at_the_known_meters(report, tiers, name):
    shown = next(row for row in report["progressive"] if row["tiers"] == tiers)
    known = next(row for full_name, row in facts("progressive")["tiers"].items() if full_name.startswith(name))
    assert shown["q"] == known["q"]
    assert shown["win_probability"] == known["p_any"]
    assert shown["parts"] == known["tier_fraction"]
    assert shown["break_even_meter"]["1"] == known["break_even_meter_n1"]
    assert {n: Fraction(meter) for n, meter in shown["break_even_meter"].items()} == {
        n: Fraction(meter) for n, meter in known["break_even_meter"].items()
    }


def test_the_report_is_plain_data(report):
    assert json.loads(json.dumps(report)) == report


def test_an_unknown_paytable_has_no_odds():
    for ask in (GAME.odds, GAME.paytable_report):
        with pytest.raises(Refused, match="choose from printed") as refused:
            ask("generous")
        assert refused.value.code == "unknown_paytable"
