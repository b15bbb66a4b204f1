"""Roles of the database: an owner who migrates and rebuilds, and `casino_app`, who does the day's work.

casino_app reads and writes Django's tables and the read models. What it may do to the log (schema `log`), the log's
own migration says: run its functions and read it, nothing else.
"""

from typing import Any, Protocol

from casino.refusal import Refused
from casino.servers.postgres import APP


class Cursor(Protocol):
    """What is needed of a cursor; Django's and psycopg's both do."""

    def execute(self, query: Any, params: Any = ..., /) -> Any: ...
    def fetchone(self) -> Any: ...


GRANTS = f"""
REVOKE CREATE ON SCHEMA public FROM PUBLIC;
GRANT USAGE ON SCHEMA public TO {APP};
ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO {APP};
ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT USAGE, SELECT ON SEQUENCES TO {APP};

-- Only what is ours: an extension's views in the same schema belong to somebody else.
DO $$
DECLARE it record;
BEGIN
    FOR it IN
        SELECT c.oid::regclass AS name, c.relkind = 'S' AS is_sequence
        FROM pg_class c
        WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p', 'v', 'm', 'S')
          AND c.relowner = current_user::regrole
    LOOP
        IF it.is_sequence THEN
            EXECUTE format('GRANT USAGE, SELECT ON SEQUENCE %s TO {APP}', it.name);
        ELSE
            EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON TABLE %s TO {APP}', it.name);
        END IF;
    END LOOP;
    -- Which migrations ran is for the owner to say.
    IF to_regclass('public.django_migrations') IS NOT NULL THEN
        REVOKE INSERT, UPDATE, DELETE ON django_migrations FROM {APP};
    END IF;
END $$;
"""


def ensure_app_role(cursor: Cursor, login: str, password: str) -> None:
    """Make the role casino_app if it is missing, and let the application's `login` become it.

    `password` is used where `login` is casino_app itself. Raises Refused with the SQL for an administrator.
    """
    exists = _one(cursor, "SELECT count(*) FROM pg_roles WHERE rolname = %s", APP)
    is_member = login == APP or (exists and _one(cursor, "SELECT pg_has_role(%s, %s, 'MEMBER')", login, APP))
    wanted = [] if exists else creation(login, password)
    wanted += [] if is_member else [f'GRANT {APP} TO "{login}";']
    if not wanted:
        return
    may = _one(cursor, "SELECT rolsuper OR rolcreaterole FROM pg_roles WHERE rolname = current_user")
    if not may:
        hidden = "\n".join(line.replace(_literal(password), "'…'") for line in wanted)
        raise Refused(
            "role_missing",
            f"The role {APP} is missing, or {login} may not become it, and this log-in may not change roles. "
            f"An administrator of the database has to run:\n{hidden}",
        )
    for line in wanted:
        cursor.execute(line)


def creation(login: str, password: str) -> list[str]:
    """The SQL that makes casino_app; it logs in by itself only where `login` says so."""
    how = f"LOGIN PASSWORD {_literal(password)}" if login == APP else "NOLOGIN"
    return [
        f"CREATE ROLE {APP} {how};",
        f"ALTER ROLE {APP} SET idle_in_transaction_session_timeout = '10s';",
    ]


def grant(cursor: Cursor, database: str) -> None:
    """Give casino_app its rights in schema public, as the owner of what is in it."""
    cursor.execute(GRANTS)
    cursor.execute(f'GRANT CONNECT ON DATABASE "{database}" TO {APP};')
    cursor.execute(f'REVOKE TEMPORARY ON DATABASE "{database}" FROM PUBLIC;')


def warning(cursor: Cursor) -> str:
    """Why the application's connection could do more than casino_app may; empty when it can't.

    For the readiness page: the role that was logged in with comes back with a RESET ROLE.
    """
    cursor.execute(
        """
        SELECT session_user, r.rolsuper OR pg_has_role(session_user, d.datdba, 'MEMBER')
               OR has_schema_privilege(session_user, 'public', 'CREATE')
        FROM pg_roles r, pg_database d WHERE r.rolname = session_user AND d.datname = current_database()
        """
    )
    login, is_mighty = cursor.fetchone()
    if not is_mighty:
        return ""
    return (
        f"The application logs in to the database as {login}, who may change more than {APP}; it takes the role {APP} "
        "at connect. Set DATABASE_OWNER_URL for migrations, and log in with lesser rights by DATABASE_URL."
    )


def _literal(word: str) -> str:
    return "'" + word.replace("'", "''") + "'"


def _one(cursor: Cursor, query: str, *params: str) -> bool:
    cursor.execute(query, params)
    return bool(cursor.fetchone()[0])
