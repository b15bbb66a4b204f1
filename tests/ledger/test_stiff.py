"""The master game report: its arithmetic by hand, its pages, its files, its audit."""

import csv
import re
import zipfile
from datetime import timedelta
from decimal import Decimal
from fractions import Fraction
from io import BytesIO, StringIO
from xml.etree import ElementTree

import pytest
from django.test import Client

from casino import session_events as s
from casino.commands import tables
from casino.eventstore.follower import catch_up
from casino.refusal import Refused
from ledger.commands.report import audit_report
from ledger.queries.audits import audit_of
from ledger.queries.explained import explain
from ledger.queries.filed import filed_day
from ledger.queries.reconciliation import reconciliation
from ledger.queries.stiff import Report, report
from ledger.reconcile import Facts
from ledger.scope import Scope
from ledger.stiff import DAY, GAME, HOUSE, PIT, SESSION, SHIFT, TABLE, Line, chained
from ledger.stiff_columns import COLUMNS
from tests.closing_house import FIRST, TABLES, House
from tests.count_house import R_01, CountHouse, room

__all__ = ["room"]

COLUMN = {column.code: column for column in COLUMNS}
TO_DATE_REASON = "Cells that are not known"


def of(shown: Report, kind: str, name: str) -> Line:
    return next(line for line in shown.lines if (line.kind, line.name) == (kind, name))


def amounts(line: Line, *codes: str) -> list[object]:
    return [COLUMN[code].value(line) for code in codes]


# ------------------------------------------------------------------------------------------------- arithmetic


def test_following_days_are_chained_by_first_opener_and_last_closer():
    monday = Facts(opener=1_000, recorded_drop=0, game_result=0, closer=1_200, counted_drop=100)
    tuesday = Facts(opener=1_150, recorded_drop=0, game_result=0, closer=900, counted_drop=50, fills=10, between=5)
    both = chained([monday, tuesday])
    assert (both.opener, both.closer, both.between, both.fills, both.counted_drop) == (1_000, 900, -45, 10, 150)


def test_a_closer_missing_before_the_last_day_leaves_the_chain_without_one():
    days = [Facts(1_000, 0, 0, closer=None), Facts(1_000, 0, 0, closer=900)]
    assert chained(days).closer is None


def test_the_report_of_a_day_worked_by_hand(house: House):
    """Each table: opener 10,000.00, box 100.00, closer 9,930.00, so win 30.00 and hold 30 %."""
    house.played(FIRST)
    shown = report(FIRST, FIRST, TABLE)
    assert amounts(of(shown, TABLE, "R-01"), "opener", "closer", "drop-cash", "counted-drop", "win", "hold") == [
        1_000_000, 993_000, 10_000, 10_000, 3_000, Fraction(3, 10),
    ]  # fmt: skip
    assert amounts(of(shown, PIT, "A"), "opener", "win", "handle", "win-percent") == [2_000_000, 6_000, 6_000, 1]
    assert amounts(of(shown, PIT, "B"), "win") == [3_000]
    assert amounts(of(shown, GAME, "54 Card Roulette"), "win", "counted-drop") == [9_000, 30_000]
    assert amounts(of(shown, HOUSE, ""), "win", "hold", "month-win", "year-drop") == [
        9_000, Fraction(3, 10), 9_000, 30_000,
    ]  # fmt: skip
    assert amounts(of(shown, SHIFT, "1"), "win") == [9_000], "each table had one period, so its box is the period's"


def test_theo_is_of_the_bets_and_luck_is_what_is_above_it(house: House):
    house.played(FIRST)
    line = of(report(FIRST, FIRST, TABLE), TABLE, "R-01")
    theo, luck = amounts(line, "theo", "luck")
    assert 0 < theo < 3_000
    assert theo + luck == 3_000


