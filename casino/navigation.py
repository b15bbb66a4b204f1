"""The bar over every page: its entries in order, and where one is. Pure; `casino/access.py` says who sees which."""

from collections.abc import Iterable
from typing import NamedTuple

from casino.access import ACCESS


class Link(NamedTuple):
    """An entry of the bar: the name of its address, its word, the route whose readers see it, and what else lies there.

    `covers` are beginnings of routes at which the bar shows this entry as the place where one is; the longest wins.
    `menu` is the word behind which it stands where the bar is full, "" where it always stands by itself.
    """

    name: str
    word: str
    route: str
    covers: tuple[str, ...] = ()
    menu: str = ""

    def reaches(self, route: str) -> int:
        """How many letters of the route this entry covers, 0 where it isn't here."""
        return max((len(begin) for begin in (self.route, *self.covers) if route.startswith(begin)), default=0)


PIT, RESULTS, MONEY, AUDIT = "Pit", "Results", "Count and cage", "Audit"
NAVIGATION = (
    Link("floor", "Floor", "_tiles/", ("tables/", "rounds/")),
    Link("alerts", "Alerts", "alerts/"),
    Link("terminals", "Terminals", "terminals/", ("tables/<str:code>/terminal/",), PIT),
    Link("slips", "Slips", "slips/", ("slip-books/", "tables/<str:code>/request/", "tables/<str:code>/papers/"), PIT),
    Link("cash_log", "Cash", "cash/", menu=PIT),
    Link("patrons", "Patrons", "patrons/", menu=PIT),
    Link("progressives", "Progressives", "progressives/", ("display/", "jackpots/")),
    Link("drop_and_hold", "Drop and hold", "drop-and-hold/", ("dealer-errors/",), RESULTS),
    Link("stiff_sheet", "Game report", "stiff/", ("explain/", "hold/"), RESULTS),
    Link("by_hour", "Hours", "hours/", menu=RESULTS),
    Link("drop", "Boxes", "drop/", menu=MONEY),
    Link("boxes_to_count", "Count", "count/", menu=MONEY),
    Link("drops", "Drops", "drops/", menu=MONEY),
    Link("cage", "Cage", "cage/", menu=MONEY),
    Link("income_audit", "Paper", "income-audit/", menu=AUDIT),
    Link("reconciliation", "Reconciliation", "reconciliation/", ("investigations/",), AUDIT),
    Link("close", "Close", "close/", menu=AUDIT),
    Link("trial_balance", "Ledger", "ledger/", menu=AUDIT),
    Link("admin:index", "Log-ins", "admin/"),
)
"""The bar over every page, in this order; everybody sees what they may open, and begins at the first of it."""

SIDE_BY_SIDE = 9
"""As many entries stand in one row of a screen of 1024 beside each other; of more, what belongs together is a menu."""


class Menu(NamedTuple):
    """What stands behind one word of the bar. A word of its own has one entry, and is a plain link."""

    word: str
    entries: list[Link]


def entries_for(roles: Iterable[str]) -> list[Link]:
    """What stands in the bar for a person of these roles."""
    mine = frozenset(roles)
    return [link for link in NAVIGATION if ACCESS[link.route].admits(mine, "GET")]


def bar_for(roles: Iterable[str]) -> list[Menu]:
    """The words of the bar for a person of these roles, in order: menus only where the entries are many."""
    entries = entries_for(roles)
    if len(entries) <= SIDE_BY_SIDE:
        return [Menu(link.word, [link]) for link in entries]
    menus: dict[str, list[Link]] = {}
    for link in entries:
        menus.setdefault(link.menu or link.word, []).append(link)
    return [Menu(word if len(behind) > 1 else behind[0].word, behind) for word, behind in menus.items()]


def entry_at(route: str) -> str:
    """The name of the entry under which a route lies, "" where it lies under none."""
    if route == "":
        return NAVIGATION[0].name
    best = max(NAVIGATION, key=lambda link: link.reaches(route))
    return best.name if best.reaches(route) else ""
