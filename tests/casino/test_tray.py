"""A tray by denomination: the last count, and what slips and exchanges made of it."""

from casino.events import CashBoughtIn, TableOpened
from casino.session_events import ChipsExchanged
from casino.slip_events import CreditRemoved, FillReceived, SlipVoided
from casino.tray import denominations


def opened(listed: dict[str, int] | None) -> TableOpened:
    total = sum(listed.values()) if listed else 1_000
    return TableOpened(table="R-01", session=1, opener_cents=total, denominations=listed, counted_by=["ana", "dan"])


FILL = FillReceived(table="R-01", transfer=1, serial=1, denominations={"10000": 200_000}, total_cents=200_000)
CREDIT = CreditRemoved(table="R-01", transfer=2, serial=1, denominations={"2500": 50_000}, total_cents=50_000)
VOID = SlipVoided(
    table="R-01", kind="credit", transfer=2, serial=1, reason="", denominations={"2500": 50_000}, total_cents=50_000,
    tray_cents=50_000, was_in_transit=True, requested_by="cleo", approved_by="ana",
)  # fmt: skip
COLOUR_UP = ChipsExchanged(table="R-01", seat=2, given={"10000": 30_000}, taken={"2500": 30_000}, by="dan")


def test_fills_credits_and_exchanges_move_the_denominations_that_were_counted():
    tray = denominations([opened({"10000": 500_000, "2500": 100_000}), FILL, CREDIT, COLOUR_UP])
    assert tray == {10_000: 670_000, 2_500: 80_000}


def test_a_credit_voided_on_its_way_is_back():
    assert denominations([opened({"2500": 100_000}), CREDIT, VOID]) == {2_500: 100_000}


def test_cash_for_chips_names_no_denomination_and_moves_none():
    buy_in = CashBoughtIn(table="R-01", seat=1, amount_cents=10_000)
    assert denominations([opened({"2500": 100_000}), buy_in]) == {2_500: 100_000}


def test_a_count_that_listed_none_leaves_them_unknown():
    assert denominations([opened(None), FILL]) is None
    assert denominations([]) is None
