"""Attackers: what each role of the database tries against the log, and what it is refused."""

import contextlib

import psycopg
import pytest
from psycopg import errors

from casino.eventstore import store
from tests.casino.eventstore.notes import addition, append, order

RECORD = ("event", "command", "seal", "stream")
TABLES = (*RECORD, "due", "horizon")
CHANGES = {
    "event": "payload = payload || ' '",
    "command": "content = content || ' '",
    "seal": "count = count + 1",
    "stream": "version = version - 1",
    "due": "queue = 'other'",
    "horizon": "mark = mark + 1",
}
ON_A_TABLE = (
    "INSERT INTO log.{table} OVERRIDING SYSTEM VALUE SELECT * FROM log.{table}",
    "UPDATE log.{table} SET {change}",
    "DELETE FROM log.{table}",
    "TRUNCATE log.{table}",
    "TRUNCATE log.{table} RESTART IDENTITY CASCADE",
    "COPY log.{table} FROM STDIN",
    "MERGE INTO log.{table} t USING log.{table} s ON true WHEN MATCHED THEN DELETE",
    "SELECT * FROM log.{table} FOR UPDATE",
    "SELECT * FROM log.{table} FOR KEY SHARE",
    "LOCK TABLE log.{table} IN EXCLUSIVE MODE",
    "ALTER TABLE log.{table} ADD COLUMN more text",
    "ALTER TABLE log.{table} DISABLE TRIGGER ALL",
    "ALTER TABLE log.{table} OWNER TO casino_app",
    "ALTER TABLE log.{table} ENABLE ROW LEVEL SECURITY",
    "CREATE TRIGGER mine BEFORE INSERT ON log.{table} FOR EACH ROW EXECUTE FUNCTION log.refuse_change()",
    "CREATE RULE mine AS ON INSERT TO log.{table} DO INSTEAD NOTHING",
    "CREATE INDEX mine ON log.{table} ((1))",
    "GRANT ALL ON log.{table} TO casino_app",
    "DROP TABLE log.{table} CASCADE",
    "VACUUM FULL log.{table}",
    "COMMENT ON TABLE log.{table} IS 'mine'",
)
OUT_OF_THE_ROLE = (
    "SELECT setval('log.event_position', 1)",
    "SELECT nextval('log.event_position')",
    "ALTER SEQUENCE log.event_position RESTART",
    "DROP SEQUENCE log.event_position",
    "CREATE TABLE log.mine ()",
    "CREATE TABLE public.mine ()",
    "CREATE VIEW public.mine AS SELECT 1",
    "CREATE FUNCTION public.mine() RETURNS int LANGUAGE sql AS 'SELECT 1'",
    "CREATE FUNCTION log.mine() RETURNS int LANGUAGE sql AS 'SELECT 1'",
    "CREATE SCHEMA mine",
    "CREATE TEMPORARY TABLE event (position bigint)",
    "CREATE EXTENSION pg_stat_statements",
    "DROP SCHEMA log CASCADE",
    "ALTER SCHEMA log RENAME TO gone",
    "ALTER FUNCTION log.seal(int) SECURITY INVOKER",
    "DROP FUNCTION log.refuse_change() CASCADE",
    "CREATE OR REPLACE FUNCTION log.refuse_change() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END'",
    "SET session_replication_role = replica",
    "SET ROLE casino_owner",
    "SET ROLE postgres",
    "SET SESSION AUTHORIZATION postgres",
    "GRANT casino_owner TO casino_app",
    "ALTER ROLE casino_app SUPERUSER",
    "CREATE ROLE mine",
    "COPY (SELECT 1) TO PROGRAM 'true'",
    "COPY (SELECT 1) TO '/tmp/never'",
    "SELECT pg_read_file('PG_VERSION')",
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'postgres'",
    "ALTER SYSTEM SET fsync = off",
    "ALTER DATABASE {database} SET session_replication_role = replica",
    "INSERT INTO django_migrations (app, name, applied) VALUES ('eventstore', '0001_log', now())",
)


@pytest.fixture
def log(database):
    """A log with something in every table."""
    order("k", "content", addition("a", 0, "one", "two", due="settle"))
    append(addition("b", 0, "three"))
    store.run("SELECT log.advance_mark(3)")
    store.run("SELECT log.seal(10)")


@pytest.fixture
def contents(log, role_connection):
    """Every row of every table of the log, as text."""
    connection = role_connection("postgres")
    query = " UNION ALL ".join(f"SELECT '{table}', {table}::text FROM log.{table}" for table in TABLES)
    return lambda: sorted(connection.execute(query).fetchall())


