"""A gaming day at three tables, told over HTTP by the people who work it; then every figure by hand, to the cent.

The amounts stand where they arise, in cents, and are added up once more in `BY_HAND` by the formulas of the books:
expected tray = opener + fills − credits − R + redemptions + G + C − J − E, and win from the counts.
"""

from typing import Any

import pytest

from casino.commands.settlement import settle_due
from casino.eventstore.follower import catch_up, followers
from casino.eventstore.rebuild import rebuild
from casino.eventstore.verify import verify
from tests.scripted import House, tray

BOTH = ("Dan Weber", "Ana Ortiz")
SPADE_AND_KING = ["As", "Kd", "9c", "4h", "2s"]
"""The Roulette Card is the second: the king of diamonds. Red wins, black and spades lose."""
FILL = {"10000": 500_000, "2500": 250_000}

BY_HAND: dict[str, dict[str, int | str]] = {
    "R-01": {
        "opener_cents": 5_000_000,
        "closed_table_difference_cents": -10_000,
        "fills_cents": 750_000,
        # 300,000 left the tray, and a void brought 100,000 back.
        "credits_cents": 200_000,
        "pit_redemptions_cents": 150_000,
        "paid_elsewhere_cents": 4_000,
        "jackpots_paid_cents": 0,
        # cash 2,000,000 + 1,000,100, check 500,000, promo 5,000, two coupons 2,500 each, 50,000 cash of a redemption
        "recorded_drop_cents": 3_560_100,
        # 10,000 red and 20,000 spades, 100 progressive, 30,000 black
        "handle_cents": 60_100,
        # collected 20,000 + 30,000 + 100 + coupons 5,000, due 10,000 + coupon 2,500
        "game_result_cents": 42_600,
        "dealer_errors_cents": 500,
        # 5,000,000 − 10,000 + 750,000 − 200,000 − 3,560,100 + 150,000 + 42,600 + 4,000 − 0 − 500
        "expected_tray_cents": 2_176_000,
        "estimated_win_cents": 42_100,
        "closer_cents": 2_175_000,
        "counted_drop_cents": 3_560_000,
        # 2,175,000 + 200,000 + 3,560,000 − (5,000,000 − 10,000) − 750,000 − 150,000 − 4,000
        "win_cents": 41_000,
        "hold": "41/3560",
        "box_variance_cents": -100,
        "tray_variance_cents": -1_000,
        "state": "complete",
    },
    "R-02": {
        "opener_cents": 1_000_000,
        "recorded_drop_cents": 50_000,
        "handle_cents": 1_000,
        "game_result_cents": -1_000,
        "expected_tray_cents": 949_000,
        "estimated_win_cents": -1_000,
        "win_cents": -1_000,
        "hold": "-1/50",
        "box_variance_cents": 0,
        "tray_variance_cents": 0,
        "state": "complete",
    },
    "H-01": {
        "opener_cents": 2_000_000,
        "recorded_drop_cents": 100_000,
        # seat 2 loses ante and blind, 1,000 each; seat 5 is due 500 on the ante, 300 on the bonus, 2,000 on the play
        "game_result_cents": -800,
        "expected_tray_cents": 1_899_200,
        "estimated_win_cents": -800,
        "win_cents": -800,
        "hold": "-1/125",
        "box_variance_cents": 0,
        "tray_variance_cents": 0,
        "state": "complete",
    },
}


