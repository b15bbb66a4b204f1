"""What dealers did pay: recorded wager by wager, in the books as E, and listed for the pit."""

import re

import pytest
from django.contrib.auth.models import Group, User
from django.test import Client

from casino.commands import rounds
from casino.commands.dealers import put_on, relieve, take_off
from casino.commands.rounds import record_payout
from casino.refusal import Refused
from casino.round.betting import Asked
from ledger.models import DealerError
from ledger.queries import days, errors, opened
from tests.played import SECOND, Played

# Round 1 of R-01: wager 1 is seat 1's 500 on red, which wins: 1,000 are due. Wager 2 is seat 2's suit, which loses.


def text_of(answer) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", answer.content.decode()))


def pay(played: Played, number: int, cents: int) -> None:
    record_payout(played.order(), played.round(1), number, cents)
    played.read()


def test_an_overpayment_leaves_the_expected_tray_and_the_estimated_win_smaller(played: Played) -> None:
    before = days.table_day(played.day, "R-01")
    pay(played, 1, 1_075)
    row = days.table_day(played.day, "R-01")
    assert row.amount("errors") == 75
    assert row.amount("expected-tray") == before.amount("expected-tray") - 75
    assert row.amount("estimated-win") == before.amount("estimated-win") - 75
    assert row.amount("game-result") == before.amount("game-result")


def test_over_and_under_add_up_with_their_signs(played: Played) -> None:
    pay(played, 1, 900)
    pay(played, 2, 250)
    assert days.table_day(played.day, "R-01").amount("errors") == -100 + 250
    shown = errors.dealer_errors(played.day)
    assert (shown.over_cents, shown.under_cents, shown.difference_cents) == (250, 100, 150)


def test_a_record_that_was_wrong_is_corrected_by_another_and_only_the_last_counts(played: Played) -> None:
    pay(played, 1, 1_500)
    pay(played, 1, 1_100)
    assert days.table_day(played.day, "R-01").amount("errors") == 100
    (error,) = DealerError.objects.all()
    assert (error.due_cents, error.paid_cents, error.difference_cents) == (1_000, 1_100, 100)


def test_one_that_turns_out_to_be_none_leaves_the_list(played: Played) -> None:
    pay(played, 1, 1_500)
    pay(played, 1, 1_000)
    assert errors.dealer_errors(played.day).errors == []
    assert days.table_day(played.day, "R-01").amount("errors") == 0


@pytest.mark.parametrize("code", ["errors", "expected-tray", "estimated-win"])
def test_the_figures_are_proven_by_the_events(played: Played, code: str) -> None:
    pay(played, 1, 1_500)
    pay(played, 1, 1_100)
    assert opened.figure_page(played.day, "R-01", code).is_proven


@pytest.mark.parametrize(
    ("number", "cents", "refused"),
    [(9, 0, "no_such_wager"), (3, 100, "paid_by_meter"), (1, -1, "bad_payout"), (1, 1_000, "payout_as_recorded")],
)
def test_what_cannot_be_recorded_is_refused(played: Played, number: int, cents: int, refused: str) -> None:
    with pytest.raises(Refused) as no:
        record_payout(played.order(), played.round(1), number, cents)
    assert no.value.code == refused


def test_nothing_is_due_in_a_round_that_was_voided_before_it_settled(played: Played) -> None:
    with pytest.raises(Refused, match="is not settled"):
        record_payout(played.order(), played.round(3), 1, 100)


def test_the_list_tells_round_seat_wager_due_paid_difference_and_who(played: Played, ana: Client) -> None:
    pay(played, 1, 1_075)
    pay(played, 2, 250)
    answer = ana.get("/dealer-errors/")
    said = text_of(answer)
    assert "R-01 #1 1 colour red 10.00 10.75 +0.75 overpaid — nobody on record as its dealer ana" in said
    assert "R-01 #1 2 suit ♠ 0.00 2.50 +2.50 overpaid — nobody on record as its dealer ana" in said
    assert "together E = +3.25" in said
    assert f'href="/rounds/R-01/{played.day}/1/"' in answer.content.decode()


def test_the_list_names_who_dealt_the_round_and_not_who_came_after(
    played: Played, ana: Client, statements: list[str]
) -> None:
    for name in ("dora", "emil"):
        User.objects.create_user(name).groups.add(Group.objects.get(name="dealer"))
    rounds.void_round(played.order(), played.round(4), "To begin anew", SECOND)
    put_on(played.order(), "R-01", "dora")
    for _ in range(2):
        played.finish("R-01", [Asked(1, "colour:red", 500)])
    relieve(played.order(), "R-01", "emil")
    played.finish("R-01", [Asked(1, "colour:red", 500)])
    take_off(played.order(), "R-01")
    played.finish("R-01", [Asked(1, "colour:red", 500)])
    played.read()
    for n in (5, 6, 7, 8):
        record_payout(played.order(), played.round(n), 1, 1_100)
    played.read()
    said = text_of(ana.get("/dealer-errors/"))
    for n, dealer in ((5, "dora"), (6, "dora"), (7, "emil"), (8, "— nobody on record as its dealer")):
        assert f"R-01 #{n} 1 colour red 10.00 11.00 +1.00 overpaid {dealer} ana" in said
    day = played.day
    statements.clear()
    assert len(errors.dealer_errors(day).errors) == 4
    assert len([sent for sent in statements if "SELECT" in sent]) == 3


def test_an_underpayment_says_that_the_player_is_owed(played: Played, ana: Client) -> None:
    pay(played, 1, 950)
    assert "10.00 9.50 −0.50 underpaid: the player is owed" in text_of(ana.get("/dealer-errors/_day/"))


def test_a_day_without_any_says_so_and_an_odd_day_is_refused(played: Played, ana: Client) -> None:
    assert "No dealer error on" in text_of(ana.get("/dealer-errors/?gaming_date=2001-01-01"))
    assert ana.get("/dealer-errors/?gaming_date=yesterday").status_code == 400


def test_the_round_shows_what_was_paid_beside_what_was_due(played: Played, ana: Client) -> None:
    pay(played, 1, 1_075)
    said = text_of(ana.get(f"/rounds/R-01/{played.day}/1/"))
    assert "5.00 10.00 paid 10.75" in said
    assert "Seat 1 was paid 10.75 on colour red, due 10.00; recorded by ana" in said


def test_rebuilding_the_books_finds_the_same_errors(played: Played) -> None:
    from django.core.management import call_command

    pay(played, 1, 1_500)
    pay(played, 1, 1_100)
    call_command("rebuild", "--check", verbosity=0)
