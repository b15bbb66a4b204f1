"""Dealers at a table, without a database: one at a time, and each at one table."""

from collections.abc import Callable
from datetime import date

import pytest

from casino.duty import check_on_duty, put_on, relieve, take_off
from casino.refusal import Refused
from casino.table import Count, Session, session_after

FREE = Session("R-01", date(2026, 11, 29), 1, opener=Count(1))
DEALT = session_after(FREE, [put_on(FREE, "dan", None, "ana")])


def refused(deed: Callable[[], object]) -> Refused:
    with pytest.raises(Refused) as refusal:
        deed()
    return refusal.value


def test_a_dealer_comes_is_relieved_and_leaves() -> None:
    assert DEALT.dealer == "dan"
    relief = relieve(DEALT, "finn", None, "ana")
    assert (relief.dealer, relief.relieves) == ("finn", "dan")
    after = session_after(DEALT, [relief])
    assert after.dealer == "finn"
    assert session_after(after, [take_off(after, "ana")]).dealer is None


def test_a_table_has_one_dealer_and_nobody_leaves_it_who_is_not_there() -> None:
    assert refused(lambda: put_on(DEALT, "finn", None, "ana")).code == "dealer_on_duty"
    assert refused(lambda: relieve(DEALT, "dan", "R-01", "ana")).code == "dealer_on_duty"
    assert refused(lambda: relieve(FREE, "dan", None, "ana")).code == "no_dealer"
    assert refused(lambda: take_off(FREE, "ana")).code == "no_dealer"


def test_a_dealer_is_at_one_table_at_a_time() -> None:
    for deed in (lambda: put_on(FREE, "dan", "R-02", "ana"), lambda: relieve(DEALT, "finn", "R-02", "ana")):
        refusal = refused(deed)
        assert (refusal.code, refusal.details) == ("dealer_elsewhere", {"table": "R-02"})


def test_only_the_dealer_on_duty_is_on_duty() -> None:
    check_on_duty(DEALT, "R-01", "dan")
    assert "dan deals there" in refused(lambda: check_on_duty(DEALT, "R-01", "finn")).message
    assert "nobody is on duty there" in refused(lambda: check_on_duty(FREE, "R-01", "dan")).message
    assert refused(lambda: check_on_duty(None, "R-01", "dan")).code == "not_on_duty"
