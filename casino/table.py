"""A table and its sessions: what is set up, whether it is open, and the decisions that open and close it. Pure."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

from casino import session_events, slip_events  # noqa: F401  a session's stream is read with all its events
from casino.events import (
    AdvantageAcknowledged,
    CashBoughtIn,
    Limits,
    SideBetOffered,
    SideBetSuspended,
    SideBetTerms,
    TableClosed,
    TableOpened,
    TableSetUp,
)
from casino.eventstore.registry import Event
from casino.games.game import Game
from casino.money import check_amount
from casino.refusal import Refused
from casino.seat_events import PatronLeft, PatronSeated
from casino.transfers import Transfer, check_none_open, transfers_after

OFF_LIMITS = ("warn", "refuse")


@dataclass(frozen=True)
class Count:
    """A counted tray: the total in cents, its denominations if they were listed, and who counted."""

    total_cents: int
    denominations: dict[str, int] | None = None
    counted_by: tuple[str, ...] = ()


@dataclass(frozen=True)
class Table:
    """What the table's own stream says."""

    code: str
    set_up: TableSetUp | None = None
    acknowledged: frozenset[tuple[str, str]] = frozenset()
    side_bets: Mapping[str, SideBetTerms] = field(default_factory=dict)
    suspended: Mapping[str, str] = field(default_factory=dict)

    def offered(self) -> dict[str, SideBetTerms]:
        """The side bets that the next round takes."""
        return {bet: terms for bet, terms in self.side_bets.items() if bet not in self.suspended}


@dataclass(frozen=True)
class Session:
    """One session of a table, from opener count to closer count; all of it has one gaming date.

    `seats` are the taken ones, each with the patron's id, or None for an unrated player. `transfers` are its fills and
    credits, by the number of their request.
    """

    table: str
    gaming_date: date
    number: int
    opener: Count | None = None
    closer: Count | None = None
    last_round: int = 0
    seats: Mapping[int, int | None] = field(default_factory=dict)
    transfers: Mapping[int, Transfer] = field(default_factory=dict)

    @property
    def is_open(self) -> bool:
        """Whether rounds may be opened in it."""
        return self.opener is not None and self.closer is None

    def rated(self) -> dict[int, int]:
        """Seat → rated patron; the seats of unrated players are left out."""
        return {seat: patron for seat, patron in sorted(self.seats.items()) if patron is not None}


def table_of(code: str, events: Iterable[Event]) -> Table:
    """The table after its events."""
    table = Table(code)
    for event in events:
        match event:
            case TableSetUp():
                table = replace(table, set_up=event)
            case AdvantageAcknowledged():
                known = {(event.paytable, wager) for wager in event.wagers}
                table = replace(table, acknowledged=table.acknowledged | known)
            case SideBetOffered():
                suspended = {bet: why for bet, why in table.suspended.items() if bet != event.bet}
                offers = {**table.side_bets, event.bet: event.terms}
                table = replace(table, side_bets=offers, suspended=suspended)
            case SideBetSuspended():
                table = replace(table, suspended={**table.suspended, event.bet: event.reason})
    return table


def session_after(session: Session, events: Iterable[Event]) -> Session:
    """The session after its events."""
    for event in events:
        match event:
            case TableOpened():
                count = Count(event.opener_cents, event.denominations, tuple(event.counted_by))
                session = replace(session, opener=count)
            case TableClosed():
                count = Count(event.closer_cents, event.denominations, tuple(event.counted_by))
                session = replace(session, closer=count, last_round=event.last_round)
            case PatronSeated():
                session = replace(session, seats={**session.seats, event.seat: event.patron_id})
            case PatronLeft():
                session = replace(session, seats={s: p for s, p in session.seats.items() if s != event.seat})
            case _:
                session = replace(session, transfers=transfers_after(session.transfers, event))
    return session


def seated_at(session: Session, history: Iterable[tuple[datetime, Event]], moment: datetime) -> Session:
    """The session with the seats as they were at a moment: a feed's round may have been played before it is known."""
    then = (event for at, event in history if at <= moment and isinstance(event, PatronSeated | PatronLeft))
    return replace(session, seats=session_after(replace(session, seats={}), then).seats)


def gaming_date_of(moment: datetime, zone: ZoneInfo, rollover_hour: int) -> date:
    """The gaming date of `moment`: the property's wall clock minus the rollover hour (books, section 4).

    The subtraction is in wall time, so that days of 23 and 25 hours come out right.
    """
    wall = moment.astimezone(zone).replace(tzinfo=None)
    return (wall - timedelta(hours=rollover_hour)).date()


def set_up(
    game: Game,
    *,
    table: str,
    paytable: str,
    layout: str,
    method: str,
    seats: int,
    currency: str,
    limits: Mapping[str, Limits],
    round_payout_max_cents: int,
    off_limits: str,
    payout_rounding_cents: int = 1,
) -> TableSetUp:
    """Check a table's set-up against its game."""
    _offered("paytable", paytable, game.paytables)
    _offered("layout", layout, game.layouts)
    _offered("method", method, game.methods)
    _offered("off_limits", off_limits, OFF_LIMITS)
    if not 1 <= seats <= game.seats_max:
        raise Refused("bad_seats", f"{game.name} is played with 1 to {game.seats_max} seats, not {seats}.")
    for bet, limit in limits.items():
        if not 0 < limit.min_cents <= limit.max_cents:
            raise Refused("bad_limits", f"The limits of {bet} must be above zero, the least not above the most.")
        check_amount(limit.max_cents, f"The maximum of {bet}")
    check_amount(round_payout_max_cents, "The maximum payout of a round")
    check_amount(payout_rounding_cents, "The smallest amount that the table pays")
    return TableSetUp(
        table=table,
        game=game.code,
        paytable=paytable,
        layout=layout,
        method=method,
        seats=seats,
        currency=currency,
        limits=dict(limits),
        round_payout_max_cents=round_payout_max_cents,
        off_limits="warn" if off_limits == "warn" else "refuse",
        payout_rounding_cents=payout_rounding_cents,
    )


