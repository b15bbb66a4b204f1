"""Sitting down and getting up: one patron a seat, one seat a patron, and no wager that could be two people's."""

from collections.abc import Callable
from typing import Any

import pytest

from casino.commands import rounds, tables
from casino.commands.patrons import erase_patron, make_patron
from casino.commands.seats import estimate_rating, leave_seat, seat_patron
from casino.eventstore import store
from casino.refusal import Refused
from casino.round.betting import Asked
from casino.seat_events import RoundSeatChanged
from tests.casino.commands.test_tables import CARDS, order, table, together
from tests.counts import counted
from tests.played import SECOND

__all__ = ["table"]
RED = "colour:red"


@pytest.fixture
def opened(table: str) -> str:
    tables.open_table(order(), table, counted(100), "Ana Ortiz")
    return table


@pytest.fixture
def patron(database: Any) -> int:
    return int(make_patron(order(), "Mireille Okonjo").patron.pk)


def code_of(deed: Callable[[], Any]) -> str:
    with pytest.raises(Refused) as refusal:
        deed()
    return refusal.value.code


def seats(table: str) -> dict[int, int | None]:
    session = tables.load_table(table).session
    assert session is not None
    return dict(session.seats)


def latest(table: str) -> Any:
    session = tables.load_table(table).session
    assert session is not None
    return tables.latest_round(table, session.gaming_date)


def test_a_seat_holds_one_player_rated_or_not_until_it_is_freed(opened: str, patron: int) -> None:
    seat_patron(order(), opened, 3, patron)
    seat_patron(order(), opened, 4)
    assert seats(opened) == {3: patron, 4: None}
    assert code_of(lambda: seat_patron(order(), opened, 3)) == "seat_taken"
    assert code_of(lambda: seat_patron(order(), opened, 4, patron)) == "seat_taken"
    leave_seat(order(), opened, 3)
    leave_seat(order(), opened, 4)
    assert seats(opened) == {}


def test_a_patron_sits_at_one_seat_of_a_table(opened: str, patron: int) -> None:
    seat_patron(order(), opened, 3, patron)
    assert code_of(lambda: seat_patron(order(), opened, 5, patron)) == "patron_seated"


@pytest.mark.parametrize("seat", [0, -1, 9, 2**40])
def test_a_seat_that_the_table_does_not_have_is_refused(opened: str, seat: int) -> None:
    assert code_of(lambda: seat_patron(order(), opened, seat)) == "seat_out_of_range"
    assert code_of(lambda: leave_seat(order(), opened, seat)) == "seat_out_of_range"


def test_nobody_sits_at_a_closed_table_and_an_unknown_or_erased_patron_sits_nowhere(table: str, patron: int) -> None:
    assert code_of(lambda: seat_patron(order(), table, 1, patron)) == "table_closed"
    tables.open_table(order(), table, counted(100), "Ana Ortiz")
    assert code_of(lambda: seat_patron(order(), table, 1, patron + 1)) == "unknown_patron"
    assert code_of(lambda: leave_seat(order(), table, 1)) == "seat_empty"
    erase_patron(order(), patron)
    assert code_of(lambda: seat_patron(order(), table, 1, patron)) == "patron_erased"


def test_the_close_frees_every_seat_before_it(opened: str, patron: int) -> None:
    seat_patron(order(), opened, 2, patron)
    seat_patron(order(), opened, 1)
    done = tables.close_table(order(), opened, counted(100))
    assert [type(event).__name__ for event in done.events] == ["PatronLeft", "PatronLeft", "TableClosed"]
    assert seats(opened) == {}
    tables.open_table(order(), opened, counted(100))
    seat_patron(order(), opened, 2, patron)


def test_a_round_pins_the_patrons_who_sat_when_it_opened_and_a_buy_in_names_them(opened: str, patron: int) -> None:
    seat_patron(order(), opened, 3, patron)
    seat_patron(order(), opened, 4)
    rounds.open_round(order(), opened)
    assert latest(opened).opened.patrons == {"3": patron}
    assert tables.buy_in(order(), opened, 5_000, 3).events[0].patron_id == patron  # type: ignore[attr-defined]
    assert tables.buy_in(order(), opened, 5_000, 4).events[0].patron_id is None  # type: ignore[attr-defined]
    assert tables.buy_in(order(), opened, 5_000).events[0].patron_id is None  # type: ignore[attr-defined]


