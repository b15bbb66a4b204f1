"""Two browsers at one table: each sees what the other did, and nothing entered is lost without a word."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from casino.commands import rounds
from casino.round.betting import Asked
from tests.browser.chromium import PATIENCE_MS
from tests.browser.dealer import SIZES, Dealer, dealer, holdem
from tests.played import SECOND, Played

__all__ = ["dealer", "holdem"]


@pytest.fixture(params=["desk"])
def size(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def second(dealer: Dealer, browser: Browser) -> Iterator[Dealer]:
    """The same table in another browser."""
    cookies = dealer.page.context.cookies()
    width, height = SIZES[dealer.size]
    context = browser.new_context(base_url=origin(dealer), viewport={"width": width, "height": height})
    context.add_cookies([{"name": one["name"], "value": one["value"], "url": origin(dealer)} for one in cookies])
    yield Dealer(context.new_page(), dealer.table, dealer.size).at()
    context.close()


def origin(dealer: Dealer) -> str:
    return dealer.page.url.split("/tables/")[0]


def test_an_idle_page_follows_every_step_of_the_other(dealer: Dealer, second: Dealer) -> None:
    dealer.go("Open round 1").step("bets")
    second.step("bets")
    dealer.touch("Seat 2").touch("colour red").touch("progressive").go("No more bets").step("count")
    second.step("count")
    dealer.touch("1").step("cards")
    second.step("cards")
    dealer.keys("5cKd9c4h2s").go("Record cards").step("pay")
    second.step("pay")


def test_wagers_that_another_page_shut_out_are_listed_as_not_recorded(dealer: Dealer, second: Dealer) -> None:
    dealer.go("Open round 1").step("bets")
    second.at().step("bets").touch("Seat 3").touch("Chip of 25").touch("rank K").touch("suit ♥")
    dealer.touch("Seat 2").touch("Chip of 5").touch("colour red").go("No more bets").step("cards")
    second.step("cards")
    left = second.page.locator("[data-left]")
    expect(left).to_contain_text(
        "Not recorded, for bets were closed elsewhere: seat 3, rank K 25; seat 3, suit ♥ 25.", timeout=PATIENCE_MS
    )
    second.look("shut out")
    second.at()
    expect(left).to_be_visible()
    second.touch("I have read it")
    expect(left).to_be_hidden()
    second.at()
    expect(left).to_be_hidden()
    expect(dealer.page.locator("[data-left]")).to_be_hidden()


def test_wagers_whose_answer_was_lost_are_not_called_lost_when_they_stand(dealer: Dealer, played: Played) -> None:
    dealer.go("Open round 1").step("bets").touch("Seat 2").touch("Chip of 5").touch("colour red").touch("rank K")
    rounds.take_bets(played.order(), dealer.round.id, [Asked(2, "colour:red", 500), Asked(2, "rank:K", 500)])
    dealer.step("cards")
    expect(dealer.page.locator("[data-left]")).to_be_hidden()


def test_what_was_entered_for_a_round_that_is_gone_is_told(dealer: Dealer, played: Played) -> None:
    dealer.go("Open round 1").step("bets").touch("Seat 2").touch("Chip of 5").touch("colour red")
    dealer.page.goto("about:blank")
    rounds.void_round(played.order(), dealer.round.id, "Nobody plays.", SECOND)
    rounds.open_round(played.order(), dealer.table)
    dealer.at().step("bets")
    expect(dealer.page.locator("[data-left]")).to_contain_text(
        "Round 1 went on without an answer to what was entered here; see whether it stands there: seat 2, colour red 5."
    )


def test_bets_and_what_is_typed_stay_when_the_other_page_places_a_wager(dealer: Dealer, played: Played) -> None:
    dealer.go("Open round 1").step("bets").touch("Seat 2").touch("Chip of 5").touch("colour red")
    dealer.page.locator("#typed").fill("3 KQ")
    rounds.place_wagers(played.order(), dealer.round.id, [Asked(5, "suit:s", 1_000)])
    expect(dealer.page.locator("[data-go-sum]")).to_have_text("2 wagers, 15 in all", timeout=PATIENCE_MS)
    expect(dealer.page.locator("#typed")).to_have_value("3 KQ")


def test_the_chosen_seat_and_chip_outlive_a_reload_and_the_round(dealer: Dealer) -> None:
    dealer.go("Open round 1").step("bets").touch("Seat 6").touch("Chip of 100").at()
    for name in ("Seat 6", "Chip of 100"):
        expect(dealer.page.get_by_role("button", name=name, exact=True)).to_have_attribute("aria-pressed", "true")
