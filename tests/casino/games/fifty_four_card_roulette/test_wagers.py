from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from casino.games import game
from casino.games.fifty_four_card_roulette.layout import layout
from casino.games.fifty_four_card_roulette.paytables import POKER
from casino.games.game import Setup
from casino.refusal import Refused

GAME = game("54-card-roulette")
SETUP = Setup("printed", "standard", "second_card")
SPOTS = layout("standard").spots
ALL_CODES = (*SPOTS, *POKER, "progressive")


def read(text):
    return GAME.wager(text, SETUP)


@pytest.mark.parametrize("bet", ["split", "street", "corner", "split_rank"])
def test_a_wager_may_name_its_cards_in_any_order_and_is_stored_in_one(bet):
    for spot in SPOTS.values():
        if spot.bet == bet:
            texts = {f"{bet}:{'+'.join(parts)}" for parts in permutations(spot.parts)}
            assert {read(text).code for text in texts} == {spot.code}


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("split:Ks+As", "split:As+Ks"),
        ("split:X2+X1", "split:X1+X2"),
        ("street:Ah+X1+As", "street:X1+As+Ah"),
        ("corner:Kh+Ks+Ah+As", "corner:As+Ah+Ks+Kh"),
        ("split_rank:K+A", "split_rank:A+K"),
    ],
)
def test_the_one_order_is_that_of_the_layout(text, code):
    assert read(text).code == code


@pytest.mark.parametrize(
    ("text", "bet", "phase", "pays"),
    [
        ("straight_up:X1", "straight_up", "roulette", 50),
        ("split:As+Ks", "split", "roulette", 25),
        ("street:X2+Ad+Ac", "street", "roulette", 16),
        ("corner:As+Ah+Ks+Kh", "corner", "roulette", 12),
        ("rank:K", "rank", "roulette", 12),
        ("split_rank:A+K", "split_rank", "roulette", 6),
        ("suit:s", "suit", "roulette", 3),
        ("ace_face", "ace_face", "roulette", 2),
        ("colour:red", "colour", "roulette", 1),
        ("five_of_a_kind", "five_of_a_kind", "poker", 32_000),
        ("royal_flush", "royal_flush", "poker", 30_000),
        ("straight_flush", "straight_flush", "poker", 4_800),
        ("four_of_a_kind", "four_of_a_kind", "poker", 275),
        ("flush", "flush", "poker", 225),
        ("straight", "straight", "poker", 50),
        ("three_of_a_kind", "three_of_a_kind", "poker", 10),
        ("progressive", "progressive", "progressive", None),
    ],
)
def test_a_wager_pays_what_the_sheet_prints(text, bet, phase, pays):
    wager = read(text)
    assert (wager.bet, wager.phase, wager.pays) == (bet, phase, pays)


