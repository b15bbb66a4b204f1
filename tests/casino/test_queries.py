"""What the floor's pages ask the read models and the log."""

from datetime import date, timedelta
from fractions import Fraction

import pytest
from django.db import connection
from django.utils import timezone

from casino.commands import rounds, tables
from casino.eventstore import history, store
from casino.eventstore.follower import Follower, stop_loudly
from casino.games.game import CardEntry
from casino.models import RoundBoard, TableBoard
from casino.queries import floor
from casino.queries import rounds as round_queries
from casino.queries import tables as table_queries
from casino.refusal import Refused
from casino.round.betting import Asked
from tests.counts import counted
from tests.played import Played

DAY = date(2026, 3, 4)


def red(seat: int) -> Asked:
    return Asked(seat, "colour:red", 500)


def tile(code: str) -> floor.Tile:
    return {one.code: one for one in floor.floor().tiles}[code]


def test_the_floor_has_every_table_that_is_set_up_open_ones_apart(played: Played) -> None:
    shown = floor.floor()
    assert [one.code for one in shown.open] == ["R-01"]
    assert [one.code for one in shown.closed] == ["R-02", "R-03"]
    assert shown.rounds == 5
    assert shown.totals == {"recorded_drop_cents": 80_000, "estimated_win_cents": -479_200 + 1_000}


def test_a_table_that_the_books_have_not_read_yet_adds_nothing_to_the_floors_totals() -> None:
    def tile_of(code: str, figures: dict) -> floor.Tile:
        board = TableBoard(table_code=code, is_open=True, seats=6, gaming_date=DAY)
        return floor.Tile(board, floor.Latest(None), DAY, timezone.now(), figures)

    known = {"recorded_drop_cents": 500, "estimated_win_cents": -20}
    read, unread = tile_of("R-01", known), tile_of("R-02", {"alerts": ["a"], "position": 7})
    assert floor.Floor([read, unread], DAY).totals == known
    assert floor.Floor([unread], DAY).totals is None


def test_a_tile_tells_the_last_round_and_the_seats_that_bet_in_it(played: Played) -> None:
    assert (tile("R-01").last.n, tile("R-01").last.status, tile("R-01").seats_taken) == (4, "open", 0)
    rounds.place_wagers(played.order(), played.round(4), [red(2), red(7)])
    played.read()
    assert tile("R-01").seats_taken == 2


def test_occupancy_is_of_the_seats_of_open_tables() -> None:  # P13: 6 tables with 6 seats, of which 18 are played
    def tile_of(code: int, taken: int) -> floor.Tile:
        board = TableBoard(table_code=f"R-{code:02}", is_open=taken >= 0, seats=6)
        last = RoundBoard(seats=2**taken - 1) if taken >= 0 else None
        return floor.Tile(board, floor.Latest(last), DAY, timezone.now(), {})

    shown = floor.Floor([*(tile_of(n, taken) for n, taken in enumerate((3, 6, 0, 4, 5, 0))), tile_of(7, -1)], DAY)
    assert (shown.seats_taken, shown.seats, shown.occupancy) == (18, 36, Fraction(1, 2))
    assert floor.Floor([tile_of(1, -1)], DAY).occupancy is None
    unplayed = floor.Tile(TableBoard(is_open=True, seats=6), floor.Latest(), DAY, timezone.now(), {})
    assert floor.Floor([unplayed], DAY).occupancy is None
    assert floor.Floor([unplayed, tile_of(2, 3)], DAY).occupancy == Fraction(1, 2)


def test_a_closed_or_unused_table_has_no_seats_taken_and_says_why_it_has_no_pace(played: Played) -> None:
    assert tile("R-02").seats_taken is None
    assert tile("R-02").no_pace == "the table is closed"
    assert tile("R-03").last is None
    assert tile("R-03").rounds == 0


def test_the_pace_is_told_after_ten_minutes_and_counts_the_session_only(played: Played) -> None:
    assert tile("R-01").an_hour is None
    assert tile("R-01").no_pace == "open 0 min; pace after 10 min"
    TableBoard.objects.filter(table_code="R-01").update(since=timezone.now() - timedelta(minutes=30))
    assert tile("R-01").an_hour == 8
    # The same day's second session: rounds of the first one don't count.
    TableBoard.objects.filter(table_code="R-01").update(session=2, since=timezone.now() - timedelta(minutes=20))
    with connection.cursor() as cursor:
        cursor.execute(
            "UPDATE board_round SET opened_at = now() - interval '1 hour' WHERE table_code = 'R-01' AND n < 3"
        )
    assert tile("R-01").an_hour == 6


def test_an_open_table_of_an_earlier_gaming_day_is_due_to_roll(played: Played) -> None:
    assert not tile("R-01").roll_is_due
    TableBoard.objects.update(gaming_date=played.day - timedelta(days=1))
    assert tile("R-01").roll_is_due
    assert not tile("R-02").roll_is_due


def test_the_floor_asks_as_many_questions_for_many_tables_as_for_few(played: Played, statements: list[str]) -> None:
    floor.floor()
    few, _ = len(statements), statements.clear()
    for number in range(10, 30):
        played.set_up(f"R-{number}")
        played.open(f"R-{number}", 1_000)
    played.read()
    statements.clear()
    assert len(floor.floor().tiles) == 23
    assert len(statements) == few == 9


def test_what_stands_still_raises_an_alert(played: Played) -> None:
    assert floor.alerts() == []
    stop_loudly(Follower("board", (), lambda *_: None), RuntimeError("no more"))
    (alert,) = floor.alerts()
    assert alert.sentence == "The follower board has stopped, so its figures stand still."
    assert alert.reason == "RuntimeError: no more"


