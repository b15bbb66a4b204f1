"""Finished rounds from a smart table or a shoe, many in one append. The key of a round is (source, its own id).

A batch is decided round after round in memory and appended together; what can't be taken is refused singly, and
the rest goes in.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple

import msgspec

from casino import table as tables
from casino.commands.order import property_code
from casino.commands.rounds import SETTLE, finished_round
from casino.commands.tables import EARLY_MAX, Loaded, latest_round, load_table
from casino.eventstore import store
from casino.eventstore.registry import Event
from casino.eventstore.store import Addition, Command, Origin
from casino.games import lines as json_lines
from casino.games.game import DecisionEntry
from casino.keys import RoundId, round_key
from casino.refusal import Refused
from casino.round import dealing
from casino.round.betting import Asked
from casino.round.state import Round, round_of

EVENTS_MAX = 1_000
"""Events in one append of an import (design, the log)."""
ATTEMPTS = 5
KINDS = {
    "int": "a whole number",
    "float": "a number with a fraction",
    "str": "text",
    "bool": "true or false",
    "array": "a list",
    "object": "an object with named fields",
    "datetime": "a time",
}
"""What msgspec calls a kind of value, in plain words."""


class ImportedWager(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A wager of an imported round."""

    seat: int
    wager: str
    stake_cents: int


