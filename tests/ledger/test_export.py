"""The export: by posting date, exact, balanced, and the same again."""

import csv
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from io import StringIO
from typing import Any

import pytest
from django.conf import settings
from django.db import connections

from casino.events import CashBoughtIn
from casino.eventstore.follower import catch_up
from casino.refusal import Refused
from ledger.queries.export import csv_of, export_of, units
from tests.ledger.test_journal import DAY, session, worked_day


def lines(first: date, last: date, upto: int | None = None) -> list[dict[str, str]]:
    return list(csv.DictReader(StringIO("".join(csv_of(export_of(first, last, upto))))))


def test_every_line_is_there_with_both_dates_and_the_file_balances(database: Any) -> None:
    worked_day()
    today = datetime.now(UTC).date()
    found = lines(today - timedelta(days=1), today + timedelta(days=1))
    assert sum(Decimal(line["debit"]) for line in found) == sum(Decimal(line["credit"]) for line in found) > 0
    assert {line["gaming_date"] for line in found} == {DAY.isoformat()}
    assert all(abs((date.fromisoformat(line["posting_date"]) - today).days) <= 1 for line in found)
    bought = [line for line in found if line["text"] == "cash bought in"]
    assert [(line["account"], line["debit"], line["credit"]) for line in bought] == [
        ("140", "22000.00", "0.00"), ("120", "0.00", "22000.00"), ("220", "22000.00", "0.00"),
        ("310", "0.00", "22000.00"),
    ]  # fmt: skip
    assert {(line["table"], line["session"], line["currency"]) for line in bought} == {
        ("R-01", "1", settings.CASINO_CURRENCY)
    }


def test_an_exported_day_stays_as_it_was_and_a_late_fact_is_posted_on_the_day_it_became_known(database: Any) -> None:
    worked_day()
    with connections["owner"].cursor() as cursor:  # as if all of it had been recorded a month ago
        cursor.execute("ALTER TABLE journal_entry DISABLE TRIGGER unchangeable")
        cursor.execute("UPDATE journal_entry SET posting_date = '2026-10-31'")
        cursor.execute("ALTER TABLE journal_entry ENABLE ALWAYS TRIGGER unchangeable")
    october = (date(2026, 10, 1), date(2026, 10, 31))
    assert export_of(*october).is_final is False
    before = lines(*october)
    session(CashBoughtIn(table="R-01", seat=1, amount_cents=500))  # of the same gaming day, recorded today
    catch_up()
    export = export_of(*october)
    assert export.is_final
    assert lines(*october) == before
    today = datetime.now(UTC).date()
    late = lines(today - timedelta(days=1), today + timedelta(days=1))
    assert {(line["gaming_date"], line["text"]) for line in late} == {(DAY.isoformat(), "cash bought in")}


def test_what_is_not_final_can_be_had_again_by_its_cut(database: Any) -> None:
    worked_day()
    today = datetime.now(UTC).date()
    span = (today - timedelta(days=1), today + timedelta(days=1))
    first = export_of(*span)
    before = lines(*span)
    session(CashBoughtIn(table="R-01", seat=1, amount_cents=500))
    catch_up()
    assert lines(*span, first.cut) == before
    assert len(lines(*span)) > len(before)


def test_dates_the_wrong_way_round_and_positions_to_come_are_refused(database: Any) -> None:
    with pytest.raises(Refused, match="before"):
        export_of(date(2026, 11, 2), date(2026, 11, 1))
    with pytest.raises(Refused, match="written up to"):
        export_of(date(2026, 11, 1), date(2026, 11, 2), upto=10**9)


@pytest.mark.parametrize(
    ("micros", "written"), [(0, "0.00"), (6_500, "0.0065"), (1_000_000, "1.00"), (12_345_678_901, "12345.678901")]
)
def test_amounts_are_exact_decimals(micros: int, written: str) -> None:
    assert units(micros) == written
