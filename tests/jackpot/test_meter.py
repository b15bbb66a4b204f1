"""The arithmetic of a progressive meter: worked figures by hand, the promises of books section 5 as properties."""

import json
from fractions import Fraction
from pathlib import Path

import msgspec
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from casino.money import ODD_CENTS_TO_LOWEST_SEAT
from casino.refusal import Refused
from jackpot import meter as meters
from jackpot.events import JackpotHit, LinkSetUp, MeterAdjusted
from jackpot.meter import Meter, MeterBroken, Rates, Win

RATES = Rates(6500, 1000)
TIERS = {"five_of_a_kind": Fraction(1), "royal_flush": Fraction(1), "straight_flush": Fraction(1, 10)}
VECTORS = Path(__file__).parents[1] / "facts" / "54-card-roulette.split.jsonl"


def micros(units: str) -> int:
    """Micro-units of an amount written in the currency, exactly: "5,650.00"."""
    exact = Fraction(units.replace(",", "")) * 1_000_000
    assert exact.denominator == 1
    return exact.numerator


def a_meter(base: str = "5000", reset: str = "5000", **terms) -> Meter:
    return meters.opened(
        LinkSetUp(
            code="blue",
            currency="USD",
            game="54-card-roulette",
            bet="progressive",
            base_cents=micros(base) // 10_000,
            reset_cents=micros(reset) // 10_000,
            stake_cents=100,
            tiers_name="tiered",
            tiers={"royal_flush": "1", "straight_flush": "1/10"},
            **terms,
        )
    )


def won(meter: Meter, rank: str, seats: tuple[int, ...], at_position: int = 7) -> tuple[Meter, JackpotHit]:
    return meters.hit(
        meter,
        at_position=at_position,
        round_key="demo/round/T1/2026-03-01/1",
        rank=rank,
        fraction=TIERS[rank],
        seats=seats,
    )


def figures(meter: Meter) -> dict[str, int]:
    return {**meters.pools(meter), "house": meter.house_share_micros}


def test_a_thousand_one_dollar_stakes_are_shared_between_meter_reserve_and_house():
    meter = meters.contribute(a_meter(), 1000 * 100, RATES)
    assert figures(meter) == {
        "main": micros("5,650.00"),
        "reserve": micros("100.00"),
        "overflow": 0,
        "house": micros("250.00"),
    }
    assert meter.display_cents == 565_000


def test_a_full_hit_is_split_and_the_meter_reseeded_from_the_reserve_and_then_from_seed():
    meter, hit = won(meters.contribute(a_meter(), 1000 * 100, RATES), "royal_flush", (2, 4, 6))
    assert (hit.before_micros, hit.amount_cents, hit.players) == (micros("5650"), 565_000, 3)
    assert (hit.shares_cents, hit.remainder_cents) == ((188_333,) * 3, 1)
    assert (hit.left_micros, hit.after_micros) == (micros("0.01"), micros("5000.01"))
    assert (hit.from_reserve_micros, hit.from_seed_micros) == (micros("100"), micros("4900"))
    assert figures(meter) == {"main": micros("5000.01"), "reserve": 0, "overflow": 0, "house": micros("250")}
    assert (meter.seeds_micros, meter.payable_micros, meter.hits) == (micros("9900"), micros("5649.99"), 1)


def test_a_reserve_that_holds_a_full_reset_pays_for_it_alone():
    meter, hit = won(meters.contribute(a_meter(), 60_000 * 100, RATES), "royal_flush", (1,))
    assert (hit.from_reserve_micros, hit.from_seed_micros) == (micros("5000"), 0)
    assert meter.seeds_micros == micros("5000")


def test_a_partial_hit_leaves_the_meter_where_it_falls_even_below_the_reset():
    meter, hit = won(meters.contribute(a_meter(), 100, RATES), "straight_flush", (1,))
    assert hit.amount_cents == 50_006  # a tenth of 5,000.65 is 500.065
    assert hit.left_micros == hit.after_micros == meter.main_micros == micros("4500.59")
    assert meter.reserve_micros == micros("0.10")


