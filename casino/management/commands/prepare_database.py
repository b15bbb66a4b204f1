"""Roles, tables and rights: everything that the database needs before the first request. Safe to run again."""

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandParser
from django.db import connections
from django.db.migrations.executor import MigrationExecutor

from casino.servers import roles


class Command(BaseCommand):
    help = "Make the application's role, run the migrations as the owner, and grant the role its rights."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--if-needed", action="store_true", help="do nothing where every migration has run")

    def handle(self, *args: object, **options: object) -> None:
        app, owner = settings.DATABASES["default"], connections["owner"]
        if options["if_needed"] and not _unapplied():
            return
        with owner.cursor() as cursor:
            roles.ensure_app_role(cursor, login=app["USER"], password=app["PASSWORD"])
        call_command("migrate", database="owner", interactive=False, verbosity=options["verbosity"])
        with owner.cursor() as cursor:
            roles.grant(cursor, owner.settings_dict["NAME"])
        owner.close()


def _unapplied() -> bool:
    executor = MigrationExecutor(connections["owner"])
    return bool(executor.migration_plan(executor.loader.graph.leaf_nodes()))
