"""The bar over every page: one row of words however many there are, menus by keyboard, the place where one is."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.test_slips import window
from tests.slip_house import House, house

__all__ = ["house", "window"]


@pytest.mark.parametrize("width", [1024, 1440])
def test_even_an_auditors_bar_is_one_row_of_words(window: Callable[..., Page], house: House, width: int) -> None:
    page = window("otto", width)
    words = page.locator(".bar__nav > a, .bar__nav > details > summary")
    assert words.evaluate_all("all => new Set(all.map(one => one.getBoundingClientRect().top)).size") == 1
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_a_menu_is_opened_and_left_by_keyboard_and_marks_the_page_that_is_shown(
    window: Callable[..., Page], house: House
) -> None:
    page = window("otto")
    menu = page.locator(".bar__nav details", has=page.get_by_text("Results", exact=True))
    menu.locator("summary").focus()
    page.keyboard.press("Enter")
    expect(menu.get_by_role("link", name="Hours")).to_be_visible()
    page.keyboard.press("Escape")
    expect(menu.get_by_role("link", name="Hours")).to_be_hidden()
    expect(menu.locator("summary")).to_be_focused()
    page.keyboard.press("Enter")
    menu.get_by_role("link", name="Hours").press("Enter")
    expect(page.locator(".bar__nav a[aria-current=page]")).to_have_text("Hours")
    expect(page.locator(".bar__here > summary")).to_have_text("Results")
    page.locator(".bar__here > summary").click()
    page.get_by_role("heading", level=1).click()
    expect(page.get_by_role("link", name="Hours", exact=True)).to_be_hidden()
