"""A table to talk to over HTTP, and its terminal."""

import itertools
from typing import Any

import pytest
from django.contrib.auth.models import Group, User
from django.utils import timezone
from rest_framework.response import Response
from rest_framework.test import APIClient

from casino.commands.order import Order
from casino.commands.tables import set_up_table
from casino.events import Limits
from casino.models import Device
from jackpot.commands.links import join_table, set_up_link
from tests.counts import tray
from tests.played import MODEL_BACKEND, PASSWORD

serial = itertools.count(1)
COUNTED = ("open", "roll", "close")
"""What takes the count of a tray, and so somebody of the floor."""
APPROVED = {"approver": "eve", "password": PASSWORD}


def order() -> Order:
    """An order of the test's own."""
    return Order("test", f"test-{next(serial)}", timezone.now())


class Terminal:
    """The device of one table, and Eve of the floor, who counts its tray. A post has its own key unless given one."""

    def __init__(self, table: str) -> None:
        self.table = table
        _, token = Device.issue(f"{table} terminal", table)
        self.client = APIClient()
        self.client.credentials(HTTP_AUTHORIZATION=f"Token {token}")
        self.round = ""
        eve, made = User.objects.get_or_create(username=APPROVED["approver"])
        if made:
            eve.set_password(PASSWORD)
            eve.save()
            eve.groups.add(Group.objects.get_or_create(name="floor")[0])
        self.floor = APIClient()
        self.floor.force_login(eve, backend=MODEL_BACKEND)

    def post(self, path: str, body: Any = None, key: str | None = None, client: APIClient | None = None) -> Response:
        headers = {"Idempotency-Key": key or f"key-{next(serial)}"}
        return (client or self.client).post(f"/api/v1/{path}", body or {}, format="json", headers=headers)

    def get(self, path: str) -> Response:
        return self.client.get(f"/api/v1/{path}")

    def at_table(self, what: str, body: Any = None, key: str | None = None) -> Response:
        client = self.floor if what in COUNTED else self.client
        return self.post(f"tables/{self.table}/{what}/", body, key, client)

    def on_round(self, what: str, body: Any = None, key: str | None = None) -> Response:
        return self.post(f"rounds/{self.round}/{what}/", body, key)

    def open_table(self, **more: Any) -> Response:
        body = {"opener": tray(5_000_000), "acknowledged_by": "Ana Ortiz", **more}
        return self.at_table("open", body)

    def open_round(self) -> Response:
        answer = self.at_table("rounds")
        assert answer.status_code == 201, answer.json()
        self.round = answer.json()["round"]
        return answer

    def approved(self, what: str, body: dict[str, Any], key: str | None = None) -> Response:
        """As `on_round`, with the approval of Eve of the floor."""
        return self.on_round(what, APPROVED | body, key)

    def bet(self, *wagers: tuple[int, str, int]) -> Response:
        return self.on_round("wagers", {"wagers": [{"seat": s, "wager": w, "stake_cents": c} for s, w, c in wagers]})

    def read(self) -> dict[str, Any]:
        answer = self.get(f"rounds/{self.round}/")
        assert answer.status_code == 200, answer.json()
        return dict(answer.json())


@pytest.fixture
def terminal(database: Any, redis_url: str) -> Terminal:
    """Table R-01, set up, joined to the link `main`, and still closed."""
    limits = {"colour": Limits(500, 100_000), "royal_flush": Limits(100, 10_000)}
    set_up_table(order(), "R-01", game="54-card-roulette", limits=limits)
    set_up_link(order(), "main", game="54-card-roulette")
    join_table(order(), "main", "R-01")
    return Terminal("R-01")


@pytest.fixture
def playing(terminal: Terminal) -> Terminal:
    """The table is open, and so is its first round."""
    assert terminal.open_table().status_code == 201
    terminal.open_round()
    return terminal
