"""Links over HTTP: set up, joined, left and read; every refusal a problem with a code and a sentence."""

import itertools
from collections.abc import Callable

import pytest
from django.contrib.auth.models import Group, User
from rest_framework.response import Response
from rest_framework.test import APIClient

from casino.eventstore.follower import catch_up
from casino.models import Device
from jackpot import queries

ROYAL_FLUSH, STRAIGHT_FLUSH = "As Ks Qs Js Ts", "9s 8s 7s 6s 5s"
LINKS = "/api/v1/links/"
keys = itertools.count(1)


@pytest.fixture
def staff(database) -> Callable[[str], APIClient]:
    """A browser logged in as somebody of a role."""

    def log_in(role: str) -> APIClient:
        user = User.objects.create_user(f"{role}-{next(keys)}")
        user.groups.add(Group.objects.get_or_create(name=role)[0])
        client = APIClient()
        client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
        return client

    return log_in


@pytest.fixture
def ana(staff) -> APIClient:
    return staff("progressive_admin")


def post(client: APIClient, path: str, body: dict, key: str = "") -> Response:
    return client.post(path, body, format="json", headers={"Idempotency-Key": key or f"api-{next(keys)}"})


def assert_problem(response: Response, status: int, code: str) -> None:
    assert (response.status_code, response.json()["code"]) == (status, code)
    assert response["Content-Type"] == "application/problem+json"
    assert response.json()["detail"].endswith(".")


def test_a_link_is_set_up_once_for_one_key(floor, ana):
    body = {"code": "silver", "game": "54-card-roulette", "base_cents": 100_000}
    first, again = post(ana, LINKS, body, "k"), post(ana, LINKS, body, "k")
    assert (first.status_code, first.json()["replayed"]) == (201, False)
    assert (again.status_code, again.json()) == (200, {**first.json(), "replayed": True})
    catch_up()
    meter = ana.get(f"{LINKS}silver/").json()
    assert (meter["display_cents"], meter["reset_cents"], meter["tables"]) == (100_000, 500_000, [])
    assert_problem(post(ana, LINKS, {**body, "base_cents": 1}, "k"), 409, "key_reused")


@pytest.mark.parametrize(
    ("status", "code", "body"),
    [
        (422, "return_over_100", {"tiers_name": "literal"}),
        (422, "bad_link_code", {"code": "Not A Code"}),
        (422, "unknown_game", {"game": "faro"}),
        (422, "rate_out_of_range", {"increment_bp": -1}),
        (400, "bad_request", {"increment_bp": "6500"}),
        (400, "bad_request", {"base_cents": 1.5}),
        (400, "bad_request", {"meter": 1}),
        (400, "bad_request", {"code": "a\x00b"}),
    ],
)
def test_a_set_up_that_may_not_be_is_a_problem(floor, ana, status, code, body):
    assert_problem(post(ana, LINKS, {"code": "silver", "game": "54-card-roulette"} | body), status, code)


def test_a_post_without_a_key_is_refused(floor, ana):
    body = {"code": "silver", "game": "54-card-roulette"}
    assert_problem(ana.post(LINKS, body, format="json"), 400, "key_missing")


def test_a_table_joins_and_leaves(floor, ana):
    floor.open("R-04")
    assert post(ana, f"{LINKS}grand/tables/", {"table": "R-04"}).status_code == 201
    catch_up()
    assert ana.get(f"{LINKS}grand/").json()["tables"] == ["R-01", "R-02", "R-03", "R-04"]
    assert_problem(post(ana, f"{LINKS}grand/tables/", {"table": "R-04"}), 409, "already_joined")
    assert_problem(post(ana, f"{LINKS}gold/tables/", {"table": "R-04"}), 404, "unknown_link")
    assert_problem(post(ana, f"{LINKS}grand/tables/", {"table": "R-09"}), 404, "unknown_table")
    assert post(ana, f"{LINKS}grand/tables/leave/", {"table": "R-04", "reason": "Broken sign."}).status_code == 201
    catch_up()
    assert queries.meter_of("grand").tables == ("R-01", "R-02", "R-03")


def test_a_meter_is_explained_to_the_micro_unit(floor, ana):
    floor.play("R-01", ROYAL_FLUSH, seats=[1, 2, 3])
    floor.record()
    meter = ana.get(f"{LINKS}grand/").json()
    assert sum(term["micros"] for term in meter["put_in"]) == sum(term["micros"] for term in meter["held"])
    assert meter["pending"] is True
    (hit,) = meter["last_hits"]
    assert (hit["rank"], hit["players"], hit["shares_cents"], hit["recorded"]) == (
        "royal_flush",
        3,
        [166_731] * 3,
        True,
    )


def test_the_lists_page_by_cursor(floor, ana, monkeypatch):
    monkeypatch.setattr("jackpot.api.NewestFirst.page_size", 2)
    monkeypatch.setattr("jackpot.api.ByCode.page_size", 1)
    floor.link("silver")
    for cards in (ROYAL_FLUSH, STRAIGHT_FLUSH, STRAIGHT_FLUSH):
        floor.play("R-01", cards)
    catch_up()
    page = ana.get(f"{LINKS}grand/hits/").json()
    assert [hit["rank"] for hit in page["results"]] == ["straight_flush"] * 2
    assert [hit["rank"] for hit in ana.get(page["next"]).json()["results"]] == ["royal_flush"]
    page = ana.get(LINKS).json()
    assert [meter["code"] for meter in page["results"]] == ["grand"]
    assert [meter["code"] for meter in ana.get(page["next"]).json()["results"]] == ["silver"]


@pytest.mark.parametrize("path", ["gold/", "gold/hits/", "a%00b/", "a%00b/hits/", "Grand/"])
def test_a_link_that_is_not_there_is_not_found(floor, ana, path):
    assert_problem(ana.get(LINKS + path), 404, "unknown_link")


def test_accounting_reads_meters_and_changes_none_and_a_stranger_does_neither(floor, staff):
    catch_up()
    carl = staff("accounting")
    assert carl.get(f"{LINKS}grand/").status_code == 200
    assert post(carl, f"{LINKS}grand/tables/", {"table": "R-04"}).status_code == 403
    assert APIClient().get(LINKS).status_code in (401, 403)
    assert staff("visitor").get(LINKS).status_code == 403


def test_a_device_reads_the_meter_its_table_shows_and_changes_none(floor):
    catch_up()
    _, token = Device.issue("terminal-1", "R-01")
    device = APIClient(headers={"Authorization": f"Token {token}"})
    assert device.get(f"{LINKS}grand/").json()["display_cents"] == 500_000
    assert post(device, f"{LINKS}grand/tables/leave/", {"table": "R-01", "reason": "No."}).status_code == 403
