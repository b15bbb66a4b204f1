"""How often each result comes about under the best play: the table that the mathematics of the main game rests on.

`outcomes.json` ships the numbers; `derivation` makes them anew.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from math import comb
from pathlib import Path
from typing import NamedTuple

from casino.games.poker import HAND_RANKS

SHIPPED = Path(__file__).with_name("outcomes.json")

TEXTURES = tuple(f"{ranks}_ranks_{suits}_suits" for ranks, suits in ((1, 3), (2, 2), (2, 3), (3, 1), (3, 2), (3, 3)))
"""How many ranks and how many suits a flop has; each texture is a part of the table that can be derived alone."""

ACTIONS = ("raise_4x", "raise_2x", "raise_1x", "fold")
RESULTS = ("win_qualified", "win", "tie", "lose_qualified", "lose")
"""The player's hand against the bank's, also after a fold; `win` and `lose` are against a bank without a pair."""

TOTAL = comb(52, 3) * comb(49, 2) * comb(47, 2) * comb(45, 2)
"""All weights, 27,813,810,024,000: flops × turns and rivers × hands × the bank's hands."""


class Cell(NamedTuple):
    """One entry of the table: `weight` of `TOTAL` deals end so."""

    action: str
    rank: str
    result: str
    weight: int


@dataclass(frozen=True)
class Table:
    """`raised`: the starting hands that PLAY 4x. `parts`: texture → action → player's rank → weights by `RESULTS`."""

    raised: tuple[str, ...]
    parts: Mapping[str, Mapping[str, Mapping[str, tuple[int, ...]]]]

    def cells(self) -> Iterator[Cell]:
        """Every entry of every part that is not zero."""
        for part in self.parts.values():
            for action, ranks in part.items():
                for rank, weights in ranks.items():
                    found = zip(RESULTS, weights, strict=True)
                    yield from (Cell(action, rank, result, weight) for result, weight in found if weight)


@cache
def shipped() -> Table:
    """The table of `outcomes.json`."""
    return from_json(SHIPPED.read_text(encoding="utf-8"))


def from_json(text: str) -> Table:
    """Read what `as_json` wrote."""
    found = json.loads(text)
    parts = {
        texture: {action: {rank: tuple(weights) for rank, weights in ranks.items()} for action, ranks in part.items()}
        for texture, part in found["flops"].items()
    }
    return Table(tuple(found["raised_before_the_flop"]), parts)


def as_json(table: Table) -> str:
    """The text of `outcomes.json`: a line for each texture, action and rank."""
    parts = (f" {json.dumps(texture)}: {{\n{_actions(part)}\n }}" for texture, part in table.parts.items())
    raised = json.dumps(list(table.raised))
    return f'{{\n"raised_before_the_flop": {raised},\n"flops": {{\n' + ",\n".join(parts) + "\n}\n}\n"


def _actions(part: Mapping[str, Mapping[str, tuple[int, ...]]]) -> str:
    return ",\n".join(f"  {json.dumps(action)}: {{\n{_ranks(ranks)}\n  }}" for action, ranks in part.items())


def _ranks(ranks: Mapping[str, tuple[int, ...]]) -> str:
    return ",\n".join(f"   {json.dumps(rank)}: {json.dumps(list(ranks[rank]))}" for rank in HAND_RANKS if rank in ranks)
