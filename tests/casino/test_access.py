"""Who may do what: every address of the site and the interface, by every method, as everybody, against the one table.

A new address needs a row in `casino/access.py` and nothing here: its parts are filled in from the route.
"""

import itertools
import re
from collections.abc import Iterator
from datetime import date
from typing import Any

import pytest
from django.contrib.auth.models import Group, User
from django.http import HttpResponse
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver

from casino.access import ACCESS, row_of
from casino.admission import OWN_TABLE, Access
from casino.commands.dealers import put_on
from casino.models import Device
from casino.navigation import NAVIGATION, entries_for
from casino.roles import DEALER, INCLUDES, ROLES, held
from tests.played import MODEL_BACKEND, Played

METHODS = ("GET", "POST", "PUT", "DELETE")
STRANGER, NOBODY, OWN_DEVICE, OTHER_DEVICE = "stranger", "no role", "device of R-01", "device of R-02"
EVERYBODY = (STRANGER, NOBODY, OWN_DEVICE, OTHER_DEVICE, *ROLES)
FILLED = {"int": "1", "day": "{day}", "code": "R-01", "str": "R-01", "path": "R-01"}
"""What an address's part is filled with: by its name where that says more than its kind, else by its kind."""
BY_NAME = {"day": "{day}", "gaming_date": "{day}", "link": "grand", "action": "open"}


def routes(patterns: list[URLPattern | URLResolver] | None = None, prefix: str = "") -> Iterator[str]:
    """Every route as Django resolves it; the admin's many are one."""
    for one in get_resolver().url_patterns if patterns is None else patterns:
        route = prefix + str(one.pattern)
        if route == "admin/":
            yield route
        elif isinstance(one, URLResolver):
            yield from routes(one.url_patterns, route)
        else:
            yield route


def address(route: str, day: date) -> str:
    def fill(part: re.Match[str]) -> str:
        return BY_NAME.get(part["name"]) or FILLED[part["kind"]]

    return "/" + re.sub(r"<(?P<kind>\w+):(?P<name>\w+)>", fill, route).format(day=day.isoformat())


@pytest.fixture
def comers(played: Played) -> dict[str, Client]:
    """A browser or a device for everybody who could come."""
    clients = {STRANGER: Client()}
    for name, table in ((OWN_DEVICE, "R-01"), (OTHER_DEVICE, "R-02")):
        _, token = Device.issue(name, table)
        clients[name] = Client(headers={"Authorization": f"Token {token}"})
    for role in (NOBODY, *ROLES):
        user = User.objects.create_user(f"somebody of {role}")
        if role in ROLES:
            user.groups.add(Group.objects.get(name=role))
        clients[role] = Client()
        clients[role].force_login(user, backend=MODEL_BACKEND)
    put_on(played.order(), "R-01", f"somebody of {DEALER}")  # at another table a dealer's log-in records nothing
    return clients


def may(row: Access, who: str, method: str, route: str) -> bool:
    """What the table says."""
    if who in (OWN_DEVICE, OTHER_DEVICE):
        which = row.device(method)
        return bool(which) and (who == OWN_DEVICE or "<code:table>" not in route)
    return who in ROLES and row.admits([who], method)


def came_through(answer: HttpResponse) -> bool:
    """Whether the view was reached: neither asked to log in, nor told that this is not theirs."""
    to_log_in = answer.status_code == 302 and answer.headers["Location"].startswith("/login/?next=")
    return not to_log_in and answer.status_code not in (401, 403, 405)


def test_every_address_has_a_row() -> None:
    missing = [f'    "{route}": look(FLOOR),' for route in routes() if row_of(route) is None]
    assert not missing, "\n".join(["Say in casino/access.py who may, each in its section, like:", *missing])


