"""Players sitting down and getting up, and what a supervisor takes their bets to be."""

from casino import seating
from casino import table as tables
from casino.commands.order import Done, Order, Plan, carry_out, property_code
from casino.commands.patrons import known_patron
from casino.commands.tables import Loaded, load_table
from casino.eventstore import store
from casino.eventstore.registry import Event
from casino.eventstore.store import Addition
from casino.keys import RoundId, round_key, round_of, round_prefix
from casino.round import state
from casino.table import Session


def seat_patron(order: Order, code: str, seat: int, patron_id: int | None = None) -> Done:
    """Take a seat, for a patron who is rated from now on, or for a player who is not."""

    def plan() -> Plan:
        loaded, session, seats = _opened(code)
        event = seating.seat_patron(session, seats, seat, patron_id)
        if patron_id is not None:
            known_patron(patron_id)
        return _seats_changed(order, loaded, session, event, patron_id)

    return carry_out(order, "seat_patron", {"table": code, "seat": seat, "patron_id": patron_id}, plan)


def leave_seat(order: Order, code: str, seat: int) -> Done:
    """Free a seat."""

    def plan() -> Plan:
        loaded, session, seats = _opened(code)
        return _seats_changed(order, loaded, session, seating.leave_seat(session, seats, seat), None)

    return carry_out(order, "leave_seat", {"table": code, "seat": seat}, plan)


def estimate_rating(order: Order, code: str, seat: int, average_bet_cents: int) -> Done:
    """Record the supervisor's estimate of the average bet of the patron at a seat."""

    def plan() -> Plan:
        loaded, session, seats = _opened(code)
        event = seating.estimate(session, seats, seat, average_bet_cents, order.by)
        return Plan([_on_session(order, loaded, session, event)])

    content = {"table": code, "seat": seat, "average_bet_cents": average_bet_cents}
    return carry_out(order, "estimate_rating", content, plan)


def _opened(code: str) -> tuple[Loaded, Session, int]:
    loaded = load_table(code)
    assert loaded.table.set_up is not None
    return loaded, tables.opened(loaded.session, code), loaded.table.set_up.seats


def _on_session(order: Order, loaded: Loaded, session: Session, event: Event) -> Addition:
    key, version = loaded.session_key, loaded.session_version
    return Addition(key, version, session.gaming_date, [event], order.at, table=session.table)


def _seats_changed(order: Order, loaded: Loaded, session: Session, event: Event, patron_id: int | None) -> Plan:
    """The change on the session, and on the latest round where that takes bets.

    Otherwise no further round may come to be meanwhile: it would have pinned the seats as they were.
    """
    own = _on_session(order, loaded, session, event)
    seat: int = event.seat  # type: ignore[attr-defined]
    key = store.latest_key(round_prefix(property_code(), session.table, session.gaming_date))
    if key is None:
        return Plan([own], [(_next_key(session, 0), 0)])
    stream = store.load(key)
    latest = state.round_of(round_of(key), (recorded.event for recorded in stream.events))
    if told := seating.told_to_round(latest, seat, patron_id):
        args = (key, stream.version, session.gaming_date, told, order.at)
        # The session's event stays last: an answer is read from where a command ended.
        return Plan([Addition(*args, table=session.table, round_no=latest.id.n), own])
    return Plan([own], [(_next_key(session, latest.id.n), 0)])


def _next_key(session: Session, last: int) -> str:
    return round_key(property_code(), RoundId(session.table, session.gaming_date, last + 1))
