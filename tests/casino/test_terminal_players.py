"""Players at the terminal: shown at their seats to everybody there; seated, freed and bought in by the floor."""

from typing import Any

import pytest

from casino.commands.patrons import make_patron
from casino.commands.seats import seat_patron
from casino.commands.tables import load_table
from casino.eventstore import history
from tests.casino.test_terminal import Presses, dan, holdem, staff, text_of
from tests.played import ANA, Played

__all__ = ["dan", "holdem", "staff"]


@pytest.fixture
def floor(dan: Presses, client_of: Any) -> Presses:
    """Ana of the floor at the same terminal."""
    return Presses(client_of(ANA), "R-01")


def entries() -> list[Any]:
    return history.of_stream(load_table("R-01").session_key)


def test_a_seat_shows_who_sits_there(dan: Presses, played: Played) -> None:
    patron = make_patron(played.order(), "Mireille Okonjo").patron
    seat_patron(played.order(), "R-01", 3, patron.pk)
    seat_patron(played.order(), "R-01", 5)
    page = dan.look().content.decode()
    assert 'aria-label="Seat 3, Mireille Okonjo"' in page
    assert 'aria-label="Seat 5, unrated"' in page
    assert 'aria-label="Seat 4"' in page


def test_a_hand_of_hold_em_names_its_player(holdem: Presses, played: Played) -> None:
    patron = make_patron(played.order(), "Mireille Okonjo").patron
    seat_patron(played.order(), "H-01", 2, patron.pk)
    holdem.press("open")
    assert "Seat 2 Mireille Okonjo" in text_of(holdem.look())
    answer = holdem.press("bets", wagers="2 ante 100\n2 blind 100")
    assert '<span class="hand-of__who">Mireille Okonjo</span>' in answer.content.decode()


def test_the_floor_seats_buys_in_and_frees_at_the_terminal(floor: Presses, played: Played) -> None:
    patron = make_patron(played.order(), "Mireille Okonjo").patron
    said = text_of(floor.press("players/seat", seat="3", patron=str(patron.pk)))
    assert "Seat 3 is taken." in said
    assert "3 Mireille Okonjo" in said
    assert "A buy-in of 12,500.00 at seat 3 is recorded." in text_of(
        floor.press("players/buy-in", seat="3", amount="12,500")
    )
    bought = entries()[-1].content
    assert (bought["seat"], bought["amount_cents"], bought["patron_id"]) == (3, 1_250_000, patron.pk)
    assert "Seat 3 is free." in text_of(floor.press("players/leave", seat="3"))
    session = load_table("R-01").session
    assert session is not None
    assert 3 not in session.seats


def test_a_press_that_comes_twice_is_recorded_once(floor: Presses) -> None:
    for _ in range(2):
        answer = floor.press("players/buy-in", key="once", seat="1", amount="25")
        assert answer.status_code == 200
    assert [entry.content["amount_cents"] for entry in entries() if entry.type == "cash_bought_in"][2:] == [2_500]


def test_the_terminal_says_nothing_of_thresholds_of_cash(floor: Presses) -> None:
    """A buy-in above every mark of the profile: the terminal stands where the patron can read it."""
    said = text_of(floor.press("players/buy-in", seat="2", amount="30,000")).lower()
    assert "30,000.00 at seat 2 is recorded" in said
    assert not [word for word in ("threshold", "reporting", "ctr", "aggregate", "suspicious") if word in said]


@pytest.mark.parametrize(
    ("action", "form", "code", "status"),
    [
        ("seat", {"seat": ""}, "seat_missing", 422),
        ("seat", {"seat": "2", "patron": "Auguste"}, "odd_patron", 422),
        ("seat", {"seat": "2", "patron": "999"}, "unknown_patron", 404),
        ("seat", {"seat": "99"}, "seat_out_of_range", 422),
        ("leave", {"seat": "4"}, "seat_empty", 409),
        ("buy-in", {"seat": "2", "amount": "lots"}, "odd_amount", 422),
        ("buy-in", {"seat": "2", "amount": "0"}, "amount_not_positive", 422),
    ],
)
def test_what_cannot_be_is_refused_in_words(floor: Presses, action, form, code: str, status: int) -> None:
    before = len(entries())
    answer = floor.press(f"players/{action}", **form)
    assert (answer.headers["X-Refused"], answer.status_code) == (code, status)
    assert answer.content.decode().endswith(".")
    assert len(entries()) == before


def test_a_dealer_sees_players_and_changes_none(dan: Presses) -> None:
    assert 'id="players"' not in dan.look().content.decode()
    assert dan.press("players/seat", seat="2").status_code == 403
    assert dan.client.post("/tables/R-01/terminal/players/nothing/").status_code == 403
