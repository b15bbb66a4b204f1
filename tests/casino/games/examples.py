"""The rows of a game's `examples.txt`: worked rounds in a table that a dealer can check."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import casino.games
from casino.games.game import Felt, Game


def examples(game: Game) -> Iterator[Any]:
    """The columns of each row, as parameters of a test."""
    folder = type(game).__module__.split(".")[2]
    table = Path(casino.games.__file__).parent / folder / "examples.txt"
    for number, text in enumerate(table.read_text(encoding="utf-8").splitlines(), start=1):
        row = text.split("#")[0]
        if row.strip():
            yield pytest.param(*(cell.strip() for cell in row.split("|")), id=f"line {number}")


def after(felt: Felt, facts: list[Any]) -> Felt:
    """The felt after these facts."""
    for fact in facts:
        felt = felt.after(fact)
    return felt


def expected(returns: str) -> dict[str, str]:
    """Wager → what goes back; nothing of the wagers lost."""
    return {} if returns == "nothing" else dict(part.split("=") for part in returns.split())
