"""Every event's posting: none is missing, every entry balances, and the lines are those of books, section 8."""

import importlib
import pkgutil
from dataclasses import replace

import pytest
from msgspec import structs

import casino
import jackpot
import ledger
from casino import events as e
from casino import session_events as s
from casino import slip_events as f
from casino.eventstore.registry import names
from casino.payout_events import PayoutRecorded
from jackpot import events as j
from ledger import accounts as a
from ledger import cage_events as c
from ledger.accounts import CHART
from ledger.count_events import Contents, CountCorrected, DropAccepted
from ledger.entry import Entry, Line, Unbalanced
from ledger.events import DropCounted
from ledger.postings import NOTHING, POSTINGS, Move, Place, post


def every_event_module() -> None:
    for package in (casino, jackpot, ledger):
        for found in pkgutil.iter_modules(package.__path__, f"{package.__name__}."):
            if found.name.endswith("events"):
                importlib.import_module(found.name)


def cents(entry: Entry) -> dict[str, int]:
    """The entry's net cents by account; debits above zero."""
    sums: dict[str, int] = {}
    for line in entry.lines:
        sums[line.account] = sums.get(line.account, 0) + line.micros
    return {account: micros // 10_000 for account, micros in sums.items() if micros}


def test_every_type_of_event_has_a_posting_or_a_reason_for_none() -> None:
    every_event_module()
    ours = {
        name: cls for name, cls in names().items() if cls.__module__.split(".")[0] in ("casino", "jackpot", "ledger")
    }
    posting = {name for name, cls in ours.items() if cls in POSTINGS}
    assert posting & set(NOTHING) == set(), "a type either posts or has a reason not to"
    assert set(ours) - posting - set(NOTHING) == set(), "a type has neither a posting nor a reason for none"
    assert set(NOTHING) - set(ours) == set(), "a reason names a type that is not there"
    assert all(len(reason) > 10 for reason in NOTHING.values())


def test_an_entry_that_does_not_balance_cannot_be_made() -> None:
    balanced = Entry((Line(a.CASH, 5), Line(a.BOXES, -5)))
    with pytest.raises(Unbalanced, match="money"):
        Entry((Line(a.CASH, 5), Line(a.BOXES, -4)))
    with pytest.raises(Unbalanced, match="money"):
        replace(balanced, lines=balanced.lines[:1])
    with pytest.raises(Unbalanced, match="chips"):  # the sum is zero, but chips are no money
        Entry((Line(a.TRAYS, 5), Line(a.CHIPS_OWED, -5)))
    with pytest.raises(Unbalanced, match="no line"):
        Entry((Line("999", 5), Line("999", -5)))
    with pytest.raises(Unbalanced, match="no line"):
        Entry((Line(a.CASH, 0.5), Line(a.BOXES, -0.5)))  # type: ignore[arg-type]


CASH_IN = e.CashBoughtIn(table="R-01", seat=1, amount_cents=100)
CHECK = s.CounterCheckIssued(table="R-01", serial=1, seat=1, patron_id=1, amount_cents=100, by="ana")
PROMO = s.PromoTaken(table="R-01", serial="P-1", seat=1, face_cents=100, by="ana")
COUPON = s.CouponSettled(
    table="R-01", serial="M-1", kind="match_play", seat=1, face_cents=100, won=True, winnings_cents=90, by="ana"
)
REDEEMED = s.PitRedemptionTaken(
    table="R-01", redeemed=1, issued_at_table="R-02", seat=1, patron_id=1, chips_cents=70, cash_cents=30, owed_cents=0,
    by="ana",
)  # fmt: skip
SETTLED = e.WagersSettled(
    phase="roulette",
    lines=[
        e.SettledLine(number=1, seat=1, wager="a", stake_cents=100, result="lose", returned_cents=0),
        e.SettledLine(number=2, seat=1, wager="b", stake_cents=10, result="win", returned_cents=40),
        e.SettledLine(number=3, seat=1, wager="c", stake_cents=50, result="push", returned_cents=50),
    ],
)
ELSEWHERE = s.WinningsPaidElsewhere(table="R-01", round="R-01/x/1", seat=1, amount_cents=100, paid_by="cage", by="ana")
BY_CHEQUE = structs.replace(ELSEWHERE, paid_by="cheque")
ERROR = PayoutRecorded(number=1, seat=1, wager="a", due_cents=100, paid_before_cents=100, paid_cents=175, by="ana")
SENT = {"table": "R-01", "transfer": 1, "serial": 1, "denominations": {"100": 100}, "total_cents": 100}
VOID = {"reason": "x", "requested_by": "ana", "approved_by": "eve"}


@pytest.mark.parametrize(
    ("event", "lines"),
    [
        (CASH_IN, {a.PATRONS_CHIPS: 100, a.TRAYS: -100, a.BOXES: 100, a.CHIPS_OWED: -100}),
        (CHECK, {a.PATRONS_CHIPS: 100, a.TRAYS: -100, a.CHECKS: 100, a.CHIPS_OWED: -100}),
        (PROMO, {a.PATRONS_CHIPS: 100, a.TRAYS: -100, a.PROMO: 100, a.CHIPS_OWED: -100}),
        (COUPON, {a.PROMO: 100, a.TABLE_WIN: -10, a.PATRONS_CHIPS: 90, a.TRAYS: -90, a.CHIPS_OWED: -90}),
        (REDEEMED, {a.TRAYS: 70, a.PATRONS_CHIPS: -70, a.CHIPS_OWED: 70, a.CHECKS: -100, a.BOXES: 30}),
        (SETTLED, {a.TRAYS: 70, a.PATRONS_CHIPS: -70, a.CHIPS_OWED: 70, a.TABLE_WIN: -70}),
        (ELSEWHERE, {a.TRAYS: 100, a.PATRONS_CHIPS: -100, a.CHIPS_OWED: 100, a.CASH: -100}),
        (BY_CHEQUE, {a.TRAYS: 100, a.PATRONS_CHIPS: -100, a.CHIPS_OWED: 100, a.BANK: -100}),
        (ERROR, {a.PATRONS_CHIPS: 75, a.TRAYS: -75, a.DEALER_ERRORS: 75, a.CHIPS_OWED: -75}),
        (f.FillSent(**SENT), {a.IN_TRANSIT: 100, a.CAGE_CHIPS: -100}),
        (f.FillReceived(**SENT), {a.TRAYS: 100, a.IN_TRANSIT: -100}),
        (f.CreditRemoved(**SENT), {a.IN_TRANSIT: 100, a.TRAYS: -100}),
        (f.CreditReceived(**SENT), {a.CAGE_CHIPS: 100, a.IN_TRANSIT: -100}),
        (
            f.SlipVoided(kind="fill", tray_cents=0, was_in_transit=True, **SENT, **VOID),
            {a.CAGE_CHIPS: 100, a.IN_TRANSIT: -100},
        ),
        (
            f.SlipVoided(kind="credit", tray_cents=100, was_in_transit=True, **SENT, **VOID),
            {a.TRAYS: 100, a.IN_TRANSIT: -100},
        ),
        (f.SlipVoided(kind="credit", tray_cents=0, was_in_transit=False, **SENT, **VOID), {}),
    ],
    ids=lambda value: type(value).__name__,
)
def test_the_lines_are_those_of_the_books(event: e.Event, lines: dict[str, int]) -> None:
    assert cents(post(event, Place(table="R-01"))) == lines


def corrected(entry: str, before: dict[str, int], after: dict[str, int]) -> s.EntryCorrected:
    return s.EntryCorrected(
        table="R-01", corrects=1, entry=entry, seat=1, patron_id=None, before=before, after=after,
        in_difference_cents=0, out_difference_cents=0, reason="x", requested_by="ana", approved_by="eve",
    )  # fmt: skip


def test_a_correction_posts_the_difference_of_what_it_corrects() -> None:
    entry = post(corrected("cash_bought_in", {"amount_cents": 100}, {"amount_cents": 20}), Place(table="R-01"))
    assert cents(entry) == {a.PATRONS_CHIPS: -80, a.TRAYS: 80, a.BOXES: -80, a.CHIPS_OWED: 80}


def test_a_payment_elsewhere_put_right_is_taken_from_what_paid_it() -> None:
    was, is_ = {"amount_cents": 100}, {"amount_cents": 60}
    event = structs.replace(corrected("winnings_paid_elsewhere", was, is_), paid_by="cheque")
    assert cents(post(event, Place(table="R-01"))) == {
        a.TRAYS: -40, a.PATRONS_CHIPS: 40, a.CHIPS_OWED: -40, a.BANK: 40,
    }  # fmt: skip


def test_what_is_known_after_the_count_goes_to_over_and_short() -> None:
    late = Place(table="R-01", is_counted=True, boxes_left=0)
    entry = post(corrected("cash_bought_in", {"amount_cents": 100}, {"amount_cents": 20}), late)
    # tray and box stay as they were counted: 80 less were given out than was thought, and 80 less went in
    assert cents(entry) == {a.OVER_SHORT_TRAY: 80, a.OVER_SHORT_BOX: -80}
    paper = post(corrected("counter_check_issued", {"amount_cents": 100}, {"amount_cents": 150}), late)
    assert cents(paper) == {a.CHECKS: 50, a.DROP_PAPER: -50, a.OVER_SHORT_BOX: 50, a.OVER_SHORT_TRAY: -50}


def opener(value: int) -> e.TableOpened:
    return e.TableOpened(table="R-01", session=1, opener_cents=value, denominations=None, counted_by=[])


def test_the_first_opener_puts_chips_in_service_and_a_later_one_is_held_against_the_closer() -> None:
    assert cents(post(opener(900), Place(table="R-01", is_first_count=True))) == {a.TRAYS: 900, a.CHIPS_ISSUED: -900}
    short = post(opener(900), Place(table="R-01", tray_micros=950 * 10_000))
    assert cents(short) == {a.TRAYS: -50, a.PATRONS_CHIPS: 50, a.CHIPS_OWED: -50, a.OVER_SHORT_CLOSED: 50}
    assert post(opener(900), Place(table="R-01", tray_micros=900 * 10_000)).lines == ()


def test_a_closer_posts_what_the_tray_is_over_or_short() -> None:
    closer = e.TableClosed(table="R-01", session=1, closer_cents=1_010, denominations=None, counted_by=[], last_round=0)
    over = post(closer, Place(table="R-01", tray_micros=1_000 * 10_000))
    assert cents(over) == {a.TRAYS: 10, a.PATRONS_CHIPS: -10, a.CHIPS_OWED: 10, a.OVER_SHORT_TRAY: -10}


def box(currency: int, paper: int = 0, number: int = 1) -> DropCounted:
    return DropCounted(
        table="R-01", counted_cents=currency + paper, counted_by=[], number=number, count="2026-11-29/1",
        currency={"100": currency}, checks_cents=paper,
    )  # fmt: skip


def test_a_box_empties_into_cash_and_its_difference_is_over_or_short() -> None:
    place = Place(table="R-01", box_micros=700 * 10_000, paper_cents=300)
    as_one_figure = DropCounted(table="R-01", counted_cents=990, counted_by=[])
    assert cents(post(as_one_figure, place)) == {a.CASH: 690, a.BOXES: -700, a.OVER_SHORT_BOX: 10}
    itemised = post(box(705, 250), place)  # 5 of currency over, a check of 50 missing
    assert cents(itemised) == {a.CASH: 705, a.BOXES: -700, a.DROP_PAPER: -50, a.OVER_SHORT_BOX: 45}


def test_only_the_last_box_of_a_day_shows_what_is_over_or_short() -> None:
    place = Place(table="R-01", box_micros=700 * 10_000, boxes_left=2)
    assert cents(post(box(400), place)) == {a.CASH: 400, a.BOXES: -400}
    last = post(box(290, number=2), Place(table="R-01", box_micros=300 * 10_000, boxes_left=1))
    assert cents(last) == {a.CASH: 290, a.BOXES: -300, a.OVER_SHORT_BOX: 10}


def test_a_corrected_count_moves_no_cash_for_the_cage_had_counted_that_itself() -> None:
    right = CountCorrected(
        table="R-01", number=1, before=Contents(currency={"100": 700}, checks_cents=250),
        after=Contents(currency={"100": 600}, checks_cents=300), reason="x", requested_by="tess", approved_by="ben",
    )  # fmt: skip
    settled_box = Place(table="R-01", boxes_left=0)
    assert cents(post(right, settled_box)) == {a.OVER_SHORT_CAGE: -100, a.DROP_PAPER: 50, a.OVER_SHORT_BOX: 50}
    assert cents(post(right, Place(table="R-01"))) == {a.OVER_SHORT_CAGE: -100, a.BOXES: 100}


# ------------------------------------------------------------------------------------------------- the cage

CHIPS = {"chips": {"100": 100}}


@pytest.mark.parametrize(
    ("event", "lines"),
    [
        (
            c.ChipsSold(patron_id=None, by="cara", **CHIPS),
            {a.PATRONS_CHIPS: 100, a.CAGE_CHIPS: -100, a.CASH: 100, a.CHIPS_OWED: -100},
        ),
        (
            c.ChipsRedeemed(patron_id=None, by="cara", **CHIPS),
            {a.CAGE_CHIPS: 100, a.PATRONS_CHIPS: -100, a.CHIPS_OWED: 100, a.CASH: -100},
        ),
        (
            c.CageEntryVoided(voids=1, entry="chips_redeemed", patron_id=None, **VOID, **CHIPS),
            {a.PATRONS_CHIPS: 100, a.CAGE_CHIPS: -100, a.CASH: 100, a.CHIPS_OWED: -100},
        ),
        (
            c.CageEntryVoided(
                voids=1, entry="counter_check_redeemed", patron_id=1, cash_cents=40, **VOID, **CHIPS
            ),
            {a.CAGE_CHIPS: -100, a.PATRONS_CHIPS: 100, a.CHIPS_OWED: -100, a.CASH: -40, a.CHECKS: 140},
        ),
        (
            c.CageEntryVoided(
                voids=1, entry="counter_check_deposited", patron_id=1, chips={}, check_cents=100, **VOID
            ),
            {a.CHECKS_DEPOSITED: -100, a.CHECKS: 100},
        ),
        (
            c.CageEntryVoided(voids=1, entry="chips_put_in_service", patron_id=None, **VOID, **CHIPS),
            {a.CAGE_CHIPS: -100, a.CHIPS_ISSUED: 100},
        ),
        (
            c.CageEntryVoided(voids=1, entry="chips_taken_out_of_service", patron_id=None, **VOID, **CHIPS),
            {a.CHIPS_ISSUED: -100, a.CAGE_CHIPS: 100},
        ),
        (
            c.CounterCheckRedeemed(
                patron_id=1, redeemed=1, issued_on="2026-11-29", cash_cents=40, owed_cents=0, by="cara", **CHIPS
            ),
            {a.CAGE_CHIPS: 100, a.PATRONS_CHIPS: -100, a.CHIPS_OWED: 100, a.CASH: 40, a.CHECKS: -140},
        ),
        (
            c.CounterCheckDeposited(patron_id=1, deposited=1, issued_on="2026-11-29", amount_cents=100, by="cara"),
            {a.CHECKS_DEPOSITED: 100, a.CHECKS: -100},
        ),
        (c.ChipsPutInService(**VOID, **CHIPS), {a.CAGE_CHIPS: 100, a.CHIPS_ISSUED: -100}),
        (c.ChipsTakenOutOfService(**VOID, **CHIPS), {a.CHIPS_ISSUED: 100, a.CAGE_CHIPS: -100}),
        (
            c.CageCounted(
                counted={"100": 900}, expected={"100": 1_000}, read_up_to=1, counted_by=["cara"], note="", by="cole"
            ),
            {a.CAGE_CHIPS: -100, a.PATRONS_CHIPS: 100, a.CHIPS_OWED: -100, a.OVER_SHORT_CAGE: 100},
        ),
        (
            DropAccepted(
                count="2026-11-29/1", counted_cents=1_000, accepted={"100": 995}, note="", cashier="cara",
                counter="tess",
            ),
            {a.CASH: -5, a.OVER_SHORT_CAGE: 5},
        ),
    ],
    ids=lambda value: type(value).__name__,
)  # fmt: skip
def test_the_cage_posts_what_it_takes_and_gives(event: e.Event, lines: dict[str, int]) -> None:
    assert cents(post(event, Place())) == lines


# ------------------------------------------------------------------------------------------------- meters


def test_an_accrual_is_a_cost_that_the_meters_owe() -> None:
    collected = e.ProgressiveCollected(
        bet="progressive", link="grand", seats=[1], stake_cents=100, increment_bp=6_500, hidden_bp=1_000
    )
    fed = Move("grand", main=650_000, reserve=100_000, house_share=250_000, stakes=1_000_000)
    assert cents(post(collected, Place(table="R-01", moves=(fed,)))) == {
        a.TRAYS: 100, a.PATRONS_CHIPS: -100, a.CHIPS_OWED: 100, a.TABLE_WIN: -100, a.METERS: -65, a.RESERVES: -10,
        a.PROGRESSIVE_COST: 75,
    }  # fmt: skip


def test_a_hit_becomes_payable_and_its_reset_is_paid_by_reserve_and_seed() -> None:
    hit = j.JackpotHit(
        link="grand", round="R-01/2026-11-29/1", rank="royal_flush", at_position=9, fraction="1",
        before_micros=7_000_005_000, amount_cents=700_000, players=1, share_cents=700_000, remainder_cents=0,
        left_micros=5_000, from_reserve_micros=1_000_000_000, from_seed_micros=4_000_000_000,
        after_micros=5_000_005_000, seats=(1,), shares_cents=(700_000,),
    )  # fmt: skip
    done = e.HandCompleted(rank="royal_flush", shown={}, wins=[])
    entry = post(done, Place(table="R-01", moves=(Move("grand", hits=(hit,)),)))
    assert cents(entry) == {a.METERS: 200_000, a.PAYABLES: -700_000, a.RESERVES: 100_000, a.SEED_COST: 400_000}


@pytest.mark.parametrize(
    ("paid_from", "lines"),
    [
        ("tray", {a.PAYABLES: 500, a.PROGRESSIVE_COST: 50, a.CHIPS_OWED: -550, a.PATRONS_CHIPS: 550, a.TRAYS: -550}),
        ("cage", {a.PAYABLES: 500, a.PROGRESSIVE_COST: 50, a.CASH: -550}),
        ("cheque", {a.PAYABLES: 500, a.PROGRESSIVE_COST: 50, a.BANK: -550}),
    ],
)
def test_a_jackpot_is_paid_in_chips_or_in_cash(paid_from: str, lines: dict[str, int]) -> None:
    paid = j.JackpotPaid(round="r", rank="x", seat=1, amount_cents=500, paid_from=paid_from, override_cents=50)
    assert cents(post(paid, Place(table="R-01", moves=(Move("grand", paid=5_000_000),)))) == lines


@pytest.mark.parametrize(
    ("reason", "against"),
    [
        ("malfunction", a.METER_CORRECTIONS),
        ("house_refill", a.METER_CORRECTIONS),
        ("seed_recovered", a.SEED_COST),
        ("transfer_in", a.METERS_BETWEEN),
        ("transfer_out", a.METERS_BETWEEN),
        ("opening_reading", a.METERS_TAKEN_OVER),
    ],
)
def test_an_adjustment_is_paid_for_by_its_reason(reason: str, against: str) -> None:
    event = j.MeterAdjusted(pool="main", micros=30_000, reason=reason, evidence="x", by="max", approved_by="mia")
    entry = post(event, Place(moves=(Move("grand", main=30_000, adjustments=30_000),)))
    assert cents(entry) == {a.METERS: -3, against: 3}


def test_a_void_takes_its_accrual_back_and_the_house_bears_the_rest() -> None:
    collected = e.ProgressiveCollected(
        bet="progressive", link="grand", seats=[1], stake_cents=100, increment_bp=6_500, hidden_bp=1_000
    )
    void = e.RoundVoided(reason="x", scope="round", refunds=[], progressive=collected)
    # the reserve had 4 cents of its 10 left, so 6 cents of this stake's accrual stay a cost of the house
    back = Move("grand", main=-650_000, reserve=-40_000, stakes=-1_000_000, house_share=-310_000)
    assert cents(post(void, Place(table="R-01", moves=(back,)))) == {
        a.TRAYS: -100, a.PATRONS_CHIPS: 100, a.CHIPS_OWED: -100, a.TABLE_WIN: 100, a.METERS: 65, a.RESERVES: 4,
        a.PROGRESSIVE_COST: -69,
    }  # fmt: skip


def test_the_chart_says_of_every_account_what_it_is() -> None:
    assert list(CHART) == sorted(CHART)
    assert all((account.ledger == "chips") == account.code.startswith("1") for account in CHART.values())
