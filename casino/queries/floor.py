"""The floor: every table with its last round and its figures, and what a person has to look at."""

import hashlib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime, timedelta
from fractions import Fraction
from functools import cached_property
from typing import Any, NamedTuple
from zoneinfo import ZoneInfo

from django.conf import settings
from django.db import connection
from django.utils import timezone
from django.utils.module_loading import import_string

from casino.eventstore.models import Checkpoint
from casino.games import load_games
from casino.keys import RoundId, round_of
from casino.models import RoundBoard, TableBoard
from casino.refusal import Refused, in_quotes
from casino.table import gaming_date_of, shift_of

PACE_AFTER = timedelta(minutes=10)
"""How long a session is open before its rounds an hour mean anything."""

NO_PIT = "-"
"""Stands in an address for the tables of no pit."""

MARK_LAG_SECONDS = 2
SET_ASIDE_SHOWN = 10

LAST_ROUNDS = """
    SELECT r.table_code, r.gaming_date, r.n, r.stage, r.moved_at, r.seats, r.collected_cents, r.progressive_cents,
           r.winnings_cents, r.rank, r.void_reason, r.last_position,
           CASE WHEN t.session > 1
                THEN (SELECT count(*) FROM board_round o WHERE o.table_code = t.table_code
                         AND o.gaming_date = t.gaming_date AND o.opened_at >= t.since)
                ELSE r.n END
      FROM board_table t CROSS JOIN LATERAL
           (SELECT * FROM board_round r WHERE r.table_code = t.table_code AND r.gaming_date = t.gaming_date
             ORDER BY r.n DESC LIMIT 1) r
     WHERE %s::text IS NULL OR t.table_code = %s"""
MARK_LAG = """
    SELECT extract(epoch FROM clock_timestamp() - e.recorded_at)::float8 FROM log.event e
     WHERE e.position > (SELECT mark FROM log.horizon) ORDER BY e.position LIMIT 1"""
SET_ASIDE = "SELECT stream, error, set_aside_at FROM log.due WHERE set_aside_at IS NOT NULL ORDER BY id DESC LIMIT 100"


def gaming_date_now() -> date:
    """The gaming date that the property's clock shows."""
    return gaming_date_of(timezone.now(), ZoneInfo(settings.TIME_ZONE), settings.CASINO_ROLLOVER_HOUR)


def shift_at(moment: datetime) -> int:
    """The number of the shift that a moment is in, by the property's clock."""
    return shift_of(moment, ZoneInfo(settings.TIME_ZONE), settings.CASINO_SHIFTS)


