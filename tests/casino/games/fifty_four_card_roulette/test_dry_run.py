import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from casino.games import game
from casino.refusal import Refused

FACTS = Path(__file__).parents[3] / "facts"
GAME = game("54-card-roulette")
CHECKED = [
    json.loads(line)
    for name in ("settle", "split")
    for line in (FACTS / f"54-card-roulette.{name}.jsonl").read_text(encoding="utf-8").splitlines()
]

CARDS = ["As", "Kd", "9h", "4c", "2s"]
RED = {"seat": 1, "wager": "colour:red", "stake_cents": 100}
PROGRESSIVE = {"seat": 1, "wager": "progressive", "stake_cents": 100}
TIERED = {"tiers": "tiered", "meter_cents": 1_000_000}


def line(**changes):
    whole = {"id": "R1", "cards": CARDS, "wagers": [RED], **changes}
    return {name: value for name, value in whole.items() if value is not ...}


@pytest.mark.parametrize("checked", CHECKED, ids=lambda checked: checked["id"])
def test_a_round_reckoned_by_hand_is_answered_as_expected(checked):
    assert GAME.dry_run(checked) == {"id": checked["id"], **checked["expect"]}


def test_the_second_card_is_the_roulette_card_where_the_line_does_not_say():
    assert GAME.dry_run(line())["lines"] == [{"wager": "colour:red", "result": "win", "returned_cents": 200}]
    assert GAME.dry_run(line(roulette_position=1))["lines"][0]["result"] == "lose"


def test_lines_come_in_the_order_received_and_name_the_wager_as_received():
    wagers = ["flush", "split:Ks+As", "progressive", "split:As+Ks", "straight"]
    given = [{"seat": 1, "wager": wager, "stake_cents": 100} for wager in wagers]
    answer = GAME.dry_run(line(wagers=given, progressive=TIERED))
    assert [row["wager"] for row in answer["lines"]] == ["flush", "split:Ks+As", "split:As+Ks", "straight"]


def test_lines_are_left_out_only_where_every_wager_is_progressive():
    assert GAME.dry_run(line(wagers=[]))["lines"] == []
    assert "lines" not in GAME.dry_run(line(wagers=[PROGRESSIVE], progressive=TIERED))


def test_a_meter_that_nobody_plays_for_pays_nothing_even_when_the_hand_would_win_it():
    answer = GAME.dry_run(line(cards=["9d", "8d", "7d", "6d", "X1"], progressive=TIERED))
    assert answer["jackpot"] == {"share_cents": 0, "paid_cents": 0, "meter_after_cents": 1_000_000}


def test_an_empty_meter_is_shared_as_nothing():
    meter = {"tiers": "literal", "meter_cents": 0}
    answer = GAME.dry_run(line(cards=["9d", "8d", "7d", "6d", "X1"], wagers=[PROGRESSIVE], progressive=meter))
    assert answer["jackpot"] == {"share_cents": 0, "paid_cents": 0, "meter_after_cents": 0}


def test_an_id_may_be_a_number_and_a_note_changes_nothing():
    assert GAME.dry_run(line(id=7, note="a quiet round")) == {**GAME.dry_run(line()), "id": 7}


def wager(**changes):
    whole = {**RED, **changes}
    return [{name: value for name, value in whole.items() if value is not ...}]


