"""A progressive where every seat has its own hand: hold'em on a link, played through the commands of a terminal."""

from collections.abc import Mapping, Sequence

import pytest

from casino.approval import Approval
from casino.commands import rounds, tables
from casino.commands.order import property_code
from casino.events import HandCompleted
from casino.eventstore import store
from casino.eventstore.follower import position_of
from casino.eventstore.rebuild import compare, replay, shadow
from casino.games.game import CardEntry, DecisionEntry
from casino.keys import RoundId, round_key
from casino.refusal import Refused
from casino.round.betting import Asked
from jackpot import models
from jackpot.commands.links import leave_table
from jackpot.projections import METERS
from tests.counts import counted
from tests.jackpot.conftest import Floor

BASE = 10_000_000_000
BANK, REST = ["9c", "9d"], ["2c", "3d"]
FLOP, NINES = ["Th", "Jh", "Qh"], ["7h", "8h", "9h"]
ROYAL, STRAIGHT, NOTHING = ["Ah", "Kh"], ["8h", "9h"], ["As", "Kd"]
LOW, HIGH = ["5h", "6h"], ["Th", "Jh"]


class Holdem(Floor):
    """Table H-01 is open, and on the link `royal`."""

    def begin(self) -> "Holdem":
        tables.set_up_table(self.order(), "H-01", game="royal-casino")
        tables.open_table(self.order(), "H-01", counted(5_000_000))
        self.link("royal", ["H-01"], game="royal-casino", base_cents=1_000_000, reset_cents=1_000_000)
        return self

    def bets(self, *seats: int) -> list[Asked]:
        return [Asked(s, code, cents) for s in seats for code, cents in
                (("ante", 500), ("blind", 500), ("progressive", 100))]  # fmt: skip

    def hands(
        self, hands: Mapping[int, Sequence[str]], flop: Sequence[str] = FLOP, folded: Sequence[int] = ()
    ) -> RoundId:
        """A finished round: every seat raises before the flop, or folds on the river."""
        cards = [card for seat in sorted(hands) for card in hands[seat]] + [*BANK, *flop, *REST]
        made = [DecisionEntry(s, "check") if s in folded else DecisionEntry(s, "raise", 2000) for s in sorted(hands)]
        made += [DecisionEntry(s, action) for action in ("check", "fold") for s in sorted(folded)]
        rounds.record_finished_round(self.order(), "H-01", self.bets(*hands), cards, decisions=made)
        return self.last_round("H-01")

    def wins(self, round_id: RoundId) -> list[tuple[str, list[int]]]:
        stream = store.load(round_key(property_code(), round_id))
        (completed,) = [one.event for one in stream.events if isinstance(one.event, HandCompleted)]
        return [(won.rank, won.seats) for won in completed.wins]

    def collected(self) -> RoundId:
        """A round of two seats whose progressive is off the felt, and no card dealt."""
        rounds.open_round(self.order(), "H-01")
        round_id = self.last_round("H-01")
        rounds.place_wagers(self.order(), round_id, self.bets(2, 5))
        rounds.close_bets(self.order(), round_id)
        rounds.collect_progressive(self.order(), round_id, 2)
        return round_id


@pytest.fixture
def holdem(database) -> Holdem:
    return Holdem().begin()


def pools(holdem) -> tuple[int, int, int]:
    meter = holdem.state("royal").meter
    return meter.main_micros, meter.reserve_micros, meter.house_share_micros


def test_stakes_feed_the_links_own_meter(holdem):
    assert holdem.wins(holdem.hands({2: NOTHING, 5: ["2s", "2d"]})) == []
    assert pools(holdem) == (BASE + 2 * 650_000, 2 * 100_000, 2 * 250_000)


def test_a_royal_flush_takes_the_whole_meter_and_a_straight_flush_a_tenth_of_the_reseeded_one(holdem):
    round_id = holdem.hands({2: STRAIGHT, 5: ROYAL, 6: NOTHING})
    assert holdem.wins(round_id) == [("royal_flush", [5]), ("straight_flush", [2])]
    assert holdem.record() == 2
    royal, straight = holdem.hits("royal")
    before = BASE + 3 * 650_000
    assert (royal.rank, royal.before_micros, royal.amount_cents, royal.seats) == (
        "royal_flush",
        before,
        1_000_195,
        (5,),
    )
    assert (royal.from_reserve_micros, royal.after_micros) == (300_000, BASE)
    assert (straight.before_micros, straight.amount_cents, straight.seats) == (BASE, 100_000, (2,))
    assert straight.at_position == royal.at_position
    assert pools(holdem)[0] == BASE - 1_000_000_000


