"""A round of hold'em by HTTP: decisions in their order, cards for their street, and what a fault is answered."""

from typing import Any

import pytest

from casino.commands.settlement import settle_due
from casino.commands.tables import set_up_table
from casino.events import Limits
from casino.eventstore import store
from casino.eventstore.follower import catch_up
from casino.models import RoundBoard
from tests.casino.api.conftest import Terminal, order
from tests.casino.api.test_rounds import refused

BOARD = ["Kh", "9s", "5d", "3c", "2h"]
HANDS = ["As", "Kd", "9h", "9d", "Kc", "Qd"]


@pytest.fixture
def hands(database: Any, redis_url: str) -> Terminal:
    """Table H-01 deals Royal Casino by hand; its first round is closed with seats 2 and 5 in it."""
    set_up_table(order(), "H-01", game="royal-casino", limits={"ante": Limits(500, 1000)}, payout_rounding_cents=50)
    terminal = Terminal("H-01")
    assert terminal.open_table().status_code == 201
    terminal.open_round()
    bets = [(2, "ante", 1000), (2, "blind", 1000), (5, "ante", 500), (5, "blind", 500), (5, "bonus", 100)]
    assert terminal.bet(*bets).status_code == 201
    assert terminal.on_round("close-bets").json()["turn"] is None
    return terminal


def decide(terminal: Terminal, *decisions: tuple[Any, ...], key: str | None = None) -> Any:
    made = [dict(zip(("seat", "action", "stake_cents"), one, strict=False)) for one in decisions]
    return terminal.on_round("decisions", {"decisions": made}, key)


def cards(terminal: Terminal, *shown: Any) -> Any:
    answer = terminal.on_round("cards", {"cards": list(shown)})
    assert answer.status_code == 201, answer.json()
    return answer.json()


def test_a_round_goes_from_its_cards_over_its_decisions_to_settlement(hands: Terminal) -> None:
    waits = cards(hands, *HANDS)["turn"]
    assert waits == {"seat": 2, "street": "pre_flop", "actions": {"check": [], "raise": [3000, 4000]}}
    assert decide(hands, (2, "check"), (5, "raise", 2000)).json()["turn"] is None
    assert cards(hands, *BOARD[:3])["turn"]["actions"] == {"check": [], "raise": [2000]}
    assert decide(hands, (2, "check")).status_code == 201
    assert cards(hands, *BOARD[3:])["turn"]["actions"] == {"fold": [], "raise": [1000]}
    done = decide(hands, (2, "fold")).json()
    assert (done["status"], done["turn"], done["hand"]["bank"]["qualifies"]) == ("complete", None, True)
    assert [d["action"] for d in done["decisions"]] == ["check", "raise", "check", "fold"]
    assert [card["name"] for card in done["cards"][:6]] == [
        "flop 1",
        "flop 2",
        "flop 3",
        "turn",
        "river",
        "seat 2, card 1",
    ]
    settle_due()
    (phase,) = hands.read()["settlements"]
    returned = {(line["seat"], line["wager"]): line["returned_cents"] for line in phase["lines"]}
    assert returned == {
        (2, "ante"): 0, (2, "blind"): 0,
        (5, "ante"): 1000, (5, "blind"): 500, (5, "bonus"): 400, (5, "play"): 4000,
    }  # fmt: skip


def test_hands_dealt_unseen_are_turned_by_position(hands: Terminal) -> None:
    cards(hands, *[{"card": None}] * 6)
    decide(hands, (2, "raise", 4000), (5, "raise", 1500))
    cards(hands, *BOARD)
    turned = [{"card": card, "position": at} for card, at in zip(HANDS, (21, 22, 51, 52, 91, 92), strict=True)]
    assert cards(hands, *turned[4:])["status"] == "dealing"
    assert cards(hands, *turned[:4])["status"] == "complete"


