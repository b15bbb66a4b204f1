"""What a link may promise: its parameters, its long-run return, and which tables may join."""

from fractions import Fraction

import msgspec
import pytest

from casino.refusal import Refused
from casino.side_bet_terms import SideBetTerms
from jackpot import terms
from jackpot.events import LinkSetUp, TableJoined

HANDS = 3_162_510
CHANCES = {
    "five_of_a_kind": Fraction(78, HANDS),
    "royal_flush": Fraction(84, HANDS),
    "straight_flush": Fraction(540, HANDS),
}
TIERED = {"five_of_a_kind": "1", "royal_flush": "1", "straight_flush": "1/10"}
LITERAL = dict.fromkeys(TIERED, "1")
PLAIN = LinkSetUp(
    code="blue-1",
    currency="USD",
    game="54-card-roulette",
    bet="progressive",
    base_cents=500_000,
    reset_cents=500_000,
    stake_cents=100,
    tiers_name="tiered",
    tiers=TIERED,
)


def wanted(**changes) -> LinkSetUp:
    return msgspec.structs.replace(PLAIN, **changes)


def test_the_default_link_opens_as_it_is():
    assert terms.check_set_up(PLAIN, CHANCES) == PLAIN
    assert (PLAIN.increment_bp, PLAIN.hidden_bp) == (6500, 1000)


def test_the_largest_amount_is_still_an_amount():
    large = wanted(base_cents=terms.AMOUNT_CENTS_MAX)
    assert terms.check_set_up(large, CHANCES) == large


REFUSALS = [
    ("bad_link_code", {"code": "Blue 1"}),
    ("bad_link_code", {"code": ""}),
    ("bad_link_code", {"code": "a/b"}),
    ("bad_currency", {"currency": "dollars"}),
    ("rate_not_whole", {"increment_bp": 6500.0}),
    ("rate_not_whole", {"hidden_bp": True}),
    ("rate_out_of_range", {"increment_bp": -1}),
    ("rate_out_of_range", {"hidden_bp": 10_001}),
    ("rates_over_stake", {"increment_bp": 9001, "hidden_bp": 1000}),
    ("amount_not_whole", {"base_cents": 5.5}),
    ("amount_not_positive", {"base_cents": 0}),
    ("amount_not_positive", {"reset_cents": -500}),
    ("amount_not_positive", {"stake_cents": 0}),
    ("amount_not_positive", {"limit_cents": 0}),
    ("amount_too_large", {"base_cents": 10**12 + 1}),
    ("limit_too_low", {"limit_cents": 500_000}),
    ("no_tiers", {"tiers": {}}),
    ("bad_fraction", {"tiers": {"royal_flush": "11/10"}}),
    ("unknown_odd_cents_rule", {"odd_cents": "odd_cents_to_the_dealer"}),
    ("unknown_rank", {"tiers": {"full_moon": "1"}}),
    ("return_over_100", {"tiers": LITERAL}),
]


@pytest.mark.parametrize(("code", "changes"), REFUSALS)
def test_a_set_up_is_refused(code, changes):
    with pytest.raises(Refused) as refused:
        terms.check_set_up(wanted(**changes), CHANCES)
    assert refused.value.code == code
    assert refused.value.message.endswith(".")


def test_of_several_mistakes_the_one_higher_in_the_list_is_named():
    first_of_each = dict(reversed(REFUSALS))
    mistakes = {}
    for code, changes in first_of_each.items():  # from the foot of the list to its top, one more mistake each time
        mistakes |= changes
        with pytest.raises(Refused) as refused:
            terms.check_set_up(wanted(**mistakes), CHANCES)
        assert refused.value.code == code


@pytest.mark.parametrize("text", ["0", "0/1", "1/0", "0.1", "1e-1", " 1/2", "-1/2", "2", "3/2", "", "one", 1, None])
def test_a_tier_is_written_as_one_or_as_a_proper_fraction(text):
    with pytest.raises(Refused) as refused:
        terms.fraction_of(text)
    assert refused.value.code == "bad_fraction"


def test_a_tier_reads_as_an_exact_fraction():
    assert terms.tiers_of(TIERED) == {
        "five_of_a_kind": 1,
        "royal_flush": 1,
        "straight_flush": Fraction(1, 10),
    }


@pytest.mark.parametrize(
    ("changes", "returns"),
    [
        # The literal table counts every hand better than quads; a dearer stake makes the reset worth less of it.
        ({"tiers": LITERAL}, Fraction(65, 100) + Fraction(5000, 4505)),
        ({"tiers": LITERAL, "stake_cents": 200}, Fraction(65, 100) + Fraction(2500, 4505)),
        ({"reset_cents": 800_000}, Fraction(65, 100) + 8000 * Fraction(3, 58565)),
    ],
)
def test_a_return_over_100_percent_is_named_exactly(changes, returns):
    with pytest.raises(Refused) as refused:
        terms.check_set_up(wanted(**changes), CHANCES)
    assert (refused.value.code, refused.value.details["returns"]) == ("return_over_100", str(returns))


def test_a_set_up_over_100_percent_opens_with_a_named_acknowledgement():
    named = wanted(tiers=LITERAL, acknowledged_by="ana")
    assert terms.check_set_up(named, CHANCES) == named
    with pytest.raises(Refused, match=r"return 175\.9 %"):
        terms.check_set_up(wanted(tiers=LITERAL, acknowledged_by="  "), CHANCES)


def test_exactly_100_percent_needs_no_acknowledgement():
    even = wanted(tiers={"royal_flush": "1"}, reset_cents=350, increment_bp=6500)
    assert terms.check_set_up(even, {"royal_flush": Fraction(1, 10)}) == even
    with pytest.raises(Refused):
        terms.check_set_up(msgspec.structs.replace(even, reset_cents=351), {"royal_flush": Fraction(1, 10)})


def test_a_round_pins_rates_stake_and_tiers():
    assert terms.pinned(PLAIN) == SideBetTerms("blue-1", 100, 6500, 1000, TIERED, "odd_cents_stay_in_meter")


def test_a_table_that_deals_the_links_game_joins():
    joined = terms.check_join(PLAIN, frozenset({"T1"}), table="T2", game="54-card-roulette", currency="USD")
    assert joined == TableJoined(table="T2")


@pytest.mark.parametrize(
    ("code", "changes"),
    [
        ("already_joined", {"table": "T1"}),
        ("different_chance", {"game": "royal-casino"}),
        ("different_currency", {"currency": "EUR"}),
    ],
)
def test_joining_is_refused(code, changes):
    offer = {"table": "T2", "game": "54-card-roulette", "currency": "USD"} | changes
    with pytest.raises(Refused) as refused:
        terms.check_join(PLAIN, frozenset({"T1"}), **offer)
    assert refused.value.code == code


def test_a_link_takes_tables_of_one_paytable():
    terms.check_paytable(PLAIN, "T3", "printed", {})
    terms.check_paytable(PLAIN, "T3", "printed", {"T1": "printed", "T2": "printed"})
    with pytest.raises(Refused, match="T2 of link blue-1 by older") as refused:
        terms.check_paytable(PLAIN, "T3", "printed", {"T1": "printed", "T2": "older"})
    assert refused.value.code == "different_chance"
