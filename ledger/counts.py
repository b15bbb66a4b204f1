"""A count of drop boxes as its events have left it, and what may happen next in it. Pure.

Each box is emptied and counted twice by two of the team; a difference is recorded before the next box begins. The
cage then counts the currency in bulk, having been shown no figure (COMAR 36.03.10.44 and .45).
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from casino.approval import Approval
from casino.eventstore.registry import Event
from casino.money import written
from casino.refusal import Refused, in_quotes
from casino.roles import CAGE, COUNT_TEAM
from casino.slips import Person
from ledger.boxes import BoxId, added, box_of, boxes_in_words, check_once, check_text, checked_contents, checked_notes
from ledger.count_events import (
    BoxCounted,
    BoxRecounted,
    Contents,
    CountClosed,
    CountCorrected,
    CountDifferenceRecorded,
    CountOpened,
    DropAccepted,
    DropRecounted,
)
from ledger.events import DropCounted


@dataclass(frozen=True)
class SoftCount:
    """One count after its events."""

    opened: CountOpened
    first: Mapping[str, BoxCounted] = field(default_factory=dict)
    second: Mapping[str, BoxRecounted] = field(default_factory=dict)
    differences: Mapping[str, CountDifferenceRecorded] = field(default_factory=dict)
    closed: CountClosed | None = None
    recounts: tuple[DropRecounted, ...] = ()
    accepted: DropAccepted | None = None

    @property
    def name(self) -> str:
        return self.opened.count

    @property
    def boxes(self) -> list[str]:
        """The names of its boxes, in order."""
        return self.opened.boxes

    def content_of(self, box: str) -> Contents | None:
        """What was accepted as a box's content; None until its count is done."""
        if difference := self.differences.get(box):
            return difference.accepted
        second = self.second.get(box)
        return second.contents if second and second.contents == self.first[box].contents else None

    @property
    def in_progress(self) -> str | None:
        """The box that has been begun and is not done; there is at most one."""
        return next((box for box in self.first if self.content_of(box) is None), None)

    @property
    def waiting(self) -> list[str]:
        """The boxes that nobody has begun."""
        return [box for box in self.boxes if box not in self.first]

    @property
    def step(self) -> str:
        """What is due: `first`, `second`, `difference`, `close`, `recount`, `acceptance`; "" where nothing is."""
        if self.accepted:
            return ""
        if self.closed:
            return "acceptance" if self.recounts else "recount"
        if self.in_progress:
            return "difference" if self.in_progress in self.second else "second"
        return "first" if self.waiting else "close"

    @property
    def total(self) -> Contents:
        """All boxes that are done, by instrument."""
        return added(found for box in self.boxes if (found := self.content_of(box)))

    @property
    def is_secret(self) -> bool:
        """Whether the cage may not see its figures yet."""
        return not self.recounts


def count_after(events: Iterable[Event]) -> SoftCount | None:
    """The count after the events of its stream; None where it was never opened."""
    count: SoftCount | None = None
    for event in events:
        count = SoftCount(event) if isinstance(event, CountOpened) else after(count, event) if count else None
    return count


def after(count: SoftCount, event: Event) -> SoftCount:
    """The count after one more event of its stream."""
    match event:
        case BoxCounted():
            return replace(count, first={**count.first, event.box: event})
        case BoxRecounted():
            return replace(count, second={**count.second, event.box: event})
        case CountDifferenceRecorded():
            return replace(count, differences={**count.differences, event.box: event})
        case CountClosed():
            return replace(count, closed=event)
        case DropRecounted():
            return replace(count, recounts=(*count.recounts, event))
        case DropAccepted():
            return replace(count, accepted=event)
    return count


# ------------------------------------------------------------------------------------------------- the count room


