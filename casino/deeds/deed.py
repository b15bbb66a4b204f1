"""A deed: when it may be done, what it asks for, and the command that it is."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.http import HttpRequest

from casino.commands.order import Done, Order
from casino.commands.tables import Loaded
from casino.deeds.fields import Field, Given
from casino.events import TableSetUp
from casino.eventstore.store import Recorded
from casino.table import Session

OPEN, CLOSED, ALWAYS = "open", "closed", "always"


@dataclass(frozen=True)
class Look:
    """The table as a form needs it: its set-up with the limits of now, its last session and that session's events."""

    code: str
    now: datetime
    loaded: Loaded
    set_up: TableSetUp
    recorded: Sequence[Recorded]
    query: Mapping[str, str]

    @property
    def session(self) -> Session | None:
        return self.loaded.session

    @property
    def is_open(self) -> bool:
        return bool(self.session and self.session.is_open)


@dataclass(frozen=True)
class Press:
    """A form that was sent, and by whom."""

    request: HttpRequest
    order: Order
    code: str
    given: Given


@dataclass(frozen=True)
class Deed:
    """One deed. `asks_second` adds name, password and code of the second person to the form."""

    title: str
    button: str
    lead: str
    when: str
    fields: Callable[[Look], list[Field]]
    act: Callable[[Press], Done]
    asks_second: bool = False
    second: str = "Somebody else of the floor"
    shows: Callable[[Look], Mapping[str, Any]] = field(default=lambda look: {})


def seat_field(look: Look, required: bool = True) -> Field:
    """The seat at which something happens, with whoever is known to sit there."""
    taken = look.session.seats if look.session else {}
    choices = [(n, f"{n}{_sitting(taken, n)}") for n in range(1, look.set_up.seats + 1)]
    empty = [] if required else [("", "no seat")]
    return Field("seat", "Seat", "choice", required=required, choices=[*empty, *choices])


def _sitting(taken: Mapping[int, int | None], seat: int) -> str:
    if seat not in taken:
        return ""
    return f" · patron {taken[seat]}" if taken[seat] is not None else " · unrated player"
