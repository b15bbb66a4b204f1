"""Patrons and seats over HTTP: the floor writes, accounting reads, a device knows numbers only."""

from collections.abc import Callable
from typing import Any

import pytest
import schemathesis
from django.conf import settings
from django.contrib.auth.models import User
from django.core.wsgi import get_wsgi_application
from django.test import Client
from rest_framework.test import APIClient

from casino.models import Patron
from tests.casino.api.conftest import Terminal, serial
from tests.casino.api.test_schema import send
from tests.played import ANA, BEN, DAN, people

__all__ = ["people"]


class Person:
    """Somebody logged in who talks to the interface."""

    def __init__(self, user: User) -> None:
        self.client = APIClient()
        self.client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")

    def post(self, path: str, body: Any = None, key: str | None = None) -> Any:
        headers = {"Idempotency-Key": key or f"person-{next(serial)}"}
        return self.client.post(f"/api/v1/{path}", body or {}, format="json", headers=headers)

    def get(self, path: str) -> Any:
        return self.client.get(f"/api/v1/{path}")


@pytest.fixture
def person(people: dict[str, User]) -> Callable[[str], Person]:
    return lambda name: Person(people[name])


@pytest.fixture
def patron(person: Callable[[str], Person]) -> int:
    answer = person(ANA).post("patrons/", {"name": "Mireille Okonjo"})
    assert answer.status_code == 201, answer.json()
    return int(answer.json()["patron_id"])


def test_a_patron_is_made_renamed_and_erased_by_the_floor(person: Callable[[str], Person], patron: int) -> None:
    ana = person(ANA)
    assert ana.post(f"patrons/{patron}/rename/", {"name": "M. Okonjo"}).json()["name"] == "M. Okonjo"
    assert ana.get("patrons/?q=okon").json()["results"][0]["patron_id"] == patron
    erased = ana.post(f"patrons/{patron}/erase/").json()
    assert erased["name"] is None
    assert erased["erased_at"]
    assert ana.post(f"patrons/{patron}/rename/", {"name": "Again"}).json()["code"] == "patron_erased"
    assert ana.get(f"patrons/{patron}/").json() == erased
    assert ana.get(f"patrons/{patron + 1}/").json()["code"] == "unknown_patron"
    assert ana.get(f"patrons/{2**70}/").status_code == 404


def test_the_same_key_makes_one_patron(person: Callable[[str], Person]) -> None:
    ana = person(ANA)
    first, again = (ana.post("patrons/", {"name": "Auguste Pell"}, key="once") for _ in range(2))
    assert (first.status_code, again.status_code) == (201, 200)
    assert first.json() == again.json()
    assert ana.post("patrons/", {"name": "Other Name"}, key="once").json()["code"] == "key_reused"


def test_accounting_reads_and_does_not_write_and_nobody_else_does_either(
    person: Callable[[str], Person], patron: int, terminal: Terminal
) -> None:
    ben, dan = person(BEN), person(DAN)
    assert ben.get("patrons/").status_code == 200
    assert ben.get(f"patrons/{patron}/ratings/").json() == []
    for path in ("patrons/", f"patrons/{patron}/rename/", f"patrons/{patron}/erase/"):
        assert ben.post(path, {"name": "X"}).status_code == 403
        assert terminal.post(path, {"name": "X"}).status_code == 403
    for path in ("patrons/", f"patrons/{patron}/", f"patrons/{patron}/ratings/"):
        assert dan.get(path).status_code == 403
        assert terminal.get(path).status_code == 403, "a device knows numbers, no names"


