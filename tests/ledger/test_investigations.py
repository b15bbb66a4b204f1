"""Investigations: their rules, their record, their list, their pages and who may take which step."""

import json
import re
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import Group, User
from django.test import Client

from casino.commands.order import property_code
from casino.eventstore import store
from casino.eventstore.follower import catch_up, followers
from casino.eventstore.rebuild import rebuild
from casino.refusal import Refused
from ledger import reconciliation_views
from ledger.commands import investigations as commands
from ledger.commands.boxes import place_emergency_box
from ledger.count_events import box_key
from ledger.events import DropCounted
from ledger.investigation import Subject, Variances
from ledger.models import Investigation, LateFact
from ledger.queries import investigations
from tests.closing_house import FIRST, House
from tests.played import PASSWORD

DAY = FIRST.isoformat()
ON = Subject("R-01", FIRST, 0)
NOW = Variances(-100, None)


def text_of(answer) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", answer.content.decode()))


@pytest.fixture(autouse=True)
def followed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reconciliation_views, "wait_for", lambda name, position: catch_up() >= position)


@pytest.fixture
def short(house: House) -> House:
    """A day whose box of R-01 is 1.00 short."""
    house.play(FIRST)
    for code, cents in (("R-01", 9_900), ("R-02", 10_000), ("R-03", 10_000)):
        house.count(code, FIRST, cents)
    house.read()
    return house


def open_(house: House, by: str = "ben") -> None:
    commands.open_investigation(house.order(by), ON, NOW, "sue", "A dollar is missing.")


def test_it_is_opened_noted_handed_on_concluded_and_taken_up_again(short: House) -> None:
    open_(short)
    commands.note(short.order("sue"), ON, "The camera shows nothing.")
    commands.assign(short.order("sue"), ON, "ben")
    commands.conclude(short.order("ben"), ON, NOW, "within_tolerance", "A dollar.")
    short.read()
    row = Investigation.objects.get()
    assert (row.assignee, row.notes, row.conclusion, row.concluded_by) == ("ben", 1, "within_tolerance", "ben")
    commands.reopen(short.order("ben"), ON, "sue", "It happened again.")
    short.read()
    row = Investigation.objects.get()
    assert (row.assignee, row.conclusion, row.concluded_at, row.reopenings) == ("sue", "", None, 1)
    steps = investigations.read(ON).steps
    assert [step.what for step in steps] == ["Opened", "Noted", "Handed on", "Concluded", "Taken up again"]
    assert rebuild(followers()["investigations"], "owner", check=True, progress=lambda _: None) == []


def test_read_in_one_batch_or_event_by_event_the_list_is_the_same(short: House) -> None:
    open_(short)
    commands.conclude(short.order("ben"), ON, NOW, "unexplained", "Nobody knows.")
    commands.reopen(short.order("ben"), ON, "sue", "Somebody knows.")
    commands.conclude(short.order("ben"), ON, NOW, "counted_wrong", "Tom miscounted.")
    short.read()
    assert Investigation.objects.get().conclusion == "counted_wrong"


@pytest.mark.parametrize(
    ("step", "code"),
    [
        (lambda house: commands.note(house.order(), ON, "Something."), "no_investigation"),
        (lambda house: commands.reopen(house.order(), ON, "sue", "Why not."), "no_investigation"),
        (lambda house: (open_(house), open_(house)), "already_investigated"),
        (lambda house: (open_(house), commands.assign(house.order(), ON, "sue")), "nothing_differs"),
        (lambda house: (open_(house), commands.note(house.order(), ON, " ")), "note_missing"),
        (lambda house: (open_(house), commands.conclude(house.order(), ON, NOW, "magic", "x")), "unknown_conclusion"),
        (lambda house: (open_(house), commands.reopen(house.order(), ON, "sue", "x")), "investigation_open"),
        (
            lambda house: commands.open_investigation(
                house.order(), Subject("R-01", FIRST + timedelta(days=9), 0), NOW, "sue", "x"
            ),
            "unknown_table_day",
        ),
    ],
)
def test_what_does_not_fit_is_refused(short: House, step: Callable[[House], Any], code: str) -> None:
    with pytest.raises(Refused) as refused:
        step(short)
    assert refused.value.code == code