def test_three_equal_winners_of_10650_get_3550_each():  # domain D10
    meter = meters.contribute(a_meter("10000", "10000"), 1000 * 100, RATES)
    assert figures(meter) == {"main": micros("10650"), "reserve": micros("100"), "overflow": 0, "house": micros("250")}
    assert won(meter, "royal_flush", (1, 2, 3))[1].shares_cents == (355_000,) * 3


def test_ten_thousand_among_three_leaves_one_cent_in_the_meter():  # domain D11
    meter, hit = won(a_meter("10000", "10000"), "royal_flush", (1, 2, 3))
    assert (hit.shares_cents, hit.remainder_cents) == ((333_333,) * 3, 1)
    assert meter.main_micros == micros("10000.01")


def test_two_seats_of_one_round_share_one_meter():  # domain D12, share
    _, hit = won(a_meter("21450.37", "10000"), "royal_flush", (1, 2))
    assert (hit.shares_cents, hit.remainder_cents) == ((1_072_518,) * 2, 1)


def test_two_rounds_take_the_meter_and_then_the_reset():  # domain D12, ordered
    meter, first = won(a_meter("21450.37", "10000"), "royal_flush", (1,), at_position=7)
    meter, second = won(meter, "royal_flush", (1,), at_position=8)
    assert [first.amount_cents, second.amount_cents] == [2_145_037, 1_000_000]
    assert meter.payable_micros == micros("31450.37")
    assert meter.seeds_micros == micros("21450.37") + 2 * micros("10000")


def test_a_tenth_is_cut_to_the_cent_and_the_next_full_hit_gets_what_is_left():  # domain D13
    meter, tenth = won(a_meter("21450.37", "10000"), "straight_flush", (1,))
    assert (tenth.amount_cents, meter.main_micros) == (214_503, micros("19305.34"))
    assert won(meter, "royal_flush", (1,))[1].amount_cents == 1_930_534


@pytest.mark.parametrize("line", VECTORS.read_text().splitlines(), ids=lambda line: json.loads(line)["id"])
def test_the_split_vectors_come_out(line):
    vector = json.loads(line)
    seats = tuple(wager["seat"] for wager in vector["wagers"] if wager["wager"] == "progressive")
    meter_cents, rank = vector["progressive"]["meter_cents"], vector["expect"]["rank"]
    wins = [Win(rank, seats)] if rank in TIERS else []
    meter = a_meter(f"{meter_cents}/100")
    _, hits = meters.hits(meter, at_position=1, round_key="r", wins=wins, tiers=TIERS)
    left = hits[0].left_micros if hits else meter.main_micros
    assert vector["expect"]["jackpot"] == {
        "share_cents": hits[0].share_cents if hits else 0,
        "paid_cents": sum(sum(hit.shares_cents) for hit in hits),
        "meter_after_cents": left // 10_000,
    }
    assert left % 10_000 == 0


def test_odd_cents_go_to_the_lowest_seats_where_that_rule_is_set():
    meter, hit = won(a_meter("100.01", odd_cents=ODD_CENTS_TO_LOWEST_SEAT), "royal_flush", (5, 1, 3))
    assert (hit.seats, hit.shares_cents) == ((1, 3, 5), (3334, 3334, 3333))
    assert (hit.share_cents, hit.remainder_cents, hit.left_micros) == (3333, 0, 0)
    assert meter.main_micros == micros("5000")


def test_of_several_ranks_in_one_hand_the_highest_fraction_goes_first():
    wins = [Win("straight_flush", (1,)), Win("royal_flush", (2, 3))]
    _, hits = meters.hits(a_meter("6000"), at_position=7, round_key="r", wins=wins, tiers=TIERS)
    assert [(hit.rank, hit.amount_cents) for hit in hits] == [("royal_flush", 600_000), ("straight_flush", 50_000)]


def test_ranks_of_one_fraction_go_in_the_order_the_game_lists_them():
    wins = [Win("royal_flush", (4,)), Win("five_of_a_kind", (2,))]
    _, hits = meters.hits(a_meter("6000"), at_position=7, round_key="r", wins=wins, tiers=TIERS)
    assert [(hit.rank, hit.amount_cents) for hit in hits] == [("royal_flush", 600_000), ("five_of_a_kind", 500_000)]


