"""Limits announced at real tables: which rounds keep which, who plays, and what the floor shows."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from casino.commands.limits import announce_limits, occupied
from casino.commands.rounds import close_bets, open_round, place_wagers, record_cards, record_finished_round
from casino.commands.seats import leave_seat, seat_patron
from casino.commands.tables import close_table, latest_round, load_table, open_table, set_up_table
from casino.events import Limits
from casino.eventstore.follower import catch_up, followers
from casino.eventstore.rebuild import rebuild
from casino.games.game import CardEntry
from casino.models import TableBoard
from casino.queries.floor import limits_at
from casino.refusal import Refused
from casino.round.betting import Asked
from casino.round.state import Round
from tests.casino.commands.test_tables import CARDS, at, together
from tests.counts import counted

NOON = datetime(2025, 11, 29, 17, tzinfo=UTC)
LOWER, HIGHER = {"colour": Limits(100, 50_000)}, {"colour": Limits(1_000, 50_000)}


def minutes(n: int) -> datetime:
    return NOON + timedelta(minutes=n)


@pytest.fixture
def table(database: Any) -> str:
    set_up_table(at(NOON), "R-01", game="54-card-roulette", limits={"colour": Limits(500, 50_000)})
    open_table(at(NOON), "R-01", counted(100), "Ana Ortiz")
    return "R-01"


def last(code: str) -> Round:
    session = load_table(code).session
    assert session is not None
    found = latest_round(code, session.gaming_date)
    assert found is not None
    return found


def test_a_round_keeps_the_limits_of_its_opening_and_the_next_one_has_those_that_hold_by_then(table: str) -> None:
    seat_patron(at(minutes(1)), table, 2)
    announce_limits(at(minutes(2)), table, LOWER)
    open_round(at(minutes(31)), table)
    assert last(table).opened.limits == {"colour": Limits(500, 50_000)}
    close_bets(at(minutes(40)), last(table).id)
    record_cards(at(minutes(40)), last(table).id, [CardEntry(card) for card in CARDS])
    open_round(at(minutes(41)), table)
    assert last(table).opened.limits == LOWER


def test_somebody_plays_who_sits_or_has_lately_wagered(table: str) -> None:
    def somebody(n: int) -> bool:
        return occupied(load_table(table), minutes(n))

    assert not somebody(1)
    seat_patron(at(minutes(1)), table, 2)
    assert somebody(2)
    leave_seat(at(minutes(3)), table, 2)
    assert not somebody(4)
    record_finished_round(at(minutes(5)), table, [], CARDS)
    assert not somebody(6)
    record_finished_round(at(minutes(7)), table, [Asked(1, "colour:red", 500)], CARDS)
    assert somebody(16)
    assert not somebody(17)
    open_round(at(minutes(18)), table)
    place_wagers(at(minutes(19)), last(table).id, [Asked(1, "colour:red", 500)])
    assert somebody(59)


def test_nobody_plays_at_a_closed_table(table: str) -> None:
    seat_patron(at(minutes(1)), table, 2)
    close_table(at(minutes(2)), table, counted(100))
    assert announce_limits(at(minutes(3)), table, HIGHER).events[0].effective_at == minutes(3).isoformat()


def test_whoever_sits_down_meanwhile_has_the_announcement_decided_anew(table: str) -> None:
    for n in range(6):
        least = {"colour": Limits(501 + n, 50_000)}
        answers = together(
            lambda: seat_patron(at(minutes(1)), table, 2),
            lambda least=least: announce_limits(at(minutes(2)), table, least),  # type: ignore[misc]
        )
        assert answers in (["done", "done"], ["done", "minimum_raised"])
        announced = [one for one in load_table(table).table.announced if one.limits == least]
        assert [one.occupied for one in announced] == ([False] if answers[1] == "done" else [])
        leave_seat(at(minutes(3)), table, 2)


def test_limits_of_an_open_table_are_not_set_up_round_the_notice(table: str) -> None:
    with pytest.raises(Refused) as refusal:
        set_up_table(at(minutes(1)), table, game="54-card-roulette", limits=HIGHER)
    assert refusal.value.code == "table_open"
    set_up_table(at(minutes(1)), table, game="54-card-roulette", limits={"colour": Limits(500, 50_000)}, pit="P-1")
    close_table(at(minutes(2)), table, counted(100))
    set_up_table(at(minutes(3)), table, game="54-card-roulette", limits=HIGHER)


def test_the_floor_shows_the_limits_that_hold_and_a_rebuild_shows_the_same(table: str) -> None:
    def shown(n: int) -> Any:
        catch_up()
        return limits_at(TableBoard.objects.get(table_code=table), minutes(n))["colour"]["min_cents"]

    assert shown(1) == 500
    seat_patron(at(minutes(1)), table, 2)
    announce_limits(at(minutes(2)), table, LOWER)
    assert (shown(31), shown(32)) == (500, 100)
    announce_limits(at(minutes(3)), table, HIGHER, may_raise_minimum=True)
    assert (shown(32), shown(33)) == (100, 1_000)
    assert rebuild(followers()["board"], "owner", check=True, progress=lambda n: None) == []
    close_table(at(minutes(40)), table, counted(100))
    set_up_table(at(minutes(41)), table, game="54-card-roulette", limits={"colour": Limits(700, 50_000)})
    assert shown(60) == 700
    assert rebuild(followers()["board"], "owner", check=True, progress=lambda n: None) == []
