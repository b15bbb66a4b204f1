"""Decisions of a round, without a database: what they append, when the hand is complete, and a round played out."""

from datetime import date
from typing import Any

import pytest

from casino import events as e
from casino.eventstore.registry import Event
from casino.games.game import CardEntry, DecisionEntry
from casino.keys import RoundId
from casino.refusal import Refused
from casino.round import betting, dealing, settling, voiding
from casino.round.betting import Asked
from casino.round.state import Round, evolve, round_of
from tests.played import SECOND

ID = RoundId("H-01", date(2026, 11, 29), 1)
CARDS = ["As", "Kd", "9h", "9d", "Kc", "Qd", "Kh", "9s", "5d", "3c", "2h"]
BETS = [(2, "ante", 1000), (2, "blind", 1000), (5, "ante", 500), (5, "blind", 500), (5, "bonus", 100)]
CHECK_2, RAISE_5 = DecisionEntry(2, "check"), DecisionEntry(5, "raise", 2000)
FOLD_2 = DecisionEntry(2, "fold")


def opened(method: str = "hand", **more: object) -> Round:
    fields = {
        "table": "H-01", "session": "s", "game": "royal-casino", "paytable": "regulation", "layout": "standard",
        "method": method, "seats": 7, "limits": {"ante": e.Limits(500, 1000), "blind": e.Limits(1, 2)},
        "round_payout_max_cents": 10**9, "off_limits": "refuse", "side_bets": {}, "recorded_by": "terminal",
    }  # fmt: skip
    return round_of(ID, [e.RoundOpened(**{**fields, **more})])


def after(round_: Round, events: list[Event]) -> Round:
    for event in events:
        round_ = evolve(round_, event)
    return round_


def closed(method: str = "hand", bets: list[tuple[int, str, int]] = BETS) -> Round:
    round_ = after(opened(method), betting.place_wagers(opened(method), [Asked(*bet) for bet in bets]))
    return after(round_, betting.close_bets(round_))


def dealt(method: str = "hand") -> Round:
    """Up to the first decision: by hand the community cards are still in the shoe."""
    cards = CARDS[:6] if method == "hand" else CARDS[6:] + CARDS[:6]
    return after(closed(method), dealing.record_cards(closed(method), [CardEntry(card) for card in cards]))


def entries(cards: list[Any]) -> list[CardEntry]:
    return [CardEntry(card) for card in cards]


def test_a_raise_is_a_decision_and_the_wager_that_it_puts_down() -> None:
    round_ = after(dealt(), dealing.decide(dealt(), [CHECK_2]))
    assert dealing.decide(round_, [RAISE_5]) == [
        e.DecisionMade(seat=5, street="pre_flop", action="raise", stake_cents=2000),
        e.WagerPlaced(number=6, seat=5, wager="play", as_given="play", stake_cents=2000, exceptions=[]),
    ]


def test_decisions_come_together_all_or_none_each_with_a_number_of_its_own() -> None:
    both = dealing.decide(dealt(), [DecisionEntry(2, "raise", 3000), RAISE_5])
    assert [event.number for event in both if isinstance(event, e.WagerPlaced)] == [6, 7]
    assert sum(event.in_cents for event in both if isinstance(event, e.DecisionMade)) == 5000
    with pytest.raises(Refused) as refused:
        dealing.decide(dealt(), [CHECK_2, DecisionEntry(5, "raise", 501)])
    assert refused.value.code == "play_times"


@pytest.mark.parametrize(
    ("bank", "follow", "rank"),
    [
        ([None, None], ["HandCompleted"], "all_folded"),
        (["Kc", "Qd"], ["CardTurned"] * 2 + ["HandCompleted"], "one_pair"),
    ],
    ids=["bank unseen", "bank known"],
)
def test_the_last_fold_completes_the_hand_and_makes_it_due(bank: list[Any], follow: list[str], rank: str) -> None:
    alone = closed(bets=[(2, "ante", 1000), (2, "blind", 1000)])
    alone = after(alone, dealing.record_cards(alone, entries([None, None, *bank])))
    for cards in (CARDS[6:9], CARDS[9:]):
        alone = after(alone, dealing.decide(alone, [CHECK_2]))
        alone = after(alone, dealing.record_cards(alone, entries(cards)))
    events = dealing.decide(alone, [FOLD_2])
    assert [type(event).__name__ for event in events] == ["DecisionMade", *follow]
    assert events[-1].rank == rank
    assert dealing.newly_due(alone, events)
    assert after(alone, events).is_over
    settled = settling.settle(after(alone, events))
    assert [(line.wager, line.result) for line in settled[0].lines] == [("ante", "lose"), ("blind", "lose")]


