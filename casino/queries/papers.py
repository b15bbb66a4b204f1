"""The papers of a table as they are printed: request, fill and credit slips, inventories, error notifications, payouts.

A paper is named by its book and number (`fill/2026/17`), an inventory by its session and end
(`inventory/R-01/2026-11-29/1/opener`), a payout document by its round and wager (`payout/R-01/2026-11-29/3/1`). It is
read from the log, so an old one comes out as it was.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, NamedTuple

from django.conf import settings

from casino.events import TableClosed, TableOpened
from casino.eventstore import history
from casino.eventstore.history import Entry
from casino.keys import (
    RoundId,
    TransferId,
    check_table_code,
    round_key,
    session_key,
    session_of,
    session_prefix,
    slip_book_key,
)
from casino.queries.cash import payout_with_document
from casino.queries.floor import game_name, shift_at
from casino.queries.slips import SlipRead, Step, read_slip
from casino.queries.tables import set_up_of
from casino.refusal import Refused, in_quotes
from casino.round.state import round_of
from casino.session_events import OpenerVarianceFound
from casino.slip_events import SlipNumbered, SlipPrepared, TransferRequested

ENDS = ("opener", "closer")
NUMBERED = ("request", "fill", "credit", "error_notification")


class ChipRow(NamedTuple):
    """Chips of one value: how many, and their cents together."""

    chip_cents: int
    pieces: int
    cents: int


class SignatureLine(NamedTuple):
    """A line to sign on: for whom, and who has signed it when; empty until then."""

    label: str
    by: str = ""
    at: datetime | None = None


@dataclass(frozen=True)
class Paper:
    """What stands on a paper. `chips` is None where the tray was not listed by chip; `void` is why it is void.

    `void_by` are who asked for that and who approved it, each with the words for it.
    """

    document: str
    title: str
    number: str
    table: str
    gaming_date: date
    session: int
    at: datetime
    facts: Sequence[tuple[str, str]]
    amounts: Sequence[tuple[str, int]]
    chips: Sequence[ChipRow] | None
    signatures: Sequence[SignatureLine]
    notes: Sequence[str] = ()
    void: str = ""
    void_by: Sequence[tuple[str, str]] = ()


def paper_of(document: str) -> Paper:
    """The paper of this name; refuses `unknown_paper`."""
    parts = document.split("/")
    match parts:
        case ["inventory", table, day, session, end] if end in ENDS:
            return _inventory(document, table, day, session, end)
        case ["payout", table, day, n, number]:
            return _payout(document, table, day, _whole(n, document), _whole(number, document))
        case [book, year, serial] if book in NUMBERED and year.isascii() and year.isdecimal():
            return _numbered(document, book, f"{book}/{year}", _whole(serial, document))
    raise _unknown(document)


def _unknown(document: str) -> Refused:
    return Refused("unknown_paper", f"There is no paper {in_quotes(document)}.")


def _whole(text: str, document: str) -> int:
    if not text.isascii() or not text.isdecimal() or not 0 < len(text) < 10 or not int(text):
        raise _unknown(document)
    return int(text)


def chip_rows(denominations: Mapping[str, int]) -> list[ChipRow]:
    """Chips by value, the highest first."""
    chips = sorted(((int(chip), cents) for chip, cents in denominations.items()), reverse=True)
    return [ChipRow(chip, cents // chip, cents) for chip, cents in chips]


# ------------------------------------------------------------------------------------------------- numbered papers


def _numbered(document: str, kind: str, book: str, serial: int) -> Paper:
    line = history.of_stream(slip_book_key(settings.CASINO_PROPERTY, book), serial - 1, 1)
    if not line:
        raise _unknown(document)
    number: SlipNumbered = line[0].event
    if kind == "error_notification":
        return _notification(document, number)
    return _slip(document, kind, number)


def _slip(document: str, kind: str, number: SlipNumbered) -> Paper:
    day, session = session_of(number.session)
    for entry in history.of_stream(number.session):
        if _carries(entry.event, kind, number.serial):
            read = read_slip(TransferId(number.table, day, session, entry.event.transfer))
            return _request_paper(document, read) if kind == "request" else _slip_paper(document, read)
    raise _unknown(document)


def _carries(event: Any, kind: str, serial: int) -> bool:
    if kind == "request":
        return isinstance(event, TransferRequested) and event.serial == serial
    return isinstance(event, SlipPrepared) and (event.kind, event.serial) == (kind, serial)


def _request_paper(document: str, read: SlipRead) -> Paper:
    asked, withdrawn = read.step("requested"), read.step("withdrawn")
    why = read.transfer.withdrawn.reason if read.transfer.withdrawn else ""
    return _transfer_paper(
        document,
        read,
        title=f"Request for {read.transfer.kind}",
        serial=read.transfer.requested.serial,
        at=asked,
        signatures=[SignatureLine("Requested by, for the floor", *_who(asked))],
        void=why,
        void_by=[("withdrawn by", withdrawn.by)] if withdrawn else [],
    )


def _slip_paper(document: str, read: SlipRead) -> Paper:
    slip, voided = read.transfer.slip, read.transfer.voided
    assert slip is not None
    prepared = read.step("prepared")
    lines = [SignatureLine("Requested by, for the floor", *_who(read.step("requested")))]
    lines.append(SignatureLine("Prepared by, for the cage", *_who(prepared)))
    roles = [signed.role for signed in read.transfer.signatures]
    roles += list(read.rules.signatures[len(roles) :]) if read.transfer.is_open else []
    lines += [SignatureLine(ROLE_LINES[slip.kind].get(role, role), *_who(read.step(role))) for role in roles]
    return _transfer_paper(
        document,
        read,
        title=f"{slip.kind.capitalize()} slip",
        serial=slip.serial,
        at=prepared,
        signatures=lines,
        void=voided.reason if voided else "",
        void_by=[("asked by", voided.requested_by), ("approved by", voided.approved_by)] if voided else [],
    )


ROLE_LINES = {
    "fill": {
        "cage": "Cashier, issued",
        "security": "Security, carried",
        "dealer": "Dealer, counted",
        "floor": "Floorperson, verified",
    },
    "credit": {
        "dealer": "Dealer, removed",
        "floor": "Floorperson, observed",
        "security": "Security, carried",
        "cage": "Cashier, received",
    },
}
"""What each signature on a slip says (COMAR 36.05.03.04 and .05)."""


def _transfer_paper(
    document: str,
    read: SlipRead,
    *,
    title: str,
    serial: int,
    at: Step | None,
    signatures: Sequence[SignatureLine],
    void: str,
    void_by: Sequence[tuple[str, str]],
) -> Paper:
    assert at is not None
    assert at.at is not None
    transfer = read.transfer
    of_slip = [] if title.startswith("Request") else [("Request", str(transfer.requested.serial))]
    return Paper(
        document,
        title,
        f"{read.id.gaming_date.year}-{serial:06d}",
        read.id.table,
        read.id.gaming_date,
        read.id.session,
        at.at,
        [*of_slip, *_facts(read.id.table, read.opened_at)],
        [("Total", transfer.total_cents)],
        chip_rows(transfer.denominations),
        signatures,
        [],
        void,
        void_by,
    )


def _who(step: Step | None) -> tuple[str, datetime | None]:
    return (step.by, step.at) if step else ("", None)


def _facts(table: str, opened_at: datetime) -> list[tuple[str, str]]:
    """The shift in which the session opened, which all of it has; the table's game and pit, as it is set up."""
    facts = [("Shift", f"{shift_at(opened_at)} of {len(settings.CASINO_SHIFTS)}")]
    set_up = set_up_of(table)
    if set_up is None:
        return facts
    facts.append(("Game", game_name(set_up.event.game)))
    return facts + ([("Pit", set_up.event.pit)] if set_up.event.pit else [])


