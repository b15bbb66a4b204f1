"""The floor's pages as a browser gets them: who may see them, what they say, and how they say no."""

import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest
from django.db import connection, connections
from django.test import Client, RequestFactory
from django.urls import URLPattern, URLResolver, get_resolver

from casino.commands import tables
from casino.commands.order import Order
from tests.counts import counted
from tests.played import ANA, DAN, PASSWORD, SECOND, Played

PAGES = [
    "/", "/_tiles/", "/tables/R-01/", "/tables/R-01/_now/", "/tables/R-01/_rounds/", "/rounds/R-01/{day}/2/",
    "/rounds/R-01/{day}/2/_round/", "/drop-and-hold/", "/drop-and-hold/_day/", "/drop-and-hold/{day}/R-01/win/",
    "/drop-and-hold/{day}/all/win/", "/jackpot/meters/", "/jackpot/meters/grand/", "/jackpot/hits/R-01/{day}/2/",
]  # fmt: skip
OPEN_TO_ALL = {"login", "logout"}
NOT_PAGES = ("api/", "admin/", "healthz", "readyz", "metrics", "live/")


def text_of(answer) -> str:
    """What a person reads: no tags, single blanks."""
    return re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", answer.content.decode()))


def at(path: str, played: Played) -> str:
    return path.format(day=played.day.isoformat())


def page_patterns(patterns: list[URLPattern | URLResolver], prefix: str = "") -> list[tuple[str, str]]:
    found = []
    for one in patterns:
        route = prefix + str(one.pattern)
        if route.startswith(NOT_PAGES):
            continue
        found += page_patterns(one.url_patterns, route) if isinstance(one, URLResolver) else [(one.name, route)]
    return found


# ------------------------------------------------------------------------------------------------- who may see them


@pytest.mark.parametrize(("name", "route"), page_patterns(get_resolver().url_patterns))
def test_every_page_there_is_sends_a_stranger_to_the_log_in(database, name: str, route: str) -> None:
    path = "/" + re.sub(r"<int:\w+>", "1", re.sub(r"<str:\w+>", "R-01", route))
    answer = Client().get(path)
    if name in OPEN_TO_ALL:
        assert "/login/?next=" not in answer.headers.get("Location", "")
    else:
        assert (answer.status_code, answer.headers["Location"].split("?")[0]) == (302, "/login/")


def test_every_page_is_open_to_both_roles(played: Played, ana: Client, ben: Client) -> None:
    for path in PAGES:
        assert ana.get(at(path, played)).status_code == 200, path
        assert ben.get(at(path, played)).status_code == 200, path


def test_somebody_without_a_role_is_told_so(played: Played, client_of: Callable[[str], Client]) -> None:
    dan = client_of(DAN)
    for path in PAGES:
        answer = dan.get(at(path, played))
        assert answer.status_code == 403, path
    assert "You have no role in this house yet." in text_of(dan.get("/"))
    assert "no role" in text_of(dan.get("/"))


def test_pages_are_to_look_at_only(played: Played, ana: Client) -> None:
    assert ana.post("/").status_code == 405
    assert ana.post("/tables/R-01/").status_code == 405


def test_logging_in_and_out(played: Played, people) -> None:
    client = Client()
    wrong = client.post("/login/", {"username": ANA, "password": "wrong"})
    assert "do not go together" in text_of(wrong)
    right = client.post("/login/?next=/tables/R-01/", {"username": ANA, "password": PASSWORD, "next": "/tables/R-01/"})
    assert right.headers["Location"] == "/tables/R-01/"
    assert client.post("/logout/").headers["Location"] == "/login/"
    assert client.get("/").status_code == 302


def test_after_five_wrong_passwords_the_log_in_rests(people) -> None:
    client = Client()
    answers = [client.post("/login/", {"username": ANA, "password": "wrong"}) for _ in range(5)]
    assert answers[-1].status_code == 429
    assert "Try again in 15 minutes" in text_of(answers[-1])
    assert client.post("/login/", {"username": ANA, "password": PASSWORD}).status_code == 429


# ------------------------------------------------------------------------------------------------- what they say


def test_property_gaming_day_and_clock_stand_over_every_page(played: Played, ana: Client) -> None:
    for path in ("/", "/tables/R-01/", f"/rounds/R-01/{played.day}/1/", "/drop-and-hold/", "/nothing-here/"):
        said = text_of(ana.get(path))
        assert "Property demo" in said
        assert re.search(r"Gaming day \w{3} \d+ \w{3} \d{4} Clock Every 10 s \d\d:\d\d:\d\d E[SD]T", said), path
        assert "ana floor" in said


