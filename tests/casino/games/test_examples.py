"""Plays every `examples.txt` of every game: worked rounds in a table that a dealer can check."""

import re
from pathlib import Path

import pytest

import casino.games
from casino.games import load_games
from casino.games.game import CardEntry, Felt, Placed, Setup


def examples():
    for code, game in load_games().items():
        table = Path(casino.games.__file__).parent / type(game).__module__.split(".")[2] / "examples.txt"
        for number, text in enumerate(table.read_text(encoding="utf-8").splitlines(), start=1):
            row = text.split("#")[0]
            if row.strip():
                yield pytest.param(game, *(cell.strip() for cell in row.split("|")), id=f"{code}:{number}")


def play(game, cards):
    """The felt and set-up of a round whose Roulette Card stands in brackets."""
    names = re.sub(r"[][]", "", cards).split()
    position = next(n for n, card in enumerate(cards.split(), start=1) if card.startswith("["))
    method = {1: "first_card", 2: "second_card"}.get(position, "drawn_position")
    setup, felt = Setup(game.paytables[0], game.layouts[0], method), Felt()
    facts = game.record_cards(felt, setup, [CardEntry(name) for name in names])
    for fact in facts:
        felt = felt.after(fact)
    if method == "drawn_position":
        for fact in game.draw(felt, setup, position):
            felt = felt.after(fact)
    return felt, setup


def returned(game, bets, felt, setup):
    """Wager → cents that go back, or the rank at which a side bet wins; nothing of the wagers lost."""
    texts = dict(bet.split("=") for bet in bets.split())
    codes = [game.wager(text, setup).code for text in texts]
    placed = [Placed(n, 1, code, int(texts[text])) for n, (text, code) in enumerate(zip(texts, codes, strict=True), 1)]
    lines = [line for phase in game.decided(felt, setup) for line in game.settle(phase, placed, felt, setup)]
    found = {list(texts)[line.number - 1]: str(line.returned_cents) for line in lines if line.returned_cents}
    for bet in set(game.side_bets) & set(texts):
        for win in game.side_bet_wins(bet, [1], felt, setup):
            found[bet] = win.rank
    return found


@pytest.mark.parametrize(("game", "bets", "cards", "returns"), list(examples()))
def test_an_example_returns_what_the_table_says(game, bets, cards, returns):
    felt, setup = play(game, cards)
    expected = {} if returns == "nothing" else dict(part.split("=") for part in returns.split())
    assert returned(game, bets, felt, setup) == expected


@pytest.mark.parametrize("game", list(load_games().values()), ids=lambda game: game.code)
def test_the_examples_of_a_game_show_every_bet_it_offers(game):
    setup = Setup(game.paytables[0], game.layouts[0], game.methods[0])
    played = [param.values for param in examples() if param.values[0] is game]
    shown = {game.wager(bet.split("=")[0], setup).bet for _, bets, _, _ in played for bet in bets.split()}
    assert {row.wager for row in game.odds(game.paytables[0])} | set(game.side_bets) == shown
