"""A table's sessions: opened against the last closer, rolled by one count, closed. Pure.

A tray is counted by as many different people as the jurisdiction's profile says. Where the opener is not the closer
that was carried, both are kept, and the profile says who is told of it (books, section 6).
"""

from datetime import date
from typing import NamedTuple

from casino.decks import carried
from casino.events import TableClosed, TableOpened
from casino.eventstore.registry import Event
from casino.money import written
from casino.profile import Profile
from casino.refusal import Refused
from casino.seat_events import PatronLeft, PatronSeated
from casino.session_events import ClosedTableRecorded, DealerOff, DealerOn, OpenerVarianceFound
from casino.table import Count, Session, Table, check_count, opened, set_up_of
from casino.transfers import check_none_open

SESSIONS_A_DAY = 99
"""The number of a session has two digits in its stream's key."""


class Roll(NamedTuple):
    """What one count makes of a session: how it ends, the next one, and how that begins."""

    closing: list[Event]
    session: Session
    opening: list[Event]


def open_table(
    table: Table, latest: Session | None, gaming_date: date, opener: Count, rules: Profile
) -> tuple[Session, TableOpened]:
    """Open the next session of the table; the gaming date stays with the session until it closes.

    Refuses `table_open`, `day_gone`, and a count that can't be or that too few people have made.
    """
    set_up_of(table)
    if latest is not None and latest.is_open:
        raise Refused("table_open", f"Table {table.code} is open already, since gaming day {latest.gaming_date}.")
    check_counted(opener, "opener", rules)
    session = _next_session(table.code, latest, gaming_date)
    carried = latest.closer.total_cents if latest and latest.closer else None
    return session, _opened(session, opener, carried, rolled=False)


def variance_found(
    table_opened: TableOpened, rules: Profile, explanation: str, serial: int
) -> OpenerVarianceFound | None:
    """The error notification that an opener needs, under the next number of its book; None where it needs none.

    Refuses `explanation_missing`: an opener that differs by so much is counted again, and explained if it stands.
    """
    carried, counted = table_opened.carried_cents, table_opened.opener_cents
    step = rules.variance_step(counted - carried) if carried is not None else None
    if carried is None or step is None:
        return None
    if not explanation.strip():
        sentence = (
            f"The closer carried to {table_opened.table} is {written(carried)} and the opener counted "
            f"{written(counted)}. Count again; if the difference stands, say in explanation what is known of it."
        )
        raise Refused("explanation_missing", sentence, carried_cents=carried, counted_cents=counted)
    return OpenerVarianceFound(
        table=table_opened.table,
        serial=serial,
        carried_cents=carried,
        counted_cents=counted,
        explanation=explanation.strip(),
        notified=list(step.notify),
        incident_report_hours=step.incident_report_hours,
        by=table_opened.counted_by,
    )


def close_table(
    session: Session | None, code: str, last_round: int, closer: Count, rules: Profile, by: str
) -> list[Event]:
    """Free seats and dealer and close the open session; the caller has made sure that no round is open.

    Refuses `slip_open` while a fill or credit waits for somebody.
    """
    return _closing(opened(session, code), last_round, closer, rules, by, rolled=False)


def roll(
    session: Session | None, code: str, last_round: int, count: Count, gaming_date: date, rules: Profile, by: str
) -> Roll:
    """End the open session and begin the next one with the same count (books, section 1); players, dealer, decks stay.

    A patron's time at the table goes on without a gap: the seat is left and taken at the same moment.
    """
    session = opened(session, code)
    closing = _closing(session, last_round, count, rules, by, rolled=True)
    closed = Session(code, session.gaming_date, session.number, session.opener, count, last_round=last_round)
    following = _next_session(code, closed, gaming_date)
    opening: list[Event] = [_opened(following, count, count.total_cents, rolled=True)]
    opening += [PatronSeated(table=code, seat=s, patron_id=patron) for s, patron in sorted(session.seats.items())]
    if session.dealer:
        opening.append(DealerOn(table=code, dealer=session.dealer, relieves=None, by=by))
    opening += carried(session)
    return Roll(closing, following, opening)


