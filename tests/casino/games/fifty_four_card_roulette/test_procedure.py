from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from casino.games import game
from casino.games.cards import DECK_54
from casino.games.game import DOWN, UP, CardEntry, Dealt, Felt, PositionDrawn, Setup, Turned
from casino.refusal import Refused

GAME = game("54-card-roulette")
FIVE = ("As", "Kd", "9h", "4c", "X1")
SECOND, FIRST, DRAWN = (
    Setup("printed", "standard", method) for method in ("second_card", "first_card", "drawn_position")
)


def deal(*cards):
    return [CardEntry(card) for card in cards]


def turn(card, position):
    return [CardEntry(card, position=position)]


class Table:
    """A felt that keeps the facts recorded on it; `None` for a card is one that nobody has seen."""

    def __init__(self, setup):
        self.setup, self.felt = setup, Felt()

    def record(self, entries):
        return self._lay(GAME.record_cards(self.felt, self.setup, entries))

    def draw(self, position):
        return self._lay(GAME.draw(self.felt, self.setup, position))

    def refusal(self, entries):
        return self._refused(lambda: self.record(entries))

    def refusal_of_draw(self, position):
        return self._refused(lambda: self.draw(position))

    def decided(self):
        return GAME.decided(self.felt, self.setup)

    def _lay(self, facts):
        for fact in facts:
            self.felt = self.felt.after(fact)
        return facts

    def _refused(self, act):
        before = self.felt
        with pytest.raises(Refused) as refused:
            act()
        assert self.felt == before
        assert refused.value.message.endswith(".")
        return refused.value.code


def test_the_second_card_is_dealt_face_up_and_the_others_turn_when_the_fifth_is_known():
    table = Table(SECOND)
    assert table.record(deal("As")) == [Dealt(1, DOWN, "As")]
    assert table.decided() == ()
    assert table.record(deal("Kd")) == [Dealt(2, UP, "Kd")]
    assert table.decided() == ("roulette",)
    assert table.record(deal("9h", "4c")) == [Dealt(3, DOWN, "9h"), Dealt(4, DOWN, "4c")]
    assert table.decided() == ("roulette",)
    turns = [Turned(1, "As"), Turned(3, "9h"), Turned(4, "4c"), Turned(5, "X1")]
    assert table.record(deal("X1")) == [Dealt(5, DOWN, "X1"), *turns]
    assert table.decided() == ("roulette", "poker")


def test_by_the_first_card_the_first_card_is_dealt_face_up():
    table = Table(FIRST)
    facts = table.record(deal(*FIVE))
    assert [fact.face for fact in facts[:5]] == [UP, DOWN, DOWN, DOWN, DOWN]
    assert [fact.position for fact in facts[5:]] == [2, 3, 4, 5]
    assert GAME.reading(table.felt, FIRST).shown["roulette_card"] == "As"


def test_by_a_drawn_position_all_cards_wait_face_down_for_the_draw():
    table = Table(DRAWN)
    assert table.record(deal(*FIVE)) == [Dealt(n, DOWN, card) for n, card in enumerate(FIVE, start=1)]
    assert table.decided() == ()
    turns = [Turned(4, "4c"), Turned(1, "As"), Turned(2, "Kd"), Turned(3, "9h"), Turned(5, "X1")]
    assert table.draw(4) == [PositionDrawn(4), *turns]
    assert table.decided() == ("roulette", "poker")
    assert GAME.reading(table.felt, DRAWN).shown["roulette_card"] == "4c"


def test_a_position_drawn_before_the_deal_turns_the_cards_with_the_fifth():
    table = Table(DRAWN)
    assert table.draw(3) == [PositionDrawn(3)]
    facts = table.record(deal(*FIVE))
    assert facts[5:] == [Turned(3, "9h"), Turned(1, "As"), Turned(2, "Kd"), Turned(4, "4c"), Turned(5, "X1")]


def test_cards_that_nobody_saw_are_turned_by_hand_one_by_one():
    table = Table(SECOND)
    table.record(deal(None, "Kd", None, None, None))
    assert table.decided() == ("roulette",)
    for position, card in ((5, "X1"), (1, "As"), (3, "9h")):
        assert table.record(turn(card, position)) == [Turned(position, card)]
        assert table.decided() == ("roulette",)
    assert table.record(turn("4c", 4)) == [Turned(4, "4c")]
    assert table.decided() == ("roulette", "poker")
    assert GAME.reading(table.felt, SECOND).shown["cards"] == list(FIVE)


def test_the_last_unseen_card_turned_by_hand_turns_the_known_ones_too():
    table = Table(SECOND)
    table.record(deal(None, "Kd", None, "4c", "X1"))
    assert table.record(turn("9h", 3)) == [Turned(3, "9h")]
    assert table.record(turn("As", 1)) == [Turned(1, "As"), Turned(4, "4c"), Turned(5, "X1")]
    assert table.decided() == ("roulette", "poker")


def test_a_known_card_may_be_turned_by_hand_before_the_others_are_known():
    table = Table(SECOND)
    table.record(deal(None, "Kd", None, "4c", "X1"))
    assert table.record(turn("4c", 4)) == [Turned(4, "4c")]
    assert table.record([*turn("9h", 3), *turn("As", 1)])[-1] == Turned(5, "X1")


def test_a_roulette_card_that_is_known_is_turned_by_the_draw_though_others_are_unseen():
    table = Table(DRAWN)
    table.record(deal(None, "Kd", None, "4c", None))
    assert table.draw(2) == [PositionDrawn(2), Turned(2, "Kd")]
    assert table.decided() == ("roulette",)
    facts = table.record([*turn("As", 1), *turn("9h", 3), *turn("X1", 5)])
    assert facts == [Turned(1, "As"), Turned(3, "9h"), Turned(5, "X1"), Turned(4, "4c")]


