"""What the pages of the floor show. Each page costs a fixed number of queries, however many tables there are."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from functools import cached_property
from typing import Any, NamedTuple
from zoneinfo import ZoneInfo

from django.conf import settings
from django.db import connection
from django.db.models import Max, Q
from django.utils import timezone
from django.utils.module_loading import import_string

from casino import events as e
from casino.eventstore import history
from casino.eventstore.history import Entry
from casino.eventstore.models import Checkpoint
from casino.eventstore.registry import name_of
from casino.games import load_games
from casino.games.game import Odds
from casino.keys import RoundId, round_key, round_of, session_prefix, table_key
from casino.models import RoundBoard, TableBoard
from casino.refusal import Refused
from casino.round import state
from casino.table import gaming_date_of

PACE_AFTER = timedelta(minutes=10)
"""How long a session is open before its rounds an hour mean anything."""

MARK_LAG_SECONDS = 2
SET_ASIDE_SHOWN = 10
ROUNDS_A_PAGE = 40
SPARK_POINTS = 160

LAST_ROUNDS = """
    SELECT r.table_code, r.gaming_date, r.n, r.stage, r.moved_at, r.seats, r.collected_cents, r.progressive_cents,
           r.winnings_cents, r.rank, r.void_reason,
           CASE WHEN t.session > 1
                THEN (SELECT count(*) FROM board_round o WHERE o.table_code = t.table_code
                         AND o.gaming_date = t.gaming_date AND o.opened_at >= t.since)
                ELSE r.n END
      FROM board_table t CROSS JOIN LATERAL
           (SELECT * FROM board_round r WHERE r.table_code = t.table_code AND r.gaming_date = t.gaming_date
             ORDER BY r.n DESC LIMIT 1) r
     WHERE %s::text IS NULL OR t.table_code = %s"""
WIN_LINE = """
    SELECT n, sum(collected_cents + progressive_cents - winnings_cents) OVER (ORDER BY n)::bigint
      FROM board_round WHERE table_code = %s AND gaming_date = %s ORDER BY n"""
MARK_LAG = """
    SELECT extract(epoch FROM clock_timestamp() - e.recorded_at)::float8 FROM log.event e
     WHERE e.position > (SELECT mark FROM log.horizon) ORDER BY e.position LIMIT 1"""
SET_ASIDE = "SELECT stream, error, set_aside_at FROM log.due WHERE set_aside_at IS NOT NULL ORDER BY id DESC LIMIT 100"


def gaming_date_now() -> date:
    """The gaming date that the property's clock shows."""
    return gaming_date_of(timezone.now(), ZoneInfo(settings.TIME_ZONE), settings.CASINO_ROLLOVER_HOUR)


# ------------------------------------------------------------------------------------------------- the floor


