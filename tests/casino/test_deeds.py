"""The forms of what the floor does at a table: each carried out, refused in words, and shown only where it may be."""

import itertools
import re
from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth.models import Group, User
from django.http import HttpResponse
from django.test import Client

from casino.commands import tables
from casino.commands.checks import owing
from casino.commands.patrons import make_patron
from casino.commands.seats import seat_patron
from casino.deeds.views import DEEDS
from casino.eventstore.follower import catch_up
from casino.table import Session
from tests.played import PASSWORD, Played

serial = itertools.count(1)
COUNT = {"chip_10000": "100", "first": "Dan Weber", "second": "Ana Ortiz"}
"""A hundred chips of 100.00: 10,000.00."""


def text_of(answer: HttpResponse) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", answer.content.decode()))


def session(code: str) -> Session:
    found = tables.load_table(code).session
    assert found is not None
    return found


@pytest.fixture
def floor(played: Played, people: dict[str, User]) -> Played:
    """R-03 is open without a round; Eve is of the floor as well, Finn deals."""
    for name, role in (("eve", "floor"), ("finn", "dealer"), ("gus", "dealer")):
        User.objects.create_user(name, password=PASSWORD).groups.add(Group.objects.get(name=role))
    played.open("R-03", 5_000_000)
    catch_up()
    return played


@pytest.fixture
def do(floor: Played, ana: Client) -> Callable[..., HttpResponse]:
    """Ana sends the form of a deed at R-03, unless another table is named."""

    def send(deed: str, code: str = "R-03", **form: str) -> HttpResponse:
        return ana.post(f"/tables/{code}/do/{deed}/", {"key": f"deed-{next(serial)}", **form})

    return send


def done(answer: HttpResponse, code: str = "R-03") -> None:
    assert answer.status_code == 302, text_of(answer)
    assert answer.headers["Location"] == f"/tables/{code}/"


def refused(answer: HttpResponse, status: int, words: str) -> None:
    assert answer.status_code == status
    assert words in text_of(answer)


@pytest.mark.parametrize("deed", DEEDS)
@pytest.mark.parametrize("code", ["R-02", "R-03"])
def test_every_form_is_shown_where_it_may_be_and_says_why_not_elsewhere(
    floor: Played, ana: Client, deed: str, code: str
) -> None:
    answer = ana.get(f"/tables/{code}/do/{deed}/")
    assert answer.status_code == 200
    is_possible = DEEDS[deed].when in ("always", "open" if code == "R-03" else "closed")
    assert ("is done" not in text_of(answer)) is is_possible
    labelled = set(re.findall(r'<label[^>]* for="([^"]+)"', answer.content.decode()))
    shown = set(re.findall(r'<(?:input|select|textarea) id="([^"]+)"', answer.content.decode()))
    assert shown <= labelled


def test_a_deed_or_table_that_is_not_there_is_not_found(floor: Played, ana: Client) -> None:
    for path in (
        "/tables/R-03/do/juggle/",
        "/tables/R-77/do/buy-in/",
        "/tables/r%2003/do/buy-in/",
        "/pits/Q/hand-over/",
    ):
        assert ana.get(path).status_code == 404


def test_nobody_but_the_floor_sees_a_form_or_its_buttons(floor: Played, ben: Client, ana: Client) -> None:
    assert ben.get("/tables/R-03/do/buy-in/").status_code == 403
    assert "/do/buy-in/" not in ben.get("/tables/R-03/").content.decode()
    assert "/do/buy-in/" in ana.get("/tables/R-03/").content.decode()
    assert "/do/open/" in ana.get("/tables/R-02/").content.decode()


# ------------------------------------------------------------------------------------------------- trays


