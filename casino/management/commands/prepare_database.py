"""Roles, tables and rights: everything that the database needs before the first request. Safe to run again."""

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand
from django.db import connections

from casino.servers import roles


class Command(BaseCommand):
    help = "Make the application's role, run the migrations as the owner, and grant the role its rights."

    def handle(self, *args: object, **options: object) -> None:
        app, owner = settings.DATABASES["default"], connections["owner"]
        with owner.cursor() as cursor:
            roles.ensure_app_role(cursor, login=app["USER"], password=app["PASSWORD"])
        call_command("migrate", database="owner", interactive=False, verbosity=options["verbosity"])
        with owner.cursor() as cursor:
            roles.grant(cursor, owner.settings_dict["NAME"])
        owner.close()
