"""A table's limits, announced: when they may change, and from when they hold. Pure.

Where nobody plays they change at once. Where somebody does, the profile's notice is given (COMAR 36.05.03.21C), and of
the least stake the rule names a decrease only: raising it needs a permission of its own. A round keeps the limits that
held when it opened.
"""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta

from casino.events import Limits, TableSetUp
from casino.games import game
from casino.money import check_amount
from casino.profile import Profile
from casino.refusal import Refused
from casino.session_events import LimitsAnnounced
from casino.table import Table, check_limits, set_up_of

AHEAD_MAX = timedelta(days=7)


def announce(
    table: Table,
    rules: Profile,
    *,
    limits: Mapping[str, Limits],
    round_payout_max_cents: int | None,
    effective_at: datetime | None,
    now: datetime,
    occupied: bool,
    may_raise_minimum: bool,
    by: str,
) -> LimitsAnnounced:
    """Announce limits from a moment on, the earliest one where none is named; bets not named keep theirs.

    Refuses `limits_as_posted`, `minimum_raised`, `notice_too_short` and `too_far_ahead` besides limits that can't be.
    """
    posted = set_up_of(table.at(now + AHEAD_MAX))  # what is announced already and does not hold yet is built upon
    check_limits(limits, game(posted.game), posted.paytable)
    merged = {**posted.limits, **limits}
    payout_max = posted.round_payout_max_cents if round_payout_max_cents is None else round_payout_max_cents
    check_amount(payout_max, "The maximum payout of a round")
    if (merged, payout_max) == (posted.limits, posted.round_payout_max_cents):
        raise Refused("limits_as_posted", f"These are the limits of {table.code} already; nothing would change.")
    if occupied and not may_raise_minimum:
        _check_minimums(table.code, set_up_of(table.at(now)).limits, limits)
    return LimitsAnnounced(
        table=table.code,
        limits=merged,
        round_payout_max_cents=payout_max,
        effective_at=_moment(table.code, rules, effective_at, now, occupied).astimezone(UTC).isoformat(),
        occupied=occupied,
        by=by,
    )


def check_limits_stand(table: Table, event: TableSetUp) -> None:
    """Refuse `table_open`: a set-up that changes the limits of an open table goes round the notice."""
    posted = set_up_of(table)
    if (event.limits, event.round_payout_max_cents) != (posted.limits, posted.round_payout_max_cents):
        sentence = f"Table {table.code} is open, and its limits change by announcement only; announce them."
        raise Refused("table_open", sentence)


def _check_minimums(code: str, before: Mapping[str, Limits], after: Mapping[str, Limits]) -> None:
    raised = [bet for bet, one in after.items() if bet not in before or one.min_cents > before[bet].min_cents]
    if raised:
        raise Refused(
            "minimum_raised",
            f"Somebody plays at {code}, and the least stake of {', '.join(raised)} would rise: for a pit manager.",
            bets=raised,
        )


def _moment(code: str, rules: Profile, wanted: datetime | None, now: datetime, occupied: bool) -> datetime:
    earliest = now + timedelta(minutes=rules.limits.notice_minutes if occupied else 0)
    moment = wanted or earliest
    if moment < earliest:
        why = f"somebody plays at {code}, so notice is given" if occupied else "limits do not change in the past"
        raise Refused(
            "notice_too_short",
            f"{moment.isoformat()} is too soon: {why}; the earliest is {earliest.isoformat()}.",
            earliest=earliest.isoformat(),
        )
    if moment > now + AHEAD_MAX:
        raise Refused("too_far_ahead", f"Limits are announced at most {AHEAD_MAX.days} days before they hold.")
    return moment
