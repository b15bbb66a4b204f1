"""What keeps a gaming day from being closed, each thing in a sentence, and the close itself. Pure.

A day closes when its tables are counted and nothing waits: from then on every fact that is dated to it is late (books,
section 4). What is open may be overridden by two people with a reason, but not an earlier day that is still open.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

from casino.approval import Approval
from casino.refusal import Refused, counted
from ledger.closing_events import DayClosed

REASON_MAX = 500
NAMED_MAX = 12
"""How many open things a refusal's sentence names; the others are counted there, and all are in its details."""


@dataclass(frozen=True)
class Period:
    """A table's period of the day as the books have it: whether its closer is recorded, and what is not settled."""

    table: str
    session: int
    is_closed: bool
    transfers: tuple[str, ...] = ()


@dataclass(frozen=True)
class DayState:
    """All that decides on a day's close, as it stood at `position` of the log.

    `unsettled` are the rounds that are neither settled nor void, as people name them; `uncounted` the tables whose box
    is not counted; `differences` sentences on counts that differ and are not resolved; `earlier` the earlier days that
    had sessions and are not closed.
    """

    gaming_date: date
    ends_at: datetime
    position: int
    periods: tuple[Period, ...] = ()
    unsettled: tuple[str, ...] = ()
    uncounted: tuple[str, ...] = ()
    differences: tuple[str, ...] = ()
    earlier: tuple[date, ...] = ()

    @property
    def tables(self) -> list[str]:
        return sorted({period.table for period in self.periods})


@dataclass(frozen=True)
class Open:
    """One thing that is open: its kind for programs, the table it is of ("" for the house), a sentence for people."""

    kind: str
    table: str
    sentence: str


def ends_at(gaming_date: date, zone: ZoneInfo, rollover_hour: int) -> datetime:
    """When the gaming day ends by the property's wall clock: the rollover hour of the next calendar day."""
    following = gaming_date + timedelta(days=1)
    return datetime(following.year, following.month, following.day, rollover_hour, tzinfo=zone)


def what_is_open(state: DayState, now: datetime) -> list[Open]:
    """Everything that keeps the day from closing, but for earlier days: see `check_order_of_days`."""
    found = [one for period in state.periods for one in _of_period(period)]
    found += [
        Open("round", name.partition("/")[0], f"Round {name} is neither settled nor void; settle or void it.")
        for name in state.unsettled
    ]
    still_open = {period.table for period in state.periods if not period.is_closed}
    found += [_box(table, table in still_open) for table in state.uncounted]
    found += [Open("count_difference", "", sentence) for sentence in state.differences]
    if now < state.ends_at:
        end = f"{state.ends_at:%H:%M} on {state.ends_at.date().isoformat()}"
        found.append(Open("not_over", "", f"Gaming day {state.gaming_date} is not over before {end}; close it then."))
    return found


def _of_period(period: Period) -> list[Open]:
    if period.is_closed:
        return []
    name = f"session {period.session}"
    closer = f"Table {period.table} is still open in {name} and has no closer; count and close or roll it."
    slips = [
        Open("slip", period.table, f"{document} of table {period.table} still waits; finish, void or withdraw it.")
        for document in period.transfers
    ]
    return [Open("session", period.table, closer), *slips]


def _box(table: str, is_open: bool) -> Open:
    what = "drop it when the table is closed, then count it" if is_open else "count it"
    return Open("box", table, f"The box of table {table} is not counted; {what}.")


def check_order_of_days(state: DayState) -> None:
    """Days close in order, so that sums to date are those of filed days; refuses `earlier_day_open`."""
    if not state.earlier:
        return
    first = state.earlier[0]
    more = f" ({counted(len(state.earlier) - 1, 'further day')} after it)" if len(state.earlier) > 1 else ""
    sentence = f"Gaming day {first} is not closed yet{more}; days close in order, so close {first} first."
    raise Refused("earlier_day_open", sentence, days=[day.isoformat() for day in state.earlier])


def close(state: DayState, now: datetime, by: str, reason: str = "", approval: Approval | None = None) -> DayClosed:
    """Close the day, over what is open only with a reason and a second person.

    Refuses `earlier_day_open`, `day_not_ready` (with everything that is open), `reason_missing`, `long_reason` and
    `nothing_to_override`.
    """
    check_order_of_days(state)
    open_things = what_is_open(state, now)
    if approval is None:
        if open_things:
            raise not_ready(state.gaming_date, open_things)
        return DayClosed(by=by, tables=state.tables)
    if not open_things:
        sentence = f"Nothing is open on gaming day {state.gaming_date}; close it without a second person."
        raise Refused("nothing_to_override", sentence)
    return DayClosed(
        by=by,
        tables=state.tables,
        open_things=[one.sentence for one in open_things],
        reason=given_reason(reason),
        approved_by=approval.approved_by,
    )


def given_reason(reason: str) -> str:
    """The reason, or refused `reason_missing` or `long_reason`."""
    if not reason.strip():
        raise Refused("reason_missing", "Say why, in a sentence that an auditor will read.")
    if len(reason) > REASON_MAX:
        raise Refused("long_reason", f"A reason has at most {REASON_MAX} letters.")
    return reason.strip()


def not_ready(gaming_date: date, open_things: Sequence[Open]) -> Refused:
    """The refusal that names each thing in a full sentence."""
    named = " ".join(one.sentence for one in open_things[:NAMED_MAX])
    rest = len(open_things) - NAMED_MAX
    more = f" And {counted(rest, 'more thing')}." if rest > 0 else ""
    details = [{"kind": one.kind, "table": one.table, "sentence": one.sentence} for one in open_things]
    sentence = f"Gaming day {gaming_date} can't be closed: {_are(len(open_things))} still open. {named}{more}"
    return Refused("day_not_ready", sentence, open=details)


def close_due_at(gaming_date: date, zone: ZoneInfo, rollover_hour: int, close_hour: int) -> datetime:
    """When the clock closes a day: the first `close_hour` of the wall clock at or after the day's end."""
    end = ends_at(gaming_date, zone, rollover_hour)
    day = end.date() if close_hour >= rollover_hour else end.date() + timedelta(days=1)
    return datetime(day.year, day.month, day.day, close_hour, tzinfo=zone)


def _are(number: int) -> str:
    return "1 thing is" if number == 1 else f"{number} things are"
