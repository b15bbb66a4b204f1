"""Setting up a table, opening, rolling and closing it, and taking cash for chips."""

from collections.abc import Mapping, Sequence
from datetime import date, datetime, timedelta
from typing import NamedTuple
from zoneinfo import ZoneInfo

from django.conf import settings

from casino import session as sessions
from casino import table as tables
from casino.commands import books
from casino.commands.order import Done, Order, Plan, carry_out, house_profile, property_code
from casino.commands.whereabouts import whereabouts
from casino.decks import carried
from casino.events import Limits, TableOpened, TableSetUp
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
from casino.limits import check_limits_stand
from casino.refusal import Refused
from casino.round import state
from casino.table import Count, Session, Table

EARLY_MAX = timedelta(days=1)
"""How long before its session's opening something may have happened by its own clock."""


class Loaded(NamedTuple):
    """A table with its latest session, and the versions of both streams."""

    table: Table
    version: int
    session: Session | None
    session_key: str
    session_version: int
    opened_at: datetime | None = None

    @property
    def opening_guards(self) -> list[tuple[str, int]]:
        """What a round that opens has read and must still hold: its session, and the set-up and side bets it pins."""
        return [(self.session_key, self.session_version), (table_key(property_code(), self.table.code), self.version)]


def gaming_date(order: Order) -> date:
    """The gaming date by the property's clock rule."""
    return tables.gaming_date_of(order.at, ZoneInfo(settings.TIME_ZONE), settings.CASINO_ROLLOVER_HOUR)


def load_table(code: str) -> Loaded:
    """The table and its latest session; refuses `unknown_table`.

    A session that was rolled while it was being read is followed by another one, so it is looked up again.
    """
    loaded = _load_table(code)
    while loaded.session is not None and loaded.session.is_rolled:
        before, loaded = loaded, _load_table(code)
        if loaded.session_key == before.session_key:
            break  # nothing follows it: the log is broken, and the session is shown as it is
    return loaded


def _load_table(code: str) -> Loaded:
    key = table_key(property_code(), check_table_code(code))
    latest = store.latest_key(session_prefix(property_code(), code))
    streams = store.load_many([key] + ([latest] if latest else []))
    if not streams[key].version:
        raise Refused("unknown_table", f"There is no table {code}; set it up first.")
    table = tables.table_of(code, (r.event for r in streams[key].events))
    if latest is None:
        return Loaded(table, streams[key].version, None, "", 0)
    day, number = session_of(latest)
    told = streams[latest]
    session = tables.session_after(Session(code, day, number), (r.event for r in told.events))
    return Loaded(table, streams[key].version, session, latest, told.version, told.events[0].occurred_at)


def at_session(order: Order, loaded: Loaded, events: Sequence[Event]) -> Addition:
    """Events of the table's latest session, after what was loaded of it."""
    assert loaded.session is not None
    check_after_opening(order, loaded)
    key, version, day = loaded.session_key, loaded.session_version, loaded.session.gaming_date
    return Addition(key, version, day, events, order.at, table=loaded.table.code)


def check_after_opening(order: Order, loaded: Loaded) -> None:
    """Refuse `before_opening`: what a session takes happened in it, and hours, cash and seats go by when.

    A clock or a time zone may be off by hours, so a day is let pass.
    """
    if loaded.opened_at and order.at < loaded.opened_at - EARLY_MAX:
        code, since = loaded.table.code, loaded.opened_at.isoformat()
        sentence = f"{code} has been open since {since}, and {order.at.isoformat()} is more than a day before that."
        raise Refused("before_opening", sentence)


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
    pit: str = "",
    par_cents: int = 0,
    fill_line_cents: int = 0,
) -> Done:
    """Set a table up, or set it up anew while it is closed; what is not named is the game's default."""
    chosen = load_game(game)
    event = tables.set_up(
        chosen,
        table=check_table_code(code),
        paytable=paytable or chosen.paytables[0],
        layout=layout or chosen.layouts[0],
        method=method or chosen.methods[0],
        seats=chosen.seats_max if seats is None else seats,
        currency=settings.CASINO_CURRENCY,
        limits=limits or {},
        round_payout_max_cents=round_payout_max_cents,
        off_limits=off_limits,
        payout_rounding_cents=payout_rounding_cents,
        pit=pit,
        par_cents=par_cents,
        fill_line_cents=fill_line_cents,
    )

    def plan() -> Plan:
        key = table_key(property_code(), code)
        version = store.version_of(key)
        if version:
            _check_set_up(order, code, event)
        return Plan([Addition(key, version, gaming_date(order), [event], order.at, table=code)])

    return carry_out(order, "set_up_table", {"table": code, "event": repr(event)}, plan)


def _check_set_up(order: Order, code: str, event: TableSetUp) -> None:
    """A set-up keeps what the table's link promises, and leaves an open table's limits: these are announced."""
    loaded = load_table(code)
    tables.check_promise(loaded.table, event)
    if loaded.session and loaded.session.is_open:
        check_limits_stand(loaded.table.at(order.at), event)


