"""Paper found late: a fill or credit of a session that is counted already, put on record as its slip has it."""

from casino.commands.late_transfers import record_late_transfer
from casino.commands.order import Done, Order
from casino.deeds.deed import ALWAYS, Deed, Look, Press
from casino.deeds.fields import Field
from casino.late_transfers import REQUEST, Paper
from casino.people import approval_of
from casino.roles import CAGE
from casino.slip_events import Kind
from casino.transfers import offered_chips

NAMES = {REQUEST: "Who asked", "cage": "Cashier", "security": "Security", "dealer": "Dealer", "floor": "Floorperson"}


def _fields(look: Look) -> list[Field]:
    last = look.session
    day, number = (last.gaming_date.isoformat(), str(last.number)) if last else ("", "1")
    return [
        Field("kind", "What it was", "choice", choices=[("fill", "a fill"), ("credit", "a credit")]),
        Field("day", "Gaming day", value=day, hint="of the session that had the chips, such as 2026-11-29"),
        Field("session", "Session", "number", value=number),
        Field("at", "When it was made", "moment"),
        Field("chip", "Chips on the slip", "chips", choices=[(chip, None) for chip in offered_chips(None)]),
        Field("paper", "The paper's own number", required=False),
        *(Field(f"name_{role}", label, hint="as on the paper") for role, label in NAMES.items()),
        Field("reason", "Why it was not recorded then"),
    ]


def _act(press: Press) -> Done:
    given = press.given
    kind: Kind = "credit" if given.text("kind") == "credit" else "fill"
    names = {role: given.text(f"name_{role}") for role in NAMES}
    paper = Paper(kind, given.chips("chip"), names, given.text("paper")[:40])
    at = given.moment_if_any("at") or press.order.at
    order = Order(press.order.by, press.order.key, at, source=press.order.source)
    approval = approval_of(press.request, order, press.request.POST, CAGE)
    day, session = given.day("day"), given.number("session", "session")
    return record_late_transfer(order, press.code, day, session, paper, given.text("reason"), approval)


DEEDS = {
    "late-slip": Deed(
        "Late slip",
        "Put it on record",
        "A fill or credit whose paper was found after its session was counted: it keeps its own gaming day.",
        ALWAYS,
        _fields,
        _act,
        asks_second=True,
        second="Somebody of the cage",
    ),
}
