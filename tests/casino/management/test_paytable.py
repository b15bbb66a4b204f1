import io
import json

import pytest
from django.core.management import CommandError, call_command

from casino.games import game

GAME = game("54-card-roulette")


def paytable(*arguments):
    out = io.StringIO()
    call_command("paytable", *arguments, stdout=out)
    return out.getvalue()


def test_the_json_is_the_report_of_the_game():
    assert json.loads(paytable("54-card-roulette", "--json")) == GAME.paytable_report("printed")


def test_the_table_shows_every_wager_and_says_the_players_advantage_in_words():
    table = paytable("54-card-roulette", "--paytable", "printed")
    for row in GAME.odds("printed"):
        begins = [row.wager, f"{row.pays.numerator:,}", "to"]
        (line,) = [line for line in table.splitlines() if line.split()[:3] == begins]
        assert f"{row.house_edge.numerator}/{row.house_edge.denominator}" in line
        assert ("PLAYER ADVANTAGE" in line) is (row.wager == "split_rank")
    assert "PLAYER ADVANTAGE: split_rank pays more than it takes; the player gains 3.7037 % of the stake." in table
    assert "straight_flush 10 % of the meter; q = 4/58565" in table
    assert "3,162,510" in table


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["baccarat"], "There is no game 'baccarat'"),
        (["54-card-roulette", "--paytable", "generous"], "There is no paytable 'generous'; choose from printed"),
        (
            ["royal-casino", "--paytable", "generous"],
            "no paytable 'generous'; choose from regulation, bonus_9_7_4, bonus_8_6_5, bonus_quads_20",
        ),
    ],
)
def test_an_unknown_name_is_said_in_a_sentence_with_exit_status_two(arguments, words):
    with pytest.raises(CommandError, match=words) as error:
        paytable(*arguments)
    assert error.value.returncode == 2


def test_wagers_that_pay_by_a_table_show_it_and_what_else_is_known_of_them():
    text = paytable("royal-casino")
    lines = [line.split() for line in text.splitlines()]
    assert ["main", "by", "table", "215880917699/463563500400"] in [line[:4] for line in lines]
    assert ["flush", "3/2", "to", "1"] in lines
    assert ["three_of_a_kind", "3", "to", "1"] in lines
    assert ["fold", "224543101/1170614900", "0.1918163702"] in lines
    assert "133,784,560" in text
    assert json.loads(paytable("royal-casino", "--json")) == game("royal-casino").paytable_report("regulation")


@pytest.mark.parametrize(
    ("name", "edge"),
    [("bonus_9_7_4", "301629/33446140"), ("bonus_8_6_5", "48987/2572780"), ("bonus_quads_20", "22717/367540")],
)
def test_every_paytable_of_a_game_can_be_asked_for(name, edge):
    report = json.loads(paytable("royal-casino", "--paytable", name, "--json"))
    bonus = next(row for row in report["wagers"] if row["wager"] == "bonus")
    main = next(row for row in report["wagers"] if row["wager"] == "main")
    assert (report["paytable"], bonus["house_edge"], main["house_edge"]) == (name, edge, "50643648973/2317817502000")