def test_two_straight_flushes_share_a_tenth_equally_and_the_odd_cent_stays(holdem):
    holdem.hands({1: NOTHING, 2: ["Qc", "Qs"], 3: ["4c", "4s"]}, NINES)
    round_id = holdem.hands({1: LOW, 3: NOTHING, 7: HIGH}, NINES)
    assert holdem.wins(round_id) == [("straight_flush", [1, 7])]
    holdem.record()
    (hit,) = holdem.hits("royal")
    assert (hit.before_micros, hit.amount_cents) == (BASE + 6 * 650_000, 100_039)
    assert (hit.shares_cents, hit.remainder_cents) == ((50_019, 50_019), 1)
    assert hit.left_micros == hit.before_micros - 2 * 50_019 * 10_000


def test_a_folded_hand_wins_and_its_stakes_are_lost_all_the_same(holdem):
    round_id = holdem.hands({2: STRAIGHT, 6: NOTHING}, folded=[2])
    assert holdem.wins(round_id) == [("straight_flush", [2])]
    holdem.record()
    assert models.Hit.objects.get().shares_cents == [100_013]


def test_rebuilt_the_meter_is_the_live_one(holdem):
    holdem.hands({2: STRAIGHT, 5: ROYAL, 6: NOTHING}, folded=[5])
    holdem.record()
    with shadow(METERS, "owner"):
        for after in range(0, position_of("meters"), 7):
            replay(METERS, "owner", after, min(position_of("meters"), after + 7), lambda _: None)
        assert compare(METERS, "owner") == []


def test_where_all_fold_the_hands_with_the_wager_are_read(holdem):
    assert holdem.wins(holdem.hands({2: STRAIGHT, 5: ROYAL}, folded=[2, 5])) == [
        ("royal_flush", [5]),
        ("straight_flush", [2]),
    ]


def test_no_card_is_dealt_before_the_chips_are_counted(holdem):
    rounds.open_round(holdem.order(), "H-01")
    round_id = holdem.last_round("H-01")
    rounds.place_wagers(holdem.order(), round_id, holdem.bets(2, 5))
    rounds.close_bets(holdem.order(), round_id)
    with pytest.raises(Refused) as refused:
        rounds.record_cards(holdem.order(), round_id, [CardEntry("As")])
    assert refused.value.code == "progressive_not_collected"
    with pytest.raises(Refused) as refused:
        rounds.collect_progressive(holdem.order(), round_id, 1)
    assert refused.value.code == "progressive_count_differs"


@pytest.mark.parametrize(
    ("asked", "code"),
    [
        ([Asked(2, "progressive", 200)], "side_bet_price"),
        ([Asked(2, "progressive", 50)], "side_bet_price"),
        ([Asked(2, "progressive", 100), Asked(2, "progressive", 100)], "second_progressive"),
    ],
)
def test_the_wager_costs_its_price_and_is_one_a_seat(holdem, asked, code):
    rounds.open_round(holdem.order(), "H-01")
    with pytest.raises(Refused) as refused:
        rounds.place_wagers(holdem.order(), holdem.last_round("H-01"), asked)
    assert refused.value.code == code


def test_a_seat_without_a_hand_has_no_progressive(holdem):
    rounds.open_round(holdem.order(), "H-01")
    round_id = holdem.last_round("H-01")
    rounds.place_wagers(holdem.order(), round_id, [Asked(2, "progressive", 100)])
    with pytest.raises(Refused) as refused:
        rounds.close_bets(holdem.order(), round_id)
    assert refused.value.code == "ante_missing"


def test_a_misdeal_before_the_flop_gives_the_stakes_back_and_takes_them_off_the_meter(holdem):
    round_id = holdem.collected()
    assert pools(holdem)[0] == BASE + 2 * 650_000
    rounds.record_cards(holdem.order(), round_id, [CardEntry("8h"), CardEntry("9h"), CardEntry("Ah")])
    rounds.declare_misdeal(holdem.order(), round_id, "A card was exposed.", Approval("ana", "ben"), "Ah", 51)
    assert pools(holdem) == (BASE, 0, 0)


def test_a_completed_round_is_voided_without_a_hit_and_not_with_one(holdem):
    plain = holdem.hands({2: NOTHING})
    rounds.void_round(holdem.order(), plain, "The wrong deck was used.", Approval("ana", "ben"))
    assert pools(holdem) == (BASE, 0, 0)
    hit = holdem.hands({2: STRAIGHT})
    with pytest.raises(Refused) as refused:
        rounds.void_round(holdem.order(), hit, "The wrong deck was used.", Approval("ana", "ben"))
    assert refused.value.code == "round_has_hit"


def test_a_table_that_left_the_link_takes_no_progressive(holdem):
    leave_table(holdem.order(), "royal", "H-01", "The sign is dark.")
    rounds.open_round(holdem.order(), "H-01")
    with pytest.raises(Refused) as refused:
        rounds.place_wagers(holdem.order(), holdem.last_round("H-01"), holdem.bets(2))
    assert refused.value.code == "side_bet_disabled"
