"""The servers that all contenders share, and databases on them: one a contender, dropped afterwards.

Where DATABASE_URL or REDIS_URL is set, those servers are used and the log-in must be allowed to make databases;
elsewhere embedded ones run in var/bench, as durable as `make run` has them.
"""

import itertools
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

import psycopg
from django.conf import settings
from psycopg import sql
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from casino import environment
from casino.servers import embedded, folder, postgres, user

_serial = itertools.count(1)
_redis_number = 7  # the demo works in Redis's database 0


@dataclass(frozen=True)
class Place:
    """A database and how each role reaches it (conninfo texts), and the Redis beside it."""

    app: str
    owner: str
    superuser: str
    redis: str

    def named(self, name: str) -> "Place":
        """The same servers, another database."""
        app, owner, superuser = (make_conninfo(url, dbname=name) for url in (self.app, self.owner, self.superuser))
        return replace(self, app=app, owner=owner, superuser=superuser)

    def variables(self) -> dict[str, str]:
        """What a child process needs in order to work here."""
        here = {"DATABASE_URL": self.app, "DATABASE_OWNER_URL": self.owner, "REDIS_URL": self.redis}
        return dict(os.environ) | here | {"CASINO_ENV_FILE": os.devnull, "CASINO_LOG_LEVEL": "WARNING"}

    def admin(self) -> psycopg.Connection[Any]:
        """The mightiest connection there is, in autocommit."""
        return psycopg.connect(self.superuser, autocommit=True)

    def as_app(self, **options: Any) -> psycopg.Connection[Any]:
        """A connection as the application has it, in autocommit."""
        connection = psycopg.connect(self.app, autocommit=True, **options)
        if connection.info.user != postgres.APP:
            connection.execute("SET ROLE casino_app")
        return connection


@contextmanager
def servers() -> Iterator[Place]:
    """PostgreSQL and Redis: those of the environment, else embedded ones."""
    database, queue = environment.text("DATABASE_URL"), environment.text("REDIS_URL")
    var = environment.var_folder()
    folder.make_var(var, *user.ids())
    with embedded.serving(var / "bench", with_postgres=not database, with_redis=not queue) as made:
        redis = (queue or made.redis).rpartition("/")[0] + f"/{_redis_number}"
        yield Place(database or made.app, database or made.owner, database or made.superuser, redis)


@contextmanager
def empty_database(place: Place, template: str = "template0") -> Iterator[Place]:
    """A database for one contender."""
    made = place.named(f"casino_bench_{os.getpid()}_{next(_serial)}")
    name = conninfo_to_dict(made.app)["dbname"]
    with place.admin() as admin:
        _create(admin, str(name), str(conninfo_to_dict(made.owner)["user"]), template)
        try:
            yield made
        finally:
            admin.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(str(name))))


def _create(admin: psycopg.Connection[Any], name: str, owner: str, template: str) -> None:
    names = [sql.Identifier(word) for word in (name, template, owner)]
    admin.execute(sql.SQL("CREATE DATABASE {} TEMPLATE {} OWNER {}").format(*names))
    if admin.execute("SELECT 1 FROM pg_roles WHERE rolname = 'casino_app'").fetchone():
        admin.execute(sql.SQL("GRANT CONNECT ON DATABASE {} TO casino_app").format(names[0]))


@contextmanager
def product_database(place: Place) -> Iterator[Place]:
    """A database with our tables in it, and Django and Celery of this process pointed at it."""
    from django.core.management import call_command
    from django.db import connections

    with empty_database(place) as made:
        point(made)
        call_command("prepare_database", verbosity=0)
        try:
            yield made
        finally:
            connections.close_all()


def point(made: Place) -> None:
    """Point Django and Celery at `made`; dictionaries are changed in place, as existing connections look into them."""
    from django.db import connections

    from casino.celery import app
    from casino.settings import app_database, database

    connections.close_all()
    connections.settings["default"].update(app_database(made.app))
    connections.settings["owner"].update(database(made.owner))
    settings.REDIS_URL = settings.CELERY_BROKER_URL = made.redis
    app.conf.update(broker_url=made.redis, broker_read_url=made.redis, broker_write_url=made.redis)
