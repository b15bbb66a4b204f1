"""Checks, promos, coupons, exchanges, winnings paid elsewhere and corrections over HTTP."""

from collections.abc import Callable

import pytest

from casino.commands.patrons import make_patron
from casino.commands.settlement import settle_due
from tests.casino.api.conftest import APPROVED, Terminal, order
from tests.casino.api.test_floor import Post, ana, staff
from tests.casino.api.test_rounds import refused

__all__ = ["ana", "staff"]


@pytest.fixture
def patron(ana: Post, terminal: Terminal) -> int:
    """A rated patron at seat 3 of R-01."""
    found = make_patron(order(), "Oona Farrell").patron.pk
    assert terminal.at_table("seats/seat", {"seat": 3, "patron_id": found}).status_code == 201
    return int(found)


def test_a_check_is_issued_to_the_patron_at_the_seat_and_redeemed_newest_first(ana: Post, patron: int) -> None:
    refused(ana("counter-checks", seat=4, amount_cents=50_000), "patron_missing", 422)
    for serial in (1, 2):
        answer = ana("counter-checks", seat=3, amount_cents=50_000).json()
        assert (answer["done"], answer["amount_cents"]) == ("counter_check_issued", 50_000)
        assert (answer["recorded"][-1]["serial"], answer["recorded"][-1]["patron_id"]) == (serial, patron)
    taken = ana("redemptions", seat=3, chips_cents=20_000, cash_cents=5_000).json()["recorded"][-1]
    assert (taken["redeemed"], taken["owed_cents"]) == (2, 25_000)
    refused(ana("redemptions", seat=3, chips_cents=25_001), "more_than_owed", 409)
    assert ana("redemptions", seat=3, chips_cents=50_000, serial=1).status_code == 201
    refused(ana("redemptions", seat=3, chips_cents=1, serial=1), "no_check", 409)


def test_a_device_takes_promos_and_coupons_and_issues_no_check(terminal: Terminal, patron: int) -> None:
    refused(terminal.at_table("counter-checks", {"seat": 3, "amount_cents": 1}), "permission_denied", 403)
    promo = {"serial": "PR-1", "seat": 3, "face_cents": 5_000}
    assert terminal.at_table("promos", promo).status_code == 201
    refused(terminal.at_table("promos", promo), "already_used", 409)
    coupon = {
        "serial": "MP-1",
        "kind": "match_play",
        "seat": 3,
        "face_cents": 2_500,
        "won": True,
        "winnings_cents": 5_000,
    }
    answer = terminal.at_table("coupons", coupon)
    assert (answer.status_code, answer.json()["done"]) == (201, "coupon_settled")
    refused(terminal.at_table("coupons", {**coupon, "serial": "MP-2", "won": False}), "bad_coupon", 422)


def test_chips_are_exchanged_for_equal_value_only(terminal: Terminal, patron: int) -> None:
    taken = {"500": 100_000}
    answer = terminal.at_table("exchanges", {"taken": taken, "given": {"10000": 100_000}, "seat": 3})
    assert answer.status_code == 201
    sentence = refused(
        terminal.at_table("exchanges", {"taken": taken, "given": {"10000": 90_000}}), "exchange_unequal", 422
    )
    assert "1,000.00" in sentence
    assert "900.00" in sentence


def test_winnings_of_a_settled_round_are_paid_elsewhere_once_and_put_right_by_two(
    ana: Post, staff: Callable[..., Post], terminal: Terminal, patron: int
) -> None:
    staff("eve", "floor")
    finished = {
        "wagers": [{"seat": 3, "wager": "colour:red", "stake_cents": 500}],
        "cards": ["As", "Kd", "9c", "4h", "2s"],
    }
    name = terminal.at_table("rounds/finished", finished).json()["round"]
    settle_due()
    pay = {"round": name, "seat": 3, "amount_cents": 500, "paid_by": "cheque"}
    refused(ana("paid-elsewhere", **{**pay, "amount_cents": 501}), "more_than_won", 422)
    paid = ana("paid-elsewhere", **pay).json()
    refused(ana("paid-elsewhere", **pay), "paid_elsewhere_already", 409)
    recorded = {"position": paid["position"], "reason": "a chip too many", **APPROVED}
    refused(ana("corrections", **recorded, amounts={"amount_cents": 501}), "more_than_won", 422)
    put_right = ana("corrections", **recorded, amounts={"amount_cents": 400}).json()["recorded"][-1]
    assert (put_right["out_difference_cents"], put_right["paid_by"]) == (-100, "cheque")
    for odd in ("R-02/2026-11-29/1", "R-01/2026-11-29/x", "nonsense"):
        refused(ana("paid-elsewhere", **{**pay, "round": odd}), "unknown_round", 404)


def test_an_entry_is_put_right_by_two_people(
    ana: Post, staff: Callable[..., Post], terminal: Terminal, patron: int
) -> None:
    position = terminal.at_table("buy-ins", {"amount_cents": 200_000, "seat": 3}).json()["position"]
    wrong = {"position": position, "amounts": {"amount_cents": 20_000}, "reason": "a nought too many"}
    refused(ana("corrections", **wrong), "bad_request", 400)
    refused(ana("corrections", **wrong, **{**APPROVED, "password": "no"}), "approval_wrong", 403)
    refused(staff("eve", "floor")("corrections", **wrong, **APPROVED), "same_person", 403)
    answer = ana("corrections", **wrong, **APPROVED).json()
    recorded = answer["recorded"][-1]
    assert (recorded["event"], recorded["corrects"]) == ("entry_corrected", position)
    assert (recorded["in_difference_cents"], recorded["approved_by"]) == (-180_000, "eve")
    refused(ana("corrections", **wrong, **APPROVED), "nothing_differs", 409)
    refused(ana("corrections", **{**wrong, "position": 10**9}, **APPROVED), "unknown_entry", 404)
