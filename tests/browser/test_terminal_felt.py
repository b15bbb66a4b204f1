"""The layout under a finger, on tablets: sliding over cells, halves of the layout, and how large what is touched is."""

import itertools
from collections.abc import Sequence

import pytest
from playwright.sync_api import expect

from tests.browser.chromium import PATIENCE_MS
from tests.browser.dealer import Dealer, dealer

__all__ = ["dealer"]


@pytest.fixture(params=["tablet", "portrait"])
def size(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def slide(dealer: Dealer, *names: str) -> None:
    """A finger that goes from the middle of one place over others to the last, and is taken away."""
    touch = dealer.page.context.new_cdp_session(dealer.page)
    points = [middle(dealer, name) for name in names]
    send(touch, "touchStart", points[0])
    for (x, y), (to_x, to_y) in itertools.pairwise(points):
        for step in range(1, 9):
            send(touch, "touchMove", (x + (to_x - x) * step / 8, y + (to_y - y) * step / 8))
    touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


def send(touch, kind: str, point: Sequence[float]) -> None:
    touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": point[0], "y": point[1]}]})


def middle(dealer: Dealer, name: str) -> tuple[float, float]:
    box = dealer.page.get_by_role("button", name=name, exact=True).bounding_box()
    assert box
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def drafts(dealer: Dealer) -> list[str]:
    return dealer.page.locator("[data-drafts] li span:nth-child(2)").all_inner_texts()


@pytest.mark.parametrize(
    ("over", "laid"),
    [
        (("straight up K♠", "straight up Q♠"), "split K♠ Q♠"),
        (("straight up K♥", "straight up K♦"), "split K♥ K♦"),
        (("straight up K♠", "straight up Q♥"), "corner K♠ K♥ Q♠ Q♥"),
        (("straight up Joker 1", "straight up A♥"), "split Joker 1 A♥"),
        (("straight up Joker 1", "straight up A♠", "straight up A♥"), "street Joker 1 A♠ A♥"),
        (("rank K", "rank Q"), "split rank K Q"),
        (("split K♠ Q♠", "straight up J♠"), "split Q♠ J♠"),
    ],
)
def test_a_finger_that_slides_lays_what_joins_the_cells(dealer: Dealer, over: tuple[str, ...], laid: str) -> None:
    dealer.go("Open round 1").step("bets")
    slide(dealer, *over)
    expect(dealer.page.locator("[data-drafts] li")).to_have_count(1, timeout=PATIENCE_MS)
    assert drafts(dealer) == [laid]
    dealer.touch("straight up K♠")
    assert sorted(drafts(dealer)) == sorted([laid, "straight up K♠"])


def test_a_finger_that_slides_over_cells_that_do_not_touch_is_told_so(dealer: Dealer) -> None:
    dealer.go("Open round 1").step("bets")
    slide(dealer, "straight up K♠", "straight up J♣")
    said = dealer.page.locator("[data-refusal]", has_text="do not touch on the layout")
    expect(said).to_be_visible(timeout=PATIENCE_MS)
    assert drafts(dealer) == []


def test_every_place_of_half_a_layout_is_as_large_as_a_finger(dealer: Dealer) -> None:
    """40 px each way at least, splits and corners included, and both halves together show every place whole."""
    dealer.go("Open round 1").step("bets")
    shown: set[str] = set()
    for half in ("Left half, larger", "Right half, larger"):
        dealer.touch(half)
        places = dealer.page.evaluate(PLACES_SHOWN)
        assert [place for place in places if min(place["width"], place["height"]) < 40] == []
        shown |= {place["wager"] for place in places}
        dealer.look(half)
    everything = set(dealer.page.locator(".grid-felt .place").evaluate_all("all => all.map(one => one.dataset.wager)"))
    assert shown == everything
    assert len(everything) == 213  # 54 cards, 92 splits, 2 streets, 36 corners, 13 ranks, 12 split ranks, 4 suits


PLACES_SHOWN = """() => {
  const frame = document.querySelector(".grid-frame").getBoundingClientRect();
  return [...document.querySelectorAll(".grid-felt .place")].map((one) => [one, one.getBoundingClientRect()])
    .filter(([, box]) => box.left >= frame.left - 2 && box.right <= frame.right + 2)
    .map(([one, box]) => ({ wager: one.dataset.wager, width: box.width, height: box.height }));
}"""


def test_the_whole_layout_and_its_halves_are_kept_over_a_reload(dealer: Dealer) -> None:
    dealer.go("Open round 1").step("bets").touch("Right half, larger")
    dealer.page.reload()
    expect(dealer.page.get_by_role("button", name="Right half, larger")).to_have_attribute("aria-pressed", "true")
    dealer.touch("Whole layout")
    assert dealer.page.evaluate("document.querySelector('.grid-frame').scrollLeft") == 0


def test_no_control_lies_under_another(dealer: Dealer) -> None:
    """What is at the middle of every control of the desk is the control itself."""
    dealer.go("Open round 1").step("bets").touch("Chip of 5").touch("colour red").touch("flush")
    assert dealer.page.evaluate(COVERED) == []


COVERED = """() => [...document.querySelectorAll(".desk button, .desk input:not([type=hidden]), .boxes button")]
    .filter((one) => one.offsetParent && !one.closest(".tickets")).filter((one) => {
      const box = one.getBoundingClientRect();
      const hit = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
      return hit !== one && !one.contains(hit);
    }).map((one) => one.ariaLabel || one.textContent.trim())"""
"""The controls of the desk that something else lies upon, but for the list of wagers, which scrolls."""
