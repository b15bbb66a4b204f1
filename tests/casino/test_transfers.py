"""What a session's fills and credits make of its close and of its tray."""

import pytest

from casino import profile, slips
from casino.refusal import Refused
from casino.session import close_table
from casino.transfers import check_none_open, credit_warnings, offered_chips, open_transfers, typed_chips
from tests.counts import counted
from tests.slip_story import CHIPS, EVE, Story, refused

# ------------------------------------------------------------------------------------------------- the session


def test_an_open_slip_blocks_the_close_until_it_is_ended() -> None:
    story = Story().request()
    closer = counted(5_000_000)
    assert (
        refused(lambda: close_table(story.session, "R-01", 0, closer, profile.load("maryland"), "ana")).code
        == "slip_open"
    )
    story.prepare().signed_by("cage")
    assert [one.number for one in open_transfers(story.session)] == [1]
    said = refused(lambda: check_none_open(story.session))
    assert said.message == (
        "Fill slip 17 (in transit) of table R-01 still waits for signatures; finish, void or withdraw it first."
    )
    story.signed_by("security", "dealer", "floor")
    assert open_transfers(story.session) == []
    assert close_table(story.session, "R-01", 0, closer, profile.load("maryland"), "ana")


def test_a_withdrawn_request_and_a_void_slip_block_nothing() -> None:
    story = Story().request()
    story.tell(slips.withdraw(story.transfer, EVE, "Not needed"))
    story.request().prepare().void()
    check_none_open(story.session)


def test_a_request_offers_the_usual_chips_and_whatever_lies_in_the_tray() -> None:
    usual = [500_000, 100_000, 50_000, 10_000, 2_500, 500, 100]
    assert offered_chips(None) == usual
    assert offered_chips({10_000: 0, 25_000: 500_000}) == [500_000, 100_000, 50_000, 25_000, 10_000, 2_500, 500, 100]


def test_chips_are_read_as_a_form_has_them() -> None:
    form = {"chips_2500": " 40 ", "chips_100": "", "chips_500": "0", "chips_x": "3", "first": "Ana"}
    assert typed_chips(form, "chips") == {"2500": 100_000}


@pytest.mark.parametrize("text", ["x", "-1", "1.5", "١", "100001", "0" * 9 + "7", "0" * 9 + "9" * 5_000])
def test_what_is_no_number_of_chips_is_refused(text: str) -> None:
    with pytest.raises(Refused, match="is not a number of chips"):
        typed_chips({"chips_2500": text}, "chips")


def test_a_credit_over_the_tray_is_warned_of_and_never_refused() -> None:
    tray = {10_000: 400_000, 2_500: 250_000}
    assert credit_warnings({"2500": 250_000}, tray, 650_000) == []
    assert credit_warnings(CHIPS, None, None) == []
    said = credit_warnings(CHIPS, tray, 650_000)
    assert said == [
        "The tray had 4,000.00 in chips of 100.00 as last counted ± fills and credits, and 5,000.00 of them are to "
        "leave it.",
        "The credit of 7,500.00 is more than is expected in the tray, 6,500.00.",
    ]
