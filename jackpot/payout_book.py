"""The sequence check of the book of payout slips: every number of a gaming day, and the slip on its hit's case."""

from collections import defaultdict
from collections.abc import Iterable
from datetime import date

from django.conf import settings

from casino.eventstore import history
from casino.eventstore.history import Entry
from casino.eventstore.registry import name_of
from casino.keys import slip_book_key
from casino.serials import Book, Line, compared
from jackpot.case_events import PayoutPrepared, PayoutVoided
from jackpot.events import JackpotPaid
from jackpot.models import Share


def checked(name: str, day: date) -> Book:
    """The book `name`, such as payout/2026, against the slips that were prepared on the gaming day."""
    entries = history.of_stream(slip_book_key(settings.CASINO_PROPERTY, name))
    of_day = [entry for entry in entries if entry.gaming_date == day]
    known = set(Share.objects.filter(slip_book=name).values_list("case_key", flat=True))
    papers = _papers(name, {entry.event.case for entry in of_day} | known)
    numbers = {entry.event.slip for entry in of_day}
    of_papers = {n: [state for _, state in on] for n, on in papers.items() if n in numbers or day in dict(on)}
    return compared(name, [entry.event.slip for entry in entries], [_line(entry) for entry in of_day], of_papers)


def _line(entry: Entry) -> Line:
    return Line(entry.event.slip, entry.event.case.split("/")[3], None)


def _papers(name: str, cases: Iterable[str]) -> dict[int, list[tuple[date, str]]]:
    """Number → the day and standing of each slip that carries it: open, void or used."""
    wanted = [name_of(kind) for kind in (PayoutPrepared, PayoutVoided, JackpotPaid)]
    slips: dict[tuple[str, int, str, int], tuple[date, str]] = {}  # case, seat, book, number
    in_force: dict[tuple[str, int], tuple[str, int, str, int]] = {}
    for entry in history.of_types(sorted(cases), wanted):
        event, share = entry.event, (entry.key, entry.event.seat)
        if isinstance(event, PayoutPrepared):
            in_force[share] = (*share, event.book, event.slip)
            slips[in_force[share]] = entry.gaming_date, "open"
        elif share in in_force:
            day, _ = slips[in_force[share]]
            slips[in_force[share]] = day, "void" if isinstance(event, PayoutVoided) else "used"
    found = defaultdict(list)
    for (_, _, book, number), stands in slips.items():
        if book == name:
            found[number].append(stands)
    return found
