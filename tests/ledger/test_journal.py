"""The journal over the whole log: the worked day of the books by hand, random days, and what nobody can do to it."""

import random
from collections.abc import Callable
from datetime import UTC, date, datetime
from typing import Any

import psycopg
import pytest

from casino import session_events as s
from casino import slip_events as f
from casino.commands.order import property_code
from casino.events import (
    CashBoughtIn,
    HandCompleted,
    ProgressiveCollected,
    SettledLine,
    TableClosed,
    TableOpened,
    WagersSettled,
)
from casino.eventstore import rebuild, store
from casino.eventstore.follower import catch_up
from casino.eventstore.registry import Event
from casino.eventstore.store import Addition, Command, Origin
from casino.keys import RoundId, case_key, link_key, round_key, session_key
from casino.payout_events import PayoutRecorded
from casino.side_bet_terms import WonTier
from jackpot.commands.hits import append_due_hits
from jackpot.events import JackpotPaid, LinkSetUp
from ledger import accounts as a
from ledger.entry import Line, Unbalanced
from ledger.events import DropCounted
from ledger.journal import JOURNAL
from ledger.postings import POSTINGS
from ledger.queries.journal import trial_balance
from ledger.queries.ties import HOLDS, ties
from ledger.simulate import simulated
from tests.played import Played

DAY = date(2026, 11, 28)
AT = datetime(2026, 11, 28, 21, 15, tzinfo=UTC)
ROUND = RoundId("R-01", DAY, 1)
COUNTED = {"denominations": None, "counted_by": ["ana", "dan"]}


def append(key: str, *events: Event, table: str | None = "R-01", round_no: int | None = None) -> None:
    """Events at the end of a stream, as a command would append them."""
    command = Command("test", f"{key}:{store.load(key).version}", store.fingerprint("test", {}))
    addition = Addition(key, store.load(key).version, DAY, list(events), AT, table=table, round_no=round_no)
    store.append(Origin("test", "terminal", commands=[command]), [addition])


def session(*events: Event, number: int = 1) -> None:
    append(session_key(property_code(), "R-01", DAY, number), *events)


def of_round(*events: Event, n: int = 1) -> None:
    append(round_key(property_code(), RoundId("R-01", DAY, n)), *events, round_no=n)


def settled(lost: int, winnings: int = 0) -> WagersSettled:
    lines = [SettledLine(number=1, seat=1, wager="colour:red", stake_cents=lost, result="lose", returned_cents=0)]
    if winnings:
        lines.append(
            SettledLine(
                number=2, seat=1, wager="colour:black", stake_cents=winnings, result="win", returned_cents=2 * winnings
            )
        )
    return WagersSettled(phase="roulette", lines=lines)


def opener(cents: int, number: int = 1, rolled: bool = False) -> TableOpened:
    return TableOpened(table="R-01", session=number, opener_cents=cents, rolled=rolled, **COUNTED)


def closer(cents: int, number: int = 1, rolled: bool = False, last_round: int = 1) -> TableClosed:
    return TableClosed(
        table="R-01", session=number, closer_cents=cents, last_round=last_round, rolled=rolled, **COUNTED
    )


def transfer(kind: type[Event], cents: int) -> Event:
    return kind(table="R-01", transfer=1, serial=1, denominations={"100": cents}, total_cents=cents)


def link() -> None:
    """A meter that stands at exactly 10,000.00 once the day's 300.00 are racked, so that a tenth is 1,000.00."""
    set_up = LinkSetUp(
        code="grand", currency="EUR", game="54-card-roulette", bet="progressive", base_cents=980_500,
        reset_cents=500_000, stake_cents=100, tiers_name="tiered", tiers={"straight_flush": "1/10"},
    )  # fmt: skip
    append(link_key(property_code(), "grand"), set_up, table=None)


