"""Django on the settings as they are: casino_app's connection with server-side parameters, and a strict browser."""

import pytest
from django.contrib.auth.models import Group, User
from django.test import Client

from casino import settings


@pytest.fixture
def admin(database: object) -> Client:
    User.objects.create_superuser("ana", password="a passphrase for Ana").groups.add(Group.objects.get(name="admin"))
    client = Client(enforce_csrf_checks=False)
    assert client.post("/login/?next=/admin/", {"username": "ana", "password": "a passphrase for Ana"}).url
    return client


def test_a_guesser_of_passwords_is_locked_out(database: object) -> None:
    User.objects.create_user("ana", password="a passphrase for Ana", is_staff=True)
    client = Client()
    for _ in range(5):
        client.post("/login/", {"username": "ana", "password": "guess"})
    answer = client.post("/login/", {"username": "ana", "password": "a passphrase for Ana"})
    assert answer.status_code == 429


def test_a_page_lets_the_browser_load_our_own_files_only(client: Client) -> None:
    policy = client.get("/login/").headers["Content-Security-Policy"]
    assert "default-src 'self'" in policy
    assert "script" not in policy  # so default-src holds for scripts too: none inside a page
    assert "frame-ancestors 'none'" in policy


def test_a_browser_keeps_no_page_and_may_keep_our_files(admin: Client, web_server: str) -> None:
    import urllib.request

    for path in ("/your-log-in/", "/admin/", "/api/v1/tables/", "/nothing/", "/login/"):
        assert "no-store" in admin.get(path).headers["Cache-Control"], path
    with urllib.request.urlopen(f"{web_server}/static/django_htmx/htmx-2.min.js") as answer:
        assert "no-store" not in (answer.headers["Cache-Control"] or "")


def test_cookies_are_out_of_reach_of_scripts_and_of_other_sites(admin: Client) -> None:
    for name in ("sessionid", "csrftoken"):
        cookie = admin.cookies[name]
        assert cookie["httponly"]
        assert cookie["samesite"] == "Strict"


def test_a_form_from_nowhere_is_refused(database: object) -> None:
    answer = Client(enforce_csrf_checks=True).post("/login/", {"username": "ana", "password": "x"})
    assert answer.status_code == 403


def test_static_files_are_served_without_another_server(web_server: str) -> None:
    import urllib.request

    with urllib.request.urlopen(f"{web_server}/static/django_htmx/htmx-2.min.js") as answer:
        assert b"htmx" in answer.read()


def test_many_requests_at_once_share_the_pool(web_server: str, database: object) -> None:
    """Each runs in a thread of its own; the sessions they leave on the server stay within the pool's size."""
    import concurrent.futures
    import urllib.request

    def get(_: int) -> int:
        with urllib.request.urlopen(f"{web_server}/login/") as answer:
            status: int = answer.status
            return status

    with concurrent.futures.ThreadPoolExecutor(30) as many:
        assert set(many.map(get, range(120))) == {200}


@pytest.mark.usefixtures("celery_worker_process")
def test_a_real_worker_answers_on_the_tests_own_redis() -> None:
    from casino.celery import app

    assert app.control.ping(timeout=5)


def test_a_pool_gives_a_lost_database_up_sooner_than_a_request_does(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settings, "POOL_SIZE", 4)
    pool = settings.app_database("postgresql://casino_app:secret@127.0.0.1/casino")["OPTIONS"]["pool"]
    assert pool["reconnect_timeout"] < pool["timeout"]
