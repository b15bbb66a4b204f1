from collections import Counter

import pytest

from casino.games.cards import DECK_54
from casino.games.fifty_four_card_roulette.layout import layout
from casino.refusal import Refused

STANDARD = layout("standard")
CARDS_OF = {"straight_up": 1, "split": 2, "street": 3, "corner": 4, "rank": 4, "split_rank": 8, "suit": 13,
            "ace_face": 16, "colour": 26}  # fmt: skip
SPOTS_OF = {"straight_up": 54, "split": 92, "street": 2, "corner": 36, "rank": 13, "split_rank": 12, "suit": 4,
            "ace_face": 1, "colour": 2}  # fmt: skip


def covered(code):
    return STANDARD.spots[code].cards


def test_the_layout_has_the_spots_of_the_rules_and_no_others():
    assert Counter(spot.bet for spot in STANDARD.spots.values()) == SPOTS_OF


def test_every_spot_covers_as_many_cards_of_the_deck_as_its_bet_says():
    for spot in STANDARD.spots.values():
        assert len(spot.cards) == CARDS_OF[spot.bet], spot.code
        assert spot.cards <= set(DECK_54)


def test_no_two_spots_of_a_bet_cover_the_same_cards():
    assert len({(spot.bet, spot.cards) for spot in STANDARD.spots.values()}) == len(STANDARD.spots)


def test_the_order_of_the_layout_is_that_of_the_deck():
    assert STANDARD.order == DECK_54


@pytest.mark.parametrize(
    ("card", "neighbours"),
    [
        ("X1", "X2 As Ah"),  # two aces and the other joker
        ("X2", "X1 Ad Ac"),
        ("As", "X1 Ah Ks"),
        ("Ad", "X2 Ah Ac Kd"),
        ("9h", "Th 9s 9d 8h"),  # in the field, four
        ("2s", "3s 2h"),  # in the lower corner, two: ranks don't wrap
        ("2c", "3c 2d"),
        ("7c", "8c 7d 6c"),
    ],
)
def test_a_card_touches_its_neighbours_and_nothing_else(card, neighbours):
    assert STANDARD.neighbours(card) == tuple(neighbours.split())
    splits = {frozenset((card, other)) for other in neighbours.split()}
    assert splits == {spot.cards for spot in STANDARD.spots.values() if spot.bet == "split" and card in spot.cards}


def test_no_joker_is_in_a_corner_a_rank_a_suit_a_colour_or_the_ace_face():
    jokers = {spot.bet for spot in STANDARD.spots.values() if spot.cards & {"X1", "X2"}}
    assert jokers == {"straight_up", "split", "street"}


def test_every_corner_is_two_ranks_of_two_suits_that_split_four_ways():
    splits = {spot.cards for spot in STANDARD.spots.values() if spot.bet == "split"}
    for spot in STANDARD.spots.values():
        if spot.bet == "corner":
            assert sum(split <= spot.cards for split in splits) == 4, spot.code


def test_the_sets_cover_what_their_names_say():
    assert covered("rank:K") == {"Ks", "Kh", "Kd", "Kc"}
    assert covered("split_rank:3+2") == covered("rank:3") | covered("rank:2")
    assert covered("colour:red") == covered("suit:h") | covered("suit:d")
    assert covered("colour:black") == covered("suit:s") | covered("suit:c")
    assert covered("ace_face") == covered("split_rank:A+K") | covered("split_rank:Q+J")


def test_a_layout_of_another_name_is_refused():
    with pytest.raises(Refused, match="choose from standard") as refused:
        layout("upside_down")
    assert refused.value.code == "unknown_layout"
