"""The table terminal as a browser uses it: who may, what each press records, and what is refused in which words."""

import itertools
import re
from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth.models import Group, User
from django.http import HttpResponse
from django.test import Client

from casino.commands import settlement, tables
from casino.commands.dealers import put_on, take_off
from casino.commands.tables import latest_round
from casino.eventstore import history
from casino.keys import round_key
from casino.round.state import Round
from tests.played import DAN, PASSWORD, Played

EVE = "eve"
CARDS = "As Kd 9c 4h 2s"
serial = itertools.count(1)


def text_of(answer: HttpResponse) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", answer.content.decode()))


class Presses:
    """Somebody's browser at the terminal of one table; each press has a key of its own unless it is given one."""

    def __init__(self, client: Client, table: str) -> None:
        self.client, self.table = client, table

    def look(self) -> HttpResponse:
        return self.client.get(f"/tables/{self.table}/terminal/")

    def press(self, action: str, key: str = "", **form: Any) -> HttpResponse:
        """What the page posts: its own hidden fields, and what was entered."""
        hidden = dict(
            re.findall(r'type="hidden" name="(round|position)" value="([^"]*)"', self.look().content.decode())
        )
        headers = {"Idempotency-Key": key or f"press-{next(serial)}"}
        return self.client.post(f"/tables/{self.table}/terminal/{action}/", hidden | form, headers=headers)

    def step(self) -> str:
        found = re.search(r'data-step="(\w+)"', self.look().content.decode())
        assert found
        return found[1]

    @property
    def round(self) -> Round:
        session = tables.load_table(self.table).session
        assert session is not None
        found = latest_round(self.table, session.gaming_date)
        assert found is not None
        return found


@pytest.fixture
def staff(people: dict[str, User]) -> dict[str, User]:
    """Dan deals; Eve is of the floor, as Ana is."""
    people[DAN].groups.add(Group.objects.get_or_create(name="dealer")[0])
    people[EVE] = User.objects.create_user(EVE, password=PASSWORD)
    people[EVE].groups.add(Group.objects.get_or_create(name="floor")[0])
    return people


@pytest.fixture
def dan(played: Played, staff: dict[str, User], client_of: Callable[[str], Client]) -> Presses:
    """Dan on duty at R-01, which takes bets in round 4 and offers the progressive."""
    put_on(played.order(), "R-01", DAN)
    return Presses(client_of(DAN), "R-01")


@pytest.fixture
def holdem(played: Played, staff: dict[str, User], client_of: Callable[[str], Client]) -> Presses:
    """Dan at H-01, Royal Casino, open and without a round."""
    tables.set_up_table(played.order(), "H-01", game="royal-casino")
    played.open("H-01", 5_000_000)
    put_on(played.order(), "H-01", DAN)
    return Presses(client_of(DAN), "H-01")


# ------------------------------------------------------------------------------------------------- who may


def test_a_dealer_sees_terminals_and_rounds_and_nothing_else(dan: Presses, played: Played) -> None:
    seen = {path: dan.client.get(path).status_code for path in (
        "/terminals/", "/tables/R-01/terminal/", "/tables/R-01/terminal/_now/", "/tables/R-01/terminal/_recall/2/",
        f"/rounds/R-01/{played.day}/2/", f"/rounds/R-01/{played.day}/2/_round/", f"/jackpot/hits/R-01/{played.day}/2/",
    )}  # fmt: skip
    assert set(seen.values()) == {200}, seen
    for path in (
        "/_tiles/",
        "/tables/R-01/",
        "/drop-and-hold/",
        "/dealer-errors/",
        "/jackpot/meters/",
        "/api/v1/tables/",
    ):
        assert dan.client.get(path).status_code == 403, path
    assert dan.client.get("/").headers["Location"] == "/terminals/"


def test_a_press_needs_the_pages_token(dan: Presses, staff: dict[str, User]) -> None:
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(staff[DAN], backend="django.contrib.auth.backends.ModelBackend")
    assert strict.post("/tables/R-01/terminal/open/", headers={"Idempotency-Key": "k"}).status_code == 403


