"""What is learnt of a day after it was closed, and after the next one was filed: each kind to the end, by hand."""

from collections.abc import Callable
from datetime import timedelta
from fractions import Fraction
from typing import Any

import pytest
from django.contrib.auth.models import Group, User
from django.test import Client

from casino.approval import Approval
from casino.commands import rounds, tables
from casino.commands.late_transfers import record_late_transfer
from casino.eventstore.follower import followers
from casino.eventstore.rebuild import rebuild
from casino.eventstore.verify import verify
from casino.keys import RoundId
from casino.late_transfers import Paper
from casino.refusal import Refused
from ledger.queries import opened
from ledger.queries.errors import dealer_errors
from ledger.queries.filed import FiledDay, day_totals, filed_day
from ledger.queries.journal import trial_balance
from tests.closing_house import FIRST, TWO, House
from tests.counts import counted
from tests.played import PASSWORD

SECOND = FIRST + timedelta(days=1)
OF_CAGE = Approval("ana", "cara")
NAMES = {"request": "Ana", "cage": "Cara", "security": "Sam", "dealer": "Dan", "floor": "Eve"}
FILL = Paper("fill", {"2500": 50_000}, NAMES, "E-17")


def filed_twice(house: House) -> House:
    """The day and the one after it, both closed and filed."""
    house.filed(FIRST)
    house.filed(SECOND)
    return house


def moved(shown: FiledDay) -> list[dict[str, Any]]:
    return [{effect.code: effect.difference for effect in one.effects} for one in shown.adjustments]


def checked(house: House) -> FiledDay:
    """The day after what was learnt: explained by its adjustments, its digest as filed; the next day as it was."""
    house.read()
    shown = filed_day(FIRST)
    assert shown.is_explained
    assert shown.is_proven
    following = filed_day(SECOND)
    assert (list(following.adjustments), following.is_explained, following.is_proven) == ([], True, True)
    assert trial_balance().is_zero
    return shown


def test_a_late_fill_keeps_its_own_day_and_says_who_answers_for_it(house: House) -> None:
    """500.00 of chips came: the closer of 9,930.00 was right, so the tray is 500.00 short of what it should be."""
    filed_twice(house)
    record_late_transfer(house.order(), "R-01", FIRST, 1, FILL, "It lay under the tray.", OF_CAGE)
    [adjustment] = checked(house).adjustments
    assert (adjustment.what, adjustment.requested_by, adjustment.approved_by) == ("Late fill", "ana", "cara")
    assert adjustment.reason == "It lay under the tray."
    assert moved(filed_day(FIRST)) == [
        {
            "fills": 50_000, "expected-tray": 50_000, "win": -50_000, "hold": -5, "tray-difference": -50_000,
            "win-difference": -50_000,
        }
    ]  # fmt: skip


def test_a_late_credit_goes_the_other_way(house: House) -> None:
    filed_twice(house)
    record_late_transfer(house.order(), "R-01", FIRST, 1, FILL._replace(kind="credit"), "Found at noon.", OF_CAGE)
    [effects] = moved(checked(house))
    assert (effects["credits"], effects["win"], effects["tray-difference"]) == (50_000, 50_000, 50_000)


def test_a_dealers_error_found_after_the_close_is_of_its_rounds_day(house: House) -> None:
    """The dealer took a losing 30.00 and gave 10.00 of it back, as the tape shows: 10.00 too much was paid."""
    filed_twice(house)
    rounds.record_payout(house.order(), RoundId("R-01", FIRST, 1), 1, 1_000)
    [adjustment] = checked(house).adjustments
    assert adjustment.what == "Dealer's payout put on record late"
    assert moved(filed_day(FIRST)) == [
        {
            "errors": 1_000, "expected-tray": -1_000, "estimated-win": -1_000, "estimated-hold": Fraction(-1, 10),
            "tray-difference": 1_000, "win-difference": 1_000,
        }
    ]  # fmt: skip


