"""Checks, instruments and corrections at real tables: two hands at once, and what hangs on an entry put right."""

from collections.abc import Callable
from typing import Any

import pytest

from casino.checks import owed_cents
from casino.commands.checks import issue_check, owing, redeem_check
from casino.commands.chips import instrument, pay_elsewhere, settle_coupon, take_promo
from casino.commands.corrections import correct_entry
from casino.commands.order import property_code
from casino.commands.patrons import make_patron
from casino.commands.rounds import record_finished_round
from casino.commands.seats import seat_patron
from casino.commands.settlement import settle_due
from casino.commands.tables import buy_in, close_table, latest_round, load_table, open_table, set_up_table
from casino.eventstore import store
from casino.eventstore.follower import catch_up, followers
from casino.eventstore.rebuild import rebuild
from casino.keys import slip_book_key
from casino.models import PatronVisit
from casino.refusal import Refused
from casino.round.betting import Asked
from casino.table import Session
from tests.casino.commands.test_tables import order, together
from tests.counts import counted
from tests.played import SECOND

TABLES = ("R-01", "R-02")


@pytest.fixture
def patron(database: Any) -> int:
    """Two open tables of one pit, and a rated patron at seat 3 of R-01."""
    for code in TABLES:
        set_up_table(order(), code, game="54-card-roulette", pit="P-1")
        open_table(order(), code, counted(1_000_000), "Ana Ortiz")
    found = make_patron(order(), "Oona Farrell").patron.pk
    seat_patron(order(), "R-01", 3, found)
    return int(found)


def session(code: str = "R-01") -> Session:
    found = load_table(code).session
    assert found is not None
    return found


def refused(code: str, deed: Callable[[], object]) -> None:
    with pytest.raises(Refused) as refusal:
        deed()
    assert refusal.value.code == code


def test_checks_issued_at_once_have_numbers_without_a_hole(patron: int) -> None:
    answers = together(
        *(lambda code=code: issue_check(order(), code, 3, 10_000, patron) for code in (*TABLES, *TABLES))  # type: ignore[misc]
    )
    assert answers == ["done"] * 4
    book = store.load(slip_book_key(property_code(), f"counter_check/{session().gaming_date.year}"))
    assert [recorded.event.serial for recorded in book.events] == [1, 2, 3, 4]
    assert owed_cents(owing(patron).checks) == 40_000


def test_a_check_redeemed_at_two_tables_at_once_is_redeemed_once(patron: int) -> None:
    issue_check(order(), "R-01", 3, 10_000)
    answers = together(
        *(lambda code=code: redeem_check(order(), code, 3, 10_000, patron_id=patron) for code in TABLES)  # type: ignore[misc]
    )
    assert sorted(answers) == ["done", "no_check"]
    assert owed_cents(owing(patron).checks) == 0


def test_a_check_is_a_known_patrons(patron: int) -> None:
    refused("patron_missing", lambda: issue_check(order(), "R-01", 4, 10_000))
    refused("unknown_patron", lambda: issue_check(order(), "R-01", 4, 10_000, 10**9))
    refused(
        "table_closed", lambda: close_table(order(), "R-02", counted(1)) and issue_check(order(), "R-02", 3, 1, patron)
    )


def test_an_instrument_taken_at_two_tables_at_once_is_taken_once(patron: int) -> None:
    answers = together(*(lambda code=code: take_promo(order(), code, "PR-7", 3, 5_000) for code in TABLES))  # type: ignore[misc]
    assert sorted(answers) == ["already_used", "done"]
    coupon = {"serial": "pr-7", "kind": "match_play", "seat": 3, "face_cents": 5_000, "won": False}
    refused("already_used", lambda: settle_coupon(order(), "R-01", **coupon))


def test_winnings_are_paid_elsewhere_once_whoever_asks_at_once(patron: int) -> None:
    record_finished_round(order(), "R-01", [Asked(3, "colour:red", 500)], ["As", "Kd", "9c", "4h", "2s"])
    latest = latest_round("R-01", session().gaming_date)
    assert latest is not None
    refused("not_settled", lambda: pay_elsewhere(order(), latest.id, 3, 500, "cage"))
    settle_due()
    answers = together(*(lambda: pay_elsewhere(order(), latest.id, 3, 500, "cage"),) * 3)
    assert sorted(answers) == ["done"] + ["paid_elsewhere_already"] * 2


# ------------------------------------------------------------------------------------------------- put right


def put_right(position: int, code: str = "R-01", **amounts: int) -> Any:
    return correct_entry(order(), code, position, amounts, "typed wrong", SECOND)


def test_a_buy_in_is_put_right_on_its_own_day_after_the_close(patron: int) -> None:
    position = buy_in(order(), "R-01", 200_000, 3).position
    day = session().gaming_date
    close_table(order(), "R-01", counted(1_000_000))
    done = put_right(position, amount_cents=20_000)
    row = store.run(
        "SELECT gaming_date, in_cents, out_cents FROM log.event WHERE position = %s", (done.position,)
    ).fetchone()
    assert tuple(row) == (day, -180_000, -180_000)
    catch_up()
    assert PatronVisit.objects.get(patron_id=patron).bought_in_cents == 20_000
    assert rebuild(followers()["ratings"], "owner", check=True, progress=lambda n: None) == []


def test_two_who_put_one_entry_right_at_once_do_it_once(patron: int) -> None:
    position = buy_in(order(), "R-01", 200_000, 3).position
    answers = together(*(lambda: put_right(position, amount_cents=20_000),) * 3)
    assert sorted(answers) == ["done"] + ["nothing_differs"] * 2


def test_what_is_owed_follows_a_check_or_a_redemption_put_right(patron: int) -> None:
    check = issue_check(order(), "R-01", 3, 100_000).position
    paid = redeem_check(order(), "R-01", 3, 30_000, 40_000).position
    put_right(paid, cash_cents=10_000)
    assert owed_cents(owing(patron).checks) == 60_000
    put_right(check, amount_cents=50_000)
    assert owed_cents(owing(patron).checks) == 10_000
    refused("less_than_nothing_owed", lambda: put_right(check, amount_cents=39_999))
    refused("less_than_nothing_owed", lambda: put_right(paid, cash_cents=20_001))
    put_right(paid, cash_cents=0, chips_cents=0)
    put_right(check, amount_cents=0)
    assert owed_cents(owing(patron).checks) == 0


def test_an_instrument_that_never_was_taken_is_good_again(patron: int) -> None:
    position = take_promo(order(), "R-01", "PR-7", 3, 5_000).position
    put_right(position, face_cents=2_500)
    assert instrument("PR-7").last.is_used  # type: ignore[union-attr]
    put_right(position, face_cents=0)
    taken = take_promo(order(), "R-02", "PR-7", 3, 5_000)
    refused("already_used", lambda: put_right(position, face_cents=5_000))
    put_right(taken.position, "R-02", face_cents=0)
    put_right(position, face_cents=5_000)
    assert instrument("PR-7").last.is_used  # type: ignore[union-attr]


def test_only_an_entry_of_the_table_is_put_right(patron: int) -> None:
    position = buy_in(order(), "R-01", 200_000, 3).position
    for code, at in (("R-02", position), ("R-01", position + 999_999), ("R-01", 1)):
        refused("unknown_entry", lambda code=code, at=at: put_right(at, code, amount_cents=1))
