"""What the dealer did pay on a settled wager, over HTTP."""

from casino.commands import settlement

CARDS = ["As", "Kd", "9c", "4h", "2s"]


def settled(playing) -> None:
    """Seat 1's 500 on red wins 500: 1,000 are due."""
    playing.bet((1, "colour:red", 500))
    deal(playing)


def deal(playing) -> None:
    playing.on_round("close-bets")
    playing.on_round("cards", {"cards": CARDS})
    settlement.settle_due()


def test_a_difference_is_recorded_and_answered(playing) -> None:
    settled(playing)
    answer = playing.on_round("payouts", {"number": 1, "paid_cents": 1_075}, key="paid")
    assert answer.status_code == 201, answer.json()
    assert answer.json()["payouts"] == [{"number": 1, "paid_cents": 1_075}]
    again = playing.on_round("payouts", {"number": 1, "paid_cents": 1_075}, key="paid")
    assert (again.status_code, again.json()["replayed"]) == (200, True)


def test_nothing_is_recorded_where_nothing_differs_or_nothing_is_settled(playing) -> None:
    none = playing.on_round("payouts", {"number": 1, "paid_cents": 0})
    assert (none.status_code, none.json()["code"]) == (422, "no_such_wager")
    playing.bet((1, "colour:red", 500))
    early = playing.on_round("payouts", {"number": 1, "paid_cents": 0})
    assert (early.status_code, early.json()["code"]) == (409, "not_settled")
    deal(playing)
    same = playing.on_round("payouts", {"number": 1, "paid_cents": 1_000})
    assert (same.status_code, same.json()["code"]) == (409, "payout_as_recorded")
    below = playing.on_round("payouts", {"number": 1, "paid_cents": -1})
    assert (below.status_code, below.json()["code"]) == (422, "bad_payout")
    assert playing.read()["payouts"] == []
