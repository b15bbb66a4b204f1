import csv
import random
from collections import Counter
from itertools import combinations, combinations_with_replacement
from pathlib import Path

import numpy as np
import pytest

from casino.games.cards import DECK_52, DECK_54, JOKERS
from casino.games.enumeration import Ranking, every_hand
from casino.games.poker import HAND_RANKS, best_of, rank_of, value_of

FACTS = Path(__file__).parents[2] / "facts"
CHECKED_HANDS = list(csv.DictReader((FACTS / "five-card-hands.csv").read_text(encoding="utf-8").splitlines()))
SHOWDOWNS = list(csv.DictReader((FACTS / "showdowns.csv").read_text(encoding="utf-8").splitlines()))

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


# ------------------------------------------------------------------------------------------------- to the last kicker


def by_subsets(cards):
    """A second evaluator, by other means: all five-card subsets, each read by its sorted numbers alone."""
    return max(natural_value(five) for five in combinations(cards, 5))


def natural_value(five):
    numbers = sorted((ORDER.index(card[0]) for card in five), reverse=True)
    grouped = [number for _, number in sorted(((numbers.count(n), n) for n in numbers), reverse=True)]
    wheel = numbers == [12, 3, 2, 1, 0]
    return -HAND_RANKS.index(natural_rank(five)), [3, 2, 1, 0, -1] if wheel else grouped


@pytest.mark.parametrize("row", SHOWDOWNS, ids=lambda row: row["id"])
def test_a_showdown_checked_by_hand_is_won_by_whom_it_should_be(row):
    player, bank = (best_of([*row[hand].split(), *row["board"].split()]).value for hand in ("player", "bank"))
    winner = "tie" if player == bank else "player" if player > bank else "bank"
    assert (winner, player.name, bank.name) == (row["winner"], row["player_rank"], row["bank_rank"]), row["note"]


@pytest.mark.parametrize("deck", [DECK_52, DECK_52[:24], DECK_52[::2]], ids=["whole", "high cards", "two suits"])
def test_random_showdowns_end_as_by_all_subsets(deck):
    """Short decks bring out full houses, quads and ties, which are rare in a whole one."""
    shoe = random.Random(52)
    for _ in range(700):
        cards = shoe.sample(deck, 9)
        one, other = cards[:7], cards[2:]
        ours, theirs = best_of(one).value, best_of(other).value
        assert (ours > theirs) - (ours < theirs) == (by_subsets(one) > by_subsets(other)) - (
            by_subsets(one) < by_subsets(other)
        ), cards
        assert ours.name == natural_rank(best_of(one).cards)
        assert natural_value(best_of(one).cards) == by_subsets(one)


@pytest.mark.parametrize(
    ("cards", "read"),
    [
        ("2h Kd 2s Ah Kc 9d 3s", "Kd Kc 2h 2s Ah"),
        ("As 5d 4h 3c 2s Kd Kc", "5d 4h 3c 2s As"),
        ("2h 2d 2s Kh Kd Ks 9c", "Kh Kd Ks 2h 2d"),
        ("9h 8h 7h 6h 5h Ah Kh", "9h 8h 7h 6h 5h"),
    ],
)
def test_the_best_five_stand_as_they_are_read(cards, read):
    assert [card[0] for card in best_of(cards.split()).cards] == [card[0] for card in read.split()]


def test_the_value_of_five_cards_does_not_depend_on_their_suits_or_order():
    assert value_of(["As", "Kd", "9h", "4c", "2s"]) == value_of(["2h", "4d", "9s", "Kc", "Ad"])
    assert value_of(["As", "2d", "3h", "4c", "5s"]) < value_of(["6s", "2d", "3h", "4c", "5s"])


@pytest.mark.parametrize("hand", [["X1", "As", "Kd", "9h", "4c"], ["As"] * 5, ["As", "Kd", "9h", "4c"]])
def test_what_is_not_five_different_cards_of_52_has_no_value(hand):
    with pytest.raises(ValueError, match=r"five different|52 cards"):
        value_of(hand)


@pytest.mark.parametrize("hand", [["As", "Kd", "9h", "4c"], ["As", "Kd", "9h", "4c", "2s", "As"]])
def test_too_few_cards_or_one_twice_have_no_best_five(hand):
    with pytest.raises(ValueError):
        best_of(hand)
