"""The sequence check reads the book of payout slips too, and names what its commands can't make."""

from datetime import UTC, date, datetime

from casino.eventstore import store
from casino.eventstore.follower import catch_up
from casino.eventstore.store import Addition, Origin
from casino.keys import slip_book_key
from casino.queries.slip_books import sequence_check
from casino.serials import Book
from jackpot.case import Asked
from jackpot.case_events import PayoutPrepared, PayoutSlipNumbered
from jackpot.commands import cases
from tests.jackpot.test_cases import a_hit, approved, by


def payouts(day: date) -> Book:
    catch_up()
    return next(book for book in sequence_check(day) if book.name.startswith("payout/"))


def append(key: str, day: date, event: object) -> None:
    """Past the commands, as nobody can through the product."""
    store.append(Origin("intruder", "test"), [Addition(key, store.version_of(key), day, [event], datetime.now(UTC))])  # type: ignore[list-item]


def test_a_day_of_payouts_is_in_order_with_its_paid_void_and_open_slips(floor):
    case_id = a_hit(floor)
    approved(case_id, 1)
    cases.pay(by("dan"), case_id, 1)
    approved(case_id, 2)
    cases.void_slip(by("cara"), case_id, 2, "Torn")
    cases.prepare_payout(by("cara"), case_id, Asked(2, "cage"))
    book = payouts(case_id.round.gaming_date)
    assert [(line.serial, line.table, line.state) for line in book.lines] == [
        (1, "R-01", "used"), (2, "R-01", "void"), (3, "R-01", "open"),
    ]  # fmt: skip
    assert (book.void, book.open, book.is_in_order) == ([2], [3], True)


def test_a_payout_slips_number_that_is_skipped_or_on_no_slip_is_named(floor):
    case_id = a_hit(floor)
    approved(case_id, 1)
    day = case_id.round.gaming_date
    name = f"payout/{day.year}"
    append(slip_book_key("demo", name), day, PayoutSlipNumbered(book=name, slip=4, case=case_id.key, seat=2))
    book = payouts(day)
    assert (book.missing, book.unmatched, book.is_in_order) == ([2, 3], [4], False)


def test_a_payout_slip_that_no_book_knows_is_named(floor):
    case_id = a_hit(floor)
    approved(case_id, 1)
    day = case_id.round.gaming_date
    slip = PayoutPrepared(
        book=f"payout/{day.year}", slip=77, seat=2, share_cents=25_006, stake_cents=100, paid_from="cage",
        document=False, by="cara",
    )  # fmt: skip
    append(case_id.key, day, slip)
    assert payouts(day).unmatched == [77]
