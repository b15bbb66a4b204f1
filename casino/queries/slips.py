"""Fills and credits to look at: one of them with its whole course, and those that wait for somebody."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from functools import cached_property
from typing import NamedTuple

from django.conf import settings
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.module_loading import import_string

from casino import profile, slips
from casino import table as tables
from casino.eventstore import history
from casino.eventstore.history import Entry
from casino.keys import TransferId, check_table_code, session_key
from casino.models import SlipBoard, TableBoard
from casino.profile import SlipRules
from casino.refusal import Refused
from casino.roles import CAGE, DEALER
from casino.slip_events import SlipPrepared, SlipSigned, SlipVoided, TransferRequested, TransferWithdrawn
from casino.slips import Person
from casino.table import Session
from casino.transfers import Transfer, credit_warnings
from casino.tray import denominations

WAITING_SHOWN = 200
SLIPS_SHOWN = 100
"""Of a page of a day's slips."""
MOVES = {
    "fill": {"cage": "chips leave the cage", "tray": "chips are in the tray"},
    "credit": {"cage": "chips are in the cage", "tray": "chips leave the tray"},
}


def rules_of(kind: str) -> SlipRules:
    """The house's rules for fills or for credits."""
    house = profile.load(settings.CASINO_PROFILE)
    return house.fill if kind == "fill" else house.credit


# ------------------------------------------------------------------------------------------------- one slip


class Step(NamedTuple):
    """A step of a slip's course: `word` is requested, prepared or a role; `state` is done, next, later or ended.

    `move` says what it does to the chips, if anything.
    """

    word: str
    state: str
    by: str = ""
    at: datetime | None = None
    move: str = ""


@dataclass(frozen=True)
class SlipRead:
    """A fill or credit with its session, the tray by chip (as last counted ± what is known), and its own events."""

    id: TransferId
    transfer: Transfer
    session: Session
    opened_at: datetime
    tray: Mapping[int, int] | None
    entries: Sequence[Entry]

    @property
    def rules(self) -> SlipRules:
        return rules_of(self.transfer.kind)

    @property
    def awaited(self) -> str | None:
        """The role whose turn it is: the cage while there is no slip, then whoever signs next; None at the end."""
        if self.transfer.state == "requested":
            return CAGE
        return slips.awaited_role(self.transfer, self.rules)

    @cached_property
    def course(self) -> list[Step]:
        """Every step in its order, those to come included where the slip is open."""
        steps = list(self._done())
        if self.transfer.is_open:
            to_come = list(self.rules.signatures[len(self.transfer.signatures) :])
            words = to_come if self.transfer.slip else ["prepared", *to_come]
            steps += [Step(word, "later" if place else "next") for place, word in enumerate(words)]
        return [step._replace(move=self._move(step.word)) for step in steps]

    def _move(self, word: str) -> str:
        place = slips.place_of(self.rules, word) if word in self.rules.signatures else None
        return MOVES[self.transfer.kind].get(place or "", "")

    def _done(self) -> Iterator[Step]:
        for entry in self.entries:
            match entry.event:
                case TransferRequested(by=by):
                    yield Step("requested", "done", by, entry.occurred_at)
                case SlipPrepared(by=by):
                    yield Step("prepared", "done", by, entry.occurred_at)
                case SlipSigned(role=role, by=by):
                    yield Step(role, "done", by, entry.occurred_at)
                case TransferWithdrawn(by=by):
                    yield Step("withdrawn", "ended", by, entry.occurred_at)
                case SlipVoided() as voided:
                    people = f"{voided.requested_by} and {voided.approved_by}"
                    yield Step("void", "ended", people, entry.occurred_at)

    def step(self, word: str) -> Step | None:
        """The step of this word that was done, if it was."""
        return next((one for one in self.course if one.word == word and one.at), None)

    @property
    def documents(self) -> list[tuple[str, str]]:
        """What may be printed of it, as name and words: the request slip, and the slip once there is one."""
        requested, slip = self.transfer.requested, self.transfer.slip
        found = [(f"request/{self.id.gaming_date.year}/{requested.serial}", f"Request slip {requested.serial}")]
        return found + ([(f"{slip.book}/{slip.serial}", self.transfer.document)] if slip else [])

    @cached_property
    def warnings(self) -> list[str]:
        """What is odd about a credit while its chips are in the tray; nothing about a fill."""
        if self.transfer.kind != "credit" or self.transfer.has_left or not self.transfer.is_open:
            return []
        expected = expected_tray(self.id.table, self.id.gaming_date)
        return credit_warnings(self.transfer.denominations, self.tray, expected)


