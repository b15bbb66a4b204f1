"""Limits announced at a table."""

from collections.abc import Mapping
from datetime import datetime, timedelta

from casino import limits as limit_rules
from casino.commands.order import Done, Order, Plan, carry_out, house_profile, property_code
from casino.commands.tables import Loaded, gaming_date, load_table
from casino.events import Limits
from casino.eventstore import store
from casino.eventstore.store import Addition
from casino.keys import round_of, round_prefix, table_key
from casino.round import state

PLAYED_LATELY = timedelta(minutes=10)
"""How long after its last event a round with wagers says that somebody plays, where no seat is recorded as taken."""


def announce_limits(
    order: Order,
    code: str,
    limits: Mapping[str, Limits],
    round_payout_max_cents: int | None = None,
    effective_at: datetime | None = None,
    may_raise_minimum: bool = False,
) -> Done:
    """Announce limits that hold from a moment on; rounds opened before it keep theirs.

    `may_raise_minimum` is the permission to raise the least stake where somebody plays.
    """

    def plan() -> Plan:
        loaded = load_table(code)
        event = limit_rules.announce(
            loaded.table,
            house_profile(),
            limits=limits,
            round_payout_max_cents=round_payout_max_cents,
            effective_at=effective_at,
            now=order.at,
            occupied=occupied(loaded, order.at),
            may_raise_minimum=may_raise_minimum,
            by=order.by,
        )
        key = table_key(property_code(), code)
        own = Addition(key, loaded.version, gaming_date(order), [event], order.at, table=code)
        # Whether somebody plays is decided on the session as it is: whoever sits down meanwhile has it decided anew.
        return Plan([own], [(loaded.session_key, loaded.session_version)] if loaded.session else [])

    content = {
        "table": code,
        "limits": dict(limits),
        "round_payout_max_cents": round_payout_max_cents,
        "effective_at": effective_at,
    }
    return carry_out(order, "announce_limits", content, plan)


def occupied(loaded: Loaded, now: datetime) -> bool:
    """Whether somebody plays: a seat is taken, or the session's last round has wagers and is not long over."""
    session = loaded.session
    if session is None or not session.is_open:
        return False
    if session.seats:
        return True
    key = store.latest_key(round_prefix(property_code(), session.table, session.gaming_date))
    if key is None or round_of(key).n < session.first_round:
        return False
    stream = store.load(key)
    last = state.round_of(round_of(key), (recorded.event for recorded in stream.events))
    return bool(last.wagers) and (not last.is_over or now - stream.events[-1].occurred_at < PLAYED_LATELY)
