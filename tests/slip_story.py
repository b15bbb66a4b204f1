"""The people of a fill or credit, and a transfer of one session taken forward without a database."""

from collections.abc import Callable
from datetime import UTC, date, datetime
from typing import Any

import pytest

from casino import profile, slips
from casino.events import TableOpened
from casino.eventstore.registry import Event
from casino.profile import SlipRules
from casino.refusal import Refused
from casino.slip_events import SlipVoided
from casino.slips import Person
from casino.table import Session, session_after
from casino.transfers import Transfer

NOON = datetime(2026, 11, 29, 17, tzinfo=UTC)
CHIPS = {"10000": 500_000, "2500": 250_000}
MARYLAND = profile.load("maryland")
KANSAS = SlipRules(("cage", "security", "dealer", "floor"), void_signatures=2)


def person(name: str, *roles: str) -> Person:
    return Person(name, frozenset(roles))


ANA, EVE = person("ana", "floor"), person("eve", "floor")
CARA, COLE = person("cara", "cage"), person("cole", "cage")
SAM, DAN, BEN = person("sam", "security"), person("dan", "dealer"), person("ben", "accounting")
SIGNERS = {"cage": CARA, "security": SAM, "dealer": DAN, "floor": EVE}


class Story:
    """A session, and one transfer on it taken forward."""

    def __init__(
        self, kind: Any = "fill", rules: SlipRules | None = None, opener: dict[str, int] | None = None
    ) -> None:
        self.kind = kind
        self.tray_cents = 0  # what the transfers have moved in the tray
        self.rules = rules or (MARYLAND.fill if kind == "fill" else MARYLAND.credit)
        self.session = Session("R-01", date(2026, 11, 29), 1)
        total = sum(opener.values()) if opener else 5_000_000
        counted = {"denominations": opener, "counted_by": ["dan", "ana"]}
        self.tell(TableOpened(table="R-01", session=1, opener_cents=total, **counted))  # type: ignore[arg-type]

    def tell(self, *events: Event) -> list[Event]:
        if not isinstance(events[0], TableOpened):
            self.tray_cents += sum(event.in_cents - event.out_cents for event in events)
        self.session = session_after(self.session, events)
        return list(events)

    @property
    def transfer(self) -> Transfer:
        return self.session.transfers[max(self.session.transfers)]

    def request(self, chips: dict[str, int] = CHIPS, by: Person = ANA, **more: Any) -> "Story":
        made = slips.request_transfer(self.session, self.rules, self.kind, chips, by, 31, NOON, **more)
        self.tell(made)
        return self

    def prepare(self, by: Person = CARA, counted: dict[str, int] | None = None) -> "Story":
        self.tell(slips.prepare(self.transfer, by, f"{self.kind}/2026", 17, counted))
        return self

    def sign(self, by: Person, role: str | None = None) -> list[Event]:
        return self.tell(*slips.sign(self.transfer, self.rules, by, role))

    def signed_by(self, *roles: str) -> "Story":
        for role in roles:
            self.sign(SIGNERS[role])
        return self

    def void(self, requested: Person = ANA, approved: Person = CARA, reason: str = "Wrong table") -> SlipVoided:
        event = slips.void(self.transfer, self.rules, requested, approved, reason)
        self.tell(event)
        return event


def refused(deed: Callable[[], object]) -> Refused:
    with pytest.raises(Refused) as caught:
        deed()
    return caught.value
