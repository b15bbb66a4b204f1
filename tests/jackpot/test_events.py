"""The link's events: their words on disk, and what they mean in the house's view of the money."""

from casino.eventstore.registry import decode, encode, names
from jackpot import events
from jackpot.events import JackpotHit, JackpotReturned, LinkSetUp, MeterAdjusted

HIT = JackpotHit(
    link="blue",
    round="demo/round/T1/2026-03-01/1",
    rank="royal_flush",
    at_position=42,
    fraction="1",
    before_micros=10_000_000_000,
    amount_cents=1_000_000,
    players=3,
    share_cents=333_333,
    remainder_cents=1,
    left_micros=10_000,
    from_reserve_micros=100_000_000,
    from_seed_micros=4_900_000_000,
    after_micros=5_000_010_000,
    seats=(1, 2, 3),
    shares_cents=(333_333,) * 3,
)
SET_UP = LinkSetUp(
    code="blue",
    currency="USD",
    game="54-card-roulette",
    bet="progressive",
    base_cents=500_000,
    reset_cents=500_000,
    stake_cents=100,
    tiers_name="tiered",
    tiers={"royal_flush": "1", "straight_flush": "1/10"},
)
ADJUSTED = MeterAdjusted(
    pool="main",
    micros=-5,
    reason="malfunction",
    evidence="reading 14",
    by="ana",
    approved_by="ben",
)
RETURNED = JackpotReturned(
    round="r",
    rank="royal_flush",
    seats=(1, 2),
    amount_cents=666_666,
    reason="denied",
    by="ana",
    approved_by="ben",
)


def test_every_event_of_a_link_has_its_chosen_word():
    ours = {name for name, cls in names().items() if cls.__module__ == events.__name__}
    assert ours == {
        "link_set_up",
        "table_joined",
        "table_left",
        "display_switched",
        "jackpot_hit",
        "jackpot_paid",
        "jackpot_returned",
        "meter_adjusted",
    }


def test_what_is_written_reads_back_the_same():
    for one in (HIT, SET_UP, ADJUSTED, RETURNED):
        assert decode(*encode(one)) == one


def test_a_set_up_has_these_bytes_on_disk():
    assert encode(SET_UP).payload == (
        '{"acknowledged_by":"","base_cents":500000,"bet":"progressive","code":"blue","currency":"USD",'
        '"game":"54-card-roulette","heartbeat_of":"","hidden_bp":1000,"increment_bp":6500,"level_of":"",'
        '"limit_cents":null,"odd_cents":"odd_cents_stay_in_meter","overflow_rule":"overflow_kept","reset_cents":500000,'
        '"silence_seconds":0,"stake_cents":100,"taken_over":false,"tiers":{"royal_flush":"1","straight_flush":"1/10"},'
        '"tiers_name":"tiered"}'
    )


def test_a_set_up_of_the_first_version_has_one_level_keeps_its_overflow_and_is_not_watched():
    first = (
        '{"acknowledged_by":"","base_cents":500000,"bet":"progressive","code":"blue","currency":"USD",'
        '"game":"54-card-roulette","hidden_bp":1000,"increment_bp":6500,"limit_cents":null,'
        '"odd_cents":"odd_cents_stay_in_meter","reset_cents":500000,"stake_cents":100,'
        '"tiers":{"royal_flush":"1","straight_flush":"1/10"},"tiers_name":"tiered"}'
    )
    assert decode("link_set_up", 1, first) == SET_UP


def test_a_hit_owes_the_shares_and_a_return_owes_them_no_longer():
    assert (HIT.payable_cents, HIT.out_cents, HIT.in_cents) == (999_999, 999_999, 0)
    assert (RETURNED.in_cents, RETURNED.out_cents) == (666_666, 0)
