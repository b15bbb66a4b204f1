"""Where a dealer is: a stream for each, so that two tables can't both have one."""

from typing import NamedTuple

from casino.commands.order import Order, property_code
from casino.eventstore import store
from casino.eventstore.store import Addition
from casino.house_events import DealerPlaced
from casino.keys import dealer_key
from casino.table import Session


class Whereabouts(NamedTuple):
    """A dealer, the table where the dealer is (None: at none), and the version of the dealer's stream."""

    dealer: str
    table: str | None
    version: int

    def moved(self, order: Order, session: Session, table: str | None) -> Addition:
        """The move to another table, or away from this one."""
        event = DealerPlaced(dealer=self.dealer, table=table, by=order.by)
        key = dealer_key(property_code(), self.dealer)
        return Addition(key, self.version, session.gaming_date, [event], order.at, table=session.table)


def whereabouts(dealer: str) -> Whereabouts:
    """Where a dealer is now, as the dealer's own stream has it."""
    stream = store.load(dealer_key(property_code(), dealer))
    return Whereabouts(dealer, stream.events[-1].event.table if stream.events else None, stream.version)
