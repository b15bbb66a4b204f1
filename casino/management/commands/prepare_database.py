"""Roles, tables and rights: everything that the database needs before the first request. Safe to run again.

The application's role in PostgreSQL is one thing, the roles of the house (`casino/roles.py`) are another.
"""

from django.conf import settings
from django.contrib.auth.models import Group
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandParser
from django.db import connections
from django.db.migrations.executor import MigrationExecutor

from casino.roles import ROLES
from casino.servers import roles


class Command(BaseCommand):
    help = "Make the application's role and the roles of the house, run the migrations, and grant the rights."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--if-needed", action="store_true", help="do nothing where every migration has run")

    def handle(self, *args: object, **options: object) -> None:
        app, owner = settings.DATABASES["default"], connections["owner"]
        if options["if_needed"] and not _unapplied() and not _roles_missing():
            return
        with owner.cursor() as cursor:
            roles.ensure_app_role(cursor, login=app["USER"], password=app["PASSWORD"])
        call_command("migrate", database="owner", interactive=False, verbosity=options["verbosity"])
        with owner.cursor() as cursor:
            roles.grant(cursor, owner.settings_dict["NAME"])
        Group.objects.using("owner").bulk_create([Group(name=name) for name in _roles_missing()])
        owner.close()


def _unapplied() -> bool:
    executor = MigrationExecutor(connections["owner"])
    return bool(executor.migration_plan(executor.loader.graph.leaf_nodes()))


def _roles_missing() -> list[str]:
    """The roles of the house that have no group yet."""
    there = set(Group.objects.using("owner").values_list("name", flat=True))
    return [name for name in ROLES if name not in there]
