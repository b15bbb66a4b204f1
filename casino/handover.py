"""A pit given from one person to another, with all that is open in it. Pure."""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple
from zoneinfo import ZoneInfo

from casino.house_events import ShiftHandedOver
from casino.refusal import Refused
from casino.roles import FLOOR, PIT_MANAGER
from casino.slips import Person
from casino.table import Session, roll_due_at
from casino.transfers import open_transfers

NOTE_MAX = 2_000


class OpenTable(NamedTuple):
    """An open table of the pit, and when its session began."""

    session: Session
    opened_at: datetime


class Matters(NamedTuple):
    """What is open in a pit: tables, those of them that are due to roll, requests and slips that wait, in words."""

    tables: list[str]
    roll_due: list[str]
    transfers: list[str]


def matters_of(tables: Sequence[OpenTable], now: datetime, zone: ZoneInfo, starts: Sequence[int]) -> Matters:
    """All that is open at these tables; `starts` are the hours at which shifts begin."""
    waiting = [
        f"{one.document} of {table.session.table} ({one.state.replace('_', ' ')})"
        for table in tables
        for one in open_transfers(table.session)
    ]
    due = [table.session.table for table in tables if roll_due_at(table.opened_at, zone, starts) <= now]
    return Matters([table.session.table for table in tables], due, waiting)


def hand_over(
    pit: str,
    last: ShiftHandedOver | None,
    shift: int,
    outgoing: Person,
    incoming: Person,
    note: str,
    matters: Matters,
    patrons_near: int,
) -> ShiftHandedOver:
    """Give a pit over; `last` is how it came to whoever has it now.

    Refuses `same_person`, `wrong_role`, `not_holder` and `note_too_long`. A pit manager may give it over for somebody
    who has left.
    """
    if outgoing.is_(incoming.name):
        raise Refused("same_person", f"{outgoing.name} can't hand pit {pit} over to the same person.")
    for person in (outgoing, incoming):
        if FLOOR not in person.roles:
            raise Refused("wrong_role", f"{person.name} is not of the floor; a pit is handed from floor to floor.")
    if last is not None and not outgoing.is_(last.incoming) and PIT_MANAGER not in outgoing.roles:
        sentence = f"Pit {pit} was handed to {last.incoming}, who hands it on; else a pit manager does."
        raise Refused("not_holder", sentence, holder=last.incoming)
    if len(note) > NOTE_MAX:
        raise Refused("note_too_long", f"A note is at most {NOTE_MAX:,} letters.")
    return ShiftHandedOver(
        pit=pit,
        shift=shift,
        outgoing=outgoing.name,
        incoming=incoming.name,
        note=note.strip(),
        tables_open=matters.tables,
        roll_due=matters.roll_due,
        transfers=matters.transfers,
        patrons_near=patrons_near,
    )
