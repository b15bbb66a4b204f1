"""One table: its rounds page by page, its buy-ins, its set-up and the win line of its day."""

from datetime import date
from typing import NamedTuple

from django.conf import settings
from django.db import connection
from django.db.models import Q
from django.utils import timezone

from casino import events as e
from casino.eventstore import history
from casino.eventstore.history import Entry
from casino.eventstore.registry import name_of
from casino.games import load_games
from casino.games.game import Odds
from casino.keys import session_key, session_prefix, table_key
from casino.models import RoundBoard, TableBoard
from casino.session_events import LimitsAnnounced
from casino.table import set_up_of as table_set_up
from casino.table import table_of
from casino.tray import denominations

ROUNDS_A_PAGE = 40
SPARK_POINTS = 160

WIN_LINE = """
    SELECT n, sum(collected_cents + progressive_cents - winnings_cents) OVER (ORDER BY n)::bigint
      FROM board_round WHERE table_code = %s AND gaming_date = %s ORDER BY n"""


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


def buy_ins(board: TableBoard, limit: int = 6) -> list[Entry]:
    """The latest buy-ins of the table's latest session day, newest first."""
    if board.gaming_date is None:
        return []
    prefix = f"{session_prefix(settings.CASINO_PROPERTY, board.table_code)}{board.gaming_date.isoformat()}/"
    return history.latest(prefix, name_of(e.CashBoughtIn), limit)


def tray_of(board: TableBoard) -> dict[int, int] | None:
    """The latest session's tray by denomination, as last counted ± slips and exchanges; None where not listed."""
    if board.gaming_date is None or board.session is None:
        return None
    key = session_key(settings.CASINO_PROPERTY, board.table_code, board.gaming_date, board.session)
    return denominations(entry.event for entry in history.of_stream(key))


class SetUp(NamedTuple):
    """How a table is set up, what of it favours the player, and who has acknowledged that.

    `event` has the limits that hold now; `pending` are those announced that do not hold yet.
    """

    event: e.TableSetUp
    pending: list[LimitsAnnounced]
    paytable: str
    advantages: list[Odds]
    acknowledged: list[Entry]


def set_up_of(code: str) -> SetUp | None:
    """The table's set-up as its own stream tells it."""
    entries = history.of_stream(table_key(settings.CASINO_PROPERTY, code))
    if not any(entry.type == name_of(e.TableSetUp) for entry in entries):
        return None
    table, now = table_of(code, (entry.event for entry in entries)), timezone.now()
    event = table_set_up(table.at(now))
    odds = load_games()[event.game].odds(event.paytable) if event.game in load_games() else []
    known = [
        entry
        for entry in entries
        if entry.type == name_of(e.AdvantageAcknowledged) and entry.content["paytable"] == event.paytable
    ]
    return SetUp(event, table.pending(now), event.paytable, [one for one in odds if one.player_advantage], known)


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
