"""Fills and credits of a session as its events have left them: requested, prepared, in transit, complete or void. Pure.

What may happen next to one of them is decided in `casino/slips.py`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from casino.eventstore.registry import Event
from casino.money import check_amount, written
from casino.refusal import Refused, in_quotes
from casino.slip_events import (
    CreditReceived,
    CreditRemoved,
    FillReceived,
    FillSent,
    Kind,
    SlipPrepared,
    SlipSigned,
    SlipVoided,
    TransferRequested,
    TransferWithdrawn,
)

if TYPE_CHECKING:  # a session folds its transfers, so this would be a circle
    from casino.table import Session


@dataclass(frozen=True)
class Transfer:
    """One fill or credit of a session, after its events."""

    requested: TransferRequested
    withdrawn: TransferWithdrawn | None = None
    slip: SlipPrepared | None = None
    signatures: tuple[SlipSigned, ...] = ()
    has_left: bool = False
    has_arrived: bool = False
    voided: SlipVoided | None = None

    @property
    def number(self) -> int:
        return self.requested.transfer

    @property
    def kind(self) -> Kind:
        return self.requested.kind

    @property
    def denominations(self) -> dict[str, int]:
        return self.requested.denominations

    @property
    def total_cents(self) -> int:
        return self.requested.total_cents

    @property
    def state(self) -> str:
        """`requested`, `withdrawn`, `prepared`, `in_transit`, `complete` or `void`."""
        if self.voided:
            return "void"
        if self.withdrawn:
            return "withdrawn"
        if self.has_arrived:
            return "complete"
        if self.has_left:
            return "in_transit"
        return "prepared" if self.slip else "requested"

    @property
    def is_open(self) -> bool:
        """Whether it still waits for somebody; a table can neither roll nor close meanwhile (books, 4.1)."""
        return self.state in ("requested", "prepared", "in_transit")

    @property
    def document(self) -> str:
        """The paper in words, with its number."""
        if self.slip:
            return f"{self.kind.capitalize()} slip {self.slip.serial}"
        return f"{self.kind.capitalize()} request {self.requested.serial}"


Transfers = Mapping[int, Transfer]


def transfers_after(transfers: Transfers, event: Event) -> Transfers:
    """A session's transfers by their number, after one of its events."""
    match event:
        case TransferRequested():
            return {**transfers, event.transfer: Transfer(event)}
        case TransferWithdrawn():
            return _changed(transfers, event.transfer, withdrawn=event)
        case SlipPrepared():
            return _changed(transfers, event.transfer, slip=event)
        case SlipSigned():
            signatures = (*transfers[event.transfer].signatures, event)
            return _changed(transfers, event.transfer, signatures=signatures)
        case FillSent() | CreditRemoved():
            return _changed(transfers, event.transfer, has_left=True)
        case FillReceived() | CreditReceived():
            return _changed(transfers, event.transfer, has_arrived=True)
        case SlipVoided():
            return _changed(transfers, event.transfer, voided=event)
    return transfers


def _changed(transfers: Transfers, number: int, **what: object) -> Transfers:
    return {**transfers, number: replace(transfers[number], **what)}  # type: ignore[arg-type]


def open_transfers(session: "Session") -> list[Transfer]:
    """The session's requests and slips that still wait for somebody, oldest first."""
    return [transfer for _, transfer in sorted(session.transfers.items()) if transfer.is_open]


def check_none_open(session: "Session") -> None:
    """Refuse `slip_open`: a table neither rolls nor closes while a request or slip is open."""
    if waiting := open_transfers(session):
        named = " and ".join(f"{one.document} ({one.state.replace('_', ' ')})" for one in waiting)
        raise Refused(
            "slip_open",
            f"{named} of table {session.table} still {'wait' if len(waiting) > 1 else 'waits'} for signatures; "
            "finish, void or withdraw it first.",
            transfers=[one.number for one in waiting],
        )


# ------------------------------------------------------------------------------------------------- chips

CHIPS_CENTS = (100, 500, 2_500, 10_000, 50_000, 100_000, 500_000)
"""The chips that a request offers at a table whose tray was not listed by chip."""
PIECES_MAX = 100_000
"""How many chips of a kind somebody may mean."""


def offered_chips(tray: Mapping[int, int] | None) -> list[int]:
    """The chips that may be asked for at a table, the highest first: the usual ones, and whatever lies in its tray."""
    return sorted({*CHIPS_CENTS, *(tray or {})}, reverse=True)


def typed_chips(form: Mapping[str, str], name: str) -> dict[str, int]:
    """Fields `name_2500` = 40 as denominations; what is left empty is none. Refuses `odd_number`."""
    typed = {field.removeprefix(f"{name}_"): form[field].strip() for field in form if field.startswith(f"{name}_")}
    some = {chip: text for chip, text in typed.items() if text not in ("", "0")}
    return {chip: int(chip) * _pieces(text) for chip, text in some.items() if _is_short_number(chip)}


def _pieces(text: str) -> int:
    if not _is_short_number(text) or int(text) > PIECES_MAX:
        raise Refused("odd_number", f"{in_quotes(text)} is not a number of chips; write it in digits.")
    return int(text)


def _is_short_number(text: str) -> bool:
    return text.isascii() and text.isdecimal() and len(text) <= 9


def chips_total(denominations: Mapping[str, int], what: str) -> int:
    """The cents of a list of chips: whole chips of each denomination, at least one. Refuses what is no such list."""
    for chip, cents in denominations.items():
        if not chip.isascii() or not chip.isdecimal() or chip[0] == "0" or len(chip) > 12:
            raise Refused("bad_denomination", f"{in_quotes(chip)} is no chip; write its value in whole cents.")
        if cents <= 0 or cents % int(chip):
            raise Refused(
                "bad_denomination",
                f"{what} lists {cents} cents in chips of {written(int(chip))}, which is no whole number of chips "
                "above zero.",
            )
    if not denominations:
        raise Refused("nothing_asked", f"{what} lists no chips; say how many of which.")
    return check_amount(sum(denominations.values()), what)


def credit_warnings(
    denominations: Mapping[str, int], tray: Mapping[int, int] | None, expected_cents: int | None
) -> list[str]:
    """What is odd about a credit, in sentences. It is never refused for that: only a count knows the tray."""
    found = [
        f"The tray had {written(tray.get(int(chip), 0))} in chips of {written(int(chip))} as last counted ± fills and "
        f"credits, and {written(cents)} of them are to leave it."
        for chip, cents in sorted(denominations.items(), key=lambda one: -int(one[0]))
        if tray is not None and cents > tray.get(int(chip), 0)
    ]
    total = sum(denominations.values())
    if expected_cents is not None and total > expected_cents:
        found.append(f"The credit of {written(total)} is more than is expected in the tray, {written(expected_cents)}.")
    return found
