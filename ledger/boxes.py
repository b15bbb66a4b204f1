"""Drop boxes of a gaming day: how they are named, which are due, what may lie in one. Pure."""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import date
from typing import NamedTuple

from casino.eventstore.registry import Event
from casino.keys import TABLE_CODE
from casino.money import AMOUNT_MAX_CENTS, check_amount, written
from casino.refusal import Refused, in_quotes
from ledger.count_events import BoxesCollected, Contents, EmergencyBoxPlaced

NOTES_CENTS = (10_000, 5_000, 2_000, 1_000, 500, 200, 100)
"""The notes that a count asks for, the dearest first."""
NAME_MAX, TEXT_MAX = 80, 300
BOX = re.compile(r"([A-Z0-9-]+)/([1-9]\d?)", re.ASCII)


class BoxId(NamedTuple):
    """A box within its gaming day, written `R-01/1`; number 1 is the day's box, others are emergency boxes."""

    table: str
    number: int

    def __str__(self) -> str:
        return f"{self.table}/{self.number}"

    @property
    def in_words(self) -> str:
        """As people say it."""
        return f"{self.table}" if self.number == 1 else f"{self.table}, emergency box {self.number - 1}"


class CountId(NamedTuple):
    """A count: the gaming day of its boxes, and its number in that day, written `2026-11-29/1`."""

    gaming_date: date
    number: int

    def __str__(self) -> str:
        return f"{self.gaming_date.isoformat()}/{self.number}"


def box_of(text: str) -> BoxId:
    """The box that is named; refuses `bad_box`."""
    found = BOX.fullmatch(text.strip().upper())
    if not found or not TABLE_CODE.fullmatch(found[1]):
        raise Refused("bad_box", f"{in_quotes(text)} names no box; write its table and number, like R-01/1.")
    return BoxId(found[1], int(found[2]))


def boxes_in_words(boxes: Iterable[BoxId]) -> str:
    """R-01, R-02 and R-03, emergency box 1."""
    said = [box.in_words for box in boxes]
    return " and ".join([", ".join(said[:-1]), said[-1]] if len(said) > 1 else said)


# ------------------------------------------------------------------------------------------------- content


def checked_notes(currency: Mapping[str, int], what: str) -> dict[str, int]:
    """Notes by denomination, none of none: whole pieces of each. Refuses `bad_denomination` and `amount_too_large`."""
    for note, cents in currency.items():
        if not note.isascii() or not note.isdecimal() or note[0] == "0" or len(note) > 9:
            raise Refused("bad_denomination", f"{in_quotes(note)} is no note; write its value in whole cents.")
        if cents < 0 or cents % int(note):
            raise Refused(
                "bad_denomination",
                f"{what} lists {cents} cents in notes of {written(int(note))}, which is no whole number of notes.",
            )
    if sum(currency.values()) > AMOUNT_MAX_CENTS:
        raise Refused("amount_too_large", f"{what} lists more money than the house can mean.")
    return {note: currency[note] for note in sorted(currency, key=int, reverse=True) if currency[note]}


def checked_contents(contents: Contents, what: str) -> Contents:
    """What a box is said to hold, put in order; an empty box is one. Refuses what can't be, with a sentence."""
    for cents, name in ((contents.checks_cents, "counter checks"), (contents.promo_cents, "promotional instruments")):
        if cents:
            check_amount(cents, f"{what}: the {name}")
    for thing, cents in contents.foreign.items():
        if not thing.strip() or len(thing) > NAME_MAX or not thing.isprintable():
            raise Refused("bad_item", f"Say in at most {NAME_MAX} letters what the foreign item is.")
        if not 0 <= cents <= AMOUNT_MAX_CENTS:
            raise Refused("bad_item", f"What {in_quotes(thing)} may be worth is nothing or more.")
    return Contents(
        currency=checked_notes(contents.currency, what),
        checks_cents=contents.checks_cents,
        promo_cents=contents.promo_cents,
        foreign=dict(sorted(contents.foreign.items())),
    )


