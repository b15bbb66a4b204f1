import json
import random
from pathlib import Path

import numpy as np
import pytest

from casino.games.cards import DECK_52, RANKS, SUITS
from casino.games.poker import HAND_RANKS, best_of
from casino.games.seven_cards import NO_FLUSH, RANK_OF_CARD, Strengths, rank_counts

FACTS = Path(__file__).parents[2] / "facts"


@pytest.fixture(scope="module")
def strengths():
    return Strengths()


def strength_of(strengths, cards):
    """The strength of seven cards by the tables, one hand at a time."""
    ranks = np.array([[RANKS.index(card[0]) for card in cards]])
    unsuited = int(strengths.unsuited[strengths.place_of_five(ranks[:, :5])[0], ranks[0, 5], ranks[0, 6]])
    suited = [sum(1 << RANKS.index(card[0]) for card in cards if card[1] == suit) for suit in SUITS]
    return max(unsuited, *(int(strengths.flush[bits]) for bits in suited))


def test_there_are_7462_strengths_and_equal_ones_tie(strengths):
    assert len(strengths.values) == 7462
    assert strengths.values == sorted(set(strengths.values))


@pytest.mark.parametrize("deck", [DECK_52, DECK_52[:28], DECK_52[::2]], ids=["whole", "high cards", "two suits"])
def test_the_tables_agree_with_the_best_five_of_seven(strengths, deck):
    shoe = random.Random(7)
    for _ in range(800):
        cards = shoe.sample(deck, 7)
        strength = strength_of(strengths, cards)
        assert strengths.values[strength] == best_of(cards).value, cards
        assert HAND_RANKS[strengths.rank[strength]] == best_of(cards).value.name


def test_the_weakest_pair_is_the_first_that_is_no_high_card(strengths):
    assert strengths.values[strengths.weakest_pair].name == "one_pair"
    assert strengths.values[strengths.weakest_pair - 1].name == "high_card"


def test_four_of_a_suit_are_no_flush(strengths):
    assert strengths.flush[0b1111] == NO_FLUSH
    assert strengths.values[strengths.flush[0b11111]].name == "royal_flush"
    assert len(RANK_OF_CARD) == 52


def test_the_hands_of_seven_cards_count_as_enumerated_and_reckoned_elsewhere(strengths):
    facts = json.loads((FACTS / "royal-casino.ranks7.json").read_text())
    assert rank_counts(strengths) == facts["counts"]
    assert sum(rank_counts(strengths).values()) == facts["total"] == 133_784_560
