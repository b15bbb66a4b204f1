"""The application's role: what it may do in the tables of Django and of the read models, and what it may not."""

from collections.abc import Callable
from typing import Any

import psycopg
import pytest
from django.contrib.auth.models import Group
from django.core.management import call_command
from django.db import connection, connections

from casino.refusal import Refused
from casino.roles import ROLES
from casino.servers import roles

Connect = Callable[..., psycopg.Connection[Any]]


def test_the_application_works_as_casino_app_and_the_owner_as_itself(database: object) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT current_user")
        assert cursor.fetchone() == ("casino_app",)
    with connections["owner"].cursor() as cursor:
        cursor.execute("SELECT current_user")
        assert cursor.fetchone() != ("casino_app",)


def test_the_application_has_ordinary_rights_on_every_table_in_public(database: object) -> None:
    with connection.cursor() as cursor:
        cursor.execute(
            """SELECT c.relname FROM pg_class c
               WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p')
                 AND c.relname <> 'django_migrations'
                 AND NOT (has_table_privilege(c.oid, 'SELECT') AND has_table_privilege(c.oid, 'INSERT')
                          AND has_table_privilege(c.oid, 'UPDATE') AND has_table_privilege(c.oid, 'DELETE'))"""
        )
        assert cursor.fetchall() == []


def test_a_table_that_the_owner_makes_later_is_open_to_the_application(role_connection: Connect) -> None:
    """A rebuild makes read models beside the live ones; they have to work without another grant."""
    role_connection("casino_owner").execute("CREATE TABLE public.later (n bigint GENERATED ALWAYS AS IDENTITY, v int)")
    app = role_connection("casino_app")
    app.execute("INSERT INTO public.later (v) VALUES (1)")
    app.execute("UPDATE public.later SET v = 2")
    assert app.execute("SELECT v FROM public.later").fetchall() == [(2,)]
    app.execute("DELETE FROM public.later")


@pytest.mark.parametrize(
    "statement",
    [
        "CREATE TABLE public.mine ()",
        "CREATE TEMPORARY TABLE mine ()",
        "CREATE SCHEMA mine",
        "CREATE FUNCTION public.mine() RETURNS int LANGUAGE sql AS 'SELECT 1'",
        "ALTER TABLE auth_user ADD COLUMN mine int",
        "DROP TABLE auth_user",
        "TRUNCATE auth_user CASCADE",
        "DELETE FROM django_migrations",
        "INSERT INTO django_migrations (app, name, applied) VALUES ('a', 'b', now())",
        "ALTER DEFAULT PRIVILEGES FOR ROLE postgres GRANT ALL ON TABLES TO PUBLIC",
    ],
)
def test_the_application_changes_no_structure(role_connection: Connect, statement: str) -> None:
    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        role_connection("casino_app").execute(statement)


def test_a_forgotten_transaction_of_the_application_is_ended(role_connection: Connect) -> None:
    """One that sat idle for long would hold back every reader of the log."""
    with connection.cursor() as cursor:
        cursor.execute("SHOW idle_in_transaction_session_timeout")
        assert cursor.fetchone() == ("10s",)


def test_preparing_twice_changes_nothing(database: object) -> None:
    before = _rights()
    call_command("prepare_database", verbosity=0)
    assert _rights() == before
    call_command("prepare_database", if_needed=True, verbosity=0)
    assert _rights() == before


def _rights() -> list[tuple[Any, ...]]:
    with connections["owner"].cursor() as cursor:
        cursor.execute("SELECT relname, relacl::text FROM pg_class ORDER BY relname, oid")
        rights: list[tuple[Any, ...]] = cursor.fetchall()
    return rights


def test_every_role_of_the_house_has_its_group_and_a_lost_one_comes_back(database: object) -> None:
    assert set(Group.objects.values_list("name", flat=True)) == set(ROLES)
    Group.objects.filter(name="cage").delete()
    call_command("prepare_database", if_needed=True, verbosity=0)
    assert set(Group.objects.values_list("name", flat=True)) == set(ROLES)


def test_readiness_is_told_whether_the_log_in_could_do_more(role_connection: Connect) -> None:
    owner = role_connection("casino_owner", autocommit=False)
    owner.execute("SET ROLE NONE")
    assert "may change more than casino_app" in roles.warning(owner.cursor())
    app = role_connection("casino_app")
    row = app.execute("SELECT session_user").fetchone()
    assert row is not None
    assert bool(roles.warning(app.cursor())) == (row[0] != "casino_app")


def test_who_may_not_make_roles_is_given_the_sql_for_who_may(role_connection: Connect) -> None:
    admin = role_connection("postgres")
    admin.execute("DROP ROLE IF EXISTS trial_clerk")
    admin.execute("CREATE ROLE trial_clerk")
    try:
        admin.execute("SET ROLE trial_clerk")
        with pytest.raises(Refused) as refusal:
            roles.ensure_app_role(admin.cursor(), login="trial_clerk", password="")
        assert refusal.value.code == "role_missing"
        assert 'GRANT casino_app TO "trial_clerk";' in refusal.value.message
    finally:
        admin.execute("RESET ROLE")
        admin.execute("DROP ROLE trial_clerk")


def test_a_log_in_that_is_casino_app_itself_brings_its_password() -> None:
    assert roles.creation("casino_app", "it's")[0] == "CREATE ROLE casino_app LOGIN PASSWORD 'it''s';"
    assert roles.creation("web", "secret")[0] == "CREATE ROLE casino_app NOLOGIN;"