def test_a_round_that_takes_bets_is_told_and_one_that_does_not_keeps_what_it_pinned(opened: str, patron: int) -> None:
    rounds.open_round(order(), opened)
    told = seat_patron(order(), opened, 3, patron).events
    assert told[0] == RoundSeatChanged(seat=3, patron_id=patron)
    assert latest(opened).patrons == {3: patron}
    rounds.place_wagers(order(), latest(opened).id, [Asked(3, RED, 500)])
    rounds.close_bets(order(), latest(opened).id)
    leave_seat(order(), opened, 3)
    assert latest(opened).patrons == {3: patron}, "the wagers that stand are still the patron's"


def test_a_seat_with_wagers_changes_hands_only_after_no_more_bets(opened: str, patron: int) -> None:
    rounds.open_round(order(), opened)
    rounds.place_wagers(order(), latest(opened).id, [Asked(3, RED, 500), Asked(4, RED, 500)])
    assert code_of(lambda: seat_patron(order(), opened, 3, patron)) == "seat_in_play"
    seat_patron(order(), opened, 4)
    leave_seat(order(), opened, 4)
    rounds.withdraw_wager(order(), latest(opened).id, 1)
    seat_patron(order(), opened, 3, patron)
    rounds.place_wagers(order(), latest(opened).id, [Asked(3, RED, 500)])
    assert code_of(lambda: leave_seat(order(), opened, 3)) == "seat_in_play"


def test_an_estimate_is_of_a_rated_patron_and_above_zero(opened: str, patron: int) -> None:
    assert code_of(lambda: estimate_rating(order(), opened, 3, 2_500)) == "seat_empty"
    seat_patron(order(), opened, 4)
    assert code_of(lambda: estimate_rating(order(), opened, 4, 2_500)) == "seat_unrated"
    seat_patron(order(), opened, 3, patron)
    event: Any = estimate_rating(order(), opened, 3, 2_500).events[0]
    assert (event.patron_id, event.average_bet_cents, event.by) == (patron, 2_500, "test")
    assert code_of(lambda: estimate_rating(order(), opened, 3, 0)) == "amount_not_positive"


def test_a_repeated_order_seats_once_and_the_same_key_for_another_seat_is_refused(opened: str, patron: int) -> None:
    once = order()
    first, again = seat_patron(once, opened, 3, patron), seat_patron(once, opened, 3, patron)
    assert (again.replayed, again.position, again.events) == (True, first.position, first.events)
    assert code_of(lambda: seat_patron(once, opened, 4, patron)) == "key_reused"


def test_of_several_who_want_a_seat_at_once_one_has_it(opened: str) -> None:
    people = [make_patron(order(), f"Guest {n}").patron.pk for n in range(4)]
    answers = together(*(lambda who=who: seat_patron(order(), opened, 3, who) for who in people))  # type: ignore[misc]
    assert sorted(answers) == ["done"] + ["seat_taken"] * 3


def test_a_round_opened_at_the_same_moment_knows_of_the_seat_or_is_told(opened: str, patron: int) -> None:
    """Whoever comes first: what the session says of the seat, the round that takes bets says too."""
    for _ in range(10):
        answers = together(lambda: rounds.open_round(order(), opened), lambda: seat_patron(order(), opened, 3, patron))
        assert answers == ["done", "done"]
        assert latest(opened).patrons == {3: patron}
        together(
            lambda: leave_seat(order(), opened, 3),
            lambda: rounds.void_round(order(), latest(opened).id, "Next", SECOND),
        )
        assert seats(opened) == {}


def test_wagers_and_a_change_of_the_seat_at_the_same_moment_never_mix_two_people(opened: str, patron: int) -> None:
    for _ in range(10):
        rounds.open_round(order(), opened)
        round_id = latest(opened).id
        answers = together(
            lambda round_id=round_id: rounds.place_wagers(order(), round_id, [Asked(3, RED, 500)]),  # type: ignore[misc]
            lambda: seat_patron(order(), opened, 3, patron),
        )
        kinds = [type(recorded.event).__name__ for recorded in store.load(key_of(round_id)).events]
        if answers[1] == "done":
            assert kinds == ["RoundOpened", "RoundSeatChanged", "WagerPlaced"]
            rounds.withdraw_wager(order(), round_id, 1)
            leave_seat(order(), opened, 3)
        else:
            assert answers == ["done", "seat_in_play"]
        rounds.void_round(order(), round_id, "Next", SECOND)


def key_of(round_id: Any) -> str:
    from casino.commands.order import property_code
    from casino.keys import round_key

    return round_key(property_code(), round_id)


def test_a_finished_round_pins_the_seats_as_a_round_step_by_step_does(opened: str, patron: int) -> None:
    seat_patron(order(), opened, 3, patron)
    rounds.record_finished_round(order(), opened, [Asked(3, RED, 500)], CARDS)
    assert latest(opened).opened.patrons == {"3": patron}