def test_the_list_of_terminals_has_the_open_tables(dan: Presses) -> None:
    said = text_of(dan.client.get("/terminals/"))
    assert "R-01 54 Card Roulette round 4, open" in said
    assert "R-02" not in said


def test_a_closed_table_says_who_opens_it(dan: Presses) -> None:
    closed = Presses(dan.client, "R-02")
    assert "Table R-02 is closed The floor opens it with its opener" in text_of(closed.look())
    assert dan.client.get("/tables/R-99/terminal/").status_code == 404
    assert dan.client.get("/tables/R-01/terminal/_recall/99/").status_code == 404


def test_the_terminal_carries_no_script_or_style_inside_and_every_field_has_a_label(dan: Presses) -> None:
    for _ in ("bets", "cards"):
        page = dan.look().content.decode()
        assert not re.search(r"<script(?![^>]*\bsrc=)|<[^>]*\son\w+=|<[^>]*\sstyle=", page)
        fields = re.findall(r'<(?:input|select) (?![^>]*type="(?:hidden|checkbox)")[^>]*id="([^"]+)"', page)
        assert fields
        assert set(fields) <= set(re.findall(r'<label for="([^"]+)"', page))
        ids = re.findall(r'\sid="([^"]+)"', page)
        assert sorted(ids) == sorted(set(ids))
        assert all("aria-label" in button or ">" in button for button in re.findall(r"<button[^>]*>", page))
        dan.press("bets", wagers="")


# ------------------------------------------------------------------------------------------------- a round


def test_a_round_goes_step_by_step(dan: Presses) -> None:
    assert dan.step() == "bets"
    dan.press("bets", wagers="3 split:As+Ks 2500\n3 colour:red 500\n4 progressive 100")
    assert dan.step() == "count"
    dan.press("count", count="1")
    assert dan.step() == "cards"
    answer = dan.press("cards", cards=CARDS)
    assert dan.step() == "pay"
    assert "Pay: roulette 5.00 stakes back 5.00 · take 25.00" in text_of(answer)
    assert "The settlement is being recorded; it is paid as shown." in text_of(answer)
    settlement.settle_due()
    assert "Record the difference" in text_of(dan.look())
    assert "Open round 5" in text_of(dan.look())
    dan.press("open")
    assert (dan.step(), dan.round.id.n) == ("bets", 5)


def test_the_roulette_card_is_paid_before_the_others_are_turned(dan: Presses) -> None:
    dan.press("bets", wagers="1 colour:red 500\n1 flush 100")
    answer = dan.press("cards", cards="?Kd???")
    assert "Pay now: roulette 5.00 stakes back 5.00" in text_of(answer)
    assert "Pay now: poker" not in text_of(answer)
    assert re.findall(r'data-slot="(\d)"', answer.content.decode()) == ["1", "3", "4", "5"]
    dan.press("cards", cards="As9c")
    dan.press("cards", cards="4h 2s")
    assert dan.round.hand
    assert [spot.card for _, spot in sorted(dan.round.felt.spots.items())] == CARDS.split()


def test_a_drawn_position_is_asked_for_before_any_card_is_turned(dan: Presses, played: Played) -> None:
    tables.set_up_table(played.order(), "R-05", game="54-card-roulette", method="drawn_position")
    played.open("R-05", 1_000_000)
    take_off(played.order(), "R-01")
    put_on(played.order(), "R-05", DAN)
    wheel = Presses(dan.client, "R-05")
    wheel.press("open")
    wheel.press("bets", wagers="1 colour:red 500")
    wheel.press("cards", cards=CARDS)
    assert wheel.step() == "draw"
    wheel.press("draw", position="2")
    assert wheel.step() == "pay"
    assert wheel.round.felt.drawn == 2


def test_a_hand_of_hold_em_waits_for_cards_and_seats_in_turn(holdem: Presses) -> None:
    assert holdem.step() == "ready"
    holdem.press("open")
    holdem.press("bets", wagers="2 ante 2500\n2 blind 2500\n2 bonus 500\n5 ante 1000\n5 blind 1000")
    assert "All 6 dealt, unseen" in text_of(holdem.look())
    holdem.press("cards", cards="??????")
    assert "Play 4× 100.00" in text_of(holdem.look())
    holdem.press("decide", moves="4 c")
    holdem.press("cards", cards="Kh9s5d")
    assert "Seat 5 decides" in text_of(holdem.look())
    holdem.press("decide", moves="c")
    holdem.press("cards", cards="3c2h")
    holdem.press("decide", moves="f")
    answer = holdem.look()
    assert re.findall(r'data-slot="(\d+)"', answer.content.decode()) == ["21", "22", "91", "92"]
    answer = holdem.press("cards", cards="AsKdKcQd")
    assert "Bank: One pair" in text_of(answer)
    assert "2 pay 125.00 stake back 150.00" in text_of(answer)


