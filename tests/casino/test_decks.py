"""Decks at a table, without a database: what may come, be counted and go, and what holds a round up."""

from collections.abc import Callable
from datetime import date

import pytest

from casino.decks import after_misdeal, carried, check_deck, decks_here, move_deck
from casino.games import game
from casino.refusal import Refused
from casino.table import Count, Session, session_after

EMPTY = Session("R-01", date(2026, 11, 29), 1, opener=Count(1))
ROULETTE = game("54-card-roulette")
SIZE = len(ROULETTE.deck)


def moved(session: Session, *moves: tuple[str, str, int]) -> Session:
    for deck, move, cards in moves:
        session = session_after(session, [move_deck(session, ROULETTE, deck, move, cards, "", "ana")])
    return session


def refused(deed: Callable[[], object]) -> str:
    with pytest.raises(Refused) as refusal:
        deed()
    return refusal.value.code


RED = moved(EMPTY, ("red", "in", SIZE))


@pytest.mark.parametrize(
    ("move", "code"),
    [
        (("red", "in", SIZE), "deck_here"),
        (("blue", "in", SIZE - 1), "deck_not_complete"),
        (("blue", "counted", SIZE), "deck_not_here"),
        (("blue", "out", SIZE), "deck_not_here"),
        (("  ", "in", SIZE), "bad_deck"),
        (("x" * 41, "in", SIZE), "bad_deck"),
        (("red", "counted", -1), "bad_deck"),
        (("red", "shuffled", SIZE), "unknown_move"),
    ],
)
def test_what_can_not_happen_to_a_deck_is_refused(move: tuple[str, str, int], code: str) -> None:
    assert refused(lambda: moved(RED, move)) == code


def test_a_house_that_records_no_decks_is_not_held_up() -> None:
    check_deck(EMPTY, SIZE)
    assert after_misdeal(EMPTY, "two kings", "ana") == []
    assert carried(EMPTY) == []


def test_after_a_misdeal_no_round_opens_until_a_deck_is_in() -> None:
    check_deck(RED, SIZE)
    gone = after_misdeal(RED, "two kings of diamonds", "dan")
    assert [(one.deck, one.move, one.reason) for one in gone] == [("red", "out", "misdeal: two kings of diamonds")]
    fouled = session_after(RED, gone)
    assert refused(lambda: check_deck(fouled, SIZE)) == "no_deck"
    check_deck(moved(fouled, ("blue", "in", SIZE)), SIZE)


def test_the_deck_in_play_is_the_one_that_came_or_was_counted_last() -> None:
    both = moved(RED, ("blue", "in", SIZE))
    assert [one.deck for one in after_misdeal(both, "fouled", "dan")] == ["blue"]
    assert [one.deck for one in after_misdeal(moved(both, ("red", "counted", SIZE)), "fouled", "dan")] == ["red"]


def test_a_deck_counted_short_is_not_dealt_and_the_count_is_kept() -> None:
    short = moved(RED, ("red", "counted", SIZE - 1))
    assert decks_here(short)["red"].cards == SIZE - 1
    assert refused(lambda: check_deck(short, SIZE)) == "deck_count_off"
    check_deck(moved(short, ("red", "counted", SIZE)), SIZE)
    check_deck(moved(short, ("blue", "in", SIZE)), SIZE)


def test_the_next_session_begins_with_the_decks_that_are_here_or_with_the_want_of_one() -> None:
    following = session_after(EMPTY, carried(moved(RED, ("blue", "in", SIZE), ("blue", "out", SIZE))))
    assert list(decks_here(following)) == ["red"]
    fouled = session_after(RED, after_misdeal(RED, "fouled", "dan"))
    assert refused(lambda: check_deck(session_after(EMPTY, carried(fouled)), SIZE)) == "no_deck"
