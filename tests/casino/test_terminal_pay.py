"""The end of a round at the terminal: what is paid, what goes back, and what was paid otherwise."""

from casino.commands import settlement
from casino.eventstore import history
from casino.eventstore.follower import catch_up
from casino.keys import round_key
from tests.casino.test_terminal import CARDS, Presses, dan, holdem, staff, text_of
from tests.played import DAN, Played

__all__ = ["dan", "holdem", "staff"]


def test_a_seat_is_told_what_to_pay_which_stakes_go_back_and_what_is_taken(dan: Presses) -> None:
    dan.press("bets", wagers="3 split:As+Ks 2500\n3 colour:red 500\n5 rank:K 200\n2 suit:s 700\n2 flush 100")
    said = text_of(dan.press("cards", cards=CARDS))
    assert "Pay: roulette 29.00 stakes back 7.00 · take 32.00" in said
    assert "2 nothing to pay take 7.00 suit ♠ 7 lost" in said
    assert "3 pay 5.00 stake back 5.00 · take 25.00 split A♠ K♠ 25 lost colour red 5 pays 5.00" in said
    assert "5 pay 24.00 stake back 2.00 rank K 2 pays 24.00" in said
    assert "Pay: poker 0.00 stakes back 0.00 · take 1.00 2 nothing to pay take 1.00 flush 1 lost" in said
    assert "Pay 3 5.00 stakes back 5.00 5 24.00 stakes back 2.00" in said


def test_a_push_is_a_stake_back_and_nothing_paid(holdem: Presses) -> None:
    holdem.press("open")
    holdem.press("bets", wagers="2 ante 1000\n2 blind 1000")
    for action, form in (
        ("cards", {"cards": "????"}), ("decide", {"moves": "c"}), ("cards", {"cards": "AhKhQh"}),
        ("decide", {"moves": "c"}), ("cards", {"cards": "JhTh"}), ("decide", {"moves": "1"}),
    ):  # fmt: skip
        holdem.press(action, **form)
    said = text_of(holdem.press("cards", cards="2c3d4c5d"))
    assert "Bank: Royal flush" in said
    assert "2 nothing to pay stake back 30.00 ante 10 stake back blind 10 stake back play 10 stake back" in said


def test_the_progressive_is_shown_for_each_seat_hit_or_not(dan: Presses) -> None:
    dan.press("bets", wagers="1 progressive 100\n4 progressive 100")
    dan.press("count", count="2")
    said = text_of(dan.press("cards", cards=CARDS))
    assert "Progressive 1 no hit 1.00 collected before the deal 4 no hit 1.00 collected before the deal" in said
    dan.press("open")
    dan.press("bets", wagers="1 progressive 100")
    dan.press("count", count="1")
    said = text_of(dan.press("cards", cards="9hThJhX1Qh"))
    assert "Progressive 1 hit: straight flush not paid at the table yet: the floor verifies it first" in said


def test_the_roulette_card_is_marked_and_only_a_bank_is_called_one(dan: Presses) -> None:
    dan.press("bets", wagers="3 colour:red 500")
    said = text_of(dan.press("cards", cards=CARDS))
    assert "A♠ card 1 K♦ Roulette Card 9♣ card 3" in said
    assert "Bank:" not in said


def test_a_payout_is_typed_with_the_stake_and_told_so(dan: Presses) -> None:
    dan.press("bets", wagers="3 colour:red 500\n4 suit:s 300\n5 progressive 100")
    dan.press("count", count="1")
    dan.press("cards", cards=CARDS)
    settlement.settle_due()
    said = text_of(dan.look())
    assert "Seat 3, colour red: due 10.00 = stake 5.00 + 5.00 paid Seat 4, suit ♠: lost went back in all" in said
    assert dan.press("payout", number="3", paid="1").headers["X-Refused"] == "paid_by_meter"
    again = dan.press("payout", number="1", paid="10")
    assert "Wager 1 is on record with 10.00 gone back, stake included" in again.content.decode()


def test_what_the_dealer_did_pay_is_recorded_where_it_differs(dan: Presses) -> None:
    dan.press("bets", wagers="3 colour:red 500")
    dan.press("cards", cards=CARDS)
    settlement.settle_due()
    answer = dan.press("payout", number="1", paid="10.75")
    assert "10.75 went back in all, due 10.00" in text_of(answer)
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
    assert "9.00 went back in all, due 10.00" in text_of(answer)
