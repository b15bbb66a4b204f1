"""The site of whoever keeps the log-ins: Ada keeps, Otto reads, and nobody else comes in."""

import io
import re
from collections.abc import Callable
from typing import Any

import pytest
from axes.models import AccessFailureLog, AccessLog
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Group, User
from django.core.management import call_command
from django.test import Client
from django.urls import reverse
from django_otp.plugins.otp_totp.models import TOTPDevice

from casino.admin import site
from casino.models import AccessRefusal, Device
from casino.refusal import Refused
from tests.played import ANA, BEN, MODEL_BACKEND, PASSWORD

ADA, OTTO = "ada", "otto"
PEOPLE = "/admin/auth/user/"


@pytest.fixture
def log_in(people: dict[str, User]) -> Callable[[str], Client]:
    for name, role in ((ADA, "admin"), (OTTO, "auditor")):
        people[name] = User.objects.create_user(name, password=PASSWORD)
        people[name].groups.add(Group.objects.get(name=role))

    def browser(name: str) -> Client:
        client = Client()
        client.force_login(people[name], backend=MODEL_BACKEND)
        return client

    return browser


@pytest.fixture
def ada(log_in: Callable[[str], Client]) -> Client:
    return log_in(ADA)


@pytest.fixture
def otto(log_in: Callable[[str], Client]) -> Client:
    return log_in(OTTO)


def text_of(answer: Any) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", answer.content.decode()))


def group(name: str) -> int:
    return Group.objects.get(name=name).pk


def changed(person: User, **more: Any) -> dict[str, Any]:
    """The form of a person as the page sends it back."""
    same = {"first_name": "", "last_name": "", "email": "", "is_active": "on"}
    return same | {"groups": list(person.groups.values_list("pk", flat=True))} | more


# ------------------------------------------------------------------------------------------------- who may


def test_it_has_people_roles_devices_and_logs_and_no_money() -> None:
    assert {model.__name__ for model in site._registry} == {
        "User", "Group", "Device", "AccessLog", "AccessFailureLog", "AccessRefusal", "LogEntry",
    }  # fmt: skip


def test_both_roles_read_every_list_and_every_row(ada: Client, otto: Client, people) -> None:
    Device.issue("R-01 terminal", "R-01")
    Client().post("/login/", {"username": ANA, "password": "wrong"})
    Client().post("/login/", {"username": ANA, "password": PASSWORD})
    ada.get("/patrons/")
    ada.post(f"{PEOPLE}{people[BEN].pk}/change/", changed(people[BEN], first_name="Ben"))
    for client in (ada, otto):
        assert client.get("/admin/").status_code == 200
        for model in site._registry:
            name = f"admin:{model._meta.app_label}_{model._meta.model_name}"
            for there in (reverse(f"{name}_changelist"), reverse(f"{name}_change", args=[model.objects.first().pk])):
                assert client.get(there).status_code == 200, there


def test_the_auditor_changes_nothing_and_others_do_not_come_in(otto: Client, log_in, people) -> None:
    ben = people[BEN]
    assert otto.post(f"{PEOPLE}{ben.pk}/change/", changed(ben, is_active="")).status_code == 403
    assert otto.get(f"{PEOPLE}add/").status_code == 403
    assert otto.post(f"{PEOPLE}{ben.pk}/password/", {"password1": "x" * 20, "password2": "x" * 20}).status_code == 403
    assert "Take the second factor away" not in otto.get(PEOPLE).content.decode()
    for name in (ANA, BEN):
        assert log_in(name).get("/admin/").status_code == 403
    ben.refresh_from_db()
    assert ben.is_active


def test_djangos_superuser_has_no_role_by_that(database: Any) -> None:
    client = Client()
    client.force_login(User.objects.create_superuser("root"), backend=MODEL_BACKEND)
    assert client.get("/admin/").status_code == 403


# ------------------------------------------------------------------------------------------------- people


def test_ada_makes_a_log_in_gives_it_roles_and_switches_it_off(ada: Client) -> None:
    passwords = {"password1": "a long passphrase", "password2": "a long passphrase", "usable_password": "true"}
    made = ada.post(f"{PEOPLE}add/", {"username": "cara"} | passwords)
    cara = User.objects.get(username="cara")
    assert made.headers["Location"] == f"{PEOPLE}{cara.pk}/change/"
    assert ada.post(f"{PEOPLE}{cara.pk}/change/", changed(cara, groups=[group("cage")])).status_code == 302
    client = Client()
    assert client.post("/login/", {"username": "cara", "password": "a long passphrase"}).status_code == 302
    assert client.get("/slips/").status_code == 200
    ada.post(f"{PEOPLE}{cara.pk}/change/", changed(cara, is_active=""))
    assert client.get("/slips/").status_code == 302, "a session ends with its log-in"


def test_roles_that_the_house_keeps_apart_are_not_given_to_one_person(ada: Client, people) -> None:
    both = changed(people[BEN], groups=[group("accounting"), group("cage")])
    answer = ada.post(f"{PEOPLE}{people[BEN].pk}/change/", both)
    assert "accounting and cage are never one person" in text_of(answer)
    assert [one.name for one in people[BEN].groups.all()] == ["accounting"]


def test_nobody_gives_themselves_a_role(ada: Client, people) -> None:
    mine = f"{PEOPLE}{people[ADA].pk}/change/"
    answer = ada.post(mine, changed(people[ADA], groups=[group("cage")]))
    assert "Nobody gives roles to themselves" in text_of(answer)
    assert ada.post(mine, changed(people[ADA], first_name="Ada")).status_code == 302


