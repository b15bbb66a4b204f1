"""The second person: somebody of the floor who approves at the point of action, by name and password."""

from django.http import HttpRequest

from casino.people import proven
from casino.refusal import Refused
from casino.roles import FLOOR


def approver(request: HttpRequest, name: str, password: str) -> str:
    """Who of the floor approves what goes back at a table, once name and password have been checked.

    Refuses `approval_missing`, `approval_wrong`, `approver_locked` and `approver_not_of_floor`. That nobody approves
    what they asked for is the core's to check.
    """
    if not name.strip() or not password:
        raise Refused("approval_missing", "Somebody of the floor approves this with name and password.")
    person = proven(request, name, password)
    if FLOOR not in person.roles:
        raise Refused("approver_not_of_floor", f"{person.name} is not of the floor and can't approve this.")
    return person.name
