"""Carrying a command out: once per idempotency key, against the streams it decides on, or not at all."""

import random
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple

from django.conf import settings

from casino import profile
from casino.eventstore import store
from casino.eventstore.registry import Event
from casino.eventstore.store import Addition
from casino.profile import Profile
from casino.refusal import Refused, in_quotes

ATTEMPTS = 6
CLOCK_AHEAD_MAX = timedelta(minutes=2)
FIRST_YEAR = 2000


@dataclass(frozen=True)
class Order:
    """Who asks (`by`), under which idempotency key, when it happened by the source's own clock.

    `source` says by what way it came (terminal, feed, import, simulation); `source_seq` is the source's own
    number for the message, where it has one.
    """

    by: str
    key: str
    at: datetime
    source: str = "terminal"
    source_seq: int | None = None
    correlation: str | None = None


@dataclass(frozen=True)
class Plan:
    """What a decision wants appended; guards are (stream, version) that must hold until it is."""

    additions: Sequence[Addition]
    guards: Sequence[tuple[str, int]] = ()


class Done(NamedTuple):
    """A command carried out, now or before (`replayed`): its events, and its last position in the log."""

    events: list[Event]
    position: int
    replayed: bool


def property_code() -> str:
    """The property this installation serves; every stream key carries it."""
    return str(settings.CASINO_PROPERTY)


def house_profile() -> Profile:
    """The rules of the jurisdiction that the house is under."""
    return profile.load(settings.CASINO_PROFILE)


def carry_out(
    order: Order, name: str, content: dict[str, Any], plan: Callable[[], Plan], attempts: int = ATTEMPTS
) -> Done:
    """Decide and append, again when somebody else came first.

    The same key with the same content answers with the events of the first time; with other content it is
    refused as `key_reused`, naming what differs. A refusal of the plan is not stored: the key stays free.
    """
    check_order(order)
    command = store.Command(order.by, order.key, store.fingerprint(name, content))
    for attempt in range(attempts):
        if known := store.find_command(order.by, order.key):
            return _again(known, command)
        wanted = plan()
        origin = store.Origin(order.by, order.source, order.source_seq, order.correlation, [command])
        try:
            appended = store.append(origin, wanted.additions, wanted.guards)
        except store.Conflict:
            time.sleep(random.uniform(0.001, 0.005) * (attempt + 1))
            continue
        except store.KeyReused:
            continue  # the key came twice at the same moment; the next look finds it
        if appended.replayed:
            continue
        return Done([e for a in wanted.additions for e in a.events], appended.last_position, False)
    raise Refused("busy", f"Others keep changing what {name.replace('_', ' ')} decides on; try again.")


def _again(known: store.Answered, command: store.Command) -> Done:
    if known.content != command.content:
        fields = store.differing_fields(known.content, command.content)
        as_what = "for another command" if fields == ["command"] else f"with other content ({', '.join(fields)})"
        raise Refused(
            "key_reused",
            f"The idempotency key {in_quotes(command.key)} was used before {as_what}; use a new key for a new command.",
            differs=fields,
        )
    events = [recorded.event for recorded in store.events_of_command(known, command)]
    return Done(events, known.last_position, True)


def check_order(order: Order) -> None:
    """Refuses `bad_key`, `clock_behind` and `clock_ahead`."""
    if not 0 < len(order.key) <= 200 or not order.key.isprintable():
        raise Refused("bad_key", "An idempotency key is 1 to 200 printable characters.")
    if order.at.year < FIRST_YEAR:
        raise Refused("clock_behind", f"The time given, {order.at.isoformat()}, is before this house kept records.")
    if order.at > datetime.now(UTC) + CLOCK_AHEAD_MAX:
        raise Refused(
            "clock_ahead", f"The time given, {order.at.isoformat()}, is over two minutes ahead of the house's clock."
        )