def added(contents: Iterable[Contents]) -> Contents:
    """All of several boxes together, by instrument."""
    notes: dict[str, int] = {}
    checks = promo = 0
    for one in contents:
        checks, promo = checks + one.checks_cents, promo + one.promo_cents
        for note, cents in one.currency.items():
            notes[note] = notes.get(note, 0) + cents
    currency = {note: notes[note] for note in sorted(notes, key=int, reverse=True)}
    return Contents(currency=currency, checks_cents=checks, promo_cents=promo)


# ------------------------------------------------------------------------------------------------- collecting


def collected(events: Iterable[Event]) -> dict[BoxId, BoxesCollected]:
    """The boxes that came to the count room, each with its round, after the events of the day's drop stream."""
    return {box_of(box): event for event in events if isinstance(event, BoxesCollected) for box in event.collected}


def check_once(boxes: Sequence[BoxId]) -> None:
    """Refuse `box_twice` where a list names a box more than once: what it holds would count as often."""
    if again := [box for box in dict.fromkeys(boxes) if list(boxes).count(box) > 1]:
        raise Refused("box_twice", f"The box of {boxes_in_words(again)} is named twice; there is one of it.")


def check_text(text: str, what: str, most: int = TEXT_MAX) -> str:
    """A sentence that has to be there; refuses `text_missing` and `long_text`. `what` begins the sentence."""
    text = text.strip()
    if not text:
        raise Refused("text_missing", f"{what} is missing; write it down in words.")
    if len(text) > most or "\0" in text:
        raise Refused("long_text", f"{what} has at most {most} letters.")
    return text


def checked_team(names: Iterable[str], least: int, what: str) -> list[str]:
    """Different people, as many as the profile asks for. Refuses `team_too_small`, `same_person` and `long_text`."""
    team = [check_text(name, "A name", NAME_MAX) for name in names if name.strip()]
    if len({name.casefold() for name in team}) < len(team):
        raise Refused("same_person", f"{what} names somebody twice; it is made of different people.")
    if len(team) < least:
        raise Refused("team_too_small", f"{what} is {least} people, and {len(team)} are named.")
    return team


def place_emergency_box(table: str, number: int, mark: str, reason: str, by: str) -> EmergencyBoxPlaced:
    """A further box for an open table; the box before it may be collected from now on."""
    return EmergencyBoxPlaced(
        table=table,
        number=number,
        mark=check_text(mark, "The mark on the emergency box", NAME_MAX),
        reason=check_text(reason, "Why an emergency box is placed"),
        by=by,
    )


def collect(
    due: Collection[BoxId],
    taken: Sequence[BoxId],
    already: Collection[BoxId],
    *,
    explanation: str,
    team: Iterable[str],
    least: int,
    by: str,
) -> BoxesCollected:
    """The drop team carries boxes to the count room; those due and not carried are explained.

    Refuses `no_boxes`, `box_twice`, `box_collected`, `box_not_due` and `boxes_missing`.
    """
    if not taken:
        raise Refused("no_boxes", "Name the boxes that were carried to the count room; there is none.")
    check_once(taken)
    if again := [box for box in taken if box in already]:
        raise Refused("box_collected", f"The box of {boxes_in_words(again)} was collected before.")
    if odd := [box for box in taken if box not in due]:
        raise Refused(
            "box_not_due",
            f"The box of {boxes_in_words(odd)} is not due: its table is open, or was not open on this gaming day.",
        )
    missing = [box for box in due if box not in taken and box not in already]
    if missing and not explanation.strip():
        raise Refused(
            "boxes_missing",
            f"The box of {boxes_in_words(missing)} is due and was not carried; say why before the boxes leave.",
            boxes=[str(box) for box in missing],
        )
    return BoxesCollected(
        scheduled=sorted({str(box) for box in due if box not in already}),
        collected=sorted({str(box) for box in taken}),
        explanation=check_text(explanation, "The explanation") if missing else "",
        team=checked_team(team, least, "The drop team"),
        by=by,
    )
