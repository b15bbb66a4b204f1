"""Hold'em's progressive: own two cards with the flop, also after a fold; its odds against plain enumeration."""

from collections import Counter
from fractions import Fraction
from itertools import combinations
from math import comb

import pytest

from casino.games.cards import DECK_52
from casino.games.game import CardEntry, SideBetWin
from casino.games.poker import rank_of
from casino.games.side_bets import worth
from casino.refusal import Refused
from tests.casino.games.royal_casino.hand import GAME, Hand

HANDS = 2_598_960
STAKES = {"ante": 500, "blind": 500, "progressive": 100}
FLOP, REST = ["Th", "Jh", "Qh"], ["2c", "3d"]
WINNING = ("royal_flush", "straight_flush")


def played(hands, stakes=STAKES, flop=FLOP, action="4x"):
    """A round by hand in which every seat does the same."""
    hand = Hand(dict.fromkeys(hands, stakes))
    hand.deal(hands, ["9c", "9d"], [*flop, *REST])
    for seat in sorted(hands):
        hand.decide(seat, *(("raise", 2000) if action == "4x" else ("check",)))
    if action == "fold":
        for made in ("check", "fold"):
            for seat in sorted(hands):
                hand.decide(seat, made)
    return hand


def wins(hand, *seats):
    return GAME.side_bet_wins("progressive", seats, hand.felt, hand.setup)


def test_a_royal_flush_comes_before_a_straight_flush_of_the_same_flop():
    hand = played({2: ["8h", "9h"], 5: ["Ah", "Kh"], 6: ["As", "Kd"]})
    assert wins(hand, 2, 5, 6) == [SideBetWin("royal_flush", (5,)), SideBetWin("straight_flush", (2,))]


def test_equal_ranks_share():
    hand = played({1: ["5h", "6h"], 7: ["Th", "Jh"], 4: ["2s", "2h"]}, flop=["7h", "8h", "9h"])
    assert wins(hand, 1, 4, 7) == [SideBetWin("straight_flush", (1, 7))]


def test_a_seat_without_the_wager_wins_nothing_of_it():
    hand = played({2: ["8h", "9h"], 5: ["Ah", "Kh"]})
    assert wins(hand, 2) == [SideBetWin("straight_flush", (2,))]
    assert wins(hand) == []


def test_a_folded_hand_is_turned_for_it_and_wins():
    hand = played({2: ["8h", "9h"]}, action="fold")
    reading = GAME.reading(hand.felt, hand.setup)
    assert (reading.shown["seats"][0]["folded"], reading.shown["seats"][0]["progressive"]) == (True, "straight_flush")
    assert wins(hand, 2) == [SideBetWin("straight_flush", (2,))]
    assert {line.wager for line in hand.settle()} == {"ante", "blind"}


def test_an_unseen_folded_hand_is_waited_for():
    hand = Hand({2: STAKES}, "automatic_shuffler")
    hand.record(*[None] * 9)
    hand.decide(2, "check")
    hand.turn_up(p1="Th", p2="Jh", p3="Qh")
    hand.decide(2, "check")
    hand.turn_up(p4="2c", p5="3d")
    hand.decide(2, "fold")
    assert GAME.reading(hand.felt, hand.setup) is None
    with pytest.raises(Refused) as refused:
        wins(hand, 2)
    assert refused.value.code == "hand_incomplete"
    hand.turn_up(p21="Ah", p22="Kh")
    assert GAME.reading(hand.felt, hand.setup).shown["seats"][0]["progressive"] == "royal_flush"


def test_the_flop_is_always_dealt_before_anybody_can_fold():
    hand = Hand({2: STAKES})
    hand.deal({2: ["8h", "9h"]}, ["9c", "9d"], [*FLOP, *REST])
    for _ in ("before the flop", "on the flop"):
        with pytest.raises(Refused) as refused:
            hand.decide(2, "fold")
        assert refused.value.code == "unknown_action"
        hand.decide(2, "check")
    hand.decide(2, "fold")
    assert wins(hand, 2)


def test_the_turn_and_river_make_no_win():
    hand = Hand({2: STAKES})
    hand.deal({2: ["Ah", "Kh"]}, ["9c", "9d"], ["2c", "3d", "Th", "Jh", "Qh"])
    hand.act(2, "4x")
    assert GAME.reading(hand.felt, hand.setup).shown["seats"][0]["rank"] == "royal_flush"
    assert wins(hand, 2) == []


def test_another_side_bet_is_not_known():
    with pytest.raises(Refused) as refused:
        GAME.side_bet_wins("envy", [2], played({2: ["8h", "9h"]}).felt, None)
    assert refused.value.code == "unknown_side_bet"


@pytest.mark.parametrize("ask", [GAME.tiers, GAME.tier_chances, lambda name: GAME.shares(name, 2)])
def test_an_unknown_set_of_tiers_is_refused(ask):
    with pytest.raises(Refused, match="choose from tiered") as refused:
        ask("literal")
    assert refused.value.code == "unknown_tiers"


def test_cards_dealt_one_by_one_go_on_as_without_it():
    hand = Hand({3: STAKES})
    hand.record("8h", "9h", "9c", "9d")
    hand.decide(3, "raise", 2000)
    hand.record(*(CardEntry(card) for card in [*FLOP, *REST]))
    assert wins(hand, 3) == [SideBetWin("straight_flush", (3,))]


# ------------------------------------------------------------------------------------------------- odds


