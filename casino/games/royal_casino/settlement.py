"""What becomes of ANTE, PLAY, BLIND and BONUS: the table of the rule sheet, for one seat against the bank.

| outcome                              | ANTE       | PLAY       | BLIND                            |
|--------------------------------------|------------|------------|----------------------------------|
| folded                               | lost       | –          | lost                             |
| player higher, bank qualifies        | even money | even money | by table from a straight, else returned |
| player higher, bank doesn't qualify  | returned   | even money | the same                         |
| bank higher, bank qualifies          | lost       | lost       | lost                             |
| bank higher, bank doesn't qualify    | returned   | lost       | lost                             |
| tie                                  | returned   | returned   | returned                         |

BONUS pays by its table from three of a kind, whatever the bank has and also after a fold; else it is lost.
"""

from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from casino.games.game import LOSE, PUSH, WIN
from casino.games.poker import Value
from casino.games.royal_casino.bets import ANTE, BLIND, BONUS
from casino.games.royal_casino.paytables import Paytable
from casino.money import winnings

PLAYER, BANK, TIE = "player", "bank", "tie"
EVEN = Fraction(1)


@dataclass(frozen=True)
class Showdown:
    """One hand against the bank's. `bank` is None where everybody folded, so that it was not turned."""

    hand: Value
    bank: Value | None
    folded: bool

    @property
    def winner(self) -> str | None:
        """Whose hand is higher, also after a fold; None where the bank's is not known."""
        if self.bank is None:
            return None
        return TIE if self.hand == self.bank else PLAYER if self.hand > self.bank else BANK

    @property
    def bank_qualifies(self) -> bool:
        """Whether the bank has a pair or better, community cards included."""
        return self.bank is not None and qualifies(self.bank)


class Returned(NamedTuple):
    """The result of a wager and all that goes back for it, the stake included."""

    result: str
    cents: int


def qualifies(bank: Value) -> bool:
    """The bank needs a pair or better (sheet)."""
    return bank.name != "high_card"


def returned(
    code: str, stake_cents: int, showdown: Showdown | None, pays: Paytable, rounding_cents: int = 1
) -> Returned:
    """What goes back for a stake on `code`; `showdown` is None for a folded hand that was not turned."""
    odds = _odds(code, showdown, pays)
    if odds is None:
        return Returned(LOSE, 0)
    if odds == 0:
        return Returned(PUSH, stake_cents)
    # Only what is not whole can fall between two chips: a 3 to 2 on an odd stake.
    smallest = rounding_cents if odds.denominator > 1 else 1
    return Returned(WIN, stake_cents + winnings(stake_cents, odds, smallest))


def _odds(code: str, showdown: Showdown | None, pays: Paytable) -> Fraction | None:
    """What the wager wins, to 1; 0 where the stake is returned, None where it is lost."""
    if code == BONUS:
        return pays.bonus.get(showdown.hand.name) if showdown else None
    if showdown is None or showdown.folded:
        return None
    if showdown.winner == TIE:
        return Fraction(0)
    if code == ANTE and not showdown.bank_qualifies:
        return Fraction(0)
    if showdown.winner == BANK:
        return None
    return pays.blind.get(showdown.hand.name, Fraction(0)) if code == BLIND else EVEN
