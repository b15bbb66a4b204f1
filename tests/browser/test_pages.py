"""The pages in a real browser: live, by keyboard, at the sizes of a pit's screens, and without a stream."""

import json
import re
from collections.abc import Callable, Iterator
from datetime import UTC, datetime

import pytest
import redis
from playwright.sync_api import Browser, Page, expect

from casino.commands import rounds, settlement
from casino.round.betting import Asked
from tests.browser.chromium import PATIENCE_MS
from tests.played import ANA, NOTHING, PASSWORD, SECOND, Played

NOWHERE_REDIS = "redis://127.0.0.1:1/0"


@pytest.fixture
def window(browser: Browser, people, web_server: str) -> Iterator[Page]:
    """A window of 1024 × 768 in which Ana has logged in; a script that fails, fails the test."""
    yield from _window(browser, web_server, ANA)


def _window(browser: Browser, address: str, name: str, first: str = "/") -> Iterator[Page]:
    context = browser.new_context(base_url=address, viewport={"width": 1024, "height": 768})
    page, faults = context.new_page(), []
    page.set_default_timeout(PATIENCE_MS)
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("console", lambda said: faults.append(said.text) if "Content Security Policy" in said.text else None)
    page.goto("/login/")
    page.get_by_label("Name").fill(name)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Log in").click()
    expect(page).to_have_url(f"{address}{first}")
    yield page
    context.close()
    assert faults == []


@pytest.fixture
def follower(start_process: Callable[..., object]) -> None:
    """The real follower process, which tells the pages what moved."""
    start_process("manage.py", "follow", ready="Following the log.")


def play_on(played: Played) -> None:
    """The open round of R-01 is voided, and a full one is played and settled."""
    rounds.void_round(played.order(), played.round(4), "Nobody plays.", SECOND)
    rounds.record_finished_round(played.order(), "R-01", [Asked(5, "suit:s", 77_700)], NOTHING)
    settlement.settle_due()


# ------------------------------------------------------------------------------------------------- live


def test_a_tile_moves_when_its_table_does_and_the_page_is_never_loaded_again(played, follower, window: Page) -> None:
    expect(window.locator("[data-connection]")).to_have_text("Live", timeout=PATIENCE_MS)
    window.evaluate("document.body.dataset.same = 'yes'")
    play_on(played)
    tile = window.locator(".tile", has=window.locator("#to-R-01"))
    expect(tile).to_contain_text("+777.00", timeout=PATIENCE_MS)
    expect(tile).to_contain_text("#5")
    assert window.evaluate("document.body.dataset.same") == "yes"


def test_what_another_reader_makes_is_fetched_when_that_one_has_read_it(played, redis_url: str, window: Page) -> None:
    """Ratings may be read later than the board: the players are fetched at their own reader's word, and only then."""
    window.goto("/tables/R-01/")
    expect(window.locator("[data-connection]")).to_have_text("Live", timeout=PATIENCE_MS)
    fetched: list[str] = []
    window.on("request", lambda request: fetched.append(request.url.rstrip("/").rpartition("/")[2]))
    for reader, fragments in (("ratings", {"_players"}), ("board", {"_now", "_rounds"}), ("meters", {"grand"})):
        fetched.clear()
        with redis.Redis.from_url(redis_url) as client, window.expect_request(re.compile("|".join(fragments))):
            client.publish("casino:moved", json.dumps({"by": reader, "position": 1, "tables": ["R-01"]}))
        window.wait_for_timeout(300)
        assert set(fetched) == fragments, reader


def test_what_was_opened_and_focused_stays_so_when_the_page_moves(played, follower, window: Page) -> None:
    window.goto("/tables/R-01/")
    expect(window.locator("[data-connection]")).to_have_text("Live", timeout=PATIENCE_MS)
    window.get_by_text("How it is reckoned").click()
    window.locator(f"#round-{played.day}-2").focus()
    play_on(played)
    expect(window.locator(f"#round-{played.day}-5")).to_be_visible(timeout=PATIENCE_MS)
    expect(window.locator("#tray-formula")).to_have_attribute("open", "")
    expect(window.locator(f"#round-{played.day}-2")).to_be_focused()


