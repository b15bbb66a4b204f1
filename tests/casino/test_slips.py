"""Fills and credits from the request to the last signature: who may do what, in which order, and what the tray sees."""

from datetime import timedelta

import pytest

from casino import profile, slips
from casino.profile import SlipRules
from casino.slip_events import (
    CreditReceived,
    CreditRemoved,
    FillReceived,
    FillSent,
    SlipPrepared,
    SlipSigned,
)
from casino.slips import Person, awaited_role, may_sign
from tests.slip_story import (
    ANA,
    BEN,
    CARA,
    CHIPS,
    COLE,
    DAN,
    EVE,
    KANSAS,
    MARYLAND,
    NOON,
    SAM,
    SIGNERS,
    Story,
    person,
    refused,
)  # fmt: skip

# ------------------------------------------------------------------------------------------------- the way of chips


def test_the_chips_of_a_fill_leave_the_cage_at_the_cashier_and_reach_the_tray_at_the_floor() -> None:
    story = Story("fill").request()
    assert story.transfer.state == "requested"
    assert story.prepare().transfer.state == "prepared"
    seen = []
    for role in story.rules.signatures:
        assert awaited_role(story.transfer, story.rules) == role
        moved = story.sign(SIGNERS[role])[1:]
        seen.append((role, [type(event) for event in moved], story.transfer.state, story.tray_cents))
    assert seen == [
        ("cage", [FillSent], "in_transit", 0),
        ("security", [], "in_transit", 0),
        ("dealer", [], "in_transit", 0),
        ("floor", [FillReceived], "complete", 750_000),
    ]
    assert awaited_role(story.transfer, story.rules) is None


def test_the_chips_of_a_credit_leave_the_tray_at_the_floor_and_reach_the_cage_at_the_cashier() -> None:
    story = Story("credit").request().prepare()
    seen = []
    for role in story.rules.signatures:
        moved = story.sign(SIGNERS[role])[1:]
        seen.append((role, [type(event) for event in moved], story.transfer.state, story.tray_cents))
    assert seen == [
        ("dealer", [], "prepared", 0),
        ("floor", [CreditRemoved], "in_transit", -750_000),
        ("security", [], "in_transit", -750_000),
        ("cage", [CreditReceived], "complete", -750_000),
    ]


def test_what_moves_in_the_tray_stands_in_the_log_as_in_and_out() -> None:
    fill, credit = Story("fill").request().prepare(), Story("credit").request().prepare()
    moved = [e for s in (fill, credit) for role in s.rules.signatures for e in s.sign(SIGNERS[role])]
    sums = {type(event): (event.in_cents, event.out_cents) for event in moved}
    assert sums == {
        SlipSigned: (0, 0),
        FillSent: (0, 0),
        FillReceived: (750_000, 0),
        CreditRemoved: (0, 750_000),
        CreditReceived: (0, 0),
    }


@pytest.mark.parametrize("code", profile.codes())
def test_in_every_profile_the_last_signature_ends_the_transfer(code: str) -> None:
    rules = {"fill": profile.load(code).fill, "credit": profile.load(code).credit}
    for kind, of_kind in rules.items():
        story = Story(kind, of_kind).request().prepare()
        for role in of_kind.signatures:
            assert story.transfer.state != "complete"
            story.sign(SIGNERS[role])
        assert story.transfer.state == "complete"


def test_a_profile_without_a_dealers_signature_moves_the_chips_at_the_floors() -> None:
    story = Story("fill", SlipRules(("cage", "security", "floor"), void_signatures=1)).request().prepare()
    story.signed_by("cage", "security")
    assert [type(event) for event in story.sign(EVE)] == [SlipSigned, FillReceived]


# ------------------------------------------------------------------------------------------------- the request


def test_a_request_numbers_the_sessions_transfers_and_adds_its_chips_up() -> None:
    story = Story().request().request({"500": 10_000})
    assert [t.number for t in story.session.transfers.values()] == [1, 2]
    asked = story.transfer.requested
    assert (asked.serial, asked.total_cents, asked.denominations, asked.by) == (31, 10_000, {"500": 10_000}, "ana")


