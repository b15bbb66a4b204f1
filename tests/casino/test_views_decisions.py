"""The page of a round in which seats decide: its cards by their names, its hands, its decisions in words."""

import re
from datetime import UTC, datetime
from typing import Any

import pytest
from django.test import Client

from casino.commands import rounds, settlement, tables
from casino.commands.order import Order
from casino.eventstore.follower import catch_up
from casino.games.game import DecisionEntry
from casino.round.betting import Asked
from tests.counts import counted

CARDS = ["As", "Kd", "9h", "9d", "Kc", "Qd", "Kh", "9s", "5d", "3c", "2h"]
BETS = [(2, "ante", 1000), (2, "blind", 1000), (5, "ante", 500), (5, "blind", 500), (5, "bonus", 100)]
MADE = [(2, "check"), (5, "raise", 2000), (2, "check"), (2, "fold")]


def order(key: str) -> Order:
    return Order("test", key, datetime.now(UTC))


@pytest.fixture
def page(database: Any, redis_url: str, ana: Client) -> str:
    """A settled round of Royal Casino as its page shows it, without its markup."""
    tables.set_up_table(order("set up"), "H-01", game="royal-casino")
    tables.open_table(order("open"), "H-01", counted(1_000_000))
    asked, made = [Asked(*bet) for bet in BETS], [DecisionEntry(*one) for one in MADE]
    rounds.record_finished_round(order("round"), "H-01", asked, CARDS, decisions=made)
    settlement.settle_due()
    catch_up()
    session = tables.load_table("H-01").session
    assert session is not None
    answer = ana.get(f"/rounds/H-01/{session.gaming_date.isoformat()}/1/")
    assert answer.status_code == 200
    return " ".join(re.sub(r"<[^>]+>", " ", answer.content.decode()).split())


def test_cards_are_called_by_where_they_lie(page: str) -> None:
    for name in ("Flop 1", "Flop 3", "Turn", "River", "Seat 2, card 1", "Seat 5, card 2", "Bank 2"):
        assert name in page
    assert "Seat 5, card 1 dealt face down: 9♥" in page
    assert "Bank 1 turned: K♣" in page


def test_decisions_and_hands_are_said_in_words(page: str) -> None:
    assert "Seat 5 raised 20.00 (pre flop)" in page
    assert "Seat 2 folded (river)" in page
    assert "Bank one pair qualifies Seat 5 three of a kind higher" in page


def test_play_is_among_the_wagers_and_their_sum(page: str) -> None:
    assert "Wagers 6 51.00" in page
    assert "play won 20.00 40.00" in page
