"""A table's day of several periods and every kind of paper, as the books add it up: worked by hand."""

from datetime import UTC, date, datetime
from typing import Any

import pytest

from casino import session_events as s
from casino import slip_events as f
from casino.commands.order import property_code
from casino.events import CashBoughtIn, RoundOpened, SettledLine, TableClosed, TableOpened, WagersSettled
from casino.eventstore import store
from casino.eventstore.follower import catch_up
from casino.eventstore.registry import Event
from casino.eventstore.store import Addition, Command, Origin
from casino.keys import RoundId, round_key, session_key
from casino.refusal import Refused
from ledger.figures import FIGURES
from ledger.models import TableHour, TablePeriod
from ledger.queries import days, opened

DAY = date(2026, 11, 28)
AT = datetime(2026, 11, 28, 21, 15, tzinfo=UTC)


def append(key: str, events: list[Event], at: datetime = AT, round_no: int | None = None) -> None:
    """Events at the end of a stream of table R-01, as a command would append them."""
    command = Command("test", f"{key}:{store.load(key).version}", store.fingerprint("test", {}))
    addition = Addition(key, store.load(key).version, DAY, events, at, table="R-01", round_no=round_no)
    store.append(Origin("test", "terminal", commands=[command]), [addition])


def session(number: int, *events: Event, at: datetime = AT) -> None:
    append(session_key(property_code(), "R-01", DAY, number), list(events), at)


def settled(n: int, lost: int, winnings: int = 0, at: datetime = AT) -> None:
    """A round of one wager that lost and one that won `winnings` at even money."""
    lines = [SettledLine(number=1, seat=1, wager="colour:red", stake_cents=lost, result="lose", returned_cents=0)]
    if winnings:
        won = SettledLine(
            number=2, seat=1, wager="colour:black", stake_cents=winnings, result="win", returned_cents=2 * winnings
        )
        lines.append(won)
    begun = RoundOpened(
        table="R-01", session="", game="54-card-roulette", paytable="printed", layout="", method="", seats=7, limits={},
        round_payout_max_cents=1, off_limits="warn", side_bets={}, recorded_by="terminal",
    )  # fmt: skip
    key = round_key(property_code(), RoundId("R-01", DAY, n))
    append(key, [begun, WagersSettled(phase="roulette", lines=lines)], at, round_no=n)


def opener(number: int, cents: int, first_round: int = 1, rolled: bool = False) -> TableOpened:
    return TableOpened(
        table="R-01", session=number, opener_cents=cents, denominations=None, counted_by=["ana", "dan"],
        first_round=first_round, rolled=rolled,
    )  # fmt: skip


def closer(number: int, cents: int, last_round: int, rolled: bool = False) -> TableClosed:
    return TableClosed(
        table="R-01", session=number, closer_cents=cents, denominations=None, counted_by=["ana", "dan"],
        last_round=last_round, rolled=rolled,
    )  # fmt: skip


def fill(cents: int) -> f.FillReceived:
    return f.FillReceived(table="R-01", transfer=1, serial=1, denominations={"500": cents}, total_cents=cents)


def credit(cents: int) -> f.CreditRemoved:
    return f.CreditRemoved(table="R-01", transfer=2, serial=1, denominations={"500": cents}, total_cents=cents)


def cash(cents: int) -> CashBoughtIn:
    return CashBoughtIn(table="R-01", seat=1, amount_cents=cents)


def worked_day() -> None:
    """The worked day of the books but for progressive, jackpot and dealer's error: in cents, opener 50,000."""
    session(1, opener(1, 5_000_000), fill(2_000_000), credit(500_000), cash(2_200_000))
    session(
        1,
        s.CounterCheckIssued(table="R-01", serial=1, seat=1, patron_id=1, amount_cents=1_000_000, by="ana"),
        s.CouponSettled(
            table="R-01", serial="MP-1", kind="match_play", seat=1, face_cents=50_000, won=False, winnings_cents=0,
            by="ana",
        ),
        s.PitRedemptionTaken(
            table="R-01", redeemed=1, issued_at_table="R-01", seat=1, patron_id=1, chips_cents=300_000,
            cash_cents=100_000, owed_cents=600_000, by="ana",
        ),
    )  # fmt: skip
    settled(1, lost=4_030_000, winnings=2_800_000)
    session(
        1,
        s.WinningsPaidElsewhere(
            table="R-01", round=f"R-01/{DAY}/1", seat=1, amount_cents=900_000, paid_by="cage", by="ana"
        ),
    )


@pytest.fixture(autouse=True)
def _database(database: Any) -> None:
    pass


def test_the_worked_day_comes_out_of_its_events() -> None:
    worked_day()
    catch_up()
    facts = days.table_day(DAY, "R-01").result.facts
    assert (facts.opener, facts.fills, facts.credits) == (5_000_000, 2_000_000, 500_000)
    assert (facts.recorded_drop, facts.pit_redemptions, facts.elsewhere) == (3_350_000, 400_000, 900_000)
    assert facts.game_result == 1_280_000
    # 56,225.00 of the books, without the jackpot of 1,000.00 and the error of 75.00 that are left out here
    assert days.table_day(DAY, "R-01").result.expected_tray == 5_622_500 + 100_000 + 7_500


