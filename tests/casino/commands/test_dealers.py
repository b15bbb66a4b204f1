"""Dealers and decks at real tables: two floorpersons at once, rolls, closes and misdeals."""

from typing import Any

import pytest
from django.contrib.auth.models import Group, User

from casino.commands.dealers import put_on, relieve, take_off
from casino.commands.decks import move_deck
from casino.commands.rounds import declare_misdeal, open_round
from casino.commands.tables import close_table, latest_round, load_table, open_table, roll_table, set_up_table
from casino.commands.whereabouts import whereabouts
from casino.eventstore.follower import catch_up, followers
from casino.eventstore.rebuild import rebuild
from casino.models import TableBoard
from casino.refusal import Refused
from casino.table import Session
from tests.casino.commands.test_tables import order, together
from tests.counts import counted
from tests.played import SECOND

TABLES = ("R-01", "R-02")


@pytest.fixture
def floor(database: Any) -> None:
    """Two open tables; Dan and Finn are dealers, Ana is of the floor."""
    dealers, _ = Group.objects.get_or_create(name="dealer")
    for name in ("dan", "finn"):
        User.objects.create_user(name).groups.add(dealers)
    User.objects.create_user("ana").groups.add(Group.objects.get_or_create(name="floor")[0])
    for code in TABLES:
        set_up_table(order(), code, game="54-card-roulette")
        open_table(order(), code, counted(100), "Ana Ortiz")


def session(code: str) -> Session:
    found = load_table(code).session
    assert found is not None
    return found


def refused(code: str, deed: Any) -> None:
    with pytest.raises(Refused) as refusal:
        deed()
    assert refusal.value.code == code


@pytest.mark.usefixtures("floor")
def test_a_dealer_put_on_two_tables_at_once_is_at_one() -> None:
    for _ in range(4):
        answers = together(*(lambda code=code: put_on(order(), code, "dan") for code in TABLES))  # type: ignore[misc]
        assert sorted(answers) == ["dealer_elsewhere", "done"]
        there = whereabouts("dan").table
        assert there is not None
        assert [session(code).dealer for code in TABLES] == ["dan" if code == there else None for code in TABLES]
        take_off(order(), there)
        assert whereabouts("dan").table is None


@pytest.mark.usefixtures("floor")
def test_two_dealers_put_on_one_table_at_once_are_one() -> None:
    answers = together(*(lambda who=who: put_on(order(), "R-01", who) for who in ("dan", "finn")))  # type: ignore[misc]
    assert sorted(answers) == ["dealer_on_duty", "done"]


@pytest.mark.usefixtures("floor")
def test_whoever_is_relieved_is_free_for_another_table() -> None:
    put_on(order(), "R-01", "dan")
    refused("dealer_elsewhere", lambda: put_on(order(), "R-02", "dan"))
    relieve(order(), "R-01", "finn")
    put_on(order(), "R-02", "dan")
    assert (session("R-01").dealer, session("R-02").dealer) == ("finn", "dan")


@pytest.mark.usefixtures("floor")
def test_only_somebody_with_the_role_deals() -> None:
    for name in ("ana", "nobody", "d\0n", ""):
        refused("unknown_dealer", lambda name=name: put_on(order(), "R-01", name))


@pytest.mark.usefixtures("floor")
def test_a_roll_keeps_the_dealer_and_a_close_sets_the_dealer_free() -> None:
    put_on(order(), "R-01", "dan")
    roll_table(order(), "R-01", counted(100))
    assert (session("R-01").number, session("R-01").dealer, whereabouts("dan").table) == (2, "dan", "R-01")
    close_table(order(), "R-01", counted(100))
    assert whereabouts("dan").table is None
    put_on(order(), "R-02", "dan")


@pytest.mark.usefixtures("floor")
def test_a_table_that_is_closed_has_no_dealer() -> None:
    close_table(order(), "R-01", counted(100))
    refused("table_closed", lambda: put_on(order(), "R-01", "dan"))


@pytest.mark.usefixtures("floor")
def test_the_floor_shows_who_deals_and_a_rebuild_shows_the_same() -> None:
    def shown() -> str | None:
        catch_up()
        return TableBoard.objects.get(table_code="R-01").dealer

    assert shown() is None
    put_on(order(), "R-01", "dan")
    assert shown() == "dan"
    relieve(order(), "R-01", "finn")
    roll_table(order(), "R-01", counted(100))
    assert shown() == "finn"
    close_table(order(), "R-01", counted(100))
    assert shown() == ""
    assert rebuild(followers()["board"], "owner", check=True, progress=lambda n: None) == []


# ------------------------------------------------------------------------------------------------- decks


@pytest.mark.usefixtures("floor")
def test_after_a_misdeal_the_table_waits_for_a_deck_over_a_roll_and_a_close() -> None:
    move_deck(order(), "R-01", "red", "in", 54)
    open_round(order(), "R-01")
    latest = latest_round("R-01", session("R-01").gaming_date)
    assert latest is not None
    declare_misdeal(order(), latest.id, "Two kings of diamonds.", SECOND)
    refused("no_deck", lambda: open_round(order(), "R-01"))
    roll_table(order(), "R-01", counted(100))
    refused("no_deck", lambda: open_round(order(), "R-01"))
    close_table(order(), "R-01", counted(100))
    open_table(order(), "R-01", counted(100))
    refused("no_deck", lambda: open_round(order(), "R-01"))
    move_deck(order(), "R-01", "blue", "in", 54)
    open_round(order(), "R-01")


@pytest.mark.usefixtures("floor")
def test_a_misdeal_at_a_table_whose_decks_nobody_records_holds_nothing_up() -> None:
    open_round(order(), "R-01")
    latest = latest_round("R-01", session("R-01").gaming_date)
    assert latest is not None
    declare_misdeal(order(), latest.id, "Two kings of diamonds.", SECOND)
    open_round(order(), "R-01")
    assert session("R-01").decks == {}
