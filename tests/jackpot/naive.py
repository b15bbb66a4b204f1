"""A second meter, written from books section 5 alone: plain numbers, one event of the log after the other, no import of
what it is to prove. Pools and sums in micro-units; a stake of one cent at one basis point is one micro-unit.
"""

import json
from fractions import Fraction
from typing import Any

CENT = 10_000


class NaiveMeter:
    """One link: pools, the house's share, what is owed to winners, and the shares by (round, rank, seat)."""

    def __init__(self, set_up: dict[str, Any]) -> None:
        self.terms = dict(set_up)
        self.main = set_up["base_cents"] * CENT
        self.reserve = self.overflow = self.house = self.payable = 0
        self.shares: dict[tuple[str, str, int], int] = {}
        self.hits: dict[str, int] = {}

    @property
    def reset(self) -> int:
        return int(self.terms["reset_cents"]) * CENT

    @property
    def figures(self) -> dict[str, int]:
        return {
            "main": self.main, "reserve": self.reserve, "overflow": self.overflow, "house": self.house,
            "payable": self.payable,
        }  # fmt: skip

    def pour(self, micros: int, rule: str) -> None:
        limit = self.terms["limit_cents"]
        room = micros if limit is None else max(0, min(micros, limit * CENT - self.main))
        self.main += room
        if rule == "overflow_to_reserve":
            self.reserve += micros - room
        elif rule == "overflow_to_house":
            self.house += micros - room
        else:
            self.overflow += micros - room

    def take(self, cents: int, increment_bp: int, hidden_bp: int, house_bp: int) -> None:
        hidden = cents * hidden_bp
        kept = min(hidden, max(0, self.reset - self.reserve))
        self.reserve += kept
        self.house += cents * house_bp
        self.pour(cents * increment_bp + hidden - kept, self.terms["overflow_rule"])

    def give_back(self, cents: int, increment_bp: int, hidden_bp: int, house_bp: int) -> None:
        increment, hidden = cents * increment_bp, cents * hidden_bp
        over = min(increment, self.overflow)
        main = min(increment - over, max(0, self.main - self.reset))
        reserve = min(hidden, self.reserve)
        self.overflow -= over
        self.main -= main
        self.reserve -= reserve
        self.house -= cents * (increment_bp + hidden_bp + house_bp) - over - main - reserve

    def win(self, round_key: str, rank: str, part: Fraction, seats: list[int]) -> None:
        amount = self.main * part.numerator // part.denominator // CENT
        share, odd = divmod(amount, len(seats))
        for place, seat in enumerate(sorted(seats)):
            extra = 1 if self.terms["odd_cents"] == "odd_cents_to_lowest_seat" and place < odd else 0
            self.owe(round_key, rank, seat, share + extra)
            self.main -= (share + extra) * CENT
        self.hits[round_key] = self.hits.get(round_key, 0) + 1
        if part == 1:
            self.reserve -= min(self.reserve, self.reset)
            self.main += self.reset
            if self.terms["overflow_rule"] == "overflow_to_next_meter":
                kept, self.overflow = self.overflow, 0
                self.pour(kept, "overflow_kept")

    def owe(self, round_key: str, rank: str, seat: int, cents: int) -> None:
        self.shares[round_key, rank, seat] = cents
        self.payable += cents * CENT

    def settle(self, said: dict[str, Any], seats: list[int]) -> int:
        """What was owed to these seats and is no more, in cents."""
        cents = sum(self.shares[said["round"], said["rank"], seat] for seat in seats)
        self.payable -= cents * CENT
        return cents

    def own(self, word: str, said: dict[str, Any]) -> None:
        """An event of the link's own stream or of its hits' cases."""
        if word == "change_made":
            changed = {name: value for name, value in said["change"].items() if name != "no_limit"}
            self.terms |= changed | ({"limit_cents": None} if said["change"].get("no_limit") else {})
        elif word == "jackpot_paid":
            self.settle(said, [said["seat"]])
        elif word == "jackpot_returned":
            self.pour(self.settle(said, said["seats"]) * CENT, "overflow_kept")
        elif word == "meter_adjusted":
            self.adjust(said)
        elif word == "jackpot_missed":
            for seat, cents in zip(said["seats"], said["shares_cents"], strict=True):
                self.owe(said["round"], said["rank"], seat, cents)
            owed = sum(said["shares_cents"]) * CENT
            taken = min(owed, max(0, self.main - self.reset))
            self.main -= taken
            self.house -= owed - taken
        elif word == "player_missed":
            for seat in said["seats"]:
                self.owe(said["round"], said["rank"], seat, said["share_cents"])
                self.house -= said["share_cents"] * CENT
        elif word == "jackpot_refilled":
            self.house -= said["amount_cents"] * CENT
            self.pour(said["amount_cents"] * CENT, "overflow_kept")

    def adjust(self, said: dict[str, Any]) -> None:
        if said["pool"] == "main" and said["micros"] > 0:
            self.pour(said["micros"], "overflow_kept")
        else:
            now = getattr(self, said["pool"])
            setattr(self, said["pool"], max(0, now + said["micros"]))


def replayed(rows: list[tuple[str, str, str | None, str]]) -> dict[str, NaiveMeter]:
    """The meters after rows of (word, payload, round, stream), in log order."""
    meters: dict[str, NaiveMeter] = {}
    for word, payload, round_key, stream in rows:
        said = json.loads(payload)
        if word == "link_set_up":
            meters[said["code"]] = NaiveMeter(said)
        elif word == "progressive_collected":
            for code, rates in parts(said):
                meters[code].take(said["stake_cents"] * len(said["seats"]), *rates)
        elif word == "round_voided" and said["progressive"]:
            stakes = said["progressive"]
            for code, rates in parts(stakes):
                meters[code].give_back(stakes["stake_cents"] * len(stakes["seats"]), *rates)
        elif word == "hand_completed":
            for won in sorted(said["wins"], key=lambda won: -Fraction(won["fraction"])):
                meters[won["link"]].win(str(round_key), won["rank"], Fraction(won["fraction"]), won["seats"])
        elif stream.split("/")[1] in ("link", "hit") and stream.split("/")[2] in meters:
            meters[stream.split("/")[2]].own(word, said)
    return meters


def parts(said: dict[str, Any]) -> list[tuple[str, tuple[int, int, int]]]:
    """Link → increment, hidden and house points; the house's part is the first link's, whatever the levels take."""
    levels = [(one["link"], (one["increment_bp"], one["hidden_bp"], 0)) for one in said.get("levels", [])]
    taken = said["increment_bp"] + said["hidden_bp"] + sum(sum(rates) for _, rates in levels)
    return [*levels, (said["link"], (said["increment_bp"], said["hidden_bp"], 10_000 - taken))]
