"""Who reads the interface's description."""

from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.contrib.auth.models import Group
from django.test import Client

BROWSER = {"Accept": "text/html,application/xhtml+xml;q=0.9,*/*;q=0.8"}


def test_a_browser_that_has_not_logged_in_is_sent_to_and_comes_back(database: Any, client: Client) -> None:
    answer = client.get("/api/docs/", headers=BROWSER)
    assert (answer.status_code, answer["Location"]) == (302, "/login/?next=/api/docs/")
    ana = get_user_model().objects.create_user("ana")
    ana.groups.add(Group.objects.get(name="floor"))
    client.force_login(ana)
    assert client.get("/api/docs/", headers=BROWSER).status_code == 200


@pytest.mark.parametrize("headers", [{"Accept": "application/json"}, {**BROWSER, "Authorization": "Token 1.wrong"}])
def test_a_program_without_a_good_token_is_told_so(database: Any, client: Client, headers: dict[str, str]) -> None:
    assert client.get("/api/docs/", headers=headers).status_code in (401, 406)
