"""The bar over every page: its entries in order, and where one is. Pure; `casino/access.py` says who sees which."""

from collections.abc import Iterable
from typing import NamedTuple

from casino.access import ACCESS


class Link(NamedTuple):
    """An entry of the bar: the name of its address, its word, the route whose readers see it, and what else lies there.

    `covers` are beginnings of routes at which the bar shows this entry as the place where one is; the longest wins.
    """

    name: str
    word: str
    route: str
    covers: tuple[str, ...] = ()

    def reaches(self, route: str) -> int:
        """How many letters of the route this entry covers, 0 where it isn't here."""
        return max((len(begin) for begin in (self.route, *self.covers) if route.startswith(begin)), default=0)


NAVIGATION = (
    Link("floor", "Floor", "_tiles/", ("tables/", "rounds/")),
    Link("alerts", "Alerts", "alerts/"),
    Link("terminals", "Terminals", "terminals/", ("tables/<str:code>/terminal/",)),
    Link("slips", "Slips", "slips/", ("slip-books/", "tables/<str:code>/request/", "tables/<str:code>/papers/")),
    Link("cash_log", "Cash", "cash/"),
    Link("progressives", "Progressives", "progressives/", ("display/", "jackpots/")),
    Link("drop_and_hold", "Drop and hold", "drop-and-hold/", ("dealer-errors/",)),
    Link("stiff_sheet", "Game report", "stiff/", ("explain/", "hold/")),
    Link("by_hour", "Hours", "hours/"),
    Link("drop", "Boxes", "drop/"),
    Link("boxes_to_count", "Count", "count/"),
    Link("drops", "Drops", "drops/"),
    Link("cage", "Cage", "cage/"),
    Link("income_audit", "Paper", "income-audit/"),
    Link("reconciliation", "Reconciliation", "reconciliation/", ("investigations/",)),
    Link("close", "Close", "close/"),
    Link("trial_balance", "Ledger", "ledger/"),
    Link("patrons", "Patrons", "patrons/"),
    Link("admin:index", "Log-ins", "admin/"),
)
"""The bar over every page, in this order; everybody sees what they may open, and begins at the first of it."""


def entries_for(roles: Iterable[str]) -> list[Link]:
    """What stands in the bar for a person of these roles."""
    mine = frozenset(roles)
    return [link for link in NAVIGATION if ACCESS[link.route].admits(mine, "GET")]


def entry_at(route: str) -> str:
    """The name of the entry under which a route lies, "" where it lies under none."""
    if route == "":
        return NAVIGATION[0].name
    best = max(NAVIGATION, key=lambda link: link.reaches(route))
    return best.name if best.reaches(route) else ""