def test_the_floor_tells_open_from_closed_and_ahead_from_behind_in_words(played: Played, ana: Client) -> None:
    said = text_of(ana.get("/"))
    assert "R-01 OPEN" in said
    assert "R-02 CLOSED" in said
    assert "Win estimated −4,792.00 house behind" in said
    assert "Win estimated +10.00 house ahead" in said
    assert "Drop recorded 700.00" in said
    assert "5.00 – 500.00".replace(".00", "") in said
    assert "no posted limits" in said
    assert "Not opened yet" in said
    assert "— / h" in said


def test_the_floor_shows_the_meters_by_their_address(played: Played, ana: Client) -> None:
    said = text_of(ana.get("/"))
    # 5,001.95 less the two shares of 250.09, and the 65 cents of the voided round: below its reset no void takes.
    assert "Progressive grand USD 4,502.42" in said
    assert "with straight flush at R-01" in said


def test_the_floor_without_tables_says_how_they_come(database, ana: Client) -> None:
    assert "No table is set up" in text_of(ana.get("/"))


def test_a_table_shows_how_its_expected_tray_is_reckoned(played: Played, ana: Client) -> None:
    said = text_of(ana.get("/tables/R-01/"))
    assert "In the tray, expected recorded 44,508.00" in said
    assert "+ Opener counted 50,000.00 − Recorded drop (R) 700.00 + Game result (G) −4,792.00 = Expected 44,508" in said
    assert "Hold estimated −684.6 %" in said
    assert "PLAYER ADVANTAGE" in said
    assert "gives the player 3.7 % of every stake" in said
    assert "Acknowledged by Ana Ortiz" in said
    assert "Latest buy-ins 200.00 seat 2" in said


def test_a_table_that_was_never_opened_has_a_page_that_says_so(played: Played, ana: Client) -> None:
    said = text_of(ana.get("/tables/R-03/"))
    assert "never opened" in said
    assert "No round has been played here yet." in said
    assert "Nobody has acknowledged it yet" in said


def test_a_table_opened_twice_a_day_expects_its_tray_from_its_last_opener(played: Played, ana: Client) -> None:
    played.open("R-02", 1_000_000, "Chips were taken to the vault without a slip.")
    played.read()
    assert "In the tray, expected recorded 10,000.00" in text_of(ana.get("/tables/R-02/"))


def test_a_round_shows_cards_wagers_lines_hit_and_hashes(played: Played, ana: Client) -> None:
    answer = ana.get(f"/rounds/R-01/{played.day}/2/")
    said, page = text_of(answer), answer.content.decode()
    assert "R-01 round 2 SETTLED" in said
    assert re.findall(r'role="img" aria-label="([^"]+)"', page) == [
        "9 of hearts", "10 of hearts", "jack of hearts", "joker 1", "queen of hearts",
    ]  # fmt: skip
    assert said.count("Roulette Card") == 1
    assert "1 straight flush won 1.00 4,801.00" in said
    assert (
        "Progressive hit on link grand with straight flush: 1/10 of the meter, split equally among seats 1 and 2"
        in said
    )
    # 500,000 and 65 and 130 cents in the meter: a tenth is 50,019; two shares of 25,009 and one cent that stays.
    assert "500.19 Seat Share State 1 250.09 open 2 250.09 open" in said
    assert "odd cents that stay in the meter: 0.01" in said
    assert len(re.findall(r'title="[0-9a-f]{64}"', page)) == page.count('<li><details id="event-')


def test_a_misdeal_says_why_and_what_went_back(played: Played, ana: Client) -> None:
    said = text_of(ana.get(f"/rounds/R-01/{played.day}/3/"))
    assert "Misdeal: round voided Two kings of diamonds." in said
    assert "The offending card: king of diamonds, at position 3." in said
    assert "2 wagers went back, and 1.00 of progressive stakes" in said
    assert "over maximum" in said
    assert "face down" in said


def test_a_round_that_takes_bets_is_fetched_again_and_a_finished_one_is_not(played: Played, ana: Client) -> None:
    assert "_round/" in ana.get(f"/rounds/R-01/{played.day}/4/").content.decode()
    assert "_round/" not in ana.get(f"/rounds/R-01/{played.day}/1/").content.decode()
    assert "No card has been dealt yet." in text_of(ana.get(f"/rounds/R-01/{played.day}/4/"))


