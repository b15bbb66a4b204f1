"""A meter's curve as a chart: what it stood at, its hits as marks, the amount it is reset to as a line below."""

from collections.abc import Iterator, Sequence
from datetime import datetime

from django.utils import timezone

from casino.charts import Chart, Trace, decimal, line
from casino.money import cut_to_cent, written
from jackpot import models
from jackpot.chronicle import HIT, VOID
from jackpot.curves import Curve

COLUMNS = ("When", "What", "Meter before", "Meter after", "Change")
WORDS = {
    "link_set_up": "set up",
    HIT: "hit",
    VOID: "round voided",
    "jackpot_returned": "share returned",
    "meter_adjusted": "adjusted",
}


def chart_of(curve: Curve, reset_cents: int) -> Chart:
    """The chart of a curve; its table has a row for every turn but the voids, and one for where it stands."""
    x = [_moment(point.at) for point in curve.points]
    return Chart(
        id=f"meter-{curve.link}",
        title=f"The meter of {curve.link}",
        summary=_summary(curve),
        traces=[
            _stepped(line("Meter", x, [decimal(cut_to_cent(point.micros)) for point in curve.points], "--brass")),
            line("Resets to", [x[0], x[-1]], [decimal(reset_cents)] * 2, "--muted", dash="dot", hoverinfo="skip"),
            _marks(curve.hits),
        ],
        columns=COLUMNS,
        rows=list(_rows(curve)),
        layout={"hovermode": "closest"},
        note=_voids(curve.turns),
    )


def _stepped(trace: Trace) -> Trace:
    """A meter stands still between stakes; a sloping line would say that it grew while nobody played."""
    return trace | {"line": trace["line"] | {"shape": "hv"}}


def _moment(at: datetime) -> str:
    """The property's wall clock, as plotly reads it."""
    return f"{timezone.localtime(at):%Y-%m-%d %H:%M:%S}"


def _marks(hits: Sequence[models.Hit]) -> Trace:
    words = [f"{hit.rank.replace('_', ' ')} at {hit.table_code}: {written(hit.amount_cents)}" for hit in hits]
    return {
        "type": "scatter",
        "mode": "markers",
        "name": "Hit",
        "x": [_moment(hit.occurred_at) for hit in hits],
        "y": [decimal(cut_to_cent(hit.before_micros)) for hit in hits],
        "text": words,
        "hovertemplate": "%{text}<br>%{x}<extra>Hit</extra>",
        "marker": {"color": "--warn", "size": 12, "symbol": "diamond", "line": {"color": "--ground", "width": 1}},
    }


def _summary(curve: Curve) -> str:
    begun, ended = (cut_to_cent(curve.points[at].micros) for at in (0, -1))
    won = sum(sum(hit.shares_cents) for hit in curve.hits)
    hits = f"{len(curve.hits)} hit{'' if len(curve.hits) == 1 else 's'} took {written(won)}" if won else "no hit"
    return f"From {written(begun)} to {written(ended)}, {hits}; stakes brought {written(_grown(curve))}."


def _grown(curve: Curve) -> int:
    return cut_to_cent(curve.growth.actual_micros)


def _rows(curve: Curve) -> Iterator[tuple[str, ...]]:
    for turn in curve.turns:
        if turn.kind == VOID:
            continue
        hits = [hit for hit in curve.hits if hit.at_position == turn.position]
        ranks = ", ".join(hit.rank.replace("_", " ") for hit in hits)
        what = f"{WORDS.get(turn.kind, turn.kind.replace('_', ' '))}{f': {ranks}' if ranks else ''}"
        yield (_moment(turn.at), what, *_amounts(turn.before_micros, turn.after_micros))
    last = curve.points[-1]
    yield (_moment(last.at), "last stakes", "", written(cut_to_cent(last.micros)), "")


def _amounts(before_micros: int, after_micros: int) -> tuple[str, str, str]:
    before, after = cut_to_cent(before_micros), cut_to_cent(after_micros)
    change = written(after - before)
    return written(before), written(after), change if after < before else f"+{change}"


def _voids(turns: Sequence[models.Turn]) -> str:
    voids = [turn for turn in turns if turn.kind == VOID]
    if not voids:
        return ""
    taken = cut_to_cent(sum(turn.before_micros - turn.after_micros for turn in voids))
    return f"{len(voids)} voided round{'' if len(voids) == 1 else 's'} took {written(taken)} back."
