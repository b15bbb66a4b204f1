"""`manage.py settle royal-casino`: the vectors checked elsewhere, and strictness."""

import copy
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from casino.games.lines import answers
from casino.refusal import Refused
from tests.casino.games.royal_casino.hand import GAME

VECTORS = [
    json.loads(line)
    for line in (Path(__file__).parents[3] / "facts" / "royal-casino.settle.jsonl").read_text().splitlines()
]
LINE = VECTORS[0]


def code_of(**changes):
    line = copy.deepcopy(LINE) | changes
    with pytest.raises(Refused) as refused:
        GAME.dry_run({name: value for name, value in line.items() if value is not ...})
    assert refused.value.message.endswith(".")
    return refused.value.code


def seat(**changes):
    made = LINE["seats"][0] | changes
    return {name: value for name, value in made.items() if value is not ...}


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["id"])
def test_a_round_settles_as_checked_elsewhere(vector):
    question = {name: value for name, value in vector.items() if name not in ("expect", "note")}
    assert GAME.dry_run(question) == {"id": vector["id"], **vector["expect"]}
    assert GAME.dry_run(vector) == GAME.dry_run(question)


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["id"])
def test_several_seats_at_once_settle_as_each_alone(vector):
    """Six more seats share board and bank; what they have changes nothing for the first."""
    used = {*vector["board"], *vector["bank"], *vector["seats"][0]["cards"]}
    spare = [card for card in GAME.deck if card not in used]
    others = [
        vector["seats"][0] | {"seat": number, "cards": [spare.pop(), spare.pop()], "action": action}
        for number, action in zip(range(2, 8), ("4x", "3x", "2x", "1x", "fold", "4x"), strict=True)
    ]
    answer = GAME.dry_run(vector | {"seats": [*vector["seats"], *others]})
    assert answer["seats"][0] == vector["expect"]["seats"][0]
    assert [one["seat"] for one in answer["seats"]] == [1, 2, 3, 4, 5, 6, 7]


def test_the_house_paytable_stands_in_for_one_left_out():
    without = {name: value for name, value in LINE.items() if name != "bonus_pays"}
    assert GAME.dry_run(without) == GAME.dry_run(LINE)


