"""Whoever has not pressed anything for a while is logged out; what a page fetches by itself is no press."""

from typing import Any

import pytest
from django.test import Client

from casino.idle import SEEN


@pytest.fixture
def minutes(settings: Any) -> int:
    settings.CASINO_IDLE_MINUTES = 10
    return 10


def seen_before(client: Client, seconds: int) -> None:
    """As if the last press had been so long ago."""
    session = client.session
    session[SEEN] -= seconds
    session.save()


def test_after_the_time_out_the_next_request_asks_for_a_log_in_and_says_why(ana: Client, minutes: int) -> None:
    assert ana.get("/patrons/").status_code == 200
    seen_before(ana, 599)
    assert ana.get("/patrons/").status_code == 200
    seen_before(ana, 601)
    answer = ana.get("/patrons/", follow=True)
    assert answer.redirect_chain == [("/login/?next=/patrons/", 302)]
    assert "You were logged out after 10 minutes without a press." in answer.content.decode()


def test_a_page_that_fetches_itself_keeps_no_session_alive(ana: Client, minutes: int) -> None:
    ana.get("/patrons/")
    for _ in range(3):
        seen_before(ana, 201)
        answer = ana.get("/_tiles/")
    assert (answer.status_code, answer.headers["HX-Refresh"]) == (403, "true"), "the page loads itself anew"
    assert "without a press" in ana.get("/", follow=True).content.decode()


def test_a_press_does(ana: Client, minutes: int) -> None:
    ana.get("/patrons/")
    for _ in range(3):
        seen_before(ana, 590)
        assert ana.get("/patrons/").status_code == 200


def test_without_the_setting_nobody_is_logged_out_and_no_session_is_written(ana: Client) -> None:
    ana.get("/patrons/")
    assert SEEN not in ana.session
