"""Who decides, in what order and for how much: PLAY 3 or 4 times the ANTE, twice, once, or a fold; one PLAY a hand."""

import pytest

from casino.games.game import CHECK, FOLD, RAISE
from casino.refusal import Refused
from tests.casino.games.royal_casino.hand import GAME, Hand

TWO = {2: {"ante": 500, "blind": 500}, 5: {"ante": 300, "blind": 300, "bonus": 100}}
CARDS = {2: ["As", "Kd"], 5: ["9h", "9d"]}
BANK, BOARD = ["Qc", "Jd"], ["2s", "3d", "7h", "8c", "Ts"]


@pytest.fixture(params=["hand", "automatic_shuffler"])
def hand(request):
    """Two seats with cards, everything dealt that the method deals before the first decision."""
    dealt = Hand(TWO, request.param)
    dealt.deal(CARDS, BANK, BOARD)
    return dealt


def turn(hand):
    return GAME.turn(hand.felt, hand.setup)


def code_of(hand, *decision):
    with pytest.raises(Refused) as refused:
        hand.decide(*decision)
    assert refused.value.message.endswith(".")
    return refused.value.code


def test_each_street_offers_its_own_stakes(hand):
    assert (turn(hand).seat, turn(hand).street, dict(turn(hand).actions)) == (
        2,
        "pre_flop",
        {"check": (), "raise": (1500, 2000)},
    )
    hand.decide(2, CHECK)
    hand.decide(5, CHECK)
    assert (turn(hand).street, turn(hand).actions["raise"]) == ("flop", (1000,))
    hand.decide(2, CHECK)
    hand.decide(5, CHECK)
    assert (turn(hand).street, dict(turn(hand).actions)) == ("river", {"fold": (), "raise": (500,)})


def test_who_has_put_play_down_decides_no_more(hand):
    hand.decide(2, RAISE, 2000)
    assert turn(hand).seat == 5
    assert code_of(hand, 2, RAISE, 1000) == "already_played"
    hand.decide(5, CHECK)
    assert (turn(hand).seat, turn(hand).street) == (5, "flop")
    hand.decide(5, RAISE, 600)
    assert turn(hand) is None
    assert code_of(hand, 5, FOLD) == "already_played"


def test_a_decision_out_of_turn_is_refused(hand):
    assert code_of(hand, 5, CHECK) == "out_of_turn"
    hand.decide(2, CHECK)
    assert code_of(hand, 2, CHECK) == "out_of_turn"


@pytest.mark.parametrize("seat", [1, 0, 7, 8, -2, None, "2"])
def test_a_seat_without_a_hand_decides_nothing(hand, seat):
    assert code_of(hand, seat, CHECK) == "no_hand"


@pytest.mark.parametrize("stake", [None, 0, 500, 1000, 1499, 1501, 2001, 2500, -1500, True])
def test_play_before_the_flop_is_exactly_three_or_four_times_the_ante(hand, stake):
    assert code_of(hand, 2, RAISE, stake) == "play_times"


def test_play_on_the_flop_is_twice_the_ante_and_on_the_river_once(hand):
    for seat in (2, 5):
        hand.decide(seat, CHECK)
    assert code_of(hand, 2, RAISE, 1500) == "play_times"
    assert code_of(hand, 2, RAISE, 500) == "play_times"
    for seat in (2, 5):
        hand.decide(seat, CHECK)
    assert code_of(hand, 2, RAISE, 1000) == "play_times"
    assert hand.decide(2, RAISE, 500)[0].stake_cents == 500


def test_nobody_folds_before_the_river_nor_checks_on_it(hand):
    assert code_of(hand, 2, FOLD) == "unknown_action"
    for seat in (2, 5, 2, 5):
        hand.decide(seat, CHECK)
    assert code_of(hand, 2, CHECK) == "unknown_action"
    assert code_of(hand, 2, "call") == "unknown_action"
    hand.decide(2, FOLD)
    assert code_of(hand, 2, FOLD) == "already_folded"


def test_a_check_stakes_nothing(hand):
    assert code_of(hand, 2, CHECK, 500) == "stake_without_play"
    assert hand.decide(2, CHECK, 0)[0].stake_cents == 0


def test_nobody_decides_before_the_cards_for_it_are_there():
    hand = Hand(TWO)
    assert code_of(hand, 2, CHECK) == "no_decision_due"
    hand.record("As", "Kd", "9h", "9d", "Qc")
    assert turn(hand) is None
    hand.record("Jd")
    for seat in (2, 5):
        hand.decide(seat, CHECK)
    hand.record("2s", "3d")
    assert code_of(hand, 2, CHECK) == "no_decision_due"
    hand.record("7h")
    assert turn(hand).street == "flop"
