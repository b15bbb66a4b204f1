"""A wall in a real browser: live without a log-in, and an odometer that never shows more than the meter holds."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from casino.commands import rounds
from casino.eventstore.follower import catch_up
from casino.round.betting import Asked
from jackpot.commands.displays import switch_display
from jackpot.commands.links import join_table, leave_table, set_up_link
from jackpot.queries import meter_of
from tests.browser.test_pages import follower
from tests.played import NOTHING, SECOND, STRAIGHT_FLUSH, Played

__all__ = ["follower"]

# What the columns of the odometer have rolled to, put together again: cents, with the part of a cent on its way.
SHOWN = """() => [...document.querySelectorAll('.digit')].reduce((sum, column) => {
  const worth = Number(column.dataset.worth);
  const rolled = -parseFloat(column.firstElementChild.style.transform.slice(11)) / 1.15;
  return sum + worth * (worth > 1 ? Math.floor(rolled + 1e-6) : rolled);
}, 0)"""
TAKE = """(cents) => {
  document.querySelector('[data-odometer]').dataset.cents = cents;
  document.dispatchEvent(new Event('htmx:afterSwap'));
}"""
PARTS = [".odometer__amount", ".level__name", ".pending", ".prizes", ".last-hits", ".wall__words", ".wall__head"]
OUTSIDE = """(parts) => parts.filter((part) => [...document.querySelectorAll(part)].some((shown) => {
  const box = shown.getBoundingClientRect();
  return box.left < 0 || box.top < 0 || box.right > innerWidth || box.bottom > innerHeight;
}))"""
ROOM = """() => {
  const bottoms = [...document.querySelectorAll('.odometer__amount')].map((one) => one.getBoundingClientRect().bottom);
  return document.querySelector('.pending').getBoundingClientRect().top - Math.max(...bottoms);
}"""


@pytest.fixture
def wall(browser: Browser, played: Played, web_server: str) -> Iterator[Page]:
    yield from _wall(browser, played, web_server, "no-preference")


@pytest.fixture
def still_wall(browser: Browser, played: Played, web_server: str) -> Iterator[Page]:
    yield from _wall(browser, played, web_server, "reduce")


def _wall(browser: Browser, played: Played, address: str, motion: str) -> Iterator[Page]:
    """Nobody has logged in; a script that fails, fails the test."""
    switch_display(played.order(), "grand", is_open=True)
    context = browser.new_context(base_url=address, viewport={"width": 1280, "height": 720}, reduced_motion=motion)
    page, faults = context.new_page(), []
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("console", lambda said: faults.append(said.text) if said.type == "error" else None)
    page.goto("/display/grand/")
    yield page
    context.close()
    assert faults == []


def standing() -> int:
    catch_up()
    return meter_of("grand").display_cents


def cut_off(wall: Page) -> None:
    """From here on only the test says what the meter holds."""
    wall.route("**/_now/", lambda route: route.fulfill(status=204))


def reaches(wall: Page, cents: int) -> None:
    for _ in range(120):
        if wall.evaluate(SHOWN) == cents:
            return
        wall.wait_for_timeout(100)
    pytest.fail(f"The odometer stands at {wall.evaluate(SHOWN)} and not at {cents}.")


def test_the_odometer_begins_with_what_the_meter_holds(wall: Page) -> None:
    assert wall.evaluate(SHOWN) == standing()


def test_it_counts_up_and_never_runs_ahead(wall: Page) -> None:
    """A third of a thousand over: digits roll, columns carry, and what is shown lies between the two true values."""
    cut_off(wall)
    before, after = standing(), standing() + 33_333
    wall.evaluate(TAKE, after)
    shown = [wall.evaluate(SHOWN) for _ in range(60) if not wall.wait_for_timeout(60)]
    assert all(before <= one <= after for one in shown)
    assert shown == sorted(shown)
    assert len(set(shown)) > 10
    reaches(wall, after)


def test_after_a_hit_it_falls_at_once(wall: Page) -> None:
    cut_off(wall)
    wall.evaluate(TAKE, standing() + 1_000)
    wall.wait_for_timeout(200)
    wall.evaluate(TAKE, 100_000)
    assert wall.evaluate(SHOWN) == 100_000


def test_it_gets_a_digit_more_when_the_meter_does(wall: Page) -> None:
    cut_off(wall)
    wall.evaluate(TAKE, 99_999)
    wall.evaluate(TAKE, 100_003)
    reaches(wall, 100_003)
    assert wall.locator(".digit").count() == 6


def test_where_motion_is_not_wanted_it_jumps(still_wall: Page) -> None:
    cut_off(still_wall)
    after = standing() + 33_333
    still_wall.evaluate(TAKE, after)
    assert still_wall.evaluate(SHOWN) == after


def test_a_hit_on_the_floor_reaches_the_wall_by_itself(played: Played, follower, wall: Page) -> None:
    expect(wall.locator("[data-connection]")).to_have_text(re.compile("Live|Every 10 s"))
    rounds.void_round(played.order(), played.round(4), "Nobody plays.", SECOND)
    played.finish("R-01", [Asked(5, "progressive", 100)], NOTHING)
    played.finish("R-01", [Asked(6, "progressive", 100)], STRAIGHT_FLUSH)
    expect(wall.get_by_text("PENDING")).to_have_count(2, timeout=15_000)
    expect(wall.locator(".last-hits li")).to_have_count(2)
    assert "Log in" not in wall.content()


SIZES = [(1024, 768), (1440, 900), (1920, 1080), (1080, 1920)]


@pytest.mark.parametrize("size", SIZES)
def test_all_of_it_is_on_the_screen(wall: Page, size: tuple[int, int]) -> None:
    wall.set_viewport_size({"width": size[0], "height": size[1]})
    assert wall.evaluate(OUTSIDE, PARTS) == []
    assert wall.evaluate(ROOM) >= 0


@pytest.mark.parametrize("size", SIZES)
def test_so_are_two_pending_hits_below_the_meter(played: Played, wall: Page, size: tuple[int, int]) -> None:
    rounds.void_round(played.order(), played.round(4), "Nobody plays.", SECOND)
    played.finish("R-01", [Asked(6, "progressive", 100)], STRAIGHT_FLUSH)
    played.read()
    wall.set_viewport_size({"width": size[0], "height": size[1]})
    wall.reload()
    expect(wall.locator(".pending p")).to_have_count(2)
    assert wall.evaluate(OUTSIDE, PARTS) == []
    assert wall.evaluate(ROOM) >= 0


@pytest.mark.parametrize("size", SIZES)
def test_so_are_three_levels_with_a_pending_hit(played: Played, browser: Browser, web_server: str, size) -> None:
    for number, (code, rank) in enumerate(
        (("maxi", "five_of_a_kind"), ("midi", "royal_flush"), ("mini", "straight_flush"))
    ):
        terms = {"tiers": {rank: "1"}, "increment_bp": 1000, "hidden_bp": 0, "level_of": "maxi" if number else ""}
        cents = 123_456_789 // 100**number
        set_up_link(played.order(), code, game="54-card-roulette", base_cents=cents, reset_cents=50_000, **terms)
    leave_table(played.order(), "grand", "R-01", "It moves to the bank.")
    join_table(played.order(), "maxi", "R-01")
    rounds.void_round(played.order(), played.round(4), "Nobody plays.", SECOND)
    for _ in range(4):
        played.finish("R-01", [Asked(seat, "progressive", 100) for seat in (1, 2, 3)], STRAIGHT_FLUSH)
    played.read()
    switch_display(played.order(), "maxi", is_open=True)
    page = browser.new_page(base_url=web_server, viewport={"width": size[0], "height": size[1]})
    page.goto("/display/midi/")
    expect(page.locator(".odometer")).to_have_count(3)
    assert page.evaluate(OUTSIDE, PARTS) == []
    assert page.evaluate(ROOM) >= 0
    page.close()
