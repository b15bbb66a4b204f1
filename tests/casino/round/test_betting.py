"""Wagers until no more bets, without a database: which refusal wins, and what is marked."""

from datetime import date

import pytest

from casino import events as e
from casino.eventstore.registry import Event
from casino.keys import RoundId
from casino.refusal import Refused
from casino.round import betting
from casino.round.betting import Asked
from casino.round.state import Round, evolve, round_of

ID = RoundId("R-01", date(2026, 11, 29), 1)
TERMS = e.SideBetTerms(
    link="main", stake_cents=100, increment_bp=6500, hidden_bp=1000, tiers={"royal_flush": "1"},
    odd_cents="odd_cents_stay_in_meter",
)  # fmt: skip


def opened(off_limits: str = "warn", with_progressive: bool = True) -> Round:
    event = e.RoundOpened(
        table="R-01", session="s", game="54-card-roulette", paytable="printed", layout="standard",
        method="second_card", seats=6, limits={"colour": e.Limits(500, 10_000)}, round_payout_max_cents=1_000_000,
        off_limits=off_limits, side_bets={"progressive": TERMS} if with_progressive else {}, recorded_by="terminal",
    )  # fmt: skip
    return round_of(ID, [event])


def after(round_: Round, events: list[Event]) -> Round:
    for event in events:
        round_ = evolve(round_, event)
    return round_


def code_of(round_: Round, *asked: Asked) -> str:
    with pytest.raises(Refused) as refusal:
        betting.place_wagers(round_, asked)
    assert refusal.value.message.endswith(".")
    return refusal.value.code


def test_the_refusals_of_a_wager_come_in_one_order() -> None:
    """Each wager has every fault of those below it; the round's own state wins, then the wager, the seat, the stake."""
    closed = after(opened(), betting.close_bets(opened()))
    assert code_of(closed, Asked(99, "nonsense", -1)) == "no_more_bets"
    assert code_of(opened(), Asked(99, "nonsense", -1)) == "unknown_wager"
    assert code_of(opened(with_progressive=False), Asked(99, "progressive", -1)) == "side_bet_not_offered"
    assert code_of(opened(), Asked(99, "colour:red", -1)) == "seat_out_of_range"
    placed = after(opened(), betting.place_wagers(opened(), [Asked(1, "progressive", 100)]))
    assert code_of(placed, Asked(1, "progressive", -1)) == "second_progressive"
    assert code_of(opened(), Asked(1, "colour:red", -1)) == "stake_not_positive"
    assert code_of(opened("refuse"), Asked(1, "colour:red", 10_001)) == "over_maximum"
    assert code_of(opened("refuse"), Asked(1, "colour:red", 499)) == "under_minimum"


def test_one_bad_wager_among_good_ones_places_none() -> None:
    assert code_of(opened(), Asked(1, "colour:red", 500), Asked(1, "colour:red", 0)) == "stake_not_positive"


@pytest.mark.parametrize(
    ("wager", "stake", "marks"),
    [
        ("colour:red", 500, []),
        ("colour:red", 10_000, []),
        ("colour:red", 499, ["under_minimum"]),
        ("colour:red", 10_001, ["over_maximum"]),
        ("royal_flush", 33, []),  # 33 × 30,000 = 990,000
        ("royal_flush", 34, ["payout_over_maximum"]),  # 34 × 30,000 = 1,020,000
    ],
)
def test_a_wager_off_the_limits_is_taken_and_marked(wager: str, stake: int, marks: list[str]) -> None:
    (event,) = betting.place_wagers(opened(), [Asked(1, wager, stake)])
    assert isinstance(event, e.WagerPlaced)
    assert event.exceptions == marks


def test_a_wager_is_stored_in_one_spelling_and_kept_as_given() -> None:
    (event,) = betting.place_wagers(opened(), [Asked(2, "corner:Kh+As+Ks+Ah", 500)])
    assert isinstance(event, e.WagerPlaced)
    assert (event.wager, event.as_given) == ("corner:As+Ah+Ks+Kh", "corner:Kh+As+Ks+Ah")


def test_a_round_without_a_wager_is_dealt_only_on_purpose() -> None:
    with pytest.raises(Refused) as refused:
        betting.take_bets(opened(), [])
    assert refused.value.code == "layout_empty"
    assert betting.take_bets(opened(), [], without_wagers=True) == [e.BetsClosed(wagers=0, stakes_cents=0)]
    standing = after(opened(), betting.place_wagers(opened(), [Asked(1, "colour:red", 500)]))
    assert betting.take_bets(standing, []) == [e.BetsClosed(wagers=1, stakes_cents=500)]


def test_the_number_of_a_withdrawn_wager_is_not_used_again() -> None:
    round_ = after(opened(), betting.place_wagers(opened(), [Asked(1, "colour:red", 500)]))
    round_ = after(round_, betting.withdraw_wager(round_, 1))
    (event,) = betting.place_wagers(round_, [Asked(1, "colour:red", 500)])
    assert isinstance(event, e.WagerPlaced)
    assert event.number == 2


