"""Fills and credits as facts, all on the session's stream; a slip's serial is the version of its slip book.

`transfer` numbers a session's requests from 1. Chips leave the cage (`fill_sent`) at the cashier's signature, travel
in transit, and reach the tray (`fill_received`) at the last signature of the table; a credit goes the other way
(`credit_removed`, `credit_received`). `denominations` maps a chip's cents, as text, to the cents of all such chips.
"""

from typing import Literal

from casino.eventstore.registry import Event, event

Kind = Literal["fill", "credit"]


@event("transfer_requested")
class TransferRequested(Event):
    """The floor asks for a fill or a credit; `serial` is the number of the request slip."""

    table: str
    kind: Kind
    transfer: int
    serial: int
    denominations: dict[str, int]
    total_cents: int
    by: str


@event("transfer_withdrawn")
class TransferWithdrawn(Event):
    """A request taken back before its slip was prepared; its number stays used."""

    table: str
    transfer: int
    reason: str
    by: str


@event("slip_prepared")
class SlipPrepared(Event):
    """The cashier prepared the slip of a request, under the next number of the book `book` (kind and year)."""

    table: str
    kind: Kind
    transfer: int
    book: str
    serial: int
    denominations: dict[str, int]
    total_cents: int
    by: str


@event("slip_numbered")
class SlipNumbered(Event):
    """On the slip book's stream: the number `serial` went to a document of this session's stream.

    `document` is what kind of paper it is, like the book itself: request, fill, credit, error_notification.
    """

    serial: int
    document: str
    table: str
    session: str


@event("slip_signed")
class SlipSigned(Event):
    """One signature, in the profile's order: `role` is cage, security, dealer or floor."""

    table: str
    kind: Kind
    transfer: int
    serial: int
    role: str
    by: str


@event("fill_sent")
class FillSent(Event):
    """The chips of a fill leave the cage and are in transit. They are no part of the tray yet, so in = out = 0."""

    table: str
    transfer: int
    serial: int
    denominations: dict[str, int]
    total_cents: int


@event("fill_received")
class FillReceived(Event):
    """The chips of a fill are in the tray. in = the fill."""

    table: str
    transfer: int
    serial: int
    denominations: dict[str, int]
    total_cents: int

    @property
    def in_cents(self) -> int:
        return self.total_cents


@event("credit_removed")
class CreditRemoved(Event):
    """The chips of a credit leave the tray and are in transit. out = the credit."""

    table: str
    transfer: int
    serial: int
    denominations: dict[str, int]
    total_cents: int

    @property
    def out_cents(self) -> int:
        return self.total_cents


@event("credit_received")
class CreditReceived(Event):
    """The chips of a credit are in the cage again."""

    table: str
    transfer: int
    serial: int
    denominations: dict[str, int]
    total_cents: int


@event("slip_voided")
class SlipVoided(Event):
    """A slip is void and keeps its number. Chips that had left go back where they came from.

    `tray_cents` is what that moves in the tray: above zero for a credit whose chips return to it. A fill is void only
    until its chips are in the tray; after that the way back is a credit. in = tray_cents.
    """

    table: str
    kind: Kind
    transfer: int
    serial: int
    reason: str
    denominations: dict[str, int]
    total_cents: int
    tray_cents: int
    was_in_transit: bool
    requested_by: str
    approved_by: str

    @property
    def in_cents(self) -> int:
        return self.tray_cents


@event("late_transfer_recorded")
class LateTransferRecorded(Event):
    """Stands after the events of a slip that was made on paper and found when its session was counted already.

    `paper` is the paper's own number, "" where it has none. Two people put it on record. No chip moves by this event.
    """

    table: str
    kind: Kind
    transfer: int
    serial: int
    paper: str
    reason: str
    requested_by: str
    approved_by: str


@event("slip_printed")
class SlipPrinted(Event):
    """A copy of a document was printed; every copy after the first is a reprint and marked as one.

    On the stream of the document's prints, whose version is the copy's number: a closed day's paper can be printed too.
    `document` names it like `fill/2026/17` or `inventory/R-01/2026-11-29/1/opener`.
    """

    table: str
    document: str
    copy_number: int
    by: str
