import pytest

from casino.games.cards import DECK_52, DECK_54, card, quoted
from casino.refusal import Refused

LOOK_ALIKES = ["as", "AS", "aS", "x1", "X3", "X", "10h", "1s", "Ax", " As", "As ", "As\n", "", "A", "AsKd"]
OTHER_ALPHABETS = ["A♠", "Аs", "Ａs"]


def test_the_deck_is_two_jokers_and_fifty_two_cards():
    assert DECK_54[:6] == ("X1", "X2", "As", "Ah", "Ad", "Ac")
    assert DECK_54[-1] == "2c"
    assert len(set(DECK_54)) == 54
    assert DECK_54[2:] == DECK_52


@pytest.mark.parametrize("name", DECK_54)
def test_a_card_of_the_deck_is_itself(name):
    assert card(name, DECK_54) == name


@pytest.mark.parametrize("text", [*LOOK_ALIKES, *OTHER_ALPHABETS, None, 7, ["As"], {"card": "As"}])
def test_what_only_looks_like_a_card_is_refused(text):
    with pytest.raises(Refused, match="There is no card") as refused:
        card(text, DECK_54)
    assert refused.value.code == "unknown_card"


def test_a_joker_is_no_card_of_the_deck_without_jokers():
    with pytest.raises(Refused) as refused:
        card("X1", DECK_52)
    assert "X1" not in refused.value.message.split(";")[1]


@pytest.mark.parametrize("value", ["A" * 10_000, ["A"] * 10_000, 10**4_000, {"a": {"b": {"c": ["d"] * 99}}}])
def test_a_refusal_quotes_a_novel_in_short(value):
    assert len(quoted(value)) < 100


@pytest.mark.parametrize(
    ("value", "shown"),
    [("As", "'As'"), (True, "true"), (None, "null"), (["4x"], '["4x"]'), ({"seat": 1}, '{"seat": 1}'), (7, "7")],
)
def test_a_refusal_quotes_a_value_as_it_was_sent(value, shown):
    assert quoted(value) == shown
