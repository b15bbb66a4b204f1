from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from casino.games import game
from casino.games.cards import DECK_54
from casino.games.fifty_four_card_roulette.layout import layout
from casino.games.fifty_four_card_roulette.paytables import POKER
from casino.games.game import CardEntry, Felt, Line, Placed, Setup, SideBetWin
from casino.refusal import Refused

GAME = game("54-card-roulette")
SETUP = Setup("printed", "standard", "second_card")
CODES = (*layout("standard").spots, *POKER)


def felt_of(*cards):
    felt = Felt()
    for fact in GAME.record_cards(felt, SETUP, [CardEntry(card) for card in cards]):
        felt = felt.after(fact)
    return felt


FULL = felt_of("As", "Ah", "Ad", "Kc", "X1")
STRAIGHT_FLUSH = felt_of("9d", "8d", "7d", "6d", "X1")


def test_each_phase_settles_its_own_wagers_in_the_order_they_were_placed():
    placed = [
        Placed(1, 4, "four_of_a_kind", 200),
        Placed(2, 1, "straight_up:As", 100),
        Placed(3, 2, "progressive", 100),
        Placed(5, 1, "straight_up:Ah", 100),
        Placed(6, 1, "three_of_a_kind", 300),
    ]
    assert GAME.settle("roulette", placed, FULL, SETUP) == [
        Line(2, 1, "straight_up:As", 100, "lose", 0),
        Line(5, 1, "straight_up:Ah", 100, "win", 5100),
    ]
    assert GAME.settle("poker", placed, FULL, SETUP) == [
        Line(1, 4, "four_of_a_kind", 200, "win", 55_200),
        Line(6, 1, "three_of_a_kind", 300, "lose", 0),
    ]


def test_the_roulette_wagers_settle_while_four_cards_are_face_down_and_the_poker_wagers_wait():
    felt = felt_of("As", "Kd")
    placed = [Placed(1, 1, "rank:K", 100), Placed(2, 1, "flush", 100)]
    assert [line.returned_cents for line in GAME.settle("roulette", placed, felt, SETUP)] == [1300]
    with pytest.raises(Refused, match="a card is still face down") as refused:
        GAME.settle("poker", placed, felt, SETUP)
    assert refused.value.code == "phase_not_decided"


def test_nothing_settles_before_the_roulette_card_lies_face_up():
    with pytest.raises(Refused) as refused:
        GAME.settle("roulette", [], felt_of("As"), SETUP)
    assert refused.value.code == "phase_not_decided"


@pytest.mark.parametrize("phase", ["progressive", "blind", ""])
def test_a_phase_that_the_game_does_not_settle_is_refused(phase):
    with pytest.raises(Refused) as refused:
        GAME.settle(phase, [], FULL, SETUP)
    assert refused.value.code == "unknown_phase"


@given(
    cards=st.permutations(DECK_54).map(lambda deck: deck[:5]),
    stakes=st.lists(st.tuples(st.sampled_from(CODES), st.integers(1, 10**11)), max_size=20),
)
def test_every_wager_is_settled_once_and_returns_nothing_or_the_stake_and_its_winnings(cards, stakes):
    felt = felt_of(*cards)
    placed = [Placed(number, 1, code, stake) for number, (code, stake) in enumerate(stakes, start=1)]
    lines = [line for phase in GAME.phases for line in GAME.settle(phase, placed, felt, SETUP)]
    assert sorted(line.number for line in lines) == [one.number for one in placed]
    for line in lines:
        pays = GAME.wager(line.wager, SETUP).pays
        assert line.returned_cents == (line.stake_cents * (pays + 1) if line.result == "win" else 0)


@given(cards=st.permutations(DECK_54).map(lambda deck: deck[:5]))
def test_at_most_one_poker_wager_wins_and_every_kind_of_roulette_wager_wins_as_its_card_lies(cards):
    felt = felt_of(*cards)
    placed = [Placed(number, 1, code, 1) for number, code in enumerate(CODES, start=1)]
    won = [line.wager for line in GAME.settle("poker", placed, felt, SETUP) if line.result == "win"]
    rank = GAME.reading(felt, SETUP).rank
    assert won == ([rank] if rank in POKER else [])
    won = {line.wager for line in GAME.settle("roulette", placed, felt, SETUP) if line.result == "win"}
    assert f"straight_up:{cards[1]}" in won
    assert len([code for code in won if code.startswith(("straight_up", "rank", "suit", "colour"))]) == (
        1 if cards[1] in ("X1", "X2") else 4
    )


def test_a_seat_has_one_progressive_wager_a_round():
    progressive = GAME.wager("progressive", SETUP)
    standing = [Placed(1, 3, "progressive", 100), Placed(2, 4, "ace_face", 500)]
    with pytest.raises(Refused, match="Seat 3 has its progressive wager already") as refused:
        GAME.check_seat(progressive, standing, 3)
    assert refused.value.code == "second_progressive"
    GAME.check_seat(progressive, standing, 4)
    GAME.check_seat(GAME.wager("ace_face", SETUP), standing, 4)


def test_a_hand_better_than_four_of_a_kind_wins_the_progressive_for_all_its_players():
    assert GAME.side_bet_wins("progressive", [2, 3, 7], STRAIGHT_FLUSH, SETUP) == [
        SideBetWin("straight_flush", (2, 3, 7))
    ]


@pytest.mark.parametrize(
    ("cards", "rank"),
    [
        ("Ks Kh Kd X1 X2", "five_of_a_kind"),
        ("Ah Kh Qh X1 X2", "royal_flush"),
        ("As 2s 3s 4s 5s", "straight_flush"),
        ("9s 9h 9d 9c Kd", None),
        ("2c 5c Jc X1 X2", None),
        ("As Kd 9h 4c 2s", None),
    ],
)
def test_the_progressive_wins_with_three_ranks_alone(cards, rank):
    wins = GAME.side_bet_wins("progressive", [1], felt_of(*cards.split()), SETUP)
    assert [win.rank for win in wins] == ([rank] if rank else [])


def test_nobody_wins_a_progressive_that_nobody_played():
    assert GAME.side_bet_wins("progressive", [], STRAIGHT_FLUSH, SETUP) == []


def test_the_progressive_is_not_judged_before_the_hand_is_complete_and_no_other_side_bet_is():
    with pytest.raises(Refused) as refused:
        GAME.side_bet_wins("progressive", [1], felt_of("As", "Kd"), SETUP)
    assert refused.value.code == "hand_incomplete"
    with pytest.raises(Refused) as refused:
        GAME.side_bet_wins("envy", [1], STRAIGHT_FLUSH, SETUP)
    assert refused.value.code == "unknown_side_bet"


def test_the_tiers_are_data_of_the_game():
    whole, tenth = Fraction(1), Fraction(1, 10)
    assert GAME.tiers("tiered") == {"five_of_a_kind": whole, "royal_flush": whole, "straight_flush": tenth}
    assert GAME.tiers("literal") == {"five_of_a_kind": whole, "royal_flush": whole, "straight_flush": whole}
    assert tuple(GAME.tier_sets) == ("tiered", "literal")
    for name in ("generous", None, ["tiered"]):
        with pytest.raises(Refused) as refused:
            GAME.tiers(name)
        assert refused.value.code == "unknown_tiers"
