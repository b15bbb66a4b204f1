"""What the journal says: the trial balance at any position, an account line by line, entries, and the ties' sums.

Sums begin with whole blocks (`journal_sum`) and add the lines of the last one, so that a balance at a position costs
the same after a year.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, NamedTuple

from django.db import connection

from casino.eventstore.follower import position_of
from casino.refusal import Refused
from ledger.accounts import CHART, CHIPS, CREDIT, MONEY, PAYABLES, PROGRESSIVE_COST, Account
from ledger.journal import JOURNAL
from ledger.journal_models import BLOCK

PAGE = 100
"""Entries or lines on one page."""


class Balance(NamedTuple):
    """An account's sums up to a position, in micro-units; `table` and `link` are "" where all of them are together."""

    account: Account
    debit_micros: int
    credit_micros: int
    table: str = ""
    link: str = ""

    @property
    def net_micros(self) -> int:
        """Debits less credits."""
        return self.debit_micros - self.credit_micros

    @property
    def debit_balance_micros(self) -> int:
        """What the account is above zero, for the column of debits."""
        return max(self.net_micros, 0)

    @property
    def credit_balance_micros(self) -> int:
        """What it is below zero, for the column of credits."""
        return max(-self.net_micros, 0)

    @property
    def own_micros(self) -> int:
        """The balance on the account's own side; below zero on the other."""
        return -self.net_micros if self.account.side == CREDIT else self.net_micros


class Half(NamedTuple):
    """The accounts of one of the two ledgers."""

    name: str
    rows: list[Balance]

    @property
    def debit_micros(self) -> int:
        """All balances that are debits."""
        return sum(row.debit_balance_micros for row in self.rows)

    @property
    def credit_micros(self) -> int:
        """All balances that are credits."""
        return sum(row.credit_balance_micros for row in self.rows)


@dataclass(frozen=True)
class TrialBalance:
    """Every account that ever moved, at a position of the log."""

    position: int
    rows: tuple[Balance, ...]

    def of(self, code: str) -> int:
        """The balance of an account on its own side, in micro-units."""
        return next((row.own_micros for row in self.rows if row.account.code == code), 0)

    def out_micros(self, ledger: str) -> int:
        """Debits less credits of a ledger: 0, always."""
        return sum(row.net_micros for row in self.rows if row.account.ledger == ledger)

    @property
    def halves(self) -> list["Half"]:
        """Chips and money, each with its totals."""
        return [Half(name, [row for row in self.rows if row.account.ledger == name]) for name in (CHIPS, MONEY)]

    @property
    def is_zero(self) -> bool:
        """Whether chips and money balance, each by itself."""
        return self.out_micros(CHIPS) == 0 and self.out_micros(MONEY) == 0


def reached() -> int:
    """The position up to which the journal is written."""
    return position_of(JOURNAL.name)


def at_most_reached(position: int | None) -> int:
    """The position asked for, or the journal's own; refuses one that it has not read yet."""
    now = reached()
    if position is None:
        return now
    if not 0 <= position <= now:
        raise Refused("position_not_reached", f"The journal is written up to position {now}; ask for one up to that.")
    return position


SUMS = """
    SELECT account, {more} sum(debit)::bigint, sum(credit)::bigint
      FROM (SELECT account, table_code, link, gaming_date, debit_micros AS debit, credit_micros AS credit
              FROM journal_sum WHERE block < %s
             UNION ALL
            SELECT l.account, e.table_code, l.link, e.gaming_date, greatest(l.micros, 0), greatest(-l.micros, 0)
              FROM journal_line l JOIN journal_entry e USING (position)
             WHERE l.position >= %s AND l.position <= %s) AS moved
     WHERE {where} GROUP BY {groups} ORDER BY {groups}"""


def trial_balance(position: int | None = None) -> TrialBalance:
    """Every account at a position of the log (now, unless said), in two sums; refuses `position_not_reached`."""
    at = at_most_reached(position)
    rows = _sums(at, "", "true", "account", ())
    return TrialBalance(at, tuple(Balance(CHART[code], debit, credit) for code, debit, credit in rows))


def parts_of(code: str, position: int | None = None) -> list[Balance]:
    """An account's balance table by table or link by link, as it is kept; refuses `unknown_account`."""
    account = account_of(code)
    by = "link" if account.kept_by == "link" else "table_code"
    rows = _sums(at_most_reached(position), f"{by},", "account = %s", f"account, {by}", (code,))
    if by == "link":
        return [Balance(account, debit, credit, link=of) for _, of, debit, credit in rows]
    return [Balance(account, debit, credit, table=of) for _, of, debit, credit in rows]


