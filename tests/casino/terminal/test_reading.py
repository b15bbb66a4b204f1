"""What a terminal posts, as text: wagers line by line, cards as players write them, decisions word by word."""

from datetime import date

import pytest

from casino import events as e
from casino.games import game
from casino.games.game import CardEntry, DecisionEntry
from casino.keys import RoundId
from casino.refusal import Refused
from casino.round import betting, dealing
from casino.round.awaited import cards_awaited
from casino.round.betting import Asked
from casino.round.state import Round, evolve, round_of
from casino.terminal import reading


def holdem(*seats: int) -> Round:
    """A round of Royal Casino in which these seats have 10 on ANTE and BLIND, and all cards lie unseen."""
    paytable = game("royal-casino").paytables[0]
    opened = e.RoundOpened(
        table="H-01", session="s", game="royal-casino", paytable=paytable, layout="standard", method="hand", seats=7,
        limits={}, round_payout_max_cents=10**8, off_limits="warn", side_bets={}, recorded_by="terminal",
    )  # fmt: skip
    round_ = round_of(RoundId("H-01", date(2026, 11, 29), 1), [opened])
    asked = [Asked(seat, code, 1_000) for seat in seats for code in ("ante", "blind")]
    for events in (lambda r: betting.take_bets(r, asked), lambda r: dealing.record_cards(
        r, [CardEntry(None)] * len(cards_awaited(r)))):  # fmt: skip
        for event in events(round_):
            round_ = evolve(round_, event)
    return round_


def test_wagers_are_read_line_by_line() -> None:
    assert reading.wagers_of("3 split:As+Ks 2500\n12 ante 1") == [
        Asked(3, "split:As+Ks", 2_500), Asked(12, "ante", 1),
    ]  # fmt: skip
    assert reading.wagers_of("") == []


@pytest.mark.parametrize(
    "text", ["3 red", "red 3 5", "3 colour:red 5.00", "3 colour:red -5", "3  colour:red 5", "٣ a 5"]
)
def test_an_odd_line_of_wagers_is_refused(text: str) -> None:
    with pytest.raises(Refused, match="write a seat, the wager and its cents"):
        reading.wagers_of(text)


@pytest.mark.parametrize(
    ("text", "cards"),
    [
        ("AsKd9h4c2s", ["As", "Kd", "9h", "4c", "2s"]),
        ("as kd 10H", ["As", "Kd", "Th"]),
        ("?Kd??x1", [None, "Kd", None, None, "X1"]),
        ("tc", ["Tc"]),
    ],
)
def test_cards_are_read_as_players_write_them(text: str, cards: list[str | None]) -> None:
    assert reading.cards_of(text) == cards


@pytest.mark.parametrize("text", ["", "  ", "AsK", "1s", "X3", "AsKx", "A♠"])
def test_what_is_no_row_of_cards_is_refused(text: str) -> None:
    with pytest.raises(Refused) as no:
        reading.cards_of(text)
    assert no.value.code == "odd_cards"


def test_decisions_follow_the_turns_of_the_seats() -> None:
    assert reading.decisions_of(holdem(2, 5, 6), "c 4 3x") == [
        DecisionEntry(2, "check"), DecisionEntry(5, "raise", 4_000), DecisionEntry(6, "raise", 3_000),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("moves", "code"),
    [("c 2", "odd_decision"), ("x", "odd_decision"), ("f", "odd_decision"), ("c c c", "no_decision_due")],
)
def test_a_decision_that_is_not_open_to_the_seat_is_refused(moves: str, code: str) -> None:
    with pytest.raises(Refused) as no:
        reading.decisions_of(holdem(2, 5), moves)
    assert no.value.code == code
