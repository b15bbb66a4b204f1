"""Cash against the thresholds: by hand, through real buy-ins, and what the staff's page says of it."""

from dataclasses import replace
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from casino.cash import Cash, check_merge, mark, person
from casino.cash_board import CASH
from casino.commands.cash import merge_patron
from casino.commands.corrections import correct_entry
from casino.commands.patrons import make_patron
from casino.commands.rounds import resettle_round
from casino.commands.seats import seat_patron
from casino.commands.tables import buy_in
from casino.eventstore.follower import catch_up
from casino.eventstore.rebuild import rebuild
from casino.profile import load
from casino.queries import alerts, cash
from casino.refusal import Refused
from casino.round.betting import Asked
from casino.watch import watch
from tests.casino.test_views import text_of
from tests.played import NOTHING, SECOND, STRAIGHT_FLUSH, Played

RULES = load("maryland").currency


@pytest.mark.parametrize(
    ("cents", "marked"),
    [
        (2_999_99, ""),
        (3_000_00, "log"),
        (7_999_99, "log"),
        (8_000_00, "watch"),
        (10_000_00, "watch"),
        (10_000_01, "report"),
    ],
)
def test_exactly_ten_thousand_is_no_report_and_one_cent_more_is(cents: int, marked: str) -> None:
    assert mark(cents, RULES) == marked


def test_cash_in_and_cash_out_are_never_netted() -> None:
    assert Cash().with_more("in", 900_000).with_more("out", 800_000) == Cash(900_000, 800_000)


@pytest.mark.parametrize(
    ("patron", "into", "described", "merged", "code"),
    [
        (31, 31, True, {}, "same_patron"),
        (31, 12, False, {}, "patron_known"),
        (31, 12, True, {31: 7}, "already_merged"),
        (31, 12, True, {12: 31}, "merge_in_a_circle"),
    ],
)
def test_only_a_description_is_merged_once_and_not_in_a_circle(patron, into, described, merged, code) -> None:
    with pytest.raises(Refused) as refused:
        check_merge(patron, into, described, merged)
    assert refused.value.code == code


def test_a_person_is_found_along_all_merges() -> None:
    assert person(31, {31: 12, 12: 7}) == 7
    assert [person(number, {31: 12, 12: 31}) for number in (31, 12)] == [31, 12], "and a circle ends"


@pytest.fixture
def seated(played: Played) -> tuple[Played, int]:
    """A described player at seat 6 of R-01, who bought in for 6,000.00."""
    patron = make_patron(played.order(), "tall man, grey coat, R-01", is_described=True).patron.pk
    seat_patron(played.order(), "R-01", 6, patron)
    buy_in(played.order(), "R-01", 600_000, seat=6)
    catch_up()
    return played, patron


def test_a_description_merged_later_makes_the_days_cash_one_persons(seated, ana: Client) -> None:
    played, described = seated
    known = make_patron(played.order(), "Mireille Okonjo").patron.pk
    seat_patron(played.order(), "R-01", 7, known)
    buy_in(played.order(), "R-01", 400_001, seat=7)
    catch_up()
    assert [(p.patron_id, p.cash.in_cents) for p in cash.people(played.day)] == [
        (described, 600_000),
        (known, 400_001),
    ]
    body = {
        "patron": described,
        "into": known,
        "reason": "passport at the cage",
        "key": "m1",
        "gaming_date": played.day,
    }
    assert "one person" in text_of(ana.post("/cash/merge/", body, follow=True))
    catch_up()
    (one,) = cash.people(played.day)
    assert (one.patron_id, one.numbers, one.cash.in_cents) == (known, tuple(sorted((described, known))), 1_000_001)
    assert one.sides == [("in", 1_000_001, "report", False)]
    assert "a report is due" in text_of(ana.get("/cash/"))


def test_merges_are_checked_by_the_log_before_any_follower_has_read_them(played: Played) -> None:
    one, other = (make_patron(played.order(), name, is_described=True).patron.pk for name in ("grey coat", "tall man"))
    merge_patron(played.order(), one, other, "passport")
    for patron, into, code in ((other, one, "merge_in_a_circle"), (one, other, "already_merged")):
        with pytest.raises(Refused) as refused:
            merge_patron(played.order(), patron, into, "passport")
        assert refused.value.code == code


def test_a_report_that_was_filed_is_noted_by_accounting_and_due_again_when_more_comes(seated, ben: Client) -> None:
    played, patron = seated
    buy_in(played.order(), "R-01", 400_100, seat=6)
    catch_up()
    body = {
        "patron": patron, "direction": "in", "amount_cents": 1_000_100, "number": "CTR-1", "key": "f1",
        "gaming_date": played.day,
    }  # fmt: skip
    assert "The report is noted." in text_of(ben.post("/cash/file-report/", body, follow=True))
    catch_up()
    assert cash.people(played.day)[0].sides == [("in", 1_000_100, "report", True)]
    buy_in(played.order(), "R-01", 100, seat=6)
    catch_up()
    assert cash.people(played.day)[0].sides == [("in", 1_000_200, "report", False)]


