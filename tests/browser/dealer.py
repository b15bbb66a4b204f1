"""Somebody at a table's terminal in a real browser, at the sizes of a pit's screens."""

import os
from collections.abc import Iterator
from fractions import Fraction

import pytest
from playwright.sync_api import Browser, Page, expect

from casino.commands import settlement, tables
from casino.commands.tables import latest_round
from casino.eventstore.follower import catch_up
from casino.round.state import Round
from jackpot.commands.links import join_table
from tests.browser.chromium import PATIENCE_MS
from tests.played import ANA, PASSWORD, Played

SIZES = {"desk": (1366, 768), "tablet": (1024, 768), "portrait": (768, 1024)}
SECONDS_A_TOUCH, SECONDS_A_KEY = Fraction("1.1"), Fraction("0.28")
"""How long somebody who knows the screen takes to point at something and to press a key, by the keystroke-level model
of Card, Moran and Newell (1980): 1.1 s to point, 0.28 s for a key of an average typist.
"""
PICTURES = os.environ.get("TERMINAL_PICTURES", "")
"""A folder for a picture of every step, for somebody who wants to look."""


OUT_OF_FRAME = """(button) => {
  const frame = button.closest(".grid-frame")?.getBoundingClientRect(), box = button.getBoundingClientRect();
  return !frame ? "" : box.right > frame.right + 2 ? "right" : box.left < frame.left - 2 ? "left" : "";
}"""
"""On which side of a layout's shown part a button lies, "" where it is shown."""


class Dealer:
    """Somebody at a terminal, whose touches and keys are counted."""

    def __init__(self, page: Page, table: str, size: str) -> None:
        self.page, self.table, self.size = page, table, size
        self.presses, self.keystrokes = 0, 0
        self.position: str | None = None
        self.pictures = 0

    def at(self) -> "Dealer":
        self.page.goto(f"/tables/{self.table}/terminal/")
        return self

    def touch(self, name: str, *, exact: bool = True) -> "Dealer":
        """Touch a button; where it lies in the half of a layout that is not shown, that half is called up first."""
        button = self.page.locator("#terminal").get_by_role("button", name=name, exact=exact)
        if button.evaluate(OUT_OF_FRAME):
            self.touch("Right half, larger" if button.evaluate(OUT_OF_FRAME) == "right" else "Left half, larger")
        button.click()
        self.presses += 1
        return self

    def go(self, words: str) -> "Dealer":
        """Press the big button, which says `words`."""
        button = self.page.locator("[data-next]")
        expect(button).to_contain_text(words, timeout=PATIENCE_MS)
        button.click()
        self.presses += 1
        return self

    def keys(self, text: str, then: str = "Enter") -> "Dealer":
        """Type into the one field, and say that it is done."""
        self.position = self.page.locator("#now").get_attribute("data-position")
        self.page.keyboard.type(text)
        self.page.keyboard.press(then)
        self.keystrokes += len(text) + 1
        return self

    def answered(self) -> "Dealer":
        """Wait until the page stands at another position of the log than before the last keys."""
        expect(self.page.locator("#now")).not_to_have_attribute(
            "data-position", self.position or "", timeout=PATIENCE_MS
        )
        return self

    @property
    def seconds(self) -> Fraction:
        """How long a practised person takes for what was touched and typed so far."""
        return self.presses * SECONDS_A_TOUCH + self.keystrokes * SECONDS_A_KEY

    def step(self, name: str) -> "Dealer":
        expect(self.page.locator("#now")).to_have_attribute("data-step", name, timeout=PATIENCE_MS)
        self.look(name)
        return self

    def turn_of(self, seat: int) -> "Dealer":
        expect(self.page.get_by_role("heading", name=f"Seat {seat} decides")).to_be_visible(timeout=PATIENCE_MS)
        return self

    def look(self, name: str) -> None:
        """At this size nothing of the step lies outside the screen."""
        width, height = SIZES[self.size]
        if PICTURES:
            self.pictures += 1
            self.page.screenshot(path=f"{PICTURES}/{self.table}-{self.size}-{self.pictures:02d}-{name}.png")
        assert self.page.evaluate("document.documentElement.scrollWidth") <= width, name
        assert self.page.evaluate("document.documentElement.scrollHeight") <= height, name

    @property
    def round(self) -> Round:
        session = tables.load_table(self.table).session
        assert session is not None
        found = latest_round(self.table, session.gaming_date)
        assert found is not None
        return found


@pytest.fixture(params=list(SIZES))
def size(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def dealer(browser: Browser, played: Played, people, web_server: str, size: str) -> Iterator[Dealer]:
    """R-03 deals 54 Card Roulette with a progressive and is open, with no round yet."""
    yield from _dealer(browser, web_server, "R-03", size, played)


@pytest.fixture
def holdem(browser: Browser, played: Played, people, web_server: str, size: str) -> Iterator[Dealer]:
    tables.set_up_table(played.order(), "H-01", game="royal-casino")
    yield from _dealer(browser, web_server, "H-01", size, played)


def _dealer(browser: Browser, address: str, table: str, size: str, played: Played) -> Iterator[Dealer]:
    if table == "R-03":
        join_table(played.order(), "grand", "R-03")
    played.open(table, 5_000_000)
    width, height = SIZES[size]
    context = browser.new_context(base_url=address, viewport={"width": width, "height": height}, has_touch=True)
    page, faults = context.new_page(), []
    page.set_default_timeout(PATIENCE_MS)
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("console", lambda said: faults.append(said.text) if "Content Security Policy" in said.text else None)
    page.goto("/login/")
    page.get_by_label("Name").fill(ANA)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Log in").click()
    yield Dealer(page, table, size).at()
    context.close()
    assert faults == []


def settle() -> None:
    """What worker and follower do all the time."""
    settlement.settle_due()
    catch_up()
