"""A log-in with its roles: the first administrator of a new house; the rest is done on the pages."""

import getpass
import sys
from typing import Any

from django.contrib.auth.models import Group, User
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandParser

from casino.refusal import Refused, in_quotes
from casino.roles import ROLES, check_apart


class Command(BaseCommand):
    help = "Make a log-in, such as the first: `add_person NAME admin`. The password is asked for, or read from a pipe."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("name")
        parser.add_argument("role", nargs="+", choices=list(ROLES))

    def handle(self, *args: Any, name: str, role: list[str], **options: Any) -> None:
        check_apart(role)
        if User.objects.filter(username=name).exists():
            raise Refused(
                "person_exists", f"There is a log-in {in_quotes(name)} already; its roles are kept under /admin/."
            )
        user = User(username=name)
        password = _password()
        try:
            user.full_clean(exclude=["password"])
            validate_password(password, user)
        except ValidationError as error:
            raise Refused("bad_log_in", " ".join(error.messages)) from None
        user.set_password(password)
        user.save()
        user.groups.set(Group.objects.filter(name__in=role))
        self.stdout.write(f"{name} may log in now.")


def _password() -> str:
    """Asked for twice at a terminal; a line of standard input else."""
    if not sys.stdin.isatty():
        return sys.stdin.readline().rstrip("\n")
    first, again = getpass.getpass("Password: "), getpass.getpass("Again: ")
    if first != again:
        raise Refused("passwords_differ", "The two passwords differ; nobody was added.")
    return first