def test_a_mark_that_lags_is_told_with_its_seconds(played: Played, monkeypatch: pytest.MonkeyPatch) -> None:
    tables.buy_in(played.order(), "R-01", 100)
    monkeypatch.setattr(floor, "MARK_LAG_SECONDS", -1)
    assert [one.sentence for one in floor.alerts()] == ["The pages are 0 s behind the log."]
    played.read()
    assert floor.alerts() == []


def test_a_settlement_that_is_set_aside_names_its_round(played: Played) -> None:
    rounds.place_wagers(played.order(), played.round(4), [red(1)])
    rounds.close_bets(played.order(), played.round(4))
    rounds.record_cards(played.order(), played.round(4), [CardEntry(card) for card in ("As", "Kd", "9c", "4h", "2s")])
    store.run("SELECT log.set_aside_due(id, 'ValueError: odd') FROM log.due")
    played.read()
    (alert,) = floor.alerts()
    assert alert.round_id == played.round(4)
    assert alert.reason == "ValueError: odd"


def test_rounds_of_a_table_come_newest_first_and_page_by_page(played: Played, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table_queries, "ROUNDS_A_PAGE", 3)
    first = table_queries.rounds_of("R-01")
    second = table_queries.rounds_of("R-01", first.older)
    assert [one.n for one in first.rounds] == [4, 3, 2]
    assert [one.n for one in second.rounds] == [1]
    assert second.older == ""


@pytest.mark.parametrize("cursor", ["x", "2026-11-29", "2026-13-01:4", "2026-11-29:x", ":"])
def test_an_odd_cursor_is_a_value_error(played: Played, cursor: str) -> None:
    with pytest.raises(ValueError):
        table_queries.rounds_of("R-01", cursor)


def test_a_huge_round_number_in_a_cursor_does_no_harm(played: Played) -> None:
    assert len(table_queries.rounds_of("R-01", f"{played.day}:{10**30}").rounds) == 4


@pytest.mark.parametrize("code", ["R-99", "r-01", "", "R-01\0", "X" * 5_000])
def test_an_unknown_table_is_refused(played: Played, code: str) -> None:
    with pytest.raises(Refused, match="There is no table"):
        floor.tile(code)


def test_the_set_up_names_the_player_advantage_and_who_acknowledged_it(played: Played) -> None:
    set_up = table_queries.set_up_of("R-01")
    assert [(odds.wager, str(-odds.house_edge)) for odds in set_up.advantages] == [("split_rank", "1/27")]
    assert [known.content["name"] for known in set_up.acknowledged] == ["Ana Ortiz"]
    assert table_queries.set_up_of("R-03").acknowledged == []
    assert table_queries.set_up_of("R-99") is None


def test_the_win_line_runs_through_every_settled_round(played: Played) -> None:
    line = table_queries.win_line("R-01", played.day)
    assert (line.low_cents, line.high_cents, line.last_cents, line.rounds) == (-479_200, 600, -479_200, 4)
    assert table_queries.win_line("R-03", played.day) is None
    assert table_queries.win_line("R-03", None) is None


def test_buy_ins_come_newest_first(played: Played) -> None:
    found = table_queries.buy_ins(floor.tile("R-01").board)
    assert [(one.in_cents, one.seat) for one in found] == [(20_000, 2), (50_000, 1)]
    assert table_queries.buy_ins(floor.tile("R-03").board) == []


def test_a_round_shows_its_cards_in_place_with_the_roulette_card_marked(played: Played) -> None:
    shown = round_queries.round_page(played.round(2))
    assert [spot.card for spot in shown.spots] == ["9h", "Th", "Jh", "X1", "Qh"]
    assert [spot.mark for spot in shown.spots] == ["", "Roulette Card", "", "", ""]
    assert shown.round.hand.shown["roulette_card"] == "Th"
    assert shown.result_cents == -479_800


def test_a_card_that_nobody_saw_is_shown_by_its_back(played: Played) -> None:
    shown = round_queries.round_page(played.round(3))
    assert [(spot.is_up, spot.card) for spot in shown.spots] == [(False, None), (True, "Kd"), (False, None)]
    assert shown.misdeal["card"] == "Kd"
    assert shown.result_cents == 0


def test_a_drawn_position_marks_the_roulette_card_before_it_is_turned(played: Played) -> None:
    tables.set_up_table(played.order(), "R-04", game="54-card-roulette", method="drawn_position")
    tables.open_table(played.order(), "R-04", counted(1_000), acknowledged_by="Ana Ortiz")
    rounds.open_round(played.order(), "R-04")
    rounds.close_bets(played.order(), played.round(1, "R-04"))
    rounds.draw_position(played.order(), played.round(1, "R-04"), 4)
    rounds.record_cards(played.order(), played.round(1, "R-04"), [CardEntry(None)] * 5)
    shown = round_queries.round_page(played.round(1, "R-04"))
    assert [spot.mark for spot in shown.spots] == ["", "", "", "Roulette Card", ""]


def test_a_round_knows_its_neighbours(played: Played) -> None:
    assert round_queries.round_page(played.round(1)).others == (None, 2)
    assert round_queries.round_page(played.round(4)).others == (3, None)


def test_the_events_of_a_round_carry_the_bytes_that_were_hashed(played: Played) -> None:
    entries = round_queries.round_page(played.round(1)).entries
    assert [entry.version for entry in entries] == list(range(1, len(entries) + 1))
    assert all(len(entry.hash) == 32 and entry.payload.startswith("{") for entry in entries)
    assert history.of_stream(entries[0].key, after_version=2, limit=1) == [entries[2]]
