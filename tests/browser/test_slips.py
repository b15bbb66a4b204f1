"""Fills and credits in a real browser: the cage by keyboard alone, the pit by touch, the printer on one page."""

import re
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from casino.eventstore.follower import catch_up
from tests.browser.chromium import PATIENCE_MS
from tests.slip_house import House, house

__all__ = ["house"]


@pytest.fixture
def window(browser: Browser, house: House, web_server: str) -> Iterator[Callable[..., Page]]:
    """A window in which somebody of the house has logged in; a script that fails, fails the test."""
    opened, faults = [], []

    def log_in(who: str, width: int = 1024, touch: bool = False) -> Page:
        context = browser.new_context(base_url=web_server, viewport={"width": width, "height": 768}, has_touch=touch)
        opened.append(context)
        page = context.new_page()
        page.set_default_timeout(PATIENCE_MS)
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.on("console", lambda said: faults.append(said.text) if "Content Security Policy" in said.text else None)
        page.goto("/login/")
        page.get_by_label("Name").fill(who)
        page.get_by_label("Password").fill(f"{who}-password")
        page.get_by_role("button", name="Log in").click()
        expect(page.get_by_role("button", name="Log out")).to_be_visible()
        return page

    yield log_in
    for context in opened:
        context.close()
    assert faults == []


def test_the_cage_prepares_and_signs_with_digits_and_the_enter_key_alone(window, house: House) -> None:
    first, second = house.requested(), house.requested("credit")
    catch_up()
    page = window("cara")
    page.goto("/slips/")
    expect(page.get_by_text("You prepare the slip")).to_have_count(2)
    page.keyboard.press("1")
    expect(page).to_have_url(re.compile(f"/{first}/$"))
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Fill slip 1")).to_be_visible()
    page.keyboard.press("Enter")
    expect(page.locator(".slip-state")).to_have_text("in transit")
    assert house.get("otto", f"{first}/").json()["signatures"][0]["by"] == "cara"
    page.keyboard.press("0")
    expect(page).to_have_url(re.compile("/slips/$"))
    assert house.get("otto", f"{second}/").json()["state"] == "requested"


def test_a_digit_typed_into_a_field_opens_nothing(window, house: House) -> None:
    slip = house.prepared()
    page = window("cara")
    page.goto(f"/{slip}/")
    page.get_by_label("Name", exact=True).press_sequentially("cara0")
    expect(page).to_have_url(re.compile(f"/{slip}/$"))
    expect(page.get_by_label("Name", exact=True)).to_have_value("cara0")


def test_the_floor_asks_by_touching_steppers_that_are_large_enough(window, house: House) -> None:
    page = window("ana", touch=True)
    page.goto("/tables/R-01/request/fill/")
    chip = page.locator("[data-chip='2500']")
    for name in ("20 chips of 25 more", "One chip of 25 more", "One chip of 25 more", "One chip of 25 less"):
        chip.get_by_role("button", name=name).tap()
    expect(chip.locator("[data-sum]")).to_have_text("525.00")
    page.get_by_label("100", exact=True).fill("3")
    expect(page.locator("[data-total]")).to_have_text("825.00")
    small = [
        box for box in (one.bounding_box() for one in page.locator(".stepper").all()) if box and box["height"] < 44
    ]
    assert small == []
    page.get_by_role("button", name="Request the fill").tap()
    expect(page.get_by_role("heading", name="Fill request 1")).to_be_visible()
    asked = house.get("otto", f"slips/{page.url.split('/slips/')[1]}").json()
    assert asked["denominations"] == {"10000": 30_000, "2500": 52_500}


def test_a_chip_never_goes_below_none(window, house: House) -> None:
    page = window("ana")
    page.goto("/tables/R-01/request/credit/")
    page.locator("[data-chip='2500']").get_by_role("button", name="20 chips of 25 less").click()
    expect(page.locator("[data-total]")).to_have_text("0.00")


def test_a_slip_that_is_signed_elsewhere_moves_on_without_a_reload_or_a_lost_word(
    window, house: House, start_process: Callable[..., object]
) -> None:
    start_process("manage.py", "follow", ready="Following the log.")
    slip = house.prepared()
    page = window("eve")
    page.goto(f"/{slip}/")
    expect(page.locator("[data-connection]")).to_have_text("Live")
    expect(page.get_by_text("Waits for the cage to sign")).to_be_visible()
    page.evaluate("window.loadedOnce = true")
    page.get_by_label("Name", exact=True).fill("half a na")
    house.post("cara", f"{slip}/sign/")
    expect(page.get_by_text("Waits for security to sign")).to_be_visible()
    house.post("sam", f"{slip}/sign/")
    house.post("dan", f"{slip}/sign/")
    expect(page.get_by_role("button", name="Sign for the floor")).to_be_visible()
    expect(page.get_by_label("Name", exact=True)).to_have_value("half a na")
    expect(page.get_by_label("Name", exact=True)).to_be_focused()
    assert page.evaluate("window.loadedOnce")


@pytest.mark.parametrize(("size", "width_mm"), [("Print A4", 210), ("Receipt", 80)])
def test_a_slip_is_printed_on_one_page_of_its_size(window, house: House, size: str, width_mm: int) -> None:
    slip = house.signed()
    page = window("cara")
    page.goto(f"/{slip}/")
    with page.context.expect_page() as opened:
        page.get_by_role("button", name=f"{size} of Fill slip 1").click()
    paper = opened.value
    expect(paper.get_by_role("heading", name="Fill slip")).to_be_visible()
    expect(paper.locator(".mark")).to_have_text("ORIGINAL")
    printed = paper.pdf(prefer_css_page_size=True)
    assert len(re.findall(rb"/Type\s*/Page[^s]", printed)) == 1
    points = re.search(rb"/MediaBox\s*\[0 0 ([\d.]+)", printed)
    assert points is not None
    assert abs(float(points[1]) * 25.4 / 72 - width_mm) < 1


@pytest.mark.parametrize("width", [1024, 1440])
def test_the_pages_are_no_wider_than_the_screen(window, house: House, width: int) -> None:
    slip = house.signed("credit", upto=2)
    catch_up()
    page = window("eve", width)
    for path in ("slips/", f"{slip}/", "tables/R-01/request/fill/", f"tables/R-01/papers/{slip.split('/')[2]}/"):
        page.goto(f"/{path}")
        assert page.evaluate("document.documentElement.scrollWidth") <= width, path
        unnamed = page.locator("input:not([type=hidden]):not([aria-label])").evaluate_all(
            "all => all.filter(one => !one.labels.length).map(one => one.name)"
        )
        assert unnamed == []
