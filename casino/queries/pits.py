"""Pits: who has one, and since when."""

from django.conf import settings

from casino.eventstore import history
from casino.eventstore.history import Entry
from casino.keys import pit_key


def last_hand_over(pit: str) -> Entry | None:
    """The pit's last hand-over as it stands in the log; None where it was never handed over."""
    entries = history.of_stream(pit_key(settings.CASINO_PROPERTY, pit))
    return entries[-1] if entries else None