def test_what_is_not_counted_is_unknown_with_its_reason_and_left_out_of_what_is_to_date(house: House):
    house.played(FIRST)
    house.play(FIRST + timedelta(days=1))
    shown = report(FIRST, FIRST + timedelta(days=1), TABLE)
    line = of(shown, TABLE, "R-01")
    assert amounts(line, "counted-drop", "win", "hold", "adjusted-win") == [None] * 4
    assert COLUMN["win"].why(line) == "R-01 on 2026-03-05: the box is not counted yet"
    assert amounts(line, "opener", "closer", "between", "month-win", "year-win") == [
        1_000_000,
        993_000,
        7_000,
        3_000,
        3_000,
    ]
    assert (line.month.table_days, line.month.left_out) == (1, 1)
    assert amounts(of(shown, HOUSE, ""), "month-drop", "month-hold") == [30_000, Fraction(3, 10)]


def test_periods_have_no_drop_of_their_own_and_shifts_say_so(house: House):
    house.go_to(FIRST)
    house.open("R-01")
    house.buy_in("R-01", 10_000)
    house.lose("R-01", 3_000)
    house.roll("R-01", 993_000)
    house.close("R-01", 993_000)
    house.count("R-01", FIRST, 10_000)
    house.read()
    shown = report(FIRST, FIRST, SESSION)
    first, second = shown.rows
    assert amounts(first, "opener", "closer", "recorded-drop", "estimated-win", "counted-drop") == [
        1_000_000, 993_000, 10_000, 3_000, None,
    ]  # fmt: skip
    assert amounts(second, "opener", "estimated-win") == [993_000, 0]
    assert "one box serves the whole day" in COLUMN["counted-drop"].why(first)
    assert amounts(of(shown, HOUSE, ""), "win") == [3_000]


def test_a_base_level_is_that_of_the_year_before_or_of_the_month_before(house: House):
    house.played(FIRST)
    line = of(report(FIRST, FIRST, TABLE), TABLE, "R-01")
    assert amounts(line, "base", "deviation") == [None, None]
    assert COLUMN["base"].why(line) == "the month February 2026 has no complete table-day with a drop"
    april = FIRST.replace(month=4)
    house.played(april)
    line = of(report(april, april, TABLE), TABLE, "R-01")
    assert amounts(line, "base", "deviation") == [Fraction(3, 10), 0]


@pytest.mark.parametrize(
    ("first", "days", "by", "code"),
    [(FIRST, -1, TABLE, "days_backwards"), (FIRST, 366, TABLE, "too_many_days"), (FIRST, 0, "dealer", "unknown_rows")],
)
def test_a_report_that_cannot_be_made_is_refused(house: House, first, days, by, code):
    with pytest.raises(Refused) as refused:
        report(first, first + timedelta(days=days), by)
    assert refused.value.code == code


def test_as_many_queries_for_many_days_as_for_one(house: House, statements: list[str]):
    house.played(FIRST)
    report(FIRST, FIRST, TABLE)
    statements.clear()
    report(FIRST, FIRST, TABLE)
    one = len(statements)
    house.played(FIRST + timedelta(days=1))
    statements.clear()
    report(FIRST, FIRST + timedelta(days=1), DAY)
    assert len(statements) == one


# ------------------------------------------------------------------------------------------------- pages and files


def address(path: str = "", by: str = TABLE, last=FIRST) -> str:
    return f"/stiff/{path}?from={FIRST.isoformat()}&to={last.isoformat()}&by={by}"


def text_of(answer) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", answer.content.decode()))


def test_the_page_says_unaudited_and_has_every_section(house: House, ben: Client):
    house.played(FIRST)
    said = text_of(ben.get(address()))
    assert "UNAUDITED" in said
    for words in ("Tray", "Drop and win", "Wagers, theo and progressive", "To date and base", "Pit A", "House"):
        assert words in said
    assert "R-01 10,000.00 0 0.00 0 0.00 9,930.00" in said


