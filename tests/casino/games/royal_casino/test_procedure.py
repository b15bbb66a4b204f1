"""Cards dealt in the order of the method, face up or down, unseen or known, and turned when their time has come."""

import pytest

from casino.games.game import CHECK, FOLD, RAISE, CardEntry, Dealt, Decision, Felt, Setup, Turned
from casino.refusal import Refused
from tests.casino.games.royal_casino.hand import GAME, Hand

ONE = {3: {"ante": 500, "blind": 500}}
TWO = {6: {"ante": 500, "blind": 500}, 2: {"ante": 300, "blind": 300, "bonus": 100}}


def code_of(hand, *entries):
    with pytest.raises(Refused) as refused:
        hand.record(*entries)
    assert refused.value.message.endswith(".")
    return refused.value.code


def at(card, position):
    return CardEntry(card, position)


def positions(facts):
    return [(type(fact).__name__, fact.position) for fact in facts]


def test_by_hand_players_come_first_then_the_bank_then_the_community():
    facts = Hand(TWO).record(*[None] * 11)
    assert [fact.position for fact in facts] == [21, 22, 61, 62, 91, 92, 1, 2, 3, 4, 5]
    assert {fact.face for fact in facts} == {"down"}


def test_an_automatic_shuffler_gives_the_community_first():
    facts = Hand(TWO, "automatic_shuffler").record(*[None] * 11)
    assert [fact.position for fact in facts] == [1, 2, 3, 4, 5, 21, 22, 61, 62, 91, 92]
    assert {fact.face for fact in facts} == {"down"}


@pytest.mark.parametrize(("method", "laid", "wanted"), [("hand", 1, 31), ("automatic_shuffler", 31, 1)])
def test_a_card_laid_out_of_order_is_refused_and_the_next_spot_is_named(method, laid, wanted):
    hand = Hand(ONE, method)
    with pytest.raises(Refused) as refused:
        hand.record(at("As", laid))
    assert (refused.value.code, refused.value.details["position"]) == ("dealt_out_of_order", wanted)
    assert positions(hand.record(at("As", wanted))) == [("Dealt", wanted)]


@pytest.mark.parametrize("position", [0, 6, 21, 33, 71, 90, 93, -1])
def test_a_position_that_this_round_does_not_have_is_refused(position):
    assert code_of(Hand(ONE), at("As", position)) == "position_out_of_range"


def test_laid_in_its_own_time_a_community_card_lies_face_up_at_once():
    hand = Hand(ONE)
    hand.record("As", "Kd", "Qc", "Jd")
    hand.decide(3, CHECK)
    assert {fact.face for fact in hand.record("2s", "3d", "7h")} == {"up"}
    hand.decide(3, CHECK)
    assert code_of(hand, None) == "card_not_named"
    assert [(fact.position, fact.face) for fact in hand.record("8c", "Ts")] == [(4, "up"), (5, "up")]


def test_known_cards_are_turned_by_the_step_that_allows_it():
    hand = Hand(ONE, "automatic_shuffler")
    hand.record("2s", "3d", "7h", "8c", "Ts", "As", "Kd", "Qc", "Jd")
    assert positions(hand.decide(3, CHECK)[1:]) == [("Turned", 1), ("Turned", 2), ("Turned", 3)]
    assert positions(hand.decide(3, CHECK)[1:]) == [("Turned", 4), ("Turned", 5)]
    shown = positions(hand.decide(3, RAISE, 500)[1:])
    assert shown == [("Turned", 91), ("Turned", 92), ("Turned", 31), ("Turned", 32)]


def test_unseen_cards_are_turned_by_name():
    hand = Hand(ONE, "automatic_shuffler")
    hand.record(*[None] * 9)
    assert code_of(hand, at("2s", 1)) == "decisions_open"
    hand.decide(3, CHECK)
    hand.turn_up(p1="2s", p2="3d", p3="7h")
    assert code_of(hand, at("8c", 4)) == "decisions_open"
    hand.decide(3, CHECK)
    hand.turn_up(p4="8c", p5="Ts")
    assert code_of(hand, at("Qc", 91)) == "decisions_open"
    hand.decide(3, RAISE, 500)
    assert GAME.decided(hand.felt, hand.setup) == ()
    hand.turn_up(p91="Qc", p92="Jd")
    hand.turn_up(p31="As")
    assert GAME.reading(hand.felt, hand.setup) is None
    hand.turn_up(p32="Kd")
    assert GAME.decided(hand.felt, hand.setup) == ("showdown",)
    assert GAME.reading(hand.felt, hand.setup).rank == "high_card"


def test_the_last_unseen_card_turned_by_hand_turns_the_known_ones_too():
    hand = Hand(ONE, "automatic_shuffler")
    hand.record(*[None] * 5, "As", "Kd", "Qc", "Jd")
    hand.decide(3, RAISE, 2000)
    assert positions(hand.turn_up(p1="2s", p2="3d", p3="7h")) == [("Turned", 1), ("Turned", 2), ("Turned", 3)]
    shown = positions(hand.turn_up(p4="8c", p5="Ts"))
    assert shown == [("Turned", n) for n in (4, 5, 91, 92, 31, 32)]
    assert GAME.decided(hand.felt, hand.setup) == ("showdown",)


