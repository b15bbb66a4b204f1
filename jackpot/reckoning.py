"""The mathematics of a link's meter as it stands, from what the link promises and its game says of the hands."""

from datetime import datetime
from fractions import Fraction
from typing import NamedTuple

import msgspec

from casino.games import game as load_game
from jackpot import queries
from jackpot.curves import Curve, curve_of
from jackpot.link import Link
from jackpot.mathematics import Mathematics, Price, mathematics_of
from jackpot.meter import BP_IN_ALL
from jackpot.terms import tiers_of


class Reckoned(NamedTuple):
    """A meter's mathematics at what it stands at. `curve` is what it did in the span that growth is measured over."""

    link: str
    currency: str
    meter_cents: int
    price: Price
    limit_cents: int | None
    mathematics: Mathematics
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
    row = queries.row_of(code)
    link: Link = msgspec.json.decode(row.state, type=Link)
    terms, game = link.terms, load_game(row.game)
    price = Price(terms.stake_cents, terms.reset_cents, terms.increment_bp, terms.hidden_bp)
    found = mathematics_of(
        price,
        tiers_of(terms.tiers),
        lambda wagers: game.shares(terms.tiers_name, wagers),
        link.meter.display_cents,
        game.seats_max,
    )
    meter = link.meter.display_cents
    return Reckoned(code, row.currency, meter, price, terms.limit_cents, found, curve_of(code, since))