def test_a_roll_keeps_the_day_one_and_each_period_its_own() -> None:
    session(1, opener(1, 5_000_000), cash(100_000))
    settled(1, lost=30_000)
    session(1, closer(1, 4_929_000, last_round=1, rolled=True))  # 10.00 short
    session(2, opener(2, 4_929_000, first_round=2, rolled=True), fill(200_000))
    settled(2, lost=0, winnings=45_000)
    settled(3, lost=5_000)
    catch_up()
    row = days.table_day(DAY, "R-01")
    assert [days.period_row(period).amount("estimated-win") for period in row.periods] == [30_000, -40_000]
    assert days.period_row(row.periods[0]).amount("tray-difference") == -1_000
    assert (row.amount("opener"), row.amount("between"), row.amount("estimated-win")) == (5_000_000, 0, -10_000)
    assert row.tray_cents == 4_929_000 + 200_000 - 40_000
    session(2, closer(2, 5_089_000, last_round=3))
    catch_up()
    row = days.table_day(DAY, "R-01")
    assert row.amount("tray-difference") == -1_000
    assert days.period_row(row.periods[1]).amount("tray-difference") == 0
    assert row.rounds == 3


def test_a_difference_found_at_a_later_opening_is_no_win_and_is_shown() -> None:
    session(1, opener(1, 1_000_000))
    session(1, closer(1, 1_000_000, last_round=0))
    session(2, opener(2, 995_000))
    settled(1, lost=20_000)
    session(2, closer(2, 1_015_000, last_round=1))
    catch_up()
    row = days.table_day(DAY, "R-01")
    assert (row.amount("between"), row.amount("expected-tray"), row.amount("tray-difference")) == (-5_000, 1_015_000, 0)


def test_a_credit_that_was_voided_on_its_way_is_back_in_the_tray() -> None:
    session(1, opener(1, 1_000_000), credit(300_000))
    void = f.SlipVoided(
        table="R-01", kind="credit", transfer=2, serial=1, reason="wrong table", denominations={"500": 300_000},
        total_cents=300_000, tray_cents=300_000, was_in_transit=True, requested_by="cleo", approved_by="ana",
    )  # fmt: skip
    session(1, void)
    catch_up()
    row = days.table_day(DAY, "R-01")
    assert (row.amount("credits"), row.amount("expected-tray")) == (0, 1_000_000)


@pytest.mark.parametrize("code", list(FIGURES))
def test_every_figure_of_day_and_period_is_proven_by_its_events(code: str) -> None:
    worked_day()
    session(1, closer(1, 5_730_000, last_round=1, rolled=True))
    session(2, opener(2, 5_730_000, first_round=2, rolled=True), fill(100_000), cash(5_000))
    settled(2, lost=700)
    session(2, closer(2, 5_825_700, last_round=2))
    session(3, opener(3, 5_825_600, first_round=3))
    settled(3, lost=900)
    session(3, closer(3, 5_826_500, last_round=3))
    catch_up()
    for number in (None, 1, 2, 3):
        shown = opened.figure_page(DAY, "R-01", code, session=number)
        assert shown.is_proven, number
        assert shown.cell.url.endswith("" if number is None else f"?session={number}")


def test_an_entry_put_right_counts_as_what_it_should_have_been() -> None:
    """A buy-in of 2,000.00 was one of 200.00: 1,800.00 less in the box, as much more in the tray."""
    session(1, opener(1, 1_000_000), cash(200_000))
    session(1, closer(1, 980_000, last_round=0, rolled=True))
    session(2, opener(2, 980_000, rolled=True))
    right = s.EntryCorrected(
        table="R-01", corrects=2, entry="cash_bought_in", seat=1, patron_id=None, before={"amount_cents": 200_000},
        after={"amount_cents": 20_000}, in_difference_cents=-180_000, out_difference_cents=-180_000,
        reason="a nought too many", requested_by="ana", approved_by="eve",
    )  # fmt: skip
    session(1, right)
    catch_up()
    row = days.table_day(DAY, "R-01")
    assert (row.amount("recorded-drop"), days.period_row(row.periods[0]).amount("tray-difference")) == (20_000, 0)
    assert TableHour.objects.get().drop_cents == 20_000
    shown = opened.figure_page(DAY, "R-01", "recorded-drop", session=1)
    assert shown.is_proven
    assert [cents for _, cents in shown.parts[0].leaves[0].listed] == [200_000, -180_000]
    assert opened.figure_page(DAY, "R-01", "expected-tray").is_proven


def test_a_session_that_is_not_there_is_refused() -> None:
    session(1, opener(1, 1_000_000))
    catch_up()
    with pytest.raises(Refused, match="no session 2"):
        opened.figure_page(DAY, "R-01", "win", session=2)


def test_hours_are_those_of_the_houses_clock_and_add_up_to_the_day() -> None:
    session(1, opener(1, 1_000_000), cash(10_000))
    settled(1, lost=2_000, at=datetime(2026, 11, 28, 21, 59, 59, tzinfo=UTC))
    settled(2, lost=0, winnings=500, at=datetime(2026, 11, 28, 22, 0, tzinfo=UTC))
    catch_up()
    hours = {hour.hour.hour: (hour.drop_cents, hour.win_cents, hour.rounds) for hour in TableHour.objects.all()}
    assert hours == {21: (10_000, 2_000, 1), 22: (0, -500, 1)}


def test_money_that_moves_at_a_table_never_opened_stops_the_books() -> None:
    from ledger.projections import OutsideEveryPeriod

    session(1, cash(10_000))
    with pytest.raises(OutsideEveryPeriod, match="R-01"):
        catch_up()
    assert not TablePeriod.objects.exists()
