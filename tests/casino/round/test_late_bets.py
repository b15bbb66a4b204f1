"""A late bet that goes back alone, without a database: until when, with what, and what the round is afterwards."""

import pytest

from casino import events as e
from casino.approval import Approval
from casino.games.game import CardEntry, DecisionEntry
from casino.refusal import Refused
from casino.round import betting, dealing, settling
from casino.round.betting import Asked
from casino.round.state import Round
from casino.round.voiding import late_bets, void_late_bet
from casino.void_events import LateBetVoided
from tests.casino.round import test_betting as roulette
from tests.casino.round import test_decisions as holdem

SECOND = Approval("dan", "eve")
CARDS = ["As", "Kd", "9h", "4c", "2s"]
after = roulette.after


def at_the_call() -> Round:
    """Seat 1: red 500; seat 2: a flush 100 and a split 200; seats 2 and 4: the progressive. No more bets."""
    asked = [
        Asked(1, "colour:red", 500), Asked(2, "flush", 100), Asked(2, "split:As+Ks", 200),
        Asked(2, "progressive", 100), Asked(4, "progressive", 100),
    ]  # fmt: skip
    round_ = after(roulette.opened(), betting.place_wagers(roulette.opened(), asked))
    return after(round_, betting.close_bets(round_))


def counted() -> Round:
    return after(at_the_call(), betting.collect_progressive(at_the_call(), 2))


def with_cards(round_: Round, *cards: str) -> Round:
    return after(round_, dealing.record_cards(round_, [CardEntry(card) for card in cards]))


def back(round_: Round, number: int) -> Round:
    return after(round_, void_late_bet(round_, number, "It came late.", SECOND))


def code_of(round_: Round, number: int, reason: str = "It came late.", approval: Approval = SECOND) -> str:
    with pytest.raises(Refused) as refusal:
        void_late_bet(round_, number, reason, approval)
    assert refusal.value.message.endswith(".")
    return refusal.value.code


# ------------------------------------------------------------------------------------------------- 54 Card Roulette


def test_one_late_bet_goes_back_and_the_rest_plays_on() -> None:
    (event,) = void_late_bet(counted(), 1, " It came late. ", SECOND)
    assert event == LateBetVoided(
        number=1, seat=1, wager="colour:red", stake_cents=500, reason="It came late.", requested_by="dan",
        approved_by="eve",
    )  # fmt: skip
    assert (event.in_cents, event.out_cents) == (0, 500)
    round_ = with_cards(after(counted(), [event]), *CARDS)
    settled = settling.settle(round_)
    assert [line.number for one in settled if isinstance(one, e.WagersSettled) for line in one.lines] == [3, 2]
    assert settled[-1].in_cents == 300
    assert [late.number for late in round_.late] == [1]


def test_a_late_poker_wager_goes_back_until_the_fifth_card_is_up_and_a_roulette_wager_until_the_roulette_card() -> None:
    shown = with_cards(counted(), "As", "Kd")
    assert code_of(shown, 1) == "wager_decided"
    assert [numbers[0] for numbers in late_bets(shown)] == [2]
    assert 2 not in back(shown, 2).wagers
    assert code_of(with_cards(counted(), *CARDS), 2) == "wager_decided"


def test_a_progressive_goes_back_until_it_is_collected_and_is_then_not_counted() -> None:
    round_ = back(at_the_call(), 4)
    (collected,) = betting.collect_progressive(round_, 1)
    assert isinstance(collected, e.ProgressiveCollected)
    assert collected.seats == [4]
    assert code_of(counted(), 4) == "late_bet_collected"


def test_where_every_progressive_went_back_there_is_nothing_to_count() -> None:
    round_ = back(back(at_the_call(), 4), 5)
    with pytest.raises(Refused) as refusal:
        betting.collect_progressive(round_, 0)
    assert refusal.value.code == "nothing_to_collect"
    assert with_cards(round_, *CARDS).hand


def test_the_refusals_of_a_late_bet() -> None:
    assert code_of(roulette.opened(), 9, "") == "bets_open"
    assert code_of(counted(), 9, "") == "no_such_wager"
    assert code_of(with_cards(counted(), *CARDS), 1, "") == "wager_decided"
    assert code_of(counted(), 4, "") == "late_bet_collected"
    assert code_of(counted(), 1, " ") == "reason_missing"
    assert code_of(back(counted(), 1), 1) == "no_such_wager"