def expected_tray(table: str, day: date) -> int | None:
    """What the books expect in a table's tray now, in total; None where they do not know."""
    known = [import_string(provider)({table: day}).get(table, {}) for provider in settings.FLOOR_FIGURES]
    return next((figures["expected_tray_cents"] for figures in known if "expected_tray_cents" in figures), None)


def read_slip(slip: TransferId, upto: int | None = None) -> SlipRead:
    """A fill or credit from its session's stream, as it stands or stood at a position; refuses `unknown_slip`."""
    key = session_key(settings.CASINO_PROPERTY, check_table_code(slip.table), slip.gaming_date, slip.session)
    entries = [entry for entry in history.of_stream(key) if upto is None or entry.position <= upto]
    events = [entry.event for entry in entries]
    session = tables.session_after(Session(slip.table, slip.gaming_date, slip.session), events)
    if slip.n not in session.transfers:
        raise Refused("unknown_slip", f"There is no fill or credit {slip}.")
    own = [entry for entry in entries if entry.content.get("transfer") == slip.n]
    return SlipRead(slip, session.transfers[slip.n], session, entries[0].occurred_at, denominations(events), own)


class Asked(NamedTuple):
    """Which slips of a day a page shows: of one table, one kind, one state; "" stands for all."""

    table: str = ""
    kind: str = ""
    state: str = ""


def of_day(day: date, asked: Asked) -> QuerySet[SlipBoard]:
    """A gaming day's fills and credits, those asked for last first; none for what there is not."""
    stages = [stage for stage, word in SlipBoard.STAGES.items() if asked.state in ("", word)]
    found = SlipBoard.objects.filter(gaming_date=day, stage__in=stages).order_by("-requested_at", "-n")
    if asked.kind:
        found = found.filter(kind=asked.kind)
    if asked.table:
        found = found.filter(table_code__iexact=asked.table)
    return found


def id_of(row: SlipBoard) -> TransferId:
    """How the fill or credit of a row is named."""
    return TransferId(row.table_code, row.gaming_date, row.session, row.n)


# ------------------------------------------------------------------------------------------------- those that wait


class Waiting(NamedTuple):
    """An open slip or request: who is to act next, for how long it has waited, and whether that is the viewer's."""

    row: SlipBoard
    awaited: str
    minutes: int
    is_mine: bool

    @property
    def id(self) -> TransferId:
        return id_of(self.row)


def waiting(person: Person) -> list[Waiting]:
    """All that is open: what the person can do first, then the others, the oldest of each first."""
    now = timezone.now()
    rows = SlipBoard.objects.filter(stage__lte=SlipBoard.OPEN_UP_TO).order_by("requested_at")[:WAITING_SHOWN]
    dealers = dict(TableBoard.objects.exclude(dealer=None).exclude(dealer="").values_list("table_code", "dealer"))
    found = [_waiting(row, person, now, dealers.get(row.table_code)) for row in rows]
    return sorted(found, key=lambda one: not one.is_mine)


def awaited_of(row: SlipBoard) -> str | None:
    """The role whose turn it is at a slip; None once it is over."""
    if not row.is_open:
        return None
    return CAGE if row.state == "requested" else rules_of(row.kind).signatures[row.signed]


def _waiting(row: SlipBoard, person: Person, now: datetime, on_duty: str | None) -> Waiting:
    awaited = awaited_of(row) or ""
    acted = [row.requested_by, *(signed["by"] for signed in row.signatures)]
    if awaited != CAGE and row.prepared_by:
        acted.append(row.prepared_by)
    is_mine = awaited in person.roles and not any(person.is_(name) for name in acted)
    if awaited == DEALER and on_duty is not None:
        is_mine = is_mine and person.is_(on_duty)
    return Waiting(row, awaited, int((now - row.moved_at).total_seconds() // 60), is_mine)


def of_table(code: str, day: date) -> list[SlipBoard]:
    """The slips of a table's gaming day, newest first."""
    return list(SlipBoard.objects.filter(table_code=code, gaming_date=day).order_by("-session", "-n"))
