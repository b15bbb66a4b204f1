"""What goes back over HTTP takes a second person, by name and password, in the same request."""

from typing import Any

import pytest
from django.contrib.auth.models import Group, User
from rest_framework.test import APIClient

from tests.casino.api.conftest import APPROVED, Terminal
from tests.casino.api.test_rounds import refused
from tests.played import ANA, BEN, MODEL_BACKEND, PASSWORD

WHY = {"reason": "A card was exposed."}


@pytest.fixture
def staff(playing: Terminal) -> dict[str, User]:
    """Ana is of the floor, as Eve is; Ben is of accounting."""
    people = {name: User.objects.create_user(name, password=PASSWORD) for name in (ANA, BEN)}
    people[ANA].groups.add(Group.objects.get(name="floor"))
    people[BEN].groups.add(Group.objects.get_or_create(name="accounting")[0])
    return people


@pytest.mark.parametrize("what", ["void", "misdeal"])
@pytest.mark.parametrize(
    ("second", "code", "status"),
    [
        ({}, "bad_request", 400),
        ({"approver": "eve"}, "bad_request", 400),
        ({"password": PASSWORD}, "bad_request", 400),
        (APPROVED | {"approver": " "}, "bad_request", 400),
        (APPROVED | {"password": ""}, "bad_request", 400),
        (APPROVED | {"password": 7}, "bad_request", 400),
        (APPROVED | {"requested_by": "eve"}, "bad_request", 400),
        (APPROVED | {"password": "guessed"}, "approval_wrong", 403),
        (APPROVED | {"approver": "nobody"}, "approval_wrong", 403),
        (APPROVED | {"approver": BEN}, "approver_role", 403),
    ],
)
def test_a_device_voids_nothing_alone(playing: Terminal, staff, what: str, second, code: str, status: int) -> None:
    refused(playing.on_round(what, WHY | second), code, status)
    assert playing.read()["status"] == "open"


def test_a_device_asks_in_its_own_name_and_the_password_is_kept_nowhere(playing: Terminal, database: Any) -> None:
    answer = playing.approved("void", WHY, key="void")
    assert (answer.status_code, answer.json()["voided"]["requested_by"]) == (201, "device:R-01 terminal")
    assert answer.json()["voided"]["approved_by"] == "eve"
    assert (again := playing.approved("void", WHY, key="void")).status_code == 200
    assert again.json()["replayed"] is True
    with database.connect("postgres") as look:
        kept = """SELECT (SELECT count(*) FROM log.event e WHERE e::text LIKE %(p)s)
                       + (SELECT count(*) FROM log.command c WHERE c::text LIKE %(p)s)"""
        assert look.execute(kept, {"p": f"%{PASSWORD}%"}).fetchone() == (0,)
        assert look.execute(kept, {"p": "%approved_by%"}).fetchone() != (0,)


def test_a_person_of_the_floor_does_not_approve_what_they_ask_for(playing: Terminal, staff) -> None:
    playing.client = APIClient()
    playing.client.force_login(staff[ANA], backend=MODEL_BACKEND)
    refused(playing.approved("void", WHY | {"approver": ANA}), "same_person", 403)
    voided = playing.approved("void", WHY).json()["voided"]
    assert (voided["requested_by"], voided["approved_by"]) == (ANA, "eve")


def test_a_device_does_not_guess_a_password(playing: Terminal) -> None:
    answers = [playing.approved("void", WHY | {"password": f"guess {n}"}) for n in range(5)]
    assert refused(answers[-1], "approver_locked", 403).startswith("Too many wrong passwords for 'eve'")
    refused(playing.approved("void", WHY), "approver_locked", 403)
    assert playing.read()["status"] == "open"


def test_a_name_that_no_database_takes_is_a_wrong_name(playing: Terminal) -> None:
    refused(playing.approved("void", WHY | {"approver": "e\0ve"}), "bad_request", 400)