def open_count(
    name: str, boxes: Sequence[BoxId], team: Sequence[Person], least: int, *, ready: Collection[BoxId], by: str
) -> CountOpened:
    """Begin a count of collected boxes (`ready`) with a team of the profile's size, each of it the count team's.

    Refuses `no_boxes`, `box_twice`, `box_not_ready`, `same_person`, `team_too_small`, `wrong_role` and `not_of_team`.
    """
    if not boxes:
        raise Refused("no_boxes", "There is no box to count: none that was collected waits for its count.")
    check_once(boxes)
    if odd := [box for box in boxes if box not in ready]:
        raise Refused(
            "box_not_ready",
            f"The box of {boxes_in_words(odd)} can't be counted here: it was not collected, or it is in a count.",
        )
    for person in team:
        if COUNT_TEAM not in person.roles:
            raise Refused("wrong_role", f"{in_quotes(person.name)} is not of the count team.")
    names = [person.name for person in team]
    if len({name.casefold() for name in names}) < len(names):
        raise Refused("same_person", "The count team names somebody twice; it is made of different people.")
    if len(names) < least:
        raise Refused("team_too_small", f"The count team is {least} people, and {len(names)} are here.")
    if by not in names:
        raise Refused("not_of_team", "Whoever opens a count is one of its team.")
    return CountOpened(count=name, boxes=[str(box) for box in boxes], team=names, by=by)


def count_box(count: SoftCount, box: str, contents: Contents, counted_by: str, by: str) -> BoxCounted:
    """The first count of the next box. Refuses `box_in_progress` while another is begun, and `already_counted`."""
    _check_open(count, by)
    _check_team(count, counted_by)
    if count.in_progress and count.in_progress != box:
        raise Refused(
            "box_in_progress",
            f"The box of {_said(count.in_progress)} is begun; finish it, with its difference, before the next.",
        )
    _check_in(count, box)
    if box in count.first:
        raise Refused("already_counted", f"The box of {_said(box)} has its first count already.")
    found = checked_contents(contents, f"The box of {_said(box)}")
    return BoxCounted(count=count.name, box=box, contents=found, counted_by=counted_by, by=by)


def recount_box(count: SoftCount, box: str, contents: Contents, counted_by: str, by: str) -> BoxRecounted:
    """The second count, by another. Refuses `not_counted`, `same_person` and `already_counted`."""
    _check_open(count, by)
    _check_in(count, box)
    first = count.first.get(box)
    if first is None:
        raise Refused("not_counted", f"The box of {_said(box)} has no first count yet.")
    _check_team(count, counted_by)
    if counted_by == first.counted_by:
        raise Refused("same_person", f"{counted_by} counted the box of {_said(box)} first; another counts it again.")
    if box in count.second:
        raise Refused("already_counted", f"The box of {_said(box)} was counted twice already.")
    found = checked_contents(contents, f"The box of {_said(box)}")
    return BoxRecounted(count=count.name, box=box, contents=found, counted_by=counted_by, by=by)


def record_difference(
    count: SoftCount, box: str, accepted: Contents, explanation: str, by: str
) -> CountDifferenceRecorded:
    """What the team accepts where its two counts differ, and why they did. Refuses `nothing_differs`."""
    _check_open(count, by)
    _check_in(count, box)
    if box in count.differences or box not in count.second or count.content_of(box):
        raise Refused("nothing_differs", f"The two counts of the box of {_said(box)} are not apart; nothing to record.")
    first, second = count.first[box].contents, count.second[box].contents
    return CountDifferenceRecorded(
        count=count.name,
        box=box,
        difference_cents=second.total_cents - first.total_cents,
        accepted=checked_contents(accepted, f"The box of {_said(box)}"),
        explanation=check_text(explanation, "Why the two counts differ"),
        by=by,
    )


def drop_counted(count: SoftCount, box: str) -> DropCounted | None:
    """The box's count as the books take it, once it is done."""
    found = count.content_of(box)
    if found is None:
        return None
    table, number = box_of(box)
    return DropCounted(
        table=table,
        counted_cents=found.total_cents,
        counted_by=[count.first[box].counted_by, count.second[box].counted_by],
        number=number,
        count=count.name,
        currency=found.currency,
        checks_cents=found.checks_cents,
        promo_cents=found.promo_cents,
        foreign=found.foreign,
    )


def close_count(count: SoftCount, by: str) -> CountClosed:
    """The end of the count; refuses `boxes_uncounted` with their names."""
    _check_open(count, by)
    left = [box for box in count.boxes if count.content_of(box) is None]
    if left:
        named = boxes_in_words(map(box_of, left))
        raise Refused("boxes_uncounted", f"The box of {named} is not counted twice yet; finish it first.", boxes=left)
    total = count.total
    return CountClosed(
        count=count.name,
        boxes=len(count.boxes),
        currency=total.currency,
        checks_cents=total.checks_cents,
        promo_cents=total.promo_cents,
        team=count.opened.team,
        by=by,
    )


