"""Dealers, decks, limits, and entries put right."""

from collections.abc import Mapping
from typing import Any

from django.contrib.auth.models import User

from casino.commands import dealers, decks
from casino.commands.corrections import correct_entry
from casino.commands.limits import announce_limits
from casino.commands.order import Done
from casino.commands.tables import load_table
from casino.corrections import AMOUNTS, standing
from casino.decks import decks_here
from casino.deeds.deed import ALWAYS, OPEN, Deed, Look, Press
from casino.deeds.fields import Field
from casino.events import Limits
from casino.eventstore.registry import name_of
from casino.games import game
from casino.gate import has_role
from casino.money import written
from casino.people import approval_of
from casino.refusal import Refused
from casino.roles import DEALER, FLOOR, PIT_MANAGER
from casino.table import opened, set_up_of


def _dealers(look: Look) -> list[Field]:
    now = look.session.dealer if look.session else None
    known = User.objects.filter(is_active=True, groups__name=DEALER).exclude(username=now or "").order_by("username")
    choices = [(user.username, f"{user.get_full_name() or user.username} ({user.username})") for user in known]
    return [
        Field("dealer", f"In relief of {now}" if now else "Dealer", "choice", choices=choices),
        Field("relieves", "Relieves", "hidden", value=now or ""),
    ]


def _dealer(press: Press) -> Done:
    """On, or in relief of whoever the page showed; a page left open relieves nobody unseen."""
    chosen, relieves = press.given.text("dealer"), press.given.text("relieves")
    if not relieves:
        return dealers.put_on(press.order, press.code, chosen)
    now = opened(load_table(press.code).session, press.code).dealer
    if now not in (None, relieves, chosen):
        raise Refused("dealer_on_duty", f"{now} deals at {press.code} meanwhile; look at the table again.", dealer=now)
    return dealers.relieve(press.order, press.code, chosen)


def _decks(look: Look) -> list[Field]:
    size = len(game(look.set_up.game).deck)
    return [
        Field("deck", "Deck", hint="the number of its box, or its colour"),
        Field(
            "move",
            "What happens",
            "choice",
            choices=[("in", "comes to the table"), ("counted", "is counted here"), ("out", "leaves the table")],
        ),
        Field("cards", "Cards counted", "number", value=str(size), hint=f"a complete deck has {size}"),
        Field("reason", "Reason", required=False),
    ]


def _deck(press: Press) -> Done:
    given = press.given
    return decks.move_deck(
        press.order,
        press.code,
        given.text("deck"),
        given.text("move"),
        given.number("cards", "number of cards"),
        given.text("reason"),
    )


def _limits_fields(look: Look) -> list[Field]:
    fields = [
        Field(f"{end}_{bet}", f"{bet.replace('_', ' ')}, {word}", "amount", value=written(cents))
        for bet, limit in look.set_up.limits.items()
        for end, word, cents in (("least", "least", limit.min_cents), ("most", "most", limit.max_cents))
    ]
    most = written(look.set_up.round_payout_max_cents)
    return [
        *fields,
        Field("round_most", "Most paid in a round", "amount", value=most),
        Field("from", "From", "moment", hint="left out: as soon as the notice allows", required=False),
    ]


def _limits(press: Press) -> Done:
    given, table = press.given, load_table(press.code).table.at(press.order.at)
    posted = set_up_of(table)
    asked = {bet: Limits(given.cents(f"least_{bet}"), given.cents(f"most_{bet}")) for bet in posted.limits}
    changed = {bet: one for bet, one in asked.items() if one != posted.limits[bet]}
    most = given.cents("round_most")
    return announce_limits(
        press.order,
        press.code,
        changed,
        None if most == posted.round_payout_max_cents else most,
        given.moment_if_any("from"),
        may_raise_minimum=has_role(press.request.user, PIT_MANAGER),
    )


# ------------------------------------------------------------------------------------------------- put right


def _entries(look: Look) -> Mapping[str, Any]:
    """The entries of the session that can be put right, the latest first, with what stands of each."""
    events = [(recorded.position, recorded.event) for recorded in look.recorded]
    found = [(r, standing(events, r.position)) for r in reversed(look.recorded) if type(r.event) in AMOUNTS]
    rows = [
        {
            "position": recorded.position,
            "at": recorded.occurred_at,
            "word": name_of(recorded.event),
            "seat": getattr(recorded.event, "seat", None),
            "amounts": known.amounts,
        }
        for recorded, known in found
    ]
    return {"entries": rows, "is_chosen": bool(_chosen(look))}


def _chosen(look: Look) -> int:
    text = look.query.get("entry", "")
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 19 else 0


def _correction(look: Look) -> list[Field]:
    """The amounts of the entry that is named in the address; none while none is."""
    if not (position := _chosen(look)):
        return []
    found = standing([(recorded.position, recorded.event) for recorded in look.recorded], position)
    named = name_of(found.entry).replace("_", " ")
    return [
        Field("position", "Entry", "hidden", value=str(position)),
        *(_amount(name, cents, named) for name, cents in found.amounts.items()),
        Field("reason", "What was wrong"),
    ]


def _amount(name: str, cents: int, entry: str) -> Field:
    label = f"{name.removesuffix('_cents').capitalize()}, as it was"
    return Field(name, label, "amount", hint=f"{entry}, recorded as {written(cents)}; 0 where it never was")


def _correct(press: Press) -> Done:
    given = press.given
    names = {name for known in AMOUNTS.values() for name in known}
    amounts = {name: given.cents(name) for name in sorted(names) if given.text(name)}
    if not amounts:
        raise Refused("odd_amount", "Give the amounts as they were; 0 where the entry never was.")
    approval = approval_of(press.request, press.order, press.request.POST, FLOOR)
    position = given.number("position", "entry")
    return correct_entry(press.order, press.code, position, amounts, given.text("reason"), approval)


DEEDS = {
    "dealer": Deed(
        "Dealer", "Put on", "Whoever is put on records rounds at this table and at no other.", OPEN, _dealers, _dealer
    ),
    "dealer-off": Deed(
        "Dealer off",
        "Take the dealer off",
        "The dealer leaves without relief.",
        OPEN,
        lambda look: [],
        lambda press: dealers.take_off(press.order, press.code),
    ),
    "deck": Deed(
        "Deck",
        "Record it",
        "Once decks are recorded at a table, no round opens without a complete one.",
        OPEN,
        _decks,
        _deck,
        shows=lambda look: {"decks": decks_here(look.session) if look.session else {}},
    ),
    "limits": Deed(
        "Limits",
        "Announce the limits",
        "Where somebody plays, notice is given, and raising the least stake is for a pit manager.",
        ALWAYS,
        _limits_fields,
        _limits,
        shows=lambda look: {"pending": look.loaded.table.pending(look.now)},
    ),
    "correction": Deed(
        "Put an entry right",
        "Put it right",
        "Nothing is taken back: a further entry says what it was, with two names.",
        ALWAYS,
        _correction,
        _correct,
        asks_second=True,
        shows=_entries,
    ),
}