def test_the_chances_are_4_and_36_of_all_hands():
    assert GAME.tier_chances("tiered") == {"royal_flush": Fraction(4, HANDS), "straight_flush": Fraction(36, HANDS)}
    assert dict(GAME.tiers("tiered")) == {"royal_flush": 1, "straight_flush": Fraction(1, 10)}


@pytest.fixture(scope="module")
def beside():
    """For every winning flop and hand of hearts: its rank, and the ranks of all hands another player may hold."""
    found = []
    for five in combinations([card for card in DECK_52 if card[1] == "h"], 5):
        if rank_of(five) not in WINNING:
            continue
        for flop in combinations(five, 3):
            rest = [card for card in DECK_52 if card not in five]
            others = [(two, rank_of((*flop, *two))) for two in combinations(rest, 2) if {c[1] for c in two} == {"h"}]
            found.append((rank_of(five), [(two, rank) for two, rank in others if rank in WINNING]))
    return found


def test_only_one_other_player_can_win_on_the_same_flop(beside):
    for _, others in beside:
        assert not any(set(one) & set(other) == set() for (one, _), (other, _) in combinations(others, 2))


@pytest.mark.parametrize("wagers", [1, 2, 7])
def test_the_shares_are_those_of_plain_enumeration(beside, wagers):
    deals = Fraction(4, comb(52, 3) * comb(49, 2))
    found = Counter()
    for mine, others in beside:
        alone = deals
        for _, rank in others:
            # Of the others, each may hold these two cards, and only one of them does.
            both = deals * (wagers - 1) / comb(47, 2)
            after = ("royal_flush",) if rank == "royal_flush" and mine != rank else ()
            found[mine, 2 if rank == mine else 1, after] += both
            alone -= both
        found[mine, 1, ()] += alone
    shares = {(one.rank, one.players, one.after): one.chance for one in GAME.shares("tiered", wagers)}
    assert shares == {way: chance for way, chance in found.items() if chance}


def test_one_wager_alone_is_worth_q_of_the_meter_and_nothing_of_the_reset():
    alone = worth(GAME.shares("tiered", 1), GAME.tiers("tiered"))
    assert alone == (Fraction(4, HANDS) + Fraction(36, 10 * HANDS), 0)
    full = worth(GAME.shares("tiered", 7), GAME.tiers("tiered"))
    assert full.of_meter < alone.of_meter
    assert 0 < full.of_reset < Fraction(1, 10**10)


def test_the_report_shows_the_tiers_and_the_meter_at_which_one_player_breaks_even():
    (shown,) = GAME.paytable_report("regulation")["progressive"]
    assert shown["parts"] == {"royal_flush": "1/1", "straight_flush": "1/10"}
    assert (shown["win_probability"], shown["q"]) == ("1/64974", "19/6497400")
    assert shown["break_even_meter"] == {"1": "6497400/19"}
    assert list(shown["worth"]) == ["1", "2", "3", "4", "5", "6", "7"]


# ------------------------------------------------------------------------------------------------- dry runs


def dry(seats, **terms):
    """Seat → two cards, all with the progressive, on a flop that the hands share."""
    made = [
        {
            "seat": seat,
            "cards": cards,
            "ante_cents": 500,
            "blind_cents": 500,
            "progressive_cents": 100,
            "action": "fold",
        }
        for seat, cards in seats.items()
    ]
    meter = {"tiers": "tiered", "meter_cents": 1_000_000} | terms
    line = {"id": 1, "board": [*FLOP, *REST], "bank": ["9c", "9d"], "seats": made, "progressive": meter}
    return GAME.dry_run(line)["jackpot"]


def test_a_dry_run_without_a_hit_shows_zeros():
    assert dry({2: ["As", "Kd"]}) == {"share_cents": 0, "paid_cents": 0, "meter_after_cents": 1_000_000, "hits": []}


def test_a_dry_run_pays_a_folded_straight_flush_a_tenth_cut_to_the_cent():
    found = dry({2: ["8h", "9h"], 3: ["As", "Kd"]}, meter_cents=999_999)
    assert (found["share_cents"], found["paid_cents"], found["meter_after_cents"]) == (99_999, 99_999, 900_000)
    assert found["hits"] == [{"rank": "straight_flush", "seats": (2,), "share_cents": 99_999}]


def test_a_straight_flush_after_a_royal_meets_what_is_left_and_the_reset():
    found = dry({2: ["8h", "9h"], 5: ["Ah", "Kh"]}, reset_cents=500_000)
    assert [(hit["rank"], hit["share_cents"]) for hit in found["hits"]] == [
        ("royal_flush", 1_000_000),
        ("straight_flush", 50_000),
    ]
    assert (found["share_cents"], found["paid_cents"], found["meter_after_cents"]) == (1_000_000, 1_050_000, 450_000)


def test_two_straight_flushes_share_and_the_odd_cent_stays():
    line = {
        "id": 1,
        "board": ["7h", "8h", "9h", *REST],
        "bank": ["As", "Ad"],
        "seats": [
            {"seat": n, "cards": cards, "ante_cents": 5, "blind_cents": 5, "progressive_cents": 100, "action": "4x"}
            for n, cards in ((1, ["5h", "6h"]), (7, ["Th", "Jh"]))
        ],
        "progressive": {"tiers": "tiered", "meter_cents": 1_000_011},
    }
    found = GAME.dry_run(line)["jackpot"]
    assert (found["share_cents"], found["paid_cents"], found["meter_after_cents"]) == (50_000, 100_000, 900_011)