def test_a_copy_after_the_first_is_a_reprint(house: House, ben: Client):
    house.played(FIRST)
    form = {"from": FIRST.isoformat(), "to": FIRST.isoformat(), "by": TABLE}
    first = text_of(ben.post("/stiff/print/", {**form, "key": "p1"}))
    assert "ORIGINAL" in first
    assert "Audited by, income audit" in first
    assert "REPRINT 2" in text_of(ben.post("/stiff/print/", {**form, "key": "p2"}))


def cells_of(book: bytes, sheet: int = 1) -> list[list[str]]:
    """A sheet's cells as they are written, texts from the book's shared texts."""
    space = {"x": "http://schemas.openxmlformats.org/spreadsheetml/2006/main"}
    with zipfile.ZipFile(BytesIO(book)) as parts:
        shared = ElementTree.fromstring(parts.read("xl/sharedStrings.xml"))
        texts = ["".join(node.itertext()) for node in shared.findall("x:si", space)]
        page = ElementTree.fromstring(parts.read(f"xl/worksheets/sheet{sheet}.xml"))
    found = []
    for row in page.iterfind(".//x:row", space):
        values = [(cell.get("t"), cell.findtext("x:v", "", space)) for cell in row.iterfind("x:c", space)]
        found.append([texts[int(value)] if kind == "s" else value for kind, value in values])
    return found


@pytest.mark.parametrize("cents", [1, 10, 99, -1, 123_456_789_01, 10**14 + 1, 7, 29, 58, 115, 0])
def test_every_amount_of_a_spreadsheet_is_its_cents_to_the_last_one(cents: int):
    from ledger.sheets import Table, as_xlsx, value_of

    book = as_xlsx(Table("A", ["A"], [("Amount", "cents")], [[value_of(cents, "cents")]]))
    assert Decimal(cells_of(book)[-1][0]) == Decimal(cents) / 100


def test_the_spreadsheet_has_the_reports_numbers(house: House, ben: Client):
    house.played(FIRST)
    house.play(FIRST + timedelta(days=1))
    answer = ben.get(address("report.xlsx", by=DAY, last=FIRST + timedelta(days=1)))
    assert answer.headers["Content-Disposition"].endswith('master-game-report-2026-03-04-2026-03-05.xlsx"')
    cells = cells_of(answer.content)
    heads = next(row for row in cells if row[0] == "Gaming day")
    shown = report(FIRST, FIRST + timedelta(days=1), DAY)
    written = cells[cells.index(heads) + 1 :]
    assert len(written) == len(shown.lines) == 6 + 1 + 2 + 1 + 1
    for row, line in zip(written, shown.lines, strict=True):
        for column in COLUMNS:
            amount, cell = column.value(line), row[heads.index(column.name)]
            if amount is None:
                assert cell == "—"
            elif column.unit == "cents" and isinstance(amount, int):
                assert Decimal(cell) == Decimal(amount) / 100
    assert written[0][0] == "46085", "4 March 2026 as spreadsheets count days"
    assert any("the box is not counted yet" in cell for row in cells_of(answer.content, 2) for cell in row)


def test_the_csv_has_one_line_for_each_line_of_the_report(house: House, ben: Client):
    house.played(FIRST)
    lines = ben.get(address("report.csv")).content.decode("utf-8-sig").splitlines()
    assert len(lines) == 1 + 3 + 1 + 2 + 1 + 1
    assert lines[1].startswith("2026-03-04,R-01,,1,A,54 Card Roulette,10000.00,0,0.00,0,0.00,9930.00")


def test_the_interface_answers_in_cents_and_says_what_is_unknown(house: House, ben: Client):
    house.play(FIRST)
    answer = ben.get(f"/api/v1/stiff/?from={FIRST}&to={FIRST}").json()
    line = next(one for one in answer["lines"] if one["name"] == "R-02")
    assert (line["columns"]["opener_cents"], line["columns"]["win_cents"]) == (1_000_000, None)
    assert "the box is not counted yet" in line["unknown"]["win_cents"]
    assert ben.get("/api/v1/stiff/?from=1&to=2026-03-04").status_code == 400


# ------------------------------------------------------------------------------------------------- the audit


