"""Rated patrons: made, renamed, erased. Nothing of this is in the log, which knows a patron's number only.

Repeating any of these orders changes nothing further, so a lost answer may be asked for again.
"""

from hashlib import sha256
from typing import NamedTuple

from django.db import IntegrityError, transaction
from django.utils import timezone

from casino.commands.order import Order, check_order
from casino.models import Patron
from casino.refusal import Refused, in_quotes

NAME_MAX = 80


class Made(NamedTuple):
    """A patron, made now or by the same order before (`replayed`)."""

    patron: Patron
    replayed: bool


def make_patron(order: Order, name: str, is_described: bool = False) -> Made:
    """A patron of this name, or of this description where nobody knows the name.

    Refuses `bad_name`, and `key_reused` where the key made one of another name.
    """
    name = checked_name(name)
    check_order(order)
    once = {"made_by": order.by, "made_key": sha256(order.key.encode()).hexdigest()}  # a key may spell the name
    try:
        with transaction.atomic():
            return Made(Patron.objects.create(name=name, is_described=is_described, **once), False)
    except IntegrityError:
        patron = Patron.objects.get(**once)
    if not patron.is_erased and patron.name != name:
        sentence = f"The idempotency key {in_quotes(order.key)} has made patron {patron.pk}, who has another name now."
        raise Refused("key_reused", sentence, patron_id=patron.pk)
    return Made(patron, True)


def rename_patron(order: Order, patron_id: int, name: str) -> Patron:
    """Give a patron another name; refuses `unknown_patron`, `patron_erased` and `bad_name`."""
    name = checked_name(name)
    check_order(order)
    known_patron(patron_id)
    # The row says itself whether it was erased in the meantime: a name must never come back after that.
    Patron.objects.filter(pk=patron_id, erased_at=None).update(name=name)
    return known_patron(patron_id)


def erase_patron(order: Order, patron_id: int) -> Patron:
    """Remove the name for ever; the id stays, since the log speaks of it. Refuses `unknown_patron`."""
    check_order(order)
    patron = Patron.of_id(patron_id)
    Patron.objects.filter(pk=patron.pk, erased_at=None).update(name="", erased_at=timezone.now(), erased_by=order.by)
    patron.refresh_from_db()
    return patron


def known_patron(patron_id: int) -> Patron:
    """The patron, who is not erased; refuses `unknown_patron` and `patron_erased`."""
    patron = Patron.of_id(patron_id)
    if patron.is_erased:
        raise Refused("patron_erased", f"Patron {patron_id} is erased; make a new patron for a new visit.")
    return patron


def checked_name(name: str) -> str:
    """The name without blanks around it; refuses `bad_name`."""
    name = " ".join(name.split())
    if not 0 < len(name) <= NAME_MAX or not name.isprintable():
        raise Refused("bad_name", f"A patron's name is 1 to {NAME_MAX} letters.")
    return name
