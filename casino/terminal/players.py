"""Who sits at which seat of a terminal's table. A name is shown and stands in no event."""

from collections.abc import Mapping
from typing import NamedTuple

from django.db.models import QuerySet

from casino.models import Patron
from casino.table import Session

KNOWN_SHOWN = 200


class Seated(NamedTuple):
    """A seat and who sits there: a name, "unrated", or "" where it is free."""

    seat: int
    who: str


def seated(session: Session | None, count: int) -> list[Seated]:
    """Every seat of the table, in order; names are read now and kept nowhere."""
    taken: Mapping[int, int | None] = session.seats if session else {}
    names = Patron.objects.in_bulk([patron for patron in taken.values() if patron])
    return [Seated(seat, _who(seat, taken, names)) for seat in range(1, count + 1)]


def _who(seat: int, taken: Mapping[int, int | None], names: Mapping[int, Patron]) -> str:
    if seat not in taken:
        return ""
    patron = taken[seat]
    if patron is None:
        return "unrated"
    return names[patron].shown_name if patron in names else f"patron {patron}"


def known_patrons() -> QuerySet[Patron]:
    """Patrons to choose from by touch, newest first."""
    return Patron.objects.filter(erased_at=None).order_by("-pk")[:KNOWN_SHOWN]
