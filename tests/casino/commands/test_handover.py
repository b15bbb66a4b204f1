"""A pit handed over at real tables, and the forms of tables that did not open."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from casino.commands.closed_tables import record_closed_table
from casino.commands.handover import hand_over
from casino.commands.slips import request_transfer
from casino.commands.tables import close_table, open_table, set_up_table
from casino.eventstore.follower import catch_up
from casino.refusal import Refused
from casino.roles import FLOOR
from casino.slips import Person
from tests.casino.commands.test_tables import at, order, together
from tests.counts import counted

ANA, EVE, FAY = (Person(name, frozenset({FLOOR})) for name in ("ana", "eve", "fay"))
NOON = datetime(2025, 11, 29, 17, tzinfo=UTC)


def refused(code: str, deed: Any) -> None:
    with pytest.raises(Refused) as refusal:
        deed()
    assert refusal.value.code == code


@pytest.fixture
def pit(database: Any) -> str:
    """P-1: R-01 open with a fill that waits, R-02 closed; R-03 open in P-2."""
    for code, pit in (("R-01", "P-1"), ("R-02", "P-1"), ("R-03", "P-2")):
        set_up_table(order(), code, game="54-card-roulette", pit=pit)
    for code in ("R-01", "R-03"):
        open_table(order(), code, counted(1_000_000), "Ana Ortiz")
    request_transfer(order(), "R-01", "fill", {"500": 10_000}, ANA)
    catch_up()
    return "P-1"


def test_the_hand_over_names_what_is_open_in_this_pit_and_no_other(pit: str) -> None:
    event = hand_over(order(), pit, ANA, EVE, "quiet", 2).events[0]
    assert (event.outgoing, event.incoming, event.patrons_near) == ("ana", "eve", 2)
    assert (event.tables_open, event.roll_due) == (["R-01"], [])
    assert event.transfers == ["Fill request 1 of R-01 (requested)"]
    for unknown in ("P-9", "", "P\0"):
        refused("unknown_pit", lambda unknown=unknown: hand_over(order(), unknown, ANA, EVE, "", 0))


def test_a_pit_given_over_twice_at_once_is_given_once(pit: str) -> None:
    answers = together(*(lambda to=to: hand_over(order(), pit, ANA, to, "", 0) for to in (EVE, FAY)))  # type: ignore[misc]
    assert sorted(answers) == ["done", "not_holder"]


def test_the_form_of_a_table_that_did_not_open_says_when_it_last_was(database: Any) -> None:
    for code in ("R-01", "R-02"):
        set_up_table(at(NOON), code, game="54-card-roulette")
    open_table(at(NOON), "R-01", counted(500), "Ana Ortiz")
    refused("table_was_open", lambda: record_closed_table(at(NOON), "R-01"))
    close_table(at(NOON + timedelta(hours=2)), "R-01", counted(400))
    refused("table_was_open", lambda: record_closed_table(at(NOON + timedelta(hours=3)), "R-01"))
    morning = NOON + timedelta(days=1)
    form = record_closed_table(at(morning), "R-01").events[0]
    assert (form.last_open, form.closer_cents) == ("2025-11-29", 400)
    refused("already_recorded", lambda: record_closed_table(at(morning + timedelta(hours=1)), "R-01"))
    assert record_closed_table(at(morning + timedelta(days=1)), "R-01").events
    never = record_closed_table(at(morning), "R-02").events[0]
    assert (never.last_open, never.closer_cents) == (None, None)


def test_a_form_recorded_twice_at_once_is_recorded_once(database: Any) -> None:
    set_up_table(at(NOON), "R-01", game="54-card-roulette")
    answers = together(*(lambda: record_closed_table(at(NOON), "R-01"),) * 3)
    assert sorted(answers) == ["already_recorded"] * 2 + ["done"]
