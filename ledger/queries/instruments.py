"""A day's drop by instrument: what was recorded as put into each table's boxes beside what was counted in them."""

from collections.abc import Iterable
from datetime import date
from typing import NamedTuple

from django.db.models import Sum

from ledger.models import Box, DropBox, TablePeriod

INSTRUMENTS = {
    "currency": ("cash", "redemption_cash"),
    "checks": ("checks",),
    "promo": ("promo", "coupons"),
}
"""Instrument → the kinds of events that put it into a box, as the books' columns begin (books, section 2)."""
WORDS = {"currency": "Currency", "checks": "Counter checks", "promo": "Promotional instruments and coupons"}


class Instrument(NamedTuple):
    """One instrument of a table's day, in cents; `counted_cents` is None where nobody has said it."""

    recorded_cents: int
    counted_cents: int | None

    @property
    def variance_cents(self) -> int | None:
        """Counted less recorded."""
        return None if self.counted_cents is None else self.counted_cents - self.recorded_cents


class TableDrop(NamedTuple):
    """A table's day by instrument; `unknown` says why nothing is counted, "" where it is."""

    table: str
    instruments: dict[str, Instrument]
    unknown: str

    @property
    def differs(self) -> bool:
        return any(one.variance_cents for one in self.instruments.values())


def drop_by_instrument(day: date) -> list[TableDrop]:
    """Every table that was open, in the order of their codes: two queries."""
    parts = [part for of_one in INSTRUMENTS.values() for part in of_one]
    periods = TablePeriod.objects.filter(gaming_date=day).values("table_code").order_by("table_code")
    counted, why = _counted(day)
    return [
        TableDrop(table, _instruments(row, counted.get(table)), why.get(table, "not counted yet"))
        for row in periods.annotate(**{part: Sum(f"{part}_cents") for part in parts})
        for table in [row["table_code"]]
    ]


def _instruments(row: dict[str, int], counted: dict[str, int] | None) -> dict[str, Instrument]:
    return {
        name: Instrument(sum(row[part] for part in parts), None if counted is None else counted[name])
        for name, parts in INSTRUMENTS.items()
    }


def _counted(day: date) -> tuple[dict[str, dict[str, int]], dict[str, str]]:
    """By table: what all boxes together held, and otherwise why that is not known."""
    complete = set(Box.objects.filter(gaming_date=day).values_list("table_code", flat=True))
    found: dict[str, dict[str, int]] = {table: dict.fromkeys(INSTRUMENTS, 0) for table in complete}
    why = dict.fromkeys(complete, "")
    for box in DropBox.objects.filter(gaming_date=day, table_code__in=complete):
        if box.currency is None:
            found.pop(box.table_code, None)
            why[box.table_code] = "counted as one figure"
        elif box.table_code in found:
            of = found[box.table_code]
            of["currency"] += sum(box.currency.values())
            of["checks"] += box.checks_cents
            of["promo"] += box.promo_cents
    return found, why


def total(drops: Iterable[TableDrop]) -> dict[str, Instrument]:
    """All tables together; what is not counted at one of them is not known of all."""
    drops = list(drops)
    return {
        name: Instrument(
            sum(one.instruments[name].recorded_cents for one in drops),
            None
            if any(one.instruments[name].counted_cents is None for one in drops)
            else sum(one.instruments[name].counted_cents or 0 for one in drops),
        )
        for name in INSTRUMENTS
    }
