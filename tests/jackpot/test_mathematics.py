"""The mathematics of meters against figures enumerated elsewhere, to the last digit, for any tiers and rates."""

import json
from fractions import Fraction
from math import isclose, sqrt
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from casino.games import game
from casino.games.side_bets import chances
from jackpot import mathematics as m
from jackpot.mathematics import Price

KNOWN = json.loads((Path(__file__).parents[1] / "facts" / "54-card-roulette.progressive.json").read_text())["tiers"]
ROULETTE, HOLDEM = game("54-card-roulette"), game("royal-casino")
TIERED = {"five_of_a_kind": Fraction(1), "royal_flush": Fraction(1), "straight_flush": Fraction(1, 10)}
DEFAULT = Price(stake_cents=100, reset_cents=500_000, increment_bp=6500, hidden_bp=1000)


def shared(wagers):
    return ROULETTE.shares("tiered", wagers)


def own(wagers):
    return HOLDEM.shares("tiered", wagers)


def tiers_of(known):
    return {rank: Fraction(part) for rank, part in known["tier_fraction"].items()}


@pytest.mark.parametrize("name", KNOWN)
def test_the_meter_breaks_even_where_it_was_found_elsewhere(name):
    known, tiers = KNOWN[name], tiers_of(KNOWN[name])
    assert m.break_even(shared(1), tiers) == Fraction(known["break_even_meter_n1"])
    found = m.mathematics_of(DEFAULT, tiers, shared, 500_000, 10)
    assert found.any_hit == Fraction(known["p_any"])
    assert 1 / m.break_even(shared(1), tiers) == Fraction(known["q"])
    for row in found.among:
        assert float(row.break_even) == known["break_even_meter"][str(row.wagers)]
        assert row.break_even == row.wagers * Fraction(known["break_even_meter_n1"])
        assert row.break_even_cents == known["break_even_meter_cents_ceil"][str(row.wagers)]


@pytest.mark.parametrize("name", KNOWN)
def test_expectation_and_variance_at_a_meter_of_10_000_are_the_known_ones(name):
    known, tiers = KNOWN[name], tiers_of(KNOWN[name])
    for wagers, row in known["example_M10000"].items():
        shares = shared(int(wagers))
        assert isclose(float(m.value(shares, tiers, Fraction(10_000)) - 1), row["ev"], rel_tol=1e-15, abs_tol=1e-15)
        assert isclose(sqrt(m.variance(shares, tiers, Fraction(10_000))), row["sd"], rel_tol=1e-12)


@pytest.mark.parametrize("name", KNOWN)
@pytest.mark.parametrize("wagers", [1, 3, 10])
def test_the_long_run_is_the_increment_and_a_share_of_every_reset(name, wagers):
    """RTP = c + a × R ÷ n and mean meter = (c × n + a × R) ÷ q, a being the chance of a full win."""
    known, tiers = KNOWN[name], tiers_of(KNOWN[name])
    a = sum((chance for rank, chance in chances(shared(1)).items() if tiers[rank] == 1), Fraction(0))
    assert m.long_run_return(shared(wagers), tiers, DEFAULT) == Fraction(65, 100) + a * 5000 / wagers
    mean = (Fraction(65, 100) * wagers + a * 5000) / Fraction(known["q"])
    assert m.mean_meter(shared(wagers), wagers, tiers, DEFAULT) == mean


def test_the_default_link_returns_what_the_books_say():
    full = Fraction(162, 3_162_510)
    assert 1 / full == Fraction(58_565, 3)  # once in 19,521.67 hands
    assert m.long_run_return(shared(1), TIERED, DEFAULT) == Fraction(65, 100) + 5000 * full
    literal = dict.fromkeys(TIERED, Fraction(1))
    assert m.long_run_return(shared(4), literal, DEFAULT) == Fraction(65, 100) + Fraction(5000, 4 * 4505)


def test_a_round_has_as_many_hits_of_a_shared_hand_whoever_bets():
    odds = {one.rank: one for one in m.mathematics_of(DEFAULT, TIERED, shared, 500_000, 8).tiers}
    assert odds["five_of_a_kind"].chance == Fraction(78, 3_162_510)
    assert odds["royal_flush"].chance == Fraction(84, 3_162_510)
    assert odds["straight_flush"].chance == Fraction(540, 3_162_510)
    for one in odds.values():
        assert one.hits_a_round == (one.chance,) * 8


# ------------------------------------------------------------------------------------------------- hands of one's own