def test_nothing_is_late_before_no_more_bets_or_once_all_is_decided() -> None:
    assert late_bets(roulette.opened()) == []
    assert late_bets(with_cards(counted(), *CARDS)) == []
    assert [numbers[0] for numbers in late_bets(at_the_call())] == [1, 2, 3, 4, 5]


# ------------------------------------------------------------------------------------------------- hold'em


@pytest.mark.parametrize("method", ["hand", "automatic_shuffler"])
@pytest.mark.parametrize("number", [3, 4])
def test_a_late_ante_or_blind_takes_its_whole_hand_before_the_hand_is_dealt(method: str, number: int) -> None:
    events = void_late_bet(holdem.closed(method), number, "It came late.", SECOND)
    assert [(one.wager, one.seat) for one in events] == [("ante", 5), ("blind", 5), ("bonus", 5)]
    round_ = after(holdem.closed(method), events)
    cards = holdem.CARDS[:4] if method == "hand" else holdem.CARDS[6:] + holdem.CARDS[:4]
    round_ = with_cards(round_, *cards)
    assert sorted(round_.felt.spots)[-4:] == [21, 22, 91, 92]
    turn = round_.game.turn(round_.felt, round_.setup)
    assert turn is not None
    assert turn.seat == 2


def test_a_hand_whose_progressive_is_in_the_meter_goes_back_only_with_the_round() -> None:
    offered = holdem.opened(side_bets={"progressive": roulette.TERMS})
    asked = [Asked(2, "ante", 500), Asked(2, "blind", 500), Asked(2, "progressive", 100), Asked(3, "progressive", 100)]
    asked += [Asked(3, "ante", 500), Asked(3, "blind", 500), Asked(3, "bonus", 100)]
    round_ = after(offered, betting.place_wagers(offered, asked))
    round_ = after(round_, betting.close_bets(round_))
    assert sorted(one.wager for one in void_late_bet(round_, 1, "Late.", SECOND)) == ["ante", "blind", "progressive"]
    round_ = after(round_, betting.collect_progressive(round_, 2))
    assert code_of(round_, 1) == code_of(round_, 3) == "late_bet_collected"
    assert [list(numbers) for numbers in late_bets(round_)] == [[7]]


def test_a_hand_goes_back_until_a_card_lies_on_its_account() -> None:
    """By hand seat 2 is dealt first: its two cards lie where they would without seat 5, the next one doesn't."""
    first = with_cards(holdem.closed(), *holdem.CARDS[:2])
    assert code_of(first, 1) == "hand_dealt"
    assert sorted(back(first, 3).wagers) == [1, 2]
    assert code_of(with_cards(holdem.closed(), *holdem.CARDS[:3]), 3) == "hand_dealt"


def test_a_late_bonus_goes_back_alone_whatever_lies_on_the_felt() -> None:
    round_ = back(holdem.dealt(), 5)
    assert sorted(round_.wagers) == [1, 2, 3, 4]
    assert [list(numbers) for numbers in late_bets(holdem.dealt())] == [[5]]


def test_play_is_no_late_bet() -> None:
    round_ = after(holdem.dealt(), dealing.decide(holdem.dealt(), [holdem.CHECK_2, holdem.RAISE_5]))
    assert code_of(round_, 6) == "not_a_late_bet"


def test_a_folded_hand_whose_bonus_goes_back_is_not_waited_for() -> None:
    """Seat 2 plays, seat 5 folds with a BONUS; all is up but seat 5's cards when its BONUS goes back."""
    unseen = [CardEntry("As"), CardEntry("Kd"), CardEntry(None), CardEntry(None), CardEntry("Kc"), CardEntry("Qd")]
    round_ = after(holdem.closed(), dealing.record_cards(holdem.closed(), unseen))
    check_5, fold_5 = DecisionEntry(5, "check"), DecisionEntry(5, "fold")
    round_ = after(round_, dealing.decide(round_, [DecisionEntry(2, "raise", 4000), check_5]))
    round_ = after(with_cards(round_, *holdem.CARDS[6:9]), [])
    round_ = after(round_, dealing.decide(round_, [check_5]))
    round_ = with_cards(round_, *holdem.CARDS[9:])
    round_ = after(round_, dealing.decide(round_, [fold_5]))
    assert round_.hand is None
    events = void_late_bet(round_, 5, "It came late.", SECOND)
    assert [type(event) for event in events] == [LateBetVoided, e.HandCompleted]
    assert dealing.newly_due(round_, events)
    lines = settling.settle(after(round_, events))[0].lines
    assert sorted(line.number for line in lines) == [1, 2, 3, 4, 6]