def test_accounting_audits_a_complete_day_and_a_later_correction_asks_for_another(house: House, ben: Client):
    house.played(FIRST)
    answer = ben.post("/stiff/audit/", {"gaming_date": FIRST.isoformat(), "key": "a1", "note": "Agrees."}, follow=True)
    said = text_of(answer)
    assert "AUDITED Amounts" in said
    assert "Audited by ben" in said
    with pytest.raises(Refused, match="nothing came after"):
        audit_report(house.order("ben"), FIRST)
    correct(house)
    assert audit_of(FIRST).state == "changed since"
    assert "1 adjustment came after the audit" in text_of(ben.get(address()))
    audit_report(house.order("ben"), FIRST)
    assert audit_of(FIRST).state == "audited"
    assert [entry.type for entry in audit_of(FIRST).adjustments] == ["entry_corrected"]


def test_days_are_audited_one_by_one_and_a_stretch_says_how_many(house: House, ben: Client):
    house.played(FIRST)
    house.played(FIRST + timedelta(days=1))
    stretch = address(last=FIRST + timedelta(days=1))
    audit_report(house.order("ben"), FIRST)
    assert "UNAUDITED: 1 OF 2 DAYS AUDITED" in text_of(ben.get(stretch))
    audit_report(house.order("ben"), FIRST + timedelta(days=1))
    assert " AUDITED " in text_of(ben.get(stretch))
    correct(house)
    assert "UNAUDITED: 1 OF 2 DAYS AUDITED" in text_of(ben.get(stretch))


def correct(house: House) -> None:
    """The buy-in of R-01 was 90.00, not 100.00."""
    from casino.commands.order import property_code
    from casino.eventstore import store
    from casino.eventstore.store import Addition, Command, Origin
    from casino.keys import session_key

    right = s.EntryCorrected(
        table="R-01", corrects=2, entry="cash_bought_in", seat=1, patron_id=None, before={"amount_cents": 10_000},
        after={"amount_cents": 9_000}, in_difference_cents=-1_000, out_difference_cents=-1_000, reason="a slip",
        requested_by="ana", approved_by="eve",
    )  # fmt: skip
    key = session_key(property_code(), "R-01", FIRST, 1)
    command = Command("test", "correct", store.fingerprint("test", {}))
    addition = Addition(key, store.load(key).version, FIRST, [right], house.now, table="R-01")
    store.append(Origin("test", "terminal", commands=[command]), [addition])
    catch_up()


def test_who_counted_does_not_audit(house: House):
    house.played(FIRST)
    with pytest.raises(Refused) as refused:
        audit_report(house.order("Tess"), FIRST)
    assert refused.value.code == "counted_it_themselves"


def test_a_day_with_a_box_uncounted_is_not_audited(house: House):
    house.play(FIRST)
    with pytest.raises(Refused, match="not complete yet: 3 of 3: the box is not counted yet"):
        audit_report(house.order("ben"), FIRST)
    with pytest.raises(Refused, match="No table was open"):
        audit_report(house.order("ben"), FIRST + timedelta(days=9))


def test_the_page_offers_the_audit_to_accounting_only(house: House, ben: Client, client_of):
    house.played(FIRST)
    assert "Mark this report audited" in text_of(ben.get(address()))
    assert client_of("ana").post("/stiff/audit/", {"gaming_date": FIRST.isoformat(), "key": "x"}).status_code == 403
    assert len(TABLES) == 3


