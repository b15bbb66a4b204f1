"""Drop and hold in a browser: the day, a figure down to its events, and the soft count."""

import re
from datetime import timedelta

import pytest
from django.test import Client

from casino.commands import tables
from casino.eventstore.follower import catch_up
from ledger.figures import FIGURES
from ledger.queries import days, opened
from tests.played import Played


def text_of(answer) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", answer.content.decode()))


@pytest.fixture
def followed(monkeypatch: pytest.MonkeyPatch) -> None:
    """The running follower's part: what was recorded is read before the page waits for it."""
    waited = days.wait_until_read
    monkeypatch.setattr(days, "wait_until_read", lambda position: catch_up() >= position and waited(position))


# ------------------------------------------------------------------------------------------------- the day


def test_the_day_shows_recorded_counted_and_difference_with_states_in_words(played: Played, ana: Client) -> None:
    played.count()
    said = text_of(ana.get("/drop-and-hold/"))
    assert "1 complete · 0 without a drop count · 1 open" in said
    assert "R-01 open Recorded 19.00 −4,792.00 700.00 44,508.00 −4,792.00 −684.6 %" in said
    assert (
        "Counted the table is open, so its tray is not counted yet; the box is not counted yet 50,000.00 — — — —"
        in said
    )
    assert "R-02 complete, differs Recorded 10.00 +10.00 100.00 19,910.00 +10.00 10.0 %" in said
    assert "Counted 20,000.00 99.00 19,905.00 +4.00 4.0 %" in said
    assert "Difference box short · tray short −1.00 −5.00 −6.00" in said


def test_every_figure_is_a_link_that_opens(played: Played, ana: Client) -> None:
    page = ana.get("/drop-and-hold/").content.decode()
    links = set(re.findall(r'href="(/drop-and-hold/\d[^"?]+)"', page))
    assert len(links) == 3 * 14
    for link in links:
        assert ana.get(link).status_code == 200, link


def test_an_unknown_figure_is_a_dash_with_its_reason(played: Played, ana: Client) -> None:
    page = ana.get("/drop-and-hold/").content.decode()
    assert 'aria-label="Counted drop not known: the box is not counted yet">—</a>' in page
    assert ">0.00<" not in page.split('id="day-R-01"')[1].split("</tbody>")[0]


def test_the_days_are_walked_by_buttons_and_by_date(played: Played, ana: Client) -> None:
    today = ana.get("/drop-and-hold/").content.decode()
    before = (played.day - timedelta(days=1)).isoformat()
    assert f'rel="prev" href="?gaming_date={before}"' in today
    assert 'rel="next"' not in today
    empty = ana.get("/drop-and-hold/", {"gaming_date": before})
    assert "No table was open on" in text_of(empty)
    assert f'rel="next" href="?gaming_date={played.day}"' in empty.content.decode()


def test_the_books_before_the_first_opener_say_so(database, ana: Client) -> None:
    assert "The books begin with the first opener." in text_of(ana.get("/drop-and-hold/"))


@pytest.mark.parametrize("day", ["nonsense", "2026-02-30", "0001-01-01", "9999-12-31", "2026-1-1"])
def test_a_bad_date_is_a_page_with_a_sentence(database, ana: Client, day: str) -> None:
    answer = ana.get("/drop-and-hold/", {"gaming_date": day})
    assert answer.status_code == 400
    assert "is not a gaming date; write it like 2026-11-29." in text_of(answer)


# ------------------------------------------------------------------------------------------------- one figure


@pytest.mark.parametrize("code", list(FIGURES))
def test_a_figure_shows_its_formula_and_is_proven(played: Played, ana: Client, code: str) -> None:
    played.count()
    for table in ("R-01", "R-02"):
        said = text_of(ana.get(played.address(table, code)))
        assert FIGURES[code].formula in said
        assert "✓ Proven." in said
    assert FIGURES[code].formula in text_of(ana.get(played.address("all", code)))


def test_the_game_result_opens_into_parts_events_and_rounds(played: Played, ana: Client) -> None:
    answer = ana.get(played.address("R-01", "game-result"))
    said = text_of(answer)
    assert "Stakes collected 10.00 + Progressive stakes racked 4.00" in said
    assert "− Progressive stakes refunded by voids 1.00 − Winnings due 4,805.00 = Game result (G) −4,792.00" in said
    assert "4,805.00 from 4 events" in said
    assert f'href="/rounds/R-01/{played.day}/2/#event-' in answer.content.decode()


def test_a_figure_that_its_events_do_not_make_is_told_loudly(played: Played, ana: Client) -> None:
    from ledger.models import TablePeriod

    TablePeriod.objects.filter(table_code="R-01").update(cash_cents=1)
    assert "✗ The events below do not make this figure." in text_of(ana.get(played.address("R-01", "recorded-drop")))


def test_all_events_of_a_kind_are_listed_page_by_page(played: Played, ana: Client, monkeypatch) -> None:
    monkeypatch.setattr(opened, "EVENTS_A_PAGE", 3)
    first = ana.get(played.address("R-01", "game-result"), {"events": "winnings"})
    (more,) = re.findall(r'href="([^"]+)">Next events', first.content.decode())
    second = ana.get(more.replace("&amp;", "&"))
    assert "First events" in text_of(second)
    assert (first.content.count(b"wagers settled"), second.content.count(b"wagers settled")) == (3, 1)


@pytest.mark.parametrize(
    ("path", "status", "sentence"),
    [
        ("{day}/R-01/luck/", 404, "There is no figure"),
        ("{day}/all/luck/", 404, "There is no figure"),
        ("{day}/R-99/win/", 404, "has no figures on gaming day"),
        ("2001-01-01/all/win/", 404, "No table has figures on gaming day 2001-01-01."),
        ("2001-02-30/R-01/win/", 400, "is not a gaming date"),
        ("{day}/R-01/win/?events=luck", 404, "is no part of this figure"),
        ("{day}/R-01/win/?events=first-opener&after=x", 400, "is no place in a list of events"),
        ("{day}/R%00/win/", 404, "has no figures"),
    ],
)
def test_bad_addresses_get_a_page_with_a_sentence(played: Played, ana: Client, path, status, sentence) -> None:
    answer = ana.get(f"/drop-and-hold/{path.format(day=played.day)}")
    assert answer.status_code == status
    assert sentence in text_of(answer)


# ------------------------------------------------------------------------------------------------- the soft count


def test_a_tray_below_zero_is_remarked_upon_wherever_it_stands(played: Played, ana: Client) -> None:
    """R-03 opens with 10.00 and sells chips for 25.00: 15.00 more than it can have had."""
    played.open("R-03", 1_000)
    tables.buy_in(played.order(), "R-03", 2_500, 1)
    played.read()
    remark = "hold less than nothing: chips came to it that nobody recorded"
    assert remark in text_of(ana.get("/tables/R-03/"))
    assert f"Below zero A tray can&#x27;t {remark}" in text_of(ana.get(played.address("R-03", "expected-tray")))
    assert "−15.00 below zero" in text_of(ana.get("/drop-and-hold/"))
    assert remark not in text_of(ana.get("/tables/R-01/"))


def test_the_letter_of_a_figure_stays_a_capital_inside_a_sentence(played: Played, ana: Client) -> None:
    said = text_of(ana.get(played.address("R-01", "expected-tray")))
    assert "Stakes collected in game result (G)" in said
    assert "recorded drop (R)" in said
    assert "(r)" not in said
    assert "(g)" not in said
