"""A link's own record: changes by two people, limits above the meter, stops and what it takes to resume."""

from datetime import UTC, datetime, timedelta
from fractions import Fraction

import pytest
from msgspec.structs import replace

from casino.refusal import Refused
from jackpot import control as controls
from jackpot import meter as meters
from jackpot.control import Control
from jackpot.control_events import Change, LinkResumed, LinkRetired, LinkStopped
from jackpot.events import LinkSetUp, MeterAdjusted, TableJoined, TableLeft
from jackpot.terms import Level

CHANCES = {"royal_flush": Fraction(1, 50_000), "straight_flush": Fraction(1, 5_000)}
SET_UP = LinkSetUp(
    code="blue", currency="USD", game="54-card-roulette", bet="progressive", base_cents=500_000, reset_cents=500_000,
    stake_cents=100, tiers_name="tiered", tiers={"royal_flush": "1", "straight_flush": "1/10"}, limit_cents=900_000,
)  # fmt: skip
NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
METER = replace(meters.opened(SET_UP), main_micros=6_123_456_789, stakes_micros=1_123_456_789)


def after(*steps, control: Control | None = None) -> Control:
    """The link after events, or after what a function of it decides."""
    control = control or Control(SET_UP)
    for step in steps:
        control = controls.evolve(control, step(control) if callable(step) else step)
    return control


def proposed(effective_at: datetime | None = None, by: str = "max", acknowledged_by: str = "", **change):
    return lambda control: controls.propose(control, Change(**change), effective_at, "A reason.", acknowledged_by, by)


def approved(number: int = 1, by: str = "mia"):
    return lambda control: controls.approve(control, number, by)


def made(number: int = 1, now: datetime = NOW):
    return lambda control: controls.make(control, number, now)


def refusal(step, control: Control | None = None) -> str:
    with pytest.raises(Refused) as refused:
        step(control or Control(SET_UP))
    assert refused.value.message.endswith(".")
    return refused.value.code


def test_a_change_is_proposed_approved_by_another_and_made():
    control = after(proposed(increment_bp=6000, odd_cents="odd_cents_to_lowest_seat"))
    assert (control.terms.increment_bp, len(control.changes)) == (6500, 1)
    assert refusal(made(), control) == "not_approved"
    assert refusal(approved(by="MAX"), control) == "same_person"
    control = after(approved(), control=control)
    assert control.change_due_at == controls.AT_ONCE
    assert refusal(approved(by="ben"), control) == "already_approved"
    control = after(made(), control=control)
    assert (control.terms.increment_bp, control.terms.odd_cents) == (6000, "odd_cents_to_lowest_seat")
    assert (control.changes, control.change_due_at) == ((), None)
    assert refusal(made(), control) == "unknown_change"


def test_a_change_waits_for_its_time():
    control = after(proposed(effective_at=NOW, increment_bp=6000), approved())
    assert control.change_due_at == NOW
    assert refusal(made(now=NOW - timedelta(seconds=1)), control) == "not_due"
    assert after(made(), control=control).terms.increment_bp == 6000


def test_a_change_may_be_dropped_with_a_reason_and_its_number_is_not_used_again():
    control = after(proposed(increment_bp=6000), approved())
    assert refusal(lambda control: controls.drop(control, 1, " ", "max"), control) == "reason_missing"
    control = after(
        lambda control: controls.drop(control, 1, "No sign.", "max"), proposed(reset_cents=1), control=control
    )
    assert [one.number for one in control.changes] == [2]
    assert refusal(lambda control: controls.drop(control, 1, "Again.", "max"), control) == "unknown_change"


def test_what_changes_nothing_is_no_change():
    assert refusal(proposed(increment_bp=6500)) == "nothing_changes"
    assert refusal(proposed()) == "nothing_changes"
    assert refusal(lambda control: controls.propose(control, Change(reset_cents=1), None, " ", "", "max")) == (
        "reason_missing"
    )


def test_a_limit_is_taken_away_by_saying_so():
    assert after(proposed(no_limit=True), approved(), made()).terms.limit_cents is None


@pytest.mark.parametrize(("limit_cents", "allowed"), [(612_345, False), (612_346, True), (500_001, False)])
def test_a_new_limit_is_above_what_the_meter_stands_at(limit_cents, allowed):
    """6,123.456789 is above a limit of 6,123.45 and below one of 6,123.46."""
    control = after(proposed(limit_cents=limit_cents))
    (proposal,) = control.changes
    wanted = Level(controls.changed(control.terms, proposal.change), CHANCES)
    if allowed:
        controls.check_changed(proposal, wanted, (), METER)
        return
    with pytest.raises(Refused, match="has to be above that"):
        controls.check_changed(proposal, wanted, (), METER)


