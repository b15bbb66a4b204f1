"""Ratings from real wagers, worked by hand: a round of each game, and the same figures however the log is cut."""

import itertools
from datetime import UTC, datetime, timedelta
from fractions import Fraction
from typing import Any

import pytest
from django.db import connection, transaction

from casino.commands import rounds, settlement, tables
from casino.commands.imports import ImportedRound, ImportedWager, import_rounds
from casino.commands.order import Order
from casino.commands.patrons import make_patron
from casino.commands.seats import estimate_rating, leave_seat, seat_patron
from casino.eventstore.follower import catch_up, last_position
from casino.eventstore.rebuild import rebuild
from casino.games import game
from casino.games.game import CardEntry, DecisionEntry
from casino.models import TableBoard
from casino.queries import patrons as queries
from casino.ratings import RATINGS
from casino.round.betting import Asked
from tests.counts import counted
from tests.played import SECOND

serial = itertools.count(1)
NOTHING = ["Kd", "As", "9c", "4h", "2s"]
PRINTED = {one.wager: one.house_edge for one in game("54-card-roulette").odds("printed")}


def order(at: datetime | None = None) -> Order:
    return Order("ana", f"rated-{next(serial)}", at or datetime.now(UTC))


def guest(name: str = "Mireille Okonjo") -> int:
    return int(make_patron(order(), name).patron.pk)


def read() -> None:
    settlement.settle_due()
    catch_up()


def one_rating(patron: int) -> queries.Rating:
    (rating,) = queries.ratings_of(patron)
    return rating


def latest(code: str) -> Any:
    session = tables.load_table(code).session
    assert session is not None
    return tables.latest_round(code, session.gaming_date)


@pytest.fixture
def table(database: Any) -> str:
    tables.set_up_table(order(), "R-01", game="54-card-roulette", seats=8)
    tables.open_table(order(), "R-01", counted(5_000_000), "Ana Ortiz")
    return "R-01"


def test_two_rounds_of_the_roulette_card_by_hand(table: str) -> None:
    """Red 500 wins 500; spades 1,000 and four of a kind 100 lose; then red 700 loses to a spade."""
    patron = guest()
    seat_patron(order(), table, 3, patron)
    seat_patron(order(), table, 4)
    tables.buy_in(order(), table, 20_000, 3)
    tables.buy_in(order(), table, 99_000, 4)
    asked = [Asked(3, "colour:red", 500), Asked(3, "suit:s", 1_000), Asked(3, "four_of_a_kind", 100)]
    rounds.record_finished_round(order(), table, [*asked, Asked(4, "colour:red", 60_000)], roulette_card("Kd"))
    rounds.record_finished_round(order(), table, [Asked(3, "colour:red", 700)], roulette_card("As"))
    rounds.record_finished_round(order(), table, [Asked(4, "colour:red", 800)], roulette_card("As"))
    read()
    rating = one_rating(patron)
    assert (rating.decisions, rating.handle_cents) == (2, 2_300)
    assert rating.average_bet == 1_150
    # Red pays even money on 26 of 54 cards, a suit 3 to 1 on 13 of 54: both leave the house 2 in 54.
    assert rating.theo == 2_200 * Fraction(2, 54) + 100 * PRINTED["four_of_a_kind"]
    assert rating.actual_cents == -500 + 1_000 + 100 + 700
    assert rating.visit is not None
    assert (rating.visit.buy_ins, rating.visit.bought_in_cents) == (1, 20_000)


def roulette_card(first: str) -> list[str]:
    """Five cards whose Roulette Card, the second by the table's method, is the one asked for."""
    others = [card for card in NOTHING if card != first]
    method = tables.load_table("R-01").table.set_up.method  # type: ignore[union-attr]
    assert method == "second_card"
    return [others[0], first, *others[1:]]