def test_collecting_takes_a_count_that_equals_the_wagers() -> None:
    round_ = after(opened(), betting.place_wagers(opened(), [Asked(s, "progressive", 100) for s in (4, 2)]))
    round_ = after(round_, betting.close_bets(round_))
    (miscount,) = betting.collect_progressive(round_, 1)
    refusal = betting.count_differs(miscount)
    assert (refusal.code, refusal.details) == ("progressive_count_differs", {"counted": 1, "wagers": 2})
    assert after(round_, [miscount]) == round_
    (event,) = betting.collect_progressive(round_, 2)
    assert isinstance(event, e.ProgressiveCollected)
    assert (event.seats, event.in_cents, event.increment_bp) == ([2, 4], 200, 6500)


def test_a_maximum_is_not_evaded_in_parts() -> None:
    round_ = after(opened(), betting.place_wagers(opened(), [Asked(1, "colour:red", 6_000)]))
    events = betting.place_wagers(round_, [Asked(1, "colour:red", 6_000), Asked(2, "colour:red", 6_000)])
    assert [event.exceptions for event in events if isinstance(event, e.WagerPlaced)] == [["over_maximum"], []]
    (changed,) = betting.change_wager(round_, 1, 10_000)
    assert isinstance(changed, e.WagerChanged)
    assert changed.exceptions == []


def test_the_most_paid_in_a_round_counts_all_that_win_together() -> None:
    round_ = after(opened(), betting.place_wagers(opened(), [Asked(1, "royal_flush", 20)]))
    (event,) = betting.place_wagers(round_, [Asked(2, "royal_flush", 20)])  # 40 × 30,000 = 1,200,000
    assert isinstance(event, e.WagerPlaced)
    assert event.exceptions == ["payout_over_maximum"]
    assert code_of(opened("refuse"), Asked(1, "royal_flush", 20), Asked(2, "royal_flush", 20)) == "payout_over_maximum"


def test_the_most_paid_in_a_round_is_the_worst_mix_of_card_and_hand() -> None:
    """Limit 1,000,000 cents: a straight up wins 50 times, a flush 225 times, a royal 30,000 times, red once."""
    first = [Asked(1, "straight_up:Kd", 10_000), Asked(2, "rank:K", 20_000), Asked(3, "colour:red", 240_000)]
    assert marks_of(*first) == [[], [], []]  # the king of diamonds wins 500,000 + 240,000 + 240,000 = 980,000
    assert marks_of(*first, Asked(4, "flush", 88))[3] == []  # and with a flush 19,800 more: 999,800
    assert marks_of(*first, Asked(4, "flush", 89))[3] == ["payout_over_maximum"]  # 20,025 more: 1,000,025
    assert marks_of(*first, Asked(4, "colour:black", 760_000))[3] == []  # a black king: 240,000 + 760,000
    assert marks_of(*first, Asked(4, "colour:black", 760_001))[3] == ["payout_over_maximum"]


def test_what_cannot_win_together_is_not_added_up() -> None:
    """No royal flush holds a 2; one of each lies far below the posted million, though together they are above it."""
    apart = [Asked(1, "royal_flush", 33), Asked(2, "straight_up:2s", 4_000)]
    assert marks_of(*apart) == [[], []]
    assert marks_of(*apart, Asked(3, "straight_up:As", 4_000))[2] == ["payout_over_maximum"]
    assert marks_of(Asked(1, "royal_flush", 33), Asked(1, "straight_flush", 200)) == [[], []]
    too_much = Asked(1, "royal_flush", 34)
    assert marks_of(too_much, Asked(2, "straight_up:2s", 4_000)) == [["payout_over_maximum"], []]


def test_a_change_counts_in_the_place_of_what_it_replaces() -> None:
    round_ = after(opened(), betting.place_wagers(opened(), [Asked(1, "royal_flush", 20), Asked(2, "colour:red", 500)]))
    (event,) = betting.change_wager(round_, 1, 33)
    assert event.exceptions == []
    (event,) = betting.change_wager(round_, 1, 34)
    assert event.exceptions == ["payout_over_maximum"]


def test_the_sentence_says_how_the_most_is_found() -> None:
    with pytest.raises(Refused) as refused:
        betting.place_wagers(opened("refuse"), [Asked(1, "royal_flush", 34)])
    assert "1000000 cents paid in a round, by the worst outcome of all wagers" in refused.value.message


def marks_of(*asked: Asked) -> list[list[str]]:
    """The marks of wagers laid one after another, the posted limits of a colour aside."""
    events = betting.place_wagers(opened(), asked)
    return [[mark for mark in event.exceptions if mark == "payout_over_maximum"] for event in events]
