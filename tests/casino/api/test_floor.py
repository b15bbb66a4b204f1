"""Dealers, decks and limits over HTTP: who may, what is answered, and what is refused in which words."""

import itertools
from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth.models import Group, User
from rest_framework.response import Response
from rest_framework.test import APIClient

from casino.commands.tables import set_up_table
from casino.eventstore.follower import catch_up
from tests.casino.api.conftest import Terminal, order
from tests.casino.api.test_rounds import refused
from tests.played import PASSWORD

serial = itertools.count(1)
Post = Callable[..., Response]


@pytest.fixture
def staff(terminal: Terminal) -> Callable[[str, str], Post]:
    """Log somebody in; the answer posts to R-01 in their name."""
    terminal.open_table()

    def log_in(name: str, *roles: str) -> Post:
        user, _ = User.objects.get_or_create(username=name)
        user.groups.set([Group.objects.get_or_create(name=role)[0] for role in roles])
        client = APIClient()
        client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")

        def post(what: str, **body: Any) -> Response:
            headers = {"Idempotency-Key": f"{name}-{next(serial)}"}
            return client.post(f"/api/v1/tables/R-01/{what}/", body, format="json", headers=headers)

        return post

    return log_in


@pytest.fixture
def ana(staff: Callable[..., Post]) -> Post:
    staff("dan", "dealer")
    staff("finn", "dealer")
    return staff("ana", "floor")


def test_the_floor_puts_a_dealer_on_relieves_and_takes_off(ana: Post, terminal: Terminal) -> None:
    answer = ana("dealer/on", dealer="dan")
    assert (answer.status_code, answer.json()["done"]) == (201, "dealer_on")
    assert terminal.get("tables/R-01/").json()["dealer"] == "dan"
    refused(ana("dealer/on", dealer="finn"), "dealer_on_duty", 409)
    assert ana("dealer/relief", dealer="finn").json()["recorded"][-1]["relieves"] == "dan"
    assert ana("dealer/off").json()["done"] == "dealer_off"
    refused(ana("dealer/off"), "no_dealer", 409)
    refused(ana("dealer/on", dealer="ana"), "unknown_dealer", 404)


def test_neither_a_device_nor_a_dealer_nor_accounting_puts_dealers_on_or_moves_decks(
    staff: Callable[..., Post], terminal: Terminal
) -> None:
    deck = {"deck": "red", "move": "in", "cards": 54}
    for post in (staff("dan", "dealer"), staff("ben", "accounting")):
        refused(post("dealer/on", dealer="dan"), "permission_denied", 403)
        refused(post("decks", **deck), "permission_denied", 403)
        refused(post("limits", limits={}), "permission_denied", 403)
    refused(terminal.at_table("dealer/on", {"dealer": "dan"}), "permission_denied", 403)
    refused(terminal.at_table("decks", deck), "permission_denied", 403)


def test_a_deck_is_brought_counted_and_taken_away(ana: Post, terminal: Terminal) -> None:
    refused(ana("decks", deck="red", move="in", cards=53), "deck_not_complete", 422)
    assert ana("decks", deck="red", move="in", cards=54).status_code == 201
    assert terminal.get("tables/R-01/").json()["decks"] == [{"deck": "red", "cards": 54}]
    ana("decks", deck="red", move="counted", cards=53)
    refused(terminal.at_table("rounds"), "deck_count_off", 409)
    ana("decks", deck="red", move="out", cards=53, reason="a card is missing")
    refused(terminal.at_table("rounds"), "no_deck", 409)
    ana("decks", deck="blue", move="in", cards=54)
    assert terminal.at_table("rounds").status_code == 201


def test_a_misdeal_takes_the_deck_away(ana: Post, terminal: Terminal) -> None:
    ana("decks", deck="red", move="in", cards=54)
    terminal.open_round()
    assert terminal.approved("misdeal", {"reason": "Two kings of diamonds."}).json()["status"] == "voided"
    assert terminal.get("tables/R-01/").json()["decks"] == []
    refused(terminal.at_table("rounds"), "no_deck", 409)


def test_limits_are_announced_with_notice_and_a_raised_minimum_is_for_a_pit_manager(
    ana: Post, staff: Callable[..., Post], terminal: Terminal
) -> None:
    terminal.at_table("seats/seat", {"seat": 2})
    lower, higher = {"colour": {"min_cents": 100, "max_cents": 100_000}}, {
        "colour": {"min_cents": 1_000, "max_cents": 100_000}
    }  # fmt: skip
    table = ana("limits", limits=lower).json()
    assert table["limits"]["colour"] == [500, 100_000]
    assert [one["limits"]["colour"] for one in table["limits_announced"]] == [[100, 100_000]]
    sentence = refused(ana("limits", limits=higher), "minimum_raised", 403)
    assert "colour" in sentence
    pia = staff("pia", "floor", "pit_manager")
    assert pia("limits", limits=higher).json()["limits_announced"][-1]["limits"]["colour"] == [1_000, 100_000]
    soon = "2026-01-01T00:00:00Z"
    refused(ana("limits", limits=lower, effective_at=soon), "notice_too_short", 422)
    refused(ana("limits", limits={"colour": {"min_cents": 0, "max_cents": 1}}), "bad_limits", 422)


def test_a_pit_is_handed_over_with_the_password_of_whoever_takes_it(
    ana: Post, staff: Callable[..., Post], terminal: Terminal
) -> None:
    set_up_table(order(), "R-02", game="54-card-roulette", pit="P-1")
    catch_up()
    fay = User.objects.create_user("fay", password=PASSWORD)
    fay.groups.add(Group.objects.get(name="floor"))
    client = APIClient()
    client.force_login(User.objects.get(username="ana"), backend="django.contrib.auth.backends.ModelBackend")

    def hand(key: str, pit: str = "P-1", **body: Any) -> Response:
        said = {"incoming": "fay", "password": PASSWORD, "note": "quiet"} | body
        headers = {"Idempotency-Key": key}
        return client.post(f"/api/v1/pits/{pit}/hand-over/", said, format="json", headers=headers)

    refused(hand("1", password="wrong"), "approval_wrong", 403)
    refused(hand("2", pit="P-9"), "unknown_pit", 404)
    answer = hand("3").json()
    assert (answer["outgoing"], answer["incoming"], answer["tables_open"]) == ("ana", "fay", [])
    assert hand("3").json()["replayed"]
    refused(hand("4"), "not_holder", 403)


def test_the_form_of_a_table_that_did_not_open_is_recorded_once_a_day(ana: Post, terminal: Terminal) -> None:
    refused(ana("closed-form"), "table_was_open", 409)
    set_up_table(order(), "R-02", game="54-card-roulette")
    client = APIClient()
    client.force_login(User.objects.get(username="ana"), backend="django.contrib.auth.backends.ModelBackend")

    def form(key: str) -> Response:
        headers = {"Idempotency-Key": key}
        return client.post("/api/v1/tables/R-02/closed-form/", {}, format="json", headers=headers)

    assert {name: form("1").json()[name] for name in ("table", "last_open", "by")} == {
        "table": "R-02", "last_open": None, "by": "ana",
    }  # fmt: skip
    refused(form("2"), "already_recorded", 409)
