"""What was read off a meter on one gaming day, and whether the day can be signed. Pure."""

from collections.abc import Iterable, Mapping
from datetime import date
from typing import Any, NamedTuple

from casino.refusal import Refused
from jackpot.events import MAIN
from jackpot.reading_events import DifferenceExplained, MeterDayReconciled, MeterRead


class Readings(NamedTuple):
    """A day's readings in order, the explanation in force of each by its number, and who signed the day."""

    read: tuple[MeterRead, ...] = ()
    explained: Mapping[int, DifferenceExplained] = {}
    signed: MeterDayReconciled | None = None

    @property
    def unexplained(self) -> list[MeterRead]:
        """Readings that differ from the meter and nobody has said why."""
        return [one for one in self.read if one.difference_cents and one.number not in self.explained]

    @property
    def state(self) -> str:
        """`signed`, `not_read`, `differs` (something is to be explained) or `read`."""
        if self.signed:
            return "signed"
        if not any(one.pool == MAIN for one in self.read):
            return "not_read"
        return "differs" if self.unexplained else "read"

    def differing(self, shown_cents: int, difference_cents: int) -> MeterRead | None:
        """The last reading of main that showed just this and differed by just this."""
        wanted = (MAIN, shown_cents, difference_cents)
        alike = [one for one in self.read if (one.pool, one.shown_cents, one.difference_cents) == wanted]
        return alike[-1] if alike else None

    def check_explained(self, number: int, explanation: str) -> None:
        """Whether the explanation belongs to a difference: refuses `unknown_reading`, `no_difference`."""
        reading = next((one for one in self.read if one.number == number), None)
        if reading is None:
            raise Refused("unknown_reading", f"There is no reading {number} on this day.")
        if not reading.difference_cents:
            raise Refused("no_difference", f"Reading {number} is what the meter stood at; there is nothing to explain.")
        if not explanation.strip():
            raise Refused("reason_missing", "Say why the reading and the meter differed; it is kept with them.")

    def check_reconcilable(self, code: str, day: date) -> None:
        """Whether the day can be signed: refuses `already_reconciled`, `not_read` and `difference_unexplained`."""
        if self.signed:
            raise Refused("already_reconciled", f"Gaming day {day} of link {code} was signed by {self.signed.by}.")
        if self.state == "not_read":
            raise Refused("not_read", f"The meter of link {code} was not read on gaming day {day}; enter a reading.")
        if self.unexplained:
            number = self.unexplained[0].number
            raise Refused(
                "difference_unexplained", f"Reading {number} of {day} differs from the meter; explain it first."
            )


def readings_of(events: Iterable[Any]) -> Readings:
    """The day after its events; a later explanation takes the place of an earlier one."""
    read: list[MeterRead] = []
    explained: dict[int, DifferenceExplained] = {}
    signed = None
    for event in events:
        match event:
            case MeterRead():
                read.append(event)
            case DifferenceExplained():
                explained[event.number] = event
            case MeterDayReconciled():
                signed = event
    return Readings(tuple(read), explained, signed)