def test_a_round_voided_and_a_table_closed_after_the_close_are_adjustments(house: House) -> None:
    """R-01 is closed over with a round on the felt; the round is voided and the tray counted the day after."""
    house.go_to(FIRST)
    house.open("R-01")
    house.buy_in("R-01", 10_000)
    on_felt = house.begin_round("R-01")
    house.go_to(SECOND, 8)
    house.read()
    with pytest.raises(Refused) as refused:
        house.close_day(FIRST)
    assert [one["kind"] for one in refused.value.details["open"]] == ["session", "round", "box"]  # type: ignore[attr-defined]
    house.close_day(FIRST, reason="The felt was evacuated.", approval=TWO)
    house.file()
    assert filed_day(FIRST).close.open_things[1] == f"Round {on_felt} is neither settled nor void; settle or void it."
    rounds.void_round(house.order(), on_felt, "Evacuated.", TWO)
    tables.close_table(house.order(), "R-01", counted(990_000))
    house.filed(SECOND)
    house.count("R-01", FIRST, 10_000)
    shown = checked(house)
    assert [one.what for one in shown.adjustments] == ["Round voided after the close", "Late closer", "Late count"]
    assert shown.adjustments[0].approved_by == "pia"
    assert [list(effects) for effects in moved(shown)] == [
        [], ["closer", "tray-difference"], ["counted-drop", "win", "hold", "box-difference", "win-difference"],
    ]  # fmt: skip
    known = shown.known.total
    assert known is not None
    assert (known.amount("win"), known.amount("box-difference"), known.amount("tray-difference")) == (0, 0, 0)


def test_a_settled_round_whose_card_was_recorded_wrong_is_settled_anew(house: House) -> None:
    """The Roulette Card was black: 30.00 on black won 30.00 instead of being lost."""
    filed_twice(house)
    one = RoundId("R-01", FIRST, 1)
    rounds.resettle_round(house.order(), one, {2: "Ks"}, "The tape shows the king of spades.", TWO)
    [adjustment] = checked(house).adjustments
    assert (adjustment.requested_by, adjustment.approved_by) == ("ben", "pia")
    assert moved(filed_day(FIRST)) == [
        {
            "game-result": -6_000, "expected-tray": -6_000, "estimated-win": -6_000, "estimated-hold": Fraction(-3, 5),
            "tray-difference": 6_000, "win-difference": 6_000,
        }
    ]  # fmt: skip
    [line] = tables.load_round(one).lines
    assert (line.result, line.returned_cents) == ("win", 6_000)
    assert opened.figure_page(FIRST, "R-01", "game-result").is_proven
    rounds.resettle_round(house.order(), one, {2: "Kd"}, "It was the king of diamonds after all.", TWO)
    assert filed_day(FIRST).differs != []
    assert checked(house).differs == []


def test_a_settled_round_whose_wagers_go_back_after_all_leaves_nothing_of_its_result(house: House) -> None:
    filed_twice(house)
    rounds.resettle_round(house.order(), RoundId("R-01", FIRST, 1), {}, "The deck was fouled.", TWO)
    [effects] = moved(checked(house))
    assert (effects["game-result"], effects["tray-difference"]) == (-3_000, 3_000)


@pytest.mark.parametrize(
    ("cards", "code"),
    [
        ({2: "As"}, "unknown_card"),
        ({9: "Ks"}, "unknown_card"),
        ({2: "??"}, "unknown_card"),
        ({2: "Kd"}, "nothing_differs"),
    ],
)
def test_cards_that_can_not_have_lain_are_refused(house: House, cards: dict[int, str], code: str) -> None:
    house.filed(FIRST)
    with pytest.raises(Refused) as refused:
        rounds.resettle_round(house.order(), RoundId("R-01", FIRST, 1), cards, "The tape shows it.", TWO)
    assert refused.value.code == code


def test_what_the_dealer_is_known_to_have_paid_stays_paid_when_its_round_is_put_right(house: House) -> None:
    """30.00 on black lost by the record; 10.00 went back, and by the tape 60.00 were due: 50.00 too little was paid.

    The tray gave what it gave, so it is expected to hold the same; the house won 30.00 less and made another error.
    """
    filed_twice(house)
    one = RoundId("R-01", FIRST, 1)
    rounds.record_payout(house.order(), one, 1, 1_000)
    house.read()
    tray = filed_day(FIRST).known.total.amount("expected-tray")
    rounds.resettle_round(house.order(), one, {2: "Ks"}, "The tape shows it.", TWO)
    total = checked(house).known.total
    assert (total.amount("errors"), total.amount("expected-tray")) == (-5_000, tray)
    [error] = dealer_errors(FIRST).errors
    assert (error.due_cents, error.paid_cents) == (6_000, 1_000)
    assert tables.load_round(one).paid == {1: 1_000}
    rounds.resettle_round(house.order(), one, {}, "The deck was fouled.", TWO)
    house.read()
    assert filed_day(FIRST).known.total.amount("errors") == 1_000 - 3_000
    assert rebuild(followers()["books"], "owner", check=True, progress=lambda _: None) == []