class ImportedDecision(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A decision of an imported round: check, raise with its stake, or fold."""

    seat: int
    action: str
    stake_cents: int | None = None


class ImportedRound(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One line of an import file. `source` and `source_round` together name the round for ever.

    A card is null where nobody saw it; `decisions` stand in the order in which they were made.
    """

    source: str
    source_round: str
    table: str
    occurred_at: datetime
    wagers: list[ImportedWager]
    cards: list[str | None]
    drawn_position: int | None = None
    progressive_count: int | None = None
    decisions: list[ImportedDecision] = []

    @property
    def command(self) -> Command:
        """The idempotency key and the fingerprint of the content."""
        content = msgspec.to_builtins(self)
        if not self.decisions:  # a round without any keeps the fingerprint it has always had
            del content["decisions"]
        return Command(f"import:{self.source}", self.source_round, store.fingerprint("import_round", content))


class Outcome(NamedTuple):
    """What became of a round: `new`, `known` (imported before) or `refused` with the reason.

    A new one `is_early` where its own clock has it before the opening of the session that it was taken into.
    """

    word: str
    refusal: Refused | None = None
    is_early: bool = False


@dataclass
class _TablePlan:
    """A table's rounds as the batch goes on, and when who sat where."""

    loaded: Loaded
    latest: Round | None
    history: list[tuple[datetime, Event]]


def read_line(text: bytes) -> ImportedRound:
    """A line of the file, checked for shape; refuses `malformed_line`, and `field_twice` by the field's name."""
    try:
        json_lines.parsed(text)
        line = msgspec.json.decode(text, type=ImportedRound)
    except Refused as refusal:
        code = "field_twice" if refusal.code == "field_twice" else "malformed_line"
        raise Refused(code, refusal.message) from None
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise Refused("malformed_line", f"The line is not a round: {_fault(str(error))}.") from error
    for name in ("source", "source_round"):
        value = getattr(line, name)
        if not 0 < len(value) <= 100 or not value.isprintable():
            raise Refused("bad_source", f"{name} must be 1 to 100 printable characters.")
    if line.occurred_at.tzinfo is None:
        raise Refused("no_time_zone", "occurred_at must say its time zone, such as 2026-11-29T21:15:00-05:00.")
    if line.occurred_at > datetime.now(UTC) or line.occurred_at.year < 2000:
        raise Refused("clock_ahead", f"A finished round can't have been played at {line.occurred_at.isoformat()}.")
    return line


def _fault(said: str) -> str:
    """What msgspec found, in the words of whoever writes the file: which field, and what it must be."""
    what, _, path = said.partition(" - at `$")
    where = path.strip("`.") or "it"
    if expected := re.fullmatch(r"Expected `(.+)`, got `(.+)`", what):
        wanted, got = (" or ".join(KINDS.get(kind, kind) for kind in one.split(" | ")) for one in expected.groups())
        return f"{where} must be {wanted}, not {got}"
    if field := re.fullmatch(r"Object (missing required|contains unknown) field `(.+)`", what):
        return (
            f"{where} lacks {field[2]}"
            if field[1] == "missing required"
            else f"{where} may not have a field {field[2]}"
        )
    if "RFC3339" in what:
        return f"{where} must be a time, such as 2026-11-29T21:15:00-05:00"
    return f"{where} can't be read" if path else "it holds text or a number that can't be read"


def import_rounds(lines: Sequence[ImportedRound]) -> list[Outcome]:
    """Import a batch; one outcome a line, in order. Others at the same tables make it decide again."""
    for _ in range(ATTEMPTS):
        outcomes = [_known(line) for line in lines]
        additions, commands, guards = _plan(lines, outcomes)
        if not additions:
            return [outcome or Outcome("known") for outcome in outcomes]
        try:
            store.append(Origin("import", "import", commands=commands), additions, sorted(guards))
        except (store.Conflict, store.KeyReused):
            continue
        taken = iter(additions)
        return [outcome or Outcome("new", is_early=_is_early(next(taken))) for outcome in outcomes]
    busy = Refused("busy", "Others keep recording at these tables; run the import again.")
    return [Outcome("refused", busy) for _ in lines]


def _is_early(addition: Addition) -> bool:
    opened: Any = addition.events[0]
    return bool(opened.early_s)


def _known(line: ImportedRound) -> Outcome | None:
    command = line.command
    answered = store.find_command(command.principal, command.key)
    return _again(line, answered.content) if answered else None


def _again(line: ImportedRound, content: str) -> Outcome:
    """A round whose key was seen before: known with the same content, refused with another."""
    fields = store.differing_fields(content, line.command.content)
    if not fields:
        return Outcome("known")
    text = f"Round {line.source_round} of {line.source} was imported before with other content ({', '.join(fields)})."
    return Outcome("refused", Refused("key_reused", text))


def _plan(
    lines: Sequence[ImportedRound], outcomes: list[Outcome | None]
) -> tuple[list[Addition], list[Command], set[tuple[str, int]]]:
    """Decide the rounds that are new; a refusal is put into `outcomes`."""
    plans: dict[str, _TablePlan] = {}
    additions: list[Addition] = []
    commands: list[Command] = []
    guards: set[tuple[str, int]] = set()
    seen: dict[tuple[str, str], str] = {}
    for index, line in enumerate(lines):
        if outcomes[index] is not None:
            continue
        command = line.command
        if content := seen.get((command.principal, command.key)):
            outcomes[index] = _again(line, content)
            continue
        try:
            plan = plans.get(line.table) or _table_plan(line.table)
            plans[line.table] = plan
            addition, plan.latest = _round(plan, line)
        except Refused as refusal:
            outcomes[index] = Outcome("refused", refusal)
            continue
        seen[command.principal, command.key] = command.content
        guards.update(plan.loaded.opening_guards)
        additions.append(addition)
        commands.append(command)
    return additions, commands, guards


def _table_plan(code: str) -> _TablePlan:
    loaded = load_table(code)
    session = tables.opened(loaded.session, code)
    history = [(known.occurred_at, known.event) for known in store.load(loaded.session_key).events]
    return _TablePlan(loaded, latest_round(code, session.gaming_date), history)


def _early_s(line: ImportedRound, opened_at: datetime) -> int:
    """By how many seconds the feed's clock has the round before its table opened; refuses `before_opening`.

    A clock or a time zone may be off by hours, and the chips were real: such a round is taken and marked. Beyond a day
    it was not played in this session, and would stand on a wrong gaming day.
    """
    if opened_at - line.occurred_at > EARLY_MAX:
        raise Refused(
            "before_opening",
            f"By its own clock this round was played at {line.occurred_at.isoformat()}, and {line.table} opened at "
            f"{opened_at.isoformat()}; it belongs to another session. Set the feed's clock right, or record the round "
            "where it was played.",
        )
    return max(0, -((line.occurred_at - opened_at) // timedelta(seconds=1)))


def _round(plan: _TablePlan, line: ImportedRound) -> tuple[Addition, Round]:
    session = plan.loaded.session
    assert session is not None
    session = tables.seated_at(session, plan.history, line.occurred_at)
    early_s = _early_s(line, plan.history[0][0])
    table, key = plan.loaded.table.at(line.occurred_at), plan.loaded.session_key
    opened = dealing.open_round(table, session, key, plan.latest, "feed", early_s)
    round_id = RoundId(line.table, session.gaming_date, plan.latest.id.n + 1 if plan.latest else 1)
    asked = [Asked(wager.seat, wager.wager, wager.stake_cents) for wager in line.wagers]
    made = [DecisionEntry(one.seat, one.action, one.stake_cents) for one in line.decisions]
    events: list[Event] = finished_round(
        round_id, opened, asked, line.cards, line.drawn_position, line.progressive_count, made
    )
    addition = Addition(
        key=round_key(property_code(), round_id),
        expected=0,
        gaming_date=round_id.gaming_date,
        events=events,
        occurred_at=line.occurred_at,
        table=round_id.table,
        round_no=round_id.n,
        due=SETTLE,
    )
    return addition, round_of(round_id, events)
