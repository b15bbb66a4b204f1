"""Rated guests of the simulated floor, and the seats that an interrupted run leaves behind."""

from datetime import UTC, datetime
from typing import Any

from casino.commands import tables
from casino.commands.order import Order
from casino.commands.patrons import erase_patron, rename_patron
from casino.models import Patron
from ledger.floor import prepare_floor
from ledger.guests import GUESTS, guests_of
from ledger.simulate import simulated


def now() -> datetime:
    return datetime.now(UTC)


def order(key: str) -> Order:
    return Order("ana", key, now())


def test_guests_are_made_once_two_a_table_and_none_where_the_names_end(database: Any) -> None:
    first = guests_of("R-01", now())
    assert guests_of("R-01", now()) == first
    assert [Patron.objects.get(pk=pk).name for pk in first] == list(GUESTS[:2])
    assert len(guests_of("R-12", now())) == 2
    assert guests_of("R-13", now()) == guests_of("R-00", now()) == guests_of("SALON", now()) == []
    assert len(set(GUESTS)) == len(GUESTS) == 24


def test_a_renamed_guest_still_comes_and_an_erased_one_does_not(database: Any) -> None:
    one, other = guests_of("R-01", now())
    rename_patron(order("a"), one, "Somebody Else")
    erase_patron(order("b"), other)
    assert guests_of("R-01", now()) == [one]
    assert Patron.objects.count() == 2


def test_every_player_sits_at_a_seat_and_a_run_begun_anew_frees_what_the_last_one_left(database: Any) -> None:
    prepare_floor(["R-01"], now())
    table = simulated("R-01", 7, now)
    table.open()
    play = table.play()
    while table.tally.rounds < 3:
        next(play)
    assert taken() == {seat: player.guest for seat, player in table.players.items()}
    again = simulated("R-01", 8, now)
    next(again.play())
    assert taken() == {seat: player.guest for seat, player in again.players.items()}
    again.close(0)
    assert taken() == {}


def taken() -> dict[int, int | None]:
    session = tables.load_table("R-01").session
    assert session is not None
    return dict(session.seats)


def test_who_is_rated_changes_nothing_of_what_is_played(database: Any) -> None:
    """Two tables of the same chance play the same rounds, though only one of them has guests."""
    prepare_floor(["R-01", "R-13"], now())
    tallies = []
    for code in ("R-01", "R-13"):
        table = simulated(code, 7, now)
        table.chance.seed("the same")
        table.open()
        play = table.play()
        while table.tally.rounds < 12:
            next(play)
        tallies.append(table.tally)
    assert tallies[0] == tallies[1]
