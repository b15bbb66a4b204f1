"""A link's own record, without its meter: parameters and their changes, tables, levels, stops, notices. Pure.

A change goes from proposed to approved, by another person, to made: when it is due and nobody plays for the link.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, date, datetime
from typing import Any

import msgspec
from msgspec.structs import replace

from casino.approval import Approval
from casino.money import MICROS_PER_CENT, written
from casino.refusal import Refused
from jackpot import control_events as c
from jackpot import terms as rules
from jackpot.control_events import Change
from jackpot.correction_events import HitInBetween, InBetweenSettled, JackpotMissed, JackpotRefilled, PlayerMissed
from jackpot.events import MAIN, LinkSetUp, MeterAdjusted, TableJoined, TableLeft
from jackpot.meter import Meter
from jackpot.terms import Level

HOUSE, CONTROLLER = "house", "controller"
AT_ONCE = datetime(2000, 1, 1, tzinfo=UTC)
"""When a change is due that waits for nothing but that nobody plays."""

OPENING_READING = "opening_reading"


class Proposal(msgspec.Struct, frozen=True):
    """A change that is not made yet; `approved_by` is "" until somebody has."""

    number: int
    change: Change
    effective_at: str
    reason: str
    acknowledged_by: str
    by: str
    approved_by: str = ""

    @property
    def due_at(self) -> datetime | None:
        """From when on it may be made; None at once."""
        return datetime.fromisoformat(self.effective_at) if self.effective_at else None


class Stop(msgspec.Struct, frozen=True):
    """Why the bet is not taken, and since which heartbeat where something fell silent."""

    reason: str
    last_heard_at: str
    by: str


class Control(msgspec.Struct, frozen=True):
    """A link as its own stream has it. `changes` are the open ones, `stops` go by their source."""

    terms: LinkSetUp
    tables: frozenset[str] = frozenset()
    levels: tuple[str, ...] = ()
    changes: tuple[Proposal, ...] = ()
    changes_count: int = 0
    stops: Mapping[str, Stop] = {}
    notices: tuple[c.NoticePosted, ...] = ()
    requests: tuple[c.RequestMade, ...] = ()
    requests_count: int = 0
    between: tuple[HitInBetween, ...] = ()
    is_read: bool = False
    is_retired: bool = False

    @property
    def code(self) -> str:
        return self.terms.code

    @property
    def change_due_at(self) -> datetime | None:
        """From when on the first approved change may be made; None where none is approved."""
        due = [one.due_at or AT_ONCE for one in self.changes if one.approved_by]
        return min(due, default=None)

    def stops_at(self, table: str) -> list[Stop]:
        """Why the bet is not taken at a table."""
        wide = [stop for source, stop in self.stops.items() if not source.startswith("table ")]
        return [*wide, *(stop for source, stop in self.stops.items() if source == table_source(table))]


def table_source(table: str) -> str:
    """How a stop names a table."""
    return f"table {table}"


def control_of(events: Iterable[Any]) -> Control:
    """The link after the events of its own stream; the first is its set-up."""
    iterator = iter(events)
    control = Control(next(iterator))
    for event in iterator:
        control = evolve(control, event)
    return control


def evolve(control: Control, event: Any) -> Control:
    """The link after one more event; what says nothing of it (a hit's record) leaves it as it is."""
    change = FOLD.get(type(event))
    return change(control, event) if change else control


# ------------------------------------------------------------------------------------------------- changes


def propose(
    control: Control, change: Change, effective_at: datetime | None, reason: str, acknowledged_by: str, by: str
) -> c.ChangeProposed:
    """A proposal under the next number; what it would make of the link is checked when it is made, too."""
    alive(control)
    if not reason.strip():
        raise Refused("reason_missing", "Say why the link is to change; the reason is kept.")
    if changed(control.terms, change) == control.terms:
        raise Refused("nothing_changes", f"Link {control.code} has these parameters already; name what is to differ.")
    return c.ChangeProposed(
        number=control.changes_count + 1,
        change=change,
        effective_at=effective_at.isoformat() if effective_at else "",
        reason=reason.strip(),
        acknowledged_by=acknowledged_by.strip(),
        by=by,
    )


def proposal_of(event: c.ChangeProposed) -> Proposal:
    """The proposal that an event puts down."""
    return Proposal(event.number, event.change, event.effective_at, event.reason, event.acknowledged_by, event.by)


def with_tiers(change: Change, tiers: dict[str, str]) -> Change:
    """The change with the parts of its tiers written out."""
    return replace(change, tiers=tiers)


def approve(control: Control, number: int, by: str) -> c.ChangeApproved:
    """Approve a proposal; who proposed it never does."""
    proposal = open_change(control, number)
    if proposal.approved_by:
        raise Refused("already_approved", f"Change {number} of link {control.code} is approved and waits to be made.")
    Approval(proposal.by, by)  # refuses who proposed it
    return c.ChangeApproved(number=number, by=by)


def drop(control: Control, number: int, reason: str, by: str) -> c.ChangeDropped:
    """Withdraw or decline a change that is not made yet."""
    open_change(control, number)
    if not reason.strip():
        raise Refused("reason_missing", "Say why the change is dropped; the reason is kept.")
    return c.ChangeDropped(number=number, reason=reason.strip(), by=by)


def make(control: Control, number: int, now: datetime) -> c.ChangeMade:
    """The change, once it is approved and due; that nobody plays is for the caller to see to."""
    proposal = open_change(control, number)
    if not proposal.approved_by:
        raise Refused("not_approved", f"Change {number} of link {control.code} waits for another person's approval.")
    if proposal.due_at and now < proposal.due_at:
        raise Refused(
            "not_due", f"Change {number} of link {control.code} is due at {proposal.effective_at}, not before."
        )
    return c.ChangeMade(number=number, change=proposal.change)


def open_change(control: Control, number: int) -> Proposal:
    """The change of this number that is neither made nor dropped; refuses `unknown_change`."""
    for proposal in control.changes:
        if proposal.number == number:
            return proposal
    raise Refused(
        "unknown_change", f"Link {control.code} has no open change {number}; it may be made or dropped already."
    )


def changed(terms: LinkSetUp, change: Change) -> LinkSetUp:
    """The parameters with the changed ones in their places."""
    given = {name: getattr(change, name) for name in CHANGEABLE if getattr(change, name) is not None}
    if change.no_limit:
        given["limit_cents"] = None
    return replace(terms, **given)


CHANGEABLE = tuple(name for name in Change.__struct_fields__ if name != "no_limit")


def check_changed(proposal: Proposal, wanted: Level, others: Sequence[Level], meter: Meter) -> None:
    """Whether the link may have these parameters now: as at a set-up, and a limit above what the meter shows.

    A revised limit is above the current meter (COMAR 36.04.01.30C): refused `limit_below_meter`.
    """
    known = replace(wanted.terms, base_cents=wanted.terms.reset_cents, acknowledged_by=proposal.acknowledged_by)
    rules.check_set_up(known, wanted.chances, others)
    limit_cents = proposal.change.limit_cents
    if limit_cents is not None and limit_cents * MICROS_PER_CENT <= meter.main_micros:
        raise Refused(
            "limit_below_meter",
            f"The meter of {known.code} stands at {meter.display_cents} cents; a new limit has to be above that, and "
            f"{limit_cents} is not.",
        )


# ------------------------------------------------------------------------------------------------- stops


def stop(control: Control, source: str, reason: str, by: str, last_heard_at: str = "") -> c.LinkStopped:
    """Suspend the bet; a source stops it once."""
    alive(control)
    if source in control.stops:
        raise Refused("already_stopped", f"Link {control.code} is stopped already ({control.stops[source].reason}).")
    if not reason.strip():
        raise Refused("reason_missing", "Say why the bet is suspended; the reason is shown at the tables.")
    return c.LinkStopped(source=source, reason=reason.strip(), last_heard_at=last_heard_at, by=by)


def resume(
    control: Control, source: str, shown_cents: int | None, meter: Meter, by: str, *, is_explained: bool = False
) -> c.LinkResumed:
    """Take the bet again, in the exact state in which it stopped.

    A controller that fell silent is heard again with a reading, and the reading is what the meter stands at (Michigan's
    rule for wide areas) or differs for a reason on record: else refused `reading_differs` with both. A table's feed has
    no sign to read.
    """
    if source not in control.stops:
        raise Refused(
            "not_stopped", f"Nothing of link {control.code} is stopped by {source}; there is nothing to resume."
        )
    if source == CONTROLLER and shown_cents is None:
        raise Refused("reading_missing", f"Read the sign of link {control.code} first, and give what it shows.")
    if shown_cents is not None and shown_cents != meter.display_cents and not is_explained:
        raise Refused(
            "reading_differs",
            f"The sign of link {control.code} shows {written(shown_cents)} and its meter stands at "
            f"{written(meter.display_cents)}. The difference is kept with the day's readings: set the sign, or put the "
            "meter right by an adjustment; or explain the difference there, and somebody else takes the bet again.",
            shown_cents=shown_cents,
            meter_cents=meter.display_cents,
        )
    return c.LinkResumed(source=source, shown_cents=shown_cents, by=by)


# ------------------------------------------------------------------------------------------------- requests


def request(control: Control, wanted: c.RequestMade) -> c.RequestMade:
    """A request under the next number; what it asks for is checked when another person approves it, too."""
    alive(control)
    if not wanted.reason.strip():
        raise Refused("reason_missing", "Say why; the reason is kept with the request.")
    if not wanted.evidence.strip():
        raise Refused("evidence_missing", "Name the evidence: a reading, a report, a photograph.")
    if wanted.reason == OPENING_READING and not control.terms.taken_over:
        raise Refused("not_taken_over", f"Link {control.code} was opened with a base; it has no opening reading.")
    return replace(wanted, number=control.requests_count + 1)


def open_request(control: Control, number: int, by: str) -> c.RequestMade:
    """The request that `by` decides on: refuses `unknown_request`, and `same_person` for who made it."""
    alive(control)
    found = next((one for one in control.requests if one.number == number), None)
    if found is None:
        raise Refused("unknown_request", f"Link {control.code} has no open request {number}; perhaps it was decided.")
    if by.casefold() == found.by.casefold():
        raise Refused("same_person", f"{by} made this request; somebody else has to decide it.")
    return found


def decline(control: Control, number: int, because: str, by: str) -> c.RequestDeclined:
    """Let things stand; whoever asked may take the request back."""
    if all(one.number != number for one in control.requests):
        raise Refused("unknown_request", f"Link {control.code} has no open request {number}; perhaps it was decided.")
    if not because.strip():
        raise Refused("reason_missing", "Say why the request is declined; it is kept.")
    return c.RequestDeclined(number=number, because=because.strip(), by=by)


def check_notice(control: Control, what: str, days: int, today: date, table: str = "") -> None:
    """Whether patrons have been told as many days before as the profile asks for: refused `notice_missing`."""
    posted = [date.fromisoformat(one.posted_on) for one in control.notices if (one.what, one.table) == (what, table)]
    if days and not any((today - day).days >= days for day in posted):
        since = f"posted on {min(posted)}" if posted else "not posted"
        raise Refused(
            "notice_missing",
            f"A {what} of link {control.code} needs a notice {days} days before; it is {since}.",
        )


# ------------------------------------------------------------------------------------------------- common ground


def alive(control: Control) -> None:
    """Refuse a link that is over."""
    if control.is_retired:
        raise Refused("link_retired", f"Link {control.code} is retired; its record stays and nothing is added to it.")


def check_ready(control: Control) -> None:
    """Whether tables may join: a meter that ran before is read by two people first, and a stopped link resumes."""
    alive(control)
    if control.terms.taken_over and not control.is_read:
        raise Refused(
            "opening_reading_missing",
            f"The meter of link {control.code} ran before; two people have to read it before a table joins.",
        )
    if control.stops:
        (reason, *_) = (one.reason for one in control.stops.values())
        raise Refused("link_stopped", f"Link {control.code} is stopped ({reason}); resume it before a table joins.")


def _proposed(control: Control, event: c.ChangeProposed) -> Control:
    return replace(control, changes=(*control.changes, proposal_of(event)), changes_count=event.number)


def _approved(control: Control, event: c.ChangeApproved) -> Control:
    changes = tuple(
        replace(one, approved_by=event.by) if one.number == event.number else one for one in control.changes
    )
    return replace(control, changes=changes)


def _dropped(control: Control, event: c.ChangeDropped | c.ChangeMade) -> Control:
    return replace(control, changes=tuple(one for one in control.changes if one.number != event.number))


def _made(control: Control, event: c.ChangeMade) -> Control:
    proposal = open_change(control, event.number)
    terms = changed(control.terms, event.change)
    if proposal.acknowledged_by:
        terms = replace(terms, acknowledged_by=proposal.acknowledged_by)
    return replace(_dropped(control, event), terms=terms)


def _stopped(control: Control, event: c.LinkStopped) -> Control:
    return replace(control, stops={**control.stops, event.source: Stop(event.reason, event.last_heard_at, event.by)})


def _resumed(control: Control, event: c.LinkResumed) -> Control:
    return replace(control, stops={source: one for source, one in control.stops.items() if source != event.source})


def _left(control: Control, event: TableLeft) -> Control:
    gone = table_source(event.table)
    stops = {source: one for source, one in control.stops.items() if source != gone}
    return replace(control, tables=control.tables - {event.table}, stops=stops)


def _adjusted(control: Control, event: MeterAdjusted) -> Control:
    read = event.reason == OPENING_READING and event.pool == MAIN
    return replace(_decided(control, event.request), is_read=control.is_read or read)


def _decided(control: Control, number: int) -> Control:
    return replace(control, requests=tuple(one for one in control.requests if one.number != number))


def _corrected(control: Control, event: JackpotMissed | PlayerMissed | JackpotRefilled) -> Control:
    return _decided(control, event.request)


def _settled(control: Control, event: InBetweenSettled) -> Control:
    return replace(control, between=tuple(one for one in control.between if one.round != event.round))


def _requested(control: Control, event: c.RequestMade) -> Control:
    return replace(control, requests=(*control.requests, event), requests_count=event.number)


def _retired(control: Control, event: c.LinkRetired) -> Control:
    return replace(_decided(control, event.request), is_retired=True)


FOLD: dict[type, Callable[[Control, Any], Control]] = {
    TableJoined: lambda control, event: replace(control, tables=control.tables | {event.table}),
    TableLeft: _left,
    MeterAdjusted: _adjusted,
    c.LevelAdded: lambda control, event: replace(control, levels=(*control.levels, event.level)),
    c.ChangeProposed: _proposed,
    c.ChangeApproved: _approved,
    c.ChangeDropped: _dropped,
    c.ChangeMade: _made,
    c.LinkStopped: _stopped,
    c.LinkResumed: _resumed,
    c.NoticePosted: lambda control, event: replace(control, notices=(*control.notices, event)),
    c.RequestMade: _requested,
    c.RequestDeclined: lambda control, event: _decided(control, event.number),
    c.LinkRetired: _retired,
    **dict.fromkeys((JackpotMissed, PlayerMissed, JackpotRefilled), _corrected),
    HitInBetween: lambda control, event: replace(control, between=(*control.between, event)),
    InBetweenSettled: _settled,
}