def _offered(what: str, name: str, names: Sequence[str]) -> None:
    if name not in names:
        raise Refused(f"unknown_{what}", f"{name!r} is not a {what} of this game; choose from {', '.join(names)}.")


def acknowledge(table: Table, game: Game, name: str | None) -> list[Event]:
    """The acknowledgement that a table needs before it opens, if it needs one and has none yet.

    Refused `advantage_not_acknowledged` when the paytable pays more than it takes and nobody is named.
    """
    assert table.set_up is not None
    paytable = table.set_up.paytable
    giving = [o for o in game.odds(paytable) if o.player_advantage and (paytable, o.wager) not in table.acknowledged]
    if not giving:
        return []
    if not name or not name.strip():
        odds = ", ".join(f"{o.wager} by {-o.house_edge} of the stake" for o in giving)
        raise Refused(
            "advantage_not_acknowledged",
            f"The paytable {paytable} of table {table.code} gives the player the advantage on {odds}. "
            "Name the person who acknowledges this in acknowledged_by.",
            wagers=[o.wager for o in giving],
        )
    wagers = [o.wager for o in giving]
    return [AdvantageAcknowledged(table=table.code, paytable=paytable, wagers=wagers, name=name.strip())]


def open_table(table: Table, latest: Session | None, gaming_date: date, opener: Count) -> tuple[Session, TableOpened]:
    """Open the next session of the table; the gaming date stays with the session until it closes."""
    _set_up(table)
    if latest is not None and latest.is_open:
        raise Refused("table_open", f"Table {table.code} is open already, since gaming day {latest.gaming_date}.")
    if latest is not None and latest.gaming_date > gaming_date:
        raise Refused("day_gone", f"Table {table.code} has been open on a later gaming day than {gaming_date}.")
    check_count(opener, "opener")
    same_day = latest is not None and latest.gaming_date == gaming_date
    session = Session(table.code, gaming_date, latest.number + 1 if latest and same_day else 1)
    return session, TableOpened(
        table=table.code,
        session=session.number,
        opener_cents=opener.total_cents,
        denominations=opener.denominations,
        counted_by=list(opener.counted_by),
    )


def close_table(session: Session | None, code: str, last_round: int, closer: Count) -> list[Event]:
    """Free the seats and close the open session; the caller has made sure that no round is open.

    Refuses `slip_open` while a fill or credit waits for somebody.
    """
    session = opened(session, code)
    check_none_open(session)
    check_count(closer, "closer")
    gone = [PatronLeft(table=code, seat=seat, patron_id=patron) for seat, patron in sorted(session.seats.items())]
    closed = TableClosed(
        table=code,
        session=session.number,
        closer_cents=closer.total_cents,
        denominations=closer.denominations,
        counted_by=list(closer.counted_by),
        last_round=last_round,
    )
    return [*gone, closed]


def buy_in(session: Session | None, code: str, seats: int, seat: int | None, amount_cents: int) -> CashBoughtIn:
    """Take cash for chips at an open table."""
    session = opened(session, code)
    check_amount(amount_cents, "A buy-in")
    if seat is None:
        return CashBoughtIn(table=code, seat=None, amount_cents=amount_cents)
    check_seat(code, seats, seat)
    return CashBoughtIn(table=code, seat=seat, amount_cents=amount_cents, patron_id=session.seats.get(seat))


def check_seat(code: str, seats: int, seat: int) -> None:
    """Refuse `seat_out_of_range`."""
    if not 1 <= seat <= seats:
        raise Refused("seat_out_of_range", f"Table {code} has seats 1 to {seats}; there is no seat {seat}.")


def opened(session: Session | None, code: str) -> Session:
    """The session, or refused `table_closed`."""
    if session is None or not session.is_open:
        raise Refused("table_closed", f"Table {code} is closed; open it with its opener first.")
    return session


def _set_up(table: Table) -> TableSetUp:
    if table.set_up is None:
        raise Refused("unknown_table", f"There is no table {table.code}; set it up first.")
    return table.set_up


def check_count(count: Count, what: str) -> None:
    """A count is not negative, and its denominations, if listed, add up to it."""
    if count.total_cents:
        check_amount(count.total_cents, f"The {what}")
    if count.denominations is None:
        return
    for denomination, value in count.denominations.items():
        if not denomination.isdecimal() or not int(denomination) or value < 0 or value % int(denomination):
            raise Refused(
                "bad_denomination",
                f"The {what} lists {value} cents in chips of {denomination} cents, which is no whole number of chips.",
            )
    total = sum(count.denominations.values())
    if total != count.total_cents:
        raise Refused(
            "count_does_not_add_up",
            f"The denominations of the {what} make {total} cents, and its total says {count.total_cents}.",
        )
