"""What goes back unplayed, and the two people who answer for it."""

from datetime import date

import pytest

from casino import events as e
from casino.approval import Approval
from casino.eventstore.registry import decode, encode
from casino.keys import RoundId
from casino.round.state import Round, round_of
from casino.round.voiding import void


@pytest.fixture
def a_round() -> Round:
    opened = e.RoundOpened(
        table="R-01", session="s", game="54-card-roulette", paytable="printed", layout="standard",
        method="second_card", seats=8, limits={}, round_payout_max_cents=10**8, off_limits="warn", side_bets={},
        recorded_by="terminal",
    )  # fmt: skip
    return round_of(RoundId("R-01", date(2026, 11, 29), 1), [opened])


def test_a_void_keeps_who_asked_and_who_approved(a_round: Round) -> None:
    (voided,) = void(a_round, "Nobody plays.", Approval("dan", "eve"))
    assert (voided.requested_by, voided.approved_by) == ("dan", "eve")
    written = encode(voided)
    assert decode(written.type, written.schema_version, written.payload) == voided


def test_an_early_void_that_named_nobody_is_still_read() -> None:
    voided = decode("round_voided", 1, '{"progressive":null,"reason":"Why.","refunds":[],"scope":"round"}')
    assert (voided.requested_by, voided.approved_by) == ("", "")
