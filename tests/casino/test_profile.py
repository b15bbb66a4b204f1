"""The rules of a jurisdiction, as they are read from its file."""

from datetime import date

import pytest

from casino import profile
from casino.refusal import Refused


def test_every_profile_can_be_read():
    assert profile.codes() == ["kansas", "maryland", "nevada", "new_jersey"]
    assert [profile.load(code).name for code in profile.codes()] == ["Kansas", "Maryland", "Nevada", "New Jersey"]


def test_a_profile_that_is_not_there_is_refused_with_those_that_are():
    with pytest.raises(Refused, match="choose from kansas, maryland, nevada, new_jersey") as refusal:
        profile.load("atlantis")
    assert refusal.value.code == "unknown_profile"


def test_the_federal_file_is_no_profile_of_its_own():
    with pytest.raises(Refused):
        profile.load("_united_states")


@pytest.mark.parametrize(
    ("difference_cents", "told"),
    [
        (25_00, None),
        (25_01, ("floor", "security", "surveillance")),
        (99_99, ("floor", "security", "surveillance")),
        (100_00, ("floor", "security", "surveillance", "regulator")),
        (-100_00, ("floor", "security", "surveillance", "regulator")),
    ],
)
def test_new_jersey_tells_of_an_opener_over_25_dollars_off_and_copies_the_division_from_100(difference_cents, told):
    step = profile.load("new_jersey").variance_step(difference_cents)
    assert (step.notify if step else None) == told


def test_maryland_asks_for_an_incident_report_over_100_dollars():
    maryland = profile.load("maryland")
    assert maryland.variance_step(0) is None
    assert maryland.variance_step(100_00).incident_report_hours is None
    assert maryland.variance_step(100_01).incident_report_hours == 24


@pytest.mark.parametrize(
    ("payout_cents", "stake_cents", "day", "needed"),
    [
        (600_00, 2_00, date(2025, 12, 31), True),
        (599_99, 1_00, date(2025, 12, 31), False),
        (600_00, 2_01, date(2025, 12, 31), False),
        (1_999_99, 1_00, date(2026, 1, 1), False),
        (2_000_00, 1_00, date(2026, 1, 1), True),
        (2_000_00, 6_67, date(2026, 1, 1), False),
    ],
)
def test_a_payout_gets_a_document_from_the_dated_threshold_and_300_times_its_stake(
    payout_cents, stake_cents, day, needed
):
    assert profile.load("maryland").needs_payout_document(payout_cents, stake_cents, day) is needed
