"""A tray by denomination, as last counted ± fills, credits and exchanges: wagers carry none. Pure.

The total that is expected in a tray is reckoned elsewhere, from all that moved it; what stands here is what is known
of single denominations, and is marked so wherever it is shown (books, section 2).
"""

from collections import Counter
from collections.abc import Iterable, Mapping

from casino.events import TableClosed, TableOpened
from casino.eventstore.registry import Event
from casino.session_events import ChipsExchanged
from casino.slip_events import CreditRemoved, FillReceived, SlipVoided


def denominations(events: Iterable[Event]) -> dict[int, int] | None:
    """Cents by denomination in cents, highest first, after a session's events; None where no count listed them."""
    tray: Counter[int] | None = None
    for event in events:
        match event:
            case TableOpened() | TableClosed():
                tray = None if event.denominations is None else _counted(event.denominations)
            case FillReceived() if tray is not None:
                tray.update(_counted(event.denominations))
            case CreditRemoved() if tray is not None:
                tray.subtract(_counted(event.denominations))
            case SlipVoided() if tray is not None and event.tray_cents:
                tray.update(_counted(event.denominations))
            case ChipsExchanged() if tray is not None:
                tray.update(_counted(event.taken))
                tray.subtract(_counted(event.given))
    return None if tray is None else {chip: tray[chip] for chip in sorted(tray, reverse=True)}


def _counted(listed: Mapping[str, int]) -> Counter[int]:
    return Counter({int(chip): cents for chip, cents in listed.items()})