def test_another_blind_table_and_rounding_may_be_given():
    flush = next(vector for vector in VECTORS if vector["id"] == "G2-19")
    seats = [flush["seats"][0] | {"ante_cents": 505, "blind_cents": 505}]
    for more, cents in (({}, 1262), ({"payout_rounding_cents": 5}, 1260), ({"blind_pays": {"flush": "2/1"}}, 1515)):
        answer = GAME.dry_run(flush | {"seats": seats} | more)
        assert answer["seats"][0]["returned_cents"]["blind"] == cents


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"id": ...}, "missing_field"),
        ({"id": 1.5}, "bad_id"),
        ({"board": ...}, "missing_field"),
        ({"board": "Kh 9s 5d 3c 2h"}, "not_a_list"),
        ({"board": ["Kh", "9s", "5d", "3c"]}, "wrong_number_of_cards"),
        ({"board": ["Kh", "9s", "5d", "3c", "X1"]}, "unknown_card"),
        ({"board": ["Kh", "9s", "5d", "3c", None]}, "unknown_card"),
        ({"bank": ["Kc"]}, "wrong_number_of_cards"),
        ({"bank": ["Kc", "Kc"]}, "card_twice"),
        ({"bank": ["Kc", "Kh"]}, "card_twice"),
        ({"bank": ["As", "Qd"]}, "card_twice"),
        ({"seats": []}, "no_seats"),
        ({"seats": {}}, "not_a_list"),
        ({"seats": [seat(), seat(cards=["2s", "2d"])]}, "seat_twice"),
        ({"seats": [seat(seat=0)]}, "seat_out_of_range"),
        ({"seats": [seat(seat=8)]}, "seat_out_of_range"),
        ({"seats": [seat(seat=True)]}, "seat_out_of_range"),
        ({"seats": [seat(cards=["As"])]}, "wrong_number_of_cards"),
        ({"seats": [seat(blind_cents=999)]}, "blind_differs"),
        ({"seats": [seat(ante_cents=0, blind_cents=0)]}, "bad_stake"),
        ({"seats": [seat(ante_cents=1000.0)]}, "bad_stake"),
        ({"seats": [seat(ante_cents="1000")]}, "bad_stake"),
        ({"seats": [seat(bonus_cents=-1)]}, "bad_stake"),
        ({"seats": [seat(action="5x")]}, "unknown_action"),
        ({"seats": [seat(action="check")]}, "unknown_action"),
        ({"seats": [seat(action=None)]}, "unknown_action"),
        ({"seats": [seat(action=["4x"])]}, "unknown_action"),
        ({"seats": [seat(action=...)]}, "missing_field"),
        ({"seats": [seat(play_cents=4000)]}, "unknown_field"),
        ({"bonus_pays": {"one_pair": 1}}, "unknown_field"),
        ({"bonus_pays": {"flush": -1}}, "bad_pays"),
        ({"bonus_pays": {"flush": 7.5}}, "bad_pays"),
        ({"bonus_pays": {"flush": False}}, "bad_pays"),
        ({"bonus_pays": {"flush": 0.0}}, "bad_pays"),
        ({"bonus_pays": {"flush": "7/0"}}, "bad_pays"),
        ({"bonus_pays": [50, 40]}, "not_an_object"),
        ({"payout_rounding_cents": 0}, "bad_rounding"),
        ({"progressive": {}}, "missing_field"),
        ({"progressive": {"tiers": "literal", "meter_cents": 1}}, "unknown_tiers"),
        ({"progressive": {"tiers": "tiered", "meter_cents": -1}}, "bad_meter"),
        ({"progressive": {"tiers": "tiered", "meter_cents": 1, "reset_cents": 1.5}}, "bad_meter"),
        ({"seats": [seat(progressive_cents=100)]}, "progressive_missing"),
        ({"seats": [seat(progressive_cents=200)]}, "progressive_stake"),
        ({"seats": [seat(progressive_cents=None)]}, "progressive_stake"),
        ({"seats": [seat(progressive_cents=-100)]}, "progressive_stake"),
    ],
)
def test_a_line_that_is_not_a_round_is_refused(changes, code):
    assert code_of(**changes) == code


def test_a_bad_line_is_answered_and_the_run_goes_on(tmp_path):
    path = tmp_path / "rounds.jsonl"
    bad = LINE | {"id": "bad", "seats": [seat(blind_cents=1)]}
    path.write_text("\n".join(json.dumps(line) for line in (LINE, bad, VECTORS[1])))
    with path.open("rb") as file:
        found = list(answers(GAME, file))
    assert [line["id"] for line in found] == [LINE["id"], "bad", VECTORS[1]["id"]]
    assert found[1]["error"]["code"] == "blind_differs"


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text() | st.sampled_from(["As", "4x"]),
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=8,
)


@given(field=st.sampled_from([*LINE, "blind_pays", "payout_rounding_cents", "progressive"]), value=JSON)
def test_whatever_stands_in_a_field_the_line_is_answered_or_refused(field, value):
    answered_or_refused(LINE | {field: value})


@given(field=st.sampled_from([*LINE["seats"][0], "progressive_cents"]), value=JSON)
def test_whatever_stands_in_a_field_of_a_seat_the_line_is_answered_or_refused(field, value):
    answered_or_refused(LINE | {"seats": [seat(**{field: value})]})


def answered_or_refused(line):
    try:
        answer = GAME.dry_run(line)
    except Refused as refused:
        answer = {"error": refused.message}
    assert answer.get("error", ".").endswith(".")
    assert answer.get("bank_rank", "one_pair") == "one_pair"
