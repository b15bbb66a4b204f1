"""What machines ask: alive, ready, and in which figures."""

from typing import Any

from django.contrib.auth.models import Group, User
from django.test import Client

from casino.eventstore.follower import catch_up, followers, stop_loudly
from tests.casino.api.conftest import Terminal, terminal  # noqa: F401


def test_alive_and_ready_need_no_log_in(database: Any, redis_url: str) -> None:
    assert Client().get("/healthz").content == b"ok\n"
    ready = Client().get("/readyz")
    assert (ready.status_code, ready.json()["problems"]) == (200, [])


def test_without_redis_the_house_is_ready_and_says_what_waits(database: Any) -> None:
    ready = Client().get("/readyz")
    assert ready.status_code == 200
    assert any("Redis" in note for note in ready.json()["notes"])


def test_a_follower_that_stopped_makes_the_house_unready(database: Any, redis_url: str) -> None:
    stop_loudly(followers()["books"], ValueError("a secret detail"))
    ready = Client().get("/readyz")
    assert ready.status_code == 503
    assert "books" in ready.json()["problems"][0]
    assert "secret" not in ready.content.decode()


def test_the_figures_are_for_admin_and_auditor_and_for_whoever_has_the_token(
    database: Any, redis_url: str, settings: Any, terminal: Terminal,  # noqa: F811
) -> None:  # fmt: skip
    assert Client().get("/metrics").status_code == 401
    settings.CASINO_METRICS_TOKEN = "a-token"
    assert Client(headers={"Authorization": "Bearer wrong"}).get("/metrics").status_code == 401
    catch_up()
    text = Client(headers={"Authorization": "Bearer a-token"}).get("/metrics").content.decode()
    assert 'casino_follower_lag{follower="board"} 0.0' in text
    for role, status in (("admin", 200), ("auditor", 200), ("floor", 403)):
        staff, person = Client(), User.objects.create_user(role)
        person.groups.add(Group.objects.get(name=role))
        staff.force_login(person, backend="django.contrib.auth.backends.ModelBackend")
        assert staff.get("/metrics").status_code == status, role
