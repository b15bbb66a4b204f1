"""Theo and average bet against numbers worked by hand and numbers that the trade has published."""

from fractions import Fraction

import pytest

from casino.games import game
from casino.refusal import Refused
from casino.theo import Stakes, average_bet, edges, theo, theo_by_estimate


@pytest.mark.parametrize(
    ("average_cents", "hours", "an_hour", "edge", "dollars"),
    [(2_500, 4, 60, Fraction(1, 100), 60), (500, 1, 100, Fraction(4, 100), 20)],
    ids=["P4: 25 x 4 h x 60 at 1 % is 60", "P5: 5 x 1 h x 100 at 4 % is 20"],
)
def test_the_published_formula_of_an_estimate(
    average_cents: int, hours: int, an_hour: int, edge: Fraction, dollars: int
) -> None:
    assert theo_by_estimate(average_cents, hours * an_hour, edge) == dollars * 100


def test_theo_of_the_roulette_card_game_is_stake_by_stake() -> None:
    """Red pays 1 to 1 on 26 of 54 cards, an edge of 2/54; straight up 50 to 1 on one of 54, an edge of 3/54."""
    stakes = [Stakes("printed", "colour", 2_700), Stakes("printed", "straight_up", 5_400)]
    assert theo("54-card-roulette", stakes) == 100 + 300
    assert average_bet("54-card-roulette", stakes, 3) == 2_700


def test_theo_of_holdem_is_of_ante_and_bonus_and_its_average_of_the_ante_alone() -> None:
    hold_em = game("royal-casino")
    main, bonus = (one.house_edge for one in hold_em.odds(hold_em.paytables[0]))
    paytable = hold_em.paytables[0]
    amounts = {"ante": 1_000, "blind": 1_000, "bonus": 500, "play": 4_000}
    stakes = [Stakes(paytable, bet, cents) for bet, cents in amounts.items()]
    assert theo("royal-casino", stakes) == 1_000 * main + 500 * bonus
    assert average_bet("royal-casino", stakes, 3) == Fraction(1_000, 3)


def test_every_bet_with_a_fixed_pay_has_its_edge_under_every_paytable() -> None:
    for paytable in game("54-card-roulette").paytables:
        assert len(edges("54-card-roulette", paytable)) == 16
    for paytable in game("royal-casino").paytables:
        assert set(edges("royal-casino", paytable)) == {"ante", "bonus"}


def test_no_average_before_the_first_decision() -> None:
    assert average_bet("54-card-roulette", [], 0) is None


def test_a_paytable_that_is_not_dealt_is_refused() -> None:
    with pytest.raises(Refused, match="paytable"):
        theo("54-card-roulette", [Stakes("no such", "colour", 100)])