def test_the_days_people_are_narrowed_down_to_whoever_came_that_far(
    seated, ana: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    played, patron = seated  # 6,000.00 in: to be logged, not near the report
    little = make_patron(played.order(), "Odo Quill").patron.pk
    seat_patron(played.order(), "R-01", 7, little)
    buy_in(played.order(), "R-01", 10_000, seat=7)
    catch_up()
    for least, shown in (("", [patron, little]), ("log", [patron]), ("watch", []), ("odd", [patron, little])):
        answer = ana.get(f"/cash/?gaming_date={played.day}&least={least}")
        assert (least, [one.patron_id for one in answer.context["shown"]]) == (least, shown)
        assert f"least={least}" in answer.content.decode()
    monkeypatch.setattr("casino.cash_views.PEOPLE_SHOWN", 1)
    assert "Page 2 of 2" in text_of(ana.get(f"/cash/?gaming_date={played.day}&page=2"))


def test_a_buy_in_that_is_typed_says_where_it_would_lead(seated, ana: Client) -> None:
    assert "with this 8,500.00 — near the report" in text_of(ana.get("/tables/R-01/_cash/?seat=6&amount=2,500"))
    assert "a report is due" in text_of(ana.get("/tables/R-01/_cash/?seat=6&amount=4000.01"))
    assert "tall man, grey coat, R-01 (described)" in text_of(ana.get("/tables/R-01/_cash/?seat=6&amount=1"))
    assert text_of(ana.get("/tables/R-01/_cash/?seat=6&amount=x")).strip() == ""


def test_cash_that_redeems_a_check_warns_as_a_buy_in_does(seated, ana: Client) -> None:
    assert "with this 8,500.00 — near the report" in text_of(ana.get("/tables/R-01/_cash/?seat=6&chips=&cash=2500"))


@pytest.mark.parametrize(
    ("amount", "said"),
    [("2999.99", ""), ("3000", "to be logged (from 3,000.00)"), ("10000.01", "over 10,000.00: a report is due")],
)
@pytest.mark.parametrize("seat", ["", "7"])
def test_large_cash_of_somebody_unknown_asks_for_a_description(
    played: Played, ana: Client, seat: str, amount: str, said: str
) -> None:
    shown = text_of(ana.get(f"/tables/R-01/_cash/?seat={seat}&amount={amount}"))
    assert (said in shown and "Describe the player" in shown) if said else shown.strip() == ""


def test_the_form_of_a_buy_in_asks_while_it_is_typed(played: Played, ana: Client) -> None:
    for deed in ("buy-in", "redemption"):
        assert 'hx-get="/tables/R-01/_cash/"' in ana.get(f"/tables/R-01/do/{deed}/").content.decode()
    assert "_cash" not in ana.get("/tables/R-01/do/promo/").content.decode()


def test_large_cash_without_a_patron_is_listed_to_be_described(played: Played, ana: Client) -> None:
    buy_in(played.order(), "R-01", 300_000, seat=3)
    catch_up()
    assert [one.cents for one in cash.nobodys(played.day)] == [300_000]
    assert "Whose cash was this?" in text_of(ana.get("/cash/"))


def test_small_cash_at_one_seat_counts_together_while_nobody_is_known_there(played: Played, ana: Client) -> None:
    for cents in (150_000, 149_999):
        buy_in(played.order(), "R-01", cents, seat=2)
    buy_in(played.order(), "R-01", 200_000)  # without a seat
    buy_in(played.order(), "R-01", 200_000)
    catch_up()
    assert [one.cents for one in cash.nobodys(played.day)] == [319_999]  # 200.00 of tests/played.py besides
    shown = text_of(ana.get("/tables/R-01/_cash/?seat=2&amount=6800.02"))
    assert "10,000.01, 3,199.99 of it taken at the seat before, is over 10,000.00: a report is due" in shown
    assert "Describe the player" not in text_of(ana.get("/tables/R-01/_cash/?seat=&amount=1"))
    shown = text_of(ana.get("/cash/"))
    assert "R-01 2 in 3,199.99" in shown


def test_cash_at_one_seat_hours_apart_is_not_taken_for_one_persons(played: Played) -> None:
    for cents, minutes in ((200_000, 150), (100_000, 91), (199_999, 90), (200_000, 20)):
        order = replace(played.order(), at=timezone.now() - timedelta(minutes=minutes))
        buy_in(order, "R-01", cents, seat=3)
    catch_up()
    assert [one.cents for one in cash.nobodys(played.day)] == [300_000]


def test_large_cash_that_is_nobodys_yet_is_an_alert_until_it_is_put_right(played: Played) -> None:
    typed = buy_in(played.order(), "R-01", 950_000)
    buy_in(played.order(), "R-01", 1_000_001, seat=4)
    buy_in(played.order(), "R-01", 799_999, seat=5)
    catch_up()
    watch()
    catch_up()
    waits = [alert.sentence for alert in alerts.waiting() if alert.rule == "near_cash_threshold"]
    assert sorted(waits) == [
        "Cash in of 10,000.01 at seat 4 of R-01 is nobody's yet; describe the person.",
        "Cash in of 9,500.00 at R-01 is nobody's yet; describe the person.",
    ]
    correct_entry(played.order(), "R-01", typed.position, {"amount_cents": 95_000}, "A nought too many.", SECOND)
    catch_up()
    assert [one.cents for one in cash.nobodys(played.day)] == [1_000_001, 799_999]


def test_a_buy_in_put_right_is_no_cash_over_the_threshold_any_more(seated) -> None:
    played, _ = seated
    more = buy_in(played.order(), "R-01", 400_001, seat=6)
    catch_up()
    assert cash.people(played.day)[0].sides == [("in", 1_000_001, "report", False)]
    correct_entry(played.order(), "R-01", more.position, {"amount_cents": 400_000}, "One cent too many.", SECOND)
    catch_up()
    assert cash.people(played.day)[0].sides == [("in", 1_000_000, "watch", False)]


def test_somebody_near_the_threshold_is_raised_once(seated) -> None:
    played, patron = seated
    buy_in(played.order(), "R-01", 250_000, seat=6)
    catch_up()
    watch()
    catch_up()
    waits = [alert.sentence for alert in alerts.waiting() if alert.rule == "near_cash_threshold"]
    assert waits == [f"Patron {patron}: cash in of the day 8,500.00; a report is due over 10,000.00."]


def test_a_payout_of_300_times_its_stake_over_the_dated_threshold_is_marked(played: Played, ana: Client) -> None:
    """The flush of tests/played.py pays 225 for 1, which is no such payout; a straight flush of 4,800 for 1 is."""
    shown = cash.payouts_with_document(played.day)
    assert [(one.wager, one.stake_cents, one.winnings_cents) for one in shown] == [("straight_flush", 100, 480_000)]
    assert "W-2G" in text_of(ana.get("/cash/"))


def test_a_round_settled_anew_has_the_payout_documents_of_its_last_settlement(played: Played) -> None:
    played.open("R-03", 1_000_000)
    played.finish("R-03", [Asked(1, "straight_flush", 100)])
    played.read()
    assert [one.table_code for one in cash.payouts_with_document(played.day)] == ["R-01"]
    lay = dict(enumerate(STRAIGHT_FLUSH, 1))
    resettle_round(played.order(), played.round(1, "R-03"), lay, "The tape shows other cards.", SECOND)
    catch_up()
    one = cash.payouts_with_document(played.day)[-1]
    assert (one.table_code, one.n, one.winnings_cents) == ("R-03", 1, 480_000)
    resettle_round(
        played.order(), played.round(1, "R-03"), dict(enumerate(NOTHING, 1)), "It was another round.", SECOND
    )
    catch_up()
    assert [one.table_code for one in cash.payouts_with_document(played.day)] == ["R-01"]
    assert rebuild(CASH, "owner", check=True, progress=lambda n: None) == []


def test_the_cage_and_the_pit_merge_and_accounting_files(seated, ana: Client, ben: Client) -> None:
    played, _ = seated
    assert ben.post("/cash/merge/", {"gaming_date": played.day}).status_code == 403
    assert ana.post("/cash/file-report/", {"gaming_date": played.day}).status_code == 403


def test_a_payout_document_is_printed_and_its_reprint_is_marked(played: Played, ana: Client) -> None:
    (paid,) = cash.payouts_with_document(played.day)
    first = text_of(ana.post(f"/papers/{paid.document}/print/", {"key": "p1"}))
    assert "ORIGINAL" in first
    assert "Payout document" in first
    assert "straight flush" in first
    assert "4800 times the stake" in first
    assert "W-2G is due" in first
    assert "4,800.00" in first
    assert "REPRINT 2" in text_of(ana.post(f"/papers/{paid.document}/print/", {"key": "p2"}))


@pytest.mark.parametrize("tail", ["2/99", "999/1", "x/1", "2/0"])
def test_there_is_no_payout_document_of_anything_else(played: Played, ana: Client, tail: str) -> None:
    path = f"/papers/payout/R-01/{played.day.isoformat()}/{tail}/print/"
    assert ana.post(path, {"key": "p3"}).status_code == 404
    assert ana.post("/papers/payout/R-01/someday/2/1/print/", {"key": "p4"}).status_code == 404