def open_table(
    order: Order, code: str, opener: Count, acknowledged_by: str | None = None, explanation: str = ""
) -> Done:
    """Open a table with its opener; the session's gaming date is fixed by the clock rule now.

    An opener that is not the last closer is explained where the profile asks for an error notification.
    """

    def plan() -> Plan:
        loaded = load_table(code)
        set_up = tables.set_up_of(loaded.table)
        session, opened = sessions.open_table(loaded.table, loaded.session, gaming_date(order), opener, house_profile())
        known = tables.acknowledge(loaded.table, load_game(set_up.game), acknowledged_by)
        key = session_key(property_code(), code, session.gaming_date, session.number)
        numbered, variance = _notified(order, session, key, opened, explanation)
        own = table_key(property_code(), code)
        additions = [Addition(own, loaded.version, session.gaming_date, known, order.at, table=code)] if known else []
        # The session's events stay last: an answer is read from where a command ended.
        events = [opened, *variance, *(carried(loaded.session) if loaded.session else ())]
        additions += [*numbered, Addition(key, 0, session.gaming_date, events, order.at, table=code)]
        guards = [(loaded.session_key, loaded.session_version)] if loaded.session else []
        return Plan(additions, guards if known else [*guards, (own, loaded.version)])

    content = {"table": code, "opener": opener, "acknowledged_by": acknowledged_by}
    if explanation:  # an opening without one keeps the fingerprint it has always had
        content["explanation"] = explanation
    return carry_out(order, "open_table", content, plan, books.ATTEMPTS)


def _notified(
    order: Order, session: Session, key: str, opened: TableOpened, explanation: str
) -> tuple[list[Addition], list[Event]]:
    """The error notification that an opener needs, and its line in the book of notifications."""
    if opened.carried_cents in (None, opened.opener_cents):
        return [], []
    number = books.next_number("error_notification", session.gaming_date, order.at, session.table, key)
    variance = sessions.variance_found(opened, house_profile(), explanation, number.serial)
    return ([number.addition], [variance]) if variance else ([], [])


def roll_table(order: Order, code: str, count: Count, session: str | None = None) -> Done:
    """End the session and begin the next one with the same count; refused while a round or a slip is open.

    `session` names the one that was counted (`2026-11-29/1`); left out, it is the one open now. Of two people who
    roll it at once the second is refused.
    """
    counted = [session] if session else []

    def plan() -> Plan:
        loaded = load_table(code)
        now = tables.opened(loaded.session, code)
        counted.append(now.name)  # the first one stays, whatever is open when this is decided again
        sessions.check_names(now, counted[0])
        n, guard = _last_round(now)
        rolled = sessions.roll(now, code, n, count, gaming_date(order), house_profile(), order.by)
        following = rolled.session
        key = session_key(property_code(), code, following.gaming_date, following.number)
        ended = at_session(order, loaded, rolled.closing)
        return Plan([ended, Addition(key, 0, following.gaming_date, rolled.opening, order.at, table=code)], [guard])

    return carry_out(order, "roll_table", {"table": code, "count": count, "session": session}, plan)


def close_table(order: Order, code: str, closer: Count, session: str | None = None) -> Done:
    """Close the table with its closer; refused while a round or a slip is open. `session` as in `roll_table`."""
    counted = [session] if session else []

    def plan() -> Plan:
        loaded = load_table(code)
        now = tables.opened(loaded.session, code)
        counted.append(now.name)  # the first one stays, whatever is open when this is decided again
        sessions.check_names(now, counted[0])
        n, guard = _last_round(now)
        events = sessions.close_table(now, code, n, closer, house_profile(), order.by)
        free = [whereabouts(now.dealer).moved(order, now, None)] if now.dealer else []
        return Plan([*free, at_session(order, loaded, events)], [guard])

    content: dict[str, object] = {"table": code, "closer": closer}
    if session:  # a close that names none keeps the fingerprint it has always had
        content["session"] = session
    return carry_out(order, "close_table", content, plan)


def _last_round(session: Session) -> tuple[int, tuple[str, int]]:
    """The number of the day's last round, which is over, and the guard that no further one comes to be.

    Whoever opens a round shares the lock on the session that its end takes. Refuses `round_open`.
    """
    code = session.table
    last = latest_round(code, session.gaming_date)
    if last is not None and not last.is_over:
        raise Refused("round_open", f"Round {last.id} is still open; finish or void it before {code} is counted.")
    n = last.id.n if last else 0
    return n, (round_key(property_code(), RoundId(code, session.gaming_date, n + 1)), 0)


def buy_in(order: Order, code: str, amount_cents: int, seat: int | None = None) -> Done:
    """Cash into the drop box, the same in chips to the player."""

    def plan() -> Plan:
        loaded = load_table(code)
        assert loaded.table.set_up is not None
        session = tables.opened(loaded.session, code)
        event = tables.buy_in(session, code, loaded.table.set_up.seats, seat, amount_cents)
        return Plan([at_session(order, loaded, [event])])

    return carry_out(order, "buy_in", {"table": code, "amount_cents": amount_cents, "seat": seat}, plan)
