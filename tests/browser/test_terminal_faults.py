"""The terminal when something goes wrong: lines cut, hands that press twice, refusals, and voids with a second."""

import pytest
from django.contrib.auth.models import Group, User
from playwright.sync_api import expect

from casino.commands import rounds
from casino.eventstore import history
from casino.keys import round_key
from tests.browser.chromium import PATIENCE_MS
from tests.browser.dealer import Dealer, dealer, holdem, settle
from tests.played import PASSWORD, Played

__all__ = ["dealer", "holdem"]

SMALL = """() => [...document.querySelectorAll('#terminal button, #terminal summary, #terminal select')]
    .filter((found) => found.offsetParent && (found.offsetWidth < 43.5 || found.offsetHeight < 43.5))
    .map((found) => `${found.ariaLabel || found.textContent.trim()} ${found.offsetWidth}x${found.offsetHeight}`)"""
"""What is shown to be touched and smaller than 44 px."""


@pytest.fixture(params=["desk"])
def size(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def betting(dealer: Dealer) -> Dealer:
    dealer.go("Open round 1").step("bets")
    return dealer.touch("Seat 2").touch("Chip of 5").touch("colour red").touch("rank K")


def test_a_lost_line_keeps_the_bets_says_so_and_records_once_when_it_is_back(dealer: Dealer) -> None:
    betting(dealer).page.context.set_offline(True)
    dealer.go("No more bets")
    said = dealer.page.locator(".desk__go [data-refusal]")
    expect(said).to_contain_text("No answer from the house. What you entered is kept here", timeout=PATIENCE_MS)
    dealer.look("offline")
    expect(dealer.page.locator("[data-go-sum]")).to_have_text("2 wagers, 10 in all")
    dealer.page.context.set_offline(False)
    dealer.go("No more bets").step("cards")
    assert len(dealer.round.wagers) == 2


def test_an_answer_that_is_lost_after_it_was_recorded_is_not_recorded_again(dealer: Dealer) -> None:
    betting(dealer)

    def lose(route) -> None:
        route.fetch()
        route.abort("connectionreset")

    dealer.page.route("**/terminal/bets/", lose, times=1)
    dealer.go("No more bets")
    expect(dealer.page.locator(".desk__go [data-refusal]")).to_contain_text("No answer", timeout=PATIENCE_MS)
    dealer.go("No more bets").step("cards")
    types = [entry.type for entry in history.of_stream(round_key("demo", dealer.round.id))]
    assert types == ["round_opened", "wager_placed", "wager_placed", "bets_closed"]


def test_a_double_press_opens_one_round_and_closes_no_bets(dealer: Dealer) -> None:
    dealer.page.locator("[data-next]").dblclick()
    dealer.step("bets")
    dealer.page.wait_for_timeout(700)
    dealer.step("bets")
    assert (dealer.round.id.n, dealer.round.bets_closed) == (1, False)


def test_bets_outlive_a_reload_and_can_be_taken_back(dealer: Dealer) -> None:
    betting(dealer).at()
    expect(dealer.page.locator("[data-go-sum]")).to_have_text("2 wagers, 10 in all")
    dealer.touch("Take back rank K of seat 2")
    expect(dealer.page.locator("[data-go-sum]")).to_have_text("1 wager, 5 in all")
    dealer.touch("Undo")
    expect(dealer.page.locator("[data-go-sum]")).to_have_text("2 wagers, 10 in all")


def test_a_refusal_stands_at_the_button_and_nothing_entered_is_lost(dealer: Dealer) -> None:
    betting(dealer).touch("progressive").go("No more bets").step("count").touch("3")
    refused = dealer.page.locator(".step [data-refusal]")
    expect(refused).to_contain_text("3 progressive chips were counted and 1 wager stands", timeout=PATIENCE_MS)
    dealer.touch("1").step("cards").keys("?kd").touch("Unseen, face down").touch("Unseen, face down")
    dealer.page.locator("[data-next]").click()
    dealer.step("cards")


def test_a_second_progressive_is_refused_before_it_is_sent(dealer: Dealer) -> None:
    betting(dealer).touch("progressive").touch("progressive")
    expect(dealer.page.locator(".desk__go [data-refusal]")).to_have_text(
        "Seat 2 has its progressive already; one a seat."
    )


def test_somebody_else_who_closed_the_bets_is_told_and_the_page_catches_up(dealer: Dealer, played: Played) -> None:
    betting(dealer)
    rounds.close_bets(played.order(), dealer.round.id)
    dealer.go("No more bets").step("cards")
    expect(dealer.page.locator("[data-refusal]", has_text="takes no more bets")).to_be_visible(timeout=PATIENCE_MS)


def test_a_void_is_approved_by_a_second_person_at_the_table(dealer: Dealer, people) -> None:
    eve = User.objects.create_user("eve", password=PASSWORD)
    eve.groups.add(Group.objects.get(name="floor"))
    betting(dealer)
    page = dealer.page
    page.get_by_text("Void / misdeal").click()
    dealer.look("void")
    page.get_by_label("Reason").fill("Nobody plays.")
    page.get_by_label("Approver's name").fill("ana")
    page.get_by_label("Approver's password").fill(PASSWORD)
    page.get_by_role("button", name="Void round 1").click()
    expect(page.locator("#void [data-refusal]")).to_contain_text("somebody else has to approve it", timeout=PATIENCE_MS)
    expect(page.get_by_label("Approver's password")).to_have_value("")
    page.get_by_label("Approver's name").fill("eve")
    page.get_by_label("Approver's password").fill(PASSWORD)
    page.get_by_role("button", name="Void round 1").click()
    dealer.step("pay")
    assert dealer.round.voided.approved_by == "eve"
    dealer.go("Open round 2").step("bets")


def test_a_difference_in_what_was_paid_is_recorded_at_the_terminal(dealer: Dealer) -> None:
    betting(dealer).go("No more bets").step("cards").keys("5cKd9c4h2s")
    dealer.page.keyboard.press("Enter")
    dealer.step("pay")
    settle()
    expect(dealer.page.get_by_label("Paid otherwise on")).to_be_visible(timeout=PATIENCE_MS)
    dealer.page.get_by_label("Paid otherwise on").select_option(
        label="Seat 2, colour red: due 10.00 = stake 5.00 + 5.00 paid"
    )
    dealer.page.get_by_label("went back in all, stake included").fill("15")
    expect(dealer.page.locator("#payout-means")).to_have_text("= stake 5 + 10 paid")
    dealer.page.get_by_role("button", name="Record the difference").click()
    expect(dealer.page.get_by_text("15.00 went back in all, due 10.00")).to_be_visible(timeout=PATIENCE_MS)
    dealer.look("paid otherwise")
    assert dealer.round.paid == {1: 1_500}


def test_a_finger_that_slides_over_touching_cells_lays_a_split_or_a_corner(dealer: Dealer) -> None:
    dealer.go("Open round 1").step("bets")
    for start, end in (("9♠", "9♥"), ("8♥", "7♦"), ("Joker 2", "A♦"), ("K♠", "2♣")):
        for name, act in ((start, dealer.page.mouse.down), (end, dealer.page.mouse.up)):
            box = dealer.page.get_by_role("button", name=f"straight up {name}").bounding_box()
            assert box
            dealer.page.mouse.move(box["x"] + box["width"] / 2, box["y"] + 24)
            act()
    shown = dealer.page.locator("[data-drafts] li")
    expect(shown).to_contain_text(["split 9♠ 9♥", "corner 8♥ 8♦ 7♥ 7♦", "split Joker 2 A♦"])
    expect(dealer.page.locator(".desk__go [data-refusal]")).to_have_text("K♠ and 2♣ do not touch on the layout.")


def test_what_is_touched_is_as_large_as_a_finger(dealer: Dealer) -> None:
    """44 px each way, edges and corners of the layout included at this size."""
    betting(dealer).touch("progressive")
    assert dealer.page.evaluate(SMALL) == []
    dealer.go("No more bets").step("count")
    assert dealer.page.evaluate(SMALL) == []
    dealer.touch("1").step("cards")
    assert dealer.page.evaluate(SMALL) == []
    dealer.keys("5cKd9c4h2s").go("Record cards").step("pay")
    assert dealer.page.evaluate(SMALL) == []


def test_the_last_rounds_are_recalled_and_the_bets_stay(dealer: Dealer) -> None:
    betting(dealer).go("No more bets").step("cards").keys("5cKd9c4h2s").go("Record cards").step("pay")
    dealer.go("Open round 2").step("bets").touch("Seat 4").touch("suit ♥").touch("Round 1").step("pay")
    expect(dealer.page.get_by_text("RECALLED")).to_be_visible()
    dealer.go("Back to the table").step("bets")
    expect(dealer.page.locator("[data-go-sum]")).to_have_text("1 wager, 5 in all")
