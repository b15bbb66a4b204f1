"""The statement's lines: every fact is accounted for line by line, and the lines of a pool make its difference."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from jackpot import link as links
from jackpot.events import OVERFLOW_RULES, JackpotPaid, JackpotReturned, LinkSetUp, MeterAdjusted
from jackpot.link import Collected, Completed, Link, Voided
from jackpot.meter import Meter, Rates, Win
from jackpot.statement import ACCOUNTS, balances, lines_of, total

RATES = Rates(6500, 1000)
SET_UP = LinkSetUp(
    code="blue", currency="USD", game="54-card-roulette", bet="progressive", base_cents=500_000, reset_cents=500_000,
    stake_cents=100, tiers_name="tiered", tiers={"royal_flush": "1", "straight_flush": "1/10"},
)  # fmt: skip
ROYAL = Completed("r1", (Win("royal_flush", (1, 2)),), {"royal_flush": Fraction(1)})


def stated(*facts, set_up: LinkSetUp = SET_UP) -> tuple[Link, dict]:
    """The link after its facts, and the lines of all of them."""
    link = links.begin(set_up, 1)
    found = list(lines_of(set_up, None, link.meter).items())
    for number, fact in enumerate(facts, 2):
        before, link = link, links.apply(link, number, fact)
        found += lines_of(fact, before.meter, link.meter).items()
    return link, total(found)


def only(lines: dict, account: str) -> dict[str, int]:
    return {line: micros for (of, line), micros in lines.items() if of == account and micros}


def test_stakes_are_increments_and_the_base_is_a_reseed():
    _, lines = stated(Collected(300, RATES))
    assert only(lines, "main") == {"reseeds": 5_000_000_000, "increments": 1_950_000}
    assert only(lines, "reserve") == {"increments": 300_000}
    assert only(lines, "house_share") == {"increments": 750_000}
    assert only(lines, "stakes") == {"increments": 3_000_000}
    assert only(lines, "seeds") == {"reseeds": 5_000_000_000}


def test_a_win_goes_to_what_is_payable_and_the_reset_comes_from_reserve_and_seed():
    link, lines = stated(Collected(300, RATES), ROYAL)
    won = 2 * 250_097 * 10_000  # 5,001.95 for two; the odd cent stays
    assert only(lines, "main") == {"reseeds": 2 * 5_000_000_000, "increments": 1_950_000, "wins": -won}
    assert only(lines, "payable") == {"wins": won}
    assert link.meter.main_micros == 5_000_010_000
    assert only(lines, "reserve") == {"increments": 300_000, "reseeds": -300_000}
    assert only(lines, "seeds") == {"reseeds": 2 * 5_000_000_000 - 300_000}


def test_payments_and_returns_leave_what_is_payable():
    link, _ = stated(Collected(300, RATES), ROYAL)
    hit = link.due[0]
    half = {"round": "r1", "rank": "royal_flush", "amount_cents": hit.share_cents}
    paid = JackpotPaid(seat=1, paid_from="cage", **half)
    returned = JackpotReturned(seats=(2,), reason="denied", by="ana", approved_by="ben", **half)
    _, lines = stated(Collected(300, RATES), ROYAL, hit, paid, returned)
    share = hit.share_cents * 10_000
    assert only(lines, "payable") == {"wins": 2 * share, "payments": -share, "returns": -share}
    assert only(lines, "main")["returns"] == share


def test_a_void_reverses_increments_and_the_house_bears_the_rest():
    _, lines = stated(Collected(300, RATES), Voided("r9", 100, RATES))
    assert only(lines, "main")["void_reversals"] == -650_000
    assert only(lines, "reserve")["void_reversals"] == -100_000
    assert only(lines, "house_share")["void_reversals"] == -250_000


@pytest.mark.parametrize(
    ("rule", "account"),
    [
        ("overflow_kept", "overflow"),
        ("overflow_to_next_meter", "overflow"),
        ("overflow_to_reserve", "reserve"),
        ("overflow_to_house", "house_share"),
    ],
)
def test_what_comes_above_the_limit_leaves_main_as_overflow_and_comes_in_where_the_rule_says(rule, account):
    limited = replace(SET_UP, limit_cents=500_001, overflow_rule=rule)
    _, lines = stated(Collected(300, RATES), set_up=limited)
    assert only(lines, "main") == {"reseeds": 5_000_000_000, "increments": 1_950_000, "overflow": -1_940_000}
    assert only(lines, account)["overflow"] == 1_940_000
    assert only(lines, "reserve")["increments"] == 300_000
    assert only(lines, "house_share")["increments"] == 750_000


def test_overflow_that_waits_for_the_next_meter_joins_it_at_a_full_win():
    limited = replace(SET_UP, limit_cents=500_001, overflow_rule="overflow_to_next_meter")
    alone = Completed("r1", (Win("royal_flush", (1,)),), {"royal_flush": Fraction(1)})
    link, lines = stated(Collected(300, RATES), alone, set_up=limited)
    assert link.meter.overflow_micros == 1_940_000 - 10_000
    assert only(lines, "overflow") == {"overflow": link.meter.overflow_micros}
    assert only(lines, "main")["overflow"] == -link.meter.overflow_micros
    assert link.meter.main_micros == 5_000_010_000


def test_adjustments_and_transfers_have_lines_of_their_own():
    def adjusted(pool: str, micros: int, reason: str) -> MeterAdjusted:
        return MeterAdjusted(pool=pool, micros=micros, reason=reason, evidence="e", by="a", approved_by="b")

    _, lines = stated(
        adjusted("main", 70_000, "malfunction"), adjusted("reserve", 5, "transfer_in"),
        adjusted("main", -5_000_070_000, "transfer_out"),
    )  # fmt: skip
    assert only(lines, "main") == {"reseeds": 5_000_000_000, "adjustments": 70_000, "transfers_out": -5_000_070_000}
    assert only(lines, "reserve") == {"transfers_in": 5}


facts = st.lists(
    st.one_of(
        st.builds(Collected, st.integers(1, 50_000), st.just(RATES)),
        st.builds(Voided, st.just("never won"), st.integers(1, 20_000), st.just(RATES)),
        st.just(Completed("r1", (Win("straight_flush", (1, 2, 3)),), {"straight_flush": Fraction(1, 10)})),
        st.just(ROYAL),
    ),
    max_size=12,
)


@given(facts, st.sampled_from(OVERFLOW_RULES), st.sampled_from([None, 500_100, 520_000]))
def test_the_lines_of_every_account_add_up_to_what_it_holds(facts, rule, limit_cents):
    link, lines = stated(*facts, set_up=replace(SET_UP, overflow_rule=rule, limit_cents=limit_cents))
    assert balances(lines) == {account: held(link.meter, account) for account in ACCOUNTS}


def held(meter: Meter, account: str) -> int:
    return getattr(meter, f"{account}_micros")
