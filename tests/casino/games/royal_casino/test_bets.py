"""What may be put down before the cards, and what a seat's chips must be when bets close."""

from fractions import Fraction

import pytest

from casino.games.game import Placed, Setup
from casino.refusal import Refused
from tests.casino.games.royal_casino.hand import GAME, Hand

SETUP = Setup("regulation", "standard", "hand")


def put_down(bets):
    """These bets, as (seat, code, cents), one after another, and no more."""
    placed = []
    for seat, code, cents in bets:
        GAME.check_seat(GAME.wager(code, SETUP), placed, seat, cents)
        placed.append(Placed(len(placed) + 1, seat, code, cents))
    GAME.check_bets(placed)


def code_of(*bets):
    with pytest.raises(Refused) as refused:
        put_down(bets)
    assert refused.value.message.endswith(".")
    return refused.value.code


@pytest.mark.parametrize(
    ("bets", "code"),
    [
        ([(1, "ante", 500), (1, "blind", 400)], "blind_differs"),
        ([(1, "blind", 400), (1, "ante", 500)], "blind_differs"),
        ([(1, "ante", 500)], "blind_missing"),
        ([(1, "blind", 500)], "ante_missing"),
        ([(1, "bonus", 500)], "ante_missing"),
        ([(1, "ante", 500), (1, "blind", 500), (2, "bonus", 100)], "ante_missing"),
        ([(1, "ante", 500), (1, "ante", 500)], "second_ante"),
        ([(1, "ante", 500), (1, "blind", 500), (1, "bonus", 1), (1, "bonus", 2)], "second_bonus"),
        ([(1, "ante", 500), (1, "blind", 500), (1, "play", 2000)], "play_by_decision"),
        ([(1, "progressive", 100)], "ante_missing"),
        ([(1, "ante", 500), (1, "blind", 500), (1, "progressive", 100), (1, "progressive", 100)], "second_progressive"),
        ([(1, "ante", 500), (1, "blind", 500), (2, "progressive", 100)], "ante_missing"),
        ([(1, "trips", 500)], "unknown_wager"),
        ([(1, "ANTE", 500)], "unknown_wager"),
        ([(1, "ante ", 500)], "unknown_wager"),
    ],
)
def test_bets_that_do_not_belong_together_are_refused(bets, code):
    assert code_of(*bets) == code


def test_a_changed_ante_must_find_its_blind_equal_when_bets_close():
    changed = [Placed(1, 4, "ante", 1000), Placed(2, 4, "blind", 500)]
    with pytest.raises(Refused, match="seat 4 has 500 cents on BLIND and 1000 on ANTE") as refused:
        GAME.check_bets(changed)
    assert refused.value.code == "blind_differs"


def test_seats_may_differ_and_go_without_a_bonus():
    hand = Hand({1: {"ante": 500, "blind": 500}, 7: {"ante": 900, "bonus": 100, "blind": 900}})
    assert [one.code for one in hand.placed] == ["ante", "blind", "ante", "bonus", "blind"]


def test_bets_do_not_close_while_nobody_has_a_hand():
    assert code_of() == "no_hands"


def test_the_progressive_is_a_phase_of_its_own_that_a_meter_pays():
    wager = GAME.wager("progressive", SETUP)
    assert (wager.code, wager.bet, wager.phase, wager.pays) == ("progressive", "progressive", "progressive", None)
    assert "progressive" not in GAME.phases


def test_posted_limits_speak_of_ante_and_bonus_alone():
    wagers = {code: GAME.wager(code, SETUP) for code in ("ante", "blind", "bonus", "play")}
    assert [code for code, wager in wagers.items() if wager.limited] == ["ante", "bonus"]
    assert {code: wager.pays for code, wager in wagers.items()} == {
        "ante": Fraction(505),  # even money, 500 on BLIND and PLAY at four times
        "blind": None,
        "bonus": Fraction(50),
        "play": None,
    }


@pytest.mark.parametrize("paytable", ["printed", "", None])
def test_an_unknown_paytable_is_refused(paytable):
    with pytest.raises(Refused) as refused:
        GAME.wager("ante", Setup(paytable, "standard", "hand"))
    assert refused.value.code == "unknown_paytable"
