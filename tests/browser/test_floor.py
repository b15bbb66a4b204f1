"""The floor of many tables in a real browser: what a refresh sends, and that nobody loses their place by it."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, Response, expect

from casino.eventstore.follower import catch_up
from tests.browser.test_pages import play_on, window  # noqa: F401
from tests.played import Played

TABLES = 66
"""More than sixty: the tiles stand close."""


@pytest.fixture
def full_floor(played: Played) -> Played:
    for n in range(10, 10 + TABLES):
        played.set_up(f"T-{n}")
        played.open(f"T-{n}", 1_000_000)
    catch_up()
    return played


def refreshed(page: Page, do: Callable[[], object]) -> str:
    """What the server answers to the next refresh of the tiles, which `do` leads to."""

    def is_tiles(answer: Response) -> bool:
        return "/_tiles/" in answer.url

    with page.expect_response(is_tiles) as told:
        do()
    return told.value.text()


def ask(page: Page) -> None:
    page.evaluate("htmx.trigger(document.querySelector('#floor-watch'), 'moved')")


def tiles_in(text: str) -> list[str]:
    return re.findall(r'id="tile-([A-Z0-9-]+)"', text)


def test_a_refresh_of_a_floor_where_nothing_moves_sends_no_tile_and_one_moved_table_sends_its_own(
    full_floor: Played,
    window: Page,  # noqa: F811
) -> None:
    expect(window.locator(".tile")).to_have_count(TABLES + 3)
    assert tiles_in(refreshed(window, lambda: ask(window))) == []
    play_on(full_floor)
    catch_up()
    assert tiles_in(refreshed(window, lambda: ask(window))) == ["R-01"]
    expect(window.locator("#tile-R-01")).to_contain_text("+777.00")
    assert tiles_in(refreshed(window, lambda: ask(window))) == []


def test_a_tile_that_moves_moves_nothing_else(full_floor: Played, window: Page) -> None:  # noqa: F811
    window.evaluate("document.querySelector('#tile-T-70').scrollIntoView({block: 'center'})")
    window.locator("#to-T-70").focus()
    before = window.evaluate("[scrollY, document.querySelector('#tile-T-70').getBoundingClientRect().top]")
    play_on(full_floor)
    catch_up()
    refreshed(window, lambda: ask(window))
    expect(window.locator("#tile-R-01")).to_contain_text("+777.00")
    after = window.evaluate("[scrollY, document.querySelector('#tile-T-70').getBoundingClientRect().top]")
    assert after == before
    assert window.evaluate("document.activeElement.id") == "to-T-70"


def test_every_tile_says_game_limits_and_dealer_in_words_however_close_they_stand(
    full_floor: Played,
    window: Page,  # noqa: F811
) -> None:
    tile = window.locator("#tile-T-70")
    for words in ("54 Card Roulette", "no dealer named", "OPEN", "recorded", "estimated"):
        expect(tile.get_by_text(words, exact=False).first).to_be_visible()
    assert window.evaluate("document.documentElement.scrollWidth <= innerWidth")