def test_a_win_that_is_no_tier_or_has_no_seat_or_one_twice_stops_the_fold():
    for wins in ([Win("flush", (1,))], [Win("royal_flush", ())], [Win("royal_flush", (1, 1))]):
        with pytest.raises(MeterBroken):
            meters.hits(a_meter(), at_position=7, round_key="r", wins=wins, tiers=TIERS)


def test_the_reserve_takes_what_fills_it_and_passes_the_rest_to_main():
    meter = meters.contribute(a_meter(reset="1.00"), 900, RATES)
    assert (meter.reserve_micros, meter.main_micros) == (micros("0.90"), micros("5005.85"))
    meter = meters.contribute(meter, 250, RATES)  # 0.25 hidden: 0.10 fills the reserve, 0.15 joins 1.625 in main
    assert (meter.reserve_micros, meter.main_micros) == (micros("1.00"), micros("5007.625"))
    assert meter.house_share_micros == micros("2.875")


def test_above_the_posted_limit_everything_overflows():
    meter = meters.contribute(a_meter(limit_cents=500_100), 300, RATES)
    assert figures(meter) == {
        "main": micros("5001"),
        "reserve": micros("0.30"),
        "overflow": micros("0.95"),
        "house": micros("0.75"),
    }


def test_a_meter_that_a_reseed_left_above_its_limit_takes_nothing_more():
    meter, _ = won(a_meter(limit_cents=500_001), "royal_flush", (1, 2, 3))
    assert meter.main_micros == micros("5000.02")  # two odd cents stayed
    meter = meters.contribute(meter, 100, RATES)
    assert (meter.main_micros, meter.overflow_micros) == (micros("5000.02"), micros("0.65"))


def test_what_a_returned_hit_lifts_above_the_limit_overflows():
    meter, hit = won(a_meter(limit_cents=600_000), "royal_flush", (1,))
    meter = meters.returned(meter, hit.payable_cents)
    assert (meter.main_micros, meter.overflow_micros) == (micros("6000"), micros("4000"))


def test_a_void_takes_from_overflow_first_and_then_from_main():
    meter = meters.contribute(a_meter(limit_cents=500_100), 300, RATES)
    once = meters.reverse(meter, 100, RATES)
    assert (once.overflow_micros, once.main_micros) == (micros("0.30"), micros("5001"))
    twice = meters.reverse(once, 100, RATES)
    assert (twice.overflow_micros, twice.main_micros) == (0, micros("5000.65"))


def test_a_void_after_a_hit_is_borne_by_the_house_and_not_by_the_new_meter():
    meter, _ = won(meters.contribute(a_meter(), 1000, RATES), "royal_flush", (1,))
    meter = meters.reverse(meter, 400, RATES)
    assert figures(meter) == {"main": micros("5000"), "reserve": 0, "overflow": 0, "house": micros("-1.50")}
    assert meter.stakes_micros == micros("6.00")


def test_a_void_never_lowers_a_meter_that_is_below_its_reset():
    meter, _ = won(meters.contribute(a_meter(), 100, RATES), "straight_flush", (1,))
    meter = meters.reverse(meter, 100, RATES)
    assert figures(meter) == {"main": micros("4500.59"), "reserve": 0, "overflow": 0, "house": micros("-0.65")}


def test_a_returned_hit_goes_to_main_and_the_reseed_stays():
    meter, hit = won(meters.contribute(a_meter(), 1000 * 100, RATES), "royal_flush", (1,))
    meter = meters.returned(meter, hit.payable_cents)
    assert (meter.main_micros, meter.payable_micros) == (micros("10650"), 0)
    assert meter.seeds_micros == micros("9900")


def test_a_payment_lowers_what_is_payable_and_no_pool():
    before, hit = won(a_meter(), "royal_flush", (1, 2))
    after = meters.paid(before, hit.share_cents)
    assert (figures(after), after.payable_micros) == (figures(before), micros("2500"))


