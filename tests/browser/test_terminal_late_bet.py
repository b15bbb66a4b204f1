"""A late bet given back at the terminal in a real browser."""

from django.contrib.auth.models import Group, User
from playwright.sync_api import expect

from tests.browser.chromium import PATIENCE_MS
from tests.browser.dealer import Dealer, dealer, size
from tests.played import PASSWORD

__all__ = ["dealer", "size"]


def test_a_late_bet_goes_back_and_its_panel_closes(dealer: Dealer) -> None:
    eve = User.objects.create_user("eve", password=PASSWORD)
    eve.groups.add(Group.objects.get(name="floor"))
    dealer.go("Open round 1").step("bets").touch("Chip of 25")
    dealer.touch("straight up A♠").touch("colour red").go("No more bets").step("cards")
    panel = dealer.page.locator("#late")
    panel.locator("summary").click()
    panel.get_by_label("The late bet").select_option(label="Seat 1: colour red 25")
    panel.get_by_label("Reason").fill("It came after the call.")
    panel.get_by_label("Approver's name").fill("eve")
    panel.get_by_label("Approver's password").fill("guessed")
    panel.get_by_role("button", name="Give it back").click()
    expect(panel.get_by_role("alert")).to_contain_text("This name and password do not go together")
    panel.get_by_label("Approver's password").fill(PASSWORD)
    panel.get_by_role("button", name="Give it back").click()
    expect(dealer.page.get_by_text("Late, given back:")).to_be_visible(timeout=PATIENCE_MS)
    expect(panel.get_by_label("Reason")).to_be_hidden()
    dealer.look("late bet given back")
    assert [standing.placed.code for standing in dealer.round.wagers.values()] == ["straight_up:As"]