def test_what_players_and_people_typed_is_text_and_never_markup(played: Played, ana: Client) -> None:
    from casino.commands.rounds import void_round

    void_round(played.order(), played.round(4), "<script>alert(1)</script>", SECOND)
    played.read()
    for path in ("/", "/tables/R-01/", f"/rounds/R-01/{played.day}/4/"):
        page = ana.get(path).content.decode()
        assert "<script>alert" not in page
        assert "&lt;script&gt;alert" in page


def test_a_set_aside_settlement_and_a_stopped_follower_are_told_on_the_floor(played: Played, ana: Client) -> None:
    with connection.cursor() as cursor:
        cursor.execute("UPDATE checkpoint SET error = 'KeyError: odd' WHERE name = 'books'")
    said = text_of(ana.get("/"))
    assert "The follower books has stopped, so its figures stand still. KeyError: odd" in said


# ------------------------------------------------------------------------------------------------- how they say no


@pytest.mark.parametrize(
    ("path", "status", "sentence"),
    [
        ("/tables/R-99/", 404, "There is no table &#x27;R-99&#x27; on this floor."),
        ("/tables/R-01/?before=nonsense", 400, "is no place in a list of rounds"),
        ("/rounds/R-01/2026-13-45/1/", 400, "is not a gaming date; write it like 2026-11-29."),
        ("/rounds/R-01/0001-01-01/1/", 400, "is not a gaming date"),
        ("/rounds/R-01/2026-11-29/99999999999999999999/", 404, "There is no round R-01/2026-11-29/"),
        ("/rounds/R-01/1999-01-01/1/", 404, "There is no round R-01/1999-01-01/1."),
        ("/rounds/R%00/2026-11-29/1/", 404, "There is no round"),
        ("/tables/%00/", 404, "There is no table"),
        ("/tables/%F0%9F%82%A1/", 404, "There is no table"),
        ("/jackpot/meters/nope/", 404, "There is no link nope."),
        ("/nothing/", 404, "There is nothing at this address."),
    ],
)
def test_bad_addresses_get_a_page_with_a_sentence(played: Played, ana: Client, path, status, sentence) -> None:
    answer = ana.get(path)
    assert answer.status_code == status
    assert sentence in answer.content.decode()
    assert "To the floor" in answer.content.decode()


@pytest.mark.parametrize("path", ["/ledger/journal/?table=a%00b", "/patrons/?q=%00", "/cash/?%00=1"])
def test_a_sign_that_no_text_can_hold_is_refused_in_words(played: Played, ben: Client, path: str) -> None:
    answer = ben.get(path)
    assert (answer.status_code, "a sign that is no letter" in text_of(answer)) == (400, True)


def test_a_form_that_holds_such_a_sign_is_refused_too(played: Played, ana: Client) -> None:
    answer = ana.post("/patrons/add/", {"name": "Ida", "key": "k\0"})
    assert (answer.status_code, "a sign that is no letter" in text_of(answer)) == (400, True)


@pytest.mark.parametrize(
    ("path", "sentence"),
    [
        ("/api/v1/hold/?month=2026-13", "'2026-13' is not a month; write it like 2026-11."),
        ("/api/v1/ledger/accounts/1100/?link=%00", "a sign that is no letter"),
        ("/api/v1/ledger/entries/?before=x", "'x' is not a before; write a whole number like 1250."),
        ("/api/v1/stiff/?from=0001-01-01&to=0001-01-01", "from: Date has wrong format."),
        ("/api/v1/explain/win/?of=session:x&from=2026-03-04", "'x' is no session; write it like session:"),
        ("/api/v1/explain/fills/?of=house&from=2026-03-04&hour=9999-12-31T23:30", "'9999-12-31' is not a gaming date"),
    ],
)
def test_the_interface_says_what_can_not_be_read_as_a_problem(people, ben: Client, path: str, sentence: str) -> None:
    answer = ben.get(path)
    assert (answer.status_code, answer["Content-Type"]) == (400, "application/problem+json")
    assert answer.json()["code"] == "bad_request"
    assert sentence in answer.json()["detail"]


@pytest.mark.parametrize("cursor", ["abc", "cD0lMDA=", "cD1hYmM="])  # not one, at a NUL, at "abc"
@pytest.mark.parametrize("what", ["rounds", "tables", "slips", "patrons", "hits"])
def test_a_cursor_that_is_no_place_in_a_list_is_not_found(people, ana: Client, what: str, cursor: str) -> None:
    answer = ana.get(f"/api/v1/{what}/?cursor={cursor}")
    assert (answer.status_code, answer.json()["code"]) == (404, "not_found")
    assert answer.json()["detail"] == "This cursor is no place in the list; begin again without one."


