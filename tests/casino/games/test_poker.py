import csv
import random
from collections import Counter
from itertools import combinations, combinations_with_replacement
from pathlib import Path

import numpy as np
import pytest

from casino.games.cards import DECK_52, DECK_54, JOKERS
from casino.games.enumeration import Ranking, every_hand
from casino.games.poker import HAND_RANKS, rank_of

with (Path(__file__).parents[2] / "facts" / "five-card-hands.csv").open(encoding="utf-8") as table:
    CHECKED_HANDS = list(csv.DictReader(table))

ORDER = "23456789TJQKA"


def by_substitution(hand):
    """A second evaluator, by other means: every joker becomes each card of the deck, and the best hand counts."""
    naturals = [card for card in hand if card not in JOKERS]
    fillings = combinations_with_replacement(DECK_52, 5 - len(naturals))
    return min((natural_rank([*naturals, *filling]) for filling in fillings), key=HAND_RANKS.index)


def natural_rank(cards):
    """The rank of five cards without jokers, of which some may be equal."""
    numbers = sorted(ORDER.index(card[0]) for card in cards)
    kinds = sorted(Counter(numbers).values(), reverse=True)
    flush = len({card[1] for card in cards}) == 1
    straight = kinds == [1] * 5 and (numbers[4] - numbers[0] == 4 or numbers == [0, 1, 2, 3, 12])
    if kinds == [5]:
        return "five_of_a_kind"
    if straight and flush:
        return "royal_flush" if numbers[0] == ORDER.index("T") else "straight_flush"
    if kinds[0] == 4:
        return "four_of_a_kind"
    if kinds == [3, 2]:
        return "full_house"
    if flush or straight:
        return "flush" if flush else "straight"
    return {3: "three_of_a_kind", 2: "two_pair" if kinds[1:2] == [2] else "one_pair"}.get(kinds[0], "high_card")


def some_hands(jokers, number, seed):
    shoe = random.Random(seed)
    return [[*JOKERS[:jokers], *shoe.sample(DECK_52, 5 - jokers)] for _ in range(number)]


@pytest.mark.parametrize("row", CHECKED_HANDS, ids=lambda row: row["id"])
def test_a_hand_checked_by_hand_reads_as_it_should(row):
    assert rank_of(row["cards"].split()) == row["expected"], row["note"]


@pytest.mark.parametrize(("jokers", "number"), [(0, 3000), (1, 1200), (2, 120)])
def test_hands_at_random_read_as_when_every_joker_is_tried_as_every_card(jokers, number):
    for hand in some_hands(jokers, number, seed=54):
        assert rank_of(hand) == by_substitution(hand), hand


@pytest.mark.parametrize("ranks", ["AKQ", "AKT", "KQ9", "A25", "A56", "246", "555", "559", "277", "A23"])
@pytest.mark.parametrize("suits", ["sss", "ssh", "shd"])
def test_two_jokers_beside_three_telling_cards_read_as_by_substitution(ranks, suits):
    cards = [rank + suit for rank, suit in zip(ranks, suits, strict=True)]
    if len(set(cards)) == 3:
        assert rank_of([*cards, *JOKERS]) == by_substitution([*cards, *JOKERS])


def test_the_order_of_the_cards_does_not_matter():
    shoe = random.Random(5)
    for hand in some_hands(1, 200, seed=6):
        assert rank_of(shoe.sample(hand, 5)) == rank_of(hand)


@pytest.mark.parametrize("jokers", [0, 1, 2])
def test_the_ranking_of_many_hands_at_once_agrees_with_the_ranking_of_one(jokers):
    hands = some_hands(jokers, 4000, seed=7)
    indices = np.array([[DECK_54.index(card) for card in hand] for hand in hands], dtype=np.uint8)
    assert [HAND_RANKS[rank] for rank in Ranking(DECK_54)(indices)] == [rank_of(hand) for hand in hands]


def test_every_hand_of_a_small_deck_comes_once():
    hands = [tuple(int(card) for card in hand) for chunk in every_hand(9) for hand in chunk]
    assert hands == list(combinations(range(9), 5))


@pytest.mark.parametrize("hand", [[], ["As"] * 5, ["As", "Kd", "9h", "4c"], ["As", "Kd", "9h", "4c", "2s", "3s"]])
def test_anything_but_five_different_cards_is_no_hand(hand):
    with pytest.raises(ValueError, match="five different cards"):
        rank_of(hand)
