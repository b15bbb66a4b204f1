"""Counter checks without a database: what may be redeemed where, newest first, and never more than is owed."""

from datetime import date, timedelta
from typing import Any

import pytest

from casino import profile
from casino.checks import CheckId, Checks, check_patron, checks_of, corrected, issue, owed_cents, redeem
from casino.games import game
from casino.house_events import CheckOwed
from casino.refusal import Refused
from casino.table import Count, Session, set_up

DAY = date(2026, 11, 29)
MARYLAND = profile.load("maryland").counter_checks
ANYWHERE = profile.CounterCheckRules(redeemed_in_pit="anywhere")
PATRON = 12


def session(table: str = "R-01", day: date = DAY, **more: Any) -> Session:
    return Session(table, day, 1, opener=Count(1), **more)


def placed(table: str = "R-01", pit: str = "P-1"):
    return set_up(
        game("54-card-roulette"), table=table, paytable="printed", layout="standard", method="second_card", seats=6,
        currency="USD", limits={}, round_payout_max_cents=1_000_000, off_limits="warn", pit=pit,
    )  # fmt: skip


def issued(serial: int, cents: int = 100_000, table: str = "R-01", day: date = DAY, pit: str = "P-1") -> CheckOwed:
    return issue(
        session(table, day), placed(table, pit), "key", serial=serial, seat=3, patron_id=PATRON, amount_cents=cents,
        by="ana",
    )[1]  # fmt: skip


def redeemed(checks: Checks, *, at: Session | None = None, pit: str = "P-1", rules: Any = MARYLAND, **more: Any):
    at = at or session()
    given = {"seat": 3, "patron_id": PATRON, "chips_cents": 0, "cash_cents": 0, "serial": None, "by": "ana"} | more
    return redeem(at, placed(at.table, pit), "key", checks, rules, **given)


def refused(*args: Any, **more: Any) -> Refused:
    with pytest.raises(Refused) as refusal:
        redeemed(*args, **more)
    return refusal.value


def test_a_check_is_owed_from_its_issue_on_and_less_with_every_redemption() -> None:
    checks = checks_of([issued(17)])
    taken, owed = redeemed(checks, chips_cents=30_000, cash_cents=10_000)
    assert (taken.redeemed, taken.chips_cents, taken.cash_cents, taken.owed_cents) == (17, 30_000, 10_000, 60_000)
    assert (taken.in_cents, taken.out_cents) == (40_000, 10_000)
    after = checks_of([issued(17), owed])
    assert owed_cents(after) == 60_000
    assert redeemed(after, chips_cents=60_000)[1].owed_cents == 0


def test_the_newest_check_is_redeemed_first_unless_another_is_named() -> None:
    checks = checks_of([issued(17), issued(18, 50_000), issued(19, 20_000)])
    assert redeemed(checks, chips_cents=100)[0].redeemed == 19
    assert redeemed(checks, chips_cents=100, serial=17)[0].redeemed == 17
    spent = checks_of([*checks.values(), redeemed(checks, chips_cents=20_000)[1]])
    assert redeemed(spent, chips_cents=100)[0].redeemed == 18


def test_never_more_is_taken_than_is_owed() -> None:
    checks = checks_of([issued(17), issued(18, 50_000)])
    refusal = refused(checks, chips_cents=40_000, cash_cents=10_001)
    assert (refusal.code, refusal.details) == ("more_than_owed", {"owed_cents": 50_000})
    assert refused(checks).code == "nothing_redeemed"
    assert refused(checks, chips_cents=-1).code == "amount_not_positive"
    assert refused(checks, chips_cents=1, serial=99).code == "no_check"
    assert refused({}, chips_cents=1).code == "no_check"


def test_a_pit_redeems_its_own_checks_of_the_same_gaming_day() -> None:
    checks = checks_of([issued(17)])
    assert redeemed(checks, at=session("R-02"), chips_cents=100)[0].issued_at_table == "R-01"
    assert refused(checks, at=session("H-01"), pit="P-2", chips_cents=100).code == "check_elsewhere"
    assert refused(checks, at=session(day=DAY + timedelta(days=1)), chips_cents=100).code == "check_elsewhere"
    assert redeemed(checks, at=session("H-01"), pit="P-2", rules=ANYWHERE, chips_cents=100)


def test_tables_of_no_pit_redeem_their_own_checks_only() -> None:
    checks = checks_of([issued(17, pit="")])
    assert redeemed(checks, pit="", chips_cents=100)
    assert refused(checks, at=session("R-02"), pit="", chips_cents=100).code == "check_elsewhere"


def test_a_check_of_the_last_year_is_another_one_than_this_years_of_the_same_number() -> None:
    checks = checks_of([issued(17, day=date(2025, 12, 31)), issued(17, 50_000)])
    assert set(checks) == {CheckId(2025, 17), CheckId(2026, 17)}
    assert owed_cents(checks) == 150_000
    assert redeemed(checks, chips_cents=50_000)[1].issued_on == "2026-11-29"


def test_a_check_is_signed_by_the_patron_at_the_seat() -> None:
    seated = session(seats={3: PATRON, 4: None})
    assert check_patron(seated, 6, 3, None) == PATRON
    assert check_patron(seated, 6, 4, 99) == 99
    for seat, patron, code in ((4, None, "patron_missing"), (3, 99, "seat_of_another"), (7, 99, "seat_out_of_range")):
        with pytest.raises(Refused) as refusal:
            check_patron(seated, 6, seat, patron)
        assert refusal.value.code == code


def test_a_correction_moves_what_is_owed_and_never_below_nothing() -> None:
    checks = checks_of([issued(17), redeemed(checks_of([issued(17)]), chips_cents=70_000)[1]])
    more = corrected(checks, 17, DAY, 20_000, 120_000, "key")
    assert (more.owed_cents, more.amount_cents, more.because) == (50_000, 120_000, "corrected")
    with pytest.raises(Refused) as refusal:
        corrected(checks, 17, DAY, -30_001, 69_999, "key")
    assert refusal.value.code == "less_than_nothing_owed"
