"""Two seats of a round: the sums that ship against the tables of one seat, and their making against a walk."""

import random
from fractions import Fraction
from itertools import combinations

import numpy as np
import numpy.typing as npt
import pytest

from casino.games.cards import DECK_52
from casino.games.poker import HAND_RANKS, best_of
from casino.games.royal_casino import deals, odds, outcomes, sums
from casino.games.royal_casino.derivation import flops
from casino.games.royal_casino.paytables import paytable
from casino.games.royal_casino.settlement import Showdown, returned
from casino.games.royal_casino.together import (
    CARDS,
    HOLDINGS,
    Hands,
    Together,
    _of_two,
    balanced,
    dealt,
    shared_out,
    wanted_codes,
)

PAYS = paytable(sums.PAYTABLE)
TABLE = outcomes.shipped()
MAIN, BONUS = odds.rows(sums.PAYTABLE, TABLE)


PAIRS = list(combinations(range(CARDS), 2))


@pytest.fixture(scope="module")
def together() -> Together:
    return Together()


# ------------------------------------------------------------------------------------------------- the shipped sums


def test_one_seat_of_them_is_the_shipped_table() -> None:
    """Means, squares and the product of main game and BONUS were added up here for the second time."""
    total = sums.total(sums.shipped())
    main, bonus = Fraction(total.main, 2 * outcomes.TOTAL), Fraction(total.bonus, outcomes.TOTAL)
    assert (main, bonus) == (-MAIN.house_edge, -BONUS.house_edge)
    assert Fraction(total.main_square, 4 * outcomes.TOTAL) - main**2 == MAIN.variance
    assert Fraction(total.bonus_square, outcomes.TOTAL) - bonus**2 == BONUS.variance
    assert Fraction(total.main_bonus, 2 * outcomes.TOTAL) - main * bonus == odds.covariance(
        PAYS.blind, PAYS.bonus, TABLE
    )


def test_seats_win_and_lose_together() -> None:
    """One bank and one board for all: two ANTEs are correlated, though far from being one."""
    between = sums.between_seats(sums.total(sums.shipped()))
    assert 0 < between.main_main < MAIN.variance
    assert 0 < between.bonus_bonus < BONUS.variance
    assert between.main_bonus**2 < between.main_main * BONUS.variance


def test_the_text_of_the_sums_is_read_as_it_was_written() -> None:
    text = sums.SHIPPED_SUMS.read_text(encoding="utf-8")
    assert sums.as_json(sums.from_json(text)) == text


# ------------------------------------------------------------------------------------------------- how they are made


def test_two_seats_on_a_board_are_every_two_hands_without_a_card_in_common(together: Together) -> None:
    """One board, every bank hand, pair by pair: what the counting by cards leaves out is left out here by look."""
    hands = together.hands(random.Random(7).choice(flops())).on(slice(500, 501))
    apart = np.array([[len({*one, *other}) == 4 for other in PAIRS] for one in PAIRS])
    main = wins(hands) * apart  # bank × holding; a holding with a card of the bank's is not there
    bonus = hands.bonus[0] * apart
    met = apart.astype(np.double)
    wanted = [int(((one @ met) * other).sum()) for one, other in ((main, main), (main, bonus), (bonus, bonus))]
    assert _of_two(together, hands) == wanted


def wins(hands: Hands) -> npt.NDArray[np.int64]:
    """Bank × holding: what the holding wins on the only board, in half antes."""
    mine, bank = hands.strength[0], hands.strength[0][:, None]
    extra = np.where(hands.qualifies[0][:, None] & ~hands.folds[0], 2, 0)
    level = np.where(hands.folds[0], -4, 0)
    return np.where(mine > bank, hands.win[0] + extra, np.where(mine < bank, hands.lose[0] - extra, level))


def test_what_a_hand_wins_is_what_the_table_pays(together: Together) -> None:
    """Some hundred hands against some bank hands, settled by the rules of the game: ANTE, BLIND and PLAY of 2 each."""
    chance = random.Random(11)
    flop = chance.choice(flops())
    board = chance.randrange(1_176)
    _, times, _ = together.played(flop)
    found = wins(together.hands(flop).on(slice(board, board + 1)))
    left = [card for card in range(52) if card not in flop.cards]
    turned = [left[card] for card in together.derivation.places.pairs[board].tolist()]
    community = [DECK_52[card] for card in (*flop.cards, *turned)]
    rest = [DECK_52[card] for card in left if card not in turned]
    for holding, bank in ((chance.randrange(HOLDINGS), chance.randrange(HOLDINGS)) for _ in range(300)):
        if len({*PAIRS[holding], *PAIRS[bank]}) == 4:
            mine, theirs = ([rest[card] for card in PAIRS[pair]] for pair in (holding, bank))
            assert found[bank, holding] == settled(community, mine, theirs, int(times[board, holding]))


