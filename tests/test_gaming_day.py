"""A whole gaming day, then the proof: an auditor that reads nothing but the raw events must find every figure."""

import json
from collections import defaultdict
from datetime import UTC, date, datetime
from typing import Any

import pytest
from django.core.management import call_command

from casino.eventstore.follower import catch_up, followers
from casino.eventstore.rebuild import rebuild
from casino.eventstore.verify import verify
from casino.games.fifty_four_card_roulette import counts, odds
from casino.queries.patrons import ratings_of
from casino.table import gaming_date_of
from jackpot.models import Link
from ledger.floor import codes, prepare_floor
from ledger.management.commands.demo_property import close_day
from ledger.management.commands.simulate import finish, play_batch
from ledger.models import TablePeriod
from ledger.queries.days import rows_of
from ledger.queries.luck import luck_of
from ledger.simulate import SimulatedTable, simulated
from ledger.tasks import deal_again

TABLES, ROUNDS = 4, 120


def now() -> datetime:
    return datetime.now(UTC)


@pytest.fixture
def played_day(database: Any, redis_url: str) -> date:
    """Four tables opened, played, closed and counted; one tray and one box are a little off."""
    from zoneinfo import ZoneInfo

    from django.conf import settings

    prepare_floor(codes(TABLES, "R"), now())
    floor = [simulated(code, 7, now) for code in codes(TABLES, "R")]
    for table in floor:
        table.open()
    play_batch(floor, ROUNDS)
    hit(floor[0])
    finish()
    day = gaming_date_of(now(), ZoneInfo(settings.TIME_ZONE), settings.CASINO_ROLLOVER_HOUR)
    close_day(floor, day)
    catch_up()
    return day


def hit(table: SimulatedTable) -> None:
    """A straight flush for three progressive players, which chance would give once in 5,857 rounds."""
    from casino.commands.rounds import record_finished_round
    from casino.round.betting import Asked

    asked = [Asked(seat, "progressive", 100) for seat in (1, 2, 3)] + [Asked(1, "straight_flush", 100)]
    record_finished_round(table.order(), table.code, asked, ["9d", "8d", "7d", "6d", "X1"], progressive_count=3)


def raw_events(database: Any) -> list[tuple[str, str | None, dict[str, Any], int]]:
    """Type, table, payload, position: straight from the log, by no code of ours."""
    with database.connect("postgres") as connection:
        query = "SELECT type, table_code, payload, position FROM log.event ORDER BY position"
        return [(t, code, json.loads(p), n) for t, code, p, n in connection.execute(query)]


def audited(events: list[tuple[str, str | None, dict[str, Any], int]]) -> dict[str, dict[str, int]]:
    """Opener, drop, chips to and from the cage, result, closer and count a table, added up line by line."""
    books: dict[str, dict[str, int]] = defaultdict(lambda: defaultdict(int))
    for kind, table, payload, _ in events:
        book = books[table or ""]
        match kind:
            case "table_opened":
                book["opener"] += payload["opener_cents"]
            case "table_closed":
                book["closer"] += payload["closer_cents"]
            case "cash_bought_in" | "counter_check_issued":
                book["dropped"] += payload["amount_cents"]
            case "pit_redemption_taken":
                book["dropped"] += payload["cash_cents"]
                book["redeemed"] += payload["chips_cents"] + payload["cash_cents"]
            case "fill_received":
                book["chips from the cage"] += payload["total_cents"]
            case "credit_removed":
                book["chips from the cage"] -= payload["total_cents"]
            case "drop_counted":
                book["drop"] += payload["counted_cents"]
            case "progressive_collected":
                book["result"] += payload["stake_cents"] * len(payload["seats"])
            case "round_voided" if payload["progressive"]:
                book["result"] -= payload["progressive"]["stake_cents"] * len(payload["progressive"]["seats"])
            case "wagers_settled":
                book["result"] += sum(line["stake_cents"] - line["returned_cents"] for line in payload["lines"])
    return books


def test_every_figure_of_the_day_is_found_by_an_auditor_who_reads_only_events(played_day: date, database: Any) -> None:
    books = audited(raw_events(database))
    rows, _ = rows_of(played_day)
    assert len(rows) == TABLES
    for row in rows:
        result, book = row.result, books[row.table]
        assert result.facts.recorded_drop == book["dropped"]
        assert result.facts.game_result == book["result"]
        tray = book["opener"] + book["chips from the cage"] - book["dropped"] + book["redeemed"] + book["result"]
        assert result.expected_tray == tray
        moved = book["opener"] + book["chips from the cage"] + book["redeemed"]
        assert result.win == book["closer"] + book["drop"] - moved
        assert result.variance == result.box_variance + result.tray_variance


def test_the_variances_that_were_planted_are_located_in_box_and_tray(played_day: date) -> None:
    results = [row.result for row in rows_of(played_day)[0]]
    assert sorted(result.box_variance for result in results) == [0, 0, 0, 10_000]
    assert sorted(result.tray_variance for result in results) == [-2_500, 0, 0, 0]


def test_the_meter_is_what_raw_contributions_and_hits_make_it(played_day: date, database: Any) -> None:
    events = raw_events(database)
    stakes = sum(p["stake_cents"] * len(p["seats"]) for kind, _, p, _ in events if kind == "progressive_collected")
    voids = [p["progressive"] for kind, _, p, _ in events if kind == "round_voided" and p["progressive"]]
    stakes -= sum(p["stake_cents"] * len(p["seats"]) for p in voids)
    hits = [p for kind, _, p, _ in events if kind == "jackpot_hit"]
    link = Link.objects.get()
    assert len(hits) >= 1
    main = 500_000 * 10_000 + stakes * 6_500 - sum(h["share_cents"] * h["players"] for h in hits) * 10_000
    main += sum(h["after_micros"] - h["left_micros"] for h in hits)
    assert link.main_micros == main
    assert link.reserve_micros == stakes * 1_000 - sum(h["from_reserve_micros"] for h in hits)
    assert hits[0]["share_cents"] * 3 + hits[0]["remainder_cents"] == hits[0]["amount_cents"]


