"""The table terminal in a real browser: whole rounds by touch and by keyboard, and how few presses they take."""

from playwright.sync_api import expect

from tests.browser.chromium import PATIENCE_MS
from tests.browser.dealer import Dealer, dealer, holdem, settle, size

__all__ = ["dealer", "holdem", "size"]

# ------------------------------------------------------------------------------------------------- 54 Card Roulette


def test_a_round_of_54_card_roulette_by_touch(dealer: Dealer) -> None:
    dealer.step("ready").go("Open round 1").step("bets")
    dealer.touch("Seat 1").touch("Chip of 5").touch("straight up A♠").touch("split A♠ K♠").touch("corner A♠ A♥ K♠ K♥")
    dealer.touch("Seat 3").touch("Chip of 25").touch("street Joker 1 A♠ A♥").touch("colour red").touch("progressive")
    dealer.touch("Seat 8").touch("rank 10").touch("split rank K Q").touch("suit ♠").touch("flush")
    dealer.look("bets laid")
    dealer.go("No more bets").step("count").touch("1").step("cards")
    for card in ("5 of clubs", "king of diamonds", "9 of clubs", "4 of hearts", "2 of spades"):
        dealer.touch(card)
    dealer.look("cards picked")
    dealer.go("Record cards").step("pay")
    expect(dealer.page.get_by_label("Pay", exact=True)).to_contain_text("colour red 25pays 25.00")
    settle()
    expect(dealer.page.get_by_label("Paid otherwise on")).to_be_visible(timeout=PATIENCE_MS)
    dealer.look("settled")
    assert dealer.round.settled
    assert len(dealer.round.wagers) == 10


def test_a_round_of_hold_em_by_touch(holdem: Dealer) -> None:
    holdem.step("ready").go("Open round 1").step("bets")
    holdem.touch("Chip of 25").touch("Seat 2 ante").touch("Seat 2 bonus").touch("Seat 5 ante")
    holdem.look("bets laid")
    holdem.go("No more bets").step("cards").touch("All 6 dealt, unseen").step("decide")
    holdem.touch("Play 4×", exact=False).turn_of(5).touch("Check", exact=False).step("cards")
    for card in ("king of hearts", "9 of spades", "5 of diamonds"):
        holdem.touch(card)
    holdem.go("Record cards").step("decide").touch("Check", exact=False).step("cards")
    holdem.touch("3 of clubs").touch("2 of hearts").go("Record cards").step("decide")
    holdem.touch("Fold", exact=False).step("cards")
    for card in ("ace of spades", "king of diamonds", "king of clubs", "queen of diamonds"):
        holdem.touch(card)
    holdem.go("Record cards").step("pay")
    settle()
    expect(holdem.page.get_by_label("Paid otherwise on")).to_be_visible(timeout=PATIENCE_MS)
    holdem.look("settled")
    assert holdem.round.settled


def test_six_players_with_four_wagers_each_are_recorded_in_under_a_minute(dealer: Dealer) -> None:
    """24 wagers, count and cards, by touch alone, at the pace of `SECONDS_A_TOUCH`; half a layout at a time upright."""
    wagers = {
        1: ("straight up A♠", "split A♠ K♠", "colour red", "progressive"),
        2: ("straight up 7♦", "corner 8♦ 8♣ 7♦ 7♣", "rank 7", "progressive"),
        3: ("street Joker 1 A♠ A♥", "split rank K Q", "suit ♥", "progressive"),
        4: ("straight up Joker 2", "split Joker 1 Joker 2", "ace face", "flush"),
        5: ("corner Q♥ Q♦ J♥ J♦", "rank 10", "colour black", "three of a kind"),
        6: ("split 3♠ 2♠", "straight up 2♣", "suit ♣", "straight"),
    }
    dealer.go("Open round 1").step("bets").touch("Chip of 5")
    for seat, spots in wagers.items():
        dealer.touch(f"Seat {seat}")
        for spot in spots:
            dealer.touch(spot)
    dealer.look("six by four")
    dealer.go("No more bets").step("count").touch("3").step("cards")
    for card in ("5 of clubs", "king of diamonds", "9 of clubs", "4 of hearts", "2 of spades"):
        dealer.touch(card)
    dealer.go("Record cards").step("pay")
    assert len(dealer.round.wagers) == 24
    assert dealer.round.hand
    # 1 to open, 1 chip, 6 seats, 24 wagers, 1 no more bets, 1 count, 5 cards, 1 to record them; upright the halves.
    assert dealer.presses == {"desk": 40, "tablet": 40, "portrait": 45}[dealer.size]
    assert dealer.seconds < 60