def test_nobody_concludes_on_a_count_of_their_own(short: House) -> None:
    open_(short)
    with pytest.raises(Refused, match="tess counted tray or box of R-01") as refused:
        commands.conclude(short.order("tess"), ON, NOW, "counted_wrong", "My fault.")
    assert refused.value.code == "own_count"
    assert commands.counters(ON) >= {"tess", "tom", "ana", "Ana Ortiz"}


def test_who_counted_an_emergency_box_of_the_table_counted_as_well(house: House) -> None:
    house.go_to(FIRST)
    house.open("R-01")
    place_emergency_box(house.order(), "R-01", "E 7", "The slot jammed.")
    counted = DropCounted(table="R-01", number=2, counted_cents=100, counted_by=["tara"])
    key, order = box_key(property_code(), "R-01", DAY, 2), house.order("theo")
    store.append(store.Origin("theo", "count"), [store.Addition(key, 1, FIRST, [counted], order.at, table="R-01")])
    assert commands.counters(ON) >= {"theo", "tara"}


def test_the_day_investigated_learns_nothing_from_it(short: House) -> None:
    short.close_day(FIRST)
    open_(short)
    short.read()
    assert not LateFact.objects.exists()


# ------------------------------------------------------------------------------------------------- pages


@pytest.fixture
def sue(people: dict[str, User], client_of: Callable[[str], Client]) -> Client:
    people["sue"] = User.objects.create_user("sue", password=PASSWORD)
    people["sue"].groups.add(Group.objects.get(name="surveillance"))
    return client_of("sue")


def test_accounting_opens_it_from_the_page_surveillance_notes_accounting_concludes(
    short: House, ben: Client, sue: Client
) -> None:
    assert "Investigate R-01" in text_of(ben.get(f"/reconciliation/?gaming_date={DAY}"))
    address = f"/investigations/R-01/{DAY}/0/"
    opened = ben.post(f"{address}open/", {"key": "k1", "assignee": "sue", "note": "A dollar is missing."}, follow=True)
    assert "Open an investigation: done." in text_of(opened)
    assert "OPEN, sue" in text_of(opened)
    sue.post(f"{address}note/", {"key": "k2", "note": "The camera shows nothing."})
    assert sue.post(f"{address}conclude/", {"key": "k3"}).status_code == 403
    concluded = ben.post(
        f"{address}conclude/", {"key": "k4", "conclusion": "unexplained", "note": "Nobody knows."}, follow=True
    )
    assert "Concluded Not explained by ben Nobody knows." in text_of(concluded)
    assert "R-01" not in text_of(ben.get("/investigations/")).split("Investigations")[-1]
    assert "Not explained ben" in text_of(ben.get("/investigations/?state=concluded"))
    assert "concluded" in text_of(ben.get(f"/reconciliation/?gaming_date={DAY}"))


def test_a_step_that_does_not_fit_stands_on_the_page_with_its_sentence(short: House, ben: Client) -> None:
    address = f"/investigations/R-01/{DAY}/0/"
    answer = ben.post(f"{address}open/", {"key": "k1", "assignee": "", "note": ""})
    assert answer.status_code == 400
    assert 'role="alert"' in answer.content.decode()
    assert ben.get(f"/investigations/R-77/{DAY}/0/").status_code == 404
    assert ben.get(f"/investigations/R-01/{DAY}/7/").status_code == 404
    assert ben.get("/investigations/?assignee=%00").status_code == 400


def test_over_http_the_steps_are_the_same(short: House, ben: Client) -> None:
    address = f"/api/v1/investigations/R-01/{DAY}/0/"
    headers = {"Idempotency-Key": "k-1"}
    body = json.dumps({"assignee": "sue", "note": "A dollar is missing."})
    answer = ben.post(f"{address}open/", body, content_type="application/json", headers=headers)
    assert (answer.status_code, answer.json()["session"]) == (201, 0)
    again = ben.post(f"{address}open/", body, content_type="application/json", headers=headers)
    assert (again.status_code, again.json()["replayed"]) == (200, True)
    catch_up()
    [listed] = ben.get("/api/v1/investigations/").json()
    assert (listed["table"], listed["assignee"], listed["state"]) == ("R-01", "sue", "open")
