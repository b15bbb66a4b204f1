"""A settled round that is put right: luck, ratings, dealers' results and documents follow the last settlement."""

from fractions import Fraction

import pytest

from casino.commands import rounds
from casino.commands.patrons import make_patron
from casino.commands.seats import seat_patron
from casino.eventstore.follower import followers
from casino.eventstore.rebuild import rebuild
from casino.keys import RoundId
from casino.queries.cash import payouts_with_document
from casino.queries.patrons import ratings_of
from casino.round.betting import Asked
from ledger.luck import Played as Luck
from ledger.models import LuckChance, LuckReplays
from ledger.queries.dealers import dealer_days
from ledger.queries.explained import explain
from ledger.queries.luck import luck_of
from ledger.scope import Scope
from ledger.stiff import TABLE
from ledger.tasks import deal_again
from tests.closing_house import FIRST, NOTHING, TWO, House

ONE = RoundId("R-01", FIRST, 1)
EDGE = Fraction(1, 27)
FOLLOWERS = ("luck", "ratings", "cash", "board", "books")


@pytest.fixture
def patron(house: House) -> int:
    """They sit at seat 1 of R-01 and lose 30.00 on black; a second round of 10.00 is lost as well."""
    known = int(make_patron(house.order(), "Mireille Okonjo").patron.pk)
    house.open("R-01")
    seat_patron(house.order(), "R-01", 1, known)
    for cents in (3_000, 1_000):
        house.lose("R-01", cents)
    house.read()
    return known


def put_right(house: House, cards: dict[int, str], reason: str = "The tape shows it.") -> None:
    rounds.resettle_round(house.order(), ONE, cards, reason, TWO)
    house.read()
    deal_again()


def luck() -> Luck:
    return luck_of(FIRST)["R-01"].played


def rating_of(patron: int) -> tuple[int, int, int, Fraction]:
    [one] = ratings_of(patron)
    return one.decisions, one.handle_cents, one.actual_cents, one.theo


def test_luck_and_rating_follow_the_card_as_it_lay_and_keep_what_was_staked(house: House, patron: int) -> None:
    put_right(house, {2: "Ks"})
    assert (luck().rounds, luck().stakes_cents, luck().result_cents) == (2, 4_000, -2_000)
    assert luck().theo == 4_000 * EDGE
    assert rating_of(patron) == (2, 4_000, -2_000, 4_000 * EDGE)
    chance = LuckChance.objects.get(table_code="R-01", gaming_date=FIRST)
    assert (chance.rounds, chance.result_cents) == (2, -2_000)


def test_they_follow_the_last_of_several_and_a_round_whose_wagers_went_back_counts_no_more(
    house: House, patron: int
) -> None:
    put_right(house, {2: "Ks"})
    put_right(house, {}, "The deck was fouled.")
    assert (luck().rounds, luck().stakes_cents, luck().result_cents, luck().theo) == (1, 1_000, 1_000, 1_000 * EDGE)
    assert rating_of(patron) == (1, 1_000, 1_000, 1_000 * EDGE)
    put_right(house, {2: "Kd"}, "It was not fouled after all.")
    assert (luck().rounds, luck().result_cents) == (2, 4_000)
    assert rating_of(patron) == (2, 4_000, 4_000, 4_000 * EDGE)


@pytest.mark.parametrize("name", FOLLOWERS)
def test_what_is_folded_anew_is_what_stands(house: House, patron: int, name: str) -> None:
    put_right(house, {2: "Ks"})
    put_right(house, {}, "The deck was fouled.")
    assert rebuild(followers()[name], "owner", check=True, progress=lambda _: None) == []


def test_the_replays_of_a_round_that_went_back_leave_the_day(house: House, patron: int) -> None:
    put_right(house, {})
    lost = LuckChance.objects.get(table_code="R-01", gaming_date=FIRST)
    assert (lost.rounds, lost.result_cents) == (1, 1_000)
    assert lost.at_or_above < 10_000 * Fraction(6, 10), "10.00 on black is won as often as not, alone"


def test_what_a_crash_took_of_a_day_with_a_round_put_right_is_dealt_again(house: House, patron: int) -> None:
    put_right(house, {2: "Ks"})
    LuckReplays.objects.all().delete()
    house.lose("R-01", 2_000)
    house.read()
    deal_again()
    dealt = LuckChance.objects.get(table_code="R-01", gaming_date=FIRST)
    assert (dealt.rounds, dealt.result_cents) == (3, -3_000 + 1_000 + 2_000)


def test_by_dealer_the_result_is_that_of_the_last_settlement(house: House, patron: int) -> None:
    put_right(house, {2: "Ks"})
    assert [(one.rounds, one.result_cents) for one in dealer_days(FIRST)] == [(2, -2_000)]


def test_a_winner_who_comes_to_light_needs_a_document_and_one_who_never_won_needs_none(house: House) -> None:
    """5.00 on the straight flush, lost by the cards on record and won by those on the tape."""
    house.open("R-01")
    rounds.record_finished_round(house.order(), "R-01", [Asked(1, "straight_flush", 500)], NOTHING)
    house.read()
    assert payouts_with_document(FIRST) == []
    straight = dict(enumerate(["5h", "6h", "7h", "8h", "9h"], 1))
    put_right(house, straight)
    [paid] = payouts_with_document(FIRST)
    assert (paid.n, paid.seat, paid.stake_cents) == (1, 1, 500)
    put_right(house, {5: "Ts"}, "The five was a ten.")
    assert payouts_with_document(FIRST) == []
    assert rebuild(followers()["cash"], "owner", check=True, progress=lambda _: None) == []


def test_theo_and_luck_of_the_report_open_down_to_the_round_put_right(house: House, patron: int) -> None:
    put_right(house, {2: "Ks"})
    for result, theo in ((-2_000, 4_000), (1_000, 1_000)):
        for code, amount in (("theo", theo * EDGE), ("luck", result - theo * EDGE)):
            shown = explain(code, Scope(TABLE, "R-01", FIRST, FIRST))
            assert (shown.amount, shown.is_proven) == (amount, True)
        if result == -2_000:
            put_right(house, {}, "The deck was fouled.")