REFUSALS = [
    ("full_house", "unknown_wager", "the wagers are straight_up"),
    ("two_pair", "unknown_wager", "'two_pair'"),
    ("color:red", "unknown_wager", "'color:red'"),
    ("Straight_up:As", "unknown_wager", "'Straight_up:As'"),
    ("", "unknown_wager", "''"),
    (" ace_face", "unknown_wager", "' ace_face'"),
    ("ace_face\n", "unknown_wager", "ace_face"),
    ("ace_face:", "wager_names_nothing", "write it without ':'"),
    ("royal_flush:As", "wager_names_nothing", "write it without ':As'"),
    ("progressive:1", "wager_names_nothing", "write it without ':1'"),
    ("straight_up", "wrong_number_of_cards", "names 1 card; this one names 0"),
    ("straight_up:As+Ks", "wrong_number_of_cards", "names 1 card; this one names 2"),
    ("split:As", "wrong_number_of_cards", "names 2 cards; this one names 1"),
    ("street:X1+As", "wrong_number_of_cards", "names 3 cards"),
    ("corner:As+Ah+Ks+Kh+", "wrong_number_of_cards", "names 4 cards; this one names 5"),
    ("rank:A+K", "wrong_number_of_ranks", "names 1 rank; this one names 2"),
    ("split_rank:A", "wrong_number_of_ranks", "names 2 ranks"),
    ("suit:s+h", "wrong_number_of_suits", "names 1 suit"),
    ("colour", "wrong_number_of_colours", "names 1 colour; this one names 0"),
    ("straight_up:", "unknown_card", "There is no card ''"),
    ("straight_up:10h", "unknown_card", "There is no card '10h'"),
    ("straight_up:X3", "unknown_card", "There is no card 'X3'"),
    ("straight_up: As", "unknown_card", "' As'"),
    ("straight_up:as", "unknown_card", "'as'"),
    ("straight_up:Аs", "unknown_card", "write a card like As"),  # a Cyrillic А
    ("split:As+", "unknown_card", "''"),
    ("split:As,Ks", "wrong_number_of_cards", "this one names 1"),
    ("rank:X", "unknown_rank", "a joker has none"),
    ("rank:10", "unknown_rank", "'10'"),
    ("rank:1", "unknown_rank", "'1'"),
    ("suit:spades", "unknown_suit", "the suits are s h d c"),
    ("suit:S", "unknown_suit", "'S'"),
    ("colour:green", "unknown_colour", "red and black"),
    ("colour:Red", "unknown_colour", "'Red'"),
    ("split:As+As", "same_card_twice", "As is there twice"),
    ("corner:As+Ah+As+Kh", "same_card_twice", "As is there twice"),
    ("split_rank:A+A", "same_rank_twice", "A is there twice"),
    ("split:As+Qs", "cards_do_not_touch", "As and Qs do not touch; As touches X1, Ah and Ks."),
    ("split:As+Kh", "cards_do_not_touch", "As and Kh do not touch"),  # corner to corner is no touch
    ("split:As+Ac", "cards_do_not_touch", "do not touch"),  # the columns don't wrap
    ("split:2s+As", "cards_do_not_touch", "do not touch"),  # nor do the rows
    ("split:X1+Ad", "cards_do_not_touch", "X1 touches X2, As and Ah."),
    ("split:X2+2c", "cards_do_not_touch", "do not touch"),
    ("street:X1+Ad+Ac", "cards_do_not_touch", "X1 does not touch both aces of X1, Ad and Ac"),
    ("street:X1+Ah+Ad", "cards_do_not_touch", "a street is X1+As+Ah or X2+Ad+Ac"),
    ("street:As+Ah+Ad", "not_a_street", "As, Ah and Ad are not one joker"),
    ("street:X1+X2+As", "not_a_street", "not one joker"),
    ("street:X1+As+Ks", "not_a_street", "not one joker and the two aces"),
    ("corner:X1+X2+As+Ah", "joker_in_a_corner", "take X1 and X2 out of X1, X2, As and Ah"),
    ("corner:X1+As+Ah+Ks", "joker_in_a_corner", "take X1 out of"),
    ("corner:As+Ah+Qs+Qh", "cards_do_not_touch", "As, Ah, Qs and Qh are not two by two touching cards"),
    ("corner:As+Ah+Ad+Ac", "cards_do_not_touch", "two by two"),
    ("corner:2s+2h+As+Ah", "cards_do_not_touch", "two by two"),
    ("split_rank:A+Q", "ranks_do_not_touch", "The ranks A and Q do not touch"),
    ("split_rank:2+A", "ranks_do_not_touch", "do not wrap"),
    (None, "unknown_wager", "null"),
    (7, "unknown_wager", "7"),
    (["ace_face"], "unknown_wager", "ace_face"),
]


@pytest.mark.parametrize(("text", "code", "words"), REFUSALS)
def test_a_wager_that_the_layout_does_not_offer_is_refused_with_the_reason(text, code, words):
    with pytest.raises(Refused) as refused:
        read(text)
    assert refused.value.code == code
    assert words in refused.value.message
    assert refused.value.message.endswith(".")


@given(st.text() | st.lists(st.sampled_from([*"AKQ2shdcX1+:,", "As", "Ks", "split:", "corner:", " "])).map("".join))
def test_any_other_text_is_refused_or_reads_as_a_wager_of_the_game(text):
    try:
        wager = read(text)
    except Refused:
        assert text not in ALL_CODES
    else:
        assert wager.code in ALL_CODES
        assert sorted(wager.code) == sorted(text)


@pytest.mark.parametrize("code", ALL_CODES)
def test_the_canonical_code_reads_as_itself(code):
    assert read(code).code == code


@pytest.mark.parametrize(
    ("setup", "code"),
    [
        (Setup("generous", "standard", "second_card"), "unknown_paytable"),
        (Setup("printed", "round", "x"), "unknown_layout"),
    ],
)
def test_a_set_up_that_the_game_does_not_know_is_refused(setup, code):
    with pytest.raises(Refused) as refused:
        GAME.wager("ace_face", setup)
    assert refused.value.code == code
