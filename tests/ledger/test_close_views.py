"""The close in a browser and over the interface: what is open, the deed, the day as filed, on screen and on paper."""

import json
import re
from collections.abc import Callable

import pytest
from django.contrib.auth.models import Group, User
from django.test import Client

from casino.commands.corrections import correct_entry
from casino.eventstore.follower import catch_up
from ledger import close_views
from ledger.models import DayClose
from tests.closing_house import FIRST, TWO, House
from tests.played import PASSWORD

DAY = FIRST.isoformat()


def text_of(answer) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", answer.content.decode()))


@pytest.fixture(autouse=True)
def followed(monkeypatch: pytest.MonkeyPatch) -> None:
    """The running follower's part: what was recorded is read before the page waits for it."""
    waited = close_views.wait_until_read
    monkeypatch.setattr(close_views, "wait_until_read", lambda position: catch_up() >= position and waited(position))


@pytest.fixture
def pia(people: dict[str, User]) -> User:
    made = User.objects.create_user("pia", password=PASSWORD)
    made.groups.add(Group.objects.get(name="pit_manager"))
    return made


def test_a_day_that_is_ready_is_closed_with_one_press_and_shown(house: House, ben: Client) -> None:
    house.played(FIRST)
    said = text_of(ben.get("/close/"))
    assert "3 tables with 3 sessions: every tray has its closer" in said
    answer = ben.post(f"/close/{DAY}/do/", {"key": "close-1"}, follow=True)
    assert "Gaming day 2026-03-04 is closed at position" in text_of(answer)
    house.file()
    said = text_of(ben.get(f"/close/{DAY}/"))
    assert "All 3 tables 30,000.00 0.00 0.00 29,790.00 300.00 300.00 0.00 +90.00 +90.00 30.0 %" in said
    assert "✓ the totals make it" in said
    assert "as filed is as known now" in said


def test_what_is_open_is_listed_and_pressed_anyway_refused(house: House, ben: Client) -> None:
    house.play(FIRST)
    said = text_of(ben.get("/close/"))
    assert "The box of table R-02 is not counted; count it." in said
    answer = ben.post(f"/close/{DAY}/do/", {"key": "close-1"})
    assert answer.status_code == 409
    assert "3 things still open" in text_of(answer)
    assert not DayClose.objects.exists()


def test_two_people_close_it_all_the_same(house: House, ben: Client, pia: User) -> None:
    house.play(FIRST)
    form = {"key": "close-1", "override": "yes", "reason": "The count room is under water.", "approver": "pia"}
    wrong = ben.post(f"/close/{DAY}/do/", {**form, "password": "not hers"})
    assert (wrong.status_code, DayClose.objects.count()) == (403, 0)
    answer = ben.post(f"/close/{DAY}/do/", {**form, "password": PASSWORD}, follow=True)
    assert "Closed with 3 things open by ben and pia: The count room is under water." in text_of(answer)


def test_the_floor_approves_no_close(house: House, ben: Client, people: dict[str, User]) -> None:
    house.play(FIRST)
    form = {"key": "close-1", "override": "yes", "reason": "We want to go home.", "approver": "ana"}
    answer = ben.post(f"/close/{DAY}/do/", {**form, "password": PASSWORD})
    assert "can&#x27;t approve this" in text_of(answer)


def test_what_was_learnt_since_stands_beside_what_was_filed_also_on_paper(house: House, ben: Client) -> None:
    house.go_to(FIRST)
    house.open("R-01")
    entry = house.buy_in("R-01", 10_000)
    house.close("R-01", 990_000)
    house.go_to(FIRST.replace(day=5), 8)
    house.count("R-01", FIRST, 10_000)
    house.read()
    house.close_day(FIRST)
    house.file()
    correct_entry(house.order(), "R-01", entry, {"amount_cents": 9_000}, "A hundred too many.", TWO)
    house.read()
    for address in (f"/close/{DAY}/", f"/close/{DAY}/print/"):
        said = text_of(ben.get(address))
        assert "Entry corrected" in said
        assert "Recorded drop (R) 100.00 90.00 −10.00" in said
        assert "A hundred too many." in said
    assert "figure by figure" in text_of(ben.get(f"/close/{DAY}/"))
    assert "Approved by (controller)" in text_of(ben.get(f"/close/{DAY}/print/"))


def test_a_day_that_is_not_closed_has_nothing_to_print(house: House, ben: Client) -> None:
    assert ben.get(f"/close/{DAY}/print/").status_code == 404
    assert ben.get("/close/yesterday/").status_code == 400


def test_a_house_that_has_not_played_has_nothing_to_close(house: House, ben: Client) -> None:
    assert "Every day that was played is closed" in text_of(ben.get("/close/"))


@pytest.mark.parametrize("late", [0, 4])
def test_the_page_asks_no_more_for_more_late_facts(house: House, ben: Client, statements: list[str], late: int) -> None:
    house.go_to(FIRST)
    house.open("R-01")
    entries = [house.buy_in("R-01", 10_000) for _ in range(4)]
    house.close("R-01", 960_000)
    house.go_to(FIRST.replace(day=5), 8)
    house.count("R-01", FIRST, 40_000)
    house.read()
    house.close_day(FIRST)
    house.file()
    for entry in entries[:late]:
        correct_entry(house.order(), "R-01", entry, {"amount_cents": 9_000}, "A hundred too many.", TWO)
    house.read()
    ben.get(f"/close/{DAY}/")
    statements.clear()
    ben.get(f"/close/{DAY}/")
    assert len(statements) <= 24


# ------------------------------------------------------------------------------------------------- over HTTP


def post(client: Client, address: str, body: dict[str, object], key: str = "k-1"):
    headers = {"Idempotency-Key": key}
    return client.post(address, json.dumps(body), content_type="application/json", headers=headers)


def test_over_http_the_refusal_names_each_thing_and_an_override_is_answered(
    house: House, client_of: Callable[[str], Client], pia: User
) -> None:
    ben = client_of("ben")
    house.play(FIRST)
    open_day = ben.get(f"/api/v1/days/{DAY}/").json()
    assert (open_day["state"], [one["kind"] for one in open_day["open"]]) == ("open", ["box"] * 3)
    refused = post(ben, f"/api/v1/days/{DAY}/close/", {})
    assert (refused.status_code, refused.json()["code"]) == (409, "day_not_ready")
    assert [one["table"] for one in refused.json()["open"]] == ["R-01", "R-02", "R-03"]
    body = {"reason": "The count room is under water.", "approver": "pia", "password": PASSWORD}
    closed = post(ben, f"/api/v1/days/{DAY}/close/", body)
    assert (closed.status_code, closed.json()["approved_by"]) == (201, "pia")
    assert post(ben, f"/api/v1/days/{DAY}/close/", body).status_code == 200
    catch_up()
    house.file()
    house.count("R-01", FIRST, 10_000)
    house.read()
    filed = ben.get(f"/api/v1/days/{DAY}/filed/").json()
    assert filed["filed"]["R-01"]["win"] is None
    assert filed["known"]["R-01"]["win"] == "3000"
    assert [one["what"] for one in filed["adjustments"]] == ["Late count"]
    assert filed["is_explained"] is True


def test_over_http_a_day_that_is_not_closed_has_nothing_filed(house: House, ben: Client) -> None:
    answer = ben.get(f"/api/v1/days/{DAY}/filed/")
    assert (answer.status_code, answer.json()["code"]) == (409, "day_not_closed")