def test_a_limit_that_stays_does_not_hinder_another_change_at_a_full_meter():
    full = replace(METER, main_micros=9_000_000_000)
    (proposal,) = after(proposed(increment_bp=6000)).changes
    controls.check_changed(proposal, Level(controls.changed(SET_UP, proposal.change), CHANCES), (), full)


@pytest.mark.parametrize(
    ("code", "change"),
    [
        ("rates_over_stake", {"increment_bp": 9500}),
        ("rate_out_of_range", {"hidden_bp": -1}),
        ("amount_not_positive", {"reset_cents": 0}),
        ("limit_too_low", {"reset_cents": 900_000}),
        ("unknown_rank", {"tiers": {"five_of_a_kind": "1"}}),
        ("unknown_overflow_rule", {"overflow_rule": "to_the_dealer"}),
        ("unknown_heartbeat", {"heartbeat_of": "everybody"}),
        ("silence_out_of_range", {"heartbeat_of": "tables", "silence_seconds": 1}),
        ("return_over_100", {"increment_bp": 9000, "tiers": {"straight_flush": "1"}}),
    ],
)
def test_changed_parameters_are_checked_as_those_of_a_set_up(code, change):
    (proposal,) = after(proposed(**change)).changes
    wanted = Level(controls.changed(SET_UP, proposal.change), CHANCES)
    with pytest.raises(Refused) as refused:
        controls.check_changed(proposal, wanted, (), METER)
    assert refused.value.code == code


def test_a_change_that_returns_more_than_it_takes_names_who_knows_it():
    change = {"increment_bp": 9000, "tiers": {"straight_flush": "1"}}
    control = after(proposed(acknowledged_by="Ben Adler", **change))
    controls.check_changed(
        control.changes[0], Level(controls.changed(SET_UP, control.changes[0].change), CHANCES), (), METER
    )
    assert after(approved(), made(), control=control).terms.acknowledged_by == "Ben Adler"


def test_a_stop_of_one_source_ends_by_that_source_alone():
    control = after(
        TableJoined(table="R-01"),
        TableJoined(table="R-02"),
        lambda control: controls.stop(control, "table R-01", "Its feed is silent.", "jackpot", NOW.isoformat()),
        lambda control: controls.stop(control, "house", "New sign.", "max"),
    )
    assert [len(control.stops_at(table)) for table in ("R-01", "R-02")] == [2, 1]
    assert refusal(lambda control: controls.stop(control, "house", "Again.", "max"), control) == "already_stopped"
    control = after(LinkResumed(source="house", shown_cents=None, by="max"), control=control)
    assert [len(control.stops_at(table)) for table in ("R-01", "R-02")] == [1, 0]
    assert after(TableLeft(table="R-01"), control=control).stops == {}


def test_what_fell_silent_resumes_with_a_reading_that_is_the_meters():
    control = after(LinkStopped(source="controller", reason="Silent.", last_heard_at="", by="jackpot"))

    def resume(shown_cents: int | None, source: str = "controller"):
        return lambda control: controls.resume(control, source, shown_cents, METER, "max")

    assert refusal(resume(None), control) == "reading_missing"
    assert refusal(resume(612_346), control) == "reading_differs"
    assert refusal(resume(612_345, "house"), control) == "not_stopped"
    assert resume(612_345)(control) == LinkResumed(source="controller", shown_cents=612_345, by="max")


def test_a_meter_that_ran_before_waits_for_its_opening_reading():
    control = Control(replace(SET_UP, taken_over=True, base_cents=0))
    assert refusal(controls.check_ready, control) == "opening_reading_missing"
    reading = MeterAdjusted(
        pool="main", micros=1, reason="opening_reading", evidence="Sign 4", by="max", approved_by="ben"
    )
    controls.check_ready(after(reading, control=control))


def test_tables_join_no_link_that_is_stopped_or_retired():
    stopped = after(LinkStopped(source="house", reason="New sign.", last_heard_at="", by="max"))
    assert refusal(controls.check_ready, stopped) == "link_stopped"
    retired = after(LinkRetired(request=1, reason="Over.", by="max", approved_by="ben"))
    assert refusal(controls.check_ready, retired) == "link_retired"
    assert refusal(proposed(increment_bp=1), retired) == "link_retired"
    assert refusal(lambda control: controls.stop(control, "house", "No.", "max"), retired) == "link_retired"