def test_without_redis_the_pages_ask_by_themselves(played, people, browser: Browser, start_process) -> None:
    from casino.servers.processes import any_free_port

    port = any_free_port()
    arguments = ["-m", "uvicorn", "casino.asgi:application", "--port", str(port), "--timeout-graceful-shutdown", "2"]
    start_process(*arguments, ready="Uvicorn running on", REDIS_URL=NOWHERE_REDIS)
    for window in _window(browser, f"http://127.0.0.1:{port}", ANA):
        expect(window.locator("[data-connection]")).to_have_text("Every 10 s")
        play_on(played)
        played.read()
        expect(window.locator("#last-R-01")).to_have_text("#5", timeout=PATIENCE_MS)


def test_a_session_that_ended_leads_to_the_log_in_and_not_into_a_fragment(played, follower, window: Page) -> None:
    expect(window.locator("[data-connection]")).to_have_text("Live", timeout=PATIENCE_MS)
    window.context.clear_cookies()
    play_on(played)
    expect(window).to_have_url(re.compile("/login/"), timeout=PATIENCE_MS)


def test_the_clock_of_the_house_goes(people, window: Page) -> None:
    clock = window.locator("[data-clock]")
    first = clock.inner_text()
    expect(clock).not_to_have_text(first)
    assert re.fullmatch(r"\d\d:\d\d:\d\d", clock.inner_text())


# ------------------------------------------------------------------------------------------------- by hand


def test_the_floor_is_walked_by_keyboard(played, window: Page) -> None:
    window.keyboard.press("Tab")
    expect(window.get_by_text("Skip to the content")).to_be_focused()
    window.keyboard.press("Enter")
    for _ in range(20):
        window.keyboard.press("Tab")
        if window.evaluate("document.activeElement.id") == "to-R-01":
            break
    window.keyboard.press("Enter")
    expect(window).to_have_url(re.compile("/tables/R-01/$"))
    expect(window.get_by_role("heading", level=1)).to_have_text("R-01")


def test_a_figure_is_followed_from_the_day_down_to_an_event_with_its_hash(played, window: Page) -> None:
    window.get_by_role("link", name="Drop and hold").click()
    window.locator("#day-R-01").get_by_role("link", name="Game result (G) −4,792.00").click()
    expect(window.get_by_text("✓ Proven.")).to_be_visible()
    window.get_by_role("link", name="round 2").first.click()
    opened = window.locator("details[open]")
    expect(opened).to_have_count(1)
    expect(opened.locator("dd code").last).to_have_text(re.compile("^[0-9a-f]{64}$"))


@pytest.mark.parametrize("width", [1024, 1440])
def test_no_page_is_wider_than_the_screen(played, window: Page, width: int) -> None:
    window.set_viewport_size({"width": width, "height": 768})
    for path in ("/", "/tables/R-01/", f"/rounds/R-01/{played.day}/2/", "/drop-and-hold/",
                 played.address("R-01", "expected-tray"), played.address("all", "win")):  # fmt: skip
        window.goto(path)
        assert window.evaluate("document.documentElement.scrollWidth") <= width, path


def test_the_house_hours_are_the_servers_not_the_browsers(people, browser: Browser, web_server: str) -> None:
    context = browser.new_context(base_url=web_server, timezone_id="Asia/Tokyo")
    page = context.new_page()
    page.goto("/login/")
    shown = page.locator("[data-clock]").inner_text()
    zone = page.locator("[data-clock]").get_attribute("data-zone")
    from zoneinfo import ZoneInfo

    expected = datetime.now(UTC).astimezone(ZoneInfo(str(zone)))
    assert abs(int(shown[:2]) - expected.hour) in (0, 1, 23)
    context.close()
