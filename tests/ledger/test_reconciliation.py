"""The page of reconciliation: counted, recorded, theoretical; variances placed by hand and found where they lie."""

import re
from datetime import UTC, datetime, timedelta

import pytest
from django.contrib.auth.models import Group, User
from django.test import Client

from casino.commands.dealers import put_on, relieve
from casino.refusal import Refused
from ledger.queries.dealers import dealer_days
from ledger.queries.reconciliation import reconciliation
from tests.closing_house import FIRST, House

DAY = FIRST.isoformat()
AFTER = datetime(2026, 3, 5, 12, tzinfo=UTC)


def text_of(answer) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", answer.content.decode()))


@pytest.fixture
def off(house: House) -> House:
    """R-01's box holds 41.00 too much, R-02's 40.00 too little; R-03 lacks 25.00 in its tray and its box's count."""
    house.go_to(FIRST)
    for code in ("R-01", "R-02", "R-03"):
        house.open(code)
        house.buy_in(code, 10_000)
        house.lose(code, 3_000)
    house.close("R-01", 993_000)
    house.close("R-02", 993_000)
    house.close("R-03", 990_500)
    house.count("R-01", FIRST, 14_100)
    house.count("R-02", FIRST, 6_000)
    house.go_to(FIRST + timedelta(days=1), 8)
    house.read()
    return house


def test_every_variance_is_at_its_place_and_what_belongs_together_is_said(off: House) -> None:
    found = reconciliation(FIRST, AFTER)
    lines = {line.row.table: line for line in found.lines}
    assert [(lines[t].row.result.box_variance, lines[t].row.result.tray_variance) for t in lines] == [
        (4_100, 0), (-4_000, 0), (None, -2_500),
    ]  # fmt: skip
    assert [lines[t].state.code for t in lines] == ["complete", "complete", "inventory_only"]
    [pair] = found.suggestions
    assert (pair.over.table, pair.short.table, pair.left_cents) == ("R-01", "R-02", 100)
    assert found.house is not None
    assert (found.house.result.box_variance, found.house.result.tray_variance) == (None, -2_500)
    assert [(group.name, group.lines) for group in found.pits] == [("A", 2), ("B", 1)]


def test_theory_stands_beside_both(off: House) -> None:
    line = reconciliation(FIRST, AFTER).lines[0]
    assert line.theo_cents is not None
    assert 0 < line.theo_cents < 3_000
    assert line.row.result.estimated_win == 3_000


def test_a_table_that_still_plays_on_a_day_that_is_over_is_broken_with_what_is_missing(house: House) -> None:
    house.go_to(FIRST)
    house.open("R-01")
    house.read()
    assert reconciliation(FIRST, datetime(2026, 3, 4, 20, tzinfo=UTC)).lines[0].state.code == "open"
    state = reconciliation(FIRST, AFTER).lines[0].state
    assert state == ("broken", ("the closer", "the count of the box"))


def test_by_session_each_tray_by_itself_and_no_box(house: House) -> None:
    house.go_to(FIRST)
    house.open("R-01")
    house.lose("R-01", 2_000)
    house.roll("R-01", 1_001_000)  # 10.00 short
    house.lose("R-01", 3_000)
    house.close("R-01", 1_004_000)
    house.read()
    found = reconciliation(FIRST, AFTER, by_session=True)
    assert [(line.session, line.row.result.tray_variance, line.row.result.box_variance) for line in found.lines] == [
        (1, -1_000, None), (2, 0, None),
    ]  # fmt: skip
    assert [line.state.code for line in found.lines] == ["complete", "complete"]


def test_a_trays_loss_that_the_next_opener_finds_again_is_one_miscount(house: House) -> None:
    house.go_to(FIRST)
    house.open("R-01")
    house.close("R-01", 995_000)  # counted 50.00 too few
    house.open("R-01", 1_000_000)
    house.close("R-01", 1_000_000)
    house.read()
    [pair] = reconciliation(FIRST, AFTER).suggestions
    assert {pair.over.place, pair.short.place} == {"between", "tray"}


def test_lines_are_sorted_by_how_much_differs_and_filtered(off: House) -> None:
    by_box = reconciliation(FIRST, AFTER, order="-box").lines
    assert [line.row.table for line in by_box] == ["R-01", "R-02", "R-03"]
    by_tray = reconciliation(FIRST, AFTER, order="-tray").lines
    assert by_tray[0].row.table == "R-03"
    only = reconciliation(FIRST, AFTER, wanted={"pit": "B"}).lines
    assert [line.row.table for line in only] == ["R-03"]
    with pytest.raises(Refused, match="is no order"):
        reconciliation(FIRST, AFTER, order="luck")


def test_dealers_have_what_was_recorded_of_their_rounds(house: House) -> None:
    for name in ("dan", "dora"):
        User.objects.create_user(name).groups.add(Group.objects.get(name="dealer"))
    house.go_to(FIRST)
    house.open("R-01")
    house.lose("R-01", 500)
    put_on(house.order(), "R-01", "dan")
    house.lose("R-01", 1_000)
    relieve(house.order(), "R-01", "dora")
    house.lose("R-01", 2_000)
    house.lose("R-01", 4_000)
    house.read()
    found = [(one.dealer, one.rounds, one.handle_cents, one.result_cents) for one in dealer_days(FIRST)]
    assert found == [("", 1, 500, 500), ("dan", 1, 1_000, 1_000), ("dora", 2, 6_000, 6_000)]


def test_the_page_shows_lines_pairs_sums_and_dealers(off: House, ben: Client) -> None:
    said = text_of(ben.get(f"/reconciliation/?gaming_date={DAY}"))
    assert "+41.00 in the box of R-01 and −40.00 in the box of R-02" in said
    assert "2 complete · 1 inventory only · 0 broken · 0 open" in said
    assert "without the count of the box" in said
    assert "Pit A 2 200.00 201.00 +1.00 0.00" in said
    assert "No line fits the filter" in text_of(ben.get(f"/reconciliation/?gaming_date={DAY}&state=broken"))
    assert "session 1, shift 1" in text_of(ben.get(f"/reconciliation/?gaming_date={DAY}&by=session&sort=-tray"))
    assert "nobody on record" in text_of(ben.get(f"/reconciliation/?gaming_date={DAY}&by=dealer"))


def test_odd_questions_are_answered_with_a_sentence(off: House, ben: Client) -> None:
    for query in ("by=magic", "sort=magic", "gaming_date=soon"):
        assert ben.get(f"/reconciliation/?{query}").status_code == 400, query
    assert ben.get("/investigations/?state=lost").status_code == 400


def test_over_http_the_same(off: House, ben: Client) -> None:
    answer = ben.get(f"/api/v1/reconciliation/{DAY}/").json()
    assert [(line["table"], line["box_variance_cents"], line["state"]) for line in answer["lines"]] == [
        ("R-01", 4_100, "complete"), ("R-02", -4_000, "complete"), ("R-03", None, "inventory_only"),
    ]  # fmt: skip
    [pair] = answer["suggestions"]
    assert (pair["over"]["table"], pair["short"]["table"], pair["left_cents"]) == ("R-01", "R-02", 100)