REFUSALS = [
    (line(id=...), "missing_field", "no id"),
    (line(cards=...), "missing_field", "no cards"),
    (line(wagers=...), "missing_field", "no wagers"),
    (line(dealer="Ana"), "unknown_field", "'dealer'"),
    (line(id=None), "bad_id", "null"),
    (line(id=True), "bad_id", "true"),
    (line(id=["R1"]), "bad_id", "R1"),
    (line(cards="As Kd 9h 4c 2s"), "not_a_list", "cards must be a list"),
    (line(cards=CARDS[:4]), "not_five_cards", "4 cards"),
    (line(cards=[*CARDS, "3s"]), "not_five_cards", "6 cards"),
    (line(cards=["As", "Kd", "9h", "4c", "As"]), "card_twice", "As lies at position 1"),
    (line(cards=["As", "Kd", "9h", "4c", "10s"]), "unknown_card", "'10s'"),
    (line(cards=["As", "Kd", "9h", "4c", None]), "unknown_card", "null"),
    (line(cards=["As", "Kd", "9h", "4c", ["2s"]]), "unknown_card", "2s"),
    (line(roulette_position=0), "position_out_of_range", "0"),
    (line(roulette_position=6), "position_out_of_range", "6"),
    (line(roulette_position=True), "position_out_of_range", "true"),
    (line(roulette_position=2.0), "position_out_of_range", "2.0"),
    (line(roulette_position="2"), "position_out_of_range", "'2'"),
    (line(roulette_position=None), "position_out_of_range", "null"),
    (line(wagers={"seat": 1}), "not_a_list", "wagers must be a list"),
    (line(wagers="flush"), "not_a_list", "wagers must be a list"),
    (line(wagers=["flush"]), "not_an_object", "Wager 1 is 'flush'"),
    (line(wagers=[None]), "not_an_object", "Wager 1 is null"),
    (line(wagers=[RED, *wager(seat=...)]), "missing_field", "Wager 2 has no seat"),
    (line(wagers=wager(wager=...)), "missing_field", "no wager"),
    (line(wagers=wager(stake_cents=...)), "missing_field", "no stake_cents"),
    (line(wagers=wager(stake=100)), "unknown_field", "'stake'"),
    (line(wagers=wager(seat=0)), "seat_out_of_range", "from 1 to 8"),
    (line(wagers=wager(seat=9)), "seat_out_of_range", "9"),
    (line(wagers=wager(seat=True)), "seat_out_of_range", "true"),
    (line(wagers=wager(seat="1")), "seat_out_of_range", "'1'"),
    (line(wagers=wager(stake_cents=0)), "bad_stake", "The stake of wager 1 is 0"),
    (line(wagers=wager(stake_cents=-100)), "bad_stake", "-100"),
    (line(wagers=wager(stake_cents=100.0)), "bad_stake", "100.0"),
    (line(wagers=wager(stake_cents=1.5)), "bad_stake", "1.5"),
    (line(wagers=wager(stake_cents="100")), "bad_stake", "'100'"),
    (line(wagers=wager(stake_cents=True)), "bad_stake", "true"),
    (line(wagers=wager(stake_cents=None)), "bad_stake", "null"),
    (line(wagers=wager(stake_cents=10**11 + 1)), "bad_stake", "100,000,000,000"),
    (line(wagers=wager(stake_cents=10**400)), "bad_stake", "100,000,000,000"),
    (line(wagers=wager(wager="full_house")), "unknown_wager", "full_house"),
    (line(wagers=wager(wager="split:As+Qs")), "cards_do_not_touch", "As and Qs"),
    (line(wagers=wager(wager=None)), "unknown_wager", "null"),
    (line(wagers=[PROGRESSIVE]), "progressive_missing", "tiers and meter_cents"),
    (line(wagers=[PROGRESSIVE, PROGRESSIVE], progressive=TIERED), "second_progressive", "Seat 1"),
    (line(wagers=[{**PROGRESSIVE, "stake_cents": 200}], progressive=TIERED), "progressive_stake", "200"),
    (line(progressive=None), "not_an_object", "progressive is null"),
    (line(progressive={"tiers": "tiered"}), "missing_field", "no meter_cents"),
    (line(progressive={**TIERED, "seed_cents": 1}), "unknown_field", "'seed_cents'"),
    (line(progressive={**TIERED, "tiers": "generous"}), "unknown_tiers", "tiered, literal"),
    (line(progressive={**TIERED, "tiers": ["tiered"]}), "unknown_tiers", "tiered"),
    (line(progressive={**TIERED, "meter_cents": -1}), "bad_meter", "-1"),
    (line(progressive={**TIERED, "meter_cents": 1.0}), "bad_meter", "1.0"),
    (line(progressive={**TIERED, "meter_cents": "1"}), "bad_meter", "'1'"),
]


@pytest.mark.parametrize(("bad", "code", "words"), REFUSALS)
def test_a_line_that_cannot_be_settled_is_refused_with_the_reason(bad, code, words):
    with pytest.raises(Refused) as refused:
        GAME.dry_run(bad)
    assert refused.value.code == code
    assert words in refused.value.message
    assert refused.value.message.endswith(".")


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False)
    | st.text()
    | st.sampled_from(["As", "flush"]),
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=8,
)


@given(field=st.sampled_from(["id", "cards", "wagers", "roulette_position", "progressive"]), value=JSON)
def test_whatever_stands_in_a_field_the_line_is_answered_or_refused(field, value):
    try:
        answer = GAME.dry_run(line(**{field: value}))
    except Refused as refused:
        answer = {"error": refused.message}
    assert answer.get("error", ".").endswith(".")
    assert answer.get("rank", "high_card") == "high_card"
