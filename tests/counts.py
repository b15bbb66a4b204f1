"""Trays as two people count them."""

from casino.table import Count

COUNTERS = ("Ana Ortiz", "Ben Okafor")


def tray(total_cents: int) -> dict[str, object]:
    """A tray counted by two people, as it is said over HTTP."""
    return {"total_cents": total_cents, "counted_by": list(COUNTERS)}


def counted(total_cents: int) -> Count:
    """A tray counted by two people."""
    return Count(total_cents, None, COUNTERS)