class Day:
    """The day, step by step. Every step also tries what must not be done."""

    def __init__(self, house: House) -> None:
        self.house = house
        self.date = ""

    def set_up(self) -> None:
        house = self.house
        limits = {"colour": {"min_cents": 500, "max_cents": 50_000}}
        for code in ("R-01", "R-02", "R-09"):
            house.post("pia", f"tables/{code}/set-up", game="54-card-roulette", pit="A", limits=limits)
        house.post("pia", "tables/H-01/set-up", game="royal-casino", pit="C", payout_rounding_cents=50)
        house.refused("permission_denied", "ana", "tables/R-03/set-up", game="royal-casino")
        house.post("max", "links", code="grand", game="54-card-roulette")
        house.post("max", "links/grand/tables", table="R-01")

    def openers(self) -> None:
        """R-01 closes after its first count, and its next opener is 100.00 short of that closer."""
        house, first = self.house, tray(5_000_000, *BOTH, c10000=4_000_000, c2500=1_000_000)
        second = tray(4_990_000, *BOTH, c10000=4_000_000, c2500=990_000)
        twice = {**first, "counted_by": ["Ana Ortiz", "ana  ortiz"]}
        house.refused("same_person", "ana", "tables/R-01/open", opener=twice, acknowledged_by="Pia Keller")
        house.refused("counters_missing", "ana", "tables/R-01/open", opener=tray(1, "Ana Ortiz"), acknowledged_by="P")
        opened = house.post("ana", "tables/R-01/open", opener=first, acknowledged_by="Pia Keller")
        self.date = opened["gaming_date"]
        house.post("ana", "tables/R-01/close", closer=first)
        house.refused("explanation_missing", "ana", "tables/R-01/open", opener=second)
        again = house.post("ana", "tables/R-01/open", opener=second, explanation="Counted three times.")
        (found,) = [one for one in again["recorded"] if one["event"] == "opener_variance_found"]
        assert (found["serial"], found["carried_cents"], found["counted_cents"]) == (1, 5_000_000, 4_990_000)
        house.post("ana", "tables/R-02/open", opener=tray(1_000_000, *BOTH), acknowledged_by="Pia Keller")
        house.post("eve", "tables/H-01/open", opener=tray(2_000_000, *BOTH), acknowledged_by="Pia Keller")

    def dealers_and_decks(self) -> None:
        house = self.house
        house.post("ana", "tables/R-01/dealer/on", dealer="dan")
        house.refused("dealer_elsewhere", "ana", "tables/R-02/dealer/on", dealer="dan")
        house.post("ana", "tables/R-01/decks", deck="red-1", move="in", cards=54)
        house.post("ana", "tables/R-01/decks", deck="red-1", move="counted", cards=54)

    def chips_sold(self) -> None:
        house = self.house
        patron = house.post("ana", "patrons", name="Oona Farrell")["patron_id"]
        house.post("ana", "tables/R-01/seats/seat", seat=3, patron_id=patron)
        house.post("ana", "tables/R-01/buy-ins", amount_cents=2_000_000, seat=1)
        house.post("ana", "tables/R-01/buy-ins", amount_cents=1_000_100, seat=3)
        house.refused("permission_denied", "dan", "tables/R-01/buy-ins", amount_cents=100, seat=1)
        check = house.post("ana", "tables/R-01/counter-checks", seat=3, amount_cents=500_000)["recorded"][-1]
        assert (check["serial"], check["patron_id"]) == (1, patron)
        house.post("ana", "tables/R-01/promos", serial="PR-1", seat=1, face_cents=5_000)
        house.refused("already_used", "ana", "tables/R-02/promos", serial="PR-1", seat=1, face_cents=5_000)
        coupon = {"kind": "match_play", "seat": 1, "face_cents": 2_500}
        house.post("ana", "tables/R-01/coupons", serial="MP-1", won=True, winnings_cents=2_500, **coupon)
        house.post("ana", "tables/R-01/coupons", serial="MP-2", won=False, **coupon)
        taken, given = {"500": 100_000}, {"10000": 100_000}
        house.post("ana", "tables/R-01/exchanges", taken=taken, given=given, seat=3)
        house.refused("exchange_unequal", "ana", "tables/R-01/exchanges", taken=taken, given={"10000": 90_000})

    def fill(self) -> None:
        """Every signature in its turn by a person of its own, and each wrong one tried first."""
        house = self.house
        house.refused("bad_request", "ana", "tables/R-01/slips", kind="fill", denominations=FILL, serial=7)
        house.refused("permission_denied", "dan", "tables/R-01/slips", kind="fill", denominations=FILL)
        slip = "slips/" + house.post("ana", "tables/R-01/slips", kind="fill", denominations=FILL)["slip"]
        house.refused("permission_denied", "ana", f"{slip}/prepare")
        house.refused("slip_not_prepared", "cara", f"{slip}/sign")
        house.refused("slip_differs", "cara", f"{slip}/prepare", denominations={"10000": 500_000})
        assert house.post("cara", f"{slip}/prepare", denominations=FILL)["serial"] == 1
        house.refused("out_of_order", "sam", f"{slip}/sign")
        house.post("cara", f"{slip}/sign")
        house.refused("same_person", "cara", f"{slip}/sign")
        house.refused("out_of_order", "dan", f"{slip}/sign")
        house.post("sam", f"{slip}/sign")
        house.refused("out_of_order", "eve", f"{slip}/sign")
        house.post("dan", f"{slip}/sign")
        house.refused("same_person", "ana", f"{slip}/sign")
        assert house.post("eve", f"{slip}/sign")["state"] == "complete"
        house.refused("slip_complete", "eve", f"{slip}/void", **house.approval("cara", "Too late"))

    def credits(self) -> None:
        """One is void while its chips are on their way, the next is whole."""
        slip = self._credit({"2500": 100_000}, "dan", "ana")
        self.house.refused("same_person", "eve", f"{slip}/void", **self.house.approval("eve", "Wrong chips"))
        voided = self.house.post("ana", f"{slip}/void", **self.house.approval("cara", "Wrong chips"))
        assert (voided["state"], voided["serial"], voided["voided"]["tray_cents"]) == ("void", 1, 100_000)
        slip = self._credit({"10000": 200_000}, "dan", "ana")
        self.house.post("sam", f"{slip}/sign")
        done = self.house.post("cara", f"{slip}/sign")
        assert (done["state"], done["serial"]) == ("complete", 2)

    def _credit(self, chips: dict[str, int], *signers: str) -> str:
        slip = "slips/" + self.house.post("eve", "tables/R-01/slips", kind="credit", denominations=chips)["slip"]
        self.house.post("cara", f"{slip}/prepare")
        for name in signers:
            self.house.post(name, f"{slip}/sign")
        return slip

    def limits(self) -> None:
        """Somebody plays: notice is given, and only the pit manager raises the least stake."""
        house = self.house
        wider = {"colour": {"min_cents": 500, "max_cents": 80_000}}
        now = house.get("ana", "tables/R-01")["limits"]
        soon = "2026-01-01T00:00:00Z"
        house.refused("notice_too_short", "ana", "tables/R-01/limits", limits=wider, effective_at=soon)
        raised = {"colour": {"min_cents": 1_000, "max_cents": 80_000}}
        house.refused("minimum_raised", "ana", "tables/R-01/limits", limits=raised)
        said = house.post("pia", "tables/R-01/limits", limits=raised)
        assert said["limits"] == now
        assert said["limits_announced"][0]["limits"]["colour"] == [1_000, 80_000]

    def first_round(self) -> None:
        """Red 10,000 wins; spades 20,000 lose; a progressive of 100; 5,000 came after the call and go back alone."""
        house = self.house
        self.round = "rounds/" + house.post("dan", "tables/R-01/rounds")["round"]
        wagers = [(1, "colour:red", 10_000), (3, "suit:s", 20_000), (3, "progressive", 100), (1, "colour:red", 5_000)]
        self._bet("dan", wagers)
        house.post("dan", f"{self.round}/close-bets")
        late = {"number": 4, **house.approval("dan", "After the call")}
        house.refused("same_person", "dan", f"{self.round}/late-bets/void", **late)
        house.refused("approval_wrong", "dan", f"{self.round}/late-bets/void", **{**late, "approver": "eve"})
        house.post("dan", f"{self.round}/late-bets/void", number=4, **house.approval("eve", "After the call"))
        house.refused("progressive_count_differs", "dan", f"{self.round}/collect-progressive", count=2)
        house.post("dan", f"{self.round}/collect-progressive", count=1)
        house.post("dan", f"{self.round}/cards", cards=SPADE_AND_KING)
        settle_due()
        house.post("dan", f"{self.round}/payouts", number=1, paid_cents=20_500)

    def _bet(self, who: str, wagers: list[tuple[int, str, int]]) -> None:
        named = [{"seat": seat, "wager": wager, "stake_cents": cents} for seat, wager, cents in wagers]
        self.house.post(who, f"{self.round}/wagers", wagers=named)

    def relief_and_second_round(self) -> None:
        """Dora relieves Dan; a round that stays open keeps the table from rolling, and is void by two."""
        house = self.house
        won = self.round.removeprefix("rounds/")
        elsewhere = {"round": won, "seat": 1, "amount_cents": 4_000, "paid_by": "cage"}
        house.post("ana", "tables/R-01/paid-elsewhere", **elsewhere)
        house.refused("paid_elsewhere_already", "ana", "tables/R-01/paid-elsewhere", **elsewhere)
        house.post("ana", "tables/R-01/dealer/relief", dealer="dora")
        house.refused("not_on_duty", "dan", "tables/R-01/rounds")
        self.round = "rounds/" + house.post("dora", "tables/R-01/rounds")["round"]
        house.refused("round_open", "ana", "tables/R-01/roll", count=tray(1, *BOTH))
        house.post("dora", f"{self.round}/void", **house.approval("eve", "Nobody plays"))
        self.round = "rounds/" + house.post("dora", "tables/R-01/rounds")["round"]
        self._bet("dora", [(1, "colour:black", 30_000)])
        house.post("dora", f"{self.round}/close-bets")
        house.post("dora", f"{self.round}/cards", cards=SPADE_AND_KING)
        settle_due()

    def redemption_and_hand_over(self) -> None:
        house = self.house
        house.refused("more_than_owed", "ana", "tables/R-01/redemptions", seat=3, chips_cents=500_001)
        taken = house.post("ana", "tables/R-01/redemptions", seat=3, chips_cents=100_000, cash_cents=50_000)
        assert taken["recorded"][-1]["owed_cents"] == 350_000
        catch_up()  # what the followers do all the time: a pit is read from the board
        incoming = {"incoming": "ana", "password": house.password("ana")}
        house.refused("same_person", "ana", "pits/A/hand-over", **incoming)
        over = house.post("ana", "pits/A/hand-over", incoming="eve", password=house.password("eve"), note="Quiet.")
        assert (over["outgoing"], over["incoming"]) == ("ana", "eve")

    def roll_and_close(self) -> None:
        """An open slip blocks the roll; the tray is 10.00 short of what the record expects, 2,176,000."""
        house = self.house
        slip = "slips/" + house.post("ana", "tables/R-01/slips", kind="fill", denominations=FILL)["slip"]
        count = tray(2_175_000, *BOTH)
        house.refused("slip_open", "ana", "tables/R-01/roll", count=count)
        house.post("ana", f"{slip}/withdraw", reason="Not needed any more")
        rolled = house.post("ana", "tables/R-01/roll", count=count)
        assert rolled["session"] == 3
        house.refused("session_over", "ana", "tables/R-01/close", closer=count, session=f"{self.date}/2")
        house.post("ana", "tables/R-01/close", closer=count, session=f"{self.date}/3")
        house.refused("not_on_duty", "dora", "tables/R-01/rounds")
        house.refused("table_closed", "ana", "tables/R-01/rounds")

    def second_table(self) -> None:
        """50,000 cash, and red wins 1,000: 1,000,000 − 50,000 − 1,000 lie in the tray."""
        house = self.house
        house.post("ana", "tables/R-02/dealer/on", dealer="dan")
        house.post("ana", "tables/R-02/buy-ins", amount_cents=50_000, seat=2)
        wager = {"seat": 2, "wager": "colour:red", "stake_cents": 1_000}
        house.post("dan", "tables/R-02/rounds/finished", wagers=[wager], cards=SPADE_AND_KING)
        settle_due()
        house.post("ana", "tables/R-02/close", closer=tray(949_000, *BOTH))

    def third_table(self) -> None:
        """Hold'em: seat 2 folds at the river, seat 5 has raised four times the ante and wins."""
        house = self.house
        house.post("eve", "tables/H-01/dealer/on", dealer="dora")
        house.post("eve", "tables/H-01/buy-ins", amount_cents=100_000, seat=2)
        self.round = "rounds/" + house.post("dora", "tables/H-01/rounds")["round"]
        bets = [(2, "ante", 1_000), (2, "blind", 1_000), (5, "ante", 500), (5, "blind", 500), (5, "bonus", 100)]
        self._bet("dora", bets)
        house.post("dora", f"{self.round}/close-bets")
        self._cards("As", "Kd", "9h", "9d", "Kc", "Qd")
        self._decide({"seat": 2, "action": "check"}, {"seat": 5, "action": "raise", "stake_cents": 2_000})
        self._cards("Kh", "9s", "5d")
        self._decide({"seat": 2, "action": "check"})
        self._cards("3c", "2h")
        self._decide({"seat": 2, "action": "fold"})
        settle_due()
        house.post("eve", "tables/H-01/close", closer=tray(1_899_200, *BOTH))

    def _cards(self, *cards: str) -> None:
        self.house.post("dora", f"{self.round}/cards", cards=list(cards))

    def _decide(self, *decisions: dict[str, Any]) -> None:
        self.house.post("dora", f"{self.round}/decisions", decisions=list(decisions))

    def closed_table(self) -> None:
        """R-09 was never open: its form is made once. A table that was open needs none."""
        self.house.post("ana", "tables/R-09/closed-form")
        self.house.refused("already_recorded", "ana", "tables/R-09/closed-form")
        self.house.refused("table_was_open", "ana", "tables/R-02/closed-form")

    def counted(self) -> None:
        """Carried, and each box counted twice; that of R-01 is 1.00 short: 3,050,000 of the 3,050,100 in cash."""
        house, team = self.house, [{"name": name, "password": self.house.password(name)} for name in ("tom", "una")]
        boxes = {
            "H-01/1": {"currency": {"10000": 100_000}},
            "R-01/1": {"currency": {"10000": 3_050_000}, "checks_cents": 500_000, "promo_cents": 10_000},
            "R-02/1": {"currency": {"10000": 50_000}},
        }
        catch_up()
        carried = {"boxes": list(boxes), "team": ["Ben Okafor", "Cleo Martin"]}
        house.refused("permission_denied", "ben", f"drop/{self.date}/collect", **carried)
        house.post("sam", f"drop/{self.date}/collect", **carried)
        catch_up()
        house.post("tess", f"counts/{self.date}", team=team)
        for box, contents in boxes.items():
            once = {"box": box, "contents": contents, "counted_by": "tess"}
            house.post("tess", f"counts/{self.date}/1/boxes", **once)
            house.refused("same_person", "tess", f"counts/{self.date}/1/recounts", **once)
            house.post("tess", f"counts/{self.date}/1/recounts", **{**once, "counted_by": "tom"})
        house.post("tess", f"counts/{self.date}/1/close")