def test_an_automatic_shufflers_flop_is_turned_where_it_lies(holdem: Presses, played: Played) -> None:
    tables.set_up_table(played.order(), "H-02", game="royal-casino", method="automatic_shuffler")
    played.open("H-02", 1_000_000)
    take_off(played.order(), "H-01")
    put_on(played.order(), "H-02", DAN)
    table = Presses(holdem.client, "H-02")
    table.press("open")
    table.press("bets", wagers="1 ante 100\n1 blind 100")
    table.press("cards", cards="?" * 9)
    table.press("decide", moves="c")
    assert re.findall(r'data-slot="(\d+)"', table.look().content.decode()) == ["1", "2", "3"]
    table.press("cards", cards="Kh9s5d")
    assert table.step() == "decide"


def test_a_round_of_known_and_unseen_cards_goes_on_to_the_end(dan: Presses) -> None:
    dan.press("bets", wagers="3 colour:red 500")
    answer = dan.press("cards", cards="?Kd?4c2s")
    assert re.findall(r'data-slot="(\d)"', answer.content.decode()) == ["1", "3"]
    dan.press("cards", cards="5cX1")
    assert dan.step() == "pay"


def test_a_layout_without_a_wager_is_dealt_only_where_that_is_meant(dan: Presses) -> None:
    assert dan.press("bets", wagers="").headers["X-Refused"] == "layout_empty"
    assert dan.press("bets", wagers="", without_wagers="yes").status_code == 200


def test_hold_em_is_not_dealt_to_nobody(holdem: Presses) -> None:
    holdem.press("open")
    assert holdem.press("bets", wagers="", without_wagers="yes").headers["X-Refused"] == "no_hands"


def test_a_page_that_shows_the_table_as_it_is_is_not_drawn_again(dan: Presses) -> None:
    def seen() -> str:
        found = re.search(r"_now/\?seen=([\d-]+)", dan.look().content.decode())
        assert found
        return found[1]

    before = seen()
    assert dan.client.get(f"/tables/R-01/terminal/_now/?seen={before}").status_code == 204
    dan.press("place", wagers="3 colour:red 500")
    answer = dan.client.get(f"/tables/R-01/terminal/_now/?seen={before}")
    assert (answer.status_code, seen() != before) == (200, True)
    assert 'data-recorded="3 colour:red 500"' in answer.content.decode()


def test_a_wager_that_stands_already_is_withdrawn_by_its_number(dan: Presses) -> None:
    dan.press("place", wagers="3 colour:red 500\n3 rank:K 100")
    assert dan.press("withdraw", number="1").status_code == 200
    assert [s.placed.code for s in dan.round.wagers.values()] == ["rank:K"]


def test_the_last_three_rounds_are_recalled(dan: Presses) -> None:
    said = text_of(dan.look())
    assert "Round 3 Round 2 Round 1" in said
    said = text_of(dan.client.get("/tables/R-01/terminal/_recall/2/"))
    assert "RECALLED · SETTLED" in said
    assert "straight flush 1 pays 4,800.00" in said
    assert "Back to the table" in said


# ------------------------------------------------------------------------------------------------- once


def test_a_press_that_comes_twice_records_once(dan: Presses) -> None:
    before = len(history.of_stream(round_key("demo", dan.round.id)))
    form = {"round": str(dan.round.id), "wagers": "3 colour:red 500"}
    first, again = (
        dan.client.post("/tables/R-01/terminal/bets/", form, headers={"Idempotency-Key": "same"}) for _ in range(2)
    )
    assert (first.status_code, again.status_code) == (200, 200)
    assert len(history.of_stream(round_key("demo", dan.round.id))) == before + 2


