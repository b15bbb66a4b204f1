"""A house of real people who talk to it over HTTP alone, each in a session of their own, and what refuses them."""

import itertools
from typing import Any

from django.contrib.auth.models import Group, User
from django.test import Client
from rest_framework.response import Response

from casino import roles

PEOPLE = {
    "ana": roles.FLOOR,
    "eve": roles.FLOOR,
    "pia": roles.PIT_MANAGER,
    "dan": roles.DEALER,
    "dora": roles.DEALER,
    "cara": roles.CAGE,
    "sam": roles.SECURITY,
    "tess": roles.COUNT_TEAM,
    "tom": roles.COUNT_TEAM,
    "una": roles.COUNT_TEAM,
    "ben": roles.ACCOUNTING,
    "max": roles.PROGRESSIVE_ADMIN,
}


class House:
    """Everybody logged in by name and password. `post` and `get` are what somebody does, `refused` what not."""

    def __init__(self) -> None:
        self.numbers = itertools.count(1)
        self.clients = {name: self._logged_in(name, role) for name, role in PEOPLE.items()}

    def _logged_in(self, name: str, role: str) -> Client:
        user = User.objects.create_user(name, password=self.password(name))
        user.groups.add(Group.objects.get(name=role))
        client = Client()
        assert client.post("/login/", {"username": name, "password": self.password(name)}).status_code == 302
        return client

    @staticmethod
    def password(name: str) -> str:
        return f"{name}-and-the-felt"

    def approval(self, name: str, reason: str) -> dict[str, str]:
        """The second person, at the point of action."""
        return {"reason": reason, "approver": name, "password": self.password(name)}

    def sent(self, who: str, path: str, body: dict[str, Any]) -> Response:
        key = {"Idempotency-Key": f"day-{next(self.numbers)}"}
        address = f"/api/v1/{path}/"
        return self.clients[who].post(address, body, content_type="application/json", headers=key)  # type: ignore[return-value]

    def post(self, who: str, path: str, **body: Any) -> dict[str, Any]:
        """Something that is done, as answered."""
        answer = self.sent(who, path, body)
        assert answer.status_code == 201, (path, answer.json())
        return dict(answer.json())

    def get(self, who: str, path: str) -> Any:
        answer = self.clients[who].get(f"/api/v1/{path}/")
        assert answer.status_code == 200, (path, answer.json())
        return answer.json()

    def refused(self, code: str, who: str, path: str, **body: Any) -> str:
        """Something that is not done, by its code; the sentence that says why."""
        answer = self.sent(who, path, body)
        assert (answer.json().get("code"), answer.status_code >= 400) == (code, True), answer.json()
        return str(answer.json()["detail"])


def tray(total_cents: int, *counted_by: str, **denominations: int) -> dict[str, Any]:
    """A tray that people have counted; chips are given as `c10000=…`."""
    listed = {chip.removeprefix("c"): cents for chip, cents in denominations.items()}
    body: dict[str, Any] = {"total_cents": total_cents, "counted_by": list(counted_by)}
    return body | ({"denominations": listed} if listed else {})
