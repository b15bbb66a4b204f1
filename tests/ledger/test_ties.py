"""The ties: table win, liability, chips; each compares two sides that are kept apart."""

from datetime import date
from typing import Any

import pytest
from django.db import connections

from casino.eventstore.follower import catch_up, step
from ledger.journal import JOURNAL
from ledger.queries.ties import DIFFERS, HOLDS, ties
from tests.ledger.test_journal import DAY, closer, opener, session, worked_day
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