def test_by_a_drawn_position_unseen_cards_turn_in_the_order_of_the_sheet():
    table = Table(DRAWN)
    table.record(deal(None, None, None, None, None))
    assert table.refusal(turn("As", 1)) == "position_not_drawn"
    table.draw(5)
    assert table.refusal(turn("As", 1)) == "roulette_card_first"
    table.record(turn("X1", 5))
    assert table.decided() == ("roulette",)
    table.record([*turn("As", 1), *turn("Kd", 2), *turn("9h", 3), *turn("4c", 4)])
    assert table.decided() == ("roulette", "poker")


@pytest.mark.parametrize(
    ("setup", "before", "entries", "code"),
    [
        (SECOND, (), [], "no_cards"),
        (SECOND, FIVE, deal("2s"), "sixth_card"),
        (SECOND, FIVE, deal(None), "sixth_card"),
        (SECOND, (), deal("As", "Kd", "9h", "4c", "X1", "2s"), "sixth_card"),
        (SECOND, (), deal("10h"), "unknown_card"),
        (SECOND, (), deal("as"), "unknown_card"),
        (SECOND, (), deal(7), "unknown_card"),
        (SECOND, ("As",), deal("As"), "card_twice"),
        (SECOND, (), deal("X1", "X1"), "card_twice"),
        (SECOND, ("As", "Kd", None), turn("As", 3), "card_twice"),
        (SECOND, ("As",), deal(None), "roulette_card_face_up"),
        (FIRST, (), deal(None), "roulette_card_face_up"),
        (SECOND, ("As", "Kd"), turn("As", 0), "position_out_of_range"),
        (SECOND, ("As", "Kd"), turn("As", 6), "position_out_of_range"),
        (SECOND, ("As", "Kd"), turn("As", True), "position_out_of_range"),
        (SECOND, ("As", "Kd"), turn("As", "1"), "position_out_of_range"),
        (SECOND, ("As", "Kd"), turn("9h", 3), "position_not_dealt"),
        (SECOND, ("As", "Kd"), turn(None, 1), "card_not_named"),
        (SECOND, ("As", "Kd"), turn("Kd", 2), "card_already_turned"),
        (SECOND, FIVE, turn("As", 1), "card_already_turned"),
        (SECOND, ("As", "Kd"), turn("Ah", 1), "card_differs"),
        (SECOND, ("As", "Kd"), turn("nonsense", 1), "unknown_card"),
        (SECOND, (None, "Kd"), turn("nonsense", 1), "unknown_card"),
        (SECOND, (None,), turn("As", 1), "roulette_card_first"),
        (DRAWN, ("As",), turn("As", 1), "position_not_drawn"),
        (Setup("printed", "standard", "third_card"), (), deal("As"), "unknown_method"),
    ],
)
def test_cards_that_cannot_be_so_are_refused_and_nothing_changes(setup, before, entries, code):
    table = Table(setup)
    if before:
        table.record(deal(*before))
    assert table.refusal(entries) == code


def test_the_refusal_of_a_card_dealt_twice_names_the_card_and_where_it_lies():
    with pytest.raises(Refused, match="Kd lies at position 2 already"):
        Table(SECOND).record(deal("As", "Kd", "Kd"))


@pytest.mark.parametrize("position", [0, 6, -1, True, 2.0, "2", None])
def test_a_position_that_is_not_one_to_five_is_not_drawn(position):
    assert Table(DRAWN).refusal_of_draw(position) == "position_out_of_range"


def test_a_position_is_drawn_once_before_any_turn_and_only_by_its_method():
    assert Table(SECOND).refusal_of_draw(2) == "position_not_for_drawing"
    assert Table(FIRST).refusal_of_draw(1) == "position_not_for_drawing"
    table = Table(DRAWN)
    table.draw(2)
    assert table.refusal_of_draw(2) == "position_already_drawn"
    turned = Table(DRAWN)
    turned.felt = Felt().after(Dealt(1, DOWN, None)).after(Turned(1, "As"))
    assert turned.refusal_of_draw(2) == "card_already_turned"


@given(
    cards=st.permutations(DECK_54).map(lambda deck: deck[:5]),
    cuts=st.sets(st.integers(1, 4)),
    setup=st.sampled_from([SECOND, FIRST, DRAWN]),
    position=st.integers(1, 5),
)
def test_cards_recorded_one_by_one_or_together_lie_the_same(cards, cuts, setup, position):
    together, apart = Table(setup), Table(setup)
    together.record(deal(*cards))
    bounds = [0, *sorted(cuts), 5]
    for start, end in pairwise(bounds):
        apart.record(deal(*cards[start:end]))
    if setup is DRAWN:
        together.draw(position)
        apart.draw(position)
    assert together.felt == apart.felt
    assert GAME.reading(together.felt, setup).shown["cards"] == list(cards)


def test_there_is_no_reading_while_a_card_is_face_down():
    table = Table(SECOND)
    table.record(deal("As", "Kd", "9h", "4c", None))
    assert GAME.reading(table.felt, SECOND) is None
    table.record([*turn("As", 1), *turn("9h", 3), *turn("4c", 4), *turn("X1", 5)])
    reading = GAME.reading(table.felt, SECOND)
    assert reading.rank == "one_pair"
    assert reading.shown == {"rank": "one_pair", "roulette_card": "Kd", "cards": list(FIVE)}