def test_a_table_is_rolled_closed_and_opened_by_counts_of_chips(do: Callable[..., HttpResponse]) -> None:
    done(do("roll", **COUNT, session=session("R-03").name))
    assert (session("R-03").number, session("R-03").opener.total_cents) == (2, 1_000_000)  # type: ignore[union-attr]
    old = session("R-03").name.replace("/2", "/1")
    refused(do("roll", **COUNT, session=old), 409, "look at the table again")
    done(do("close", **COUNT, session=session("R-03").name))
    short = COUNT | {"chip_10000": "99"}
    answer = do("open", **short)
    refused(answer, 422, "Count again; if the difference stands")
    assert 'value="99"' in answer.content.decode()  # nothing is typed twice
    done(do("open", **short, explanation="One chip rolled under the table."))
    assert session("R-03").opener.denominations == {"10000": 990_000}  # type: ignore[union-attr]


def test_a_count_of_nothing_is_an_empty_tray_only_where_that_is_said(do: Callable[..., HttpResponse]) -> None:
    nothing = {"first": "Dan Weber", "second": "Ana Ortiz", "session": session("R-03").name}
    refused(do("close", **nothing), 422, "No chips are entered")
    refused(do("close", **COUNT | {"second": "dan weber"}), 403, "names one person twice")
    refused(do("close", **COUNT | {"chip_10000": "x"}), 422, "not a number of chips")
    done(do("close", **nothing, empty="yes"))


def test_a_sign_that_the_log_can_not_hold_is_refused_in_words(do: Callable[..., HttpResponse]) -> None:
    named = {**COUNT, "first": "Dan\0Weber", "session": session("R-03").name}
    refused(do("close", **named), 400, "holds a sign that is no letter")
    refused(do("open", "R-02", **COUNT, explanation="Two\0stacks"), 400, "holds a sign that is no letter")


def test_the_form_of_a_closed_table_is_for_one_that_did_not_open(
    do: Callable[..., HttpResponse], floor: Played
) -> None:
    refused(do("closed-form", "R-02", day=floor.day.isoformat()), 409, "was open on gaming day")
    floor.set_up("R-04")
    done(do("closed-form", "R-04", day=floor.day.isoformat()), "R-04")
    refused(do("closed-form", "R-04", day=floor.day.isoformat()), 409, "recorded already")
    refused(do("closed-form", "R-04", day="yesterday"), 422, "is not a gaming date")


# ------------------------------------------------------------------------------------------------- chips


def test_chips_are_sold_redeemed_and_exchanged(do: Callable[..., HttpResponse], floor: Played) -> None:
    patron = make_patron(floor.order(), "Oona Farrell").patron.pk
    seat_patron(floor.order(), "R-03", 3, patron)
    done(do("buy-in", seat="3", amount="1,025.50"))
    refused(do("buy-in", seat="3", amount="ten"), 422, "is not an amount")
    refused(do("buy-in", seat="3", amount="12,50"), 422, "is not an amount")  # and not 1,250.00
    done(do("check", seat="3", amount="500"))
    done(do("redemption", seat="3", chips="100", cash="50.00"))
    assert sum(one.owed_cents for one in owing(patron).checks.values()) == 35_000
    refused(do("redemption", seat="3", chips="400"), 409, "350.00 is owed on check 1")
    done(do("promo", serial="pr-1", seat="3", face="25"))
    done(do("coupon", serial="mp-1", kind="match_play", seat="3", face="25", end="won", winnings="50"))
    done(do("exchange", seat="3", taken_500="20", given_10000="1"))
    refused(do("exchange", taken_500="20", given_10000="2"), 422, "an exchange is of equal value")


def test_winnings_are_paid_elsewhere_by_the_rounds_number(do: Callable[..., HttpResponse]) -> None:
    form = {"seat": "1", "amount": "5.00", "payer": "cage"}
    refused(do("paid-elsewhere", "R-01", n="1", **form | {"amount": "5.01"}), 422, "Seat 1 won 5.00")
    done(do("paid-elsewhere", "R-01", n="1", **form), "R-01")
    refused(do("paid-elsewhere", "R-01", n="0", **form), 404, "There is no round 0")
    refused(do("paid-elsewhere", "R-01", n="77", **form), 404, "There is no round")