def worked_day() -> None:
    """Section 2 of the books, in cents; fills and credits come from and go to the cage."""
    link()
    session(opener(5_000_000), transfer(f.FillSent, 2_000_000), transfer(f.FillReceived, 2_000_000))
    session(transfer(f.CreditRemoved, 500_000), transfer(f.CreditReceived, 500_000))
    session(
        CashBoughtIn(table="R-01", seat=1, amount_cents=2_200_000),
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
    won = WonTier(
        bet="progressive", link="grand", rank="straight_flush", fraction="1/10", odd_cents="odd_cents_stay_in_meter",
        seats=[1],
    )  # fmt: skip
    of_round(
        ProgressiveCollected(
            bet="progressive", link="grand", seats=[1], stake_cents=30_000, increment_bp=6_500, hidden_bp=1_000
        ),
        HandCompleted(rank="straight_flush", shown={}, wins=[won]),
        settled(lost=4_000_000, winnings=2_800_000),
        PayoutRecorded(
            number=2, seat=1, wager="colour:black", due_cents=5_600_000, paid_before_cents=5_600_000,
            paid_cents=5_607_500, by="ana",
        ),
    )  # fmt: skip
    session(
        s.WinningsPaidElsewhere(table="R-01", round=str(ROUND), seat=1, amount_cents=900_000, paid_by="cage", by="ana")
    )
    catch_up()
    append_due_hits()
    append(
        case_key(property_code(), "grand", str(ROUND), "straight_flush"),
        JackpotPaid(round=str(ROUND), rank="straight_flush", seat=1, amount_cents=100_000, paid_from="tray"),
    )
    session(closer(5_621_500))  # 56,225.00 are expected: 10.00 short
    append(f"{property_code()}/box/R-01/{DAY}", DropCounted(table="R-01", counted_cents=3_350_200, counted_by=[]))
    catch_up()


@pytest.fixture(autouse=True)
def _database(database: Any) -> None:
    pass


def cents(position: int | None = None) -> dict[str, int]:
    """The trial balance, each account on its own side, whole cents."""
    found = trial_balance(position)
    assert all(row.net_micros % 10_000 == 0 for row in found.rows)
    return {row.account.code: row.own_micros // 10_000 for row in found.rows if row.net_micros}


def test_the_worked_day_ends_in_the_trial_balance_by_hand() -> None:
    worked_day()
    assert cents() == {
        a.CAGE_CHIPS: -1_500_000,  # a fill out, a credit in, and nobody has counted the cage yet
        a.TRAYS: 5_621_500,
        a.PATRONS_CHIPS: 878_500,  # 5,000,000 issued + 1,500,000 − 5,621,500
        a.CHIPS_ISSUED: 5_000_000,
        a.CASH: 1_400_200,  # drop 3,350,200 − check 1,000,000 − coupon 50,000 − 900,000 paid by the cage
        a.CHECKS: 600_000,
        a.CHIPS_OWED: 878_500,
        a.METERS: 900_000,  # 980,500 + 65 % of 30,000 − 100,000
        a.RESERVES: 3_000,
        a.TABLE_WIN: 1_280_000,  # G of the books
        a.PROMO: 50_000,
        a.PROGRESSIVE_COST: 22_500,
        a.SEED_COST: 980_500,
        a.OVER_SHORT_TRAY: 1_000,
        a.OVER_SHORT_BOX: -200,
        a.DEALER_ERRORS: 7_500,
    }
    assert trial_balance().is_zero
    win = 5_621_500 + 500_000 + 3_350_200 - 5_000_000 - 2_000_000 - 400_000 - 900_000  # from counts, books section 1
    assert win == 1_280_000 - 100_000 + (-1_000 + 200 - 7_500)  # table win − J + over/short


def test_the_trial_balance_is_zero_at_every_position_and_hand_and_record_of_a_hit_agree() -> None:
    worked_day()
    top = trial_balance().position
    assert all(trial_balance(position).is_zero for position in range(top + 1))
    hit = next(n for n in range(1, top) if trial_balance(n).of(a.PAYABLES))
    assert trial_balance(hit).of(a.PAYABLES) == 100_000 * 10_000
    assert trial_balance(hit - 1).of(a.METERS) - trial_balance(hit).of(a.METERS) == 100_000 * 10_000


def test_rebuild_equals_live_however_it_was_read(monkeypatch: pytest.MonkeyPatch) -> None:
    worked_day()
    assert rebuild.rebuild(JOURNAL, "owner", True, lambda _: None) == []
    monkeypatch.setattr(rebuild, "CHUNK", 3)
    assert trial_balance().position > 3 * rebuild.CHUNK
    assert rebuild.rebuild(JOURNAL, "owner", True, lambda _: None) == []


def test_a_roll_posts_nothing_and_a_fact_of_the_period_before_leaves_the_counted_tray_alone() -> None:
    session(opener(1_000_000), CashBoughtIn(table="R-01", seat=1, amount_cents=200_000))
    session(closer(980_000, rolled=True, last_round=0))  # 1,800.00 over: the buy-in was one of 200.00
    catch_up()
    before = cents()
    assert (before[a.TRAYS], before[a.OVER_SHORT_TRAY]) == (980_000, -180_000)
    session(opener(980_000, number=2, rolled=True), number=2)
    catch_up()
    assert cents() == before
    session(
        s.EntryCorrected(
            table="R-01", corrects=2, entry="cash_bought_in", seat=1, patron_id=None,
            before={"amount_cents": 200_000}, after={"amount_cents": 20_000}, in_difference_cents=-180_000,
            out_difference_cents=-180_000, reason="a nought too many", requested_by="ana", approved_by="eve",
        )
    )  # fmt: skip
    catch_up()
    assert cents() == {
        a.TRAYS: 980_000, a.CHIPS_ISSUED: 1_000_000, a.PATRONS_CHIPS: 20_000, a.CHIPS_OWED: 20_000, a.BOXES: 20_000,
    }  # fmt: skip


@pytest.mark.parametrize("seed", [4, 12])
def test_random_days_balance_at_random_positions(played: Played, seed: int) -> None:
    chance = random.Random(seed)
    floor = simulated("R-03", seed, lambda: datetime.now(UTC))
    floor.open()
    for _ in floor.play():
        if floor.tally.rounds == 8:
            break
    played.read()
    floor.close(5_000_000 + chance.randrange(-50_000, 50_000))
    played.count(chance.randrange(20_000))
    played.read()
    top = trial_balance().position
    for position in [*(chance.randrange(top) for _ in range(40)), top]:
        found = trial_balance(position)
        assert found.is_zero
        assert found.of(a.PATRONS_CHIPS) == found.of(a.CHIPS_OWED)
    assert {tie.state for tie in ties(played.day).every} == {HOLDS}
    assert rebuild.rebuild(JOURNAL, "owner", True, lambda _: None) == []


# ------------------------------------------------------------------------------------------------- attacks


def test_the_database_refuses_an_entry_that_does_not_balance_and_every_change_of_a_line(
    role_connection: Callable[..., psycopg.Connection[Any]],
) -> None:
    worked_day()
    app, add = role_connection("casino_app"), "INSERT INTO journal_line (position, nth, account, link, micros) VALUES "
    with pytest.raises(psycopg.Error, match="money are out by 5"):
        app.execute(add + "(999, 1, '210', '', 5)")
    with pytest.raises(psycopg.Error, match="does not balance"):  # as a sum it is nothing, but chips are no money
        app.execute(add + "(999, 1, '210', '', 5), (999, 2, '120', '', -5)")
    with pytest.raises(psycopg.Error, match="does not balance"):  # nor do two entries make one
        app.execute(add + "(999, 1, '210', '', 5), (998, 1, '220', '', -5)")
    with pytest.raises(psycopg.Error, match="never changed"):
        app.execute("UPDATE journal_line SET micros = micros * 2")
    with pytest.raises(psycopg.Error, match="never changed"):
        app.execute("UPDATE journal_entry SET posting_date = '2020-01-01'")
    with pytest.raises(psycopg.Error, match="does not balance"):
        app.execute("DELETE FROM journal_line WHERE account = '210'")
    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        app.execute("TRUNCATE journal_line")
    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        app.execute("ALTER TABLE journal_line DISABLE TRIGGER ALL")
    app.execute(add + "(999, 1, '210', '', 5), (999, 2, '220', '', -5)")  # balanced, but no event of the log's …
    assert rebuild.rebuild(JOURNAL, "owner", True, lambda _: None) != []  # … and so a rebuild finds it


def test_a_posting_that_does_not_balance_stops_the_journal_before_anything_is_written(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    session(opener(1_000_000))
    catch_up()
    monkeypatch.setitem(POSTINGS, CashBoughtIn, lambda event, place: iter((Line(a.CASH, 5),)))
    session(CashBoughtIn(table="R-01", seat=1, amount_cents=100))
    with pytest.raises(Unbalanced):
        catch_up()
    assert cents() == {a.TRAYS: 1_000_000, a.CHIPS_ISSUED: 1_000_000}
