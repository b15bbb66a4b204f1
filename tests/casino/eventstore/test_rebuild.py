"""Read models are what the log says: rebuilt they come out equal, a hand-altered row is found, and mended."""

import io
import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import psycopg
import pytest
from django.core.management import call_command
from django.db import connections
from django.utils import timezone

from casino.alerts import Finding
from casino.approval import Approval
from casino.commands import rounds, settlement
from casino.commands.alerts import raise_or_end
from casino.commands.cash import file_report, merge_patron
from casino.commands.imports import import_rounds, read_line
from casino.commands.patrons import make_patron
from casino.commands.seats import seat_patron
from casino.commands.slips import request_transfer
from casino.eventstore.follower import catch_up, followers, position_of, step
from casino.eventstore.rebuild import compare, held, rebuild, shadow
from casino.games.game import CardEntry
from casino.refusal import Refused
from casino.round.betting import Asked
from casino.slips import Person
from jackpot.commands.links import join_table
from ledger.commands.boxes import collect_boxes
from ledger.commands.cage import sell_chips
from ledger.commands.closing import close_day
from ledger.commands.count import open_count
from ledger.commands.filing import file_closed_days
from ledger.commands.investigations import open_investigation
from ledger.investigation import Subject, Variances
from ledger.tasks import balance_at
from tests.played import NOTHING, Played

ALTERED = {
    "board_round": "stakes_cents = stakes_cents + 1",
    "board_table": "seats = seats + 1",
    "board_seat": "seat = seat + 1",
    "patron_visit": "sat_micros = sat_micros + 1",
    "patron_play": "decisions = decisions + 1",
    "patron_stake": "stakes_cents = stakes_cents + 1",
    "dealer_error": "paid_cents = paid_cents + 1",
    "table_period": "cash_cents = cash_cents + 1",
    "table_hour": "win_cents = win_cents + 1",
    "box": "counted_cents = counted_cents + 1",
    "drop_box": "counted_cents = counted_cents + 1",
    "box_paper": "finding = 'missing'",
    "drop_count": "boxes = boxes + 1",
    "cage_entry": "cash_cents = cash_cents + 1",
    "cage_chip": "derived_cents = derived_cents + 1",
    "jackpot_link": "main_micros = main_micros + 1",
    "jackpot_linked_table": "table_code = 'R-09'",
    "jackpot_hit": "amount_cents = amount_cents + 1",
    "jackpot_share": "seat = seat + 10",
    "jackpot_turn": "after_micros = after_micros + 1",
    "jackpot_flow": "stakes_cents = stakes_cents + 1",
    "jackpot_day_line": "micros = micros + 1",
    "luck_hour": "theo_numerator = theo_numerator + 1",
    "journal_entry": "session = 9",
    "journal_line": "micros = micros + 1",
    "journal_sum": "debit_micros = debit_micros + 1",
    "journal_tray": "micros = micros + 1",
    "journal_session": "first_round = first_round + 1",
    "journal_box": "paper_cents = paper_cents + 1",
    "journal_meter": "state = state || ' '",
    "journal_hit": "is_recorded = NOT is_recorded",
    "slip": "total_cents = total_cents + 1",
    "alert": "sentence = sentence || '!'",
    "incident": "round_no = round_no + 1",
    "cash_transaction": "amount_cents = amount_cents + 1",
    "patron_merge": "into_id = into_id + 1",
    "currency_report": "amount_cents = amount_cents + 1",
    "large_payout": "winnings_cents = winnings_cents + 1",
    "day_close": "cut = cut + 1",
    "filed_total": "handle = handle + 1",
    "late_fact": "table_code = 'R-09'",
    "investigation": "assignee = 'otto'",
    "jackpot_between": "stakes_cents = stakes_cents + 1",
}
ALWAYS = "SELECT tgname FROM pg_trigger WHERE tgrelid = %s::regclass AND NOT tgisinternal"
TABLES = [(follower, table) for follower in followers().values() for table in follower.tables]


@pytest.fixture
def played(database) -> Played:
    """The floor that was played, and a rated patron who sat down in the round that took bets and played it."""
    floor = Played().play()
    seat_patron(floor.order(), "R-01", 5, make_patron(floor.order(), "Mireille Okonjo").patron.pk)
    rounds.place_wagers(floor.order(), floor.round(4), [Asked(5, "colour:red", 500)])
    rounds.close_bets(floor.order(), floor.round(4))
    rounds.record_cards(floor.order(), floor.round(4), [CardEntry(card) for card in NOTHING])
    floor.read()
    return floor


