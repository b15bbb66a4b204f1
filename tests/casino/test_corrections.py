"""Entries put right, without a database: by how much, by whom, and what is no entry."""

from collections.abc import Mapping

import pytest

from casino.approval import Approval
from casino.corrections import correct, standing
from casino.events import CashBoughtIn
from casino.eventstore.registry import Event
from casino.refusal import Refused
from casino.session_events import CouponSettled, DealerOff, EntryCorrected, PitRedemptionTaken

SECOND = Approval("ana", "eve")
BOUGHT = CashBoughtIn(table="R-01", seat=3, amount_cents=200_000, patron_id=12)
COUPON = CouponSettled(
    table="R-01", serial="MP-1", kind="match_play", seat=3, face_cents=2_500, won=True, winnings_cents=5_000, by="ana"
)
REDEEMED = PitRedemptionTaken(
    table="R-01", redeemed=17, issued_at_table="R-01", seat=3, patron_id=12, chips_cents=30_000, cash_cents=10_000,
    owed_cents=60_000, by="ana",
)  # fmt: skip


def corrected(
    recorded: list[Event], amounts: Mapping[str, int], reason: str = "typed wrong", approval: Approval = SECOND
):
    """The entry is the first event, at position 101; further ones follow it."""
    return correct("R-01", standing(list(enumerate(recorded, 101)), 101), amounts, reason, approval)


def refused(recorded: list[Event], amounts: Mapping[str, int], *args: object) -> str:
    with pytest.raises(Refused) as refusal:
        corrected(recorded, amounts, *args)  # type: ignore[arg-type]
    return refusal.value.code


def test_a_buy_in_with_a_nought_too_many_is_put_right_by_the_difference() -> None:
    event = corrected([BOUGHT], {"amount_cents": 20_000})
    assert (event.corrects, event.entry, event.seat, event.patron_id) == (101, "cash_bought_in", 3, 12)
    assert (event.before, event.after) == ({"amount_cents": 200_000}, {"amount_cents": 20_000})
    assert (event.in_cents, event.out_cents) == (-180_000, -180_000)
    assert (event.requested_by, event.approved_by, event.reason) == ("ana", "eve", "typed wrong")


def test_a_second_correction_counts_from_what_the_first_one_left() -> None:
    first = corrected([BOUGHT], {"amount_cents": 20_000})
    other = corrected([BOUGHT], {"amount_cents": 1})
    elsewhere = EntryCorrected(**{name: getattr(other, name) for name in other.__struct_fields__} | {"corrects": 999})
    second = corrected([BOUGHT, first, elsewhere], {"amount_cents": 0})
    assert (second.before, second.after) == ({"amount_cents": 20_000}, {"amount_cents": 0})
    assert second.in_cents == -20_000
    assert refused([BOUGHT, first], {"amount_cents": 20_000}) == "nothing_differs"


def test_amounts_that_are_not_named_stay_and_the_difference_is_as_the_entry_counts() -> None:
    event = corrected([COUPON], {"winnings_cents": 2_500})
    assert event.after == {"face_cents": 2_500, "winnings_cents": 2_500}
    assert (event.in_cents, event.out_cents) == (0, -2_500)
    event = corrected([REDEEMED], {"cash_cents": 0, "chips_cents": 40_000})
    assert (event.in_cents, event.out_cents) == (0, -10_000)


def test_two_people_answer_for_a_correction_and_say_why() -> None:
    right = {"amount_cents": 20_000}
    assert corrected([BOUGHT], right).approved_by == "eve"
    assert refused([BOUGHT], right, " ") == "reason_missing"


@pytest.mark.parametrize(
    ("amounts", "code"),
    [
        ({"face_cents": 1}, "bad_correction"),
        ({"amount_cents": -1}, "bad_correction"),
        ({"amount_cents": 10**12}, "bad_correction"),
        ({}, "nothing_differs"),
    ],
)
def test_what_can_not_have_been_meant_is_refused(amounts: dict[str, int], code: str) -> None:
    assert refused([BOUGHT], amounts) == code


def test_only_entries_that_move_money_against_paper_are_put_right() -> None:
    off = DealerOff(table="R-01", dealer="dan", by="ana")
    for recorded, position in (([off], 101), ([BOUGHT], 102), ([], 1)):
        with pytest.raises(Refused) as refusal:
            standing(list(enumerate(recorded, 101)), position)
        assert refusal.value.code == "unknown_entry"
