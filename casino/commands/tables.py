"""Setting up a table, opening and closing it, and taking cash for chips."""

from collections.abc import Mapping
from datetime import date
from typing import NamedTuple
from zoneinfo import ZoneInfo

from django.conf import settings

from casino import table as tables
from casino.commands.order import Done, Order, Plan, carry_out, property_code
from casino.events import Limits, SideBetOffered, SideBetSuspended, SideBetTerms
from casino.eventstore import store
from casino.eventstore.registry import Event
from casino.eventstore.store import Addition
from casino.games import game as load_game
from casino.keys import (
    RoundId,
    check_table_code,
    round_key,
    round_of,
    round_prefix,
    session_key,
    session_of,
    session_prefix,
    table_key,
)
from casino.refusal import Refused
from casino.round import state
from casino.table import Count, Session, Table


class Loaded(NamedTuple):
    """A table with its latest session, and the versions of both streams."""

    table: Table
    version: int
    session: Session | None
    session_key: str
    session_version: int


def gaming_date(order: Order) -> date:
    """The gaming date by the property's clock rule."""
    return tables.gaming_date_of(order.at, ZoneInfo(settings.TIME_ZONE), settings.CASINO_ROLLOVER_HOUR)


def load_table(code: str) -> Loaded:
    """The table and its latest session; refuses `unknown_table`."""
    key = table_key(property_code(), check_table_code(code))
    latest = store.latest_key(session_prefix(property_code(), code))
    streams = store.load_many([key] + ([latest] if latest else []))
    if not streams[key].version:
        raise Refused("unknown_table", f"There is no table {code}; set it up first.")
    table = tables.table_of(code, (r.event for r in streams[key].events))
    if latest is None:
        return Loaded(table, streams[key].version, None, "", 0)
    day, number = session_of(latest)
    session = tables.session_after(Session(code, day, number), (r.event for r in streams[latest].events))
    return Loaded(table, streams[key].version, session, latest, streams[latest].version)


def latest_round(code: str, day: date) -> state.Round | None:
    """The last round opened at the table on a gaming day."""
    key = store.latest_key(round_prefix(property_code(), code, day))
    return load_round(round_of(key)) if key else None


def load_round(round_id: RoundId) -> state.Round:
    """The round as it stands; refuses `unknown_round`."""
    return load_round_at(round_id)[0]


def load_round_at(round_id: RoundId, upto: int | None = None) -> tuple[state.Round, int]:
    """The round as it stands, or stood at a position of the log, and its last position up to there."""
    stream = store.load(round_key(property_code(), round_id))
    known = [r for r in stream.events if upto is None or r.position <= upto]
    return state.round_of(round_id, (r.event for r in known)), known[-1].position


def set_up_table(
    order: Order,
    code: str,
    *,
    game: str,
    paytable: str | None = None,
    layout: str | None = None,
    method: str | None = None,
    seats: int | None = None,
    limits: Mapping[str, Limits] | None = None,
    round_payout_max_cents: int = 100_000_000,
    off_limits: str = "warn",
    payout_rounding_cents: int = 1,
) -> Done:
    """Set a table up, or set it up anew while it is closed; what is not named is the game's default."""
    chosen = load_game(game)
    event = tables.set_up(
        chosen,
        table=check_table_code(code),
        paytable=paytable or chosen.paytables[0],
        layout=layout or chosen.layouts[0],
        method=method or chosen.methods[0],
        seats=seats or chosen.seats_max,
        currency=settings.CASINO_CURRENCY,
        limits=limits or {},
        round_payout_max_cents=round_payout_max_cents,
        off_limits=off_limits,
        payout_rounding_cents=payout_rounding_cents,
    )
    return _on_table(order, "set_up_table", code, event, must_exist=False)


def offer_side_bet(order: Order, code: str, bet: str, terms: SideBetTerms) -> Done:
    """Offer a progressive on a link at the table, from the next round opened."""
    return _on_table(order, "offer_side_bet", code, SideBetOffered(table=code, bet=bet, terms=terms))


