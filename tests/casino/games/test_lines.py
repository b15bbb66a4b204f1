import io
import json

import pytest

from casino.games import game
from casino.games.lines import LONGEST_LINE_BYTES, answers

GAME = game("54-card-roulette")
GOOD = json.dumps({"id": "good", "cards": ["As", "Kd", "9h", "4c", "2s"], "wagers": []}).encode()
ANSWER = {"id": "good", "rank": "high_card", "lines": []}


def answered(content):
    return list(answers(GAME, io.BytesIO(content)))


@pytest.mark.parametrize(
    ("bad", "identity", "code"),
    [
        (b"nonsense", None, "malformed_json"),
        (b'{"id": "x"', None, "malformed_json"),
        (b'{"id": "x", "cards": NaN}', "x", "malformed_json"),
        (b'{"id": 7, "cards": -Infinity}', 7, "malformed_json"),
        (b'{"id": NaN, "cards": []}', None, "malformed_json"),
        (b'{"id": ' + b"1" * 5000 + b"}", None, "malformed_json"),
        (b"[" * 100_000, None, "malformed_json"),
        (b'{"id": "\xff"}', None, "not_utf8"),
        (b"[1, 2]", None, "not_an_object"),
        (b'"text"', None, "not_an_object"),
        (b"7", None, "not_an_object"),
        (b"null", None, "not_an_object"),
        (b'{"id": "x", "id": "y"}', None, "field_twice"),
        (b'{"id": "x", "wagers": [{"seat": 1, "seat": 2}]}', "x", "field_twice"),
        (b'{"id": "x", "cards": [], "cards": []}', "x", "field_twice"),
        (b'{"id": "x"}', "x", "missing_field"),
        (b'{"id": 12}', 12, "missing_field"),
        (b'{"id": [1]}', None, "missing_field"),
        (b'{"cards": []}', None, "missing_field"),
        (b'{"id": "' + b"x" * LONGEST_LINE_BYTES + b'"}', None, "line_too_long"),
    ],
)
def test_a_bad_line_is_answered_with_an_error_and_the_run_goes_on(bad, identity, code):
    before, answer, after = answered(GOOD + b"\n" + bad + b"\n" + GOOD)
    assert before == after == ANSWER
    assert (answer["id"], answer["line"], answer["error"]["code"]) == (identity, 2, code)
    assert answer["error"]["message"].endswith(".")
    assert len(answer["error"]["message"]) < 400


def test_a_labyrinth_of_brackets_is_refused_at_any_depth():
    for depth in range(900, 1000):
        nested = b'{"id": "x", "wagers": ' + b"[" * depth + b"]" * depth + b', "cards": []}'
        (answer,) = answered(nested)
        assert answer["error"]["code"] in ("malformed_json", "not_five_cards")


def test_a_blank_line_between_rounds_is_answered_and_after_the_last_one_it_is_the_end_of_the_file():
    first, second, good, third, last = answered(b"\n  \n" + GOOD + b"\r\n\r\n" + GOOD + b"\n\n \n")
    assert good == last == ANSWER
    assert [(one["id"], one["line"], one["error"]["code"]) for one in (first, second, third)] == [
        (None, 1, "blank_line"), (None, 2, "blank_line"), (None, 4, "blank_line"),
    ]  # fmt: skip


def test_an_empty_file_has_no_answers():
    assert answered(b"") == []


def test_the_lines_are_answered_one_by_one_as_they_are_read():
    file = io.BytesIO((GOOD + b"\n") * 3)
    first = next(answers(GAME, file))
    assert first == ANSWER
    assert file.tell() == len(GOOD) + 1


def test_the_refusal_of_a_repeated_field_names_it():
    (answer,) = answered(b'{"cards": [], "id": "x", "id": "y"}')
    assert answer["error"]["message"] == "The field 'id' is given twice; give it once."