def rebuilt(*options: str) -> tuple[int, str]:
    """The exit status and the words of `manage.py rebuild`."""
    words = io.StringIO()
    try:
        call_command("rebuild", *options, stdout=words)
    except SystemExit as ended:
        return int(ended.code or 0), words.getvalue()
    return 0, words.getvalue()


@pytest.fixture
def rows(played, role_connection) -> Callable[[str], list[str]]:
    """What a table holds, as text; a box is counted, a dealer has paid too much, so that no table is empty."""
    played.count(9_900)
    _count_room_and_cage(played)
    _papers_and_people(played)
    rounds.record_payout(played.order(), played.round(1), 1, 1_500)
    _round_of_before_the_hit(played)
    _closed_day(played)
    connection = role_connection("postgres")
    return lambda table: sorted(row[0] for row in connection.execute(f"SELECT {table}::text FROM {table}"))


def _count_room_and_cage(played: Played) -> None:
    """A box collected, a count of it begun, chips sold."""
    collect_boxes(played.order("sam"), played.day, ["R-02/1"], ["Ben", "Cleo"])
    team = [Person(name, frozenset({"count_team"})) for name in ("tess", "tom", "tia")]
    open_count(played.order("tess"), played.day, [], team)
    sell_chips(played.order("cara"), {"2500": 5_000})


def _papers_and_people(played: Played) -> None:
    """A fill asked for, a miscount, an alert, a description that was somebody, a report filed."""
    request_transfer(played.order(), "R-01", "fill", {"500": 50_000}, Person("ana", frozenset({"floor"})))
    rounds.open_round(played.order(), "R-01")
    rounds.place_wagers(played.order(), played.round(5), [Asked(6, "progressive", 100)])
    rounds.close_bets(played.order(), played.round(5))
    with pytest.raises(Refused):
        rounds.collect_progressive(played.order(), played.round(5), 3)
    settlement.settle_due()
    described = make_patron(played.order(), "tall, grey coat", is_described=True).patron.pk
    known = make_patron(played.order(), "Ida Roe").patron.pk
    merge_patron(played.order(), described, known, "passport")
    file_report(played.order(), played.day, known, "in", 1_000_001, "CTR-1")
    finding = Finding("roll_due", "R-01", "R-01", "R-01 is to be rolled.")
    raise_or_end(timezone.now(), played.day, "roll_due", "R-01", finding)


def _round_of_before_the_hit(played: Played) -> None:
    """A feed's round at another table of the link, played before the link's hit and known after it."""
    played.set_up("R-04")
    played.open("R-04", 1_000_000)
    join_table(played.order(), "grand", "R-04")
    line = {
        "source": "shoe-1", "source_round": "1", "table": "R-04", "progressive_count": 1, "cards": NOTHING,
        "occurred_at": (datetime.now(UTC) - timedelta(hours=1)).isoformat(),
        "wagers": [{"seat": 1, "wager": "progressive", "stake_cents": 100}],
    }  # fmt: skip
    (outcome,) = import_rounds([read_line(json.dumps(line).encode())])
    assert outcome.word == "new", outcome.refusal
    played.read()


def _closed_day(played: Played) -> None:
    """The day closed over what is open and filed; a box looked into, and a payout put on record late."""
    close_day(played.order("ben"), played.day, "The demo of a day.", Approval("ben", "bea"))
    played.read()
    assert file_closed_days(datetime.now(UTC), balance_at) == 1
    open_investigation(
        played.order("ben"), Subject("R-02", played.day, 0), Variances(-100, -500), "sue", "A dollar is missing."
    )
    rounds.record_payout(played.order(), played.round(1), 2, 100)
    played.read()


def test_every_read_model_is_equal_to_what_the_log_makes_of_it(played, rows):
    assert all(rows(table) for _, table in TABLES)
    status, words = rebuilt("--check")
    assert status == 0
    assert [line.split(":")[1].strip().split(" (")[0] for line in words.splitlines()] == ["equal to the log"] * len(
        followers()
    )


@pytest.mark.parametrize("size", [1, 7, 5000])
def test_batches_of_any_size_give_the_same_rows(played, size):
    for follower in followers().values():
        with shadow(follower, "owner"), connections["owner"].cursor() as cursor:
            last = position_of(follower.name)
            for after in range(0, last, size):
                follower.apply(cursor, after, min(after + size, last))
            assert compare(follower, "owner") == []


