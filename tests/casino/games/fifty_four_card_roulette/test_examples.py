"""Plays every row of the game's `examples.txt`."""

import re

import pytest

from casino.games import game
from casino.games.game import CardEntry, Felt, Placed, Setup
from tests.casino.games.examples import after, examples, expected

GAME = game("54-card-roulette")


def play(cards):
    """The felt and set-up of a round whose Roulette Card stands in brackets."""
    names = re.sub(r"[][]", "", cards).split()
    position = next(n for n, card in enumerate(cards.split(), start=1) if card.startswith("["))
    method = {1: "first_card", 2: "second_card"}.get(position, "drawn_position")
    setup = Setup(GAME.paytables[0], GAME.layouts[0], method)
    felt = after(Felt(), GAME.record_cards(Felt(), setup, [CardEntry(name) for name in names]))
    if method == "drawn_position":
        felt = after(felt, GAME.draw(felt, setup, position))
    return felt, setup


def returned(bets, felt, setup):
    """Wager → cents that go back, or the rank at which a side bet wins; nothing of the wagers lost."""
    texts = dict(bet.split("=") for bet in bets.split())
    codes = [GAME.wager(text, setup).code for text in texts]
    placed = [Placed(n, 1, code, int(texts[text])) for n, (text, code) in enumerate(zip(texts, codes, strict=True), 1)]
    lines = [line for phase in GAME.decided(felt, setup) for line in GAME.settle(phase, placed, felt, setup)]
    found = {list(texts)[line.number - 1]: str(line.returned_cents) for line in lines if line.returned_cents}
    for bet in set(GAME.side_bets) & set(texts):
        for win in GAME.side_bet_wins(bet, [1], felt, setup):
            found[bet] = win.rank
    return found


@pytest.mark.parametrize(("bets", "cards", "returns"), list(examples(GAME)))
def test_an_example_returns_what_the_table_says(bets, cards, returns):
    felt, setup = play(cards)
    assert returned(bets, felt, setup) == expected(returns)


def test_the_examples_show_every_bet_on_offer():
    setup = Setup(GAME.paytables[0], GAME.layouts[0], GAME.methods[0])
    bets = [bet.split("=")[0] for param in examples(GAME) for bet in param.values[0].split()]
    shown = {GAME.wager(bet, setup).bet for bet in bets}
    assert {row.wager for row in GAME.odds(GAME.paytables[0])} | set(GAME.side_bets) == shown
