"""The count room in a real browser: three boxes by keyboard alone, a difference on the way, and the cage's recount."""

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from casino.eventstore.follower import catch_up
from ledger.boxes import CountId
from ledger.commands.cage import sell_chips
from ledger.models import DropBox
from ledger.queries.counts import soft_count
from tests.browser.chromium import PATIENCE_MS
from tests.count_house import WHOLE_DROP, CountHouse, password, room

__all__ = ["room"]


@pytest.fixture
def window(browser: Browser, room: CountHouse, web_server: str) -> Iterator[Callable[..., Page]]:
    """A window in which somebody of the house has logged in by keyboard; a script that fails, fails the test."""
    opened, faults = [], []

    def log_in(who: str, width: int = 1024) -> Page:
        context = browser.new_context(base_url=web_server, viewport={"width": width, "height": 768})
        opened.append(context)
        page = context.new_page()
        page.set_default_timeout(PATIENCE_MS)
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.on("console", lambda said: faults.append(said.text) if "Content Security Policy" in said.text else None)
        page.goto("/login/")
        page.get_by_label("Name").fill(who)
        page.get_by_label("Password").fill(password(who))
        page.keyboard.press("Enter")
        expect(page.get_by_role("button", name="Log out")).to_be_visible()
        return page

    yield log_in
    for context in opened:
        context.close()
    assert faults == []


def typed(page: Page, *fields: str) -> None:
    """Each field and Enter, once the page has put the focus where the hand begins; the last Enter sends."""
    page.wait_for_function("document.activeElement.matches('[data-step]')")
    for field in fields:
        page.keyboard.type(field)
        page.keyboard.press("Enter")


R_01 = ("11", "", "3", "", "1", "", "1", "", "")
"""11 of 100, 3 of 20, one of 5, one of 1: 1,166.00; then counter checks and promo."""
NOTHING = ("",) * 9
R_03 = ("2", "", "", "", "", "", "", "", "")


def test_three_boxes_are_counted_with_the_keyboard_alone(window, room: CountHouse) -> None:
    room.collected()
    catch_up()
    page = window("tess")
    expect(page.get_by_role("link", name="Open a count")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_label("Log-in").first).to_be_focused()
    typed(page, "tom", password("tom"), "tia", password("tia"))
    for name, first, second in (("R-01", R_01, R_01), ("R-02", NOTHING, NOTHING), ("R-03", R_03, R_03)):
        expect(page.locator(".turn")).to_have_text("First count")
        expect(page.get_by_label("Box", exact=True)).to_have_value(f"{name}/1")
        expect(page.get_by_label("100", exact=True)).to_be_focused()
        typed(page, *first[:-1])
        expect(page.get_by_label("Promo")).to_be_focused()
        page.keyboard.press("Enter")
        expect(page.get_by_text("Second count, by another")).to_be_visible()
        expect(page.get_by_label("Counted by")).to_have_value("tom")
        typed(page, *second)
    expect(page.get_by_role("button", name="Close the count")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_text("closed: 3 boxes")).to_be_visible()
    count = soft_count(CountId(room.day, 1))
    assert count.closed is not None
    assert count.closed.currency == WHOLE_DROP
    assert set(DropBox.objects.values_list("table_code", "counted_cents")) <= {
        ("R-01", 116_600), ("R-02", 0), ("R-03", 20_000),
    }  # fmt: skip


def test_a_difference_holds_the_next_box_up_until_it_is_recorded(window, room: CountHouse) -> None:
    room.collected().opened()
    catch_up()
    page = window("tess")
    page.goto(f"/count/{room.day}/1/")
    typed(page, *R_01)
    expect(page.get_by_text("Second count, by another")).to_be_visible()
    typed(page, "11", "", "2", "", "1", "", "1", "", "")
    expect(page.get_by_text("The two counts differ")).to_be_visible()
    expect(page.get_by_label("The first count is right")).to_be_focused()
    page.get_by_label("Why they differ").focus()
    typed(page, "A note of 20 lay under the tray.")
    expect(page.get_by_text("Counts differed by −20.00: A note of 20 lay under the tray.")).to_be_visible()
    expect(page.get_by_label("Box", exact=True)).to_have_value("R-02/1")


def test_what_is_typed_before_an_answer_goes_into_the_next_count_and_never_into_a_difference(
    window, room: CountHouse
) -> None:
    room.collected().opened()
    catch_up()
    page = window("tess")
    page.goto(f"/count/{room.day}/1/")
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    page.route("**/count/*/1/do/*/", hold)

    def answered() -> None:
        while not held:
            page.wait_for_timeout(10)
        held.pop().continue_()

    typed(page, *R_01)
    for field in R_01:
        page.keyboard.type(field)
        page.keyboard.press("Enter")
    answered()
    expect(page.locator(".turn")).to_have_text("Second count, by another")
    answered()
    expect(page.locator(".turn")).to_have_text("First count")
    expect(page.get_by_label("Box", exact=True)).to_have_value("R-02/1")
    typed(page, *NOTHING)
    answered()
    expect(page.locator(".turn")).to_have_text("Second count, by another")
    typed(page, *R_03)
    page.keyboard.type("5")
    page.keyboard.press("Enter")
    answered()
    expect(page.get_by_text("The two counts differ")).to_be_visible()
    expect(page.get_by_role("alert")).to_contain_text("typed ahead of this is not used")
    expect(page.get_by_label("The first count is right")).to_be_focused()
    assert soft_count(CountId(room.day, 1)).step == "difference"


