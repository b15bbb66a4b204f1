"""The pages of patrons and seats: the floor writes, accounting reads, and everybody else is told so."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from casino.commands import rounds, tables
from casino.commands.patrons import erase_patron, make_patron
from casino.commands.seats import estimate_rating, seat_patron
from casino.eventstore.follower import catch_up
from casino.models import Patron
from casino.round.betting import Asked
from tests.played import BEN, DAN, SECOND, Played, ana, ben, client_of, people, played, statements, tess

__all__ = ["ana", "ben", "client_of", "people", "played", "statements", "tess"]


def text_of(answer: Any) -> str:
    """The words of a page, without its tags and line breaks."""
    return re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", answer.content.decode()))


def rows_of(answer: Any) -> list[list[str]]:
    """The cells of the page's tables, row by row."""
    rows = re.findall(r"<tr>(.*?)</tr>", answer.content.decode(), re.S)
    cells = [re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row, re.S) for row in rows]
    return [[re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", cell)).strip() for cell in row] for row in cells]


ESTIMATED = ("60.00 by ana, +6.00 off the real one", "2.00 by the estimate 2.22")
"""60.00 × 1 decision × 2/54 is 2.22."""


@pytest.fixture
def rated(played: Played) -> Patron:
    """Seat 3 of R-01, rated: red 5,400 loses to the ace of spades, so theo is 5,400 × 2/54 = 200; estimate 60.00."""
    patron = make_patron(played.order(), "Mireille Okonjo").patron
    rounds.void_round(played.order(), played.round(4), "To begin anew", SECOND)
    seat_patron(played.order(), "R-01", 3, patron.pk)
    seat_patron(played.order(), "R-01", 5)
    tables.buy_in(played.order(), "R-01", 20_000, 3)
    played.finish("R-01", [Asked(3, "colour:red", 5_400)], ["Kd", "As", "9c", "4h", "2s"])
    estimate_rating(played.order(), "R-01", 3, 6_000)
    played.read()
    return patron


def test_the_tables_page_shows_its_players_with_real_figures_and_the_estimate(ana: Client, rated: Patron) -> None:
    answer = ana.get("/tables/R-01/")
    (mine,) = [row for row in rows_of(answer) if "Mireille" in " ".join(row)]
    assert mine == [
        "3", f"Mireille Okonjo {rated.pk}", "0 min", "200.00", "1", "54.00", *ESTIMATED,
        "+54.00 house ahead",
    ]  # fmt: skip
    (other,) = [row for row in rows_of(answer) if "unrated" in row]
    assert other[0] == "5"
    assert other[3:] == ["—"] * 6


def test_a_patrons_page_shows_days_and_tables(ben: Client, rated: Patron) -> None:
    answer = ben.get(f"/patrons/{rated.pk}/")
    (row,) = [row for row in rows_of(answer) if row[0] == "R-01"]
    assert row[3:] == ["200.00", "1", "54.00", *ESTIMATED, "+54.00 house ahead"]
    assert "54 Card Roulette · handle 54.00" in row[1]
    assert "Rename" not in text_of(answer), "accounting reads"


def test_the_floor_adds_finds_and_renames(ana: Client, database: Any) -> None:
    answer = ana.post("/patrons/add/", {"name": " Auguste   Pell ", "key": "one"}, follow=True)
    patron = Patron.objects.get()
    assert answer.redirect_chain == [(f"/patrons/{patron.pk}/", 302)]
    assert "Auguste Pell" in text_of(answer)
    assert "has not sat at a table yet" in text_of(answer)
    ana.post("/patrons/add/", {"name": "Auguste Pell", "key": "one"})
    assert Patron.objects.count() == 1, "a form sent twice makes one"
    assert "Auguste Pell" in text_of(ana.get("/patrons/?q=aug"))
    assert "No patron of this name" in text_of(ana.get("/patrons/?q=nobody"))
    ana.post(f"/patrons/{patron.pk}/rename/", {"name": "A. Pell", "key": "two"})
    assert "A. Pell" in text_of(ana.get("/patrons/"))


def test_a_long_list_of_patrons_is_paged_and_says_how_many_there_are(ana: Client, database: Any) -> None:
    Patron.objects.bulk_create([Patron(name=f"Guest {n}", made_by="ana", made_key=f"k{n}") for n in range(51)])
    assert "Page 1 of 2 · 1 to 50 of 51" in text_of(ana.get("/patrons/?q=guest"))
    answer = ana.get("/patrons/?q=guest&page=2")
    assert [one.name for one in answer.context["shown"]] == ["Guest 0"]
    assert 'href="?q=guest&amp;page=1"' in answer.content.decode()


def test_a_name_that_is_none_is_refused_on_the_page(ana: Client, database: Any) -> None:
    answer = ana.post("/patrons/add/", {"name": "x" * 90, "key": "one"})
    assert answer.status_code == 422
    assert "1 to 80 letters" in text_of(answer)


def test_erasing_asks_first(ana: Client, database: Any, played: Played) -> None:
    patron = make_patron(played.order(), "Auguste Pell").patron
    asked = ana.get(f"/patrons/{patron.pk}/erase/")
    assert "can't be brought back" in text_of(asked).replace("&#x27;", "'")
    patron.refresh_from_db()
    assert patron.name == "Auguste Pell"
    answer = ana.post(f"/patrons/{patron.pk}/erase/", {"key": "sure"}, follow=True)
    assert "Erased patron" in text_of(answer)
    assert "Auguste" not in text_of(answer)
    assert "Erase the name" not in text_of(answer)


def test_the_seats_page_seats_frees_and_estimates(ana: Client, played: Played) -> None:
    patron = make_patron(played.order(), "Auguste Pell").patron
    page = "/tables/R-01/seats/"
    send = {"seat": "2", "do": "seat", "patron": str(patron.pk), "key": "a"}
    assert "Auguste Pell" in text_of(ana.post(page, send, follow=True))
    again = ana.post(page, {**send, "key": "b"})
    assert (again.status_code, "Seat 2 of R-01 is taken" in text_of(again)) == (409, True)
    assert ana.post(page, {"seat": "4", "do": "seat", "patron": "", "key": "c"}).status_code == 302
    assert ana.post(page, {"seat": "2", "do": "estimate", "average": "1,025.50", "key": "d"}).status_code == 302
    assert ana.post(page, {"seat": "2", "do": "leave", "key": "e"}).status_code == 302
    catch_up()
    estimates = [row for row in rows_of(ana.get("/tables/R-01/")) if "1,025.50" in " ".join(row)]
    assert len(estimates) == 1


def test_a_seat_is_touched_and_then_who_sits_down_there(ana: Client, played: Played) -> None:
    first, second = (make_patron(played.order(), name).patron for name in ("Auguste Pell", "Mireille Okonjo"))
    page = ana.get("/tables/R-01/seats/?seat=2").content.decode()
    assert re.findall(r'name="patron" value="(\d*)"', page) == ["", str(second.pk), str(first.pk)]
    found = ana.get("/tables/R-01/seats/?seat=2&find=pell").content.decode()
    assert re.findall(r'name="patron" value="(\d*)"', found) == ["", str(first.pk)]
    assert "No patron has “zz” in the name" in text_of(ana.get("/tables/R-01/seats/?seat=2&find=zz"))
    assert "Who sits" not in text_of(ana.get("/tables/R-01/seats/?seat=99"))


@pytest.mark.parametrize(
    "sent",
    [{"seat": "x", "do": "leave"}, {"seat": "2", "do": "seat", "patron": "Auguste"}, {"seat": "2"}, {},
     {"seat": "2", "do": "estimate", "average": "lots"}, {"seat": "2", "do": "leave", "key": ""}],
)  # fmt: skip
def test_odd_forms_are_refused_in_words(ana: Client, played: Played, sent: dict[str, str]) -> None:
    answer = ana.post("/tables/R-01/seats/", {"key": "odd", **sent})
    assert answer.status_code in (400, 409, 422)
    assert 'role="alert"' in answer.content.decode()


def test_accounting_may_look_but_not_write(ben: Client, rated: Patron) -> None:
    for page in ("/patrons/", f"/patrons/{rated.pk}/", "/tables/R-01/_players/"):
        assert ben.get(page).status_code == 200
    for page in ("/patrons/add/", f"/patrons/{rated.pk}/rename/", f"/patrons/{rated.pk}/erase/", "/tables/R-01/seats/"):
        assert ben.post(page, {"name": "X", "key": "k"}).status_code == 403
    rated.refresh_from_db()
    assert rated.name == "Mireille Okonjo"


def test_nobody_without_a_role_sees_a_name(client_of: Callable[[str], Client], rated: Patron) -> None:
    for client in (client_of(DAN), Client()):
        for page in ("/patrons/", f"/patrons/{rated.pk}/", "/tables/R-01/_players/", "/tables/R-01/seats/"):
            answer = client.get(page)
            assert answer.status_code in (302, 403)
            assert "Mireille" not in answer.content.decode()


def test_what_is_not_there_is_said(ana: Client, played: Played) -> None:
    for page in ("/patrons/999/", f"/patrons/{2**70}/", "/patrons/999/erase/", "/tables/NO-1/seats/"):
        assert ana.get(page).status_code == 404
    assert "Players sit down once the table is open" in text_of(ana.get("/tables/R-02/seats/"))
    assert "Nobody has been seated" in text_of(ana.get("/tables/R-03/"))


def test_the_name_of_an_erased_patron_is_on_no_page(ana: Client, rated: Patron, played: Played) -> None:
    erase_patron(played.order(BEN), rated.pk)
    for page in ("/patrons/", f"/patrons/{rated.pk}/", "/tables/R-01/", "/tables/R-01/seats/"):
        answer = ana.get(page)
        assert "Mireille" not in answer.content.decode()
        assert "erased patron" in text_of(answer).lower()


def test_the_players_cost_the_same_queries_however_many_sit_there(
    ana: Client, rated: Patron, played: Played, statements: list[str]
) -> None:
    def cost() -> int:
        statements.clear()
        assert ana.get("/tables/R-01/_players/").status_code == 200
        return len(statements)

    cost()
    before = cost()
    for seat in (1, 2, 6):
        seat_patron(played.order(), "R-01", seat, make_patron(played.order(), f"Guest {seat}").patron.pk)
    catch_up()
    assert cost() == before
