"""What may be done to an investigation: where each step is sent, its body, and the command that it calls.

The interface and the pages send the same steps with the same bodies; `casino/access.py` says who may take which.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

from rest_framework import serializers

from casino.commands.order import Done, Order
from casino.web import Strict, Text
from ledger.commands import investigations as commands
from ledger.investigation import CONCLUSIONS, NAME_MAX, NOTE_MAX, Subject, Variances
from ledger.queries.reconciliation import variances_of


class Timed(Strict):
    """`occurred_at` is the source's own clock; left out, it is now."""

    occurred_at = serializers.DateTimeField(required=False)


class Open(Timed):
    assignee = Text(max_length=NAME_MAX)
    note = Text(max_length=NOTE_MAX)


class Assign(Timed):
    assignee = Text(max_length=NAME_MAX)


class Note(Timed):
    note = Text(max_length=NOTE_MAX)


class Conclude(Timed):
    conclusion = serializers.ChoiceField(choices=list(CONCLUSIONS.items()))
    note = Text(max_length=NOTE_MAX)


class Reopen(Timed):
    assignee = Text(max_length=NAME_MAX)
    reason = Text(max_length=NOTE_MAX)


class Step(NamedTuple):
    """A step: the last part of its address, what it is, its body, and what it calls with the checked body."""

    path: str
    summary: str
    body: type[Strict]
    act: Callable[[Order, Subject, dict[str, Any]], Done]


def _now(subject: Subject) -> Variances:
    return Variances(*variances_of(subject.day, subject.table, subject.session))


STEPS = (
    Step("open", "Open an investigation", Open,
         lambda order, on, said: commands.open_investigation(order, on, _now(on), said["assignee"], said["note"])),
    Step("assign", "Hand an investigation on", Assign,
         lambda order, on, said: commands.assign(order, on, said["assignee"])),
    Step("note", "Note what was found or done", Note,
         lambda order, on, said: commands.note(order, on, said["note"])),
    Step("conclude", "Conclude an investigation", Conclude,
         lambda order, on, said: commands.conclude(order, on, _now(on), said["conclusion"], said["note"])),
    Step("reopen", "Take an investigation up again", Reopen,
         lambda order, on, said: commands.reopen(order, on, said["assignee"], said["reason"])),
)  # fmt: skip
BY_PATH = {step.path: step for step in STEPS}
