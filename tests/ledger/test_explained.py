"""Every figure of the report opens to the events that make it, for every table, pit, game, shift, day and range."""

import json
import re
from datetime import timedelta
from html import unescape

import pytest
from django.core.serializers.json import DjangoJSONEncoder
from django.test import Client

from casino.refusal import Refused
from ledger.explained_views import answer_of
from ledger.models import TablePeriod
from ledger.queries.explained import address, explain
from ledger.queries.filed import close_of, month_to_date
from ledger.queries.stiff import report
from ledger.scope import Scope, scope_of
from ledger.stiff import GAME, HOUSE, PIT, SESSION, SHIFT, TABLE
from ledger.stiff_columns import COLUMNS, SHEET_FIGURES
from tests.closing_house import FIRST, House
from tests.ledger.test_stiff import correct

NEXT = FIRST + timedelta(days=1)
PART_OF_THEIR_FIGURE = {"win-per-table-day"} | {column.code for column in COLUMNS if column.section == "count"}
"""Columns that open to the amount of which they are a share or a part."""


@pytest.fixture
def two_days(house: House) -> House:
    """A day with a roll at R-01, and one without; both counted."""
    house.go_to(FIRST)
    for code in ("R-01", "R-02"):
        house.open(code)
        house.buy_in(code, 10_000)
        house.lose(code, 3_000)
    house.roll("R-01", 993_000)
    house.buy_in("R-01", 5_000)
    house.lose("R-01", 2_000)
    house.close("R-01", 990_000)
    house.close("R-02", 993_000)
    house.count("R-01", FIRST, 15_000)
    house.count("R-02", FIRST, 10_000)
    house.read()
    house.played(NEXT)
    return house


SCOPES = [
    Scope(HOUSE, "", FIRST, FIRST),
    Scope(HOUSE, "", FIRST, NEXT),
    Scope(HOUSE, "", FIRST, NEXT, only_complete=True),
    Scope(GAME, "54 Card Roulette", FIRST, NEXT),
    Scope(PIT, "A", FIRST, NEXT),
    Scope(SHIFT, "1", FIRST, FIRST),
    Scope(TABLE, "R-01", FIRST, NEXT),
    Scope(TABLE, "R-01", FIRST, FIRST),
    Scope(SESSION, f"R-01/{FIRST.isoformat()}/2", FIRST, FIRST),
]


def test_every_figure_of_every_scope_is_proven_by_its_events(two_days: House):
    proven = 0
    for scope in SCOPES:
        for code in SHEET_FIGURES:
            shown = explain(code, scope)
            assert json.dumps(answer_of(shown), cls=DjangoJSONEncoder)
            assert shown.is_proven is not False, (scope.words, code, shown.amount, shown.added)
            assert shown.pieces_agree is not False, (scope.words, code)
            proven += shown.is_proven is True
    assert proven > len(SCOPES) * 15


def test_a_figure_is_what_the_report_shows(two_days: House):
    shown = report(FIRST, NEXT, TABLE)
    for line in shown.lines:
        for column in COLUMNS:
            if (
                column.code in PART_OF_THEIR_FIGURE
                or column.unit == "number"
                or (line.kind == SHIFT and column.span != "range")
            ):
                continue
            if column.figure:
                opened = explain(column.figure, scope_of(line, FIRST, NEXT, column.span))
                assert opened.amount == column.value(line), (line.kind, line.name, column.code)


def test_books_that_do_not_say_what_the_log_says_are_called_out(two_days: House, ben: Client, database):
    with database.connect("casino_owner") as owner:
        owner.execute("UPDATE table_period SET cash_cents = cash_cents + 1 WHERE table_code = 'R-02'")
    assert TablePeriod.objects.filter(table_code="R-02").count() == 2
    shown = explain("recorded-drop", Scope(TABLE, "R-02", FIRST, FIRST))
    assert (shown.amount, shown.added, shown.is_proven) == (10_001, 10_000, False)
    page = ben.get(address("recorded-drop", shown.scope)).content.decode()
    assert "✗ Not proven." in page
    assert "The events below make 100.00, and the books say 100.01." in page


def test_a_page_names_who_stands_on_an_event_and_marks_corrections(two_days: House, ben: Client):
    correct(two_days)
    shown = explain("drop-cash", Scope(TABLE, "R-01", FIRST, FIRST))
    assert shown.is_proven
    assert [line.cents for line in shown.leaves[0].lines] == [10_000, 5_000, -1_000]
    assert shown.leaves[0].lines[2].people == "ana, eve"
    opener = explain("opener", Scope(TABLE, "R-01", FIRST, FIRST))
    assert opener.leaves[0].lines[0].people == "Ana Ortiz, Ben Okafor"
    page = ben.get(address("drop-cash", shown.scope)).content.decode()
    assert "correction of position 2: a slip" in page


def test_events_come_in_pages(two_days: House):
    scope = Scope(TABLE, "R-03", NEXT, NEXT)
    first = explain("drop-cash", Scope(HOUSE, "", FIRST, NEXT), only="cash")
    positions = [line.entry.position for line in first.leaves[0].lines]
    assert positions == sorted(positions)
    assert len(positions) == first.leaves[0].number == 6
    rest = explain("drop-cash", Scope(HOUSE, "", FIRST, NEXT), only="cash", after=positions[3])
    assert [line.entry.position for line in rest.leaves[0].lines] == positions[4:]
    assert explain("drop-cash", scope).leaves[0].number == 1