@pytest.fixture
def app(log, role_connection) -> psycopg.Connection:
    return role_connection("casino_app")


@pytest.fixture(params=["casino_owner", "postgres"])
def mighty(log, role_connection, request) -> psycopg.Connection:
    """The owner, or a superuser."""
    return role_connection(request.param)


# ------------------------------------------------------------------------------------------------- the application


@pytest.mark.parametrize("table", TABLES)
def test_the_application_may_not_touch_a_table_of_the_log(app, contents, table):
    before = contents()
    attacks = [attack.format(table=table, change=CHANGES[table]) for attack in ON_A_TABLE]
    assert [attack for attack in attacks if not is_refused(app, attack)] == []
    assert contents() == before


def test_the_application_may_not_climb_out_of_its_role(app, contents, database):
    before = contents()
    attacks = [attack.format(database=database.name) for attack in OUT_OF_THE_ROLE]
    if app.info.user != "casino_app":  # a mighty log-in that took the role may leave it; the readiness page says so
        attacks = [attack for attack in attacks if not attack.startswith(("SET ROLE", "SET SESSION", "GRANT"))]
    assert [attack for attack in attacks if not is_refused(app, attack)] == []
    assert contents() == before


def is_refused(connection: psycopg.Connection, statement: str) -> bool:
    """Refused for want of rights. VACUUM and GRANT only warn that they do nothing."""
    warned: list[str] = []
    connection.add_notice_handler(lambda notice: warned.append(notice.message_primary or ""))
    try:
        with connection.transaction() if statement.startswith("LOCK") else contextlib.nullcontext():
            connection.execute(statement)
    except errors.InsufficientPrivilege:
        return True
    return any("no privileges were granted" in word or "vacuum" in word for word in warned)


def test_the_application_is_nobody_special(app):
    row = app.execute(
        """SELECT rolsuper, rolcreaterole, rolcreatedb, rolreplication, rolbypassrls,
                  (SELECT count(*) FROM pg_auth_members WHERE member = r.oid)
             FROM pg_roles r WHERE rolname = current_user"""
    ).fetchone()
    assert row == (False, False, False, False, False, 0)


def test_the_application_reads_the_whole_log_and_runs_its_functions_only(app):
    rights = app.execute(
        """SELECT c.relname, string_agg(p, ',' ORDER BY p) FROM pg_class c,
                  unnest(ARRAY['SELECT','INSERT','UPDATE','DELETE','TRUNCATE','REFERENCES','TRIGGER']) AS p
            WHERE c.relnamespace = 'log'::regnamespace AND c.relkind IN ('r', 'p', 'v')
              AND has_table_privilege(c.oid, p) GROUP BY 1"""
    ).fetchall()
    assert dict(rights) == dict.fromkeys(TABLES, "SELECT")
    assert app.execute(
        "SELECT has_schema_privilege('log', 'USAGE'), has_schema_privilege('log', 'CREATE')"
    ).fetchone() == (
        True,
        False,
    )


def test_nobody_else_may_run_the_functions_of_the_log(log, role_connection):
    open_to_all = role_connection("postgres").execute(
        """SELECT p.proname FROM pg_proc p, aclexplode(coalesce(p.proacl, acldefault('f', p.proowner))) AS a
            WHERE p.pronamespace = 'log'::regnamespace AND a.grantee = 0"""
    )
    assert open_to_all.fetchall() == []


def test_every_function_with_the_owners_rights_has_a_search_path_of_its_own(log, role_connection):
    found = (
        role_connection("postgres")
        .execute("SELECT proname, proconfig FROM pg_proc WHERE pronamespace = 'log'::regnamespace AND prosecdef")
        .fetchall()
    )
    assert len(found) >= 7
    assert [name for name, settings in found if "search_path=log, pg_temp" not in (settings or [])] == []


@pytest.mark.parametrize("function", ["log.refuse_change()", "log.refuse_rewind()"])
def test_trigger_functions_can_not_be_called(app, function):
    with pytest.raises(errors.FeatureNotSupported, match="can only be called as triggers"):
        app.execute(f"SELECT {function}")


@pytest.mark.parametrize("asked", [4, 1_000_000, 2**63 - 1, -5, 0, None])
def test_the_mark_goes_neither_beyond_the_last_position_nor_back(app, asked):
    assert app.execute("SELECT log.advance_mark(%s)", [asked]).fetchone() == (3,)
    assert app.execute("SELECT mark FROM log.horizon").fetchone() == (3,)


def test_the_mark_of_an_empty_log_can_not_be_pushed(database, role_connection):
    assert role_connection("casino_app").execute("SELECT log.advance_mark(1)").fetchone() == (0,)