@pytest.mark.parametrize(("follower", "table"), TABLES, ids=lambda value: value if isinstance(value, str) else "")
def test_a_row_altered_taken_out_or_put_in_by_hand_is_found_and_mended(rows, role_connection, follower, table):
    attacker = role_connection("postgres")
    attacker.execute("SET session_replication_role = replica")  # a row may be taken out from under its foreign keys
    right = rows(table)
    one = f"ctid = (SELECT min(ctid) FROM {table})"
    for change in (
        f"UPDATE {table} SET {ALTERED[table]} WHERE {one}",
        f"DELETE FROM {table} WHERE {one}",
        f"DELETE FROM {table}",
    ):
        _by_hand(attacker, table, change)
        wrong = rows(table)
        status, words = rebuilt("--check", "--follower", follower.name)
        assert status == 1
        assert f"{table}: " in words
        assert f"{follower.name}: DIFFERS" in words
        assert rows(table) == wrong
        status, words = rebuilt("--follower", follower.name)
        assert (status, rows(table)) == (0, right)
        assert f"{follower.name}: mended" in words
    assert rebuilt("--check")[0] == 0


def _by_hand(attacker: psycopg.Connection[Any], table: str, change: str) -> None:
    """As a superuser does who takes a table's guards away for a moment."""
    attacker.execute(f"ALTER TABLE {table} DISABLE TRIGGER ALL")
    attacker.execute(change)
    attacker.execute(f"ALTER TABLE {table} ENABLE TRIGGER ALL")
    for (trigger,) in attacker.execute(ALWAYS, [table]).fetchall():
        attacker.execute(f"ALTER TABLE {table} ENABLE ALWAYS TRIGGER {trigger}")


def test_an_event_counted_twice_is_found(played, role_connection):
    """As a follower would that lost its place."""
    rounds.record_payout(played.order(), played.round(1), 1, 1_500)
    played.read()
    role_connection("casino_app").execute("UPDATE checkpoint SET position = position - 1 WHERE name = 'books'")
    catch_up()
    status, words = rebuilt("--check")
    assert status == 1
    assert "table_period: 1 rows only live, 1 only rebuilt" in words


def test_a_check_beside_a_live_floor_finds_nothing(played, at_once):
    """Rounds are played and followed while the models are rebuilt and compared at the follower's place."""
    found = []

    def play() -> None:
        played.open("R-03", 1_000_000)
        for _ in range(10):
            played.finish("R-03", [Asked(1, "colour:red", 500)])
            settlement.settle_due()

    def follow() -> None:
        for _ in range(6):
            catch_up(timeout_s=30)

    def check() -> None:
        for follower in followers().values():
            found.extend(rebuild(follower, "owner", check=True, progress=lambda n: None))

    at_once(play, follow, check)
    assert found == []


def test_while_it_compares_the_live_follower_stands_still_and_then_goes_on(played):
    follower = followers()["board"]
    played.set_up("R-07")
    with held(follower, "owner"):
        catch_up_mark_only()
        assert not step(follower)
    assert step(follower)


def catch_up_mark_only() -> None:
    from casino.eventstore.horizon import Keeper

    own = connections.create_connection("default")
    own.ensure_connection()
    keeper = Keeper(own.connection)
    while keeper.poll() < keeper.last_position():
        pass
    own.close()


def test_two_rebuilds_at_once_are_refused(played, role_connection):
    other = role_connection("casino_owner")
    other.execute("SELECT pg_advisory_lock(hashtext('rebuild_books'))")
    with pytest.raises(Refused, match="Another rebuild is running"):
        rebuilt("--check")
    other.execute("SELECT pg_advisory_unlock(hashtext('rebuild_books'))")
    assert rebuilt("--check")[0] == 0


def test_a_rebuild_that_was_killed_leaves_nothing_in_the_way(played, role_connection):
    owner = role_connection("casino_owner")
    owner.execute("CREATE SCHEMA rebuild_board")
    owner.execute("CREATE TABLE rebuild_board.board_round (left_over int)")
    assert rebuilt("--check")[0] == 0
    assert owner.execute("SELECT count(*) FROM pg_namespace WHERE nspname LIKE 'rebuild%'").fetchone() == (0,)


def test_an_empty_log_rebuilds_to_nothing(database):
    assert rebuilt("--check")[0] == 0
    assert rebuilt()[0] == 0


def test_the_whole_of_the_read_models_can_be_made_anew(played: Played, rows, role_connection):
    right = {table: rows(table) for _, table in TABLES}
    with role_connection("casino_app", autocommit=False) as application:
        for _, table in TABLES:
            application.execute(f"DELETE FROM {table}")
    assert rebuilt()[0] == 0
    assert {table: rows(table) for _, table in TABLES} == right
