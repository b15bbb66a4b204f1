"""Hits verified, approved, paid and returned on a real log: once each, whoever presses how often; J in the books."""

import itertools
from datetime import UTC, datetime

import pytest

from casino.commands import tables
from casino.commands.order import Order
from casino.eventstore import store
from casino.eventstore.follower import catch_up
from casino.eventstore.rebuild import rebuild
from casino.refusal import Refused
from jackpot import models, queries
from jackpot.case import Asked
from jackpot.commands import cases
from jackpot.commands.cases import CaseId
from jackpot.events import JackpotPaid
from jackpot.shares import SHARES
from ledger.models import TablePeriod
from ledger.queries.days import table_day
from ledger.queries.opened import figure_page
from tests.counts import counted

ROYAL_FLUSH, STRAIGHT_FLUSH = "As Ks Qs Js Ts", "9s 8s 7s 6s 5s"
numbers = itertools.count(1)


def by(name: str, key: str = "") -> Order:
    return Order(name, key or f"case-{next(numbers)}", datetime.now(UTC))


def a_hit(floor, cards: str = STRAIGHT_FLUSH, seats=(1, 2), table: str = "R-01") -> CaseId:
    """A hit on record. A straight flush wins a tenth of 5,001.30 for two: 250.06 each."""
    rank = "straight_flush" if cards == STRAIGHT_FLUSH else "royal_flush"
    round_id = floor.play(table, cards, seats)
    floor.record()
    return CaseId("grand", round_id, rank)


def approved(case_id: CaseId, seat: int, paid_from: str = "tray", **more) -> None:
    if cases.load_case(case_id).case.shares[seat].state == "pending":
        cases.verify(by("sue"), case_id, (), "CCTV 4711")
    cases.prepare_payout(by("cara"), case_id, Asked(seat, paid_from, **more))
    cases.approve_payout(by("pia"), case_id, seat, "pit_manager")


def states(case_id: CaseId) -> list[str]:
    return [share.state for _, share in sorted(cases.load_case(case_id).case.shares.items())]


def refusal(function, *arguments, **named) -> str:
    with pytest.raises(Refused) as refused:
        function(*arguments, **named)
    return refused.value.code


def test_a_jackpot_paid_from_the_tray_is_the_tables_j_on_the_day_of_payment(floor):
    case_id = a_hit(floor)
    approved(case_id, 1)
    cases.pay(by("dan"), case_id, 1)
    catch_up()
    assert table_day(case_id.round.gaming_date, "R-01").result.facts.jackpots == 25_006
    page = figure_page(case_id.round.gaming_date, "R-01", "jackpots")
    assert page.is_proven
    assert page.parts[0].added_cents == 25_006
    assert floor.state().meter.payable_micros == 25_006 * 10_000


def test_what_cage_and_cheque_pay_is_no_tables_j(floor):
    case_id = a_hit(floor)
    approved(case_id, 1, "cage")
    approved(case_id, 2, "cheque")
    cases.pay(by("cole"), case_id, 1)
    cases.pay(by("cole"), case_id, 2, cheque="20017")
    catch_up()
    assert TablePeriod.objects.get(table_code="R-01").jackpots_paid_cents == 0
    assert floor.state().meter.payable_micros == 0
    assert list(models.Share.objects.values_list("state", "paid_from", "paid_from_table", "paid_by")) == [
        ("paid", "cage", None, "cole"),
        ("paid", "cheque", None, "cole"),
    ]


def test_an_override_leaves_the_tray_and_not_the_meter(floor):
    case_id = a_hit(floor)
    approved(case_id, 1, requested_cents=25_050, override_reason="The sign showed it.")
    cases.pay(by("dan"), case_id, 1)
    catch_up()
    assert TablePeriod.objects.get(table_code="R-01").jackpots_paid_cents == 25_050
    assert floor.state().meter.payable_micros == 25_006 * 10_000


def test_a_closed_tables_tray_pays_nothing_and_stays_closed(floor):
    case_id = a_hit(floor)
    approved(case_id, 1)
    tables.close_table(by("ana"), "R-01", counted(5_000_000))
    assert refusal(cases.pay, by("dan"), case_id, 1) == "table_closed"
    tables.open_table(by("ana"), "R-01", counted(5_000_000), acknowledged_by="Ana Ortiz")
    cases.pay(by("dan"), case_id, 1)
    assert states(case_id) == ["paid", "verified"]


def test_a_table_that_closes_while_its_tray_pays_is_closed_before_or_after_never_meanwhile(floor, at_once):
    case_id = a_hit(floor)
    approved(case_id, 1)
    outcome: list[str] = []

    def pay() -> None:
        try:
            cases.pay(by("dan"), case_id, 1)
            outcome.append("paid")
        except Refused as refusal:
            outcome.append(refusal.code)

    at_once(pay, lambda: tables.close_table(by("ana"), "R-01", counted(5_000_000)))
    events = store.run(
        "SELECT type FROM log.event WHERE type IN ('table_closed', 'jackpot_paid') ORDER BY position"
    ).fetchall()
    expected = {"paid": [("jackpot_paid",), ("table_closed",)], "table_closed": [("table_closed",)]}
    assert [tuple(row) for row in events] == expected[outcome[0]]