@dataclass(frozen=True)
class Tile:
    """A table on the floor: its board, the last round of its session's day, and figures other apps reckon for it."""

    board: TableBoard
    last: RoundBoard | None
    session_rounds: int
    today: date
    now: datetime
    figures: Mapping[str, Any] = field(default_factory=dict)

    @property
    def code(self) -> str:
        return str(self.board.table_code)

    @property
    def is_open(self) -> bool:
        return bool(self.board.is_open)

    @property
    def is_of_today(self) -> bool:
        """Whether its latest session belongs to the gaming day that the clock shows."""
        return self.board.gaming_date == self.today

    @property
    def roll_is_due(self) -> bool:
        """Open since a gaming day that the clock has left: the table is to be counted and rolled."""
        return self.is_open and self.board.gaming_date < self.today

    @property
    def game_name(self) -> str:
        return game_name(self.board.game)

    @property
    def limits(self) -> "Span | None":
        return span_of(self.board.limits)

    @property
    def seats_taken(self) -> int | None:
        """Seats that placed a wager in the last round; None where there is none to tell by."""
        if not self.is_open or self.last is None:
            return None
        return int(self.last.seats).bit_count()

    @property
    def rounds(self) -> int:
        """Rounds of the session's gaming day; they are numbered from 1 without a gap."""
        return self.last.n if self.last else 0

    @property
    def an_hour(self) -> int | None:
        """Rounds an hour since the session opened, to the nearest whole one; None with `no_pace` as the reason."""
        if self.no_pace:
            return None
        seconds = int((self.now - self.board.since).total_seconds())
        return (self.session_rounds * 3600 + seconds // 2) // seconds

    @property
    def no_pace(self) -> str:
        """Why there is no pace, in words; "" where there is one."""
        if not self.is_open:
            return "the table is closed"
        if self.now - self.board.since < PACE_AFTER:
            minutes = int((self.now - self.board.since).total_seconds() // 60)
            return f"open for {minutes} min; the pace shows after {PACE_AFTER.seconds // 60}"
        return "" if self.last else "no round has been played"


class Span(NamedTuple):
    """Least and most of a table's posted limits, in cents, over all wagers."""

    min_cents: int
    max_cents: int


@dataclass(frozen=True)
class Floor:
    """All tables, and what they make together on this gaming day."""

    tiles: Sequence[Tile]
    today: date

    @cached_property
    def open(self) -> list[Tile]:
        return [tile for tile in self.tiles if tile.is_open]

    @cached_property
    def closed(self) -> list[Tile]:
        return [tile for tile in self.tiles if not tile.is_open]

    @property
    def rounds(self) -> int:
        return sum(tile.rounds for tile in self.tiles if tile.is_of_today)

    @property
    def totals(self) -> dict[str, int] | None:
        """Recorded drop and estimated win of this gaming day; None while nothing is known of it."""
        known = [tile.figures for tile in self.tiles if tile.is_of_today and tile.figures]
        names = ("recorded_drop_cents", "estimated_win_cents")
        return {name: sum(figures[name] for figures in known) for name in names} if known else None


def floor() -> Floor:
    """Every table with its last round and its figures: one query for each read model."""
    today, now = gaming_date_now(), timezone.now()
    boards = list(TableBoard.objects.filter(game__isnull=False).order_by("table_code"))
    last = _last_rounds()
    figures = _figures({b.table_code: b.gaming_date for b in boards if b.gaming_date})
    tiles = [
        Tile(b, *last.get(b.table_code, (None, 0)), today, now, figures.get(b.table_code, {})) for b in boards
    ]
    return Floor(tiles, today)


def _last_rounds(code: str | None = None) -> dict[str, tuple[RoundBoard, int]]:
    """Table → the last round of its latest session's day, and how many rounds that session has had."""
    with connection.cursor() as cursor:
        cursor.execute(LAST_ROUNDS, [code, code])
        names = [column.name for column in cursor.description]
        rows = cursor.fetchall()
    return {row[0]: (RoundBoard(**dict(zip(names[:-1], row[:-1], strict=True))), row[-1]) for row in rows}


def _figures(days: Mapping[str, date]) -> dict[str, dict[str, Any]]:
    """What other apps know of these tables' days; each provider is called once a page, for all tables."""
    known: dict[str, dict[str, Any]] = {}
    for provider in settings.FLOOR_FIGURES:
        for code, figures in import_string(provider)(days).items():
            known.setdefault(code, {}).update(figures)
    return known


class Alert(NamedTuple):
    """Something that a person has to look at: a sentence, the reason in small print, and the round if it is one."""

    sentence: str
    reason: str
    round_id: RoundId | None = None


def alerts() -> list[Alert]:
    """What stands still though it should not: settlements set aside, followers stopped, the mark behind."""
    with connection.cursor() as cursor:
        cursor.execute(SET_ASIDE)
        aside = cursor.fetchall()
        cursor.execute(MARK_LAG)
        lag = cursor.fetchone()
    found = [
        Alert(f"The follower {stopped.name} has stopped, so its figures stand still.", stopped.error)
        for stopped in Checkpoint.objects.exclude(error="")
    ]
    if lag and lag[0] > MARK_LAG_SECONDS:
        found.append(Alert(f"The pages are {int(lag[0])} s behind the log.", "Nobody moves the mark: see /readyz."))
    found += [_set_aside(stream, error) for stream, error, _ in aside[:SET_ASIDE_SHOWN]]
    if len(aside) > SET_ASIDE_SHOWN:
        found.append(Alert(f"{len(aside) - SET_ASIDE_SHOWN} further settlements are set aside.", ""))
    return found


def _set_aside(stream: str, error: str | None) -> Alert:
    try:
        round_id = round_of(stream)
    except ValueError:
        return Alert(f"Work on {stream} is set aside.", error or "")
    return Alert(f"The settlement of round {round_id} is set aside.", error or "", round_id)


# ------------------------------------------------------------------------------------------------- one table


def tile(code: str) -> Tile:
    """One table as the floor shows it; refuses `unknown_table`."""
    board = TableBoard.objects.filter(table_code=code, game__isnull=False).first() if "\0" not in code else None
    if board is None:
        raise Refused("unknown_table", f"There is no table {code!r} on this floor.")
    figures = _figures({code: board.gaming_date}) if board.gaming_date else {}
    last = _last_rounds(code).get(code, (None, 0))
    return Tile(board, *last, gaming_date_now(), timezone.now(), figures.get(code, {}))


class RoundsPage(NamedTuple):
    """Rounds of a table, newest first; `older` is the cursor of the page behind, "" at the end."""

    rounds: list[RoundBoard]
    older: str


def rounds_of(code: str, before: str = "") -> RoundsPage:
    """A table's rounds, newest first, `before` a cursor `<date>:<n>`. An odd cursor raises ValueError."""
    found = RoundBoard.objects.filter(table_code=code).order_by("-gaming_date", "-n")
    if before:
        day, _, n = before.partition(":")
        limit = date.fromisoformat(day), min(int(n), 2**31 - 1)
        found = found.filter(Q(gaming_date__lt=limit[0]) | Q(gaming_date=limit[0], n__lt=limit[1]))
    rounds = list(found[: ROUNDS_A_PAGE + 1])
    if len(rounds) <= ROUNDS_A_PAGE:
        return RoundsPage(rounds, "")
    last = rounds[ROUNDS_A_PAGE - 1]
    return RoundsPage(rounds[:ROUNDS_A_PAGE], f"{last.gaming_date}:{last.n}")


def buy_ins(board: TableBoard, limit: int = 8) -> list[Entry]:
    """The latest buy-ins of the table's latest session day, newest first."""
    if board.gaming_date is None:
        return []
    prefix = f"{session_prefix(settings.CASINO_PROPERTY, board.table_code)}{board.gaming_date.isoformat()}/"
    return history.latest(prefix, name_of(e.CashBoughtIn), limit)


class SetUp(NamedTuple):
    """How a table is set up, what of it favours the player, and who has acknowledged that."""

    event: e.TableSetUp
    paytable: str
    advantages: list[Odds]
    acknowledged: list[Entry]


def set_up_of(code: str) -> SetUp | None:
    """The table's set-up as its own stream tells it."""
    entries = history.of_stream(table_key(settings.CASINO_PROPERTY, code))
    set_ups = [entry for entry in entries if entry.type == name_of(e.TableSetUp)]
    if not set_ups:
        return None
    event: e.TableSetUp = set_ups[-1].event
    odds = load_games()[event.game].odds(event.paytable) if event.game in load_games() else []
    known = [
        entry
        for entry in entries
        if entry.type == name_of(e.AdvantageAcknowledged) and entry.content["paytable"] == event.paytable
    ]
    return SetUp(event, event.paytable, [one for one in odds if one.player_advantage], known)


class WinLine(NamedTuple):
    """The day's game result round by round, drawn into a box of `WIDTH` × `HEIGHT`; amounts in cents."""

    points: str
    zero_y: int
    low_cents: int
    high_cents: int
    last_cents: int
    rounds: int


WIDTH, HEIGHT, MARGIN = 600, 64, 4


def win_line(code: str, day: date | None) -> WinLine | None:
    """The running game result of a table's day, thinned to what a small picture can show."""
    if day is None:
        return None
    with connection.cursor() as cursor:
        cursor.execute(WIN_LINE, [code, day])
        rows = [(0, 0), *cursor.fetchall()]
    if len(rows) < 3:
        return None
    low, high = min(cents for _, cents in rows), max(cents for _, cents in rows)
    span = max(high - low, 1)

    def y(cents: int) -> int:
        return MARGIN + (high - cents) * (HEIGHT - 2 * MARGIN) // span

    every = -(-len(rows) // SPARK_POINTS)
    kept = [*rows[:-1:every], rows[-1]]
    points = " ".join(f"{n * WIDTH // rows[-1][0]},{y(cents)}" for n, cents in kept)
    return WinLine(points, y(0), low, high, rows[-1][1], rows[-1][0])


# ------------------------------------------------------------------------------------------------- one round


@dataclass(frozen=True)
class RoundPage:
    """A round with everything its page shows."""

    round: state.Round
    entries: list[Entry]
    others: tuple[int | None, int | None]

    @property
    def spots(self) -> list["SpotShown"]:
        """The cards by position, with the one that decides the roulette wagers marked."""
        marked = _roulette_position(self.entries) if "roulette" in self.round.game.phases else None
        return [
            SpotShown(position, spot.card, spot.face == "up", position == marked)
            for position, spot in sorted(self.round.felt.spots.items())
        ]

    @property
    def wagers_by_seat(self) -> list[tuple[int, list[state.Standing]]]:
        """Standing wagers, seat by seat, in the order they were placed."""
        seats: dict[int, list[state.Standing]] = {}
        for standing in self.round.wagers.values():
            seats.setdefault(standing.placed.seat, []).append(standing)
        return sorted(seats.items())

    @property
    def stakes_cents(self) -> int:
        return sum(standing.placed.stake_cents for standing in self.round.wagers.values())

    @property
    def result_cents(self) -> int:
        """What the house won (+) or lost (−) so far, progressive stakes included."""
        settled = sum(one.in_cents - one.out_cents for one in self.round.settlements)
        collected = self.round.collected.in_cents if self.round.collected and not self.round.voided else 0
        return settled + collected

    @property
    def misdeal(self) -> dict[str, Any] | None:
        """The fouled deck's evidence, if the round was a misdeal."""
        found = [entry for entry in self.entries if entry.type == name_of(e.MisdealDeclared)]
        return found[0].content if found else None


class SpotShown(NamedTuple):
    """A card as drawn: face up, or its back; `decides` marks the Roulette Card."""

    position: int
    card: str | None
    is_up: bool
    decides: bool


def _roulette_position(entries: Sequence[Entry]) -> int | None:
    """The Roulette Card is the one a wheel named, else the first that lay face up: no other may be turned before."""
    drawn, shown = name_of(e.PositionDrawn), (name_of(e.CardDealt), name_of(e.CardTurned))
    for entry in entries:
        if entry.type == drawn:
            return int(entry.content["drawn_position"])
        if entry.type in shown and entry.content.get("face", "up") == "up":
            return int(entry.content["card_position"])
    return None


def round_page(round_id: RoundId) -> RoundPage:
    """A round by its own events; refuses `unknown_round`."""
    entries = history.of_stream(round_key(settings.CASINO_PROPERTY, round_id), limit=5_000)
    round_ = state.round_of(round_id, (entry.event for entry in entries))
    return RoundPage(round_, entries, _neighbours(round_id))


def _neighbours(round_id: RoundId) -> tuple[int | None, int | None]:
    """The rounds before and after on the same day, as the board knows them."""
    last = RoundBoard.objects.filter(table_code=round_id.table, gaming_date=round_id.gaming_date).aggregate(Max("n"))
    before = round_id.n - 1 if round_id.n > 1 else None
    return before, round_id.n + 1 if (last["n__max"] or 0) > round_id.n else None


def game_name(code: str | None) -> str:
    """A game's name; its code where the game is not dealt here any more."""
    known = load_games().get(code or "")
    return known.name if known else (code or "")


def span_of(limits: Mapping[str, Mapping[str, int]] | None) -> Span | None:
    """Least and most over all posted limits; None where none are posted."""
    if not limits:
        return None
    return Span(min(one["min_cents"] for one in limits.values()), max(one["max_cents"] for one in limits.values()))
