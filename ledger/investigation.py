"""What may be done about a variance: opened, assigned, noted, concluded, taken up again. Pure.

Accounting concludes, and nobody concludes on a count of their own (where the record says whose it was).
"""

from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from datetime import date
from typing import Any, NamedTuple

from casino.refusal import Refused, in_quotes
from ledger.investigation_events import (
    InvestigationAssigned,
    InvestigationConcluded,
    InvestigationNoted,
    InvestigationOpened,
    InvestigationReopened,
)

CONCLUSIONS = {
    "entry_wrong": "An entry was recorded wrong; it is corrected",
    "entry_missing": "An entry was not recorded; it is put on record",
    "counted_wrong": "The tray or the box was counted wrong",
    "wrong_box": "Dropped into, or counted with, another table's box",
    "paid_wrong": "The dealer paid or took otherwise than due",
    "handed_over": "Handed to surveillance or an authority",
    "within_tolerance": "Within what the house lets pass",
    "unexplained": "Not explained",
}
"""How an investigation may end, by code."""
NOTE_MAX, NAME_MAX = 1_000, 150


class Subject(NamedTuple):
    """What is investigated: a table's gaming day, or one session of it (0 is the whole day)."""

    table: str
    day: date
    session: int

    def __str__(self) -> str:
        return f"{self.table} on {self.day}" + (f", session {self.session}" if self.session else "")


class Variances(NamedTuple):
    """Counted less recorded, in cents, in the box and in the tray; None where it is not known."""

    box_cents: int | None
    tray_cents: int | None


@dataclass(frozen=True)
class Investigation:
    """An investigation after its events: `state` is "none", "open" or "concluded"."""

    state: str = "none"
    assignee: str = ""
    conclusion: str = ""


def investigation_of(events: Iterable[Any]) -> Investigation:
    """The investigation that a stream's events tell of."""
    found = Investigation()
    for event in events:
        match event:
            case InvestigationOpened() | InvestigationReopened():
                found = Investigation("open", event.assignee)
            case InvestigationAssigned():
                found = replace(found, assignee=event.assignee)
            case InvestigationConcluded():
                found = replace(found, state="concluded", conclusion=event.conclusion)
    return found


def open_(
    now: Investigation, subject: Subject, variances: Variances, by: str, assignee: str, note: str
) -> InvestigationOpened:
    """Refuses `already_investigated`, and texts that are missing or long."""
    if now.state != "none":
        what = "is concluded; take it up again there" if now.state == "concluded" else f"is open with {now.assignee}"
        raise Refused("already_investigated", f"The investigation of {subject} {what}.")
    return InvestigationOpened(
        **subject._asdict(), **variances._asdict(), by=by, assignee=_name(assignee), note=_text(note, "what differs")
    )


def assign(now: Investigation, subject: Subject, by: str, assignee: str) -> InvestigationAssigned:
    """Refuses `no_investigation`, `investigation_concluded` and `nothing_differs`."""
    _check_open(now, subject)
    if _name(assignee) == now.assignee:
        raise Refused("nothing_differs", f"The investigation of {subject} is with {now.assignee} already.")
    return InvestigationAssigned(**subject._asdict(), by=by, assignee=_name(assignee))


def note(now: Investigation, subject: Subject, by: str, said: str) -> InvestigationNoted:
    """Refuses `no_investigation` and `investigation_concluded`."""
    _check_open(now, subject)
    return InvestigationNoted(**subject._asdict(), by=by, note=_text(said, "what was found or done"))


def conclude(
    now: Investigation,
    subject: Subject,
    variances: Variances,
    by: str,
    conclusion: str,
    why: str,
    counters: Collection[str],
) -> InvestigationConcluded:
    """`counters` are those who counted tray or box, as the record names them.

    Refuses `no_investigation`, `investigation_concluded`, `unknown_conclusion` and `own_count`.
    """
    _check_open(now, subject)
    if conclusion not in CONCLUSIONS:
        sentence = f"{in_quotes(conclusion)} is no conclusion; choose from {', '.join(CONCLUSIONS)}."
        raise Refused("unknown_conclusion", sentence)
    if by.casefold() in {name.casefold() for name in counters}:
        raise Refused("own_count", f"{by} counted tray or box of {subject}; somebody else concludes on it.")
    return InvestigationConcluded(
        **subject._asdict(), **variances._asdict(), by=by, conclusion=conclusion, note=_text(why, "why")
    )


def reopen(now: Investigation, subject: Subject, by: str, assignee: str, reason: str) -> InvestigationReopened:
    """Refuses `no_investigation` and `investigation_open`."""
    if now.state == "none":
        raise _none(subject)
    if now.state == "open":
        raise Refused("investigation_open", f"The investigation of {subject} is open already.")
    return InvestigationReopened(
        **subject._asdict(), by=by, assignee=_name(assignee), reason=_text(reason, "why it is taken up again")
    )


def _none(subject: Subject) -> Refused:
    return Refused("no_investigation", f"Nobody investigates {subject} yet; open an investigation first.")


def _check_open(now: Investigation, subject: Subject) -> None:
    if now.state == "none":
        raise _none(subject)
    if now.state == "concluded":
        sentence = f"The investigation of {subject} is concluded; take it up again first."
        raise Refused("investigation_concluded", sentence)


def _text(said: str, what: str) -> str:
    if not said.strip():
        raise Refused("note_missing", f"Say {what}, in words that somebody else will understand.")
    if len(said) > NOTE_MAX:
        raise Refused("long_note", f"A note has at most {NOTE_MAX:,} letters.")
    return said.strip()


def _name(name: str) -> str:
    if not name.strip():
        raise Refused("assignee_missing", "Name the person who investigates.")
    if len(name) > NAME_MAX:
        raise Refused("long_name", f"A name has at most {NAME_MAX} letters.")
    return name.strip()
