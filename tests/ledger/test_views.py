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

FORM = {"amount": "99.00", "first": "Ben Okafor", "second": "Cleo Martin", "key": "count-1"}


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


@pytest.mark.parametrize("day", ["nonsense", "2026-02-30", "0001-01-01", "9999-12-31", "2026-1-1", "\0"])
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


def test_the_count_team_enters_a_count_and_the_house_finds_it_on_the_page(
    played: Played, tess: Client, ben: Client, followed
) -> None:
    assert re.findall("Enter the count of ([A-Z0-9-]+)", text_of(tess.get("/count/"))) == ["R-02"]
    form = tess.get(played.address("R-02", "count"))
    assert re.search(r'name="key" value="[0-9a-f-]{36}"', form.content.decode())
    answer = tess.post(played.address("R-02", "count"), FORM, follow=True)
    said = text_of(answer)
    assert "The count of R-02 is recorded." in said
    assert "Every box of a closed table is counted." in said
    assert "R-02 complete, differs" in text_of(ben.get("/drop-and-hold/"))
    events = text_of(ben.get(played.address("R-02", "counted-drop")))
    assert "99.00 from 1 event" in events


def test_the_count_is_blind(played: Played, tess: Client) -> None:
    assert "100.00" not in text_of(tess.get(played.address("R-02", "count")))


def test_a_form_sent_twice_counts_once(played: Played, tess: Client, followed) -> None:
    for _ in range(2):
        assert tess.post(played.address("R-02", "count"), FORM).status_code == 302
    assert opened.figure_page(played.day, "R-02", "counted-drop").parts[0].leaves[0].count == 1


def test_a_count_says_when_the_books_have_not_read_it_yet(played: Played, tess: Client, monkeypatch) -> None:
    monkeypatch.setattr(days, "wait_until_read", lambda position: False)
    answer = tess.post(played.address("R-02", "count"), FORM, follow=True)
    assert "The list shows it in a moment." in text_of(answer)


@pytest.mark.parametrize(
    ("change", "status", "sentence"),
    [
        ({"amount": "a lot"}, 422, "is not an amount; write it like 12400 or 12,400.50"),
        ({"amount": "-5"}, 422, "is not an amount"),
        ({"amount": "1.5"}, 422, "is not an amount"),
        ({"amount": "1,00"}, 422, "is not an amount"),
        ({"amount": "٣"}, 422, "is not an amount"),
        ({"amount": "999999999999"}, 422, "is more than the house can mean"),
        ({"second": ""}, 422, "A box is counted by two people"),
        ({"second": "ben okafor"}, 422, "A box is counted by two people"),
        ({"first": "x" * 81}, 422, "A name has at most 80 letters."),
        ({"key": ""}, 400, "An idempotency key is 1 to 200 printable characters."),
    ],
)
def test_a_bad_count_is_refused_in_words_and_keeps_what_was_typed(
    played, tess: Client, change, status, sentence
) -> None:
    answer = tess.post(played.address("R-02", "count"), FORM | change)
    assert answer.status_code == status
    assert sentence in text_of(answer)
    assert 'role="alert"' in answer.content.decode()
    assert 'value="Ben Okafor"' in answer.content.decode() or "first" in change


def test_a_box_is_counted_once_and_only_after_the_close(played: Played, tess: Client, followed) -> None:
    tess.post(played.address("R-02", "count"), FORM)
    again = tess.post(played.address("R-02", "count"), FORM | {"key": "count-2"})
    assert (again.status_code, "is counted already" in text_of(again)) == (409, True)
    still_open = tess.post(played.address("R-01", "count"), FORM | {"key": "count-3"})
    assert (still_open.status_code, "is still open" in text_of(still_open)) == (409, True)


def test_floor_and_accounting_neither_see_nor_send_the_form(played: Played, ana: Client, ben: Client) -> None:
    for client in (ana, ben):
        assert client.get(played.address("R-02", "count")).status_code == 403
        assert client.post(played.address("R-02", "count"), FORM).status_code == 403


def test_a_form_is_offered_only_while_there_is_something_to_count(played: Played, tess: Client, followed) -> None:
    def offered(table: str, **sent: str) -> bool:
        address = played.address(table, "count")
        answer = tess.post(address, FORM | sent) if sent else tess.get(address)
        return 'name="amount"' in answer.content.decode()

    assert offered("R-02")
    assert not offered("R-01")
    assert "is counted once it is closed" in text_of(tess.get(played.address("R-01", "count")))
    tess.post(played.address("R-02", "count"), FORM)
    assert not offered("R-02")
    assert "a count is entered once." in text_of(tess.get(played.address("R-02", "count")))
    assert not offered("R-02", key="count-2")
    assert not offered("R-01", key="count-3")


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


def test_the_form_of_a_table_that_was_not_open_is_not_there(played: Played, tess: Client) -> None:
    assert tess.get(played.address("R-03", "count")).status_code == 404
    assert tess.get("/drop-and-hold/nonsense/R-02/count/").status_code == 400


def test_a_form_from_elsewhere_is_refused(played: Played, people) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(people["tess"], backend="django.contrib.auth.backends.ModelBackend")
    answer = client.post(played.address("R-02", "count"), FORM)
    assert answer.status_code == 403
    assert "load the page again" in text_of(answer)
