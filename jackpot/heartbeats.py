"""What has to be heard for a link's bet to be taken, and when it has been silent for too long. Pure.

A link that has heartbeats switched on is watched by its controller, or by the feed of each of its tables. Only a link
whose bet is taken is: further levels stop and resume with it.
"""

from collections.abc import Mapping
from datetime import datetime, timedelta

from casino.refusal import Refused
from jackpot import control as controls
from jackpot.control import CONTROLLER, Control, table_source

WATCH = "heartbeat-watch"
"""Who stops a link for silence; a stop by anybody else is a person's and stays until a person takes it back."""


def sources(control: Control) -> list[str]:
    """What has to be heard, as stops name it; nothing while no table offers the bet."""
    if control.is_retired or control.terms.level_of or not control.tables:
        return []
    match control.terms.heartbeat_of:
        case "controller":
            return [CONTROLLER]
        case "tables":
            return [table_source(table) for table in sorted(control.tables)]
    return []


def source_of(control: Control, table: str) -> str:
    """For what the device of a table speaks: refuses `no_heartbeats`, and `not_joined` for a table of no concern."""
    controls.alive(control)
    code, terms = control.code, control.terms
    if terms.level_of:
        raise Refused("is_a_level", f"Link {code} is a level; send the heartbeat to {terms.level_of}.")
    if not terms.heartbeat_of:
        raise Refused("no_heartbeats", f"Heartbeats are not switched on for link {code}; propose that change first.")
    if table not in control.tables:
        raise Refused("not_joined", f"Table {table} is not on link {code}, so its device is not asked for.")
    return CONTROLLER if terms.heartbeat_of == "controller" else table_source(table)


def silent(control: Control, heard: Mapping[str, datetime], now: datetime) -> list[str]:
    """Sources that were last heard longer ago than the link's set seconds, and that nothing has stopped for it yet."""
    most = timedelta(seconds=control.terms.silence_seconds)
    return [
        source for source in sources(control) if source not in control.stops and now - heard.get(source, now) > most
    ]


def is_waiting(control: Control, source: str) -> bool:
    """Whether the bet waits for this source to be heard again."""
    stop = control.stops.get(source)
    return stop is not None and stop.by == WATCH


def reason_of(source: str) -> str:
    """Why the bet is not taken, as tables show it."""
    return "the link's controller is silent" if source == CONTROLLER else f"the feed of {source} is silent"
