"""The game as the rest of the product meets it: random rounds against a second evaluator and a second settlement."""

import random
from collections import Counter
from fractions import Fraction
from itertools import combinations

import pytest

from casino.games.game import CardEntry, Setup
from casino.games.royal_casino.outcomes import ACTIONS
from casino.refusal import Refused
from tests.casino.games.royal_casino.hand import GAME, Hand

SETUP = Setup("regulation", "standard", "hand")
ORDER = "23456789TJQKA"
BLIND = {8: 500, 7: 50, 6: 10, 5: 3, 4: Fraction(3, 2), 3: 1}
BONUS = {8: 50, 7: 40, 6: 30, 5: 8, 4: 7, 3: 4, 2: 3}


def value(cards):
    """A second evaluator: category and heights of the best of the 21 fives. 2 is three of a kind, 8 a royal flush."""
    return max(map(value_of_five, combinations(cards, 5)))


def value_of_five(five):
    heights = sorted((ORDER.index(card[0]) for card in five), reverse=True)
    heights = [3, 2, 1, 0, -1] if heights == [12, 3, 2, 1, 0] else heights
    pattern = sorted(Counter(heights).values(), reverse=True)
    grouped = sorted(heights, key=lambda height: (heights.count(height), height), reverse=True)
    straight = len(pattern) == 5 and heights[0] - heights[4] == 4
    flush = len({card[1] for card in five}) == 1
    if straight and flush:
        return 8 if heights[0] == 12 else 7, grouped
    kinds = {(4, 1): 6, (3, 2): 5, (3, 1, 1): 2, (2, 2, 1): 1, (2, 1, 1, 1): 0}
    return kinds.get(tuple(pattern), 4 if flush else 3 if straight else -1), grouped


def net_cents(action, player, bank, ante, bonus):
    """A second settlement, by money won and lost and not by what goes back."""
    side = 0 if not bonus else int(bonus * BONUS[player[0]]) if player[0] in BONUS else -bonus
    if action == "fold":
        return side - 2 * ante
    play = int(action[0]) * ante
    if player == bank:
        return side
    if player > bank:
        blind = int(ante * BLIND.get(player[0], 0))
        return side + play + blind + (ante if bank[0] >= 0 else 0)
    return side - play - ante - (ante if bank[0] >= 0 else 0)


@pytest.mark.parametrize("method", GAME.methods)
@pytest.mark.parametrize("deck", [GAME.deck, GAME.deck[:32]], ids=["whole deck", "high cards"])
def test_random_rounds_settle_as_by_a_second_evaluator_and_settlement(deck, method):
    chance = random.Random(f"{method}:{len(deck)}")
    for _ in range(150):
        cards = chance.sample(deck, 9)
        bets = {"ante": chance.choice((1, 5, 333, 1000)), "bonus": chance.choice((0, 7, 500))}
        stakes = {code: cents for code, cents in (*bets.items(), ("blind", bets["ante"])) if cents}
        hand = Hand({4: stakes}, method)
        hand.deal({4: cards[:2]}, cards[2:4], cards[4:])
        action = chance.choice(("4x", "3x", "2x", "1x", "fold"))
        hand.act(4, action)
        net = sum(line.returned_cents - line.stake_cents for line in hand.settle())
        player, bank = value(cards[:2] + cards[4:]), value(cards[2:])
        assert net == net_cents(action, player, bank, bets["ante"], bets["bonus"]), (cards, action, bets)


def test_the_reading_shows_every_hand_that_was_turned():
    hand = Hand({2: {"ante": 500, "blind": 500}, 6: {"ante": 300, "blind": 300}})
    hand.deal({2: ["As", "Kd"], 6: ["9h", "9d"]}, ["Kc", "Qd"], ["Kh", "9s", "5d", "3c", "2h"])
    hand.decide(2, "raise", 2000)
    hand.decide(6, "raise", 900)
    reading = GAME.reading(hand.felt, hand.setup)
    assert reading.rank == "one_pair"
    assert reading.shown == {
        "rank": "one_pair",
        "board": ["Kh", "9s", "5d", "3c", "2h"],
        "bank": {
            "cards": ["Kc", "Qd"],
            "rank": "one_pair",
            "qualifies": True,
            "best": ["Kh", "Kc", "Qd", "9s", "5d"],
        },
        "seats": [
            {"seat": 2, "cards": ["As", "Kd"], "rank": "one_pair", "winner": "player", "folded": False},
            {"seat": 6, "cards": ["9h", "9d"], "rank": "three_of_a_kind", "winner": "player", "folded": False},
        ],
    }


def test_nothing_is_settled_before_it_is_decided_nor_in_a_phase_there_is_not():
    hand = Hand({1: {"ante": 500, "blind": 500}})
    for phase, code in (("showdown", "phase_not_decided"), ("poker", "unknown_phase")):
        with pytest.raises(Refused) as refused:
            GAME.settle(phase, hand.placed, hand.felt, hand.setup)
        assert refused.value.code == code


@pytest.mark.parametrize("style", GAME.styles)
@pytest.mark.parametrize("method", GAME.methods)
def test_simulated_players_bet_and_decide_by_the_rules(style, method):
    chance = random.Random(f"{style}:{method}")
    actions = Counter()
    for _ in range(60):
        bets = {seat: GAME.plausible_bets(chance, style, SETUP) for seat in range(1, 8)}
        hand = Hand({seat: dict(found) for seat, found in bets.items() if found}, method)
        cards = chance.sample(GAME.deck, len(GAME.deck))
        while not GAME.decided(hand.felt, hand.setup):
            turn = GAME.turn(hand.felt, hand.setup)
            if turn is None:
                hand.take(GAME.record_cards(hand.felt, hand.setup, [CardEntry(cards.pop())]))
                continue
            entry = GAME.plausible_decision(chance, hand.felt, hand.setup, turn)
            hand.take(GAME.decide(hand.felt, hand.setup, entry))
            actions[turn.street, entry.action] += 1
        assert {line.result for line in hand.settle()} <= {"win", "lose", "push"}
    assert len(actions) == 6, actions  # every street sees both of its actions
    assert len(ACTIONS) == 4
