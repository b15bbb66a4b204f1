"""A hit's case over HTTP: every step by its role, refusals as problems, the list of what is owed."""

import pytest

from casino.eventstore.follower import catch_up
from tests.jackpot.test_api import assert_problem, post, staff

ROYAL_FLUSH = "As Ks Qs Js Ts"
__all__ = ["staff"]


@pytest.fixture
def address(floor) -> str:
    """The case of a royal flush that two players share: 5,001.30 makes 2,500.65 each."""
    round_id = floor.play("R-01", ROYAL_FLUSH, seats=[1, 2])
    floor.record()
    return f"/api/v1/hits/grand/{round_id}/royal_flush/"


def test_a_share_goes_all_its_way_over_http(address, staff):
    sue, cara, pia, dan = staff("surveillance"), staff("cage"), staff("pit_manager"), staff("dealer")
    answer = post(sue, f"{address}verify/", {"log_reference": "CCTV 4711"})
    assert (answer.status_code, answer.json()["states"]) == (201, {"1": "verified", "2": "verified"})
    assert post(cara, f"{address}prepare/", {"seat": 1, "paid_from": "tray"}).status_code == 201
    assert post(pia, f"{address}approve/", {"seat": 1}).json()["states"]["1"] == "approved"
    first, again = (post(dan, f"{address}pay/", {"seat": 1}, "pay once") for _ in range(2))
    assert (first.status_code, first.json()["replayed"]) == (201, False)
    assert (again.status_code, again.json()["replayed"]) == (200, True)
    assert first.json()["states"] == {"1": "paid", "2": "verified"}
    catch_up()
    page = staff("accounting").get("/api/v1/hits/?state=paid").json()
    (paid,) = page["results"]
    assert (paid["seat"], paid["amount_cents"], paid["slip"], paid["paid_from_table"]) == (1, 250_065, 1, "R-01")
    assert paid["has_document"] is True


@pytest.mark.parametrize(("way", "other", "own"), [("tray", "cage", "dealer"), ("cage", "dealer", "cage")])
def test_the_table_pays_from_its_tray_and_the_cage_cash(address, staff, way, other, own):
    post(staff("surveillance"), f"{address}verify/", {})
    post(staff("floor"), f"{address}prepare/", {"seat": 1, "paid_from": way})
    post(staff("pit_manager"), f"{address}approve/", {"seat": 1})
    assert_problem(post(staff(other), f"{address}pay/", {"seat": 1}), 403, "not_allowed")
    assert post(staff(own), f"{address}pay/", {"seat": 1}).status_code == 201


def test_shares_are_disputed_settled_and_returned_over_http(address, staff):
    sue, ana, pia, max_ = staff("surveillance"), staff("floor"), staff("pit_manager"), staff("progressive_admin")
    assert post(ana, f"{address}dispute/", {"seats": [2], "reason": "Whose chip?"}).json()["states"]["2"] == "disputed"
    assert post(pia, f"{address}settle-dispute/", {"seats": [2], "ruling": "Nobody's."}).status_code == 201
    body = {"seats": [2], "reason": "denied", "because": "Camera 12 shows a late chip."}
    assert post(sue, f"{address}ask-return/", body).status_code == 201
    assert_problem(post(sue, f"{address}approve-return/", {"seats": [2]}), 403, "permission_denied")
    assert post(max_, f"{address}approve-return/", {"seats": [2]}).json()["states"] == {"1": "pending", "2": "denied"}


def test_a_slip_is_voided_and_printed_over_http(address, staff):
    cara = staff("cage")
    post(staff("surveillance"), f"{address}verify/", {})
    post(cara, f"{address}prepare/", {"seat": 1, "paid_from": "cage"})
    assert post(cara, f"{address}print/", {"seat": 1}).status_code == 201
    assert post(cara, f"{address}void-slip/", {"seat": 1, "reason": "Wrong way."}).json()["states"]["1"] == "verified"
    assert_problem(post(cara, f"{address}print/", {"seat": 1}), 409, "no_slip")


@pytest.mark.parametrize(
    ("role", "step", "body", "status", "code"),
    [
        ("surveillance", "verify", {"seats": [9]}, 422, "no_such_share"),
        ("surveillance", "verify", {"seats": ["1"]}, 400, "bad_request"),
        ("surveillance", "verify", {"everybody": True}, 400, "bad_request"),
        ("cage", "prepare", {"seat": 1, "paid_from": "tray"}, 409, "share_not_verified"),
        ("pit_manager", "approve", {"seat": 1}, 409, "share_not_prepared"),
        ("cage", "pay", {"seat": 1}, 409, "share_not_approved"),
        ("surveillance", "verify", {"seats": []}, 400, "bad_request"),
        ("pit_manager", "approve-return", {"seats": []}, 400, "bad_request"),
        ("dealer", "pay", {"seat": 1}, 409, "share_not_approved"),
        ("pit_manager", "approve-return", {}, 409, "share_not_pending"),
        ("accounting", "ask-return", {"reason": "unclaimed", "because": "Nobody came."}, 422, "not_unclaimed_yet"),
    ],
)
def test_a_step_that_may_not_be_is_a_problem(address, staff, role, step, body, status, code):
    assert_problem(post(staff(role), f"{address}{step}/", body), status, code)


@pytest.mark.parametrize("part", ["gold/R-01/2026-01-01/1/royal_flush", "grand/R-01/2026-01-01/999999/royal_flush"])
def test_a_hit_that_is_not_there_is_not_found(floor, staff, part):
    assert_problem(post(staff("surveillance"), f"/api/v1/hits/{part}/verify/", {}), 404, "unknown_hit")


def test_the_list_of_shares_is_for_its_readers(address, staff):
    assert staff("cage").get("/api/v1/hits/").status_code == 200
    assert staff("security").get("/api/v1/hits/").status_code == 403