def test_where_each_has_a_hand_of_his_own_hits_grow_with_the_wagers():
    odds = {one.rank: one for one in m.mathematics_of(DEFAULT, HOLDEM.tiers("tiered"), own, 500_000, 7).tiers}
    royal, straight = odds["royal_flush"], odds["straight_flush"]
    assert royal.hits_a_round == tuple(n * Fraction(4, 2_598_960) for n in range(1, 8))
    assert straight.hits_a_round[0] == Fraction(36, 2_598_960)
    # Two that share one straight flush are one hit.
    assert 6 * straight.hits_a_round[0] < straight.hits_a_round[6] < 7 * straight.hits_a_round[0]


def test_its_long_run_return_does_not_fall_with_the_wagers():
    for wagers in range(1, 8):
        found = m.long_run_return(own(wagers), HOLDEM.tiers("tiered"), DEFAULT)
        assert found == Fraction(65, 100) + 5000 * Fraction(4, 2_598_960)


def test_it_breaks_even_where_a_stake_is_worth_its_price():
    tiers = HOLDEM.tiers("tiered")
    assert m.break_even(own(1), tiers) == Fraction(6_497_400, 19)
    for wagers in (1, 2, 7):
        even = m.break_even(own(wagers), tiers, DEFAULT.reset)
        assert m.value(own(wagers), tiers, even, DEFAULT.reset) == 1


def test_a_straight_flush_beside_a_royal_meets_the_reset_and_not_the_meter():
    """At equal meter and reset both orders pay alike; a meter far above its reset pays the second less."""
    tiers = HOLDEM.tiers("tiered")
    alone = m.value(own(1), tiers, Fraction(5000), Fraction(5000))
    beside = m.value(own(2), tiers, Fraction(5000), Fraction(5000))
    both, royal = Fraction(1, 501_692_100), Fraction(1, 7_023_689_400)
    assert alone - beside == both * 500 / 2
    poorer = m.value(own(2), tiers, Fraction(50_000), Fraction(5000))
    assert m.value(own(1), tiers, Fraction(50_000), Fraction(5000)) - poorer == both * 5000 / 2 + royal * (5000 - 500)


# ------------------------------------------------------------------------------------------------- any tiers, any rates

parts = st.fractions(min_value=Fraction(1, 1000), max_value=1, max_denominator=1000)
any_tiers = st.fixed_dictionaries(dict.fromkeys(TIERED, parts))
prices = st.builds(
    Price,
    stake_cents=st.integers(1, 100_000),
    reset_cents=st.integers(1, 10**9),
    increment_bp=st.integers(0, 10_000),
)


@given(tiers=any_tiers, price=prices, wagers=st.integers(1, 9))
def test_at_the_break_even_meter_a_stake_is_worth_its_price_and_not_a_cent_below_it(tiers, price, wagers):
    (*_, row) = m.mathematics_of(price, tiers, shared, 0, wagers).among
    at = Fraction(row.break_even_cents, price.stake_cents)
    assert m.value(shared(wagers), tiers, at) >= 1
    assert m.value(shared(wagers), tiers, at - Fraction(1, price.stake_cents)) < 1


@given(tiers=any_tiers, price=prices, meter=st.integers(0, 10**10))
def test_a_price_in_another_unit_makes_no_other_mathematics(tiers, price, meter):
    dearer = Price(price.stake_cents * 7, price.reset_cents * 7, price.increment_bp)
    one, other = (m.mathematics_of(p, tiers, shared, c, 3) for p, c in ((price, meter), (dearer, 7 * meter)))
    assert (one.tiers, one.any_hit, one.variance) == (other.tiers, other.any_hit, other.variance)
    assert [(row.break_even, row.value, row.returns) for row in one.among] == [
        (row.break_even, row.value, row.returns) for row in other.among
    ]


@given(price=prices, wagers=st.integers(1, 9))
def test_the_growth_is_what_the_meter_takes_from_the_stakes(price, wagers):
    assert m.growth(price, wagers) == wagers * price.stake_cents * price.increment_bp


def test_a_meter_that_nobody_can_win_never_breaks_even():
    found = m.mathematics_of(DEFAULT, {"full_moon": Fraction(1)}, shared, 500_000, 2)
    assert [row.break_even for row in found.among] == [None, None]
    assert [row.break_even_cents for row in found.among] == [None, None]
    assert (found.any_hit, found.tiers[0].chance, found.variance) == (0, 0, 0)
    assert m.mean_meter(shared(1), 1, {"full_moon": Fraction(1)}, DEFAULT) is None