@pytest.mark.parametrize("method", ["hand", "automatic_shuffler"])
def test_a_round_played_out_ends_as_it_would_step_by_step(method: str) -> None:
    cards = CARDS if method == "hand" else CARDS[6:] + CARDS[:6]
    events = dealing.play_out(closed(method), entries(cards), [CHECK_2, RAISE_5, CHECK_2, FOLD_2])
    round_ = after(closed(method), events)
    assert round_.status == "complete"
    lines = settling.settle(round_)[0].lines
    assert {line.wager: line.returned_cents for line in lines if line.seat == 2} == {"ante": 0, "blind": 0}
    # Three nines against a pair of kings: BONUS 3 to 1, BLIND back, ANTE and PLAY even money.
    assert {line.wager: line.returned_cents for line in lines if line.seat == 5} == {
        "ante": 1000, "blind": 500, "bonus": 400, "play": 4000,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("cards", "decisions", "code"),
    [
        (CARDS, [CHECK_2, RAISE_5], "decision_missing"),
        (CARDS, [], "decision_missing"),
        (CARDS[:-1], [CHECK_2, RAISE_5, CHECK_2], "hand_not_complete"),
        (CARDS[:-1], [CHECK_2, RAISE_5, CHECK_2, FOLD_2], "no_decision_due"),
        (CARDS, [CHECK_2, RAISE_5, CHECK_2, FOLD_2, FOLD_2], "already_folded"),
        (CARDS, [RAISE_5, CHECK_2, CHECK_2, FOLD_2], "out_of_turn"),
        ([*CARDS, "4c"], [CHECK_2, RAISE_5, CHECK_2, FOLD_2], "all_cards_dealt"),
        ([], [CHECK_2], "no_decision_due"),
        ([], [], "no_cards"),
    ],
)
def test_a_round_with_a_card_or_a_decision_too_few_or_too_many_is_not_finished(
    cards: list[str], decisions: list[DecisionEntry], code: str
) -> None:
    with pytest.raises(Refused) as refused:
        dealing.play_out(closed(), entries(cards), decisions)
    assert (refused.value.code, refused.value.message[-1]) == (code, ".")


def test_decisions_wait_for_no_more_bets_and_end_with_the_round() -> None:
    with pytest.raises(Refused) as refused:
        dealing.decide(opened(), [CHECK_2])
    assert refused.value.code == "bets_open"
    with pytest.raises(Refused) as refused:
        dealing.decide(dealt(), [])
    assert refused.value.code == "no_decision"
    voided = after(dealt(), voiding.void(dealt(), "A card was exposed", SECOND))
    with pytest.raises(Refused) as refused:
        dealing.decide(voided, [CHECK_2])
    assert refused.value.code == "round_voided"


def test_a_void_gives_play_back_too() -> None:
    round_ = after(dealt(), dealing.decide(dealt(), [CHECK_2, RAISE_5]))
    voided = voiding.void(round_, "A card was exposed", SECOND)[0]
    assert sum(refund.stake_cents for refund in voided.refunds) == 3100 + 2000


def test_posted_limits_hold_for_ante_and_not_for_what_it_fixes() -> None:
    with pytest.raises(Refused) as refused:
        betting.place_wagers(opened(), [Asked(1, "ante", 1001)])
    assert refused.value.code == "over_maximum"
    placed = betting.place_wagers(opened(), [Asked(1, "ante", 700), Asked(1, "blind", 700)])
    assert [event.exceptions for event in placed] == [[], []]


def test_an_ante_whose_hand_could_win_more_than_is_paid_in_a_round_is_marked() -> None:
    small = opened(round_payout_max_cents=505 * 600, off_limits="warn")
    placed = betting.place_wagers(small, [Asked(1, "ante", 600), Asked(1, "blind", 600), Asked(2, "ante", 500)])
    assert [event.exceptions for event in placed] == [[], [], ["payout_over_maximum"]]
    with_bonus = betting.place_wagers(small, [Asked(1, "ante", 600), Asked(1, "bonus", 100)])
    assert with_bonus[1].exceptions == ["payout_over_maximum"]  # a royal wins 50 on BONUS besides
    with pytest.raises(Refused) as refused:
        betting.place_wagers(opened(round_payout_max_cents=100), [Asked(1, "ante", 600)])
    assert "an upper bound: all wagers winning their most at once" in refused.value.message
    alone = betting.place_wagers(small, [Asked(1, "ante", 601), Asked(1, "blind", 601)])
    assert [event.exceptions for event in alone] == [["payout_over_maximum"], []]


def test_bets_do_not_close_on_a_blind_that_is_not_its_ante() -> None:
    round_ = after(opened(), betting.place_wagers(opened(), [Asked(1, "ante", 700), Asked(1, "blind", 700)]))
    changed = after(round_, betting.change_wager(round_, 1, 800))
    with pytest.raises(Refused) as refused:
        betting.close_bets(changed)
    assert refused.value.code == "blind_differs"
    assert betting.close_bets(after(changed, betting.change_wager(changed, 2, 800)))


def test_the_smallest_amount_paid_is_pinned_by_the_round() -> None:
    assert opened(payout_rounding_cents=500).setup.payout_rounding_cents == 500
    assert opened().setup.payout_rounding_cents == 1


def test_a_game_without_decisions_takes_none() -> None:
    roulette = opened(game="54-card-roulette", paytable="printed", method="second_card")
    roulette = after(roulette, betting.close_bets(roulette))
    for decide in (
        lambda: dealing.decide(roulette, [CHECK_2]),
        lambda: dealing.play_out(roulette, entries(["As", "Kd", "9h", "4c", "2s"]), [CHECK_2]),
    ):
        with pytest.raises(Refused) as refused:
            decide()
        assert refused.value.code == "no_decisions"