@pytest.mark.parametrize(
    ("chips", "code"),
    [
        ({}, "nothing_asked"),
        ({"2500": 0}, "bad_denomination"),
        ({"2500": -2_500}, "bad_denomination"),
        ({"2500": 2_600}, "bad_denomination"),
        ({"0": 100}, "bad_denomination"),
        ({"025": 100}, "bad_denomination"),
        ({"25.00": 2_500}, "bad_denomination"),
        ({"٢": 2}, "bad_denomination"),
        ({"": 2}, "bad_denomination"),
        ({"-5": 10}, "bad_denomination"),
        ({"100": 100_000_000_100}, "amount_too_large"),
    ],
)
def test_a_request_lists_whole_chips(chips: dict[str, int], code: str) -> None:
    assert refused(lambda: Story().request(chips)).code == code


@pytest.mark.parametrize("who", [CARA, SAM, DAN, BEN])
def test_the_pit_asks_and_nobody_else(who: Person) -> None:
    assert refused(lambda: Story().request(by=who)).code == "wrong_role"


def test_something_else_than_a_fill_or_a_credit_is_not_requested() -> None:
    assert refused(lambda: Story("loan", MARYLAND.fill).request()).code == "unknown_kind"


@pytest.mark.parametrize(("minutes_before", "code"), [(31, ""), (30, "too_near_roll"), (-90, "too_near_roll")])
def test_a_profile_may_forbid_requests_before_the_roll_and_until_it_is_done(minutes_before: int, code: str) -> None:
    rules = SlipRules(MARYLAND.fill.signatures, 1, none_before_roll_minutes=30)
    due = NOON + timedelta(minutes=minutes_before)
    story = Story("fill", rules)
    if not code:
        assert story.request(roll_due_at=due).transfer.state == "requested"
    else:
        assert refused(lambda: story.request(roll_due_at=due)).code == code


def test_a_request_near_the_roll_is_fine_where_the_profile_does_not_say_or_the_roll_is_not_known() -> None:
    strict = SlipRules(MARYLAND.fill.signatures, 1, none_before_roll_minutes=30)
    assert Story().request(roll_due_at=NOON).transfer.state == "requested"
    assert Story("fill", strict).request(roll_due_at=None).transfer.state == "requested"


def test_a_request_is_withdrawn_until_its_slip_is_prepared() -> None:
    story = Story().request()
    assert refused(lambda: slips.withdraw(story.transfer, CARA, "No")).code == "wrong_role"
    assert refused(lambda: slips.withdraw(story.transfer, EVE, " ")).code == "reason_missing"
    story.tell(slips.withdraw(story.transfer, EVE, "The cage has no greens"))
    assert story.transfer.state == "withdrawn"
    assert refused(story.prepare).code == "request_withdrawn"
    prepared = Story().request().prepare()
    assert refused(lambda: slips.withdraw(prepared.transfer, EVE, "Late")).code == "slip_prepared"


# ------------------------------------------------------------------------------------------------- the slip


def test_a_slip_is_prepared_over_what_was_requested_and_nothing_else() -> None:
    story = Story().request()
    assert refused(lambda: story.prepare(counted={"10000": 500_000})).code == "slip_differs"
    assert refused(lambda: story.prepare(counted={"2500": 750_000})).code == "slip_differs"
    prepared = story.prepare(counted=dict(CHIPS)).transfer.slip
    assert prepared == SlipPrepared(
        table="R-01", kind="fill", transfer=1, book="fill/2026", serial=17, denominations=CHIPS, total_cents=750_000,
        by="cara",
    )  # fmt: skip
    assert refused(story.prepare).code == "slip_prepared"


