"""A table and its sessions as their streams tell them, the gaming day, and what every decision asks first. Pure."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from msgspec import structs

from casino import house_events  # noqa: F401  streams are read with all their events
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
from casino.games.game import Game, OwnEdges
from casino.keys import TABLE_CODE
from casino.money import check_amount
from casino.refusal import Refused, in_quotes
from casino.seat_events import PatronLeft, PatronSeated
from casino.session_events import DealerOff, DealerOn, DeckMoved, LimitsAnnounced, WinningsPaidElsewhere
from casino.transfers import Transfer, transfers_after

OFF_LIMITS = ("warn", "refuse")
PIT = TABLE_CODE
"""A pit's code is written like a table's."""
CHIP = re.compile(r"[1-9][0-9]{0,11}")
"""A chip by its value in cents, in the one spelling that it has."""


@dataclass(frozen=True)
class Count:
    """A counted tray: the total in cents, its denominations if they were listed, and who counted."""

    total_cents: int
    denominations: dict[str, int] | None = None
    counted_by: tuple[str, ...] = ()


@dataclass(frozen=True)
class Table:
    """What the table's own stream says; `announced` are limits that hold from a moment on, in the order announced."""

    code: str
    set_up: TableSetUp | None = None
    acknowledged: frozenset[tuple[str, str]] = frozenset()
    side_bets: Mapping[str, SideBetTerms] = field(default_factory=dict)
    suspended: Mapping[str, str] = field(default_factory=dict)
    announced: tuple[LimitsAnnounced, ...] = ()

    def at(self, moment: datetime) -> "Table":
        """The table with the limits that hold at a moment: those announced last whose moment has come."""
        held = [one for one in self.announced if one.moment <= moment]
        if not held or self.set_up is None:
            return self
        limits, most = held[-1].limits, held[-1].round_payout_max_cents
        return replace(self, set_up=structs.replace(self.set_up, limits=limits, round_payout_max_cents=most))

    def pending(self, moment: datetime) -> list[LimitsAnnounced]:
        """The limits announced that do not hold yet, and will unless others are announced meanwhile."""
        whens = [one.moment for one in self.announced]
        later = [min(whens[i + 1 :], default=datetime.max.replace(tzinfo=UTC)) for i in range(len(whens))]
        found = zip(self.announced, whens, later, strict=True)
        return [one for one, when, superseded in found if moment < when < superseded]

    def offered(self) -> dict[str, SideBetTerms]:
        """The side bets that the next round takes."""
        return {bet: terms for bet, terms in self.side_bets.items() if bet not in self.suspended}


@dataclass(frozen=True)
class Session:
    """One session of a table, from opener count to closer count; all of it has one gaming date.

    Its rounds are the gaming day's from `first_round` on. Where it `is_rolled`, another session follows it. `seats` are
    the taken ones, each with the patron's id, or None for an unrated player. `transfers` are its fills and credits, by
    the number of their request. `dealer` is who deals, by log-in. `decks` has the last move of every deck recorded
    here, the latest last; `elsewhere` the rounds and seats whose winnings were paid elsewhere.
    """

    table: str
    gaming_date: date
    number: int
    opener: Count | None = None
    closer: Count | None = None
    is_rolled: bool = False
    first_round: int = 1
    last_round: int = 0
    seats: Mapping[int, int | None] = field(default_factory=dict)
    transfers: Mapping[int, Transfer] = field(default_factory=dict)
    dealer: str | None = None
    decks: Mapping[str, DeckMoved] = field(default_factory=dict)
    elsewhere: frozenset[tuple[str, int]] = frozenset()

    @property
    def is_open(self) -> bool:
        """Whether rounds may be opened in it."""
        return self.opener is not None and self.closer is None

    @property
    def name(self) -> str:
        """Its gaming date and number, as people and programs name it: `2026-11-29/1`."""
        return f"{self.gaming_date.isoformat()}/{self.number}"

    def rated(self) -> dict[int, int]:
        """Seat → rated patron; the seats of unrated players are left out."""
        return {seat: patron for seat, patron in sorted(self.seats.items()) if patron is not None}


def table_of(code: str, events: Iterable[Event]) -> Table:
    """The table after its events."""
    table = Table(code)
    for event in events:
        match event:
            case TableSetUp():
                table = replace(table, set_up=event, announced=())
            case LimitsAnnounced():
                table = replace(table, announced=(*table.announced, event))
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
                session = replace(session, opener=count, first_round=event.first_round)
            case TableClosed():
                count = Count(event.closer_cents, event.denominations, tuple(event.counted_by))
                session = replace(session, closer=count, last_round=event.last_round, is_rolled=event.rolled)
            case PatronSeated():
                session = replace(session, seats={**session.seats, event.seat: event.patron_id})
            case PatronLeft():
                session = replace(session, seats={s: p for s, p in session.seats.items() if s != event.seat})
            case DealerOn():
                session = replace(session, dealer=event.dealer)
            case DealerOff():
                session = replace(session, dealer=None)
            case DeckMoved():
                others = {name: last for name, last in session.decks.items() if name != event.deck}
                session = replace(session, decks={**others, event.deck: event})
            case WinningsPaidElsewhere():
                session = replace(session, elsewhere=session.elsewhere | {(event.round, event.seat)})
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