def test_cards_and_decisions_that_come_twice_mean_the_same_both_times(holdem: Presses) -> None:
    holdem.press("open")
    holdem.press("bets", wagers="1 ante 100\n1 blind 100\n2 ante 100\n2 blind 100")
    position = re.search(r'name="position" value="(\d+)"', holdem.look().content.decode())
    assert position
    seen = {"round": str(holdem.round.id), "position": position[1]}
    for _ in range(2):
        answer = holdem.client.post(
            "/tables/H-01/terminal/cards/", seen | {"cards": "??????"}, headers={"Idempotency-Key": "cards"}
        )
        assert answer.status_code == 200, answer.content
    position = re.search(r'name="position" value="(\d+)"', holdem.look().content.decode())
    assert position
    seen["position"] = position[1]
    for _ in range(2):
        answer = holdem.client.post(
            "/tables/H-01/terminal/decide/", seen | {"moves": "c c"}, headers={"Idempotency-Key": "decide"}
        )
        assert answer.status_code == 200, answer.content
    assert len(holdem.round.felt.decisions) == 2


def test_all_bets_are_taken_with_no_more_bets_or_none(dan: Presses) -> None:
    answer = dan.press("bets", wagers="3 colour:red 500\n4 corner:As+2c 100")
    assert answer.status_code == 422
    assert answer.headers["X-Refused"]
    assert (dan.step(), dict(dan.round.wagers)) == ("bets", {})


# ------------------------------------------------------------------------------------------------- refusals


@pytest.mark.parametrize(
    ("action", "form", "code", "sentence"),
    [
        ("bets", {"wagers": "nonsense"}, "odd_wager", "is no wager; write a seat, the wager and its cents."),
        ("bets", {"wagers": "9 colour:red 500"}, "seat_out_of_range", "there is no seat 9."),
        ("bets", {"wagers": "1 split:As+2c 500"}, "cards_do_not_touch", "do not touch"),
        ("bets", {"wagers": "1 progressive 200"}, "side_bet_price", "costs exactly 100 cents, not 200."),
        ("count", {"count": ""}, "count_missing", "Say how many progressive chips were counted."),
        ("count", {"count": "1"}, "bets_open", "still takes bets"),
        ("cards", {"cards": "As Kx"}, "odd_cards", "can't be read as cards; write them like AsKd9h"),
        ("cards", {"cards": "As"}, "bets_open", "say no more bets before dealing"),
        ("decide", {"moves": "c"}, "no_decision_due", "the cards come first"),
        ("withdraw", {"number": "7"}, "no_such_wager", "has no standing wager number 7."),
        ("payout", {"number": "1", "paid": "ten"}, "odd_amount", "write it like 12400 or 12,400.50, with a point"),
        ("payout", {"number": "1", "paid": "12,50"}, "odd_amount", "'12,50' is not an amount"),
        ("payout", {"number": "1", "paid": "10"}, "no_such_wager", "has no wager number 1."),
        ("open", {}, "round_open", "is still open; finish or void it first."),
        ("bets", {"round": "R-02/2026-11-29/1"}, "unknown_round", "did not say which round it shows"),
    ],
)  # fmt: skip
def test_what_cannot_be_recorded_is_refused_in_a_sentence(dan: Presses, action, form, code, sentence) -> None:
    answer = dan.press(action, **form)
    assert answer.headers["X-Refused"] == code
    assert sentence in answer.content.decode()
    assert 400 <= answer.status_code < 500
    assert answer.headers["Content-Type"].startswith("text/plain")


def test_a_count_that_differs_stops_the_deal(dan: Presses) -> None:
    dan.press("bets", wagers="1 progressive 100\n2 progressive 100")
    answer = dan.press("count", count="1")
    assert "1 progressive chip was counted and 2 wagers stand" in answer.content.decode()
    assert dan.step() == "count"


def test_a_press_without_a_key_or_without_a_button_is_refused(dan: Presses) -> None:
    assert dan.client.post("/tables/R-01/terminal/open/").headers["X-Refused"] == "key_missing"
    assert dan.press("open", key="k" * 201).headers["X-Refused"] == "bad_key"
    assert dan.press("dance").status_code == 404