def test_more_than_is_payable_can_neither_return_nor_be_paid():
    meter, hit = won(a_meter(), "royal_flush", (1,))
    for change in (meters.returned, meters.paid):
        for cents in (hit.payable_cents + 1, -1):
            with pytest.raises(MeterBroken):
                change(meter, cents)


def test_stakes_that_no_round_can_have_collected_stop_the_fold():
    for stakes_cents, rates in ((-1, RATES), (100, Rates(-1, 0)), (100, Rates(0, -1)), (100, Rates(9000, 1001))):
        for change in (meters.contribute, meters.reverse):
            with pytest.raises(MeterBroken):
                change(a_meter(), stakes_cents, rates)


def test_a_meter_that_does_not_add_up_goes_no_further():
    crooked = msgspec.structs.replace(a_meter(), main_micros=micros("5000") + 1)
    assert not meters.conserved(crooked)
    with pytest.raises(MeterBroken, match="not conserved"):
        meters.contribute(crooked, 100, RATES)


def an_adjustment(**changes) -> MeterAdjusted:
    plain = {
        "pool": "main",
        "micros": 5,
        "reason": "malfunction",
        "evidence": "reading 14",
        "by": "ana",
        "approved_by": "ben",
    }
    return MeterAdjusted(**(plain | changes))


def test_an_approved_adjustment_changes_one_pool():
    meter = meters.adjusted(a_meter(), meters.check_adjustment(a_meter(), an_adjustment(micros=micros("-12.5"))))
    assert (meter.main_micros, meter.adjustments_micros) == (micros("4987.5"), micros("-12.5"))


@pytest.mark.parametrize(
    ("code", "changes"),
    [
        ("unknown_pool", {"pool": "house_share"}),
        ("adjustment_zero", {"micros": 0}),
        ("unknown_reason", {"reason": "because"}),
        ("unknown_reason", {"reason": "seed_recovered"}),
        ("unknown_reason", {"reason": "house_refill", "micros": -1}),
        ("evidence_missing", {"evidence": " "}),
        ("same_person", {"approved_by": "ana"}),
        ("approval_missing", {"approved_by": ""}),
        ("pool_too_small", {"micros": -micros("5000") - 1}),
        ("pool_too_small", {"micros": -1, "pool": "reserve"}),
        ("over_limit", {"micros": micros("1001")}),
        ("transfer_not_whole", {"reason": "transfer_out", "micros": -1}),
    ],
)
def test_an_adjustment_is_refused(code, changes):
    with pytest.raises(Refused) as refused:
        meters.check_adjustment(a_meter(limit_cents=600_000), an_adjustment(**changes))
    assert refused.value.code == code
    assert refused.value.message.endswith(".")


def test_the_posted_limit_binds_main_and_no_other_pool():
    wanted = an_adjustment(pool="overflow", micros=micros("7000"))
    assert meters.check_adjustment(a_meter(limit_cents=600_000), wanted) == wanted


def test_the_whole_of_a_pool_may_be_transferred():
    wanted = an_adjustment(reason="transfer_out", micros=-micros("5000"))
    assert meters.adjusted(a_meter(), meters.check_adjustment(a_meter(), wanted)).main_micros == 0


def test_an_adjustment_that_a_hit_overtook_takes_no_more_than_is_there():
    meter, _ = won(a_meter("9000"), "royal_flush", (1,))
    meter = meters.adjusted(meter, an_adjustment(micros=-micros("8000")))
    assert (meter.main_micros, meter.adjustments_micros) == (0, -micros("5000"))


# Properties. Small resets and limits make every boundary likely.

