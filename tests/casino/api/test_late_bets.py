"""A late bet given back over HTTP, and what the floor, the books, the meter and a rating make of it."""

from fractions import Fraction
from typing import Any

import pytest

from casino.commands.patrons import make_patron
from casino.commands.seats import seat_patron
from casino.commands.settlement import settle_due
from casino.eventstore.follower import catch_up
from casino.eventstore.rebuild import rebuild
from casino.games import game
from casino.models import RoundBoard
from casino.projections import BOARD
from casino.queries import patrons as ratings
from casino.ratings import RATINGS
from jackpot import queries as meters
from jackpot.projections import METERS
from ledger.projections import BOOKS
from ledger.queries.days import rows_of
from tests.casino.api.conftest import APPROVED, Terminal, order
from tests.casino.api.test_rounds import CARDS, refused

LATE = {"number": 1, "reason": "It came after the call."}


@pytest.fixture
def closed(playing: Terminal) -> Terminal:
    """Seat 1: red 500 and spades 300; seat 2: red 700; seat 2 and 3: the progressive. No more bets."""
    playing.bet(
        (1, "colour:red", 500), (1, "suit:s", 300), (2, "colour:red", 700), (2, "progressive", 100),
        (3, "progressive", 100),
    )  # fmt: skip
    playing.on_round("close-bets")
    return playing


def test_a_late_bet_goes_back_by_two_people_once(closed: Terminal) -> None:
    answer = closed.approved("late-bets/void", LATE, key="late")
    assert answer.status_code == 201, answer.json()
    assert [one["number"] for one in answer.json()["wagers"]] == [2, 3, 4, 5]
    assert answer.json()["late_bets"] == [
        {
            "number": 1, "seat": 1, "wager": "colour:red", "stake_cents": 500, "reason": "It came after the call.",
            "requested_by": "device:R-01 terminal", "approved_by": "eve",
        }
    ]  # fmt: skip
    again = closed.approved("late-bets/void", LATE, key="late")
    assert (again.status_code, again.json()["replayed"], again.json()["late_bets"]) == (
        200, True, answer.json()["late_bets"],
    )  # fmt: skip
    refused(closed.approved("late-bets/void", LATE), "no_such_wager", 422)


@pytest.mark.parametrize(
    ("body", "code", "status"),
    [
        (APPROVED | {"reason": "Late."}, "bad_request", 400),
        (APPROVED | LATE | {"number": "1"}, "bad_request", 400),
        (APPROVED | LATE | {"number": 77}, "no_such_wager", 422),
        (APPROVED | LATE | {"reason": " "}, "bad_request", 400),
        (LATE, "bad_request", 400),
        (APPROVED | LATE | {"password": "guessed"}, "approval_wrong", 403),
    ],
)
def test_what_is_not_said_or_not_approved_gives_nothing_back(closed: Terminal, body, code: str, status: int) -> None:
    refused(closed.on_round("late-bets/void", body), code, status)
    assert len(closed.read()["wagers"]) == 5


def test_a_bet_is_late_after_the_call_and_before_the_cards_decide_it(playing: Terminal) -> None:
    playing.bet((1, "colour:red", 500), (1, "flush", 100))
    refused(playing.approved("late-bets/void", LATE), "bets_open", 409)
    playing.on_round("close-bets")
    playing.on_round("cards", {"cards": CARDS[:2]})
    refused(playing.approved("late-bets/void", LATE), "wager_decided", 409)
    settle_due()
    assert playing.approved("late-bets/void", LATE | {"number": 2}).status_code == 201
    playing.on_round("cards", {"cards": CARDS[2:]})
    refused(playing.approved("late-bets/void", LATE), "wager_decided", 409)
    settle_due()
    assert [len(one["lines"]) for one in playing.read()["settlements"]] == [1, 0]
    refused(playing.approved("late-bets/void", LATE), "round_settled", 409)