def test_the_cage_prepares_and_never_whoever_asked() -> None:
    story = Story().request()
    for who in (ANA, SAM, DAN, BEN):
        assert refused(lambda who=who: story.prepare(by=who)).code == "wrong_role"
    assert refused(lambda: story.prepare(by=person("Ana", "floor", "cage"))).code == "same_person"


def test_nothing_is_signed_before_it_is_prepared() -> None:
    assert refused(lambda: Story().request().sign(CARA)).code == "slip_not_prepared"


@pytest.mark.parametrize("kind", ["fill", "credit"])
def test_every_wrong_order_of_signatures_is_refused(kind: str) -> None:
    """At each step each person who is not next is turned away, and only the next one gets through."""
    story = Story(kind).request().prepare()
    order = story.rules.signatures
    for step, due in enumerate(order):
        for role in order[step + 1 :]:
            assert refused(lambda role=role: story.sign(SIGNERS[role])).code == "out_of_order", (step, role)
            assert refused(lambda role=role: story.sign(SIGNERS[role])).details == {"awaited": due}
        for role in order[:step]:
            assert refused(lambda role=role: story.sign(SIGNERS[role])).code == "same_person"
        assert refused(lambda: story.sign(BEN)).code == "wrong_role"
        story.sign(SIGNERS[due], due)
    assert refused(lambda: story.sign(COLE)).code == "slip_complete"


def test_a_second_signature_for_the_same_role_is_refused() -> None:
    story = Story().request().prepare().signed_by("cage")
    assert refused(lambda: story.sign(COLE)).code == "wrong_role"
    assert refused(lambda: story.sign(COLE, "cage")).code == "out_of_order"


def test_nobody_signs_for_a_role_that_is_not_theirs_or_not_on_the_slip() -> None:
    story = Story().request().prepare()
    assert refused(lambda: story.sign(SAM, "cage")).code == "wrong_role"
    assert refused(lambda: story.sign(CARA, "security")).code == "wrong_role"
    assert refused(lambda: story.sign(BEN, "accounting")).code == "wrong_role"


@pytest.mark.parametrize("kind", ["fill", "credit"])
def test_one_person_never_signs_twice_whatever_roles_they_hold(kind: str) -> None:
    everything = person("max", *SIGNERS)
    story = Story(kind).request().prepare()
    story.sign(everything)
    for role in (None, *SIGNERS):
        assert refused(lambda role=role: story.sign(person("MAX", *SIGNERS), role)).code == "same_person"


def test_whoever_asked_never_signs_unless_the_profile_lets_the_requester_verify() -> None:
    asked_by_two = person("ana", "floor", "dealer")
    story = Story().request(by=asked_by_two).prepare().signed_by("cage", "security")
    assert refused(lambda: story.sign(asked_by_two)).code == "same_person"
    story.signed_by("dealer")
    assert refused(lambda: story.sign(ANA)).code == "same_person"
    lenient = SlipRules(MARYLAND.fill.signatures, 1, requester_may_verify=True)
    other = Story("fill", lenient).request(by=asked_by_two).prepare().signed_by("cage", "security")
    assert refused(lambda: other.sign(asked_by_two)).code == "same_person"  # as the dealer
    other.signed_by("dealer")
    assert [type(event) for event in other.sign(ANA)] == [SlipSigned, FillReceived]


def test_whoever_prepared_signs_for_the_cage_and_for_nobody_else() -> None:
    both = person("cara", "cage", "security")
    story = Story().request().prepare(both)
    story.sign(COLE)
    assert refused(lambda: story.sign(both)).code == "same_person"
    credit = Story("credit").request().prepare(CARA).signed_by("dealer", "floor", "security")
    assert [type(event) for event in credit.sign(CARA)] == [SlipSigned, CreditReceived]


def test_who_may_sign_next_is_said_before_they_try() -> None:
    story = Story().request().prepare()
    assert [may_sign(story.transfer, story.rules, who) for who in (CARA, SAM, DAN, EVE, ANA)] == [True] + [False] * 4
    story.signed_by("cage", "security", "dealer")
    assert may_sign(story.transfer, story.rules, EVE)
    assert not may_sign(story.transfer, story.rules, ANA)