# ------------------------------------------------------------------------------------------------- the tray's papers


def _inventory(document: str, table: str, day: str, session: str, end: str) -> Paper:
    wanted = TableOpened if end == "opener" else TableClosed
    entries = _session(document, table, day, session)
    counted = next((entry for entry in entries if isinstance(entry.event, wanted)), None)
    if counted is None:
        raise _unknown(document)
    event = counted.event
    total = event.opener_cents if end == "opener" else event.closer_cents
    of, number = session_of(counted.key)
    return Paper(
        document,
        "Table inventory slip",
        f"{table} {of.isoformat()}/{number}",
        table,
        of,
        number,
        counted.occurred_at,
        [("Count", end), *_facts(table, entries[0].occurred_at)],
        [("Total", total)],
        chip_rows(event.denominations) if event.denominations is not None else None,
        [SignatureLine(f"Counted by ({place} of {len(event.counted_by)})", name, counted.occurred_at)
         for place, name in enumerate(event.counted_by, 1)],
        _rolled(event, end),
    )  # fmt: skip


def _rolled(event: Any, end: str) -> list[str]:
    if not event.rolled:
        return []
    other = "closer of the session before" if end == "opener" else "opener of the session after"
    return [f"One count of an open table: the {other} is the same."]


def _session(document: str, table: str, day: str, session: str) -> list[Entry]:
    try:
        key = session_key(
            settings.CASINO_PROPERTY, check_table_code(table), date.fromisoformat(day), _whole(session, document)
        )
    except ValueError:
        raise _unknown(document) from None
    return history.of_stream(key)