def test_the_flop_is_turned_before_turn_and_river_and_the_community_before_the_bank():
    hand = Hand(ONE, "automatic_shuffler")
    hand.record(*[None] * 9)
    hand.decide(3, RAISE, 2000)
    assert code_of(hand, at("8c", 4)) == "flop_first"
    assert code_of(hand, at("Qc", 91)) == "board_first"
    hand.turn_up(p3="7h", p1="2s", p2="3d")
    hand.turn_up(p5="Ts", p4="8c")
    assert positions(hand.turn_up(p92="Jd", p91="Qc")) == [("Turned", 92), ("Turned", 91)]


def test_a_card_is_turned_once_and_as_it_was_dealt():
    hand = Hand(ONE)
    hand.record(None, "Kd", None, None)
    hand.decide(3, RAISE, 2000)
    hand.record("2s", "3d", "7h", "8c", "Ts")
    assert code_of(hand, at("9c", 32)) == "card_already_turned"
    assert code_of(hand, at(None, 31)) == "card_not_named"
    assert code_of(hand, at("2s", 31)) == "card_twice"
    assert code_of(hand, at("X1", 31)) == "unknown_card"


def test_a_card_that_is_turned_as_another_is_a_misdeal():
    hand = Hand(ONE, "automatic_shuffler")
    hand.record("2s", *[None] * 8)
    hand.felt = hand.felt.after(Decision(3, "pre_flop", RAISE, "play", 2000))
    with pytest.raises(Refused) as refused:
        hand.turn_up(p1="2h")
    assert (refused.value.code, refused.value.details) == ("card_differs", {"dealt": "2s", "turned": "2h"})


def test_no_card_is_there_twice_and_none_is_one_too_many():
    hand = Hand(ONE)
    hand.record("As")
    assert code_of(hand, "As") == "card_twice"
    assert code_of(hand, "as") == "unknown_card"
    assert code_of(hand, "X1") == "unknown_card"
    assert code_of(hand) == "no_cards"
    hand.record(*[None] * 8)
    assert code_of(hand, "2h") == "all_cards_dealt"


def test_nothing_is_dealt_where_nobody_has_an_ante():
    with pytest.raises(Refused) as refused:
        GAME.record_cards(Felt(), Setup("regulation", "standard", "hand"), [CardEntry("As")])
    assert refused.value.code == "no_hands"


def test_an_unknown_way_of_dealing_is_refused():
    with pytest.raises(Refused) as refused:
        Hand(ONE, "machine").record("As")
    assert refused.value.code == "unknown_method"


def test_nothing_is_drawn_in_this_game():
    with pytest.raises(Refused) as refused:
        GAME.draw(Felt(), Setup("regulation", "standard", "hand"), 2)
    assert refused.value.code == "position_not_for_drawing"


def folded(bonus):
    """One seat that has folded, everything dealt unseen by the shuffler and the community turned."""
    hand = Hand({3: {"ante": 500, "blind": 500, **({"bonus": 100} if bonus else {})}}, "automatic_shuffler")
    hand.record(*[None] * 9)
    hand.decide(3, CHECK)
    hand.turn_up(p1="9h", p2="9d", p3="9c")
    hand.decide(3, CHECK)
    hand.turn_up(p4="2s", p5="4d")
    hand.decide(3, FOLD)
    return hand


def test_where_everybody_has_folded_without_a_bonus_the_round_is_over_at_once():
    hand = folded(bonus=False)
    assert GAME.reading(hand.felt, hand.setup).rank == "all_folded"
    assert [(line.wager, line.result) for line in hand.settle()] == [("ante", "lose"), ("blind", "lose")]
    assert code_of(hand, at("As", 31)) == "hand_folded"


def test_a_folded_hand_with_a_bonus_is_turned_and_its_bonus_paid_whatever_the_bank_has():
    hand = folded(bonus=True)
    assert GAME.reading(hand.felt, hand.setup) is None
    hand.turn_up(p31="Ac", p32="3d")
    reading = GAME.reading(hand.felt, hand.setup)
    assert (reading.rank, reading.shown["bank"], reading.shown["seats"][0]["winner"]) == ("all_folded", None, None)
    assert [(line.wager, line.returned_cents) for line in hand.settle()] == [("ante", 0), ("blind", 0), ("bonus", 400)]


def test_a_folded_hand_beside_a_live_one_stays_down_and_the_bank_is_turned():
    hand = Hand(TWO, "automatic_shuffler")
    hand.record("9h", "9d", "9c", "2s", "4d", None, None, None, None, "Kd", "Qc")
    hand.decide(2, CHECK)
    hand.decide(6, RAISE, 1500)
    hand.decide(2, CHECK)
    assert positions(hand.decide(2, FOLD)[1:]) == [("Turned", 91), ("Turned", 92)]
    assert GAME.decided(hand.felt, hand.setup) == ()
    hand.turn_up(p61="As", p62="5d")
    assert GAME.decided(hand.felt, hand.setup) == ()  # the BONUS of seat 2 waits for its cards
    hand.turn_up(p21="Ac", p22="3d")
    assert GAME.decided(hand.felt, hand.setup) == ("showdown",)


def test_positions_have_names():
    names = [GAME.spot_name(position) for position in (1, 3, 4, 5, 31, 72, 91, 92, 77)]
    assert names == [
        "flop 1",
        "flop 3",
        "turn",
        "river",
        "seat 3, card 1",
        "seat 7, card 2",
        "bank 1",
        "bank 2",
        "card 77",
    ]


def test_facts_are_cards_on_the_felt():
    hand = Hand(ONE)
    dealt = hand.record("As")[0]
    assert dealt == Dealt(31, "down", "As")
    assert hand.felt.after(Turned(31, "As")).up(31) == "As"
