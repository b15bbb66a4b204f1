"""The second person: somebody of the floor who approves at the point of action, by name and password."""

from django.contrib.auth import authenticate
from django.contrib.auth.models import User
from django.http import HttpRequest

from casino.refusal import Refused, in_quotes
from casino.web import has_role

APPROVERS = ("floor",)
"""The roles that approve what goes back at a table."""


def approver(request: HttpRequest, name: str, password: str) -> str:
    """Who approves, once name and password have been checked; wrong ones are counted as log-ins are.

    Refuses `approval_missing`, `approval_wrong`, `approver_locked` and `approver_not_of_floor`. That nobody approves
    what they asked for is the core's to check.
    """
    name = name.strip()
    if not name or not password:
        raise Refused("approval_missing", "Somebody of the floor approves this with name and password.")
    user = None if "\0" in name else authenticate(request, username=name, password=password)
    if getattr(request, "axes_locked_out", False):
        request.axes_locked_out = False  # type: ignore[attr-defined]  # our sentence, not the log-in's page
        raise Refused("approver_locked", f"Too many wrong passwords for {in_quotes(name)}; try again in 15 minutes.")
    if not isinstance(user, User):
        raise Refused("approval_wrong", "This name and password do not go together; nothing was approved.")
    if not has_role(user, *APPROVERS):
        raise Refused("approver_not_of_floor", f"{user.get_username()} is not of the floor and can't approve this.")
    return str(user.get_username())