def _notification(document: str, number: SlipNumbered) -> Paper:
    found = [entry for entry in history.of_stream(number.session) if isinstance(entry.event, OpenerVarianceFound)]
    entry = next((one for one in found if one.event.serial == number.serial), None)
    if entry is None:
        raise _unknown(document)
    event: OpenerVarianceFound = entry.event
    day, session = session_of(entry.key)
    difference = event.counted_cents - event.carried_cents
    hours = event.incident_report_hours
    return Paper(
        document,
        "Error notification slip",
        f"{day.year}-{number.serial:06d}",
        event.table,
        day,
        session,
        entry.occurred_at,
        _facts(event.table, entry.occurred_at),
        [("Closer carried", event.carried_cents), ("Opener counted", event.counted_cents), ("Difference", difference)],
        [],
        [SignatureLine(f"Counted by ({place} of {len(event.by)})", name, entry.occurred_at)
         for place, name in enumerate(event.by, 1)],
        [f"Explanation: {event.explanation}",
         f"Notified: {', '.join(event.notified)}.",
         *([f"Incident report due within {hours} hours."] if hours else [])],
    )  # fmt: skip


# ------------------------------------------------------------------------------------------------- a payout


def _payout(document: str, table: str, day: str, n: int, number: int) -> Paper:
    """The document of a payout over the dated threshold and at least so many times its stake, marked for form W-2G."""
    try:
        paid = payout_with_document(check_table_code(table), date.fromisoformat(day), n, number)
    except ValueError:
        raise _unknown(document) from None
    if paid is None:
        raise _unknown(document)
    round_id = RoundId(table, paid.gaming_date, n)
    told = history.of_stream(round_key(settings.CASINO_PROPERTY, round_id))
    round_ = round_of(round_id, (entry.event for entry in told))
    patron = round_.patrons.get(paid.seat)
    session = history.of_stream(round_.opened.session)
    return Paper(
        document,
        "Payout document",
        f"{table} {day}/{n}/{number}",
        table,
        paid.gaming_date,
        session_of(round_.opened.session)[1],
        paid.at,
        [
            *_facts(table, session[0].occurred_at),
            ("Round", str(n)),
            ("Seat", str(paid.seat)),
            ("Wager", paid.wager),
            ("Pays", f"{paid.winnings_cents // paid.stake_cents} times the stake"),
            ("Patron", f"number {patron}" if patron else "not known by number"),
            ("Form", "W-2G is due"),
        ],
        [("Stake", paid.stake_cents), ("Winnings", paid.winnings_cents)],
        [],
        [SignatureLine(label) for label in ("Dealer, paid", "Floorperson, verified", "Patron, received")],
        ["Winnings without the stake, which goes back besides. Identity is taken on the form, not here."],
    )


# ------------------------------------------------------------------------------------------------- what there is


class PaperLine(NamedTuple):
    """A paper of a session in a list: its name, what it is, its amount, when it was made, and how it stands."""

    document: str
    words: str
    cents: int
    at: datetime
    state: str = ""


def papers_of(table: str, day: date, session: int) -> list[PaperLine]:
    """Every paper of a session that can be printed, in the order they were made; refuses `unknown_paper`."""
    entries = history.of_stream(session_key(settings.CASINO_PROPERTY, check_table_code(table), day, session))
    if not entries:
        raise Refused("unknown_paper", f"Table {table} has no session {session} on {day.isoformat()}.")
    return [line for entry in entries for line in _lines(entry, f"inventory/{table}/{day.isoformat()}/{session}")]


def _lines(entry: Entry, inventory: str) -> Iterator[PaperLine]:
    event, at, year = entry.event, entry.occurred_at, entry.gaming_date.year
    match event:
        case TableOpened():
            yield PaperLine(f"{inventory}/opener", "Table inventory slip, opener", event.opener_cents, at)
        case TableClosed():
            yield PaperLine(f"{inventory}/closer", "Table inventory slip, closer", event.closer_cents, at)
        case OpenerVarianceFound():
            difference = event.counted_cents - event.carried_cents
            words = f"Error notification slip {event.serial}"
            yield PaperLine(f"error_notification/{year}/{event.serial}", words, difference, at)
        case TransferRequested():
            words = f"Request {event.serial} for a {event.kind}"
            yield PaperLine(f"request/{year}/{event.serial}", words, event.total_cents, at)
        case SlipPrepared():
            words = f"{event.kind.capitalize()} slip {event.serial}"
            yield PaperLine(f"{event.book}/{event.serial}", words, event.total_cents, at)


def sessions_of(table: str, day: date) -> list[int]:
    """The numbers of a table's sessions of a gaming day."""
    prefix = f"{session_prefix(settings.CASINO_PROPERTY, check_table_code(table))}{day.isoformat()}/"
    rows = history.latest(prefix, "table_opened", 99)
    return sorted(session_of(row.key)[1] for row in rows)