def test_every_address_lets_in_whom_its_row_names_and_nobody_else(comers: dict[str, Client], played: Played) -> None:
    wrong, day = [], played.day
    for route in sorted(routes(), key="logout/".__eq__):  # the log-out last, since it makes strangers of everybody
        row = row_of(route) or Access()
        for who, method in itertools.product(EVERYBODY, METHODS):
            answer = comers[who].generic(method, address(route, day))
            # A public view says itself by which methods it is asked.
            expected = answer.status_code != 405 if row.is_public else may(row, who, method, route)
            if came_through(answer) is not expected or answer.status_code >= 500:
                said = "lets them" if expected else "does not"
                wrong.append(f"{method} /{route} as {who}: {answer.status_code}, but its row {said}")
    assert not wrong, "\n".join(wrong)


def test_every_row_is_of_an_address_that_is_there() -> None:
    assert set(ACCESS) - set(routes()) == set()


def test_a_device_stands_only_where_the_address_names_its_table_or_no_table() -> None:
    for route, row in ACCESS.items():
        named = "<code:table>" in route
        for which in {row.device_reads, row.device_sends} - {""}:
            assert (which == OWN_TABLE) is named, route


def test_only_log_in_log_out_and_health_are_public() -> None:
    assert {route for route, row in ACCESS.items() if row.is_public} == {"login/", "logout/", "healthz", "readyz"}


def test_rows_name_roles_of_the_house_and_none_that_another_brings() -> None:
    for route, row in ACCESS.items():
        for roles in (row.readers, row.senders):
            assert roles <= set(ROLES), route
            if roles != set(ROLES):
                brought = {inner for role in roles for inner in INCLUDES.get(role, ())}
                assert not brought & roles, f"{route} names {brought & roles} and a role that includes it."


# ------------------------------------------------------------------------------------------------- what the table says
# The rules of books, section 7, held against the rows: a row that breaks one has to be argued for here.


def rows(*beginnings: str) -> dict[str, Access]:
    return {route: row for route, row in ACCESS.items() if route.startswith(beginnings)}


def test_the_auditor_reads_all_that_anybody_reads_but_forms_and_changes_nothing() -> None:
    blind = {
        route
        for route, row in ACCESS.items()
        if row.readers and not row.is_public and not row.admits(["auditor"], "GET") and row.readers != row.senders
    }
    assert blind == set()
    sent = {
        r for r, row in ACCESS.items() if "auditor" in row.senders and not r.startswith(("second-factor/", "password/"))
    }
    assert sent == {"api/v1/papers/print/", "papers/<path:document>/print/", "stiff/print/"}, (
        "a copy for the auditor is counted like anybody's"
    )


@pytest.mark.parametrize("watcher", ["surveillance", "accounting", "admin"])
def test_who_watches_or_keeps_log_ins_moves_nothing_at_a_table(watcher: str) -> None:
    moving = rows("api/v1/rounds/", "tables/", "rounds/", "api/v1/tables/")
    moved = {route for route, row in moving.items() if row.admits([watcher], "POST")}
    assert moved <= {"api/v1/tables/<code:table>/set-up/"}
    assert not moved or watcher == "admin"


def test_no_device_counts_a_tray_nor_signs_a_paper() -> None:
    counted = rows(
        *(f"api/v1/tables/<code:table>/{what}/" for what in ("open", "roll", "close", "slips", "closed-form"))
    )
    signed = rows("api/v1/slips/", "slips/", "api/v1/papers/")
    assert len(counted) == 5
    assert not {route for route, row in (counted | signed).items() if row.device("POST")}


def test_only_the_count_team_enters_counts_and_it_sees_no_figure_before() -> None:
    counting = [route for route in ACCESS if route.startswith("api/v1/counts/")]
    senders = {role for route in counting for role in ROLES if ACCESS[route].admits([role], "POST")}
    assert (len(counting), senders) == (7, {"count_team"})
    figures = rows("drop-and-hold/", "api/v1/drop-and-hold/", "_tiles/", "tables/", "dealer-errors/")
    seen = {route for route, row in figures.items() if row.admits(["count_team"], "GET")}
    assert seen == set()


