"""A chart as a page takes it: what plotly draws, the same as a table, and a sentence for whoever sees neither.

`templates/_chart.html` shows it and `casino/static/casino/charts.js` draws it, in the colours of casino.css: where a
figure says "--gain" or "--info 20%", the script puts that colour of the style sheet, and that much of it.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

Trace = dict[str, Any]


class Chart(NamedTuple):
    """One chart. `id` is unique on its page and stays the same when the page fetches it again.

    `summary` is one sentence that says what the chart shows. `columns` and `rows` are the same data as text, the first
    column naming the row. `layout` is plotly's, over the theme of charts.js.
    """

    id: str
    title: str
    summary: str
    traces: Sequence[Trace]
    columns: Sequence[str]
    rows: Sequence[Sequence[str]]
    layout: Mapping[str, Any] = {}
    note: str = ""

    @property
    def figure(self) -> dict[str, Any]:
        """Plotly's figure, plain data for a script tag."""
        return {"data": list(self.traces), "layout": dict(self.layout)}


def decimal(cents: int) -> str:
    """123456 → "1234.56", which plotly reads as a number; so no amount becomes a float on its way."""
    whole, rest = divmod(abs(cents), 100)
    return f"{'-' if cents < 0 else ''}{whole}.{rest:02d}"


def line(name: str, x: Sequence[str], y: Sequence[str | None], colour: str, dash: str = "solid", **more: Any) -> Trace:
    """A line through the points; `None` leaves a gap. `colour` is a name of casino.css, such as "--gain"."""
    return {
        "type": "scatter",
        "mode": "lines",
        "name": name,
        "x": list(x),
        "y": list(y),
        "line": {"color": colour, "dash": dash, "width": 2},
        **more,
    }


def band(name: str, x: Sequence[str], low: Sequence[str], high: Sequence[str], colour: str) -> list[Trace]:
    """An area from `low` to `high`, named once in the legend."""
    edge = {"color": f"{colour} 45%", "width": 1}
    under = line(f"{name}, lower end", x, low, colour) | {"line": edge, "showlegend": False}
    over = line(name, x, high, colour) | {"line": edge, "fill": "tonexty", "fillcolor": f"{colour} 16%"}
    return [under, over]


def bars(name: str, x: Sequence[str], y: Sequence[str | None], colour: str | Sequence[str], **more: Any) -> Trace:
    """A bar for each; `colour` one for all or one for each."""
    colours = colour if isinstance(colour, str) else list(colour)
    return {"type": "bar", "name": name, "x": list(x), "y": list(y), "marker": {"color": colours}, **more}
