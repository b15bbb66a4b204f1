"""The simulated floor's tables: their codes, games, posted limits, and the links they join; set up once."""

from datetime import datetime

from casino.commands import tables
from casino.commands.order import Order
from casino.events import Limits
from casino.refusal import Refused
from jackpot.commands.displays import switch_display
from jackpot.commands.links import join_table, set_up_link

PREPARER = "simulated floor"
GAME = "54-card-roulette"
HOLDEM = "royal-casino"
GAMES = {"H": HOLDEM}
"""The game of a pit, where it is not GAME."""
LINKS = {GAME: ("main", 500_000), HOLDEM: ("royal", 1_000_000)}
"""The link of a game's simulated tables, and its base and reset in cents."""

PAR_CENTS, FILL_LINE_CENTS = 2_000_000, 1_000_000
"""What a simulated tray should hold, and below which it asks for a fill."""

BATCH_PIT = 20
"""Tables in a pit of a batch's floor."""

INSIDE = Limits(min_cents=100, max_cents=20_000)
OUTSIDE = Limits(min_cents=500, max_cents=200_000)
LONG_SHOT = Limits(min_cents=100, max_cents=500)
POKER = Limits(min_cents=100, max_cents=10_000)
ROULETTE_LIMITS = {
    **dict.fromkeys(("straight_up", "split", "street", "corner", "rank"), INSIDE),
    **dict.fromkeys(("split_rank", "suit", "ace_face", "colour"), OUTSIDE),
    **dict.fromkeys(("five_of_a_kind", "royal_flush", "straight_flush"), LONG_SHOT),
    **dict.fromkeys(("four_of_a_kind", "flush", "straight", "three_of_a_kind"), POKER),
}
LIMITS = {
    GAME: ROULETTE_LIMITS,
    HOLDEM: {"ante": Limits(min_cents=500, max_cents=50_000), "bonus": Limits(min_cents=100, max_cents=10_000)},
}
"""Posted limits of a simulated table, by game and bet."""


def codes(count: int, pit: str) -> list[str]:
    """The codes of a pit's tables: R-01, R-02, …

    A batch plays in a pit of its own ("S"), so that it takes no table from under the live floor ("R").
    """
    return [f"{pit}-{n:02d}" for n in range(1, count + 1)]


def demo_codes() -> list[str]:
    """The demo's floor: ten tables of roulette and two of hold'em."""
    return codes(10, "R") + codes(2, "H")


def prepare_floor(wanted: list[str], at: datetime) -> None:
    """Set up the links and the tables that are missing; a second call finds them and changes nothing."""
    for game in dict.fromkeys(map(_game_of, wanted)):
        link, reset = LINKS[game]
        order = Order(PREPARER, f"floor:link:{link}", at, source="simulation")
        try:
            set_up_link(order, link, game=game, base_cents=reset, reset_cents=reset)
        except Refused as refusal:
            if refusal.code != "link_exists":
                raise
    for code in wanted:
        prepare_table(code, at)


def open_displays(at: datetime) -> None:
    """Open every link's display to everybody, once; whoever closes one later finds it closed."""
    for link, _ in LINKS.values():
        switch_display(Order(PREPARER, f"floor:display:{link}", at, source="simulation"), link, is_open=True)


def prepare_table(code: str, at: datetime) -> None:
    """Set one table up if it is not there yet, and let it join its game's link, once."""
    game = _game_of(code)
    try:
        tables.load_table(code)
    except Refused:
        order = Order(PREPARER, f"floor:table:{code}", at, source="simulation")
        tables.set_up_table(
            order,
            code,
            game=game,
            limits=LIMITS[game],
            pit=pit_of(code),
            par_cents=PAR_CENTS,
            fill_line_cents=FILL_LINE_CENTS,
        )
    join_table(Order(PREPARER, f"floor:join:{code}", at, source="simulation"), LINKS[game][0], code)


def pit_of(code: str) -> str:
    """Where a table stands: hold'em in pit C, the roulette tables five to a pit, a batch's tables twenty to one."""
    letter, _, number = code.partition("-")
    if letter == "S" and number.isdecimal():
        return f"S{(int(number) + BATCH_PIT - 1) // BATCH_PIT}"
    if letter != "R" or not number.isdecimal():
        return "C" if letter == "H" else ""
    return "A" if int(number) <= 5 else "B"


def _game_of(code: str) -> str:
    return GAMES.get(code.split("-")[0], GAME)