def test_the_hours_of_the_books_open_too(two_days: House):
    from ledger.models import TableHour

    for hour in TableHour.objects.filter(gaming_date=FIRST):
        scope = Scope(TABLE, hour.table_code, FIRST, FIRST, hour=hour.hour)
        for code in ("estimated-win", "recorded-drop", "handle", "fills", "credits"):
            assert explain(code, scope).is_proven, (hour, code)
            assert explain(code, Scope(PIT, "A", FIRST, FIRST, hour=hour.hour)).is_proven, (hour, code)


@pytest.mark.parametrize(
    ("code", "scope", "only", "refusal"),
    [
        ("gut-feeling", SCOPES[0], "", "unknown_figure"),
        ("win", SCOPES[0], "winnings", "unknown_part"),
        ("win", Scope("dealer", "dan", FIRST, FIRST), "", "unknown_scope"),
        ("win", Scope(SESSION, "R-01", FIRST, FIRST), "", "unknown_scope"),
        ("win", Scope(SESSION, "a/b/c/d", FIRST, FIRST), "", "unknown_scope"),
        ("win", Scope(TABLE, "R-09", FIRST, FIRST), "", "unknown_scope"),
        ("win", Scope(TABLE, "R-01", NEXT, FIRST), "", "days_backwards"),
    ],
)
def test_what_cannot_be_explained_is_refused(two_days: House, code, scope, only, refusal):
    with pytest.raises(Refused) as refused:
        explain(code, scope, only)
    assert refused.value.code == refusal


def test_every_link_of_the_report_opens(two_days: House, ben: Client):
    page = ben.get(f"/stiff/?from={FIRST}&to={NEXT}").content.decode()
    links = {unescape(link) for link in re.findall(r'href="(/explain/[^"]+)"', page)}
    assert len(links) > 100
    for link in sorted(links)[::9]:
        answer = ben.get(link)
        assert answer.status_code == 200, link
        assert "Not proven" not in answer.content.decode()


def test_the_interface_explains_in_cents(two_days: House, ben: Client):
    said = ben.get(f"/api/v1/explain/win/?of=pit:A&from={FIRST}&to={NEXT}").json()
    assert (said["amount"], said["added_cents"], said["is_proven"]) == (14_000, 14_000, True)
    assert [piece["name"] for piece in said["pieces"]] == ["R-01", "R-02"]
    assert ben.get(f"/api/v1/explain/win/?of=pit:A&from={FIRST}&after=x").status_code == 400
    theo = ben.get(f"/api/v1/explain/theo/?of=table:R-02&from={FIRST}").json()
    assert (
        theo["amount"] == theo["added_cents"] == theo["events"][0]["cents"] == theo["events"][0]["listed"][0]["cents"]
    )
    assert ben.get("/explain/win/?from=soon").status_code == 400


def test_as_many_queries_for_many_tables_and_days(two_days: House, statements: list[str]):
    def asked(scope: Scope) -> int:
        statements.clear()
        explain("win", scope)
        return len(statements)

    explain("win", Scope(TABLE, "R-01", FIRST, FIRST))
    assert asked(Scope(TABLE, "R-01", FIRST, FIRST)) == asked(Scope(HOUSE, "", FIRST, NEXT))


def test_what_was_filed_is_explained_as_it_was_filed(house: House, ben: Client):
    house.filed(FIRST)
    correct(house)
    known, filed = Scope(TABLE, "R-01", FIRST, FIRST), Scope(TABLE, "R-01", FIRST, FIRST, filed=FIRST)
    assert explain("recorded-drop", known).amount == 9_000
    was = explain("recorded-drop", filed)
    assert (was.amount, was.is_proven) == (10_000, True)
    assert [line.cents for leaf in was.leaves for line in leaf.lines] == [10_000]
    page = ben.get(f"/close/{FIRST}/").content.decode()
    links = {unescape(link) for link in re.findall(r'href="(/explain/[^"]+)"', page)}
    assert len(links) > 40
    for link in sorted(links)[::5]:
        answer = ben.get(link).content.decode()
        assert "as filed" in answer
        assert "Not proven" not in answer


def test_a_sum_to_date_is_explained_as_it_was_filed(house: House):
    house.filed(FIRST)
    correct(house)
    house.filed(NEXT)
    month = Scope(HOUSE, "", FIRST.replace(day=1), NEXT, filed=NEXT)
    shown, to_date = explain("recorded-drop", month), month_to_date(close_of(NEXT))
    assert to_date.result is not None
    assert (shown.amount, shown.days, shown.is_proven, shown.pieces_agree) == (60_000, 2, True, True)
    assert to_date.result.facts.recorded_drop == 60_000
    assert explain("recorded-drop", month._replace(filed=None)).amount == 59_000
    assert explain("recorded-drop", month._replace(filed=FIRST)).amount == 30_000
    with pytest.raises(Refused) as refused:
        explain("theo", month)
    assert refused.value.code == "not_filed"
    with pytest.raises(Refused) as refused:
        explain("win", month._replace(filed=NEXT + timedelta(days=1)))
    assert refused.value.code == "day_not_closed"