def closed_table(code: str, latest: Session | None, day: date, is_recorded: bool, by: str) -> ClosedTableRecorded:
    """The form for a table that has not been open on a gaming day; `latest` is its last session up to that day.

    Refuses `table_was_open` and `already_recorded`.
    """
    if latest is not None and (latest.is_open or latest.gaming_date >= day):
        state = "is open" if latest.is_open else "was open"
        raise Refused(
            "table_was_open", f"Table {code} {state} on gaming day {latest.gaming_date}; it needs no such form."
        )
    if is_recorded:
        raise Refused("already_recorded", f"The form of {code} for gaming day {day} is recorded already.")
    return ClosedTableRecorded(
        table=code,
        last_open=latest.gaming_date.isoformat() if latest else None,
        closer_cents=latest.closer.total_cents if latest and latest.closer else None,
        by=by,
    )


def check_counted(count: Count, what: str, rules: Profile) -> None:
    """A count that adds up, by as many different people as the profile asks for.

    Refuses `bad_name`, `counters_missing` and `same_person` besides what `check_count` refuses.
    """
    check_count(count, what)
    if not all(given.isprintable() for given in count.counted_by):
        raise Refused("bad_name", f"A name of who counted the {what} holds a sign that can't be seen; write it anew.")
    names = [name for name in (" ".join(given.split()).casefold() for given in count.counted_by) if name]
    if len(set(names)) < len(names):
        raise Refused("same_person", f"The {what} names one person twice; another person has to count it as well.")
    wanted = rules.inventory.counted_by
    if len(names) < wanted:
        sentence = f"The {what} is counted by {wanted} people; name each of them in counted_by."
        raise Refused("counters_missing", sentence, wanted=wanted)


def check_names(session: Session, named: str) -> None:
    """Refuse `session_over`: the session that was counted has been counted out by somebody else meanwhile."""
    if named != session.name:
        sentence = f"Session {named} of {session.table} is over, and {session.name} is open; look at the table again."
        raise Refused("session_over", sentence, session=session.name)


def _closing(session: Session, last_round: int, closer: Count, rules: Profile, by: str, rolled: bool) -> list[Event]:
    check_none_open(session)
    check_counted(closer, "closer", rules)
    code = session.table
    gone: list[Event] = [
        PatronLeft(table=code, seat=seat, patron_id=patron) for seat, patron in sorted(session.seats.items())
    ]
    if session.dealer:
        gone.append(DealerOff(table=code, dealer=session.dealer, by=by))
    closed = TableClosed(
        table=code,
        session=session.number,
        closer_cents=closer.total_cents,
        denominations=closer.denominations,
        counted_by=list(closer.counted_by),
        last_round=last_round,
        rolled=rolled,
    )
    return [*gone, closed]


def _next_session(code: str, latest: Session | None, gaming_date: date) -> Session:
    if latest is None or latest.gaming_date < gaming_date:
        return Session(code, gaming_date, 1)
    if latest.gaming_date > gaming_date:
        raise Refused("day_gone", f"Table {code} has been open on a later gaming day than {gaming_date}.")
    if latest.number >= SESSIONS_A_DAY:
        raise Refused("too_many_sessions", f"Table {code} has had {SESSIONS_A_DAY} sessions on {gaming_date}.")
    return Session(code, gaming_date, latest.number + 1, first_round=latest.last_round + 1)


def _opened(session: Session, opener: Count, carried_cents: int | None, rolled: bool) -> TableOpened:
    return TableOpened(
        table=session.table,
        session=session.number,
        opener_cents=opener.total_cents,
        denominations=opener.denominations,
        counted_by=list(opener.counted_by),
        first_round=session.first_round,
        carried_cents=carried_cents,
        rolled=rolled,
    )
