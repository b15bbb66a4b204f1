"""A late bet at the terminal: offered while it may go back, given back by two people, and seen afterwards."""

import re

from casino.commands import settlement
from tests.casino.test_terminal import CARDS, EVE, Presses, dan, holdem, staff, text_of
from tests.played import DAN, PASSWORD

__all__ = ["dan", "holdem", "staff"]

LATE = {"reason": "It came after the call.", "approver": EVE, "password": PASSWORD}


def offered(terminal: Presses) -> list[str]:
    """The choices of the form."""
    form = re.search(r'<details class="void" id="late">.*?</details>', terminal.look().content.decode(), re.DOTALL)
    found = re.findall(r'<option value="(\d+)">([^<]*)', form[0]) if form else []
    return [f"{number} {words}" for number, words in found]


def test_a_late_bet_is_offered_given_back_and_shown(dan: Presses) -> None:
    assert offered(dan) == []
    dan.press("bets", wagers="3 colour:red 500\n4 flush 100")
    assert offered(dan) == ["1 Seat 3: colour red 5", "2 Seat 4: flush 1"]
    answer = dan.press("late", **LATE, number="1")
    assert (answer.status_code, dan.step()) == (200, "cards")
    assert "Late, given back: 3 colour red 5.00" in text_of(answer)
    (late,) = dan.round.late
    assert (late.requested_by, late.approved_by) == (DAN, EVE)
    dan.press("cards", cards="?Kd???")
    assert offered(dan) == ["2 Seat 4: flush 1"]
    dan.press("cards", cards="As9c4h2s")
    assert offered(dan) == []
    settlement.settle_due()
    said = text_of(dan.client.get(f"/rounds/R-01/{dan.round.id.gaming_date}/4/"))
    assert "Late bet of seat 3 given back 5.00 on colour red, which came after “no more bets”" in said
    assert "Asked for by dan, approved by eve." in said
    sentence = "Late bet of seat 3 voided, 5.00 on colour red given back (asked by dan, approved by eve): It came after"
    assert sentence in said


def test_a_hand_of_hold_em_is_offered_whole_and_its_bonus_alone(holdem: Presses) -> None:
    holdem.press("open")
    holdem.press("bets", wagers="2 ante 500\n2 blind 500\n5 ante 500\n5 blind 500\n5 bonus 100")
    assert offered(holdem) == [
        "1 Seat 2: ante 5, blind 5",
        "3 Seat 5: ante 5, blind 5, bonus 1",
        "5 Seat 5: bonus 1",
    ]
    holdem.press("cards", cards="??????")
    assert offered(holdem) == ["5 Seat 5: bonus 1"]


def test_a_late_bet_without_a_proper_second_stays(dan: Presses) -> None:
    dan.press("bets", wagers="3 colour:red 500")
    for form, code in (
        ({"password": "wrong"}, "approval_wrong"),
        ({"approver": ""}, "approval_missing"),
        ({"approver": DAN}, "same_person"),
        ({"reason": " "}, "reason_missing"),
        ({"number": ""}, "no_such_wager"),
        ({"number": "x"}, "no_such_wager"),
    ):
        assert dan.press("late", **({"number": "1"} | LATE | form)).headers["X-Refused"] == code
    dan.press("cards", cards=CARDS)
    assert dan.press("late", **LATE, number="1").headers["X-Refused"] == "wager_decided"
    assert len(dan.round.wagers) == 1
