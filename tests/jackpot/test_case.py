"""The case of a hit: the way of each share, the people by amount, and every step that is refused."""

from datetime import date

import pytest

from casino import profile
from casino.refusal import Refused
from jackpot import case as cases
from jackpot.case import Asked, SlipNumber
from jackpot.case_events import PayoutApproved, PayoutPrepared, PayoutVoided, ReturnRequested
from jackpot.case_state import Case, Share
from jackpot.events import JackpotPaid, JackpotReturned

RULES = profile.load("maryland")
DAY = date(2026, 3, 1)


def a_case(*amounts_cents: int) -> Case:
    shares = {seat: Share(seat, cents) for seat, cents in enumerate(amounts_cents or (500_000, 500_000), 1)}
    return Case("grand", "R-01/2026-03-01/7", "royal_flush", DAY, 100, shares)


def after(case: Case, *steps) -> Case:
    """The case after steps, each a function of the case as the steps before left it."""
    for step in steps:
        case = cases.case_of(case, step(case))
    return case


def verified(*seats: int, log: str = "CCTV 4711"):
    return lambda case: cases.verify(case, seats, log, "sue", RULES)


def prepared(seat: int = 1, paid_from: str = "cage", slip: int = 1, by: str = "cara", **more):
    return lambda case: cases.prepare(
        case, Asked(seat, paid_from, **more), SlipNumber("payout/2026", slip), by, DAY, RULES
    )


def approved(seat: int = 1, by: str = "ana", role: str = "floor"):
    return lambda case: cases.approve(case, seat, by, role, RULES)


def paid(seat: int = 1, by: str = "cole", cheque: str = ""):
    return lambda case: cases.pay(case, seat, by, cheque)


def asked_back(*seats: int, reason: str = "denied", by: str = "sue", today: date = DAY):
    return lambda case: cases.ask_return(case, seats, reason, "The chip was placed late, camera 12.", by, today, RULES)


def disputed(*seats: int):
    return lambda case: cases.dispute(case, seats, "Whose chip?", "ana")


def states(case: Case) -> list[str]:
    return [share.state for _, share in sorted(case.shares.items())]


def refusal(case: Case, step) -> str:
    with pytest.raises(Refused) as refused:
        step(case)
    assert refused.value.message.endswith(".")
    return refused.value.code


def test_a_share_is_verified_prepared_approved_and_paid():
    case = after(a_case(), verified())
    assert states(case) == ["verified", "verified"]
    case = after(case, prepared(), approved())
    assert states(case) == ["approved", "verified"]
    (event,) = cases.pay(case, 1, "cole")
    assert event == JackpotPaid(
        round="R-01/2026-03-01/7", rank="royal_flush", seat=1, amount_cents=500_000, paid_from="cage", slip=1, by="cole"
    )
    assert event.out_cents == 500_000
    assert states(cases.case_of(case, [event])) == ["paid", "verified"]


def test_one_of_seven_may_be_disputed_while_six_are_paid():
    case = after(a_case(*[71_428] * 7), verified(), disputed(4))
    for slip, seat in enumerate((1, 2, 3, 5, 6, 7), 1):
        case = after(case, prepared(seat, "tray", slip), approved(seat), paid(seat, "dan"))
    assert states(case) == ["paid"] * 3 + ["disputed"] + ["paid"] * 3
    assert refusal(case, prepared(4, "tray", 7)) == "share_not_verified"
    case = after(case, lambda case: cases.settle_dispute(case, [4], "It was the player's.", "pia"))
    assert states(case)[3] == "pending"


def test_a_dispute_voids_the_slip_that_was_prepared():
    case = after(a_case(), verified(), prepared(slip=12), approved())
    void, stopped = cases.dispute(case, [1, 2], "The hand was misread.", "ana")
    assert void == PayoutVoided(slip=12, seat=1, reason="Disputed: The hand was misread.", by="ana")
    case = cases.case_of(case, [void, stopped])
    assert states(case) == ["disputed", "disputed"]
    assert case.shares[1].slip is None


