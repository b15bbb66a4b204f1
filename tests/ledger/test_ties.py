"""The ties: table win, liability, chips; each compares two sides that are kept apart."""

from datetime import date
from typing import Any

import pytest
from django.db import connections

from casino.commands.order import property_code
from casino.events import CashBoughtIn
from casino.eventstore.follower import catch_up, step
from ledger.accounts import BOXES, OVER_SHORT_BOX
from ledger.count_events import Contents, CountCorrected, EmergencyBoxPlaced, box_key
from ledger.events import DropCounted
from ledger.journal import JOURNAL
from ledger.queries.journal import trial_balance
from ledger.queries.ties import DIFFERS, HOLDS, ties
from tests.ledger.test_journal import DAY, append, closer, opener, session, worked_day
from tests.played import Played


def states(day: date | None = None) -> dict[tuple[str, str], str]:
    return {(tie.name, tie.of): tie.state for tie in ties(day).every}


def test_the_worked_day_ties(database: Any) -> None:
    worked_day()
    found = ties()
    assert found.day == DAY
    assert {tie.state for tie in found.every} == {HOLDS}
    win = next(tie for tie in found.tables if tie.of == "R-01")
    assert (win.name, win.left_micros) == ("Win", 1_171_700 * 10_000)
    assert next(tie for tie in found.links).left_micros == 903_000 * 10_000


def test_a_played_floor_ties_before_and_after_its_boxes_are_counted(played: Played) -> None:
    before = ties()
    assert {(tie.name, tie.of) for tie in before.tables} == {("Estimated win", "R-01"), ("Estimated win", "R-02")}
    assert before.count_differing == before.count_unknown == 0
    played.count()
    after = ties(played.day)
    assert ("Win", "R-02") in {(tie.name, tie.of) for tie in after.tables}
    assert after.count_differing == after.count_unknown == 0


def test_a_day_of_two_sessions_ties_whatever_was_over_or_short_between_them(database: Any) -> None:
    session(opener(1_000_000))
    session(closer(999_000, last_round=0))
    session(opener(998_000, number=2), number=2)
    session(closer(998_500, number=2, last_round=0), number=2)
    catch_up()
    assert set(states().values()) == {HOLDS}


def test_a_day_of_two_boxes_ties_at_the_last_count_and_after_a_correction_of_it(database: Any) -> None:
    """100.00 into the first box and 50.00 into an emergency box; 2.00 are missing, and 1.00 of that was miscounted."""
    own = box_key(property_code(), "R-01", DAY.isoformat())
    emergency = box_key(property_code(), "R-01", DAY.isoformat(), 2)
    session(opener(1_000_000), CashBoughtIn(table="R-01", seat=1, amount_cents=10_000))
    append(emergency, EmergencyBoxPlaced(table="R-01", number=2, mark="E-2", reason="full", by="ana"))
    session(CashBoughtIn(table="R-01", seat=1, amount_cents=5_000), closer(985_000, last_round=0))
    append(own, counted_box(1, 10_000))
    catch_up()
    assert trial_balance().of(BOXES) == 5_000 * 10_000
    assert trial_balance().of(OVER_SHORT_BOX) == 0
    append(emergency, counted_box(2, 4_800))
    catch_up()
    assert trial_balance().of(BOXES) == 0
    assert trial_balance().of(OVER_SHORT_BOX) == 200 * 10_000
    assert set(states().values()) == {HOLDS}
    right = CountCorrected(
        table="R-01", number=2, before=Contents(currency={"100": 4_800}), after=Contents(currency={"100": 4_900}),
        reason="a note stuck", requested_by="tess", approved_by="ben",
    )  # fmt: skip
    append(emergency, right)
    catch_up()
    assert trial_balance().of(OVER_SHORT_BOX) == 100 * 10_000
    assert set(states().values()) == {HOLDS}


def counted_box(number: int, currency: int) -> DropCounted:
    return DropCounted(
        table="R-01", counted_cents=currency, counted_by=[], number=number, count=f"{DAY}/1",
        currency={"100": currency},
    )  # fmt: skip


def test_a_meter_that_was_tampered_with_no_longer_ties(played: Played) -> None:
    with connections["owner"].cursor() as cursor:
        cursor.execute("UPDATE jackpot_link SET main_micros = main_micros + 1")
    assert states()["Liability", "grand"] == DIFFERS


def test_books_that_were_tampered_with_no_longer_tie(played: Played) -> None:
    with connections["owner"].cursor() as cursor:
        cursor.execute("UPDATE table_period SET winnings_cents = winnings_cents + 1 WHERE table_code = 'R-01'")
    assert states()["Estimated win", "R-01"] == DIFFERS


def test_a_journal_that_has_not_got_there_yet_says_so(played: Played, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ledger.queries.ties.PATIENCE_S", 0.0)
    with connections["owner"].cursor() as cursor:
        cursor.execute("UPDATE checkpoint SET position = position + 5 WHERE name IN ('books', 'meters')")
    found = ties()
    assert found.count_differing == 0
    assert {tie.state for tie in (*found.tables, *found.links)} == {"not known"}
    assert all("not written up to" in tie.reason for tie in (*found.tables, *found.links))
    assert step(JOURNAL) is False
