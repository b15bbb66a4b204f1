"""The rules by which the floor is told to look somewhere: what each finds, or why it can't say. Pure.

A rule says one of three things of a table: something is so (a sentence), nothing is, or that there is not enough to
tell by. The numbers of the rules are data (`alert_rules.toml`).
"""

import tomllib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from functools import cache
from pathlib import Path
from typing import Any, Literal, NamedTuple

import msgspec

from casino.alert_events import AlertAcknowledged, AlertEnded, AlertRaised
from casino.eventstore.registry import Event
from casino.money import written


class Rule(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A rule's name and numbers, as the file has them. What does not last happened once and is raised once."""

    title: str
    level: Literal["warning", "critical"]
    cooldown_minutes: int
    after_minutes: int = 0
    least_rounds_an_hour: int = 0
    lasts: bool = True


@cache
def rules() -> dict[str, Rule]:
    """Every rule by its code."""
    text = (Path(__file__).parent / "alert_rules.toml").read_text()
    return msgspec.convert(tomllib.loads(text), dict[str, Rule])


@dataclass(frozen=True)
class Seen:
    """A table as the rules look at it, at one moment. Amounts in cents; None is not known.

    `verdict` is luck's word on the day's result, with its sentence; `miscounts` and `variances` are (subject,
    sentence) of what was recorded on the day, `cash` (people near a threshold) names the gaming day of the cash
    besides. The cage is seen as the table `cage`, with cash of its own and `floats`: the chips that the record has
    less than none of; the house as the table `house`, with `not_closed`: the gaming days that the clock was refused to
    close.
    """

    table: str
    now: datetime
    is_open: bool
    since: datetime | None = None
    last_round_at: datetime | None = None
    rounds_an_hour: int | None = None
    no_pace: str = ""
    roll_is_due: bool = False
    tray_cents: int | None = None
    fill_line_cents: int = 0
    verdict: str = ""
    verdict_sentence: str = ""
    miscounts: Sequence[tuple[str, str]] = ()
    variances: Sequence[tuple[str, str]] = ()
    cash: Sequence[tuple[str, str, date]] = ()
    floats: Sequence[tuple[str, str]] = ()
    not_closed: Sequence[tuple[str, str]] = ()


class Finding(NamedTuple):
    """What a rule found: of which subject, in which words; `day` where it is not of the table's own gaming day."""

    rule: str
    subject: str
    table: str
    sentence: str
    day: date | None = None


class NotEnough(NamedTuple):
    """A rule that can't say yet of a table, and why."""

    rule: str
    table: str
    reason: str


Said = list[Finding | NotEnough]


def _minutes(span: timedelta) -> int:
    return int(span.total_seconds() // 60)


def _tray_below_fill_line(seen: Seen, rule: Rule) -> Said:
    if not seen.is_open or not seen.fill_line_cents:
        return []
    if seen.tray_cents is None:
        return [NotEnough("tray_below_fill_line", seen.table, "the books have not read its opener yet")]
    if seen.tray_cents >= seen.fill_line_cents:
        return []
    line = f"{written(seen.tray_cents)} expected in the tray, below the fill line of {written(seen.fill_line_cents)}"
    return [Finding("tray_below_fill_line", seen.table, seen.table, f"{seen.table}: {line}; ask for a fill.")]


def _table_idle(seen: Seen, rule: Rule) -> Said:
    began = max((at for at in (seen.since, seen.last_round_at) if at), default=None)
    if not seen.is_open or began is None or seen.now - began < timedelta(minutes=rule.after_minutes):
        return []
    sentence = f"{seen.table} is open and has had no round for {_minutes(seen.now - began)} minutes."
    return [Finding("table_idle", seen.table, seen.table, sentence)]


def _roll_due(seen: Seen, rule: Rule) -> Said:
    if not seen.roll_is_due:
        return []
    sentence = f"{seen.table} is open on a gaming day or shift that the clock has left; count and roll it."
    return [Finding("roll_due", seen.table, seen.table, sentence)]


def _slow_pace(seen: Seen, rule: Rule) -> Said:
    if not seen.is_open:
        return []
    if seen.since is None or seen.now - seen.since < timedelta(minutes=rule.after_minutes):
        return [NotEnough("slow_pace", seen.table, f"open for less than {rule.after_minutes} minutes")]
    if seen.rounds_an_hour is None:
        return [NotEnough("slow_pace", seen.table, seen.no_pace or "no round to tell by")]
    if seen.rounds_an_hour >= rule.least_rounds_an_hour:
        return []
    sentence = f"{seen.table} deals {seen.rounds_an_hour} rounds an hour; {rule.least_rounds_an_hour} are expected."
    return [Finding("slow_pace", seen.table, seen.table, sentence)]


def _unusual_result(seen: Seen, rule: Rule) -> Said:
    if seen.verdict == "look here":
        return [Finding("unusual_result", seen.table, seen.table, f"{seen.table}: {seen.verdict_sentence}")]
    if seen.is_open and seen.verdict not in ("ordinary", "unusual"):
        return [NotEnough("unusual_result", seen.table, seen.verdict_sentence or "too few rounds to tell by")]
    return []


def _progressive_miscount(seen: Seen, rule: Rule) -> Said:
    return [Finding("progressive_miscount", subject, seen.table, sentence) for subject, sentence in seen.miscounts]


def _opener_variance(seen: Seen, rule: Rule) -> Said:
    return [Finding("opener_variance", subject, seen.table, sentence) for subject, sentence in seen.variances]


def _near_cash_threshold(seen: Seen, rule: Rule) -> Said:
    return [Finding("near_cash_threshold", subject, seen.table, said, day) for subject, said, day in seen.cash]


def _float_below_zero(seen: Seen, rule: Rule) -> Said:
    return [Finding("float_below_zero", subject, seen.table, sentence) for subject, sentence in seen.floats]


def _close_refused(seen: Seen, rule: Rule) -> Said:
    found = [(subject, sentence, date.fromisoformat(subject)) for subject, sentence in seen.not_closed]
    return [Finding("close_refused", subject, seen.table, sentence, day) for subject, sentence, day in found]


CHECKS: dict[str, Callable[[Seen, Rule], Said]] = {
    "tray_below_fill_line": _tray_below_fill_line,
    "table_idle": _table_idle,
    "roll_due": _roll_due,
    "slow_pace": _slow_pace,
    "unusual_result": _unusual_result,
    "progressive_miscount": _progressive_miscount,
    "opener_variance": _opener_variance,
    "near_cash_threshold": _near_cash_threshold,
    "float_below_zero": _float_below_zero,
    "close_refused": _close_refused,
}


def look(tables: Iterable[Seen]) -> tuple[list[Finding], list[NotEnough]]:
    """All that the rules say of these tables."""
    said = [one for seen in tables for code, rule in rules().items() for one in CHECKS[code](seen, rule)]
    return [one for one in said if isinstance(one, Finding)], [one for one in said if isinstance(one, NotEnough)]


# ------------------------------------------------------------------------------------------------- one alert's life


@dataclass(frozen=True)
class Alert:
    """What has been said of one rule and subject on a gaming day."""

    is_raised: bool = False
    was_raised: bool = False
    is_acknowledged: bool = False
    left_at: datetime | None = None


def alert_of(history: Iterable[tuple[datetime, Any]]) -> Alert:
    """The alert after its events, each with when it occurred."""
    alert = Alert()
    for at, event in history:
        match event:
            case AlertRaised():
                alert = Alert(is_raised=True, was_raised=True)
            case AlertAcknowledged():
                alert = replace(alert, is_acknowledged=True, left_at=at)
            case AlertEnded():
                alert = replace(alert, is_raised=False, left_at=alert.left_at or at)
    return alert


def next_events(alert: Alert, finding: Finding | None, rule_code: str, subject: str, now: datetime) -> list[Event]:
    """What is to be recorded now: a new alert, its end, or nothing.

    The same finding is raised once while it lasts, and not again within the rule's cooldown after it was seen to or
    ended: one alert, not a hundred and twenty an hour.
    """
    if finding is None:
        lasts = rules()[rule_code].lasts
        return [AlertEnded(rule=rule_code, subject=subject)] if alert.is_raised and lasts else []
    rule = rules()[rule_code]
    if alert.is_raised:
        return []
    if alert.left_at and (not rule.lasts or now - alert.left_at < timedelta(minutes=rule.cooldown_minutes)):
        return []
    return [
        AlertRaised(rule=rule_code, subject=subject, table=finding.table, level=rule.level, sentence=finding.sentence)
    ]
