"""A table whose tray was listed by chip, and everybody who has to do with its fills and credits, each with a client."""

import itertools
from typing import Any

import pytest
from django.contrib.auth.models import Group, User
from django.utils import timezone
from rest_framework.response import Response
from rest_framework.test import APIClient

from casino import roles
from casino.commands.order import Order
from casino.commands.tables import open_table, set_up_table
from casino.table import Count
from tests.counts import COUNTERS

serial = itertools.count(1)
CHIPS = {"10000": 500_000, "2500": 250_000}
PEOPLE = {
    "ana": roles.FLOOR,
    "eve": roles.FLOOR,
    "pia": roles.PIT_MANAGER,
    "dan": roles.DEALER,
    "cara": roles.CAGE,
    "cole": roles.CAGE,
    "sam": roles.SECURITY,
    "ben": roles.ACCOUNTING,
    "otto": roles.AUDITOR,
}
OF_ROLE = {"cage": "cara", "security": "sam", "dealer": "dan", "floor": "eve"}
ORDERS = {"fill": ("cage", "security", "dealer", "floor"), "credit": ("dealer", "floor", "security", "cage")}


class House:
    """Everybody of PEOPLE with a client of their own, and one open table."""

    def __init__(self) -> None:
        self.clients = {name: self._logged_in(name, role) for name, role in PEOPLE.items()}
        order = Order("test", f"house-{next(serial)}", timezone.now())
        set_up_table(order, "R-01", game="54-card-roulette")
        tray = {"10000": 4_000_000, "2500": 1_000_000}
        open_table(
            Order("test", f"house-{next(serial)}", timezone.now()),
            "R-01",
            Count(5_000_000, tray, COUNTERS),
            "Ana Ortiz",
        )

    def _logged_in(self, name: str, role: str) -> APIClient:
        user = User.objects.create_user(name, password=f"{name}-password")
        user.groups.add(Group.objects.get(name=role))
        client = APIClient()
        client.force_login(user)
        return client

    def post(self, who: str, path: str, body: Any = None, key: str = "") -> Response:
        headers = {"Idempotency-Key": key or f"slip-{next(serial)}"}
        return self.clients[who].post(f"/api/v1/{path}", body or {}, format="json", headers=headers)

    def get(self, who: str, path: str) -> Response:
        return self.clients[who].get(f"/api/v1/{path}")

    def requested(self, kind: str = "fill", by: str = "ana") -> str:
        answer = self.post(by, "tables/R-01/slips/", {"kind": kind, "denominations": CHIPS})
        assert answer.status_code == 201, answer.json()
        return f"slips/{answer.json()['slip']}"

    def prepared(self, kind: str = "fill") -> str:
        slip = self.requested(kind)
        assert self.post("cara", f"{slip}/prepare/").status_code == 201
        return slip

    def signed(self, kind: str = "fill", upto: int = 4) -> str:
        slip = self.prepared(kind)
        for role in ORDERS[kind][:upto]:
            answer = self.post(OF_ROLE[role], f"{slip}/sign/", {"role": role})
            assert answer.status_code == 201, answer.json()
        return slip


@pytest.fixture
def house(database: Any, redis_url: str) -> House:
    return House()
