"""The count room and the cage of a small house: a day of three tables that are closed, and everybody with a client.

Amounts in cents. R-01 took 116,600 in cash, R-02 nothing, R-03 20,000.
"""

import itertools
from datetime import UTC, date, datetime
from typing import Any

import pytest
from django.contrib.auth.models import Group, User
from rest_framework.response import Response
from rest_framework.test import APIClient

from casino import roles
from casino.commands import tables
from casino.commands.order import Order
from casino.eventstore.follower import catch_up
from tests.counts import counted

serial = itertools.count(1)
PEOPLE = {
    "ana": roles.FLOOR,
    "sam": roles.SECURITY,
    "tess": roles.COUNT_TEAM,
    "tom": roles.COUNT_TEAM,
    "tia": roles.COUNT_TEAM,
    "cara": roles.CAGE,
    "cole": roles.CAGE,
    "ben": roles.ACCOUNTING,
    "sue": roles.SURVEILLANCE,
    "pia": roles.PIT_MANAGER,
    "max": roles.PROGRESSIVE_ADMIN,
    "otto": roles.AUDITOR,
    "dan": roles.DEALER,
}
TEAM = ("tess", "tom", "tia")
TABLES = ("R-01", "R-02", "R-03")
R_01 = {"currency": {"10000": 110_000, "2000": 6_000, "500": 500, "100": 100}}
R_03 = {"currency": {"10000": 20_000}}
WHOLE_DROP = {"10000": 130_000, "2000": 6_000, "500": 500, "100": 100}


def password(name: str) -> str:
    return f"{name}-password"


class CountHouse:
    """Its clients are logged in; `post` and `get` speak the interface."""

    def __init__(self) -> None:
        self.clients = {name: self._logged_in(name, role) for name, role in PEOPLE.items()}
        for code in TABLES:
            tables.set_up_table(self.order(), code, game="54-card-roulette")
            tables.open_table(self.order(), code, counted(1_000_000), "Ana Ortiz")
        tables.buy_in(self.order(), "R-01", 116_600, 1)
        tables.buy_in(self.order(), "R-03", 20_000, 1)

    def order(self, by: str = "ana") -> Order:
        return Order(by, f"count-{next(serial)}", datetime.now(UTC))

    @property
    def day(self) -> date:
        session = tables.load_table("R-01").session
        assert session is not None
        return session.gaming_date

    def closed(self) -> "CountHouse":
        for code, closer in (("R-01", 883_400), ("R-02", 1_000_000), ("R-03", 980_000)):
            tables.close_table(self.order(), code, counted(closer))
        catch_up()
        return self

    def _logged_in(self, name: str, role: str) -> APIClient:
        user = User.objects.create_user(name, password=password(name))
        user.groups.add(Group.objects.get(name=role))
        client = APIClient()
        client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
        return client

    def post(self, who: str, path: str, body: Any = None, key: str = "") -> Response:
        headers = {"Idempotency-Key": key or f"room-{next(serial)}"}
        return self.clients[who].post(f"/api/v1/{path}", body or {}, format="json", headers=headers)

    def get(self, who: str, path: str) -> Response:
        return self.clients[who].get(f"/api/v1/{path}")

    def said(self, who: str, path: str, body: Any = None, key: str = "") -> dict[str, Any]:
        """What the interface answers to something that it takes."""
        answer = self.post(who, path, body, key)
        assert answer.status_code in (200, 201), answer.json()
        catch_up()
        return dict(answer.json())

    def refused(self, who: str, path: str, body: Any = None) -> tuple[int, str]:
        """Status and code of what the interface refuses."""
        answer = self.post(who, path, body)
        assert answer.status_code >= 400, answer.json()
        return answer.status_code, answer.json()["code"]

    # ------------------------------------------------------------------------------------------- the day's way

    @property
    def drop(self) -> str:
        return f"drop/{self.day.isoformat()}/"

    @property
    def count(self) -> str:
        return f"counts/{self.day.isoformat()}/1/"

    def collected(self, *boxes: str, explanation: str = "") -> "CountHouse":
        taken = list(boxes) or [f"{code}/1" for code in TABLES]
        body = {"boxes": taken, "team": ["Ben Adler", "Cleo Martin"], "explanation": explanation}
        self.said("sam", f"{self.drop}collect/", body)
        return self

    def opened(self) -> "CountHouse":
        self.said("tess", f"counts/{self.day.isoformat()}/", {"team": self.team("tom", "tia")})
        return self

    def team(self, *names: str) -> list[dict[str, str]]:
        return [{"name": name, "password": password(name)} for name in names]

    def counted(self, box: str, contents: Any, second: Any = None, who: tuple[str, str] = ("tess", "tom")) -> None:
        """Both counts of a box; they agree unless the second is given."""
        self.said("tess", f"{self.count}boxes/", {"box": box, "contents": contents, "counted_by": who[0]})
        again = contents if second is None else second
        self.said("tess", f"{self.count}recounts/", {"box": box, "contents": again, "counted_by": who[1]})

    def all_counted(self) -> "CountHouse":
        self.collected().opened()
        for box, contents in (("R-01/1", R_01), ("R-02/1", {}), ("R-03/1", R_03)):
            self.counted(box, contents)
        return self

    def count_closed(self) -> "CountHouse":
        self.all_counted().said("tess", f"{self.count}close/")
        return self

    def recounted(self, currency: Any = None, who: str = "cara") -> dict[str, Any]:
        return self.said(who, f"drops/{self.day.isoformat()}/1/recount/", {"currency": currency or WHOLE_DROP})

    def accepted(self, note: str = "", who: str = "cara") -> dict[str, Any]:
        counter = {"name": "tess", "password": password("tess")}
        return self.said(who, f"drops/{self.day.isoformat()}/1/accept/", {"note": note, "counter": counter})


@pytest.fixture
def room(database: Any) -> CountHouse:
    """The three tables are closed and nothing is collected yet."""
    return CountHouse().closed()
