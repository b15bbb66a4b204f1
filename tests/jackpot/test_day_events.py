"""What the lines of a meter's day are made of: its facts one by one, and what its stakes poured in."""

import pytest
from django.test import Client
from django.urls import reverse

from casino.eventstore.follower import catch_up
from jackpot import day_events as made
from jackpot.commands import cases
from jackpot.events import MAIN, RESERVE
from jackpot.statement import INCREMENTS, PAYABLE, PAYMENTS, WINS, total
from jackpot.statements import Statement, statement_of
from tests.jackpot.test_cases import a_hit, approved, by
from tests.jackpot.test_projections import play_many


def of_today(floor, after: int = 0) -> tuple[made.DayEvents, Statement]:
    day = floor.last_round("R-01").gaming_date
    statement = statement_of("grand", day, day)
    return made.day_events("grand", day, statement.lines, statement.position, after), statement


def test_every_line_is_the_sum_of_its_facts_and_of_what_the_stakes_poured_in(floor):
    play_many(floor, 40, seed=7)
    floor.record()
    found, statement = of_today(floor)
    facts = [item for one in found.moved for item in one.lines.items()]
    assert total([*facts, *found.poured.items()]) == statement.lines
    assert {one.entry.type for one in found.moved} >= {"link_set_up", "hand_completed", "round_voided"}


def test_stakes_pour_in_what_their_rounds_pinned(floor):
    play_many(floor, 40, seed=7)
    floor.record()
    found, _ = of_today(floor)
    fed = [stake.fed for stake in found.stakes]
    assert (len(fed), sum(one.stakes_cents for one in fed)) == (found.rounds, found.stakes_cents)
    assert found.poured == {
        (MAIN, INCREMENTS): sum(one.stakes_cents * one.rates.increment_bp for one in fed),
        (RESERVE, INCREMENTS): sum(one.stakes_cents * one.rates.hidden_bp for one in fed),
    }


def test_a_hit_and_its_payment_stand_there_each_with_what_it_moved(floor):
    case_id = a_hit(floor)
    approved(case_id, 1)
    cases.pay(by("dan"), case_id, 1)
    catch_up()
    lines = {one.entry.type: one.lines for one in of_today(floor)[0].moved}
    assert lines["hand_completed"][MAIN, WINS] == -50_012 * 10_000
    assert lines["jackpot_paid"] == {(PAYABLE, PAYMENTS): -25_006 * 10_000}


def test_the_stakes_are_listed_a_page_at_a_time(floor, monkeypatch):
    monkeypatch.setattr(made, "STAKES_A_PAGE", 2)
    for _ in range(3):
        floor.play("R-01")
    catch_up()
    first, _ = of_today(floor)
    then, _ = of_today(floor, after=first.next_after)
    assert [len(page.stakes) for page in (first, then)] == [2, 1]
    assert (first.rounds, then.rounds, then.next_after) == (3, 3, None)


@pytest.mark.usefixtures("people")
def test_the_page_of_a_day_opens_its_lines_down_to_the_rounds(floor, ben: Client):
    case_id = a_hit(floor)
    day = case_id.round.gaming_date.isoformat()
    where = reverse("meter_day_events", args=["grand", day])
    assert where in ben.get(reverse("meter_day", args=["grand", day])).content.decode()
    page = ben.get(where).content.decode()
    assert "main, wins" in page
    assert "−500.12" in page
    assert reverse("round", args=["R-01", day, case_id.round.n]) in page
    assert ben.get(where, {"after": "x"}).status_code == 400
    assert ben.get(reverse("meter_day_events", args=["nowhere", day])).status_code == 404
