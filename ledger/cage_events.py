"""What the cage does, on the stream of its gaming day. `chips` and `denominations` map a chip's cents, as text, to the
cents of all such chips; a patron is a number, and only where one was asked who it is.

Fills and credits (`casino.slip_events`), jackpots (`jackpot_paid`), winnings paid for a table
(`winnings_paid_elsewhere`) and the drop (`drop_accepted`) move the cage too, each by an event of its own.
"""

from typing import Literal

from casino.eventstore.registry import Event, event


def cage_key(property_code: str, gaming_date: str) -> str:
    """The stream of the cage's gaming day."""
    return f"{property_code}/cage/{gaming_date}"


def service_key(property_code: str) -> str:
    """The stream of chips put into and taken out of service."""
    return f"{property_code}/chips-in-service"


class _Chips(Event, frozen=True):
    chips: dict[str, int]

    @property
    def total_cents(self) -> int:
        """All chips of the entry."""
        return sum(self.chips.values())


@event("chips_sold")
class ChipsSold(_Chips, frozen=True):
    """The cage sells chips for cash. in = the cash, out = the chips."""

    patron_id: int | None
    by: str

    @property
    def in_cents(self) -> int:
        return self.total_cents

    @property
    def out_cents(self) -> int:
        return self.total_cents


@event("chips_redeemed")
class ChipsRedeemed(_Chips, frozen=True):
    """The cage gives cash for chips. in = the chips, out = the cash."""

    patron_id: int | None
    by: str

    @property
    def in_cents(self) -> int:
        return self.total_cents

    @property
    def out_cents(self) -> int:
        return self.total_cents


@event("counter_check_redeemed")
class CounterCheckRedeemed(_Chips, frozen=True):
    """A counter check is redeemed at the cage, in cash, in chips or both. in = all of it.

    `redeemed` is its serial in the book of the year of `issued_on`; what is still owed on it is `owed_cents`.
    """

    patron_id: int
    redeemed: int
    issued_on: str
    cash_cents: int
    owed_cents: int
    by: str

    @property
    def in_cents(self) -> int:
        return self.total_cents + self.cash_cents


@event("counter_check_deposited")
class CounterCheckDeposited(Event):
    """What is owed on a counter check goes to the patron's bank for payment: the house is owed by the bank from now on.

    No cash moves at the cage: in = 0. `deposited` is its serial in the book of the year of `issued_on`.
    """

    patron_id: int
    deposited: int
    issued_on: str
    amount_cents: int
    by: str


@event("chips_put_in_service")
class ChipsPutInService(_Chips, frozen=True):
    """New or stored chips come into the cage's float: more chips are issued. in = the chips. Two people."""

    reason: str
    requested_by: str
    approved_by: str

    @property
    def in_cents(self) -> int:
        return self.total_cents


@event("chips_taken_out_of_service")
class ChipsTakenOutOfService(_Chips, frozen=True):
    """Chips leave the cage's float for the store or the shredder: fewer are issued. out = the chips. Two people."""

    reason: str
    requested_by: str
    approved_by: str

    @property
    def out_cents(self) -> int:
        return self.total_cents


@event("cage_counted")
class CageCounted(Event):
    """The cage's chips counted by two people, beside what the events up to `read_up_to` (a position) expected.

    From then on the float is what was counted. in = counted less expected: chips that turned up, or, below zero, that
    are missing.
    """

    counted: dict[str, int]
    expected: dict[str, int]
    read_up_to: int
    counted_by: list[str]
    note: str
    by: str

    @property
    def variance_cents(self) -> int:
        """Counted less expected, over all denominations."""
        return sum(self.counted.values()) - sum(self.expected.values())

    @property
    def in_cents(self) -> int:
        return self.variance_cents


@event("cage_entry_voided")
class CageEntryVoided(_Chips, frozen=True, omit_defaults=True):
    """An entry of the cage that was recorded wrong never was; what is right is entered anew.

    On the stream of the entry, so of its gaming day. `voids` is the entry's position in the log, `entry` its word,
    `chips` its chips, `cash_cents` the cash that redeemed a check, `check_cents` what of a check was deposited. in and
    out = the entry's own, below zero. What patrons owe on a check stands with the patron.
    """

    voids: int
    entry: Literal[
        "chips_sold",
        "chips_redeemed",
        "counter_check_redeemed",
        "counter_check_deposited",
        "chips_put_in_service",
        "chips_taken_out_of_service",
    ]
    patron_id: int | None
    reason: str
    requested_by: str
    approved_by: str
    cash_cents: int = 0
    check_cents: int = 0

    @property
    def in_cents(self) -> int:
        return 0 if self.entry == "chips_taken_out_of_service" else -self.total_cents - self.cash_cents

    @property
    def out_cents(self) -> int:
        return -self.total_cents if self.entry in GOES_OUT else 0


GOES_OUT = ("chips_sold", "chips_redeemed", "chips_taken_out_of_service")
"""Entries whose events say that something went out."""