def test_what_was_built_live_equals_what_is_rebuilt_and_the_log_verifies(played_day: date, database: Any) -> None:
    for follower in followers().values():
        assert rebuild(follower, "owner", check=True, progress=lambda n: None) == []
    with database.connect("casino_app") as connection:
        verdict = verify(connection)
    assert verdict.faults == []
    assert verdict.sealed_to == max(position for *_, position in raw_events(database))


def test_every_round_is_settled_exactly_once_and_every_wager_in_one_line(played_day: date, database: Any) -> None:
    with database.connect("postgres") as connection:
        rows = connection.execute(
            """SELECT s.key, array_agg(e.type ORDER BY e.version), array_agg(e.payload ORDER BY e.version)
                 FROM log.event e JOIN log.stream s ON s.id = e.stream_id WHERE e.round_no IS NOT NULL GROUP BY s.key"""
        ).fetchall()
    assert len(rows) > ROUNDS
    for key, kinds, payloads in rows:
        if "round_voided" in kinds:
            continue
        assert kinds.count("round_settled") == 1, key
        bodies = list(zip(kinds, map(json.loads, payloads), strict=True))
        placed = {p["number"] for kind, p in bodies if kind == "wager_placed" and p["wager"] != "progressive"}
        gone = {p["number"] for kind, p in bodies if kind == "wager_withdrawn"}
        lines = [line["number"] for kind, p in bodies if kind == "wagers_settled" for line in p["lines"]]
        assert sorted(lines) == sorted(placed - gone), key


def test_ratings_are_what_the_raw_events_make_them(played_day: date, database: Any) -> None:
    """Seat by seat and wager by wager, in Python, from nothing but payloads in log order."""
    patrons: dict[str, dict[str, int]] = {}
    decisions: dict[int, set[str]] = defaultdict(set)
    stakes: dict[int, int] = defaultdict(int)
    results: dict[int, int] = defaultdict(int)
    bought: dict[int, int] = defaultdict(int)
    for key, kind, p in events_by_stream(database):
        if kind == "round_opened":
            patrons[key] = dict(p.get("patrons", {}))
        elif kind == "round_seat_changed":
            patrons[key][str(p["seat"])] = p["patron_id"]
        elif kind == "cash_bought_in" and p.get("patron_id"):
            bought[p["patron_id"]] += p["amount_cents"]
        elif kind == "wagers_settled":
            for line in p["lines"]:
                if patron := patrons[key].get(str(line["seat"])):
                    decisions[patron].add(key)
                    stakes[patron] += line["stake_cents"]
                    results[patron] += line["stake_cents"] - line["returned_cents"]
    assert len(decisions) >= 4
    for patron in {*decisions, *bought}:
        found = ratings_of(patron)
        assert sum(one.decisions for one in found) == len(decisions[patron])
        assert sum(one.handle_cents for one in found) == stakes[patron]
        assert sum(one.actual_cents or 0 for one in found) == results[patron]
        assert sum(one.visit.bought_in_cents for one in found if one.visit) == bought[patron]


def events_by_stream(database: Any) -> list[tuple[str, str, Any]]:
    with database.connect("postgres") as connection:
        rows = connection.execute(
            """SELECT s.key, e.type, e.payload FROM log.event e JOIN log.stream s ON s.id = e.stream_id
                ORDER BY e.position"""
        ).fetchall()
    return [(key, kind, json.loads(payload)) for key, kind, payload in rows]


def test_luck_is_what_every_pair_of_raw_wagers_makes_it(played_day: date, database: Any) -> None:
    """G, T and V of each table, wager by wager and pair by pair; then the day is dealt again and ranked."""
    stakes: dict[str, dict[str, dict[str, int]]] = defaultdict(lambda: defaultdict(lambda: defaultdict(int)))
    results: dict[str, int] = defaultdict(int)
    for key, kind, p in events_by_stream(database):
        if kind == "wagers_settled":
            table = key.split("/")[2]
            for line in p["lines"]:
                stakes[table][key][line["wager"]] += line["stake_cents"]
                results[table] += line["stake_cents"] - line["returned_cents"]
    edges = {one.wager: one.house_edge for one in odds.rows("printed", counts.shipped())}
    deal_again()
    luck = luck_of(played_day)
    assert len(luck) == len(stakes) == TABLES
    for table, rounds in stakes.items():
        found = luck[table]
        assert found.played.result_cents == results[table]
        wagers = [(code, cents) for of_round in rounds.values() for code, cents in of_round.items()]
        assert found.played.theo == sum(cents * edges[code.partition(":")[0]] for code, cents in wagers)
        variances = (odds.variance(of_round, "printed", counts.shipped()) for of_round in rounds.values())
        assert found.played.variance == sum(variances)
        assert found.replayed is not None
        assert found.replayed.rounds == found.played.rounds
        assert found.chance is not None


def test_a_second_simulation_with_the_same_seed_plays_on(database: Any, redis_url: str, capsys: Any) -> None:
    for _ in range(2):
        call_command("simulate", "--tables", "2", "--rounds", "10", "--seed", "3")
    assert "10 rounds at 2 tables" in capsys.readouterr().out
    assert sum(day.rounds_settled for day in TablePeriod.objects.all()) == 20
