"""How many of the 3,162,510 hands of each rank contain each card: all the mathematics of the game rests on this.

`counts.json` ships the numbers; `as_json(enumerated())` is its text, derived anew.
"""

import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from pathlib import Path

from casino.games.cards import DECK_54
from casino.games.enumeration import hands_with_card
from casino.games.poker import HAND_RANKS

SHIPPED = Path(__file__).with_name("counts.json")


@dataclass(frozen=True)
class Counts:
    """`with_card`: rank → card → hands of that rank that contain the card."""

    with_card: Mapping[str, Mapping[str, int]]

    @property
    def ranks(self) -> dict[str, int]:
        """Rank → hands; each hand stands under five cards."""
        return {rank: sum(by_card.values()) // 5 for rank, by_card in self.with_card.items()}

    @property
    def hands(self) -> int:
        """All hands of the deck."""
        return sum(self.ranks.values())

    def probability(self, cards: Collection[str], ranks: Collection[str]) -> Fraction:
        """The chance that the Roulette Card is one of `cards` and the hand one of `ranks`.

        The Roulette Card is any fixed one of five cards that are equally likely (sheet, paragraph 6), so a hand
        counts a fifth for each of its cards.
        """
        cells = sum(self.with_card[rank][card] for rank in ranks for card in cards)
        return Fraction(cells, 5 * self.hands)


@cache
def shipped() -> Counts:
    """The counts of `counts.json`."""
    table = json.loads(SHIPPED.read_text(encoding="utf-8"))
    return Counts({rank: dict(zip(DECK_54, table[rank], strict=True)) for rank in HAND_RANKS})


def enumerated() -> Counts:
    """The same counts from all 3,162,510 hands, one by one; about a second's work."""
    rows = hands_with_card(DECK_54).tolist()
    return Counts({rank: dict(zip(DECK_54, row, strict=True)) for rank, row in zip(HAND_RANKS, rows, strict=True)})


def as_json(counts: Counts) -> str:
    """The text of `counts.json`: a line for each rank, its numbers in deck order (X1 X2 As Ah Ad Ac Ks …)."""
    lines = [f"{json.dumps(rank)}: {json.dumps(list(by_card.values()))}" for rank, by_card in counts.with_card.items()]
    return "{\n" + ",\n".join(lines) + "\n}\n"
