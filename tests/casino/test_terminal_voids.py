"""A void and a misdeal at the terminal: two people by name, the evidence kept, and nobody guessed at."""

import re

import pytest

from casino.eventstore import history
from casino.keys import round_key
from tests.casino.test_terminal import EVE, Presses, dan, holdem, staff, text_of
from tests.played import ANA, BEN, DAN, PASSWORD

__all__ = ["dan", "holdem", "staff"]

VOID = {"reason": "Nobody plays.", "approver": EVE, "password": PASSWORD}


def test_a_void_names_who_asked_and_who_approved(dan: Presses) -> None:
    dan.press("place", wagers="3 colour:red 500")
    answer = dan.press("void", **VOID)
    assert answer.status_code == 200
    voided = dan.round.voided
    assert voided is not None
    assert (voided.requested_by, voided.approved_by, len(voided.refunds)) == (DAN, EVE, 1)
    assert "Asked for by dan, approved by eve." in text_of(answer)
    said = text_of(dan.client.get(f"/rounds/R-01/{dan.round.id.gaming_date}/4/"))
    assert "Round voided (asked by dan, approved by eve): Nobody plays." in said


def test_a_misdeal_keeps_the_offending_card_and_takes_a_second_too(dan: Presses) -> None:
    dan.press("bets", wagers="", without_wagers="yes")
    page = dan.press("cards", cards="?Kd?").content.decode()
    assert [name for _, name in re.findall(r'<option value="(\d+)">(card \d)</option>', page)] == [
        "card 1", "card 2", "card 3", "card 4", "card 5",
    ]  # fmt: skip
    answer = dan.press("void", **VOID, misdeal="yes", card="kd", lies_at="3")
    assert answer.status_code == 200
    entries = history.of_stream(round_key("demo", dan.round.id))
    evidence = next(entry.content for entry in entries if entry.type == "misdeal_declared")
    assert (evidence["card"], evidence["card_position"]) == ("Kd", 3)
    assert dan.round.voided.approved_by == EVE


@pytest.mark.parametrize(
    ("form", "code", "sentence"),
    [
        ({"card": "Kd"}, "evidence_without_misdeal", "tick Misdeal, or leave both fields empty"),
        ({"lies_at": "3"}, "evidence_without_misdeal", "tick Misdeal, or leave both fields empty"),
        ({"misdeal": "yes", "card": "Kd", "lies_at": "abc"}, "odd_position", "'abc' is no position"),
        ({"misdeal": "yes", "card": "Kd", "lies_at": "0"}, "odd_position", "'0' is no position"),
        ({"misdeal": "yes", "card": "KdQd"}, "odd_evidence", "'KdQd' is not one card by its name"),
        ({"misdeal": "yes", "card": "?"}, "odd_evidence", "'?' is not one card by its name"),
        ({"misdeal": "yes", "card": "king"}, "odd_cards", "can't be read as cards"),
        ({"reason": "x" * 501}, "reason_too_long", "The reason has 501 letters and is kept whole; say it in 500."),
    ],
)
def test_what_is_given_to_a_void_is_kept_or_refused_and_never_dropped(dan, form, code: str, sentence: str) -> None:
    answer = dan.press("void", **(VOID | form))
    assert (answer.headers["X-Refused"], answer.status_code) == (code, 422)
    assert sentence in answer.content.decode()
    assert dan.round.voided is None


@pytest.mark.parametrize(
    ("by", "form", "code", "status"),
    [
        (DAN, {"approver": "", "password": ""}, "approval_missing", 422),
        (DAN, {"approver": EVE, "password": "wrong"}, "approval_wrong", 403),
        (DAN, {"approver": "nobody", "password": PASSWORD}, "approval_wrong", 403),
        (DAN, {"approver": DAN, "password": PASSWORD}, "same_person", 403),
        (DAN, {"approver": BEN, "password": PASSWORD}, "approver_role", 403),
        (ANA, {"approver": ANA, "password": PASSWORD}, "same_person", 403),
        (DAN, {"reason": " "}, "reason_missing", 422),
    ],
)
def test_a_void_without_a_proper_second_is_refused(dan, client_of, by: str, form, code: str, status: int) -> None:
    answer = Presses(client_of(by), "R-01").press("void", **(VOID | form))
    assert (answer.headers["X-Refused"], answer.status_code) == (code, status)
    assert dan.round.voided is None


def test_an_approver_is_not_guessed_at(dan: Presses) -> None:
    answers = [dan.press("void", **(VOID | {"password": "wrong"})) for _ in range(5)]
    assert "Too many wrong passwords for 'eve'; try again in 15 minutes." in answers[-1].content.decode()
    assert dan.press("void", **VOID).headers["X-Refused"] in ("approver_locked", "approval_wrong")
    assert dan.round.voided is None