def test_a_round_of_holdem_by_hand(database: Any) -> None:
    """Two aces beat the bank's two nines, which qualify: ANTE wins 1,000, PLAY 4,000, BLIND pushes, BONUS loses 500.

    Theo is 1,000 × the main game's edge + 500 × the bonus's; the average bet is the ANTE.
    """
    tables.set_up_table(order(), "H-01", game="royal-casino")
    tables.open_table(order(), "H-01", counted(5_000_000), "Ana Ortiz")
    patron = guest()
    seat_patron(order(), "H-01", 1, patron)
    asked = [Asked(1, "ante", 1_000), Asked(1, "blind", 1_000), Asked(1, "bonus", 500)]
    cards = ["As", "Ah", "9d", "2c", "Ks", "9h", "4d", "3c", "8s"]
    raised = [DecisionEntry(1, "raise", 4_000)]
    rounds.record_finished_round(order(), "H-01", asked, cards, decisions=raised)
    read()
    rating = one_rating(patron)
    assert (rating.decisions, rating.handle_cents, rating.average_bet) == (1, 6_500, Fraction(1_000))
    assert rating.theo == 1_000 * Fraction(50_643_648_973, 2_317_817_502_000) + 500 * Fraction(233_985, 6_689_228)
    assert rating.actual_cents == -1_000 - 4_000 + 500


def test_a_void_after_the_roulette_phase_leaves_what_was_settled_and_a_whole_void_leaves_nothing(table: str) -> None:
    patron = guest()
    seat_patron(order(), table, 3, patron)
    for cards in ([CardEntry(None), CardEntry("As"), CardEntry(None)], []):
        rounds.open_round(order(), table)
        round_id = latest(table).id
        rounds.place_wagers(order(), round_id, [Asked(3, "colour:red", 500), Asked(3, "flush", 300)])
        rounds.close_bets(order(), round_id)
        if cards:
            rounds.record_cards(order(), round_id, cards)
            settlement.settle_due()
            assert [settled.phase for settled in latest(table).settlements] == ["roulette"]
        rounds.void_round(order(), round_id, "The deck is fouled.", SECOND)
    read()
    rating = one_rating(patron)
    assert (rating.decisions, rating.handle_cents, rating.actual_cents) == (1, 500, 500)


def test_wagers_belong_to_whom_the_round_names_not_to_whoever_sits_there_later(table: str) -> None:
    first, second = guest(), guest("Auguste Pell")
    seat_patron(order(), table, 3, first)
    rounds.open_round(order(), table)
    rounds.place_wagers(order(), latest(table).id, [Asked(3, "colour:red", 500)])
    rounds.close_bets(order(), latest(table).id)
    leave_seat(order(), table, 3)
    seat_patron(order(), table, 3, second)
    rounds.record_cards(order(), latest(table).id, [CardEntry(card) for card in roulette_card("As")])
    rounds.record_finished_round(order(), table, [Asked(3, "colour:red", 900)], roulette_card("As"))
    read()
    assert (one_rating(first).handle_cents, one_rating(second).handle_cents) == (500, 900)


def test_a_patron_who_sits_down_in_an_open_round_is_rated_in_it(table: str) -> None:
    patron = guest()
    rounds.open_round(order(), table)
    seat_patron(order(), table, 3, patron)
    rounds.place_wagers(order(), latest(table).id, [Asked(3, "colour:red", 500)])
    rounds.close_bets(order(), latest(table).id)
    rounds.record_cards(order(), latest(table).id, [CardEntry(card) for card in roulette_card("As")])
    read()
    assert one_rating(patron).handle_cents == 500


def test_the_estimate_stands_beside_the_real_average_with_the_difference(table: str) -> None:
    patron = guest()
    seat_patron(order(), table, 3, patron)
    rounds.record_finished_round(order(), table, [Asked(3, "colour:red", 5_400)], roulette_card("As"))
    estimate_rating(order(), table, 3, 9_000)
    estimate_rating(order(), table, 3, 6_000)
    read()
    rating = one_rating(patron)
    assert (rating.estimate_cents, rating.estimate_off) == (6_000, 600)
    assert rating.theo == 200
    assert rating.theo_by_estimate == Fraction(6_000, 27)


