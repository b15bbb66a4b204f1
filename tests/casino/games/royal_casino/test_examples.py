"""Plays every row of the game's `examples.txt`, card by card and decision by decision, by either way of dealing."""

import pytest

from tests.casino.games.examples import examples, expected
from tests.casino.games.royal_casino.hand import GAME, Hand


@pytest.mark.parametrize("method", GAME.methods)
@pytest.mark.parametrize(("bets", "cards", "returns"), list(examples(GAME)))
def test_an_example_returns_what_the_table_says(bets, cards, returns, method):
    *stakes, action = bets.split()
    player, bank, board = (cards.split() for cards in cards.split("/"))
    hand = Hand({3: {bet: int(cents) for bet, cents in (stake.split("=") for stake in stakes)}}, method)
    hand.deal({3: player}, bank, board)
    hand.act(3, action)
    back = {line.wager: str(line.returned_cents) for line in hand.settle() if line.returned_cents}
    if "progressive" in bets:
        won = GAME.side_bet_wins("progressive", [3], hand.felt, hand.setup)
        if won:
            back["progressive"] = str(GAME.tiers("tiered")[won[0].rank])
    assert back == expected(returns)


def test_the_examples_show_every_rank_that_blind_and_bonus_pay():
    notes = {(param.values[0].split()[-1], param.values[2]) for param in examples(GAME)}
    assert {action for action, _ in notes} == {"4x", "3x", "2x", "1x", "fold"}
    returned = " ".join(returns for _, returns in notes)
    for blind in (2000, 2500, 4000, 11_000, 51_000, 501_000):
        assert f"blind={blind}" in returned
    for bonus in (2000, 500, 4000, 4500, 3100, 4100, 25_500):
        assert f"bonus={bonus}" in returned