@pytest.mark.parametrize("kind", ["fill", "credit"])
def test_the_dealers_signature_is_that_of_whoever_deals_at_the_table(kind: str) -> None:
    story = Story(kind).request().prepare()
    story.signed_by(*(("cage", "security") if kind == "fill" else ()))
    dora = person("dora", "dealer")
    sentence = refused(lambda: slips.sign(story.transfer, story.rules, dora, on_duty="dan"))
    assert (sentence.code, "dan deals at R-01" in sentence.message) == ("not_on_duty", True)
    assert not may_sign(story.transfer, story.rules, dora, "dan")
    assert may_sign(story.transfer, story.rules, DAN, "Dan")  # capitals make no other person
    assert may_sign(story.transfer, story.rules, dora)  # where nobody is recorded as dealing


# ------------------------------------------------------------------------------------------------- the void


@pytest.mark.parametrize(
    ("kind", "signed", "tray_before", "tray_cents", "in_transit"),
    [
        ("fill", (), 0, 0, False),
        ("fill", ("cage",), 0, 0, True),
        ("fill", ("cage", "security"), 0, 0, True),
        ("fill", ("cage", "security", "dealer"), 0, 0, True),
        ("credit", (), 0, 0, False),
        ("credit", ("dealer",), 0, 0, False),
        ("credit", ("dealer", "floor"), -750_000, 750_000, True),
        ("credit", ("dealer", "floor", "security"), -750_000, 750_000, True),
    ],
)
def test_a_void_at_each_stage_and_what_it_does_to_the_tray(
    kind: str, signed: tuple[str, ...], tray_before: int, tray_cents: int, in_transit: bool
) -> None:
    story = Story(kind).request().prepare().signed_by(*signed)
    assert story.tray_cents == tray_before
    voided = story.void()
    assert (voided.tray_cents, voided.in_cents, voided.out_cents) == (tray_cents, tray_cents, 0)
    assert (voided.was_in_transit, voided.serial, voided.total_cents) == (in_transit, 17, 750_000)
    assert (story.transfer.state, story.tray_cents) == ("void", 0)
    assert refused(story.void).code == "slip_void"
    assert refused(lambda: story.sign(SIGNERS["cage"])).code == "slip_void"


@pytest.mark.parametrize("kind", ["fill", "credit"])
def test_a_complete_slip_is_not_voided(kind: str) -> None:
    story = Story(kind).request().prepare()
    story.signed_by(*story.rules.signatures)
    assert refused(story.void).code == "slip_complete"


def test_a_request_without_a_slip_is_withdrawn_and_not_voided() -> None:
    assert refused(Story().request().void).code == "slip_not_prepared"


def test_a_void_has_a_reason_and_two_people_one_of_them_of_the_cage() -> None:
    story = Story().request().prepare()
    assert refused(lambda: story.void(reason=" ")).code == "reason_missing"
    assert refused(lambda: story.void(CARA, person("CARA", "cage"))).code == "same_person"
    assert refused(lambda: story.void(ANA, EVE)).code == "void_needs_cage"
    assert refused(lambda: story.void(BEN, CARA)).code == "wrong_role"
    assert refused(lambda: story.void(CARA, SAM)).code == "wrong_role"
    assert story.void(CARA, ANA).approved_by == "ana"


def test_where_two_sign_a_void_one_is_of_security_or_had_no_part_in_it() -> None:
    def at_the_table() -> Story:
        return Story("fill", KANSAS).request().prepare().signed_by("cage", "security")

    assert refused(lambda: at_the_table().void(ANA, CARA)).code == "void_needs_independent"
    assert at_the_table().void(CARA, SAM).approved_by == "sam"
    assert at_the_table().void(CARA, EVE).approved_by == "eve"
    assert at_the_table().void(ANA, COLE).approved_by == "cole"