def test_time_at_the_seat_is_summed_over_visits_and_runs_on_while_seated(table: str) -> None:
    patron = guest()
    begun = datetime.now(UTC) - timedelta(hours=20)
    clock = [begun + timedelta(minutes=minutes) for minutes in (0, 25, 40, 50)]
    seat_patron(order(clock[0]), table, 3, patron)
    leave_seat(order(clock[1]), table, 3)
    seat_patron(order(clock[2]), table, 5, patron)
    catch_up()
    rating = one_rating(patron)
    assert rating.is_seated
    assert rating.seconds is not None
    assert rating.seconds > 19 * 3_600, "seated since long ago by the table's clock"
    tables.close_table(order(clock[3]), table, counted(1))
    catch_up()
    rating = one_rating(patron)
    assert (rating.seconds, rating.is_seated) == (35 * 60, False)
    assert rating.visit is not None
    assert (rating.visit.first_at, rating.visit.last_at, rating.visit.seat) == (clock[0], clock[3], 5)


def test_the_table_shows_who_sits_there_and_who_has_left(table: str) -> None:
    stayed, left = guest(), guest("Auguste Pell")
    seat_patron(order(), table, 3, stayed)
    seat_patron(order(), table, 1, left)
    seat_patron(order(), table, 2)
    leave_seat(order(), table, 1)
    catch_up()
    players = queries.players_at(TableBoard.objects.get())
    assert [(one.seat, one.is_taken, one.patron.name if one.patron else None) for one in players] == [
        (2, True, None),
        (3, True, "Mireille Okonjo"),
        (1, False, "Auguste Pell"),
    ]


def test_a_feeds_round_is_rated_by_who_sat_there_when_it_was_played(table: str) -> None:
    first, second = guest(), guest("Auguste Pell")
    clock = [datetime.now(UTC) - timedelta(minutes=minutes) for minutes in (60, 50, 40, 30, 20, 10)]
    seat_patron(order(clock[1]), table, 3, first)
    leave_seat(order(clock[3]), table, 3)
    seat_patron(order(clock[4]), table, 3, second)
    lines = [
        ImportedRound("shoe-7", str(n), table, at, [ImportedWager(3, "colour:red", 10**n)], list(NOTHING))
        for n, at in ((2, clock[0]), (3, clock[2]), (4, clock[3]), (5, clock[5]))
    ]
    assert [outcome.word for outcome in import_rounds(lines)] == ["new"] * 4
    read()
    assert one_rating(first).handle_cents == 1_000, "neither before sitting down nor after getting up"
    assert one_rating(second).handle_cents == 100_000


# ------------------------------------------------------------------------------------------------- however it is cut


@pytest.fixture
def busy(table: str) -> list[int]:
    """Everything that a rating is made of, with changes of seats in between."""
    people = [guest(f"Guest {n}") for n in range(3)]
    for n, patron in enumerate(people):
        seat_patron(order(), table, n + 1, patron)
        tables.buy_in(order(), table, 10_000 + n, n + 1)
    for n in range(6):
        asked = [Asked(seat, "colour:red", 100 * seat) for seat in (1, 2, 3, 4)] + [Asked(1, "flush", 50 + n)]
        rounds.record_finished_round(order(), table, asked, roulette_card("As" if n % 2 else "Kd"))
        if n == 2:
            settlement.settle_due()
            estimate_rating(order(), table, 2, 300)
            leave_seat(order(), table, 1)
            seat_patron(order(), table, 6, people[0])
            seat_patron(order(), table, 1)
    settlement.settle_due()
    tables.close_table(order(), table, counted(1))
    catch_up()
    return people


def contents() -> dict[str, list[Any]]:
    with connection.cursor() as cursor:
        found = {}
        for name in RATINGS.tables:
            cursor.execute(f"SELECT * FROM {name} ORDER BY 1, 2, 3")
            found[name] = sorted(map(repr, cursor.fetchall()))
    return found


@pytest.mark.parametrize("step", [1, 2, 7, 50])
def test_the_figures_are_the_same_however_the_log_is_cut(busy: list[int], step: int) -> None:
    live = contents()
    assert all(live.values())
    with transaction.atomic(), connection.cursor() as cursor:
        for name in RATINGS.tables:
            cursor.execute(f"DELETE FROM {name}")
        for after in range(0, last_position(), step):
            RATINGS.apply(cursor, after, after + step)
        assert contents() == live


def test_what_was_built_live_equals_what_is_rebuilt(busy: list[int]) -> None:
    assert rebuild(RATINGS, "owner", check=True, progress=lambda n: None) == []
    assert one_rating(busy[0]).decisions == 3