def test_an_entry_is_chosen_and_put_right_by_two(do: Callable[..., HttpResponse], ana: Client) -> None:
    done(do("buy-in", seat="3", amount="2000"))
    page = ana.get("/tables/R-03/do/correction/").content.decode()
    position = re.findall(r"\?entry=(\d+)", page)[0]
    assert "recorded as 2,000.00" in text_of(ana.get(f"/tables/R-03/do/correction/?entry={position}"))
    form = {"position": position, "amount_cents": "200", "reason": "a nought too many", "approver": "eve"}
    refused(do("correction", **form, password="wrong"), 403, "do not go together")
    done(do("correction", **form, password=PASSWORD))
    assert "200.00" in text_of(ana.get("/tables/R-03/do/correction/"))
    assert ana.get("/tables/R-03/do/correction/?entry=1").status_code == 404


# ------------------------------------------------------------------------------------------------- dealers, decks


def test_a_dealer_is_put_on_relieved_and_taken_off(do: Callable[..., HttpResponse]) -> None:
    done(do("dealer", dealer="finn"))
    done(do("dealer", dealer="gus", relieves="finn"))
    assert session("R-03").dealer == "gus"
    refused(do("dealer", dealer="finn", relieves="finn"), 409, "gus deals at R-03 meanwhile")
    refused(do("dealer", "R-01", dealer="gus"), 409, "gus deals at R-03")
    done(do("dealer-off"))
    refused(do("dealer-off"), 409, "Nobody deals at R-03")


def test_a_deck_is_recorded_and_shown(do: Callable[..., HttpResponse], ana: Client) -> None:
    refused(do("deck", deck="red", move="in", cards="53"), 422, "counted to 53")
    done(do("deck", deck="red", move="in", cards="54"))
    assert "red (54 cards)" in text_of(ana.get("/tables/R-03/do/deck/"))


def test_limits_are_announced_and_shown_until_they_hold(
    do: Callable[..., HttpResponse], ana: Client, floor: Played
) -> None:
    posted = {"least_colour": "5.00", "most_colour": "500.00", "round_most": "1,000,000.00"}
    refused(do("limits", "R-01", **posted), 409, "nothing would change")
    seat_patron(floor.order(), "R-01", 5)
    refused(do("limits", "R-01", **posted | {"least_colour": "10"}), 403, "for a pit manager")
    refused(do("limits", "R-01", **posted | {"least_colour": "1"}, **{"from": "2026-01-01T10:00"}), 422, "too soon")
    refused(do("limits", "R-01", **posted | {"least_colour": "1"}, **{"from": "soon"}), 422, "no date and time")
    done(do("limits", "R-01", **posted | {"least_colour": "1"}), "R-01")
    assert "Announced by ana" in text_of(ana.get("/tables/R-01/"))
    assert "colour 1.00 to 500.00" in text_of(ana.get("/tables/R-01/do/limits/"))


def test_a_form_sent_twice_does_it_once(do: Callable[..., HttpResponse], ana: Client) -> None:
    form: dict[str, Any] = {"key": "once", "seat": "3", "amount": "100"}
    for _ in range(2):
        done(ana.post("/tables/R-03/do/buy-in/", form))
    refused(ana.post("/tables/R-03/do/buy-in/", form | {"amount": "200"}), 409, "was used before")
    page = ana.get("/tables/R-03/do/correction/").content.decode()
    assert len(re.findall(r"\?entry=\d+", page)) == 1


# ------------------------------------------------------------------------------------------------- a pit


def test_a_pit_is_handed_over_with_what_is_open_in_it(floor: Played, ana: Client) -> None:
    tables.set_up_table(floor.order(), "R-03", game="54-card-roulette", pit="P-1")
    catch_up()
    assert "R-03" in text_of(ana.get("/pits/P-1/hand-over/"))
    form = {"key": "pit-1", "incoming": "eve", "note": "quiet"}
    refused(ana.post("/pits/P-1/hand-over/", form | {"password": "wrong"}), 403, "do not go together")
    assert ana.post("/pits/P-1/hand-over/", form | {"password": PASSWORD}).status_code == 302
    assert "eve has it, from ana" in text_of(ana.get("/pits/P-1/hand-over/"))
    assert "“quiet”" in text_of(ana.get("/pits/P-1/hand-over/"))
