"""The end of a round at the terminal: what is paid, what goes back, and what was paid otherwise."""

from casino.commands import settlement
from casino.eventstore import history
from casino.eventstore.follower import catch_up
from casino.keys import round_key
from tests.casino.test_terminal import CARDS, Presses, dan, holdem, staff, text_of
from tests.played import DAN, Played

__all__ = ["dan", "holdem", "staff"]


def test_what_the_dealer_did_pay_is_recorded_where_it_differs(dan: Presses) -> None:
    dan.press("bets", wagers="3 colour:red 500")
    dan.press("cards", cards=CARDS)
    settlement.settle_due()
    answer = dan.press("payout", number="1", paid="10.75")
    assert "paid 10.75" in text_of(answer)
    assert dan.round.paid == {1: 1_075}
    catch_up()
    entry = history.of_stream(round_key("demo", dan.round.id))[-1]
    assert entry.content == {
        "by": DAN, "due_cents": 1_000, "number": 1, "paid_before_cents": 1_000, "paid_cents": 1_075, "seat": 3,
        "wager": "colour:red",
    }  # fmt: skip


def test_an_earlier_rounds_payout_is_recorded_on_its_recall(dan: Presses, played: Played) -> None:
    form = {"round": str(played.round(1)), "number": "1", "paid": "9", "recalled": "1"}
    answer = dan.client.post("/tables/R-01/terminal/payout/", form, headers={"Idempotency-Key": "late"})
    assert "RECALLED" in text_of(answer)
    assert "paid 9.00" in text_of(answer)
