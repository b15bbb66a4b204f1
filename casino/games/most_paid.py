"""The most that a round can pay, which a house posts as a limit. Pure."""

from collections.abc import Sequence
from typing import Any, Protocol, runtime_checkable

from casino.games.game import Placed, Setup

EXACT, BOUND = "the worst outcome of all wagers", "an upper bound: all wagers winning their most at once"


@runtime_checkable
class OutcomesTogether(Protocol):
    """What a game says besides, that knows which of a round's wagers can win together.

    Of a game that doesn't say it, all are taken to win their most at once: never less than what can be.
    """

    def most_paid_cents(self, bets: Sequence[Placed], one: Placed, setup: Setup) -> int:
        """The winnings of all these wagers in the worst outcome of a round in which `one` of them wins, exact."""


def how_known(game: Any) -> str:
    """In words, how the game's most is found."""
    return EXACT if isinstance(game, OutcomesTogether) else BOUND
