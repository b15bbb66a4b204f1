"""The terminal's keys: held down, pressed twice, and what is typed that can't be meant."""

from datetime import UTC, datetime

import pytest
from playwright.sync_api import expect

from casino.commands import tables
from casino.commands.order import property_code
from casino.events import CardDealt, CardTurned
from casino.eventstore import history, store
from casino.eventstore.registry import Event
from casino.eventstore.store import Addition, Origin
from casino.keys import round_key
from tests.browser.chromium import PATIENCE_MS
from tests.browser.dealer import Dealer, dealer, holdem
from tests.played import Played

__all__ = ["dealer", "holdem"]


@pytest.fixture(params=["desk"])
def size(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def hold(dealer: Dealer, key: str, times: int = 12) -> None:
    """A key that is held down: the browser says "down" again and again, until it is let go."""
    for _ in range(times):
        dealer.page.keyboard.down(key)
        dealer.page.wait_for_timeout(100)
    dealer.page.keyboard.up(key)


def typed(dealer: Dealer, text: str) -> None:
    """What stands in the field now is `text` alone."""
    dealer.page.locator("#typed").fill(text)


def preview(dealer: Dealer, *words: str) -> None:
    for word in words:
        expect(dealer.page.locator("#preview")).to_contain_text(word)


# ------------------------------------------------------------------------------------------------- Enter


def test_an_enter_that_is_held_opens_a_round_and_closes_no_bets(dealer: Dealer) -> None:
    hold(dealer.step("ready"), "Enter")
    dealer.step("bets")
    assert (dealer.round.id.n, dealer.round.bets_closed) == (1, False)


def test_an_enter_held_on_the_focused_button_does_the_same(dealer: Dealer) -> None:
    dealer.page.locator("[data-next]").focus()
    hold(dealer, "Enter")
    dealer.step("bets")
    assert (dealer.round.id.n, dealer.round.bets_closed) == (1, False)


def test_two_quick_enters_do_one_step(dealer: Dealer) -> None:
    dealer.go("Open round 1").step("bets").touch("Seat 2").touch("colour red").go("No more bets").step("cards")
    dealer.keys("5cKd9c4h2s").go("Record cards").step("pay")
    dealer.page.wait_for_timeout(700)
    dealer.page.keyboard.press("Enter")
    dealer.step("bets").page.keyboard.press("Enter")
    dealer.page.wait_for_timeout(700)
    dealer.step("bets")
    assert (dealer.round.id.n, dealer.round.bets_closed) == (2, False)


def test_an_empty_layout_is_dealt_only_by_a_second_press(dealer: Dealer) -> None:
    dealer.go("Open round 1").step("bets").touch("Seat 2").go("No more bets")
    said = dealer.page.locator(".desk__go [data-refusal]")
    expect(said).to_contain_text("No wager lies on the layout", timeout=PATIENCE_MS)
    dealer.look("empty layout")
    dealer.touch("colour red")
    expect(dealer.page.locator("[data-next]")).to_contain_text("No more bets")
    dealer.touch("Undo").go("No more bets")
    expect(dealer.page.locator("[data-next]")).to_contain_text("Deal without wagers", timeout=PATIENCE_MS)
    dealer.page.wait_for_timeout(700)
    dealer.go("Deal without wagers").step("cards")
    assert dealer.round.bets_closed
    assert dict(dealer.round.wagers) == {}


def test_bets_of_hold_em_do_not_close_while_nobody_has_a_hand(holdem: Dealer) -> None:
    holdem.go("Open round 1").step("bets").touch("Seat 2").go("No more bets")
    said = holdem.page.locator(".desk__go [data-refusal]")
    expect(said).to_contain_text("Nobody has an ANTE", timeout=PATIENCE_MS)
    expect(holdem.page.locator("[data-next]")).to_contain_text("No more bets")
    holdem.step("bets")


# ------------------------------------------------------------------------------------------------- what is typed


def test_amounts_are_read_strictly(dealer: Dealer) -> None:
    dealer.go("Open round 1").step("bets")
    for text, words in {
        "1 As 1,075.50": "straight up A♠ 1,075.50",
        "1 As 12,50": "“12,50” is no amount",
        "1 As 5.5": "“5.5” is no amount: cents have two digits, as in 5.50.",
        "1 As 600,000,000, As 600,000,000": "1,200,000,000 on straight up A♠ is more than anybody can mean.",
        "1 As 0": "A stake is above zero.",
        "1 As 99,999,999,999,999": "is no amount",
        "1 As 999999999999": "is more than anybody can mean",
        "1 red 5,4 black 5": "“5,4” is no amount",
        "1 p, 1 p": "Seat 1 has its progressive already; one a seat.",
        "1 p 5": "The progressive costs 1, not 5.",
        "9 As 5": "There is no seat 9 at this table.",
    }.items():
        typed(dealer, text)
        preview(dealer, words)
    dealer.page.locator("#typed").press("Enter")
    expect(dealer.page.locator("[data-no-bets]")).to_be_visible()


def test_a_stroke_does_not_come_into_the_field(dealer: Dealer) -> None:
    dealer.go("Open round 1").step("bets")
    dealer.page.keyboard.type("/1/ As")
    expect(dealer.page.locator("#typed")).to_have_value("1 As")


def test_a_decision_that_is_not_open_is_said_before_it_is_sent(holdem: Dealer) -> None:
    holdem.go("Open round 1").step("bets").keys("/2 25, 5 50").go("No more bets").step("cards")
    holdem.touch("All 6 dealt, unseen").step("decide")
    for text, words in {
        "c 4x": ("seat 2: check · seat 5: play 4×",),
        "5": ("Seat 2 can't do “5” now: c (check), 3 (play 3×), 4 (play 4×).",),
        "raise": ("Seat 2 can't do “raise” now",),
        "c f": ("Seat 5 can't do “f” now",),
        "c c c": ("Only 2 decide now; the cards come before the next.",),
    }.items():
        typed(holdem, text)
        preview(holdem, *words)
    holdem.look("decision typed")
    holdem.page.locator("#typed").press("Enter")
    assert holdem.round.felt.decisions == ()


# ------------------------------------------------------------------------------------------------- known cards


def test_a_round_of_known_and_unseen_cards_goes_on_to_the_end(dealer: Dealer) -> None:
    dealer.go("Open round 1").step("bets").keys("/1 red 5").go("No more bets").step("cards")
    dealer.keys("?Kd?4c2s").go("Record cards")
    expect(dealer.page.locator("[data-slot]")).to_have_count(2, timeout=PATIENCE_MS)
    dealer.look("known and unseen")
    dealer.keys("5cX1").go("Record cards").step("pay")
    assert dealer.round.hand


def test_an_automatic_shufflers_known_hands_are_turned_in_their_time(shuffler: Dealer) -> None:
    shuffler.go("Open round 1").step("bets").keys("/2 25").go("No more bets").step("cards")
    shuffler.keys("?????AsKdQcQd").go("Record cards").step("decide").keys("4").step("cards")
    shuffler.keys("Kh9s5d").go("Record cards")
    expect(shuffler.page.locator("[data-slot]")).to_have_count(2, timeout=PATIENCE_MS)
    shuffler.keys("3c2h").go("Record cards").step("pay")
    assert shuffler.round.hand


@pytest.fixture
def shuffler(holdem: Dealer, played: Played) -> Dealer:
    """H-02 deals Royal Casino from an automatic shuffler."""
    tables.set_up_table(played.order(), "H-02", game="royal-casino", method="automatic_shuffler")
    played.open("H-02", 1_000_000)
    return Dealer(holdem.page, "H-02", holdem.size).at()


def test_a_card_left_lying_in_an_older_round_is_turned_by_its_name(dealer: Dealer) -> None:
    """Older logs hold rounds whose known cards were not turned with the last unseen one."""
    dealer.go("Open round 1").step("bets").keys("/1 red 5").go("No more bets").step("cards")
    dealt = [
        CardDealt(card_position=n, face="up" if n == 2 else "down", card=card)
        for n, card in enumerate((None, "Kd", None, "4c", "2s"), start=1)
    ]
    turned = [CardTurned(card_position=n, card=card) for n, card in ((1, "5c"), (3, "X1"))]
    append(dealer, [*dealt, *turned])
    dealer.at()
    expect(dealer.page.locator("[data-slot] b")).to_have_text(["4♣?"])
    typed(dealer, "Kd")
    preview(dealer, "K♦ is there already; a deck has one.")
    typed(dealer, "4c")
    preview(dealer, "card 4: 4♣")
    typed(dealer, "")
    dealer.touch("4 of clubs, lies face down").go("Record cards").step("pay")
    assert dealer.round.hand


def append(dealer: Dealer, events: list[Event]) -> None:
    """Events as an older version of the core decided them."""
    round_id = dealer.round.id
    key = round_key(property_code(), round_id)
    version = len(history.of_stream(key))
    addition = Addition(key, version, round_id.gaming_date, events, datetime.now(UTC), dealer.table, round_id.n)
    store.append(Origin("ana", "terminal"), [addition])