def test_surveillance_gives_its_logs_reference_from_the_profiles_amount_on():
    assert refusal(a_case(2_500_000), verified(log=" ")) == "log_reference_missing"
    assert states(after(a_case(2_499_999), verified(log=""))) == ["verified"]


@pytest.mark.parametrize(
    ("payout_cents", "approvers", "complete"),
    [
        (4_999_999, [("ana", "floor")], True),
        (5_000_000, [("ana", "floor")], False),
        (5_000_000, [("ana", "floor"), ("eve", "floor")], False),
        (5_000_000, [("ana", "floor"), ("pia", "pit_manager")], True),
        (5_000_000, [("pia", "pit_manager"), ("ana", "floor")], True),
    ],
)
def test_two_people_and_a_pit_manager_among_them_approve_from_the_profiles_amount_on(payout_cents, approvers, complete):
    case = after(a_case(payout_cents), verified(), prepared(paid_from="cheque"))
    for by, role in approvers:
        (last,) = cases.approve(case, 1, by, role, RULES)
        case = cases.case_of(case, [last])
    assert last == PayoutApproved(slip=1, seat=1, by=approvers[-1][0], role=approvers[-1][1], complete=complete)
    assert states(case) == ["approved" if complete else "prepared"]


@pytest.mark.parametrize(
    ("paid_from", "code"), [("tray", "cheque_required"), ("cage", "cheque_required"), ("", "unknown_way")]
)
def test_a_great_payout_is_paid_by_cheque_only(paid_from, code):
    assert refusal(after(a_case(5_000_000), verified()), prepared(paid_from=paid_from)) == code


@pytest.mark.parametrize(
    ("share_cents", "day", "document"),
    [
        (199_999, DAY, False),
        (200_000, DAY, True),
        (60_000, date(2025, 12, 31), True),
        (59_999, date(2025, 12, 31), False),
    ],
)
def test_a_payout_at_the_days_threshold_gets_a_document(share_cents, day, document):
    case = after(a_case(share_cents), verified())
    (event,) = cases.prepare(case, Asked(1, "cage"), SlipNumber("payout/2026", 1), "cara", day, RULES)
    assert event.document is document


def test_more_than_the_share_is_an_override_with_a_reason_which_the_house_pays():
    case = after(a_case(), verified())
    (slip,) = prepared(requested_cents=500_025, override_reason="The sign showed it.")(case)
    assert slip == PayoutPrepared(
        book="payout/2026", slip=1, seat=1, share_cents=500_000, stake_cents=100, paid_from="cage", document=True,
        by="cara", override_cents=25, override_reason="The sign showed it.",
    )  # fmt: skip
    case = after(case, prepared(requested_cents=500_025, override_reason="The sign showed it."), approved())
    (event,) = cases.pay(case, 1, "cole")
    assert (event.amount_cents, event.override_cents, event.out_cents) == (500_000, 25, 500_025)
    case = after(a_case(), verified())
    assert refusal(case, prepared(requested_cents=500_025)) == "reason_missing"
    assert refusal(case, prepared(requested_cents=499_999, override_reason="Enough.")) == "below_share"


def test_the_requester_never_approves():
    case = after(a_case(5_000_000), verified(), prepared(paid_from="cheque", by="Ana"))
    assert refusal(case, approved(by="ana")) == "same_person"
    once = after(case, approved(by="pia", role="pit_manager"))
    assert refusal(once, approved(by="PIA", role="pit_manager")) == "same_person"
    both = after(once, approved(by="eve"))
    assert refusal(both, paid(by="eve", cheque="20017")) == "same_person"
    stopped = after(a_case(), disputed(1))
    assert refusal(stopped, lambda case: cases.settle_dispute(case, [1], "Fine.", "ana")) == "same_person"
    back = after(a_case(), asked_back(by="sue"))
    assert refusal(back, lambda case: cases.approve_return(case, (), "Sue")) == "same_person"


def test_a_cheque_has_a_number_and_nothing_else_has_one():
    case = after(a_case(), verified(), prepared(1, "cheque"), prepared(2, "cage", 2), approved(1), approved(2))
    assert refusal(case, paid(1)) == "cheque_number"
    assert refusal(case, paid(2, cheque="20017")) == "cheque_number"
    assert states(after(case, paid(1, cheque="20017"), paid(2))) == ["paid", "paid"]


