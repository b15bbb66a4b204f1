"""Every game has its examples; each game's own tests play them."""

import pytest

from casino.games import load_games
from tests.casino.games.examples import examples


@pytest.mark.parametrize("game", list(load_games().values()), ids=lambda game: game.code)
def test_a_game_shows_worked_rounds_in_three_columns(game):
    rows = [param.values for param in examples(game)]
    assert len(rows) > 20
    assert all(len(row) == 3 for row in rows)