def test_a_hit_of_the_day_before_is_paid_on_the_day_of_the_session_that_pays(floor, monkeypatch):
    case_id = a_hit(floor)
    approved(case_id, 1)
    tables.close_table(by("ana"), "R-01", counted(5_000_000))
    late = lambda order: case_id.round.gaming_date.replace(year=case_id.round.gaming_date.year + 1)  # noqa: E731
    monkeypatch.setattr(tables, "gaming_date", late)
    tables.open_table(by("ana"), "R-01", counted(5_000_000), acknowledged_by="Ana Ortiz")
    cases.pay(by("dan"), case_id, 1)
    catch_up()
    paid = {day.gaming_date: day.jackpots_paid_cents for day in TablePeriod.objects.filter(table_code="R-01")}
    assert paid == {case_id.round.gaming_date: 0, late(None): 25_006}
    assert models.Share.objects.get(seat=1).paid_on == late(None)


def test_shares_that_are_returned_go_back_to_the_meter_and_the_case_says_so(floor):
    case_id = a_hit(floor)
    before = floor.state().meter.main_micros
    cases.ask_return(by("sue"), case_id, [2], "denied", "The chip was placed late.")
    cases.approve_return(by("pia"), case_id, [2])
    catch_up()
    assert floor.state().meter.main_micros == before + 25_006 * 10_000
    assert states(case_id) == ["pending", "denied"]
    assert models.Hit.objects.get().states == ["open", "returned"]


def test_numbers_of_slips_have_no_gap_and_belong_to_one_seat_each(floor, at_once):
    first, second = a_hit(floor), a_hit(floor, table="R-02", seats=(3, 4))
    cases.verify(by("sue"), first)
    cases.verify(by("sue"), second)
    refused: list[str] = []

    def prepare(case_id: CaseId, seat: int):
        def run() -> None:
            try:
                cases.prepare_payout(by("cara"), case_id, Asked(seat, "cage"))
            except Refused as refusal:
                refused.append(refusal.code)

        return run

    at_once(prepare(first, 1), prepare(first, 2), prepare(second, 3), prepare(second, 4), prepare(second, 4))
    catch_up()
    assert refused == ["share_not_verified"]
    assert sorted(models.Share.objects.values_list("slip", flat=True)) == [1, 2, 3, 4]
    cases.void_slip(by("cara"), first, 1, "Wrong way.")
    cases.prepare_payout(by("cara"), first, Asked(1, "tray"))
    assert cases.load_case(first).case.shares[1].slip.number == 5


def test_a_storm_of_payments_pays_once_whatever_their_keys(floor, at_once):
    case_id = a_hit(floor)
    approved(case_id, 1)
    told: list[str] = []

    def pay(key: str):
        def run() -> None:
            try:
                told.append("replayed" if cases.pay(by("dan", key), case_id, 1).replayed else "paid")
            except Refused as refusal:
                told.append(refusal.code)

        return run

    at_once(*[pay("the one key")] * 4, *[pay(f"another key {n}") for n in range(4)])
    paid = [r.event for r in store.load(case_id.key).events if isinstance(r.event, JackpotPaid)]
    assert [event.amount_cents for event in paid] == [25_006]
    assert told.count("paid") == 1
    assert set(told) <= {"paid", "replayed", "share_not_approved", "busy"}


def test_the_same_step_with_the_same_key_happens_once_and_with_other_content_not_at_all(floor):
    case_id = a_hit(floor)
    first = cases.verify(by("sue", "v"), case_id, [1], "CCTV 1")
    again = cases.verify(by("sue", "v"), case_id, [1], "CCTV 1")
    assert (first.replayed, again.replayed, again.position) == (False, True, first.position)
    assert refusal(cases.verify, by("sue", "v"), case_id, [2], "CCTV 1") == "key_reused"


@pytest.mark.parametrize("change", [{"link": "gold"}, {"rank": "royal_flush"}, {"rank": "a\0b"}])
def test_a_case_of_no_hit_is_refused(floor, change):
    case_id = a_hit(floor)
    assert refusal(cases.verify, by("sue"), case_id._replace(**change)) == "unknown_hit"


def test_a_hit_that_is_not_on_record_yet_has_no_case(floor):
    round_id = floor.play("R-01", ROYAL_FLUSH)
    catch_up()
    assert models.Hit.objects.get().recorded_position is None
    assert refusal(cases.verify, by("sue"), CaseId("grand", round_id, "royal_flush")) == "unknown_hit"


def test_the_shares_rows_follow_the_cases_and_a_rebuild_makes_the_same(floor):
    first, second = a_hit(floor, ROYAL_FLUSH, seats=(1, 2, 3)), a_hit(floor, table="R-02", seats=(5,))
    approved(first, 1)
    cases.pay(by("dan"), first, 1)
    catch_up()
    cases.dispute(by("ana"), first, [2], "Whose chip?")
    cases.ask_return(by("sue"), first, [2], "void", "Nobody's chip.")
    cases.ask_return(by("sue"), second, [5], "denied", "Late.")
    cases.decline_return(by("pia"), second, [5], "In time.")
    catch_up()
    approved(second, 5)
    cases.void_slip(by("cara"), second, 5, "Wrong way.")
    catch_up()
    rows = models.Share.objects.order_by("at_position", "seat")
    assert [(r.seat, r.state, r.slip, r.payout_cents, r.return_asked, r.verified_by) for r in rows] == [
        (1, "paid", 1, 166_731, None, "sue"),
        (2, "disputed", None, None, "void", "sue"),
        (3, "verified", None, None, None, "sue"),
        (5, "verified", None, None, None, "sue"),
    ]
    assert rebuild(SHARES, "owner", check=True, progress=lambda _: None) == []
    assert queries.meter_of("grand").pending
