"""The mathematics against figures enumerated elsewhere, to the last digit."""

import json
from collections import Counter
from fractions import Fraction
from pathlib import Path

import pytest

from casino.games.poker import HAND_RANKS
from casino.games.royal_casino import odds, outcomes
from casino.games.royal_casino.paytables import PAYTABLES
from casino.games.seven_cards import Strengths, rank_counts
from casino.refusal import Refused
from tests.casino.games.royal_casino.hand import GAME

FACTS = Path(__file__).parents[3] / "facts"
MAIN = json.loads((FACTS / "royal-casino.main.json").read_text())
BONUS = json.loads((FACTS / "royal-casino.bonus.json").read_text())
PAYS = PAYTABLES["regulation"]
TABLE = outcomes.shipped()
REPORT = GAME.paytable_report("regulation")


def test_the_edges_are_those_printed_in_the_rules():
    rows = {row.wager: row for row in GAME.odds("regulation")}
    assert rows["main"].house_edge == Fraction(50643648973, 2317817502000)
    assert rows["bonus"].house_edge == Fraction(233985, 6689228)
    assert not any(row.player_advantage for row in rows.values())


def test_the_main_game_has_the_variance_reckoned_elsewhere():
    assert odds.main(PAYS.blind, TABLE).variance == Fraction(MAIN["variance"])


def test_the_table_holds_every_deal():
    assert sum(cell.weight for cell in TABLE.cells()) == outcomes.TOTAL == MAIN["total_weight"] == 27_813_810_024_000


def test_each_action_ends_each_way_as_often_as_enumerated_elsewhere():
    short = {"win_qualified": "win_q", "win": "win_nq", "tie": "tie", "lose_qualified": "lose_q", "lose": "lose_nq"}
    found = Counter()
    for cell in TABLE.cells():
        times = cell.action.removeprefix("raise_")
        found[times if times == "fold" else f"{times}_{short[cell.result]}"] += cell.weight
    assert found == {name: row["weight"] for name, row in MAIN["result_by_action"].items()}


def test_the_hands_meet_the_bank_as_often_as_enumerated_elsewhere_folds_counted_in():
    names = {
        "win_qualified": "win_dealer_qualified",
        "win": "win_dealer_not_qualified",
        "tie": "tie",
        "lose_qualified": "lose_dealer_qualified",
        "lose": "lose_dealer_not_qualified",
    }
    found = {rank: Counter(dict.fromkeys(names.values(), 0)) for rank in HAND_RANKS[1:]}
    for cell in TABLE.cells():
        found[cell.rank][names[cell.result]] += cell.weight
    scale = MAIN["total_weight"] // MAIN["showdown_total"]
    wanted = MAIN["showdown_by_player_category"]
    assert found == {rank: {name: scale * n for name, n in row.items()} for rank, row in wanted.items()}


def test_the_net_results_are_distributed_as_enumerated_elsewhere():
    wanted = {net: Fraction(row["weight"], outcomes.TOTAL) for net, row in MAIN["net_distribution"].items()}
    assert {net: Fraction(chance) for net, chance in REPORT["main"]["net_distribution"].items()} == wanted


def test_components_actions_stakes_and_covariance_are_those_reckoned_elsewhere():
    main = REPORT["main"]
    assert main["components"] == {part: row["fraction"] for part, row in MAIN["components"].items()}
    assert main["actions"] == {action: row["fraction"] for action, row in MAIN["action"].items()}
    assert main["average_total_wager"] == MAIN["average_total_wager"]
    assert main["covariance_with_bonus"] == MAIN["cov_main_trips_T3"]["fraction"]


def test_a_player_who_always_raises_fares_as_reckoned_elsewhere():
    """The same table, its actions put aside: the outcomes of a fold stand in it too."""
    wanted = MAIN["fixed_policies"]["always_4x"]
    found = Counter()
    for cell in TABLE.cells():
        found[cell.rank, cell.result] += cell.weight
    rows = {rank: tuple(found[rank, result] for result in outcomes.RESULTS) for rank in HAND_RANKS[1:]}
    always = outcomes.Table((), {"all": {"raise_4x": rows}})
    assert -odds.main(PAYS.blind, always).house_edge == Fraction(wanted["ev"])


@pytest.mark.parametrize("name", ["T1", "T2", "T3_french_regulation", "T4"])
def test_bonus_tables_have_the_edges_reckoned_elsewhere(name):
    facts = BONUS[name]
    pays = {rank: Fraction(value) for rank, value in facts["pays"].items()}
    found = odds.bonus(pays, odds.seven_card_ranks(TABLE))
    assert found.house_edge == Fraction(facts["house_edge"])
    assert found.variance == Fraction(facts["variance"])
    assert found.win_probability == Fraction(facts["hit_rate"])


def test_the_seven_card_hands_in_the_table_are_those_counted_afresh():
    assert odds.seven_card_ranks(TABLE) == rank_counts(Strengths()) == REPORT["hand_ranks"]


def test_a_richer_blind_table_costs_the_house_what_its_chance_says():
    """One ante more for a flush is worth the chance that a flush wins: the play stays the same."""
    richer = {**PAYS.blind, "flush": Fraction(5, 2)}
    gained = odds.main(PAYS.blind, TABLE).house_edge - odds.main(richer, TABLE).house_edge
    assert gained == Fraction(MAIN["blind_paid_prob"]["flush"]["weight"], outcomes.TOTAL)


def test_a_report_is_plain_data_with_exact_fractions():
    assert json.loads(json.dumps(REPORT)) == REPORT
    assert [row["wager"] for row in REPORT["wagers"]] == ["main", "bonus"]
    assert REPORT["wagers"][0]["pays"]["flush"] == "3/2"
    assert REPORT["hands"] == 133_784_560


def test_an_unknown_paytable_is_refused():
    for ask in (GAME.odds, GAME.paytable_report):
        with pytest.raises(Refused) as refused:
            ask("generous")
        assert refused.value.code == "unknown_paytable"
