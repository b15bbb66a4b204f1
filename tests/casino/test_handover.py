"""A pit handed over, without a database: who to whom, and what is open in it."""

from datetime import UTC, date, datetime
from zoneinfo import ZoneInfo

import pytest

from casino.handover import Matters, OpenTable, hand_over, matters_of
from casino.refusal import Refused
from casino.roles import FLOOR, PIT_MANAGER
from casino.slip_events import TransferRequested
from casino.slips import Person
from casino.table import Count, Session, session_after

NEW_YORK = ZoneInfo("America/New_York")
SHIFTS = [6, 14, 22]
ANA, EVE = (Person(name, frozenset({FLOOR})) for name in ("ana", "eve"))
PIA = Person("pia", frozenset({FLOOR, PIT_MANAGER}))
DAN = Person("dan", frozenset({"dealer"}))
NOTHING = Matters([], [], [])


def handed(outgoing: Person, incoming: Person, last=None, note: str = ""):
    return hand_over("P-1", last, 2, outgoing, incoming, note, NOTHING, 0)


def refused(*args, **more) -> str:
    with pytest.raises(Refused) as refusal:
        handed(*args, **more)
    return refusal.value.code


def test_a_pit_goes_from_one_person_of_the_floor_to_another() -> None:
    event = handed(ANA, EVE, note=" seat 3 of R-01 asks for a limit ")
    assert (event.outgoing, event.incoming, event.note) == ("ana", "eve", "seat 3 of R-01 asks for a limit")
    assert refused(ANA, Person("Ana", ANA.roles)) == "same_person"
    assert refused(ANA, DAN) == "wrong_role"
    assert refused(DAN, ANA) == "wrong_role"
    assert refused(ANA, EVE, note="x" * 2_001) == "note_too_long"


def test_whoever_has_the_pit_hands_it_on_or_a_pit_manager_does() -> None:
    last = handed(ANA, EVE)
    assert refused(ANA, PIA, last) == "not_holder"
    assert handed(EVE, ANA, last).incoming == "ana"
    assert handed(PIA, ANA, last).outgoing == "pia"


def test_what_is_open_is_named_tables_rolls_that_are_due_and_slips_that_wait() -> None:
    def table(code: str, opened: str) -> OpenTable:
        session = Session(code, date(2026, 11, 29), 1, opener=Count(1))
        return OpenTable(session, datetime.fromisoformat(opened).replace(tzinfo=UTC))

    asked = TransferRequested(
        table="R-01", kind="fill", transfer=1, serial=7, denominations={"100": 100}, total_cents=100, by="ana"
    )
    first, second = table("R-01", "2026-11-29T13:00"), table("R-02", "2026-11-29T20:00")  # 8:00 and 15:00
    first = first._replace(session=session_after(first.session, [asked]))
    now = datetime(2026, 11, 29, 20, 30, tzinfo=UTC)
    assert matters_of([first, second], now, NEW_YORK, SHIFTS) == Matters(
        ["R-01", "R-02"], ["R-01"], ["Fill request 7 of R-01 (requested)"]
    )
    assert matters_of([], now, NEW_YORK, SHIFTS) == NOTHING
