"""A link's control over HTTP: every step by its role, refusals as problems, days and what is owed."""

from datetime import UTC, datetime

import pytest
from rest_framework.test import APIClient

from casino.eventstore.follower import catch_up
from casino.models import Device
from jackpot.commands import changes
from jackpot.link_steps import STEPS
from tests.jackpot.test_api import assert_problem, post, staff

GRAND = "/api/v1/links/grand/"
__all__ = ["staff"]


@pytest.fixture
def folded(floor):
    floor.play("R-01")
    catch_up()
    return floor


def test_a_change_is_proposed_approved_and_made_over_http(folded, staff):
    max_, ben = staff("progressive_admin"), staff("accounting")
    answer = post(max_, f"{GRAND}changes/propose/", {"increment_bp": 6000, "reason": "A slower meter."})
    assert (answer.status_code, answer.json()["number"]) == (201, 1)
    assert_problem(post(max_, f"{GRAND}changes/approve/", {"number": 1}), 403, "same_person")
    assert post(ben, f"{GRAND}changes/approve/", {"number": 1}).status_code == 201
    catch_up()
    assert changes.make_due_changes() == 1
    assert_problem(post(max_, f"{GRAND}changes/drop/", {"number": 1, "reason": "Late."}), 404, "unknown_change")


def test_the_bet_is_stopped_and_taken_again_over_http(folded, staff):
    ana, max_ = staff("floor"), staff("progressive_admin")
    assert post(ana, f"{GRAND}stop/", {"reason": "The sign is dark."}).status_code == 201
    assert_problem(post(ana, f"{GRAND}stop/", {"reason": "Again."}), 409, "already_stopped")
    catch_up()
    assert_problem(post(max_, f"{GRAND}resume/", {"shown_cents": 1}), 409, "reading_differs")
    assert post(max_, f"{GRAND}resume/", {"shown_cents": 500_065}).status_code == 201


def test_a_meter_is_read_explained_and_stated_over_http(folded, staff):
    ben = staff("accounting")
    now = datetime.now(UTC)
    assert post(ben, f"{GRAND}readings/", {"shown_cents": 500_060, "read_at": now.isoformat()}).status_code == 201
    page = day_of(folded, ben)
    (reading,) = page["readings"]
    assert (reading["difference_cents"], reading["explanation"], page["state"]) == (-5, "", "differs")
    body = {"gaming_date": page["gaming_date"], "number": 1, "explanation": "The sign lags."}
    assert post(ben, f"{GRAND}readings/explain/", body).status_code == 201
    page = day_of(folded, ben)
    assert (page["readings"][0]["explanation"], page["state"]) == ("The sign lags.", "read")
    main = page["columns"][0]
    assert (main["account"], main["closing_micros"]) == ("main", 5_000_650_000)
    assert main["opening_micros"] + sum(main["lines"].values()) == main["closing_micros"]
    assert_problem(post(ben, f"{GRAND}readings/sign/", {"gaming_date": page["gaming_date"]}), 409, "day_not_over")


def day_of(floor, client: APIClient) -> dict:
    day = floor.last_round("R-01").gaming_date
    return client.get(f"{GRAND}days/{day}/").json()


def test_an_adjustment_is_asked_for_and_decided_over_http(folded, staff):
    max_, ben = staff("progressive_admin"), staff("accounting")
    body = {"pool": "main", "micros": -650_000, "reason": "malfunction", "evidence": "Photograph 12."}
    assert post(max_, f"{GRAND}requests/adjustment/", body).json()["number"] == 1
    assert post(ben, f"{GRAND}requests/approve/", {"number": 1}).status_code == 201
    catch_up()
    (owed,) = ben.get("/api/v1/liability/").json()
    assert (owed["main_micros"], owed["is_tied"]) == (5_000_000_000, True)


@pytest.mark.parametrize(
    ("step", "body", "status", "code"),
    [
        ("changes/propose", {"reason": "None."}, 422, "nothing_changes"),
        ("changes/propose", {"limit_cents": "much", "reason": "x"}, 400, "bad_request"),
        ("changes/approve", {"number": 9}, 404, "unknown_change"),
        ("resume", {}, 409, "not_stopped"),
        (
            "requests/adjustment",
            {"pool": "main", "micros": 1, "reason": "luck", "evidence": "x"},
            422,
            "unknown_reason",
        ),
        ("requests/transfer", {"to_link": "gold", "reason": "x", "evidence": "x"}, 404, "unknown_link"),
        (
            "requests/missed-hit",
            {"round": "x", "rank": "x", "seats": [1], "reason": "x", "evidence": "x"},
            404,
            "unknown_round",
        ),
        ("in-between/settle", {"round": "x", "ruling": "x"}, 404, "unknown_between"),
        ("requests/approve", {"number": 9}, 404, "unknown_request"),
        ("notices", {"what": "party"}, 422, "unknown_notice"),
        ("tables/remove", {"table": "R-01", "reason": "x"}, 409, "notice_missing"),
        ("readings", {"shown_cents": -1}, 422, "bad_reading"),
        ("readings/explain", {"gaming_date": "2026-01-01", "number": 1, "explanation": "x"}, 404, "unknown_reading"),
    ],
)
def test_a_step_that_may_not_be_is_a_problem(folded, staff, step, body, status, code):
    assert_problem(post(staff("progressive_admin"), f"{GRAND}{step}/", body), status, code)


@pytest.mark.parametrize("step", STEPS, ids=lambda step: step.path)
def test_a_link_that_is_not_there_is_not_found(folded, staff, step):
    who = staff("accounting") if step.path == "readings/sign" else staff("progressive_admin")
    body = {
        "number": 1, "reason": "x", "evidence": "x", "because": "x", "pool": "main", "micros": 1, "to_link": "grand",
        "what": "transfer", "table": "R-01", "shown_cents": 1, "gaming_date": "2026-01-01", "explanation": "x",
        "round": "R-01/2026-01-01/1", "rank": "x", "seats": [1], "ruling": "x",
    }  # fmt: skip
    known = {name: value for name, value in body.items() if name in step.body().fields}
    assert_problem(post(who, f"/api/v1/links/gold/{step.path}/", known), 404, "unknown_link")


def test_a_controller_reads_its_meter_by_the_token_of_its_table(folded):
    _, token = Device.issue("controller-1", "R-01")
    device = APIClient(headers={"Authorization": f"Token {token}"})
    assert post(device, f"{GRAND}readings/", {"shown_cents": 500_065}).status_code == 201
    assert post(device, f"{GRAND}stop/", {"reason": "No."}).status_code == 403
