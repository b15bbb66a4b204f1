"""Events of no casino, for the tests of a log that knows nothing of one, and the shortest way to append them."""

from collections.abc import Sequence
from datetime import UTC, date, datetime

from casino.eventstore import store
from casino.eventstore.registry import Event, event
from casino.eventstore.store import Addition, Appended, Command, Origin
from casino.eventstore.verify import Verdict

DAY = date(2026, 11, 29)
AT = datetime(2026, 11, 29, 21, 15, 0, 123456, tzinfo=UTC)


@event("test_noted")
class Noted(Event):
    """Something was noted, at a seat and for money if the test wants it."""

    text: str = ""
    seat: int | None = None
    cents: int = 0

    @property
    def in_cents(self) -> int:
        return max(self.cents, 0)

    @property
    def out_cents(self) -> int:
        return max(-self.cents, 0)


def addition(key: str, expected: int = 0, *texts: str, due: str | None = None) -> Addition:
    """A note for every text, or a single empty one."""
    return Addition(key, expected, DAY, [Noted(text=text) for text in texts or ("",)], AT, due=due)


def append(*additions: Addition, guards: Sequence[tuple[str, int]] = (), by: str = "ana") -> Appended:
    """Append without a command."""
    return store.append(Origin(by, "test"), additions, guards)


def order(key: str, content: str, *additions: Addition, by: str = "ana") -> Appended:
    """Append as a command under an idempotency key."""
    return store.append(Origin(by, "test", commands=[Command(by, key, content)]), additions)


def texts_of(key: str) -> list[str]:
    """What a stream says."""
    return [recorded.event.text for recorded in store.load(key).events]


def first(verdict: Verdict) -> int | None:
    """The first bad position."""
    return verdict.faults[0].position if verdict.faults else None
