"""The mathematics of a link's meter as it stands, from what the link promises and its game says of the hands."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from fractions import Fraction
from typing import NamedTuple

from casino.games import game as load_game
from jackpot import models, queries
from jackpot.curves import Curve, curve_of
from jackpot.display import bank_of
from jackpot.mathematics import Mathematics, Price, mathematics_of, price_of
from jackpot.meter import BP_IN_ALL
from jackpot.terms import tiers_of


class Together(NamedTuple):
    """What comes back of one stake from all levels of a bank: now, and in the long run."""

    wagers: int
    value: Fraction
    returns: Fraction


class Reckoned(NamedTuple):
    """A meter's mathematics at what it stands at. `curve` is what it did in the span that growth is measured over.

    `together` sums the levels that one stake feeds, by the number of wagers; it is empty where there is one meter.
    """

    link: str
    currency: str
    meter_cents: int
    price: Price
    limit_cents: int | None
    mathematics: Mathematics
    together: tuple[Together, ...]
    curve: Curve

    @property
    def increment(self) -> Fraction:
        """The part of every stake that the meter gets."""
        return Fraction(self.price.increment_bp, BP_IN_ALL)

    @property
    def hidden(self) -> Fraction:
        """The part of every stake that its reserve gets."""
        return Fraction(self.price.hidden_bp, BP_IN_ALL)

    @property
    def favourable(self) -> int:
        """The most wagers a round with which a stake is worth its price or more now; 0 where even one is not."""
        return max((row.wagers for row in self.mathematics.among if row.value >= 1), default=0)


def reckoned(code: str, since: datetime | None = None) -> Reckoned:
    """All of it for one link; growth is measured from `since` on. Refuses `unknown_link`."""
    bank = bank_of(code)
    found = {row.code: _mathematics(row) for row in bank}
    row = next((one for one in bank if one.code == code), None) or queries.row_of(code)
    link = row.folded()
    return Reckoned(
        link=code,
        currency=row.currency,
        meter_cents=link.meter.display_cents,
        price=price_of(link.terms),
        limit_cents=link.terms.limit_cents,
        mathematics=found.get(code) or _mathematics(row),
        together=tuple(_together(list(found.values()))) if bank[1:] else (),
        curve=curve_of(code, since),
    )


def _mathematics(row: models.Link) -> Mathematics:
    link, game = row.folded(), load_game(row.game)
    terms = link.terms
    return mathematics_of(
        price_of(terms),
        tiers_of(terms.tiers),
        lambda wagers: game.shares(terms.tiers_name, wagers),
        link.meter.display_cents,
        game.seats_max,
    )


def _together(levels: Sequence[Mathematics]) -> Iterator[Together]:
    """Levels are fed by one stake and won by one hand, so what comes back of it adds up."""
    for rows in zip(*(level.among for level in levels), strict=True):
        value, returns = (sum((getattr(row, name) for row in rows), Fraction(0)) for name in ("value", "returns"))
        yield Together(rows[0].wagers, value, returns)