def test_a_device_seats_by_number_at_its_own_table_and_leaves_estimates_to_the_floor(
    terminal: Terminal, person: Callable[[str], Person], patron: int
) -> None:
    refused = terminal.at_table("seats/seat", {"seat": 3, "patron_id": patron})
    assert (refused.status_code, refused.json()["code"]) == (409, "table_closed")
    terminal.open_table()
    seated = terminal.at_table("seats/seat", {"seat": 3, "patron_id": patron}, key="once")
    assert seated.status_code == 201, seated.json()
    assert (seated.json()["done"], seated.json()["patron_id"]) == ("seated", patron)
    again = terminal.at_table("seats/seat", {"seat": 3, "patron_id": patron}, key="once")
    assert again.status_code == 200
    assert again.json() == seated.json() | {"replayed": True}
    assert terminal.at_table("seats/seat", {"seat": 4}).json()["patron_id"] is None
    assert terminal.get("tables/R-01/seats/").json() == [
        {"seat": 3, "patron_id": patron},
        {"seat": 4, "patron_id": None},
    ]
    assert terminal.post("tables/R-02/seats/leave/", {"seat": 3}).json()["code"] == "wrong_table"
    assert terminal.at_table("seats/estimate", {"seat": 3, "average_bet_cents": 2_500}).status_code == 403
    estimated = person(ANA).post("tables/R-01/seats/estimate/", {"seat": 3, "average_bet_cents": 2_500})
    assert (estimated.json()["done"], estimated.json()["average_bet_cents"]) == ("estimated", 2_500)
    assert terminal.at_table("seats/leave", {"seat": 3}).json()["done"] == "left"


@pytest.mark.parametrize(
    ("what", "body", "status", "code"),
    [
        ("seat", {"seat": 3}, 409, "seat_taken"),
        ("seat", {"seat": 99}, 422, "seat_out_of_range"),
        ("seat", {"seat": 5, "patron_id": 10**9}, 404, "unknown_patron"),
        ("seat", {"seat": 5, "patron_id": -1}, 404, "unknown_patron"),
        ("seat", {"seat": 5, "patron_id": "7"}, 400, "bad_request"),
        ("leave", {"seat": 5}, 409, "seat_empty"),
        ("leave", {}, 400, "bad_request"),
    ],
)
def test_what_can_not_be_is_refused_with_a_code_and_a_sentence(
    terminal: Terminal, what: str, body: dict[str, Any], status: int, code: str
) -> None:
    terminal.open_table()
    terminal.at_table("seats/seat", {"seat": 3})
    answer = terminal.at_table(f"seats/{what}", body)
    assert (answer.status_code, answer.json()["code"]) == (status, code)
    assert answer.json()["detail"].endswith(".")


def test_ratings_are_exact_fractions(terminal: Terminal, person: Callable[[str], Person], patron: int) -> None:
    from casino.commands.settlement import settle_due
    from casino.eventstore.follower import catch_up

    terminal.open_table()
    terminal.at_table("seats/seat", {"seat": 3, "patron_id": patron})
    terminal.at_table("buy-ins", {"seat": 3, "amount_cents": 5_000})
    wagers = [{"seat": 3, "wager": "colour:red", "stake_cents": 1_000}]
    for _ in range(2):
        terminal.at_table("rounds/finished", {"wagers": wagers, "cards": ["Kd", "As", "9h", "4c", "2s"]})
        settle_due()
    catch_up()
    (row,) = person(BEN).get(f"patrons/{patron}/ratings/").json()
    assert row["gaming_date"]
    assert row["seconds"] >= 0
    assert {name: row[name] for name in row if name not in ("gaming_date", "seconds")} == {
        "table": "R-01",
        "game": "54-card-roulette",
        "decisions": 2,
        "handle_cents": 2_000,
        "average_bet": "1000",
        "theo": "2000/27",
        "actual_cents": 2_000,
        "bought_in_cents": 5_000,
        "estimate_cents": None,
    }


@pytest.mark.filterwarnings("ignore")
def test_whatever_the_floor_sends_about_patrons_the_answer_is_described(
    people: dict[str, User], playing: Terminal
) -> None:
    """The interface's description against a floorperson's session, which may do what a device may not."""
    client = Client()
    client.force_login(people[ANA], backend="django.contrib.auth.backends.ModelBackend")
    token = "c" * 32
    cookies = f"{settings.SESSION_COOKIE_NAME}={client.cookies[settings.SESSION_COOKIE_NAME].value}"
    cookies += f"; {settings.CSRF_COOKIE_NAME}={token}"
    headers = {"X-CSRFToken": token}

    def logged_in(environ: dict[str, Any], start: Any) -> Any:
        return get_wsgi_application()(environ | {"HTTP_COOKIE": cookies}, start)

    schema = schemathesis.openapi.from_wsgi("/api/schema/?format=json", logged_in, headers=headers)
    operations = [found.ok() for found in schema.include(path_regex="patrons|seats").get_all_operations()]
    assert len(operations) == 10
    for operation in operations:
        send(operation, headers)
    assert Patron.objects.exists(), "some of what was sent was carried out"