def test_a_broken_page_is_a_page_and_asks_nothing_of_the_database(people, ana: Client, statements, monkeypatch) -> None:
    from casino import views
    from casino.queries import floor

    def broken() -> None:
        raise RuntimeError("out of order")

    monkeypatch.setattr(floor, "floor", broken)
    ana.raise_request_exception = False
    answer = ana.get("/")
    assert answer.status_code == 500
    assert "Something broke" in answer.content.decode()
    statements.clear()
    views.server_error(RequestFactory().get("/"))
    assert statements == []


def test_a_page_says_so_while_the_database_is_away(people, ana: Client, monkeypatch) -> None:
    monkeypatch.setitem(connections.settings["default"], "HOST", "/nowhere")
    connections.close_all()
    ana.raise_request_exception = False
    answer = ana.get("/")
    assert answer.status_code == 503
    assert "The database does not answer" in answer.content.decode()


# ------------------------------------------------------------------------------------------------- how they are built


def test_no_page_carries_script_or_style_inside(played: Played, ana: Client) -> None:
    for path in [at(path, played) for path in PAGES] + ["/login/"]:
        page = ana.get(path, follow=True).content.decode()
        assert not re.search(r'<script(?![^>]*\bsrc=)(?![^>]*type="application/json")', page), path
        assert not re.search(r"<[^>]*\son\w+=", page), path
        assert not re.search(r"<[^>]*\sstyle=", page), path
        assert not re.search(r'(?:src|href)="(?:https?:)?//', page), path


def test_ids_name_one_thing_each_and_every_field_has_a_label(played: Played, ben: Client, tess: Client) -> None:
    played.read()
    shown = [(ben, at(path, played)) for path in PAGES] + [(tess, "/count/"), (tess, f"/count/{played.day}/open/")]
    for client, path in shown:
        page = client.get(path).content.decode()
        ids = re.findall(r'\sid="([^"]+)"', page)
        assert sorted(ids) == sorted(set(ids)), path
        fields = re.findall(r'<input (?![^>]*type="hidden")[^>]*id="([^"]+)"', page)
        assert set(fields) <= set(re.findall(r'<label for="([^"]+)"', page)), path


@pytest.mark.parametrize("path", ["/", "/_tiles/", "/drop-and-hold/"])
def test_a_page_of_many_tables_asks_no_more_than_a_page_of_few(played: Played, ana: Client, statements, path) -> None:
    ana.get(path)
    statements.clear()
    ana.get(path)
    few = len(statements)
    for number in range(10, 22):
        played.set_up(f"R-{number}")
        played.open(f"R-{number}", 1_000)
        played.finish(f"R-{number}", [])
    played.read()
    statements.clear()
    ana.get(path)
    assert len(statements) == few


def test_the_floor_costs_the_same_however_many_days_its_closed_tables_were_last_open_on(
    played: Played, ana: Client, statements
) -> None:
    def cost() -> int:
        statements.clear()
        assert ana.get("/").status_code == 200
        return len(statements)

    cost()
    before = cost()
    for days_ago in (1, 2, 3):
        code, then = f"T-{days_ago}", datetime.now(UTC) - timedelta(days=days_ago)
        played.set_up(code)
        tables.open_table(Order(ANA, f"open-{code}", then), code, counted(1_000_000), "Ana Ortiz")
        tables.close_table(Order(ANA, f"close-{code}", then), code, counted(1_000_000))
    played.read()
    assert cost() == before
    assert text_of(ana.get("/")).count("Last open on") == 3


def test_a_table_and_a_round_cost_the_same_however_much_was_played(played: Played, ana: Client, statements) -> None:
    paths = ("/tables/R-01/", f"/rounds/R-01/{played.day}/2/", played.address("R-01", "expected-tray"))
    few = [len(_asked(ana, path, statements)) for path in paths]
    from casino.commands.rounds import void_round

    void_round(played.order(), played.round(4), "Nobody plays.", SECOND)
    for _ in range(12):
        played.finish("R-01", [])
    played.read()
    assert [len(_asked(ana, path, statements)) for path in paths] == few


def _asked(client: Client, path: str, statements: list[str]) -> list[str]:
    client.get(path)
    statements.clear()
    assert client.get(path).status_code == 200
    return list(statements)


def test_a_rounds_hit_leads_to_its_own_page(played: Played, ana: Client) -> None:
    page = ana.get(f"/rounds/R-01/{played.day}/2/").content.decode()
    address = f"/progressives/grand/hits/R-01/{played.day}/2/straight_flush/"
    assert f'href="{address}"' in page
    assert ana.get(address).status_code == 200