def test_a_table_that_moved_keeps_its_past(house: House):
    house.filed(FIRST)
    later = FIRST + timedelta(days=1)
    house.go_to(later, 9)
    tables.set_up_table(house.order(), "R-01", game="54-card-roulette", pit="B")
    house.played(later)
    wins = {line.name: line.result.win for line in report(FIRST, FIRST, TABLE).subtotals if line.kind == PIT}
    assert wins == {"A": 6_000, "B": 3_000}
    wins = {line.name: line.result.win for line in report(later, later, TABLE).subtotals if line.kind == PIT}
    assert wins == {"A": 3_000, "B": 6_000}
    both = [line for line in report(FIRST, later, TABLE).subtotals if line.kind == PIT]
    assert [(line.name, line.result.win) for line in both] == [("A", 9_000), ("B", 9_000)]
    assert [line.month.win for line in both if line.month] == [9_000, 9_000]
    assert explain("win", Scope(PIT, "A", FIRST, later)).is_proven
    pits = {line.row.table: line.place.pit for line in reconciliation(FIRST, house.now).lines}
    assert pits == {"R-01": "A", "R-02": "A", "R-03": "B"}
    assert filed_day(FIRST).is_proven
    assert {table: place.pit for table, place in filed_day(FIRST).places.items()} == pits


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", '=HYPERLINK("x")', "＝1+1"])
def test_what_somebody_wrote_is_no_formula_in_a_file(text: str):
    from ledger.sheets import Table, as_csv, as_xlsx

    table = Table("A", [text], [("Reason", "")], [[text]], [[text]])
    assert [row[0] for row in csv.reader(StringIO(as_csv(table), newline=""))][1:] == [f"'{text}"] * 2
    book = as_xlsx(table)
    with zipfile.ZipFile(BytesIO(book)) as parts:
        assert b"<f>" not in parts.read("xl/worksheets/sheet1.xml")


def test_a_filed_days_report_shows_to_dates_as_known_now_and_as_filed(house: House, ben: Client):
    house.filed(FIRST)
    correct(house)
    said = text_of(ben.get(f"/stiff/?from={FIRST}&to={FIRST}"))
    assert "Month and year to date are as known now." in said
    assert "House to date, as filed with this day" in said
    assert "Month Sun 1 Mar 2026 to Wed 4 Mar 2026 1 90.00 300.00 300.00 +90.00 30.0 %" in said
    house.played(FIRST + timedelta(days=1))
    later = FIRST + timedelta(days=1)
    assert "as filed with this day" not in text_of(ben.get(f"/stiff/?from={later}&to={later}"))


# ------------------------------------------------------------------------------------------------- boxes as counted


BOXES = ("boxes", "counted-currency", "notes-100", "notes-20", "notes-5", "notes-1", "counted-checks", "counted-promo")


def test_the_boxes_are_shown_as_they_were_counted_note_by_note(room: CountHouse):
    odd = {"currency": {"10000": 10_000, "2500": 5_000}, "checks_cents": 4_000, "promo_cents": 1_000}
    room.collected().opened()
    for box, contents in (("R-01/1", R_01), ("R-02/1", {}), ("R-03/1", odd)):
        room.counted(box, contents)
    shown = report(room.day, room.day, TABLE)
    assert amounts(of(shown, TABLE, "R-01"), *BOXES) == [1, 116_600, 110_000, 6_000, 500, 100, 0, 0]
    assert amounts(of(shown, TABLE, "R-03"), *BOXES) == [1, 15_000, 10_000, 0, 0, 0, 4_000, 1_000]
    assert amounts(of(shown, TABLE, "R-03"), "notes-other", "counted-drop") == [5_000, 20_000]
    assert amounts(of(shown, HOUSE, ""), *BOXES) == [3, 131_600, 120_000, 6_000, 500, 100, 4_000, 1_000]


def test_a_box_that_is_not_counted_or_was_counted_as_one_figure_says_so(house: House):
    house.go_to(FIRST)
    for code in ("R-01", "R-02"):
        house.open(code)
        house.close(code, 1_000_000)
    house.go_to(FIRST + timedelta(days=1), 8)
    house.count("R-01", FIRST, 0)
    house.read()
    shown = report(FIRST, FIRST, TABLE)
    column = COLUMN["counted-currency"]
    assert [column.value(line) for line in shown.rows] == [None, None]
    assert column.why(of(shown, TABLE, "R-01")) == "a box was recorded as one figure, without what it held"
    assert "not counted" in column.why(of(shown, TABLE, "R-02"))