def shift_of(moment: datetime, zone: ZoneInfo, starts: Sequence[int]) -> int:
    """The number, from 1, of the shift that `moment` is in; `starts` are the wall-clock hours at which shifts begin.

    The first of them is the rollover hour: a shift never lies in two gaming days.
    """
    hour = (moment.astimezone(zone).hour - starts[0]) % 24
    return sum(1 for start in starts if (start - starts[0]) % 24 <= hour)


def roll_due_at(opened_at: datetime, zone: ZoneInfo, starts: Sequence[int]) -> datetime:
    """When a session opened at a moment is due to roll: at the next beginning of a shift by the wall clock."""
    wall = opened_at.astimezone(zone).replace(tzinfo=None)
    days = (wall.date(), wall.date() + timedelta(days=1))
    begins = [datetime.combine(day, time(start)) for day in days for start in starts]
    return min(begin for begin in begins if begin > wall).replace(tzinfo=zone)


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
    pit: str = "",
    par_cents: int = 0,
    fill_line_cents: int = 0,
) -> TableSetUp:
    """Check a table's set-up against its game; `pit`, par and fill line may be left open."""
    _offered("paytable", paytable, game.paytables)
    _offered("layout", layout, game.layouts)
    _offered("method", method, game.methods)
    _offered("off_limits", off_limits, OFF_LIMITS)
    if not 1 <= seats <= game.seats_max:
        raise Refused("bad_seats", f"{game.name} is played with 1 to {game.seats_max} seats, not {seats}.")
    check_limits(limits, game, paytable)
    check_amount(round_payout_max_cents, "The maximum payout of a round")
    check_amount(payout_rounding_cents, "The smallest amount that the table pays")
    _check_place(pit, par_cents, fill_line_cents)
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
        pit=pit,
        par_cents=par_cents,
        fill_line_cents=fill_line_cents,
    )


def check_limits(limits: Mapping[str, Limits], game: Game, paytable: str) -> None:
    """Refuse `unknown_bet`, `bad_limits`, and amounts over the greatest."""
    bets = [*(game.edges(paytable) if isinstance(game, OwnEdges) else (one.wager for one in game.odds(paytable)))]
    for bet, limit in limits.items():
        if bet not in bets:
            sentence = f"{in_quotes(bet)} is no bet that has limits in {game.name}; choose from {', '.join(bets)}."
            raise Refused("unknown_bet", sentence)
        if not 0 < limit.min_cents <= limit.max_cents:
            raise Refused("bad_limits", f"The limits of {bet} must be above zero, the least not above the most.")
        check_amount(limit.max_cents, f"The maximum of {bet}")


def _check_place(pit: str, par_cents: int, fill_line_cents: int) -> None:
    if pit and not PIT.fullmatch(pit):
        raise Refused("bad_pit", f"{in_quotes(pit)} is not a pit's code; use capital letters, digits and hyphens.")
    for cents, what in ((par_cents, "The par of the tray"), (fill_line_cents, "The fill line")):
        if cents:
            check_amount(cents, what)
    if par_cents and fill_line_cents > par_cents:
        raise Refused("bad_fill_line", "The fill line is above the tray's par; a fill brings a tray up to its par.")


def _offered(what: str, name: str, names: Sequence[str]) -> None:
    if name not in names:
        raise Refused(
            f"unknown_{what}", f"{in_quotes(name)} is not a {what} of this game; choose from {', '.join(names)}."
        )


def check_promise(table: Table, wanted: TableSetUp) -> None:
    """A table that offers a progressive gives the same chance as all tables of its link, until it leaves it."""
    before = table.set_up
    if before is None or not table.offered():
        return
    if (before.game, before.paytable, before.currency) != (wanted.game, wanted.paytable, wanted.currency):
        links = ", ".join(sorted(terms.link for terms in table.offered().values()))
        raise Refused(
            "side_bet_offered",
            f"Table {table.code} is on link {links}, whose tables all deal {before.game} by {before.paytable}; let it "
            "leave the link first.",
        )


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


def set_up_of(table: Table) -> TableSetUp:
    """How the table is set up, or refused `unknown_table`."""
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
        if not CHIP.fullmatch(denomination):
            sentence = f"The {what} lists {in_quotes(denomination)}, which is no chip; write its value in whole cents."
            raise Refused("bad_denomination", sentence)
        if value < 0 or value % int(denomination):
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