def test_an_open_round_is_voided_and_not_settled_anew(house: House) -> None:
    house.filed(FIRST)
    house.go_to(SECOND)
    house.open("R-02", 993_000)
    with pytest.raises(Refused, match="is not settled yet"):
        rounds.resettle_round(house.order(), house.begin_round("R-02"), {2: "Ks"}, "The tape shows it.", TWO)


def test_the_floor_puts_a_round_right_on_its_page_with_a_second_person(
    house: House, ana: Client, people: dict[str, User]
) -> None:
    eve = User.objects.create_user("eve", password=PASSWORD)
    eve.groups.add(Group.objects.get(name="floor"))
    house.filed(FIRST)
    address = f"/rounds/R-01/{FIRST}/1/put-right/"
    assert "Put it right" in ana.get(f"/rounds/R-01/{FIRST}/1/").content.decode()
    form = {"key": "k-1", "card_2": "Ks", "reason": "The tape shows it.", "approver": "eve", "password": PASSWORD}
    assert ana.post(address, {**form, "card_2": ""}).status_code == 409
    assert ana.post(address, {**form, "approver": "ana"}).status_code == 403
    answer = ana.post(address, form, follow=True)
    assert "Settled anew: card 2 was K♠" in answer.content.decode()


def test_a_table_that_opens_again_for_a_closed_day_is_learnt_late(house: House) -> None:
    """Accounting closed the day before it was over; a table opened once more and kept 20.00."""
    house.played(FIRST)
    house.go_to(FIRST, 22)
    house.close_day(FIRST, reason="The year's end has to be in by ten.", approval=TWO)
    house.file()
    house.open("R-01", 993_000)
    house.lose("R-01", 2_000)
    house.close("R-01", 995_000)
    house.go_to(SECOND, 8)
    house.read()
    shown = filed_day(FIRST)
    assert shown.is_explained
    assert {one.what for one in shown.adjustments} == {
        "Table opened after the close", "Round settled after the close", "Round ended after the close", "Late closer",
    }  # fmt: skip
    filed, known = (day_totals(FIRST, as_of).total for as_of in ("filed", "known"))
    assert filed is not None
    assert known is not None
    assert (filed.amount("win"), known.amount("win")) == (9_000, 11_000)


@pytest.mark.parametrize(
    ("paper", "code"),
    [
        (FILL._replace(names={**NAMES, "security": ""}), "name_missing"),
        (FILL._replace(names={**NAMES, "cage": "Ana"}), "same_person"),
        (FILL._replace(denominations={}), "nothing_asked"),
        (FILL._replace(denominations={"2500": 1}), "bad_denomination"),
    ],
)
def test_a_late_slip_is_held_to_the_rules_of_every_slip(house: House, paper: Paper, code: str) -> None:
    house.filed(FIRST)
    with pytest.raises(Refused) as refused:
        record_late_transfer(house.order(), "R-01", FIRST, 1, paper, "Found.", OF_CAGE)
    assert refused.value.code == code


def test_an_open_session_has_the_ordinary_way(house: House) -> None:
    house.go_to(FIRST)
    house.open("R-01")
    with pytest.raises(Refused, match="is still open in session 2026-03-04/1"):
        record_late_transfer(house.order(), "R-01", FIRST, 1, FILL, "Found.", OF_CAGE)
    with pytest.raises(Refused, match="had no session 2"):
        record_late_transfer(house.order(), "R-01", FIRST, 2, FILL, "Found.", OF_CAGE)


def test_after_all_of_it_the_log_verifies_and_every_follower_rebuilds_to_the_same(
    house: House, role_connection: Callable[..., Any]
) -> None:
    filed_twice(house)
    record_late_transfer(house.order(), "R-01", FIRST, 1, FILL, "It lay under the tray.", OF_CAGE)
    rounds.record_payout(house.order(), RoundId("R-02", FIRST, 1), 1, 1_000)
    house.read()
    rounds.resettle_round(house.order(), RoundId("R-03", FIRST, 1), {2: "Ks"}, "The tape shows it.", TWO)
    house.read()
    for name in ("board", "books", "papers", "ratings", "luck", "investigations", "journal"):
        assert rebuild(followers()[name], "owner", check=True, progress=lambda _: None) == [], name
    assert verify(role_connection("casino_app")).faults == []
