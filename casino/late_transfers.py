"""A fill or credit that was made on paper and found after its session was counted: put on record with two names. Pure.

The paper says who asked, prepared and signed; the record says so too, by the same rules. The chips move on the
session's own gaming day, however late that is known (books, 4.5).
"""

from collections.abc import Mapping
from datetime import datetime
from typing import NamedTuple

from casino import slips
from casino.approval import Approval
from casino.eventstore.registry import Event
from casino.profile import SlipRules
from casino.refusal import Refused
from casino.roles import FLOOR
from casino.round.state import given_reason
from casino.slip_events import Kind, LateTransferRecorded
from casino.slips import Person
from casino.table import Session
from casino.transfers import Transfer, transfers_after

REQUEST = "request"
"""Who asked, among the names on the paper; the others are the profile's signatures."""


class Paper(NamedTuple):
    """What the paper says: its own number, if it has one, its chips, and names by `request` and by role."""

    kind: Kind
    denominations: Mapping[str, int]
    names: Mapping[str, str]
    number: str = ""


class Numbers(NamedTuple):
    """The numbers that request and slip take in the house's books."""

    request: int
    book: str
    slip: int


def late_transfer(
    session: Session, rules: SlipRules, paper: Paper, numbers: Numbers, at: datetime, reason: str, approval: Approval
) -> list[Event]:
    """The whole life of the slip as its paper tells it, and who put it on record why.

    Refuses `table_open` while the session is open, `name_missing`, and what `casino.slips` refuses of a slip.
    """
    if session.is_open or session.opener is None:
        sentence = f"Table {session.table} is still open in session {session.name}; request the {paper.kind} there."
        raise Refused("table_open", sentence)
    people = {role: _person(paper, role, FLOOR if role == REQUEST else role) for role in (REQUEST, *rules.signatures)}
    events: list[Event] = [
        slips.request_transfer(
            session, rules, paper.kind, paper.denominations, people[REQUEST], numbers.request, at, roll_due_at=None
        )
    ]
    number = len(session.transfers) + 1
    events.append(slips.prepare(_after(session, events)[number], people["cage"], numbers.book, numbers.slip))
    for role in rules.signatures:
        events += slips.sign(_after(session, events)[number], rules, people[role], role)
    return [*events, _recorded(session, paper, numbers, number, reason, approval)]


def _recorded(
    session: Session, paper: Paper, numbers: Numbers, number: int, reason: str, approval: Approval
) -> LateTransferRecorded:
    return LateTransferRecorded(
        table=session.table,
        kind=paper.kind,
        transfer=number,
        serial=numbers.slip,
        paper=paper.number,
        reason=given_reason(reason),
        requested_by=approval.requested_by,
        approved_by=approval.approved_by,
    )


def _person(paper: Paper, on_paper: str, role: str) -> Person:
    name = paper.names.get(on_paper, "").strip()
    if not name or len(name) > 150:
        who = "asked for it" if on_paper == REQUEST else f"signed for {on_paper}"
        raise Refused("name_missing", f"Give the name of who {who}, as the {paper.kind} slip has it.")
    return Person(name, frozenset({role}))


def _after(session: Session, events: list[Event]) -> Mapping[int, Transfer]:
    transfers: Mapping[int, Transfer] = session.transfers
    for event in events:
        transfers = transfers_after(transfers, event)
    return transfers
