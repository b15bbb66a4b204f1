"""The results for people and for programs."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec

from benchmarks.runner import FAULTS, Row

RESULTS = Path(__file__).with_name("results.json")
HEAD = ("benchmark", "peer", "ours", "theirs", "unit", "ratio", "at least", "faults", "")


def written(rows: Sequence[Row]) -> str:
    """The table as text, a benchmark a line."""
    lines = [HEAD, *(_cells(row) for row in rows)]
    widths = [max(len(line[column]) for line in lines) for column in range(len(HEAD))]
    return "\n".join("  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)) for line in lines)


def _cells(row: Row) -> tuple[str, ...]:
    faults = ", ".join(f"{getattr(row, fault)} {fault}" for fault in FAULTS if getattr(row, fault)) or "0"
    verdict = "" if row.at_least is None and row.is_right else "reached" if row.is_reached else "NOT REACHED"
    if row.at_least is None and not row.is_right:
        verdict = "WRONG"
    return (
        row.name,
        row.peer,
        _number(row.ours),
        _number(row.theirs),
        row.unit,
        _number(row.ratio),
        _number(row.at_least),
        faults,
        verdict,
    )


def _number(value: float | None) -> str:
    if value is None:
        return "–"
    return f"{value:,.0f}" if value >= 1000 else f"{value:.2f}"


def save(rows: Sequence[Row], machine: dict[str, Any], path: Path = RESULTS) -> None:
    """Write results.json: the promised fields of each benchmark, and the machine."""
    benchmarks = [msgspec.to_builtins(row) | {"reached": row.is_reached} for row in rows]
    text = msgspec.json.format(msgspec.json.encode({"benchmarks": benchmarks, "machine": machine}), indent=2)
    path.write_bytes(text + b"\n")
