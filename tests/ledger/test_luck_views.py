"""A table's luck on its page: the verdict in words, the chart, and the same as a table."""

import json
import re
from datetime import timedelta
from fractions import Fraction
from typing import Any

import pytest
from django.test import Client

from ledger.luck import Luck, Played, Replayed
from ledger.luck_views import chart_of
from ledger.queries.luck import luck_line
from ledger.tasks import deal_again
from tests.played import Played as Floor


def read(client: Client, table: str = "R-01") -> str:
    answer = client.get(f"/luck/{table}/")
    assert answer.status_code == 200
    return re.sub(r"\s+", " ", answer.content.decode())


def figure(page: str) -> dict[str, Any]:
    found = re.search(r'<script type="application/json">(.*?)</script>', page)
    assert found is not None
    data: dict[str, Any] = json.loads(found[1])
    return data


def test_it_stands_on_the_page_of_its_table(played: Floor, ana: Client) -> None:
    page = ana.get("/tables/R-01/").content.decode()
    assert 'hx-get="/luck/R-01/"' in page
    assert "too few to tell" in page.split('id="luck-title"')[1] or "not known" in page.split('id="luck-title"')[1]


def test_before_the_wagers_are_dealt_again_the_chance_is_a_dash_with_its_reason(played: Floor, ana: Client) -> None:
    page = read(ana)
    assert "verdict--not-known" in page
    assert "<dt>Chance of a result this far out</dt><dd>—</dd>" in page
    assert "The wagers are being dealt again; the chance follows in a moment." in page


def test_a_day_of_two_rounds_is_too_few_to_tell_and_says_its_figures(played: Floor, ana: Client) -> None:
    deal_again()
    page = read(ana)
    assert "too few to tell</span>" in page
    assert "2 of at least 30 rounds." in page
    assert "−4,795.00</a> <small>house behind</small>" in page  # +5.00 and −4,800.00
    assert "+0.74</a></dd>" in page  # 1,500 ÷ 27 + 100 × 2,111 ÷ 11,713 = 55.6 + 18.0 cents
    assert "dealt again 9,999 times" in page
    assert "nothing of anybody" in page


def test_a_table_that_settled_nothing_says_so(played: Floor, ana: Client) -> None:
    assert "No round of R-03 has been settled yet" in read(ana, "R-03")
    assert "No round of <b> has been settled yet" not in read(ana, "<b>")


def test_another_day_is_asked_for_by_its_date(played: Floor, ana: Client) -> None:
    day = played.day
    assert "−4,795.00" in ana.get(f"/luck/R-01/?gaming_date={day.isoformat()}").content.decode()
    before = ana.get(f"/luck/R-01/?gaming_date={(day - timedelta(days=1)).isoformat()}").content.decode()
    assert "No round of R-01 has been settled, so" in before
    assert ana.get("/luck/R-01/?gaming_date=yesterday").status_code == 400


def test_the_chart_begins_at_nothing_and_ends_at_the_result(played: Floor, ana: Client) -> None:
    deal_again()
    page = read(ana)
    traces = {trace["name"]: trace for trace in figure(page)["data"]}
    assert set(traces) == {"95 of 100 replays, lower end", "95 of 100 replays", "Theoretical win, T", "Result, G"}
    assert traces["Result, G"]["y"] == ["0.00", "-4795.00"]
    assert traces["Theoretical win, T"]["y"] == ["0.00", "0.74"]
    assert len(traces["95 of 100 replays"]["x"]) == 2
    assert '<td class="number">−4,795.00</td>' in page


def test_an_hour_that_is_still_running_ends_now(played: Floor) -> None:
    line = luck_line("R-01", played.day)
    luck = Luck(Played(2, 0, 1_600, -479_500, Fraction(74), Fraction(1)), Replayed(2, 1, 1))
    began = line.points[0].hour
    for now, until in ((began + timedelta(minutes=20), "20:00"), (began + timedelta(hours=9), "00:00")):
        chart = chart_of(luck, line, now)
        assert str(chart.traces[-1]["x"][-1]).endswith(until)
        assert chart.traces[-1]["x"][0] <= chart.traces[-1]["x"][-1]


@pytest.mark.parametrize("name", ["ana", "ben"])
def test_the_pit_and_accounting_read_it(played: Floor, client_of: Any, name: str) -> None:
    assert client_of(name).get("/luck/R-01/").status_code == 200


def test_nobody_else_does(played: Floor, client_of: Any) -> None:
    assert client_of("dan").get("/luck/R-01/").status_code == 403
    assert Client().get("/luck/R-01/").status_code == 302
