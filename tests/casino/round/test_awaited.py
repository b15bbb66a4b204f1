"""What a round waits for, found by asking its game."""

from datetime import date

import pytest

from casino import events as e
from casino.games import game
from casino.games.game import CardEntry, DecisionEntry
from casino.keys import RoundId
from casino.round import betting, dealing
from casino.round.awaited import cards_awaited, positions_to_draw
from casino.round.betting import Asked
from casino.round.state import Round, evolve, round_of


def a_round(code: str, method: str = "", wagers: tuple[Asked, ...] = ()) -> Round:
    """A round whose bets are closed, whatever the game says of these."""
    known = game(code)
    opened = e.RoundOpened(
        table="R-01", session="s", game=code, paytable=known.paytables[0], layout=known.layouts[0],
        method=method or known.methods[0], seats=7, limits={}, round_payout_max_cents=10**8, off_limits="warn",
        side_bets={}, recorded_by="terminal",
    )  # fmt: skip
    round_ = round_of(RoundId("R-01", date(2026, 11, 29), 1), [opened])
    round_ = after(round_, betting.place_wagers(round_, wagers) if wagers else [])
    return after(round_, [e.BetsClosed(wagers=len(wagers), stakes_cents=sum(one.stake_cents for one in wagers))])


def after(round_: Round, events: list) -> Round:
    for event in events:
        round_ = evolve(round_, event)
    return round_


def record(round_: Round, *cards: str | None) -> Round:
    """Cards as they come next: dealt, or turned where they lie."""
    awaited = cards_awaited(round_)
    entries = [CardEntry(c, None if a.is_dealt else a.position) for c, a in zip(cards, awaited, strict=False)]
    return after(round_, dealing.record_cards(round_, entries))


def positions(round_: Round) -> list[int]:
    return [one.position for one in cards_awaited(round_)]


HANDS = tuple(Asked(seat, code, 100) for seat in (1, 4) for code in ("ante", "blind"))


def test_five_cards_come_and_the_second_has_to_be_named() -> None:
    awaited = cards_awaited(a_round("54-card-roulette"))
    assert [(one.position, one.is_dealt, one.may_be_unseen) for one in awaited] == [
        (1, True, True), (2, True, False), (3, True, True), (4, True, True), (5, True, True),
    ]  # fmt: skip


def test_cards_dealt_unseen_are_turned_afterwards() -> None:
    round_ = record(a_round("54-card-roulette"), None, "Kd", None, None, None)
    assert [(one.position, one.is_dealt) for one in cards_awaited(round_)] == [(n, False) for n in (1, 3, 4, 5)]
    assert positions(record(round_, "As", "9c")) == [4, 5]


def test_known_cards_are_not_awaited_where_the_unseen_ones_turn_them() -> None:
    round_ = record(a_round("54-card-roulette"), None, "Kd", "4c", None, "2s")
    assert positions(round_) == [1, 4]
    assert record(round_, "5c", "X1").hand
    assert positions(record(round_, "5c")) == [4]


def test_a_round_whose_known_cards_were_left_lying_waits_for_one_of_them_by_its_name() -> None:
    """As the log has it from before known cards were turned with the last unseen one."""
    round_ = record(a_round("54-card-roulette"), None, "Kd", None, "4c", "2s")
    round_ = after(round_, [e.CardTurned(card_position=1, card="5c"), e.CardTurned(card_position=3, card="X1")])
    assert [(one.position, one.card) for one in cards_awaited(round_)] == [(4, "4c")]
    assert record(round_, "4c").hand


def test_an_automatic_shufflers_known_hands_are_turned_with_the_last_unseen_card_of_the_community() -> None:
    round_ = a_round("royal-casino", "automatic_shuffler", (Asked(2, "ante", 100), Asked(2, "blind", 100)))
    round_ = record(round_, None, None, None, None, None, "As", "Kd", "Qc", "Qd")
    round_ = after(round_, dealing.decide(round_, [DecisionEntry(2, "raise", 400)]))
    assert positions(round_) == [1, 2, 3, 4, 5]
    round_ = record(record(round_, "Kh", "9s", "5d"), "3c", "2h")
    assert round_.hand


def test_nothing_comes_before_no_more_bets_or_after_the_end() -> None:
    round_ = record(a_round("54-card-roulette"), "As", "Kd", "9c", "4h", "2s")
    assert cards_awaited(round_) == []
    assert positions_to_draw(round_) == []


def test_a_wheel_may_name_five_positions_once() -> None:
    round_ = a_round("54-card-roulette", "drawn_position")
    assert positions_to_draw(round_) == [1, 2, 3, 4, 5]
    assert positions_to_draw(after(round_, dealing.draw_position(round_, 3))) == []
    assert positions_to_draw(a_round("54-card-roulette")) == []


@pytest.mark.parametrize(
    ("method", "first", "flop_is_dealt"),
    [("hand", [11, 12, 41, 42, 91, 92], True), ("automatic_shuffler", [1, 2, 3, 4, 5, 11, 12, 41, 42, 91, 92], False)],
)
def test_hold_em_waits_for_hands_then_flop_then_turn_and_river_then_the_showdown(method, first, flop_is_dealt) -> None:
    round_ = a_round("royal-casino", method, HANDS)
    assert positions(round_) == first
    round_ = record(round_, *[None] * len(first))
    assert positions(round_) == []
    round_ = after(round_, dealing.decide(round_, [DecisionEntry(1, "raise", 400), DecisionEntry(4, "check")]))
    assert [(one.position, one.is_dealt) for one in cards_awaited(round_)] == [(n, flop_is_dealt) for n in (1, 2, 3)]
    round_ = record(round_, "Kh", "9s", "5d")
    round_ = after(round_, dealing.decide(round_, [DecisionEntry(4, "check")]))
    assert positions(round_) == [4, 5]
    round_ = record(round_, "3c", "2h")
    round_ = after(round_, dealing.decide(round_, [DecisionEntry(4, "fold")]))
    assert positions(round_) == [11, 12, 91, 92]
    round_ = record(round_, "As", "Kd", "Kc", "Qd")
    assert round_.hand


def test_a_round_without_hands_waits_for_nothing() -> None:
    assert cards_awaited(a_round("royal-casino")) == []