@pytest.fixture
def day(database: Any, redis_url: str) -> Day:
    told = Day(House())
    steps = (
        told.set_up, told.openers, told.dealers_and_decks, told.chips_sold, told.fill, told.credits, told.limits,
        told.first_round, told.relief_and_second_round, told.redemption_and_hand_over, told.roll_and_close,
        told.second_table, told.third_table, told.closed_table, told.counted,
    )  # fmt: skip
    for step in steps:
        step()
    catch_up()
    return told


def test_every_figure_of_the_day_is_what_it_is_by_hand(day: Day) -> None:
    rows = {row["table"]: row for row in day.house.get("ben", f"drop-and-hold/{day.date}")}
    for table, expected in BY_HAND.items():
        assert {name: rows[table][name] for name in expected} == expected, table
    assert set(rows) == set(BY_HAND)
    for row in rows.values():
        counted, recorded = row["win_cents"], row["estimated_win_cents"]
        assert counted - recorded == row["box_variance_cents"] + row["tray_variance_cents"]


def test_no_number_of_any_book_is_missing_and_voids_keep_theirs(day: Day) -> None:
    books = {book["book"].partition("/")[0]: book for book in day.house.get("ben", f"slip-books/{day.date}")}
    assert {name: [line["state"] for line in book["lines"]] for name, book in books.items() if book["lines"]} == {
        "request": ["used", "used", "used", "withdrawn"],
        "fill": ["used"],
        "credit": ["void", "used"],
        "counter_check": ["used"],
        "error_notification": ["used"],
    }
    assert all(book["in_order"] and not book["missing"] and not book["unmatched"] for book in books.values())


def test_cash_over_ten_thousand_in_is_flagged_for_a_report(day: Day) -> None:
    """Oona's cash in: 10,001.00 at the buy-in and 500.00 of the redemption; the check itself is no cash."""
    shown = day.house.clients["ben"].get("/cash/").content.decode()
    assert "10,501.00" in shown
    assert "a report is due" in shown


def test_the_log_verifies_and_what_was_built_live_equals_what_is_rebuilt(day: Day, database: Any) -> None:
    for follower in followers().values():
        assert rebuild(follower, "owner", check=True, progress=lambda n: None) == []
    with database.connect("casino_app") as connection:
        assert verify(connection).faults == []
