"""A side bet offered at a table or suspended there, together with whatever of another stream it follows from.

A round pins what its table offers when it opens, and shares the lock on the table's stream until it is appended. So
whoever adds to that stream, and guards that no further round exists, knows every round that the change concerns.
"""

from typing import NamedTuple

from casino.commands.order import Order, property_code
from casino.commands.tables import Loaded, gaming_date
from casino.events import SideBetClosed, SideBetOffered, SideBetSuspended
from casino.eventstore import store
from casino.eventstore.store import Addition
from casino.keys import RoundId, round_key, round_prefix, table_key
from casino.keys import round_of as round_id_of
from casino.round.state import Round, round_of
from casino.side_bet_terms import SideBetTerms


class Told(NamedTuple):
    """What goes on the streams of a table and of its round, and the guards under which that is complete."""

    additions: list[Addition]
    guards: list[tuple[str, int]]


class Latest(NamedTuple):
    """The last round opened in the day of the table's latest session, and the version of its stream."""

    round: Round
    version: int


def latest_of(loaded: Loaded) -> Latest | None:
    """The table's last round; None where none was opened."""
    if loaded.session is None:
        return None
    key = store.latest_key(round_prefix(property_code(), loaded.table.code, loaded.session.gaming_date))
    if key is None:
        return None
    stream = store.load(key)
    return Latest(round_of(round_id_of(key), (recorded.event for recorded in stream.events)), stream.version)


def no_further_round(loaded: Loaded, latest: Latest | None) -> list[tuple[str, int]]:
    """The guard that no round follows the latest one; it holds under a lock on the table's stream."""
    if loaded.session is None:
        return []
    n = latest.round.id.n + 1 if latest else 1
    return [(round_key(property_code(), RoundId(loaded.table.code, loaded.session.gaming_date, n)), 0)]


def offer(order: Order, loaded: Loaded, bet: str, terms: SideBetTerms) -> Addition:
    """Offer the bet on a link at the table, from the next round opened."""
    return _addition(order, loaded, SideBetOffered(table=loaded.table.code, bet=bet, terms=terms))


def take_off(order: Order, loaded: Loaded, bet: str, reason: str) -> Addition:
    """Take the bet off the table from the next round opened; a round that is open plays on with what it pinned."""
    return _addition(order, loaded, SideBetSuspended(table=loaded.table.code, bet=bet, reason=reason))


def suspend(order: Order, loaded: Loaded, bet: str, reason: str) -> Told:
    """Take no more of the bet at once, in the round that takes bets neither; what stands of it plays on."""
    code, latest = loaded.table.code, latest_of(loaded)
    own = take_off(order, loaded, bet, reason)
    guards = no_further_round(loaded, latest)
    if latest is None or not takes(latest.round, bet):
        return Told([own], guards)
    id_, closed = latest.round.id, SideBetClosed(bet=bet, reason=reason)
    key = round_key(property_code(), id_)
    told = Addition(key, latest.version, id_.gaming_date, [closed], order.at, table=code, round_no=id_.n)
    return Told([told, own], guards)


def takes(round_: Round, bet: str) -> bool:
    """Whether a wager on the bet may still be placed in the round."""
    return bet in round_.opened.side_bets and not (round_.bets_closed or round_.voided or bet in round_.closed_bets)


def _addition(order: Order, loaded: Loaded, event: SideBetOffered | SideBetSuspended) -> Addition:
    key = table_key(property_code(), loaded.table.code)
    return Addition(key, loaded.version, gaming_date(order), [event], order.at, table=loaded.table.code)