def by_table(day: date, codes: Sequence[str], at: int) -> dict[str, dict[str, int]]:
    """Accounts kept by table, of one gaming day: table → account → debits less credits in micro-units."""
    found: dict[str, dict[str, int]] = {}
    where, groups = "gaming_date = %s AND account = ANY(%s)", "table_code, account"
    for account, table, debit, credit in _sums(at, "table_code,", where, groups, (day, list(codes))):
        found.setdefault(table, {})[account] = debit - credit
    return found


def jackpots_by_table(day: date, at: int) -> dict[str, int]:
    """J in the journal: micro-units of jackpots that were paid from a tray on a gaming day, by table."""
    with connection.cursor() as cursor:
        cursor.execute(JACKPOTS, [day, at, [PAYABLES, PROGRESSIVE_COST]])
        return dict(cursor.fetchall())


JACKPOTS = """
    SELECT e.table_code, sum(l.micros)::bigint FROM journal_entry e JOIN journal_line l USING (position)
     WHERE e.gaming_date = %s AND e.type = 'jackpot_paid' AND e.table_code <> '' AND e.position <= %s
       AND l.account = ANY(%s) GROUP BY 1"""


def _sums(at: int, more: str, where: str, groups: str, params: Sequence[object]) -> list[Any]:
    block = at // BLOCK
    with connection.cursor() as cursor:
        query = SUMS.format(more=more, where=where, groups=groups)
        cursor.execute(query, [block, block * BLOCK, at, *params])
        return list(cursor.fetchall())


def account_of(code: str) -> Account:
    """The account of that number; refuses `unknown_account`."""
    if code not in CHART:
        raise Refused("unknown_account", f"The chart has no account of that number; it has {', '.join(CHART)}.")
    return CHART[code]


# ------------------------------------------------------------------------------------------------- entries


class Filter(NamedTuple):
    """Which entries are wanted; "" and None leave all in. Dates are gaming dates, both included."""

    account: str = ""
    table: str = ""
    link: str = ""
    first: date | None = None
    last: date | None = None
    upto: int | None = None


class EntryLine(NamedTuple):
    """One line as it is shown, with its entry; micro-units, a debit above zero."""

    position: int
    nth: int
    type: str
    gaming_date: date
    posting_date: date
    table: str
    session: int | None
    reference: str
    account: Account
    link: str
    micros: int

    @property
    def round_no(self) -> int | None:
        """The round whose event it is."""
        table, _, rest = self.reference.partition("/")
        return int(rest.rpartition("/")[2]) if self.table and table == self.table else None

    @property
    def debit_micros(self) -> int:
        return max(self.micros, 0)

    @property
    def credit_micros(self) -> int:
        return max(-self.micros, 0)


@dataclass(frozen=True)
class Entry:
    """An entry of the journal with its lines; of an account's statement, only that account's."""

    position: int
    lines: tuple[EntryLine, ...]

    @property
    def head(self) -> EntryLine:
        """Any line: what it says of the entry is the same for all."""
        return self.lines[0]


COLUMNS = """e.position, l.nth, e.type, e.gaming_date, e.posting_date, e.table_code, e.session, e.reference, l.account,
       l.link, l.micros"""
ENTRIES = f"""
    SELECT {COLUMNS}
      FROM (SELECT * FROM journal_entry e WHERE {{where}} ORDER BY position DESC LIMIT {PAGE + 1}) AS e
      JOIN journal_line l USING (position) ORDER BY e.position DESC, l.nth"""
LINES = f"""
    SELECT {COLUMNS} FROM journal_line l JOIN journal_entry e USING (position)
     WHERE l.account = %(account)s AND {{where}} ORDER BY l.position DESC, l.nth DESC LIMIT {PAGE + 1}"""


def entries(wanted: Filter, before: int | None = None) -> tuple[list[Entry], int | None]:
    """A page of entries, the latest first, those below position `before`; and where the next page begins, if any."""
    where, params = _where(wanted, before)
    if wanted.account:
        account_of(wanted.account)
        where += " AND EXISTS (SELECT FROM journal_line x WHERE x.position = e.position AND x.account = %(account)s)"
    with connection.cursor() as cursor:
        cursor.execute(ENTRIES.format(where=where), params)
        found = _entries(cursor.fetchall())
    return found[:PAGE], found[PAGE - 1].position if len(found) > PAGE else None