def test_the_cage_counts_drops_and_opens_nothing_that_tells_what_was_counted() -> None:
    recounting = rows("api/v1/drops/", "drops/")
    assert {role for route in recounting for role in ROLES if ACCESS[route].admits([role], "POST")} == {"cage"}
    figures = rows("api/v1/counts/", "count/", "drop-and-hold/", "api/v1/drop-and-hold/", "close/", "hours/", "_tiles/")
    assert not {route for route, row in figures.items() if row.admits(["cage"], "GET")}


def test_only_the_progressive_administration_changes_links() -> None:
    """Accounting decides on what is asked for, and reads; surveillance asks for corrections; the floor may stop."""
    admitted: dict[str, set[str]] = {}
    for route, row in rows("api/v1/links/").items():
        for role in held(ROLES):
            if row.admits([role], "POST"):
                admitted.setdefault(role, set()).add(route.removeprefix("api/v1/links/<str:link>/"))
    assert set(admitted) == {"progressive_admin", "accounting", "floor", "pit_manager", "surveillance"}
    assert admitted["surveillance"] == {"requests/missed-hit/", "requests/missed-player/", "requests/refill/"}
    assert admitted["floor"] == admitted["pit_manager"] == {"stop/"}
    assert admitted["accounting"] == {
        "changes/approve/", "changes/drop/", "requests/approve/", "requests/decline/", "readings/", "readings/explain/",
        "readings/sign/", "in-between/settle/",
    }  # fmt: skip


# ------------------------------------------------------------------------------------------------- how no is said


def test_an_address_without_a_row_is_closed_to_everybody(
    comers: dict[str, Client], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delitem(ACCESS, "patrons/<int:patron_id>/")
    monkeypatch.delitem(ACCESS, "api/v1/patrons/<int:patron_id>/")
    for who in EVERYBODY:
        assert comers[who].get("/patrons/1/").status_code == 403, who
        assert comers[who].get("/api/v1/patrons/1/").status_code in (401, 403), who


def text_of(answer: Any) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", answer.content.decode()))


def test_a_refusal_says_in_words_whose_it_is(comers: dict[str, Client], played: Played) -> None:
    said = text_of(comers["cage"].get("/patrons/"))
    assert "This is for floor, accounting, surveillance and auditor." in said
    problem = comers["floor"].post("/api/v1/counts/2026-11-29/").json()
    assert (problem["code"], problem["detail"]) == ("permission_denied", "This is for count team.")
    other = comers[OTHER_DEVICE].post("/api/v1/tables/R-01/rounds/").json()
    assert other["code"] == "wrong_table"


def test_a_method_that_nobody_may_use_is_told_apart_from_a_closed_door(comers: dict[str, Client]) -> None:
    answer = comers["floor"].post("/patrons/")
    assert (answer.status_code, answer.headers["Allow"]) == (405, "GET, HEAD, OPTIONS")


def test_everybody_begins_at_the_first_page_of_their_own(comers: dict[str, Client]) -> None:
    assert comers["floor"].get("/").status_code == 200
    assert comers["dealer"].get("/").headers["Location"] == "/terminals/"
    assert comers["count_team"].get("/").headers["Location"] == "/count/"
    assert comers["security"].get("/").headers["Location"] == "/slips/"
    assert "You have no role in this house yet" in text_of(comers[NOBODY].get("/"))


@pytest.mark.parametrize("role", list(ROLES))
def test_the_bar_shows_what_a_role_may_open_and_every_entry_opens(comers: dict[str, Client], role: str) -> None:
    # Everybody has a page of the house; the administration's first one is Django's own site.
    page = comers[role].get("/your-log-in/").content.decode()
    bar = re.findall(r'<a href="([^"]+)"', page.partition('aria-label="Pages"')[2].partition("</nav>")[0])
    assert len(bar) == len(entries_for(held([role])))
    for link in bar:
        assert comers[role].get(link).status_code == 200, link
    hidden = [link.word for link in NAVIGATION if link not in entries_for(held([role]))]
    assert all(f">{word}</a>" not in page.partition("</nav>")[0] for word in hidden)
