"""A chart as a page carries it: figure, table and sentence; and the script of another package that draws it."""

import json
import re
from pathlib import Path

import pytest
from django.contrib.staticfiles import finders
from django.template.loader import render_to_string

from casino.assets import PlotlyFinder
from casino.charts import Chart, band, bars, decimal, line

HOURS = ["2025-11-29T12:00", "2025-11-29T13:00"]
WIN = Chart(
    "win-R-01",
    "Win against theo",
    "At 13:00 the house is ahead.",
    [
        *band("95 % band", HOURS, ["0.00", "-1.50"], ["0.00", "2.50"], "--info"),
        line("Win", HOURS, ["0.00", None], "--gain"),
    ],
    ["Hour", "Win"],
    [["12:00", "0.00"], ["13:00", "</script><b>"]],
    {"yaxis": {"title": {"text": "USD"}}},
)


def shown(chart: Chart) -> str:
    return render_to_string("_chart.html", {"chart": chart})


@pytest.mark.parametrize(("cents", "text"), [(123_456, "1234.56"), (0, "0.00"), (-5, "-0.05"), (-12_300, "-123.00")])
def test_an_amount_is_written_as_a_decimal_and_never_as_a_float(cents: int, text: str) -> None:
    assert decimal(cents) == text


def test_the_figure_lies_in_the_page_as_data_that_plotly_takes() -> None:
    found = re.search(r'<script type="application/json">(.*?)</script>', shown(WIN), re.DOTALL)
    assert found is not None
    figure = json.loads(found[1])
    assert [trace["name"] for trace in figure["data"]] == ["95 % band, lower end", "95 % band", "Win"]
    assert figure["data"][1]["fill"] == "tonexty"
    assert figure["data"][2]["y"] == ["0.00", None]
    assert figure["layout"] == {"yaxis": {"title": {"text": "USD"}}}


def test_whoever_does_not_see_it_has_a_name_a_sentence_and_the_same_as_a_table() -> None:
    page = shown(WIN)
    assert 'role="img" aria-label="Win against theo. At 13:00 the house is ahead."' in page
    assert '<th scope="row">12:00</th><td class="number">0.00</td>' in page
    assert "&lt;/script&gt;&lt;b&gt;" in page


def test_nothing_in_it_is_a_script_that_a_browser_would_refuse() -> None:
    assert re.findall(r"<script[^>]*>", shown(WIN)) == ['<script type="application/json">']
    assert "onload" not in shown(WIN)


def test_bars_take_one_colour_or_one_for_each() -> None:
    assert bars("Win", HOURS, ["1.00", "-1.00"], "--gain")["marker"] == {"color": "--gain"}
    assert bars("Win", HOURS, ["1.00", "-1.00"], ("--gain", "--loss"))["marker"] == {"color": ["--gain", "--loss"]}


def test_plotly_is_served_from_its_wheel_and_nothing_else_of_it() -> None:
    found = finders.find("plotly/plotly.min.js")
    assert "plotly.js v" in Path(found).read_text(encoding="utf-8")[:200]
    assert finders.find("plotly/widgetbundle.js") is None
    assert [name for name, storage in PlotlyFinder().list(None) if storage.prefix == "plotly"] == ["plotly.min.js"]
