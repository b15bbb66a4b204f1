"""The second factor as a browser meets it: who needs it, how it is set up, and that a password alone gets nowhere."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth.models import Group, User
from django.test import Client
from django.urls import reverse
from django_otp.oath import totp
from django_otp.plugins.otp_totp.models import TOTPDevice

from casino import second_factor
from tests.played import ANA, BEN, PASSWORD

PAGE, SET_UP = "/second-factor/", "/second-factor/set-up/"


def code_of(user: User, steps: int = 0) -> str:
    """What the person's device shows, or showed some steps of half a minute away; every code serves once."""
    device = TOTPDevice.objects.filter(user=user).latest("pk")
    return f"{totp(device.bin_key, drift=steps):06d}"


@pytest.fixture
def required(settings: Any) -> None:
    """As in production."""
    settings.CASINO_SECOND_FACTOR = True


@pytest.fixture
def browser(people: dict[str, User]) -> Callable[[str], Client]:
    """Somebody who has given name and password, and nothing else."""

    def log_in(name: str) -> Client:
        client = Client()
        assert client.post("/login/", {"username": name, "password": PASSWORD}).status_code == 302
        return client

    return log_in


def forgive() -> None:
    """As if the wait after a wrong code were over."""
    TOTPDevice.objects.update(throttling_failure_count=0)


def set_up(client: Client, user: User) -> list[str]:
    """Set a device up; answers the recovery codes."""
    assert client.get(SET_UP).status_code == 200
    answer = client.post(SET_UP, {"code": code_of(user)})
    codes = re.findall(r"<li><code>(\w+)</code>", answer.content.decode())
    assert len(codes) == 10
    return codes


def test_whose_role_moves_money_sets_a_device_up_before_anything_else(browser, people, required) -> None:
    ben = browser(BEN)
    assert ben.get("/drop-and-hold/?x=1").headers["Location"] == "/second-factor/?next=%2Fdrop-and-hold%2F%3Fx%3D1"
    to = ben.get("/drop-and-hold/", follow=True)
    assert to.request["PATH_INFO"] == SET_UP
    assert ben.get("/api/v1/tables/").json()["code"] == "second_factor_missing"
    assert ben.post(SET_UP, {"code": "000000"}).status_code == 422
    forgive()
    set_up(ben, people[BEN])
    assert ben.get("/drop-and-hold/").status_code == 200
    assert ben.get("/api/v1/tables/").status_code == 200


def test_whose_role_moves_none_is_not_asked(browser, required) -> None:
    assert browser(ANA).get("/").status_code == 200


def test_in_the_demo_nobody_is_asked_but_who_has_set_one_up(browser, people) -> None:
    ben = browser(BEN)
    assert ben.get("/drop-and-hold/").status_code == 200
    set_up(ben, people[BEN])
    again = browser(BEN)
    assert again.get("/drop-and-hold/").headers["Location"].startswith(PAGE)
    assert "six digits" in again.get(PAGE).content.decode()


def test_a_code_opens_the_session_once_and_leads_where_somebody_was_going(browser, people) -> None:
    set_up(browser(BEN), people[BEN])
    ben = browser(BEN)
    code = code_of(people[BEN], steps=1)
    assert ben.post(PAGE, {"code": "123", "next": "/patrons/"}).status_code == 422
    forgive()
    assert ben.post(PAGE, {"code": code, "next": "/patrons/"}).headers["Location"] == "/patrons/"
    assert ben.get("/patrons/").status_code == 200
    other = browser(BEN)
    assert other.post(PAGE, {"code": code}).status_code == 422, "a code serves once"


def test_a_recovery_code_serves_once_in_the_place_of_a_lost_device(browser, people) -> None:
    codes = set_up(browser(BEN), people[BEN])
    ben = browser(BEN)
    assert ben.post(PAGE, {"code": codes[3]}).status_code == 302
    assert "9 recovery codes are left" in ben.get(PAGE).content.decode()
    assert browser(BEN).post(PAGE, {"code": codes[3]}).status_code == 422


def test_a_password_alone_brings_no_other_device_in_and_no_codes_out(browser, people) -> None:
    set_up(browser(BEN), people[BEN])
    thief = browser(BEN)
    assert thief.get(SET_UP).headers["Location"] == PAGE
    assert thief.post(SET_UP, {"code": code_of(people[BEN], 1)}).headers["Location"] == PAGE
    assert thief.post("/second-factor/codes/").headers["Location"].startswith(PAGE)
    assert second_factor.device_of(people[BEN]).confirmed


def test_new_recovery_codes_put_the_old_ones_out_of_use(browser, people) -> None:
    ben = browser(BEN)
    old = set_up(ben, people[BEN])
    page = ben.post("/second-factor/codes/").content.decode()
    new = re.findall(r"<li><code>(\w+)</code>", page)
    assert (len(new), set(old) & set(new)) == (10, set())
    assert browser(BEN).post(PAGE, {"code": old[0]}).status_code == 422


def test_another_device_takes_the_place_of_the_first(browser, people) -> None:
    ben = browser(BEN)
    set_up(ben, people[BEN])
    first = second_factor.device_of(people[BEN])
    set_up(ben, people[BEN])
    assert second_factor.device_of(people[BEN]).pk != first.pk
    assert TOTPDevice.objects.count() == 1
    assert ben.get("/drop-and-hold/").status_code == 200


def test_guessing_codes_makes_the_guesser_wait(browser, people) -> None:
    set_up(browser(BEN), people[BEN])
    ben = browser(BEN)
    for _ in range(3):
        assert ben.post(PAGE, {"code": "000000"}).status_code == 422
    assert ben.post(PAGE, {"code": code_of(people[BEN], 1)}).status_code == 422, (
        "right, but too soon after three guesses"
    )


def test_the_admin_site_is_behind_it_too(database, required) -> None:
    ada = User.objects.create_user("ada", password=PASSWORD)
    ada.groups.add(Group.objects.get(name="admin"))
    client = Client()
    client.post("/login/", {"username": "ada", "password": PASSWORD})
    assert client.get(reverse("admin:index")).headers["Location"].startswith(PAGE)


def test_a_wish_to_go_to_another_site_is_not_granted(browser, people) -> None:
    codes = set_up(browser(BEN), people[BEN])
    answer = browser(BEN).post(PAGE, {"code": codes[0], "next": "https://elsewhere.example/"})
    assert answer.headers["Location"] == "/"
