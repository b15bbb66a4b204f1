"""Paper for chips, chips for chips, winnings paid elsewhere: without a database."""

from datetime import date
from types import SimpleNamespace
from typing import Any

import pytest

from casino.chips import check_unused, checked_serial, exchange, marked, pay_elsewhere, settle_coupon, take_promo
from casino.keys import RoundId
from casino.refusal import Refused
from casino.table import Count, Session, session_after

SESSION = Session("R-01", date(2026, 11, 29), 1, opener=Count(1))
ROUND = RoundId("R-01", date(2026, 11, 29), 17)


def refused(deed: Any) -> str:
    with pytest.raises(Refused) as refusal:
        deed()
    return refusal.value.code


def coupon(**more: Any):
    given = {"serial": "MP-1", "kind": "match_play", "seat": 3, "face_cents": 2_500, "won": False, "winnings_cents": 0}
    return settle_coupon(SESSION, 6, by="ana", **(given | more))


def test_a_promotional_instrument_is_chips_at_face() -> None:
    event = take_promo(SESSION, 6, "PR-1", 3, 5_000, "ana")
    assert (event.in_cents, event.out_cents) == (5_000, 5_000)
    assert refused(lambda: take_promo(SESSION, 6, "PR-1", 7, 5_000, "ana")) == "seat_out_of_range"
    assert refused(lambda: take_promo(SESSION, 6, "PR-1", 3, 0, "ana")) == "amount_not_positive"


def test_a_serial_number_is_one_whatever_its_capitals_and_is_good_once() -> None:
    assert checked_serial(" mp-0042 ") == "MP-0042"
    for odd in ("", " ", "a/b", "-1", "1-", "x" * 41, "ß"):
        assert refused(lambda odd=odd: checked_serial(odd)) == "bad_serial"
    check_unused(None)
    used = marked("MP-0042", True, SESSION, "key")
    assert refused(lambda: check_unused(used)) == "already_used"
    check_unused(marked("MP-0042", False, SESSION, "key"))


def test_a_coupon_goes_into_the_box_at_face_win_or_lose_and_pays_what_it_won() -> None:
    lost, won = coupon(), coupon(won=True, winnings_cents=5_000)
    assert (lost.in_cents, lost.out_cents) == (2_500, 0)
    assert (won.in_cents, won.out_cents) == (2_500, 5_000)
    assert refused(lambda: coupon(winnings_cents=1)) == "bad_coupon"
    assert refused(lambda: coupon(won=True)) == "amount_not_positive"
    assert refused(lambda: coupon(kind="free_bet")) == "bad_coupon"


def test_chips_are_exchanged_for_equal_value_only() -> None:
    event = exchange(SESSION, 6, 3, {"500": 100_000}, {"100000": 100_000}, "ana")
    assert event.in_cents == event.out_cents == 100_000
    for taken, given, code in (
        ({"500": 100_000}, {"100000": 200_000}, "exchange_unequal"),
        ({"500": 100_000}, {"500": 100_000}, "nothing_exchanged"),
        ({"500": 750}, {"250": 750}, "bad_denomination"),
        ({}, {"500": 500}, "nothing_asked"),
    ):
        assert refused(lambda taken=taken, given=given: exchange(SESSION, 6, 3, taken, given, "ana")) == code


# ------------------------------------------------------------------------------------------------- paid elsewhere


def line(seat: int, result: str, stake_cents: int, returned_cents: int) -> Any:
    return SimpleNamespace(seat=seat, result=result, stake_cents=stake_cents, returned_cents=returned_cents)


LINES = [line(1, "win", 500, 18_000), line(1, "lose", 500, 0), line(1, "win", 100, 200), line(2, "lose", 900, 0)]


def settled(**more: Any) -> Any:
    given = {"id": ROUND, "voided": None, "settled": True, "opened": SimpleNamespace(session="key"), "lines": LINES}
    return SimpleNamespace(**(given | more))


def paid(round_: Any = None, session: Session = SESSION, seat: int = 1, cents: int = 17_600, by: str = "cage"):
    return pay_elsewhere(session, "key", round_ or settled(), seat, cents, by, "ana")


def test_all_that_a_seat_won_in_a_settled_round_may_be_paid_elsewhere_once() -> None:
    event = paid()
    assert (event.out_cents, event.round) == (17_600, "R-01/2026-11-29/17")
    assert refused(lambda: paid(session=session_after(SESSION, [event]))) == "paid_elsewhere_already"
    assert refused(lambda: paid(cents=17_601)) == "more_than_won"
    assert refused(lambda: paid(seat=2, cents=1)) == "more_than_won"
    assert refused(lambda: paid(cents=0)) == "amount_not_positive"
    assert refused(lambda: paid(by="tray")) == "bad_payer"


def test_a_round_that_is_not_settled_void_or_of_another_session_is_not_paid_elsewhere() -> None:
    assert refused(lambda: paid(settled(settled=None))) == "not_settled"
    assert refused(lambda: paid(settled(voided=SimpleNamespace(reason="fouled")))) == "round_voided"
    assert refused(lambda: paid(settled(opened=SimpleNamespace(session="another")))) == "round_of_another_period"