def test_a_progressive_goes_back_alone_only_before_it_is_in_the_meter(closed: Terminal) -> None:
    assert closed.approved("late-bets/void", LATE | {"number": 5}).status_code == 201
    refused(closed.on_round("collect-progressive", {"count": 2}), "progressive_count_differs", 422)
    assert closed.on_round("collect-progressive", {"count": 1}).json()["progressive"]["seats"] == [2]
    refused(closed.approved("late-bets/void", LATE | {"number": 4}), "late_bet_collected", 409)
    assert closed.approved("void", {"reason": "The whole round."}).json()["voided"]["refunds"] == [
        {"number": number, "seat": seat, "stake_cents": cents}
        for number, seat, cents in ((1, 1, 500), (2, 1, 300), (3, 2, 700), (4, 2, 100))
    ]
    catch_up()
    assert meters.meter_of("main").display_cents == 500_000


def test_the_books_the_floor_the_meter_and_the_rating_know_nothing_of_a_bet_that_went_back(closed: Terminal) -> None:
    """Spades win 900 on 300; red 700 loses, one progressive is racked: G = 700 + 100 − 900, handle 300 + 700 + 100."""
    patron = make_patron(order(), "Mireille Okonjo").patron.pk
    closed.approved("late-bets/void", LATE)
    closed.approved("late-bets/void", LATE | {"number": 5})
    closed.on_round("collect-progressive", {"count": 1})
    closed.on_round("cards", {"cards": ["Kd", "As", "9h", "4c", "2s"]})
    _a_rated_round(closed, patron)
    settle_due()
    catch_up()
    first = RoundBoard.objects.get(n=1)
    assert (first.wagers, first.stakes_cents, first.handle_cents) == (3, 1_100, 1_000)
    assert (first.collected_cents, first.winnings_cents, first.progressive_cents) == (700, 900, 100)
    (row,), _ = rows_of(first.gaming_date)
    assert (row.handle_cents, row.result.facts.game_result) == (1_300, 900 + 100 - 900)
    (rating,) = ratings.ratings_of(patron)
    edge = next(one.house_edge for one in game("54-card-roulette").odds("printed") if one.wager == "colour")
    assert (rating.handle_cents, rating.theo, rating.average_bet) == (200, 200 * edge, Fraction(200))
    for follower in (BOARD, BOOKS, RATINGS, METERS):
        assert rebuild(follower, "owner", check=True, progress=lambda n: None) == []


def _a_rated_round(terminal: Terminal, patron: int) -> None:
    """Seat 5 is rated; its red 200 loses, its flush of 400 came late."""
    seat_patron(order(), "R-01", 5, patron)
    terminal.open_round()
    terminal.bet((5, "colour:red", 200), (5, "flush", 400))
    terminal.on_round("close-bets")
    terminal.on_round("cards", {"cards": ["Kd", "As"]})
    assert terminal.approved("late-bets/void", LATE | {"number": 2}).status_code == 201
    terminal.on_round("cards", {"cards": ["9h", "4c", "2s"]})


def test_hold_em_gives_a_hand_back_whole(database: Any, redis_url: str) -> None:
    from casino.commands.tables import set_up_table

    set_up_table(order(), "H-01", game="royal-casino")
    hands = Terminal("H-01")
    hands.open_table()
    hands.open_round()
    hands.bet((2, "ante", 1000), (2, "blind", 1000), (5, "ante", 500), (5, "blind", 500), (5, "bonus", 100))
    hands.on_round("close-bets")
    answer = hands.approved("late-bets/void", LATE | {"number": 4}).json()
    assert [late["wager"] for late in answer["late_bets"]] == ["ante", "blind", "bonus"]
    answer = hands.on_round("cards", {"cards": ["As", "Kd", "Kc", "Qd"]}).json()
    assert [card["name"] for card in answer["cards"]] == ["seat 2, card 1", "seat 2, card 2", "bank 1", "bank 2"]
    assert refused(hands.approved("late-bets/void", LATE), "hand_dealt", 409).startswith(
        "The cards are dealt to seat 2"
    )
