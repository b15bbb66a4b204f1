"""What goes back unplayed, and the two people who answer for it."""

from datetime import date

import pytest

from casino import events as e
from casino.eventstore.registry import decode, encode
from casino.keys import RoundId
from casino.refusal import Refused
from casino.round.state import Round, round_of
from casino.round.voiding import Second, declare_misdeal, void


@pytest.fixture
def a_round() -> Round:
    opened = e.RoundOpened(
        table="R-01", session="s", game="54-card-roulette", paytable="printed", layout="standard",
        method="second_card", seats=8, limits={}, round_payout_max_cents=10**8, off_limits="warn", side_bets={},
        recorded_by="terminal",
    )  # fmt: skip
    return round_of(RoundId("R-01", date(2026, 11, 29), 1), [opened])


def test_a_void_keeps_who_asked_and_who_approved(a_round: Round) -> None:
    (voided,) = void(a_round, "Nobody plays.", Second("dan", "eve"))
    assert (voided.requested_by, voided.approved_by) == ("dan", "eve")
    written = encode(voided)
    assert decode(written.type, written.schema_version, written.payload) == voided


@pytest.mark.parametrize("second", [Second("dan", "dan"), Second("dan", "DAN")])
def test_nobody_approves_what_he_asked_for(a_round: Round, second: Second) -> None:
    for decide in (lambda: void(a_round, "Why.", second), lambda: declare_misdeal(a_round, "Why.", second, "As", 1)):
        with pytest.raises(Refused) as no:
            decide()
        assert no.value.code == "same_person"


@pytest.mark.parametrize("second", [Second("", ""), Second("dan", " "), Second("", "eve")])
def test_nothing_goes_back_on_one_persons_word(a_round: Round, second: Second) -> None:
    with pytest.raises(Refused) as no:
        void(a_round, "Why.", second)
    assert no.value.code == "second_person_missing"


def test_an_early_void_that_named_nobody_is_still_read() -> None:
    voided = decode("round_voided", 1, '{"progressive":null,"reason":"Why.","refunds":[],"scope":"round"}')
    assert (voided.requested_by, voided.approved_by) == ("", "")
