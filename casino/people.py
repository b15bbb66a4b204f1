"""Who stands before the screen: whoever is logged in, or somebody who gives name and password there and then.

One way for pages and for the interface. A page has the fields of `templates/_proof.html`, a body those of
`casino.api.bodies.Approved`; a command takes a `Person` or an `Approval` and never sees a password.
"""

from collections.abc import Mapping

from django.contrib.auth import authenticate
from django.contrib.auth.models import AbstractBaseUser, AnonymousUser, User
from django.http import HttpRequest

from casino import second_factor
from casino.approval import Approval
from casino.commands.order import Order
from casino.commands.tables import load_table
from casino.duty import check_on_duty
from casino.eventstore import store
from casino.gate import note_refusal, roles_of
from casino.refusal import Refused, in_quotes
from casino.roles import DEALER, FLOOR, in_words
from casino.slips import Person


def person_of(user: AbstractBaseUser | AnonymousUser) -> Person:
    """Somebody logged in, with their roles; a device is nobody and has none."""
    return Person(user.get_username(), roles_of(user))


def check_duty(user: AbstractBaseUser | AnonymousUser, code: str) -> None:
    """Refuse `not_on_duty`: a dealer who is nothing else records at the table where the floor has put the dealer on.

    The floor records at any table, a device at its own.
    """
    roles = roles_of(user)
    if DEALER in roles and FLOOR not in roles:
        check_on_duty(load_table(code).session, code, user.get_username())


def approval_of(request: HttpRequest, order: Order, given: Mapping[str, str], *roles: str) -> Approval:
    """Who asked for `order`, and who approves it: somebody else, of one of the roles.

    `given` has `approver`, `password` and `code`, which only who has a device needs. Refuses `approval_missing`,
    `same_person`, `approver_role`, and what `proven` refuses.
    """
    name, password = given.get("approver", "").strip(), given.get("password", "")
    if not name or not password:
        raise Refused("approval_missing", f"Somebody of {in_words(roles, 'or')} approves this with name and password.")
    approval = Approval(order.by, name)
    if not _is_answered(order) and _proven(request, name, password, given.get("code", "")).roles.isdisjoint(roles):
        raise Refused("approver_role", f"{in_quotes(name)} is not of {in_words(roles, 'or')} and can't approve this.")
    return approval


def proven(request: HttpRequest, order: Order, name: str, password: str, code: str = "") -> Person:
    """Whoever gives name, password and code at the point of action; wrong ones are counted as log-ins are.

    Refuses `approval_missing`, `approval_wrong`, `approver_locked`, and for the code `code_missing`, `code_wrong` and
    `second_factor_missing`. Whether they may is for the core to say. An order whose key is known is not proven again,
    since its code is used up: all that it can do is answer as it did, and under another name it is `key_reused`.
    """
    name = name.strip()
    if not name or not password:
        raise Refused("approval_missing", "Give name and password of the person who signs this.")
    return Person(name, frozenset()) if _is_answered(order) else _proven(request, name, password, code)


def _proven(request: HttpRequest, name: str, password: str, code: str) -> Person:
    user = None if "\0" in name else authenticate(request, username=name, password=password)
    if getattr(request, "axes_locked_out", False):
        request.axes_locked_out = False  # type: ignore[attr-defined]  # our sentence, not the log-in's page
        raise Refused("approver_locked", f"Too many wrong passwords for {in_quotes(name)}; try again in 15 minutes.")
    if not isinstance(user, User):
        raise Refused("approval_wrong", "This name and password do not go together; nothing was approved.")
    _check_code(request, user, code.strip())
    return person_of(user)


def _is_answered(order: Order) -> bool:
    return bool(order.key) and store.find_command(order.by, order.key) is not None


def _check_code(request: HttpRequest, user: User, code: str) -> None:
    name = user.get_username()
    if second_factor.device_of(user) is None:
        if second_factor.is_asked_of(roles_of(user)):
            raise Refused("second_factor_missing", f"{name} has to set up a device for one-time codes first.")
        return
    if not code:
        raise Refused("code_missing", f"{name} has a device; give its one-time code as well.")
    if second_factor.is_right(user, code) is None:
        note_refusal(request, name, "A wrong one-time code.")
        raise Refused("code_wrong", "This code is wrong, used or too old; give the next one. Nothing was approved.")