# ------------------------------------------------------------------------------------------------- the cage


def recount_drop(count: SoftCount, currency: Mapping[str, int], person: Person) -> DropRecounted:
    """The cage's own count of the currency in bulk.

    Refuses `wrong_role`, `same_person` for one of the count's team, `count_open` and `drop_accepted`.
    """
    _check_cage(count, person)
    if person.name in count.opened.team:
        raise Refused("same_person", f"{person.name} was of this count's team; somebody else of the cage counts it.")
    found = checked_notes(currency, "The recount")
    return DropRecounted(count=count.name, currency=found, is_blind=not count.recounts, by=person.name)


def accept_drop(count: SoftCount, cashier: Person, counter: Person, note: str) -> DropAccepted:
    """The cage takes the currency over as it counted it last; one of the count team signs beside it.

    Refuses `not_recounted`, `not_of_team`, and `text_missing` where a difference has no note.
    """
    _check_cage(count, cashier)
    if not count.recounts:
        raise Refused("not_recounted", "The cage has not counted this drop; it is taken over by its own figure.")
    if count.recounts[-1].by != cashier.name:
        raise Refused("not_holder", f"{count.recounts[-1].by} counted this drop last and takes it over, or recount it.")
    if counter.name not in count.opened.team:
        raise Refused("not_of_team", f"{in_quotes(counter.name)} was not of the team of this count.")
    assert count.closed is not None
    counted, accepted = sum(count.closed.currency.values()), count.recounts[-1].currency
    variance = sum(accepted.values()) - counted
    said = check_text(note, f"A note on the difference of {written(variance)}") if variance or note.strip() else ""
    return DropAccepted(
        count=count.name,
        counted_cents=counted,
        accepted=accepted,
        note=said,
        cashier=cashier.name,
        counter=counter.name,
    )


def _check_cage(count: SoftCount, person: Person) -> None:
    if CAGE not in person.roles:
        raise Refused("wrong_role", f"Only the cage counts and takes over a drop, and {person.name} is not of it.")
    if count.closed is None:
        raise Refused("count_open", "This count is not closed yet; the cage counts its currency after that.")
    if count.accepted:
        raise Refused("drop_accepted", "This drop was taken over already; a wrong count of a box is corrected.")


# ------------------------------------------------------------------------------------------------- afterwards


def standing(events: Iterable[Event]) -> Contents | None:
    """What a box held by its own stream: its count, or what was corrected in it last."""
    found: Contents | None = None
    for event in events:
        match event:
            case DropCounted():
                found = Contents(
                    currency=event.currency,
                    checks_cents=event.checks_cents,
                    promo_cents=event.promo_cents,
                    foreign=event.foreign,
                )
            case CountCorrected():
                found = event.after
    return found


def correct_count(
    count: SoftCount, box: BoxId, before: Contents, after: Contents, reason: str, approval: Approval
) -> CountCorrected:
    """A box's count put right once the drop is taken over; the cash itself stays what the cage took.

    Refuses `drop_not_accepted` and `nothing_differs`.
    """
    if count.accepted is None:
        raise Refused("drop_not_accepted", "The cage has not taken this drop over; a count is put right after it has.")
    right = checked_contents(after, f"The box of {box.in_words}")
    if right == before:
        raise Refused(
            "nothing_differs", f"This is what the box of {box.in_words} was counted to; nothing would change."
        )
    return CountCorrected(
        table=box.table,
        number=box.number,
        before=before,
        after=right,
        reason=check_text(reason, "Why the count is corrected"),
        requested_by=approval.requested_by,
        approved_by=approval.approved_by,
    )


# ------------------------------------------------------------------------------------------------- refusals


def _said(box: str) -> str:
    return box_of(box).in_words


def _check_open(count: SoftCount, by: str) -> None:
    if count.closed:
        raise Refused("count_closed", f"Count {count.name} is closed; a wrong figure is corrected by two people.")
    _check_team(count, by)


def _check_team(count: SoftCount, name: str) -> None:
    if name not in count.opened.team:
        team = ", ".join(count.opened.team)
        raise Refused("not_of_team", f"{in_quotes(name)} is not of the team of this count: {team}.")


def _check_in(count: SoftCount, box: str) -> None:
    if box not in count.boxes:
        raise Refused("not_in_count", f"{in_quotes(box)} is none of the boxes of this count.")