rates = st.tuples(st.integers(0, 10_000), st.integers(0, 10_000)).map(
    lambda pair: Rates(pair[0], pair[1] * (10_000 - pair[0]) // 10_000)
)
small_meters = st.builds(
    lambda base, reset, limit: a_meter(f"{base}/100", f"{reset}/100", limit_cents=limit and max(base, reset) + limit),
    st.integers(1, 3000),
    st.integers(1, 3000),
    st.none() | st.integers(1, 3000),
)


@given(small_meters, rates, st.lists(st.lists(st.integers(0, 5000), max_size=6), max_size=6))
def test_stakes_one_by_one_or_in_any_sums_make_the_same_meter(meter, pinned, batches):
    one_by_one = as_sets = meter
    for batch in batches:
        as_sets = meters.contribute(as_sets, sum(batch), pinned)
        for stake_cents in batch:
            one_by_one = meters.contribute(one_by_one, stake_cents, pinned)
    assert one_by_one == as_sets == meters.contribute(meter, sum(map(sum, batches)), pinned)


@given(small_meters, st.lists(st.tuples(st.integers(0, 5000), rates), max_size=8), st.randoms())
def test_the_order_of_stakes_is_irrelevant_even_at_different_rates(meter, stakes, shuffler):
    shuffled = list(stakes)
    shuffler.shuffle(shuffled)
    ordered, other = meter, meter
    for stake_cents, pinned in stakes:
        ordered = meters.contribute(ordered, stake_cents, pinned)
    for stake_cents, pinned in shuffled:
        other = meters.contribute(other, stake_cents, pinned)
    assert ordered == other


@given(small_meters, rates, st.integers(0, 5000))
def test_a_meter_fed_cent_by_cent_equals_one_fed_at_once(meter, pinned, stakes_cents):
    slow = meter
    for _ in range(stakes_cents % 300):
        slow = meters.contribute(slow, 1, pinned)
    assert slow == meters.contribute(meter, stakes_cents % 300, pinned)


@given(small_meters, rates, st.integers(0, 5000))
def test_a_void_right_after_the_stakes_takes_back_exactly_what_they_gave(meter, pinned, stakes_cents):
    assume(meter.main_micros >= meter.reset_micros >= stakes_cents * pinned.hidden_bp)
    fed = meters.contribute(meter, stakes_cents, pinned)
    back = meters.reverse(fed, stakes_cents, pinned)
    assert back == meter


@given(st.integers(500, 3000), st.integers(0, 50_000), st.integers(0, 5000))
def test_once_the_reserve_is_full_again_a_voided_round_has_left_no_trace(reset_cents, kept_cents, voided_cents):
    never = meters.contribute(a_meter(reset=f"{reset_cents}/100"), kept_cents, RATES)
    voided = meters.reverse(meters.contribute(never, voided_cents, RATES), voided_cents, RATES)
    refill_cents = reset_cents * 10
    assert meters.contribute(voided, refill_cents, RATES) == meters.contribute(never, refill_cents, RATES)


@given(small_meters, rates, st.integers(0, 5000), rates, st.integers(0, 5000))
def test_a_void_leaves_no_pool_negative_and_main_at_its_reset_at_least(meter, fed, fed_cents, taken, taken_cents):
    before = meters.contribute(meter, fed_cents, fed)
    after = meters.reverse(before, taken_cents, taken)
    assert min(meters.pools(after).values()) >= 0
    assert after.main_micros >= min(before.main_micros, before.reset_micros)
    assert after.stakes_micros == before.stakes_micros - taken_cents * 10_000


@given(
    small_meters,
    st.sampled_from(sorted(TIERS)),
    st.sets(st.integers(1, 100), min_size=1, max_size=40),
    st.integers(0, 9999),
)
def test_a_hit_hands_out_whole_cents_equally_and_keeps_the_rest(meter, rank, seats, odd_micros):
    meter = meters.adjusted(meter, an_adjustment(micros=odd_micros))
    after, hit = won(meter, rank, tuple(seats))
    assert sum(hit.shares_cents) + hit.remainder_cents == hit.amount_cents
    assert set(hit.shares_cents) == {hit.share_cents}
    exact = TIERS[rank] * meter.main_micros / 10_000
    assert exact - 1 < hit.amount_cents <= exact
    assert hit.left_micros == hit.before_micros - 10_000 * sum(hit.shares_cents)
    assert after.main_micros == hit.left_micros + (meter.reset_micros if TIERS[rank] == 1 else 0)
