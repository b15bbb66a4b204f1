"""A part of the shipped table derived anew: every hand on every flop of three of a rank, against every bank hand."""

import json
import random
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from casino.games.cards import DECK_52
from casino.games.poker import best_of
from casino.games.royal_casino import outcomes
from casino.games.royal_casino.derivation import (
    BANK_HANDS,
    Derivation,
    expectation,
    flops,
    hand_name,
    starting_hands,
    table,
    texture,
)

FACTS = Path(__file__).parents[3] / "facts"
PREFLOP = json.loads((FACTS / "royal-casino.preflop.json").read_text())
SHIPPED = outcomes.shipped()


@pytest.fixture(scope="module")
def derivation():
    return Derivation()


def hand_numbers(names):
    by_name = {hand_name(hand): hand for hand in range(169)}
    return [by_name[name] for name in names]


def test_there_are_1755_kinds_of_flop_and_22100_flops():
    kinds = flops()
    assert (len(kinds), sum(flop.weight for flop in kinds)) == (1_755, 22_100)
    assert {texture(flop) for flop in kinds} == set(outcomes.TEXTURES)


def test_flops_of_three_of_a_rank_derived_anew_are_the_shipped_part(derivation):
    """Thirteen kinds that stand for 52 flops, and 65,444,258,880 deals of the table's 27,813,810,024,000."""
    part = outcomes.TEXTURES[0]
    for flop in flops():
        if texture(flop) == part:
            derivation.add(flop)
    derived = table(derivation, hand_numbers(SHIPPED.raised))
    assert derived.parts[part] == SHIPPED.parts[part]
    weights = (sum(row) for rows in derived.parts[part].values() for row in rows.values())
    assert sum(weights) == 52 * 1_176 * 1_081 * 990 == 65_444_258_880


def test_the_hands_raised_before_the_flop_are_those_found_elsewhere():
    assert set(SHIPPED.raised) == {name for name, row in PREFLOP.items() if row[1] != "check"}
    combinations = {2: 6, 3: 12}
    assert sum(4 if name.endswith("s") else combinations[len(name)] for name in SHIPPED.raised) == 500


def test_starting_hands_have_their_names():
    pairs = np.array([[DECK_52.index(card) for card in pair] for pair in (("As", "Ks"), ("Kd", "Ah"), ("2c", "2d"))])
    assert [hand_name(hand) for hand in starting_hands(pairs)] == ["AKs", "AKo", "22"]
    assert sorted({hand_name(hand) for hand in range(169)}) == sorted(PREFLOP)


def test_the_outcomes_of_a_holding_are_those_of_going_through_all_990_bank_hands(derivation):
    """The counting by inclusion and exclusion against a walk through every bank hand, for some holdings at random."""
    chance = random.Random(990)
    flop = chance.choice(flops())
    left = np.array([card for card in range(52) if card not in flop.cards])
    outcome = derivation.against_banks(derivation.on_boards(flop, left))
    for _ in range(6):
        board, holding = chance.randrange(1_176), chance.randrange(1_081)
        pair = derivation.places.pairs[derivation.places.holding[board, holding]]
        community = [*flop.cards, *left[derivation.places.pairs[board]].tolist()]
        mine = left[pair].tolist()
        found = [int(column[board, holding]) for column in outcome]
        assert found == walked([DECK_52[card] for card in community], [DECK_52[card] for card in mine])


def walked(community, mine):
    counts = [0] * 5
    own = best_of([*community, *mine]).value
    rest = [card for card in DECK_52 if card not in community and card not in mine]
    for index, one in enumerate(rest):
        for other in rest[index + 1 :]:
            bank = best_of([*community, one, other]).value
            unqualified = bank.name == "high_card"
            column = 2 if bank == own else (0 if bank < own else 3) + unqualified
            counts[column] += 1
    assert sum(counts) == BANK_HANDS
    return counts


def test_an_expectation_counts_half_antes():
    outcome = [np.array([n]) for n in (10, 5, 3, 7, 2)]
    # PLAY twice: ANTE +10 −7; PLAY 2 × (15 − 9); BLIND +15 × 3/2 − 9.
    wanted = Fraction(3 + 12) + Fraction(45, 2) - 9
    assert Fraction(int(expectation(outcome, np.array([3]), 2)[0]), 2) == wanted


def test_the_text_of_the_table_is_read_as_it_was_written():
    text = outcomes.SHIPPED.read_text(encoding="utf-8")
    assert outcomes.as_json(outcomes.from_json(text)) == text
