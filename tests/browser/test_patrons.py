"""A floorperson seats, rates and erases a patron in a real browser, at the size of a pit's screen."""

from playwright.sync_api import Page, expect

from casino.round.betting import Asked
from tests.browser.test_pages import NOTHING, follower, window
from tests.played import Played, people, played

__all__ = ["follower", "people", "played", "window"]


def test_a_patron_is_added_seated_rated_and_erased(played: Played, follower: None, window: Page) -> None:
    window.get_by_role("link", name="Patrons").click()
    window.get_by_label("Name", exact=True).fill("Mireille Okonjo")
    window.get_by_label("Name", exact=True).press("Enter")
    expect(window.get_by_role("heading", level=1)).to_have_text("Mireille Okonjo")
    number = window.url.rstrip("/").rpartition("/")[2]

    window.goto("/tables/R-01/")
    window.get_by_role("link", name="Change seats").click()
    window.get_by_role("link", name="Seat 3 free").click()
    window.get_by_label("Find a patron by name or number").fill(number)
    window.get_by_label("Find a patron by name or number").press("Enter")
    window.get_by_role("button", name="Mireille Okonjo").click()
    window.get_by_label("Estimated average bet at seat 3").fill("30.00")
    window.get_by_label("Estimated average bet at seat 3").press("Enter")
    expect(window.get_by_role("button", name="Free seat 3")).to_be_visible()

    window.goto("/tables/R-01/")
    players = window.get_by_role("region", name="Players")
    expect(players).to_contain_text("Mireille Okonjo", timeout=20_000)
    played_on(played)
    expect(players).to_contain_text("−3.00 off the real one", timeout=20_000)
    expect(players).to_contain_text("house ahead")
    assert window.evaluate("document.documentElement.scrollWidth") == 1024

    players.get_by_role("link", name="Mireille Okonjo").click()
    window.get_by_role("link", name="Erase the name").click()
    window.get_by_role("button", name="Erase the name").click()
    expect(window.get_by_role("heading", level=1)).to_have_text("Erased patron")
    expect(window.get_by_text("Mireille")).to_have_count(0)


def played_on(played: Played) -> None:
    """Spades 33.00 at seat 3 of the round that takes bets; the Roulette Card is a king of diamonds."""
    from casino.commands import rounds, settlement
    from casino.games.game import CardEntry

    round_id = played.round(4)
    rounds.place_wagers(played.order(), round_id, [Asked(3, "suit:s", 3_300)])
    rounds.close_bets(played.order(), round_id)
    rounds.record_cards(played.order(), round_id, [CardEntry(card) for card in NOTHING])
    settlement.settle_due()