@pytest.mark.parametrize(
    ("decision", "code", "status"),
    [
        ((5, "check"), "out_of_turn", 409),
        ((3, "check"), "no_hand", 422),
        ((2, "raise", 999), "play_times", 422),
        ((2, "raise"), "play_times", 422),
        ((2, "fold"), "unknown_action", 422),
        ((2, "call"), "bad_request", 400),
        ((2, "check", 1.5), "bad_request", 400),
        (("2", "check"), "bad_request", 400),
        ((2,), "bad_request", 400),
    ],
)
def test_a_decision_that_may_not_be_is_refused_and_nothing_is_written(
    hands: Terminal, decision: tuple[Any, ...], code: str, status: int
) -> None:
    cards(hands, *HANDS)
    before = store.run("SELECT max(position) AS n FROM log.event").fetchone().n
    refused(decide(hands, decision), code, status)
    assert store.run("SELECT max(position) AS n FROM log.event").fetchone().n == before


def test_a_repeated_decision_is_answered_as_it_was_and_another_under_its_key_is_refused(hands: Terminal) -> None:
    cards(hands, *HANDS)
    first = decide(hands, (2, "check"), key="once")
    decide(hands, (5, "check"))
    again = decide(hands, (2, "check"), key="once")
    assert (first.status_code, again.status_code) == (201, 200)
    assert {**first.json(), "replayed": True} == again.json()
    assert decide(hands, (2, "raise", 3000), key="once").json()["code"] == "key_reused"


def test_decisions_before_the_cards_or_in_another_game_are_refused(hands: Terminal) -> None:
    assert decide(hands, (2, "check")).json()["code"] == "no_decision_due"
    set_up_table(order(), "R-01", game="54-card-roulette")
    roulette = Terminal("R-01")
    roulette.open_table()
    roulette.open_round()
    roulette.on_round("close-bets")
    assert decide(roulette, (2, "check")).json()["code"] == "no_decisions"


def test_bets_that_do_not_fit_together_do_not_close(hands: Terminal) -> None:
    hands.approved("void", {"reason": "begin anew"})
    hands.open_round()
    assert hands.bet((1, "ante", 500), (1, "blind", 600)).json()["code"] == "blind_differs"
    hands.bet((1, "ante", 500))
    assert hands.on_round("close-bets").json()["code"] == "blind_missing"
    assert hands.bet((8, "ante", 500)).json()["code"] == "seat_out_of_range"


def test_a_finished_round_takes_its_decisions_and_unseen_cards(hands: Terminal) -> None:
    hands.approved("void", {"reason": "begin anew"})
    wagers = [{"seat": 2, "wager": code, "stake_cents": 500} for code in ("ante", "blind")]
    made = [{"seat": 2, "action": action} for action in ("check", "check", "fold")]
    body = {"wagers": wagers, "cards": [None, None, None, None, *BOARD], "decisions": made}
    answer = hands.at_table("rounds/finished", body)
    assert (answer.status_code, answer.json()["hand"]["rank"]) == (201, "all_folded")
    refused(hands.at_table("rounds/finished", {**body, "decisions": made[:2]}), "decision_missing", 422)


def test_the_board_counts_play_among_the_stakes(hands: Terminal) -> None:
    cards(hands, *HANDS)
    decide(hands, (2, "raise", 4000), (5, "raise", 2000))
    cards(hands, *BOARD)
    settle_due()
    catch_up()
    row = RoundBoard.objects.get(table_code="H-01")
    assert (row.stakes_cents, row.wagers, row.handle_cents) == (3100 + 6000, 7, 9100)
    assert (row.rank, row.status) == ("one_pair", "settled")


def test_a_misdealt_card_is_kept_with_its_position(hands: Terminal) -> None:
    cards(hands, *HANDS[:4])
    answer = hands.approved("misdeal", {"reason": "Two aces of spades", "card": "As", "position": 92})
    assert (answer.status_code, answer.json()["status"]) == (201, "voided")
