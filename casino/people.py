"""Who stands before the screen: whoever is logged in, or somebody who gives name and password there and then."""

from django.contrib.auth import authenticate
from django.contrib.auth.models import AbstractBaseUser, AnonymousUser, User
from django.http import HttpRequest

from casino.commands.tables import load_table
from casino.duty import check_on_duty
from casino.gate import roles_of
from casino.refusal import Refused, in_quotes
from casino.roles import DEALER, FLOOR, held
from casino.slips import Person


def person_of(user: AbstractBaseUser | AnonymousUser) -> Person:
    """Somebody logged in, with their roles; a device is nobody and has none."""
    groups = user.groups.values_list("name", flat=True) if isinstance(user, User) else ()
    return Person(user.get_username(), held(groups))


def check_duty(user: AbstractBaseUser | AnonymousUser, code: str) -> None:
    """Refuse `not_on_duty`: a dealer who is nothing else records at the table where the floor has put the dealer on.

    The floor records at any table, a device at its own.
    """
    roles = roles_of(user)
    if DEALER in roles and FLOOR not in roles:
        check_on_duty(load_table(code).session, code, user.get_username())


def proven(request: HttpRequest, name: str, password: str) -> Person:
    """Whoever gives name and password at the point of action; wrong ones are counted as log-ins are.

    Refuses `approval_missing`, `approval_wrong` and `approver_locked`. Whether they may is for the core to say.
    """
    name = name.strip()
    if not name or not password:
        raise Refused("approval_missing", "Give name and password of the person who signs this.")
    user = None if "\0" in name else authenticate(request, username=name, password=password)
    if getattr(request, "axes_locked_out", False):
        request.axes_locked_out = False  # type: ignore[attr-defined]  # our sentence, not the log-in's page
        raise Refused("approver_locked", f"Too many wrong passwords for {in_quotes(name)}; try again in 15 minutes.")
    if not isinstance(user, User):
        raise Refused("approval_wrong", "This name and password do not go together; nothing was approved.")
    return person_of(user)