def test_six_players_with_four_wagers_each_are_typed_in_under_a_minute(dealer: Dealer) -> None:
    dealer.step("ready").keys("").step("bets").page.keyboard.press("/")
    dealer.keys("1 As 5, AsKs 5, red 5, p, 2 7d 5, 8d8c7d7c 5, 7 5, p, 3 X1AsAh 5, KQ 5, h 5, p")
    dealer.keys("4 X2 5, X1X2 5, af 5, fl 5, 5 QhQdJhJd 5, T 5, black 5, 3k 5, 6 3s2s 5, 2c 5, c 5, st 5")
    dealer.keys("").step("count").keys("3", then="Shift").step("cards").keys("5cKd9c4h2s").keys("").step("pay")
    assert len(dealer.round.wagers) == 24
    assert dealer.seconds < 60


def test_six_hands_of_hold_em_with_four_wagers_each_are_recorded_in_under_a_minute(holdem: Dealer) -> None:
    """ANTE, BLIND and BONUS before the cards and PLAY by a decision: 24 wagers, 19 cards and six decisions."""
    holdem.go("Open round 1").step("bets").touch("Chip of 25")
    for seat in range(1, 7):
        holdem.touch(f"Seat {seat} ante").touch(f"Seat {seat} bonus")
    holdem.go("No more bets").step("cards").touch("All 14 dealt, unseen")
    for seat in range(1, 7):
        holdem.step("decide").turn_of(seat).touch("Play 4×", exact=False)
    holdem.step("cards").keys("KhQd9s3c2h").keys("").answered().step("cards").keys("AsKd7c7d8s8c4s4d5s5dThTcJh9h").keys(
        ""
    ).step("pay")
    assert len(holdem.round.wagers) == 24
    assert holdem.seconds < 60


def test_a_round_of_54_card_roulette_by_keyboard_alone(dealer: Dealer) -> None:
    dealer.step("ready").page.keyboard.press("Enter")
    dealer.step("bets").page.keyboard.press("/")
    dealer.page.keyboard.type("3 AsKs 25, KQ 10, red 5")
    preview = dealer.page.locator("#preview")
    expect(preview).to_have_text("Enter: seat 3: split A♠ K♠ 25 · seat 3: split rank K Q 10 · seat 3: colour red 5")
    dealer.page.keyboard.press("Enter")
    dealer.page.keyboard.type("4 zz")
    expect(preview).to_contain_text("“zz” is no wager here")
    for _ in range(2):
        dealer.page.keyboard.press("Backspace")
    dealer.keys("p, 1 X1AhAs 5").look("typed bets")
    expect(dealer.page.locator("[data-go-sum]")).to_have_text("5 wagers, 46 in all")
    dealer.page.keyboard.press("Enter")
    dealer.step("count").page.keyboard.press("1")
    dealer.step("cards").keys("?kd???").look("typed cards")
    dealer.page.keyboard.press("Enter")
    expect(dealer.page.get_by_label("Pay now")).to_contain_text("roulette 65.00", timeout=PATIENCE_MS)
    dealer.step("cards").keys("5c9c").keys("4h2s")
    dealer.page.keyboard.press("Enter")
    dealer.step("pay")
    assert [(s.placed.seat, s.placed.code, s.placed.stake_cents) for s in dealer.round.wagers.values()] == [
        (1, "street:X1+As+Ah", 500), (3, "split:As+Ks", 2_500), (3, "split_rank:K+Q", 1_000), (3, "colour:red", 500),
        (4, "progressive", 100),
    ]  # fmt: skip


def test_a_round_of_hold_em_by_keyboard_alone(holdem: Dealer) -> None:
    holdem.step("ready").page.keyboard.press("Enter")
    holdem.step("bets").page.keyboard.press("/")
    holdem.keys("1 25, b 5, 2 50, 3 100, 4 25, 5 25, 6 25, 7 25, b 5")
    holdem.look("seven seats")
    holdem.page.keyboard.press("Enter")
    holdem.step("cards").keys("?" * 16)
    holdem.page.keyboard.press("Enter")
    holdem.step("decide").keys("c 3 4 c c c c").step("cards").keys("KhQd9s")
    holdem.page.keyboard.press("Enter")
    holdem.step("decide").keys("2 c 2 c c").step("cards").keys("3c2h")
    holdem.page.keyboard.press("Enter")
    holdem.step("decide").keys("1 f f").step("cards")
    holdem.look("showdown")
    holdem.keys("AsKd 7c7d 8s8c 4s4d 5s5d Th9h 2c2d")
    assert [d.action for d in holdem.round.felt.decisions].count("raise") == 5