def _where(wanted: Filter, before: int | None) -> tuple[str, dict[str, object]]:
    tests = {
        "e.table_code = %(table)s": wanted.table,
        "e.gaming_date >= %(first)s": wanted.first,
        "e.gaming_date <= %(last)s": wanted.last,
        "e.position <= %(upto)s": wanted.upto,
        "e.position < %(before)s": before,
    }
    where = [test for test, value in tests.items() if value not in ("", None)]
    return " AND ".join(where) or "true", {**wanted._asdict(), "before": before}


def _entries(rows: Sequence[Any]) -> list[Entry]:
    found: dict[int, list[EntryLine]] = {}
    for row in rows:
        found.setdefault(row[0], []).append(_line(row))
    return [Entry(position, tuple(lines)) for position, lines in found.items()]


def _line(row: Sequence[Any]) -> EntryLine:
    position, nth, kind, gaming_date, posting_date, table, session, reference, account, link, micros = row
    return EntryLine(
        position, nth, kind, gaming_date, posting_date, table, session, reference, CHART[account], link, micros
    )


def entry(position: int) -> Entry | None:
    """The entry of the event at a position; None where it posted nothing or is not read yet."""
    with connection.cursor() as cursor:
        cursor.execute(
            f"""SELECT {COLUMNS} FROM journal_entry e JOIN journal_line l USING (position)
                 WHERE e.position = %s ORDER BY l.nth""",
            [position],
        )
        found = _entries(cursor.fetchall())
    return found[0] if found else None


# ------------------------------------------------------------------------------------------------- an account


class StatementLine(NamedTuple):
    """A line of an account, and the account's balance after it on its own side, in micro-units."""

    line: EntryLine
    after_micros: int


@dataclass(frozen=True)
class Statement:
    """An account, latest line first; of a table or link where one is asked for. `earlier` begins the next page."""

    account: Account
    position: int
    balance: Balance
    lines: tuple[StatementLine, ...]
    earlier: tuple[int, int] | None


def statement(wanted: Filter, before: tuple[int, int] | None = None) -> Statement:
    """An account up to a position, a page of its lines; `before` is the position and number of a line.

    Refuses `unknown_account`, `position_not_reached`, and a table or link by which the account is not kept.
    """
    account = account_of(wanted.account)
    _check_kept_by(account, wanted)
    at = at_most_reached(wanted.upto)
    balance = _balance(account, wanted, at)
    lines, more = _lines(wanted._replace(upto=at), before)
    after = _after(account, wanted, lines[0]) if lines else 0
    shown = []
    for line in lines:
        shown.append(StatementLine(line, -after if account.side == CREDIT else after))
        after -= line.micros
    return Statement(account, at, balance, tuple(shown), more)


def _check_kept_by(account: Account, wanted: Filter) -> None:
    for asked, by in ((wanted.table, "table"), (wanted.link, "link")):
        if asked and account.kept_by != by:
            raise Refused("not_kept_by", f"{account.name} is not kept by {by}; leave the {by} out.")


def _balance(account: Account, wanted: Filter, at: int) -> Balance:
    where, params = _of_account(wanted)
    rows = _sums(at, "", where, "account", params)
    debit, credit = rows[0][1:] if rows else (0, 0)
    return Balance(account, debit, credit, wanted.table, wanted.link)


def _of_account(wanted: Filter) -> tuple[str, list[object]]:
    where, params = "account = %s", [wanted.account]
    for column, value in (("table_code", wanted.table), ("link", wanted.link)):
        if value:
            where += f" AND {column} = %s"
            params.append(value)
    return where, list(params)


def _lines(wanted: Filter, before: tuple[int, int] | None) -> tuple[list[EntryLine], tuple[int, int] | None]:
    where, params = _where(wanted, None)
    if wanted.link:
        where += " AND l.link = %(link)s"
    if before:
        where += " AND (l.position, l.nth) < (%(at)s, %(nth)s)"
        params |= {"at": before[0], "nth": before[1]}
    with connection.cursor() as cursor:
        cursor.execute(LINES.format(where=where), params)
        found = [_line(row) for row in cursor.fetchall()]
    last = found[PAGE - 1] if len(found) > PAGE else None
    return found[:PAGE], (last.position, last.nth) if last else None


def _after(account: Account, wanted: Filter, line: EntryLine) -> int:
    """Debits less credits of the account after a line: those after its entry, without what the entry adds below it."""
    found = entry(line.position)
    below = [one for one in (found.lines if found else ()) if one.account == account and one.nth > line.nth]
    rest = sum(one.micros for one in below if one.link == wanted.link or not wanted.link)
    return _balance(account, wanted, line.position).net_micros - rest