@pytest.mark.parametrize("limit", [1, 10, 1_000_000])
def test_a_seal_is_only_made_for_events_that_are_not_sealed_and_lie_below_the_mark(app, contents, limit):
    append(addition("c"))
    before = contents()
    assert app.execute("SELECT log.seal(%s)", [limit]).fetchone() == (False,)
    assert contents() == before


def test_an_append_by_hand_can_not_put_an_event_before_others_or_backdate_its_recording(app):
    app.execute(
        """SELECT log.append('mallory', 'by hand', NULL, '{}', '{}', '{}', '{c}', '{0}', '{2026-11-29}', '{NULL}',
                             '{NULL}', '{NULL}', '{1}', '{test_noted}', '{1}', '{NULL}', '{0}', '{0}', '{0}', '{NULL}',
                             '{"{}"}', '{}', '{}', '{}', '{}')"""
    )
    row = app.execute(
        "SELECT position, recorded_at > now() - interval '1 minute' FROM log.event WHERE actor = 'mallory'"
    )
    assert row.fetchone() == (4, True)


def test_what_was_set_aside_and_retried_is_all_the_application_can_do_to_due_work(app):
    (row_id,) = app.execute("SELECT id FROM log.due").fetchone()
    app.execute("SELECT log.set_aside_due(%s, 'why')", [row_id])
    assert app.execute("SELECT error, set_aside_at IS NULL FROM log.due").fetchone() == ("why", False)
    assert app.execute("SELECT * FROM log.claim_due('settle', 10)").fetchall() == []
    app.execute("SELECT log.retry_due(%s)", [row_id])
    assert app.execute("SELECT * FROM log.claim_due('settle', 10)").fetchall() == [(row_id, "a")]


# ------------------------------------------------------------------------------------------------- the mighty


@pytest.mark.parametrize("table", RECORD)
def test_the_log_only_grows_for_the_mighty_too(mighty, contents, table):
    """Triggers stand in the way of an honest mistake; who switches them off is found out by verify."""
    before = contents()
    for session in ("origin", "local", "replica") if mighty.info.user == "postgres" else ("origin",):
        if session != "origin":
            mighty.execute(f"SET session_replication_role = {session}")
        for attack in (
            f"UPDATE log.{table} SET {CHANGES[table]}",
            f"DELETE FROM log.{table}",
            f"TRUNCATE log.{table}",
            f"TRUNCATE log.{table} CASCADE",
            f"MERGE INTO log.{table} t USING (SELECT 1) s ON true WHEN MATCHED THEN DELETE",
            f"WITH gone AS (DELETE FROM log.{table} RETURNING *) SELECT count(*) FROM gone",
        ):
            with pytest.raises(psycopg.Error) as refused:
                mighty.execute(attack)
            assert refused.value.sqlstate == "CL009"
    assert contents() == before


def test_a_change_through_a_view_or_a_rule_is_refused_all_the_same(mighty, contents):
    before = contents()
    with mighty.transaction(force_rollback=True):
        mighty.execute("CREATE VIEW public.mine AS SELECT * FROM log.event")
        for attack in ("UPDATE public.mine SET payload = '{}'", "DELETE FROM public.mine"):
            with pytest.raises(psycopg.Error) as refused, mighty.transaction():
                mighty.execute(attack)
            assert refused.value.sqlstate == "CL009"
    assert contents() == before


def test_a_head_row_does_not_turn_into_another(mighty, contents):
    before = contents()
    for change in ("key = key || 'x'", "gaming_date = gaming_date + 1", "version = version", "version = 1"):
        with pytest.raises(psycopg.Error, match="only moves forward"):
            mighty.execute(f"UPDATE log.stream SET {change} WHERE key = 'a'")
    with pytest.raises(errors.GeneratedAlways):
        mighty.execute("UPDATE log.stream SET id = id + 100")
    assert contents() == before


def test_the_triggers_stand_on_every_table_of_the_record_and_always_fire(log, role_connection):
    found = (
        role_connection("postgres")
        .execute(
            """SELECT c.relname, t.tgname, t.tgenabled FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
            WHERE c.relnamespace = 'log'::regnamespace AND NOT t.tgisinternal ORDER BY 1, 2"""
        )
        .fetchall()
    )
    grows = {"append_only", "never_emptied"}
    names = {
        "event": grows,
        "command": grows,
        "seal": grows,
        "stream": {"forward_only", "never_deleted", "never_emptied"},
    }
    assert {table: {name for where, name, _ in found if where == table} for table in RECORD} == names
    assert {enabled for _, _, enabled in found} == {"A"}
