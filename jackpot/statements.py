"""Statements of meters: a gaming day line by line, a month day by day, and what the house owes all meters and winners.

Every figure is in micro-units and exact; an opening and the lines of an account add up to its closing. A fact counts on
its own gaming day whenever it became known, so a closed day shows what is known now.
"""

from calendar import monthrange
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import NamedTuple

from django.db.models import Sum

from casino.commands.order import property_code
from casino.eventstore import store
from casino.eventstore.follower import position_of
from casino.keys import readings_key
from jackpot import models, queries
from jackpot.projections import METERS
from jackpot.readings import Readings, readings_of
from jackpot.statement import LINES, PAYABLE, PAYMENTS, POOLS, Lines

SHOWN = (*POOLS, PAYABLE)
"""The accounts that a statement shows; the house's side stands in the explanation of the meter."""


class Column(NamedTuple):
    """One account over a span: opening, its lines in the order of the formula, closing."""

    account: str
    opening_micros: int
    lines: Mapping[str, int]

    @property
    def closing_micros(self) -> int:
        return self.opening_micros + sum(self.lines.values())


@dataclass(frozen=True)
class Statement:
    """A meter over a span of gaming days, as the log was folded up to `position`."""

    link: str
    currency: str
    first: date
    last: date
    columns: tuple[Column, ...]
    position: int

    @property
    def rows(self) -> list[tuple[str, list[int]]]:
        """The formula's lines over all accounts; lines that only what is payable has are left out where all are 0."""
        rows = [(line, [column.lines.get(line, 0) for column in self.columns]) for line in LINES]
        return [(line, amounts) for line, amounts in rows if line != PAYMENTS or any(amounts)]

    @property
    def lines(self) -> Lines:
        """Every line of every account shown."""
        return {(one.account, line): micros for one in self.columns for line, micros in one.lines.items()}

    def column(self, account: str) -> Column:
        """The account's column."""
        return next(column for column in self.columns if column.account == account)


@dataclass(frozen=True)
class DayPage:
    """A meter's gaming day: its statement, what was read off it, and what is to be done."""

    statement: Statement
    readings: Readings
    is_over: bool

    @property
    def day(self) -> date:
        return self.statement.first

    @property
    def is_changed_since(self) -> bool:
        """Whether a fact became known after the day was signed, so that it closes otherwise than signed."""
        signed = self.readings.signed
        return signed is not None and signed.closing_micros != self.statement.columns[0].closing_micros


def statement_of(code: str, first: date, last: date) -> Statement:
    """The meter from one gaming day to another; refuses `unknown_link`."""
    row = queries.row_of(code)
    lines = models.DayLine.objects.filter(link=code, account__in=SHOWN, gaming_date__lte=last)
    before = dict(lines.filter(gaming_date__lt=first).values_list("account").annotate(Sum("micros")))
    inside = lines.filter(gaming_date__gte=first).values_list("account", "line").annotate(Sum("micros"))
    columns: dict[str, dict[str, int]] = {account: {} for account in SHOWN}
    for account, line, micros in inside:
        columns[account][line] = int(micros)
    made = tuple(Column(account, int(before.get(account, 0)), found) for account, found in columns.items())
    return Statement(code, row.currency, first, last, made, position_of(METERS.name))


def day_page(code: str, day: date, today: date) -> DayPage:
    """One gaming day of one meter."""
    return DayPage(statement_of(code, day, day), readings_on(code, [day])[day], day < today)


def readings_on(code: str, days: Sequence[date]) -> dict[date, Readings]:
    """What was read on each of these gaming days, in one query."""
    keys = {readings_key(property_code(), code, day): day for day in days}
    streams = store.load_many(list(keys))
    return {keys[key]: readings_of(r.event for r in stream.events) for key, stream in streams.items()}


def readings_of_links(codes: Sequence[str], day: date) -> dict[str, Readings]:
    """What was read off each of these links on one gaming day, in one query."""
    keys = {readings_key(property_code(), code, day): code for code in codes}
    streams = store.load_many(list(keys))
    return {keys[key]: readings_of(r.event for r in stream.events) for key, stream in streams.items()}


# ------------------------------------------------------------------------------------------------- a month


class MonthDay(NamedTuple):
    """A day of a month's statement: main's figures, and how far its reconciliation has come."""

    day: date
    main: Column
    readings: Readings


@dataclass(frozen=True)
class MonthPage:
    """A month of a meter: the statement of all of it, and every day that something happened on or was read."""

    statement: Statement
    days: tuple[MonthDay, ...]


def month_page(code: str, month: date) -> MonthPage:
    """The monthly statement of a meter; two queries and one of the readings, however many days."""
    first = month.replace(day=1)
    last = first.replace(day=monthrange(first.year, first.month)[1])
    statement = statement_of(code, first, last)
    all_days = [first + timedelta(days=n) for n in range((last - first).days + 1)]
    lines: dict[date, dict[str, int]] = {}
    rows = models.DayLine.objects.filter(link=code, account="main", gaming_date__range=(first, last))
    for day, line, micros in rows.values_list("gaming_date", "line", "micros"):
        lines.setdefault(day, {})[line] = micros
    readings = readings_on(code, all_days)
    opening, days = statement.column("main").opening_micros, []
    for day in all_days:
        main = Column("main", opening, lines.get(day, {}))
        if main.lines or readings[day].read:
            days.append(MonthDay(day, main, readings[day]))
        opening = main.closing_micros
    return MonthPage(statement, tuple(days))


# ------------------------------------------------------------------------------------------------- what is owed


class Owed(NamedTuple):
    """What the house owes on one link, in micro-units: to the meter's pools, and to winners."""

    link: str
    main: int
    reserve: int
    overflow: int
    payable: int

    @property
    def total(self) -> int:
        return self.main + self.reserve + self.overflow + self.payable


@dataclass(frozen=True)
class Liability:
    """All of it, twice: as the meters stand, and as their statements add up; equal, or the tie-out says where not."""

    owed: tuple[Owed, ...]
    stated: Mapping[str, int]
    shares_micros: Mapping[str, int]
    position: int

    @property
    def total(self) -> int:
        return sum(one.total for one in self.owed)

    @property
    def is_tied(self) -> bool:
        """Whether meters, statements and the winners' own rows say the same, link by link."""
        return all(self.ties(one) for one in self.owed)

    def ties(self, one: Owed) -> bool:
        """Whether a link's liability is what its statement adds up to, and its payable what its winners are owed."""
        return self.stated.get(one.link, 0) == one.total and self.shares_micros.get(one.link, 0) == one.payable


def liability() -> Liability:
    """What is owed on every link now."""
    owed = [
        Owed(link.code, link.main_micros, link.reserve_micros, link.overflow_micros, link.payable_micros)
        for link in models.Link.objects.order_by("code")
    ]
    lines = models.DayLine.objects.filter(account__in=SHOWN).values_list("link").annotate(Sum("micros"))
    open_hits = models.Hit.objects.exclude(state="returned").values_list("link", "shares_cents", "states")
    shares: dict[str, int] = {}
    for link, cents, states in open_hits:
        due = sum(share for share, state in zip(cents, states, strict=True) if state == "open")
        shares[link] = shares.get(link, 0) + due * 10_000
    return Liability(tuple(owed), {link: int(micros) for link, micros in lines}, shares, position_of(METERS.name))
