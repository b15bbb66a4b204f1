"""Alerts as facts: raised, seen to by name, over. Each stands on a stream of its rule, subject and gaming day."""

from datetime import date
from typing import Literal

from casino.eventstore.registry import Event, event


def alert_key(property_code: str, gaming_date: date, rule: str, subject: str) -> str:
    """The stream of what a rule says of a subject (a table, a round) on a gaming day."""
    return f"{property_code}/alert/{gaming_date.isoformat()}/{rule}/{subject}"


def alert_date(key: str) -> date:
    """The gaming date in an alert's key."""
    return date.fromisoformat(key.split("/")[2])


@event("alert_raised")
class AlertRaised(Event):
    """A rule found something that a person has to look at; `sentence` says what, in words."""

    rule: str
    subject: str
    table: str
    level: Literal["warning", "critical"]
    sentence: str


@event("alert_acknowledged")
class AlertAcknowledged(Event):
    """Somebody saw to it; `is_false` marks an alert that was none, so that the rule can be mended."""

    by: str
    note: str
    is_false: bool


@event("alert_ended")
class AlertEnded(Event):
    """What the rule found is no longer so."""

    rule: str
    subject: str