def test_a_void_slip_gives_way_to_another():
    case = after(a_case(), verified(), prepared(slip=3), lambda case: cases.void_slip(case, 1, "Wrong way.", "cara"))
    assert states(case) == ["verified", "verified"]
    case = after(case, prepared(1, "tray", 4))
    assert case.shares[1].slip.number == 4
    assert refusal(case, lambda case: cases.void_slip(case, 1, " ", "cara")) == "reason_missing"


def test_every_copy_after_the_first_has_a_higher_number():
    case = after(a_case(), verified(), prepared(slip=3))
    for number in (1, 2, 3):
        (event,) = cases.printed(case, 1, "cara")
        assert event.copy_number == number
        case = cases.case_of(case, [event])
    assert refusal(case, lambda case: cases.printed(case, 2, "cara")) == "no_slip"


@pytest.mark.parametrize("reason", ["denied", "void"])
def test_shares_are_returned_by_two_people(reason):
    case = after(a_case(), verified(2), asked_back(1, 2, reason=reason))
    assert states(case) == ["pending", "verified"]
    (event,) = cases.approve_return(case, (), "pia")
    assert event == JackpotReturned(
        round="R-01/2026-03-01/7", rank="royal_flush", seats=(1, 2), amount_cents=1_000_000, reason=reason, by="sue",
        approved_by="pia",
    )  # fmt: skip
    assert states(cases.case_of(case, [event])) == [reason, reason]


def test_what_is_asked_back_is_not_paid_until_that_is_declined():
    case = after(a_case(), verified(), asked_back(1))
    assert refusal(case, prepared()) == "return_asked"
    assert refusal(case, asked_back(1)) == "return_asked"
    case = after(case, lambda case: cases.decline_return(case, [1], "The camera shows it in time.", "pia"), prepared())
    assert states(case) == ["prepared", "verified"]
    assert refusal(case, lambda case: cases.approve_return(case, [1], "pia")) == "share_not_pending"
    assert refusal(case, lambda case: cases.approve_return(case, [2], "pia")) == "no_return_asked"


def test_requests_for_different_reasons_are_approved_one_by_one():
    case = after(a_case(), asked_back(1), asked_back(2, reason="void"))
    assert refusal(case, lambda case: cases.approve_return(case, (), "pia")) == "several_requests"
    assert states(after(case, lambda case: cases.approve_return(case, [2], "pia"))) == ["pending", "void"]


def test_a_hit_is_unclaimed_only_after_the_profiles_days():
    assert refusal(a_case(), asked_back(reason="unclaimed", today=date(2026, 8, 29))) == "not_unclaimed_yet"
    (event,) = asked_back(reason="unclaimed", today=date(2026, 8, 30))(a_case())
    assert event == ReturnRequested(
        seats=(1, 2), reason="unclaimed", because="The chip was placed late, camera 12.", by="sue"
    )


@pytest.mark.parametrize(
    ("code", "steps", "last"),
    [
        ("share_not_verified", [], prepared()),
        ("share_not_prepared", [verified()], approved()),
        ("share_not_approved", [verified(), prepared()], paid()),
        ("share_not_approved", [verified(), prepared(), approved(), paid()], paid()),
        ("share_not_verified", [verified(), prepared()], prepared(slip=2)),
        ("share_not_pending", [verified()], verified()),
        ("share_not_pending", [verified(), prepared(), approved(), paid()], asked_back(1)),
        ("share_not_pending", [verified(), prepared()], asked_back(1)),
        ("share_not_pending", [verified(), prepared(), approved(), paid()], disputed(1)),
        ("no_such_share", [], verified(9)),
        ("seat_twice", [], verified(1, 1)),
        ("unknown_reason", [], asked_back(1, reason="lost")),
    ],
)  # fmt: skip
def test_a_step_out_of_its_place_is_refused(code, steps, last):
    assert refusal(after(a_case(), *steps), last) == code