@dataclass(frozen=True)
class Tile:
    """A table on the floor: its board, the last round of its session's day, and figures other apps reckon for it."""

    board: TableBoard
    latest: "Latest"
    today: date
    now: datetime
    figures: Mapping[str, Any] = field(default_factory=dict)

    @property
    def last(self) -> RoundBoard | None:
        return self.latest.round

    @property
    def pit(self) -> str:
        return str(self.board.pit or "")

    @property
    def position(self) -> int:
        """The last position of the log that any of its figures speak of."""
        known = [self.board.last_position, self.figures.get("position", 0)]
        return max(known + ([self.last.last_position] if self.last else []))

    @property
    def replayed_position(self) -> int:
        """The last position that figures dealt again speak of: they come some while after the others."""
        return int(self.figures.get("replayed_position", 0))

    @property
    def marks(self) -> list[str]:
        """What a person has to see to here, in words: what shows at once, and alerts that do not say the same."""
        alerts = self.figures.get("alerts", ())
        said = {alert.rule for alert in alerts}
        off = self.board.side_bet_off if self.is_open else None
        found = [f"progressive not taken: {off}"] if off else []
        found += ["Roll due"] if self.roll_is_due and "roll_due" not in said else []
        found += ["Tray below fill line"] if self.is_below_fill_line and "tray_below_fill_line" not in said else []
        return list(dict.fromkeys(found + [alert.title for alert in alerts]))  # one title may stand for two subjects

    @property
    def is_below_fill_line(self) -> bool:
        """Whether less is expected in the tray than its set-up names as the line for a fill."""
        tray = self.figures.get("expected_tray_cents")
        return self.is_open and tray is not None and tray < (self.board.fill_line_cents or 0)

    @property
    def code(self) -> str:
        return str(self.board.table_code)

    @property
    def is_open(self) -> bool:
        return bool(self.board.is_open)

    @property
    def is_behind(self) -> bool:
        """Whether the house is behind at an open table, by the estimate."""
        return self.is_open and self.figures.get("estimated_win_cents", 0) < 0

    @property
    def is_of_today(self) -> bool:
        """Whether its latest session belongs to the gaming day that the clock shows."""
        return self.board.gaming_date == self.today

    @property
    def shift(self) -> int | None:
        """The number of the shift in which its session opened; None where the table was never open."""
        return shift_at(self.board.since) if self.is_open else None

    @property
    def roll_is_due(self) -> bool:
        """Open since a gaming day or a shift that the clock has left: the table is to be counted and rolled."""
        return self.is_open and (self.board.gaming_date, self.shift) != (self.today, shift_at(self.now))

    @property
    def game_name(self) -> str:
        return game_name(self.board.game)

    @property
    def limits(self) -> "Span | None":
        return span_of(limits_at(self.board, self.now))

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
        return (self.latest.session_rounds * 3600 + seconds // 2) // seconds

    @property
    def no_pace(self) -> str:
        """Why there is no pace, in words; "" where there is one."""
        if not self.is_open:
            return "the table is closed"
        if self.now - self.board.since < PACE_AFTER:
            minutes = int((self.now - self.board.since).total_seconds() // 60)
            return f"open {minutes} min; pace after {PACE_AFTER.seconds // 60} min"
        return "" if self.last else "no round has been played"


class Latest(NamedTuple):
    """The last round of a table's latest session's day, and how many rounds that session has had."""

    round: RoundBoard | None = None
    session_rounds: int = 0


class Span(NamedTuple):
    """Least and most of a table's posted limits, in cents, over all wagers."""

    min_cents: int
    max_cents: int


class Shown(NamedTuple):
    """Which tables a page shows: of one pit, one game, open or closed ones; "" stands for all."""

    pit: str = ""
    game: str = ""
    state: str = ""

    def takes(self, tile: Tile) -> bool:
        wanted = {
            "": True,
            "open": tile.is_open,
            "closed": not tile.is_open,
            "behind": tile.is_behind,
            "marked": bool(tile.marks),
        }
        return (
            self.pit in ("", tile.pit or NO_PIT)
            and self.game in ("", tile.board.game)
            and wanted.get(self.state, False)
        )


@dataclass(frozen=True)
class Floor:
    """Tables, and what they make together this gaming day.

    All of it is read at least up to `read_up_to`, what is dealt again to `replayed_up_to`.
    """

    tiles: Sequence[Tile]
    today: date
    read_up_to: int = 0
    replayed_up_to: int = 0
    name: str = ""

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
        """Recorded drop and estimated win of this gaming day; None while nothing is known of it.

        A table that opened just now may have luck or alerts already, and no figures of the books.
        """
        names = ("recorded_drop_cents", "estimated_win_cents")
        known = [tile.figures for tile in self.tiles if tile.is_of_today and names[0] in tile.figures]
        return {name: sum(figures[name] for figures in known) for name in names} if known else None

    @property
    def pits(self) -> list["Floor"]:
        """The tables by pit, each pit with what it makes; tables of no pit come last."""
        names = sorted({tile.pit for tile in self.tiles}, key=lambda name: (not name, name))
        return [replace(self, tiles=[t for t in self.tiles if t.pit == name], name=name) for name in names]

    @property
    def layout(self) -> str:
        """Which tiles stand where, and what the clock alone changes of them: a page of others is fetched whole."""
        said = ";".join(
            f"{t.pit}:{t.code}:{t.is_open:d}{t.roll_is_due:d}:{t.limits}" for p in self.pits for t in p.tiles
        )
        return hashlib.sha256(said.encode()).hexdigest()[:12]

    @property
    def seats(self) -> int:
        """Seats at the open tables that have played a round: of the others nobody knows who sits there."""
        return sum(tile.board.seats for tile in self.open if tile.seats_taken is not None)

    @property
    def seats_taken(self) -> int:
        """Those of them that placed a wager in their table's last round."""
        return sum(tile.seats_taken or 0 for tile in self.open)

    @property
    def occupancy(self) -> Fraction | None:
        """Seats taken of all of them; None where there is no round to tell by."""
        return Fraction(self.seats_taken, self.seats) if self.seats else None

    @property
    def verdicts(self) -> list[tuple[str, int]]:
        """How many tables luck has which word for, in the order in which one looks."""
        said = Counter(
            tile.figures["luck"].verdict for tile in self.tiles if tile.is_of_today and "luck" in tile.figures
        )
        return [(word, said[word]) for word in ("look here", "unusual", "ordinary") if said[word]]

    @property
    def marked(self) -> list[Tile]:
        """The tables where somebody has to see to something."""
        return [tile for tile in self.tiles if tile.marks]

    def moved_since(self, position: int, replayed: int) -> list[Tile]:
        """The tiles whose figures may have changed for a reader who has seen both positions."""
        return [tile for tile in self.tiles if tile.position > position or tile.replayed_position > replayed]

    def only(self, shown: Shown) -> "Floor":
        """The tables that a page asks for, among them all."""
        return replace(self, tiles=[tile for tile in self.tiles if shown.takes(tile)])


def floor() -> Floor:
    """Every table with its last round and its figures: one query for each read model."""
    # First of all, so that whatever is read later is at least as far.
    read = dict(Checkpoint.objects.values_list("name", "position"))
    today, now = gaming_date_now(), timezone.now()
    boards = list(TableBoard.objects.filter(game__isnull=False).order_by("table_code"))
    last = _last_rounds()
    figures = _figures({b.table_code: b.gaming_date for b in boards if b.gaming_date})
    tiles = [Tile(b, last.get(b.table_code, Latest()), today, now, figures.get(b.table_code, {})) for b in boards]
    soon, later = (
        min((read[name] for name in readers if name in read), default=0)
        for readers in (settings.FLOOR_READERS, settings.FLOOR_READERS_LATER)
    )
    return Floor(tiles, today, soon, later)


def _last_rounds(code: str | None = None) -> dict[str, Latest]:
    """Of every table that has played, or of the one named."""
    with connection.cursor() as cursor:
        cursor.execute(LAST_ROUNDS, [code, code])
        names = [column.name for column in cursor.description]
        rows = cursor.fetchall()
    return {row[0]: Latest(RoundBoard(**dict(zip(names[:-1], row[:-1], strict=True))), row[-1]) for row in rows}


def _figures(days: Mapping[str, date]) -> dict[str, dict[str, Any]]:
    """What other apps know of these tables' days; each provider is called once a page, for all tables."""
    known: dict[str, dict[str, Any]] = {}
    for provider in settings.FLOOR_FIGURES:
        for code, figures in import_string(provider)(days).items():
            of_table = known.setdefault(code, {})
            position = max(of_table.get("position", 0), figures.get("position", 0))
            of_table.update(figures, position=position)
    return known


def tile(code: str) -> Tile:
    """One table as the floor shows it; refuses `unknown_table`."""
    board = TableBoard.objects.filter(table_code=code, game__isnull=False).first() if "\0" not in code else None
    if board is None:
        raise Refused("unknown_table", f"There is no table {in_quotes(code)} on this floor.")
    figures = _figures({code: board.gaming_date}) if board.gaming_date else {}
    last = _last_rounds(code).get(code, Latest())
    return Tile(board, last, gaming_date_now(), timezone.now(), figures.get(code, {}))


def game_name(code: str | None) -> str:
    """A game's name; its code where the game is not dealt here any more."""
    known = load_games().get(code or "")
    return known.name if known else (code or "")


def limits_at(board: TableBoard, moment: datetime) -> Mapping[str, Mapping[str, int]] | None:
    """The limits that hold at a moment: those announced last whose moment has come, else those of the set-up."""
    held = [one["limits"] for one in board.announced or () if datetime.fromisoformat(one["from"]) <= moment]
    return held[-1] if held else board.limits


def span_of(limits: Mapping[str, Mapping[str, int]] | None) -> Span | None:
    """Least and most over all posted limits; None where none are posted."""
    if not limits:
        return None
    return Span(min(one["min_cents"] for one in limits.values()), max(one["max_cents"] for one in limits.values()))


# ------------------------------------------------------------------------------------------------- alerts


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
