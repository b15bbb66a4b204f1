"""Trays counted: a table opened, rolled and closed, and the form of one that does not open."""

from casino.commands import closed_tables, tables
from casino.commands.order import Done
from casino.deeds.deed import ALWAYS, CLOSED, OPEN, Deed, Look, Press
from casino.deeds.fields import Field
from casino.games import game
from casino.money import written
from casino.queries.floor import gaming_date_now
from casino.refusal import Refused
from casino.table import Count
from casino.transfers import offered_chips
from casino.tray import denominations


def _count(look: Look) -> list[Field]:
    tray = denominations(recorded.event for recorded in look.recorded)
    chips = [(chip, None if tray is None else tray.get(chip, 0)) for chip in offered_chips(tray)]
    return [
        Field("chip", "Chips in the tray", "chips", choices=chips),
        Field("first", "Counted by", hint="the dealer, by name"),
        Field("second", "and by", hint="the floorperson, by name"),
    ]


def _counted(press: Press) -> Count:
    chips = press.given.chips("chip")
    if not chips and not press.given.text("empty"):
        raise Refused("nothing_counted", "No chips are entered; count the tray, or say that it is empty.")
    names = tuple(name for name in (press.given.text("first"), press.given.text("second")) if name)
    return Count(sum(chips.values()), chips, names)


def _opening(look: Look) -> list[Field]:
    fields, last = _count(look), look.session
    if last and last.closer:
        hint = f"needed where the count is not the closer carried, {written(last.closer.total_cents)}"
        fields.append(Field("explanation", "What is known of a difference", hint=hint, required=False))
    paytable = look.set_up.paytable
    known = look.loaded.table.acknowledged
    odds = game(look.set_up.game).odds(paytable)
    if any(one.player_advantage and (paytable, one.wager) not in known for one in odds):
        hint = "the paytable pays more than it takes on some wagers; whoever answers for that"
        fields.append(Field("acknowledged_by", "Advantage acknowledged by", hint=hint))
    return fields


def _open(press: Press) -> Done:
    given = press.given
    acknowledged = given.text("acknowledged_by") or None
    return tables.open_table(press.order, press.code, _counted(press), acknowledged, given.text("explanation"))


def _ending(look: Look) -> list[Field]:
    named = look.session.name if look.session else ""
    return [*_count(look), Field("session", "Session", "hidden", value=named)]


def _roll(press: Press) -> Done:
    return tables.roll_table(press.order, press.code, _counted(press), press.given.text("session") or None)


def _close(press: Press) -> Done:
    return tables.close_table(press.order, press.code, _counted(press), press.given.text("session") or None)


def _form_fields(look: Look) -> list[Field]:
    day = look.query["day"] or gaming_date_now().isoformat()
    return [Field("day", "Gaming day", value=day, hint="on which the table did not open")]


def _form(press: Press) -> Done:
    return closed_tables.record_closed_table(press.order, press.code, press.given.day("day"))


DEEDS = {
    "open": Deed(
        "Open",
        "Open the table",
        "Two people count the opener against the closer that was locked in.",
        CLOSED,
        _opening,
        _open,
    ),
    "roll": Deed(
        "Roll",
        "Roll the table",
        "One count ends this session and begins the next one. Players, dealer and decks stay.",
        OPEN,
        _ending,
        _roll,
    ),
    "close": Deed(
        "Close", "Close the table", "Two people count the closer; seats and dealer are freed.", OPEN, _ending, _close
    ),
    "closed-form": Deed(
        "Closed-table form",
        "Record the form",
        "For a table that did not open on a gaming day.",
        ALWAYS,
        _form_fields,
        _form,
    ),
}
