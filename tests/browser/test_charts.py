"""A chart in a real browser: under the pages' own policy, in the house's colours, kept when it is fetched again."""

from playwright.sync_api import Browser, Page, expect

from ledger.tasks import deal_again
from tests.browser.chromium import PATIENCE_MS
from tests.browser.test_pages import window
from tests.played import Played

__all__ = ["window"]

RESULT = ".chart__drawing .scatterlayer .js-line"


def test_a_tables_result_is_drawn_against_its_theo_and_kept_when_it_is_fetched_again(
    played: Played, window: Page, browser: Browser
) -> None:
    deal_again()
    window.goto("/tables/R-01/")
    expect(window.locator(RESULT)).to_have_count(4, timeout=PATIENCE_MS)  # band low and high, theo, result
    brass = window.evaluate("getComputedStyle(document.querySelector('.bar__nav a[aria-current]')).borderBottomColor")
    stroke = window.locator(RESULT).last.evaluate("line => getComputedStyle(line).stroke")
    assert stroke == brass
    window.evaluate("document.querySelector('.chart__drawing').dataset.same = 'yes'")
    window.evaluate("document.querySelector('section.luck').dataset.old = 'yes'")
    window.evaluate("htmx.trigger(document.querySelector('[data-read-by~=luck]'), 'moved')")
    expect(window.locator("section.luck[data-old=yes]")).to_have_count(0)  # the fragment is a new one
    expect(window.locator(".chart__drawing[data-same=yes]")).to_have_count(1)
    expect(window.locator(RESULT)).to_have_count(4)


def test_the_table_beside_it_opens_by_keyboard(played: Played, window: Page) -> None:
    deal_again()
    window.goto("/tables/R-01/")
    window.get_by_text("The same as a table").focus()
    window.keyboard.press("Enter")
    expect(window.get_by_role("cell", name="−4,795.00")).to_be_visible()
