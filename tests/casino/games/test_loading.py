import subprocess
import sys
from pathlib import Path

import pytest

from casino.games import game, load_games
from casino.refusal import Refused

HERE = Path(__file__).parents[3]


def test_every_sub_folder_is_a_game_under_its_code():
    folders = {path.parent.name for path in (HERE / "casino" / "games").glob("*/__init__.py")}
    assert {type(found).__module__.split(".")[2] for found in load_games().values()} == folders
    assert all(found.code == code for code, found in load_games().items())


def test_the_scan_is_made_once():
    assert load_games() is load_games()


def test_a_further_game_is_one_folder_and_may_use_the_shared_modules(tmp_path):
    folder = tmp_path / "high_card_duel"
    folder.mkdir()
    (folder / "__init__.py").write_text(
        "from casino.games.cards import DECK_52\n"
        "class Duel:\n    code, name, deck = 'high-card-duel', 'High Card Duel', DECK_52\n"
        "GAME = Duel()\n"
    )
    games = load_games(str(tmp_path))
    assert games["high-card-duel"].name == "High Card Duel"
    assert set(load_games()) == set(games) - {"high-card-duel"}


def test_two_games_of_one_code_do_not_load(tmp_path):
    folder = tmp_path / "a_copy_of_roulette"
    folder.mkdir()
    (folder / "__init__.py").write_text("from casino.games.fifty_four_card_roulette import GAME\n")
    with pytest.raises(ValueError, match="Two games have the code '54-card-roulette'"):
        load_games(str(tmp_path))


@pytest.mark.parametrize("code", ["", "54-Card-Roulette", "54-card-roulette ", "baccarat", None, 54, ["roulette"]])
def test_an_unknown_code_is_refused_and_the_games_are_named(code):
    with pytest.raises(Refused, match="54-card-roulette") as refused:
        game(code)
    assert refused.value.code == "unknown_game"


def test_the_games_import_no_framework():
    check = "import sys, casino.games as games; games.load_games(); print({'django', 'celery'} & set(sys.modules))"
    shown = subprocess.run([sys.executable, "-c", check], cwd=HERE, capture_output=True, text=True, check=True)
    assert shown.stdout.strip() == "set()"