def test_no_right_of_djangos_own_can_be_given_and_no_name_changed(ada: Client, people) -> None:
    ben = people[BEN]
    ada.post(f"{PEOPLE}{ben.pk}/change/", changed(ben, is_superuser="on", is_staff="on", username="benjamin"))
    ben.refresh_from_db()
    assert (ben.is_superuser, ben.is_staff, ben.username) == (False, False, BEN)


def test_nobody_is_deleted_since_the_record_names_them(ada: Client, people) -> None:
    assert ada.post(f"{PEOPLE}{people[BEN].pk}/delete/", {"post": "yes"}).status_code == 403
    assert User.objects.filter(username=BEN).exists()


def test_roles_come_with_the_program(ada: Client) -> None:
    assert ada.get("/admin/auth/group/add/").status_code == 403
    assert "prepares slips, sells and redeems chips" in text_of(ada.get("/admin/auth/group/"))


def test_a_lost_second_factor_is_taken_away_and_that_is_on_record(ada: Client, people) -> None:
    TOTPDevice.objects.create(user=people[BEN], name="authenticator", confirmed=True)
    ada.post(PEOPLE, {"action": "forget_second_factor", "_selected_action": [people[BEN].pk]})
    assert not TOTPDevice.objects.exists()
    entry = LogEntry.objects.get()
    assert (entry.user.username, entry.object_repr, entry.change_message) == (ADA, BEN, "Took the second factor away.")


def test_a_log_in_that_rests_is_released(ada: Client, people) -> None:
    client = Client()
    for _ in range(5):
        client.post("/login/", {"username": ANA, "password": "wrong"})
    assert client.post("/login/", {"username": ANA, "password": PASSWORD}).status_code == 429
    ada.post(PEOPLE, {"action": "release", "_selected_action": [people[ANA].pk]})
    assert client.post("/login/", {"username": ANA, "password": PASSWORD}).status_code == 302


# ------------------------------------------------------------------------------------------------- devices


def test_a_device_is_made_its_token_shown_once_renewed_and_switched_off(ada: Client) -> None:
    answer = ada.post("/admin/casino/device/add/", {"name": "R-07 terminal", "table_code": "R-07"}, follow=True)
    token = re.search(r"shown this once: (\d+\.\w{40})", text_of(answer))
    assert token
    device = Device.of_token(token[1])
    assert device
    assert device.table_code == "R-07"
    assert token[1] not in text_of(ada.get("/admin/casino/device/"))
    assert device.token_hash not in text_of(ada.get(f"/admin/casino/device/{device.pk}/change/"))
    renewed = ada.post("/admin/casino/device/", {"action": "renew", "_selected_action": [device.pk]}, follow=True)
    assert Device.of_token(token[1]) is None
    second = re.search(r"shown this once: (\d+\.\w{40})", text_of(renewed))
    assert second
    ada.post(f"/admin/casino/device/{device.pk}/change/", {"table_code": "R-08"})
    device.refresh_from_db()
    assert (device.is_active, device.table_code) == (False, "R-07")
    assert Device.of_token(second[1]) is None


# ------------------------------------------------------------------------------------------------- logs


def test_who_came_who_was_wrong_and_who_was_refused_is_kept(otto: Client, people) -> None:
    client = Client()
    client.post("/login/", {"username": ANA, "password": "wrong"})
    client.post("/login/", {"username": ANA, "password": PASSWORD})
    client.get("/terminals/")
    client.get("/admin/")
    client.post("/api/v1/counts/2026-11-29/", headers={"X-CSRFToken": "none"})
    _, token = Device.issue("R-01 terminal", "R-01")
    Client().get("/api/v1/patrons/", headers={"Authorization": f"Token {token}"})
    assert AccessLog.objects.filter(username=ANA).count() == 1
    assert AccessFailureLog.objects.filter(username=ANA).count() == 1, "kept, though success resets the attempts"
    rows = AccessRefusal.objects.order_by("pk").values_list("who", "method", "path")
    assert list(rows) == [
        (ANA, "GET", "/admin/"),
        (ANA, "POST", "/api/v1/counts/2026-11-29/"),
        ("device:R-01 terminal", "GET", "/api/v1/patrons/"),
    ]
    said = text_of(otto.get("/admin/casino/accessrefusal/"))
    assert "This is for count team." in said


# ------------------------------------------------------------------------------------------------- the first one


def add_person(monkeypatch: pytest.MonkeyPatch, password: str, *arguments: str) -> str:
    monkeypatch.setattr("sys.stdin", io.StringIO(password + "\n"))
    said = io.StringIO()
    call_command("add_person", *arguments, stdout=said)
    return said.getvalue()


def test_the_first_administrator_is_made_at_the_command_line(database: Any, monkeypatch) -> None:
    assert "ada may log in now." in add_person(monkeypatch, "a long passphrase", "ada", "admin")
    client = Client()
    client.post("/login/", {"username": "ada", "password": "a long passphrase"})
    assert client.get(PEOPLE).status_code == 200


@pytest.mark.parametrize(
    ("password", "arguments", "code"),
    [
        ("short", ("cara", "cage"), "bad_log_in"),
        ("a long passphrase", ("two words", "cage"), "bad_log_in"),
        ("a long passphrase", ("cara", "cage", "accounting"), "roles_clash"),
        ("a long passphrase", (BEN, "cage"), "person_exists"),
    ],
)
def test_a_log_in_that_may_not_be_is_refused(people, monkeypatch, password: str, arguments, code: str) -> None:
    with pytest.raises(Refused) as refusal:
        add_person(monkeypatch, password, *arguments)
    assert refusal.value.code == code
    assert User.objects.count() == len(people)