def suspend_side_bet(order: Order, code: str, bet: str, reason: str) -> Done:
    """Take the side bet off the table, from the next round opened."""
    return _on_table(order, "suspend_side_bet", code, SideBetSuspended(table=code, bet=bet, reason=reason))


def side_bet_addition(order: Order, loaded: Loaded, event: SideBetOffered | SideBetSuspended) -> Addition:
    """The table's part of a command that appends to another stream in the same breath, such as a link's."""
    key = table_key(property_code(), loaded.table.code)
    return Addition(key, loaded.version, gaming_date(order), [event], order.at, table=loaded.table.code)


def _on_table(order: Order, name: str, code: str, event: Event, must_exist: bool = True) -> Done:
    def plan() -> Plan:
        key = table_key(property_code(), check_table_code(code))
        stream = store.load(key)
        if must_exist and not stream.version:
            raise Refused("unknown_table", f"There is no table {code}; set it up first.")
        return Plan([Addition(key, stream.version, gaming_date(order), [event], order.at, table=code)])

    return carry_out(order, name, {"table": code, "event": repr(event)}, plan)


def open_table(order: Order, code: str, opener: Count, acknowledged_by: str | None = None) -> Done:
    """Open a table with its opener; the session's gaming date is fixed by the clock rule now."""

    def plan() -> Plan:
        loaded = load_table(code)
        set_up = loaded.table.set_up
        assert set_up is not None
        session, opened = tables.open_table(loaded.table, loaded.session, gaming_date(order), opener)
        known = tables.acknowledge(loaded.table, load_game(set_up.game), acknowledged_by)
        key = session_key(property_code(), code, session.gaming_date, session.number)
        additions = [Addition(key, 0, session.gaming_date, [opened], order.at, table=code)]
        own = table_key(property_code(), code)
        if known:
            # The session's event stays last: an answer is read from where a command ended.
            additions.insert(0, Addition(own, loaded.version, session.gaming_date, known, order.at, table=code))
        guards = [(loaded.session_key, loaded.session_version)] if loaded.session else []
        return Plan(additions, guards if known else [*guards, (own, loaded.version)])

    content = {"table": code, "opener": opener, "acknowledged_by": acknowledged_by}
    return carry_out(order, "open_table", content, plan)


def close_table(order: Order, code: str, closer: Count) -> Done:
    """Close the table with its closer; refused while a round is open."""

    def plan() -> Plan:
        loaded = load_table(code)
        session = tables.opened(loaded.session, code)
        last = latest_round(code, session.gaming_date)
        if last is not None and not last.is_over:
            raise Refused("round_open", f"Round {last.id} is still open; finish or void it before closing {code}.")
        n = last.id.n if last else 0
        events = tables.close_table(session, code, n, closer)
        addition = Addition(
            loaded.session_key, loaded.session_version, session.gaming_date, events, order.at, table=code
        )
        # No further round may come to be: whoever opens one shares the lock on the session that we now take.
        return Plan([addition], [(round_key(property_code(), RoundId(code, session.gaming_date, n + 1)), 0)])

    return carry_out(order, "close_table", {"table": code, "closer": closer}, plan)


def buy_in(order: Order, code: str, amount_cents: int, seat: int | None = None) -> Done:
    """Cash into the drop box, the same in chips to the player."""

    def plan() -> Plan:
        loaded = load_table(code)
        assert loaded.table.set_up is not None
        session = tables.opened(loaded.session, code)
        event = tables.buy_in(session, code, loaded.table.set_up.seats, seat, amount_cents)
        addition = Addition(
            loaded.session_key, loaded.session_version, session.gaming_date, [event], order.at, table=code
        )
        return Plan([addition])

    return carry_out(order, "buy_in", {"table": code, "amount_cents": amount_cents, "seat": seat}, plan)