def settled(community: list[str], mine: list[str], theirs: list[str], times: int) -> int:
    """The player's result of 2 on ANTE, 2 on BLIND and PLAY."""
    own, bank = (best_of([*community, *hand]).value for hand in (mine, theirs))
    showdown = Showdown(own, bank, folded=times == 0)
    stakes = {"ante": 2, "blind": 2, "play": 2 * times}
    return sum(returned(code, stake, showdown, PAYS).cents - stake for code, stake in stakes.items())


# ------------------------------------------------------------------------------------------------- the shipped deals


def test_the_deals_have_every_outcome_of_one_seat_as_often_as_all_deals_have() -> None:
    """To a hundredth of its chance down to outcomes of 1 in 1,000, and to a tenth down to 1 in 30,000."""
    shipped, wanted = deals.shipped(), wanted_codes(TABLE)
    held = np.bincount(shipped.codes.ravel(), np.repeat(shipped.weights.astype(float), deals.SEATS), deals.CODES)
    wanted, held = wanted / wanted.sum(), held / held.sum()
    for least, allowed in ((1e-3, 0.01), (1 / 30_000, 0.1)):
        known = wanted >= least
        assert (np.abs(held[known] / wanted[known] - 1) < allowed).all()


def test_the_deals_have_the_mean_the_variance_and_the_covariance_of_the_exact_sums() -> None:
    shipped = deals.shipped()
    net = np.array([halves(code) for code in range(deals.CODES)], dtype=float)[shipped.codes] / 2
    weights = shipped.weights / shipped.weights.sum()
    mean = float(weights @ net.mean(axis=1))
    assert mean == pytest.approx(-float(MAIN.house_edge), abs=0.002)
    square = float(weights @ (net**2).mean(axis=1))
    assert square - mean**2 == pytest.approx(float(MAIN.variance), rel=0.01)
    of_two = float(weights @ (net.sum(axis=1) ** 2 - (net**2).sum(axis=1))) / (deals.SEATS * (deals.SEATS - 1))
    exact = sums.between_seats(sums.total(sums.shipped())).main_main
    assert of_two - mean**2 == pytest.approx(float(exact), abs=0.2)


def halves(code: int) -> int:
    net = odds.net_of(outcomes.Cell(*deals.meaning(code), 1), PAYS.blind)
    return int(2 * net.all)


def test_a_code_is_read_as_it_was_written() -> None:
    for number in range(deals.CODES):
        action, rank, result = deals.meaning(number)
        places = outcomes.ACTIONS.index(action), HAND_RANKS.index(rank), outcomes.RESULTS.index(result)
        assert deals.code(*places) == number


def test_some_deals_are_dealt_like_a_round_of_seven(together: Together) -> None:
    """On a flop of three aces everybody has three of a kind or better, and raises one way or another or folds."""
    codes = dealt(together, flops()[0], 200, np.random.default_rng(1))
    assert codes.shape == (200, deals.SEATS)
    found = {deals.meaning(int(code)) for code in np.unique(codes)}
    better = ("four_of_a_kind", "full_house", "three_of_a_kind", "straight_flush", "flush", "royal_flush", "straight")
    assert {rank for _, rank, _ in found} <= set(better)
    assert {result for _, _, result in found} <= {"win_qualified", "tie", "lose_qualified"}


def test_weights_make_up_for_what_chance_dealt_too_often() -> None:
    """Four deals of seven alike: an outcome wanted three times as often as it came gets three times the weight."""
    codes = np.repeat(np.array([[0], [1], [1], [1]]), deals.SEATS, axis=1)
    weights = balanced(codes, np.array([1.0, 1.0]))
    assert weights.tolist() == [2_048, 683, 683, 683]


def test_flops_get_deals_by_their_weight() -> None:
    shares = shared_out(flops(), deals.DEALS)
    assert sum(shares) == deals.DEALS
    assert all(abs(share - deals.DEALS * flop.weight / 22_100) < 1 for share, flop in zip(shares, flops(), strict=True))
