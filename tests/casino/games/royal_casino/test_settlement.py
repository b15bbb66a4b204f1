"""Every row of the rule sheet's table, and the rounding of a 3 to 2."""

from fractions import Fraction

import pytest

from casino.games.poker import value_of
from casino.games.royal_casino.paytables import PAYTABLES, Paytable
from casino.games.royal_casino.settlement import Showdown, qualifies, returned

PAYS = PAYTABLES["regulation"]
KINGS, QUEENS = (value_of([*pair, "9s", "5d", "3c"]) for pair in (["Kh", "Kc"], ["Qh", "Qc"]))
ACE_HIGH, KING_HIGH = (value_of([card, "Js", "9d", "7c", "2h"]) for card in ("Ah", "Kh"))
FLUSH = value_of(["Ah", "Kh", "9h", "5h", "2h"])


def results(hand, bank, folded=False):
    """Code → result, for 1,000 cents on everything."""
    showdown = Showdown(hand, bank, folded)
    return {code: returned(code, 1000, showdown, PAYS).result for code in ("ante", "play", "blind", "bonus")}


@pytest.mark.parametrize(
    ("hand", "bank", "ante", "play", "blind"),
    [
        (KINGS, QUEENS, "win", "win", "push"),
        (FLUSH, QUEENS, "win", "win", "win"),
        (ACE_HIGH, KING_HIGH, "push", "win", "push"),
        (FLUSH, KING_HIGH, "push", "win", "win"),
        (QUEENS, KINGS, "lose", "lose", "lose"),
        (KING_HIGH, ACE_HIGH, "push", "lose", "lose"),
        (KINGS, KINGS, "push", "push", "push"),
        (ACE_HIGH, ACE_HIGH, "push", "push", "push"),
        (FLUSH, FLUSH, "push", "push", "push"),
    ],
)
def test_each_outcome_does_to_each_wager_what_the_sheet_says(hand, bank, ante, play, blind):
    found = results(hand, bank)
    assert (found["ante"], found["play"], found["blind"]) == (ante, play, blind)


def test_a_fold_loses_ante_and_blind_whoever_is_higher():
    for bank in (QUEENS, KING_HIGH, FLUSH):
        found = results(KINGS, bank, folded=True)
        assert (found["ante"], found["blind"]) == ("lose", "lose")


@pytest.mark.parametrize("folded", [False, True])
@pytest.mark.parametrize("bank", [QUEENS, KING_HIGH, FLUSH, None])
def test_bonus_is_paid_from_three_of_a_kind_whatever_the_bank_has(bank, folded):
    trips = value_of(["9h", "9c", "9s", "5d", "3c"])
    assert returned("bonus", 500, Showdown(trips, bank, folded), PAYS) == ("win", 2000)
    assert returned("bonus", 500, Showdown(KINGS, bank, folded), PAYS) == ("lose", 0)


def test_a_hand_that_was_not_turned_loses_what_it_has():
    assert {returned(code, 500, None, PAYS) for code in ("ante", "blind", "bonus")} == {("lose", 0)}


def test_the_bank_qualifies_with_the_lowest_pair():
    assert qualifies(value_of(["2h", "2c", "3s", "4d", "6c"]))
    assert not qualifies(ACE_HIGH)


@pytest.mark.parametrize(
    ("stake", "rounding", "cents"),
    [(1000, 1, 2500), (501, 1, 1252), (501, 5, 1251), (500, 100, 1200), (1500, 500, 3500), (1, 1, 2)],
)
def test_three_to_two_is_cut_down_to_the_smallest_amount_paid(stake, rounding, cents):
    assert returned("blind", stake, Showdown(FLUSH, KINGS, False), PAYS, rounding) == ("win", cents)


def test_whole_odds_are_never_cut():
    straight = value_of(["9h", "8c", "7s", "6d", "5c"])
    for code, cents in (("ante", 700), ("play", 700), ("blind", 700), ("bonus", 1750)):
        assert returned(code, 350, Showdown(straight, KINGS, False), PAYS, 500) == ("win", cents)


def test_a_rank_that_a_blind_table_leaves_out_is_returned():
    mean = Paytable(blind={"royal_flush": Fraction(500)}, bonus=PAYS.bonus)
    assert returned("blind", 500, Showdown(FLUSH, KINGS, False), mean) == ("push", 500)