def test_an_answer_that_never_came_keeps_what_was_typed_and_recording_it_again_counts_once(
    window, room: CountHouse
) -> None:
    room.collected().opened()
    catch_up()
    page = window("tess")
    page.goto(f"/count/{room.day}/1/")
    page.route("**/count/*/1/do/first/", lambda route: (route.fetch(max_redirects=0), route.abort()))
    typed(page, *R_01)
    expect(page.get_by_role("alert")).to_contain_text("There was no answer")
    expect(page.get_by_label("100", exact=True)).to_have_value("11")
    page.unroute("**/count/*/1/do/first/")
    page.get_by_role("button", name="Record").press("Enter")
    expect(page.locator(".turn")).to_have_text("Second count, by another")
    assert list(soft_count(CountId(room.day, 1)).first) == ["R-01/1"]


def test_the_total_runs_along_and_what_is_wrong_is_said_beside_what_was_typed(window, room: CountHouse) -> None:
    room.collected().opened()
    catch_up()
    page = window("tess")
    page.goto(f"/count/{room.day}/1/")
    expect(page.get_by_label("100", exact=True)).to_be_focused()
    page.keyboard.type("12")
    expect(page.locator("[data-total]")).to_have_text("1,200.00")
    page.keyboard.press("Enter")
    page.keyboard.type("x")
    page.get_by_role("button", name="Record").click()
    expect(page.get_by_role("alert")).to_contain_text("is no number of pieces")
    expect(page.get_by_label("100", exact=True)).to_have_value("12")


def test_the_cage_counts_blind_by_keyboard_and_takes_the_drop_over(window, room: CountHouse) -> None:
    room.count_closed()
    page = window("cara")
    page.goto("/drops/")
    page.get_by_role("link", name="Open").press("Enter")
    assert "1,366.00" not in page.content()
    typed(page, "13", "", "3", "", "1", "", "1")
    expect(page.get_by_text("Drop variance report")).to_be_visible()
    expect(page.get_by_label("Note")).to_be_focused()
    typed(page, "", "tess", password("tess"))
    expect(page.get_by_text("Signed by cara and tess.")).to_be_visible()


def test_income_audit_ticks_a_tables_paper_and_explains_what_does_not_agree_by_keyboard(
    window, room: CountHouse
) -> None:
    room.count_closed()
    opener, closer = (f"{kind}/{room.day}/R-01/1" for kind in ("opener", "closer"))
    page = window("ben")
    page.goto(f"/income-audit/?gaming_date={room.day}")
    drop = page.locator(".grid--instruments").get_by_role("row", name="R-01")
    expect(drop).to_contain_text("1,166.00")
    page.get_by_label(closer).press("m")
    expect(page.get_by_label(closer)).to_have_value("missing")
    page.get_by_label(closer).locator("xpath=ancestor::form").get_by_role("button", name="All the rest agrees").press(
        "Enter"
    )
    expect(page.get_by_text("Ticked: the paper of R-01.")).to_be_visible()
    catch_up()
    page.reload()
    expect(page.get_by_label(opener)).to_have_value("agrees")
    page.get_by_label(f"Explanation of {closer}").focus()
    page.keyboard.type("The pit keeps it for the incident report.")
    page.keyboard.press("Enter")
    expect(page.get_by_text("Explained.")).to_be_visible()
    catch_up()
    page.reload()
    expect(page.get_by_role("cell", name="The pit keeps it")).to_be_visible()
    assert page.get_by_label(f"Explanation of {closer}").count() == 0


@pytest.mark.parametrize("width", [1024, 1440])
def test_no_page_of_count_room_and_cage_is_wider_than_the_screen(window, room: CountHouse, width: int) -> None:
    room.count_closed().recounted({"10000": 130_000})
    sell_chips(room.order("cara"), {"2500": 5_000_000})
    catch_up()
    day = room.day
    paths = {
        "tess": ("/count/", f"/count/{day}/open/", f"/count/{day}/1/", f"/count/{day}/correct/R-01/1/"),
        "cara": ("/drops/", f"/drops/{day}/1/", "/cage/", "/cage/do/sell/", "/cage/do/in-service/", "/cage/do/void/"),
        "sam": ("/drop/",),
        "ben": (f"/income-audit/?gaming_date={day}",),
        "ana": ("/tables/R-01/emergency-box/",),
    }
    for who, shown in paths.items():
        page = window(who, width)
        for path in shown:
            answer = page.goto(path)
            assert answer is not None
            assert answer.status == 200, path
            assert page.evaluate("document.documentElement.scrollWidth") <= width, path
