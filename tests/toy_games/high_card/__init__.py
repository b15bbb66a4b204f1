"""High Card: a toy game, complete all the same. One card a seat, face up; one to the bank, face down; the higher wins.

Before the bank's card is turned a seat may double, by a decision in its turn. Its progressive is won by a seat's own
ace: of spades the whole meter, of another suit a quarter. It shows what a third game has to say.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import comb
from typing import Any

from casino.games.cards import DECK_52, RANKS, card
from casino.games.game import (
    CHECK,
    DOWN,
    LOSE,
    PUSH,
    RAISE,
    UP,
    WIN,
    CardEntry,
    Chance,
    Dealt,
    Decision,
    DecisionEntry,
    Fact,
    Felt,
    Line,
    Odds,
    Placed,
    Reading,
    Setup,
    Share,
    SideBetWin,
    Turn,
    Turned,
    Wager,
)
from casino.games.lines import fields, identity
from casino.games.side_bets import PROGRESSIVE, chances
from casino.refusal import Refused

BANK = 99
EVEN = Fraction(1)
TIERS = {"ace_of_spades": Fraction(1), "another_ace": Fraction(1, 4)}
OTHER_ACES = 2
"""What is left of them once a seat has one."""
TIE, WON = Fraction(3, 51), Fraction(24, 51)


class HighCard:
    """The seat's card lies at the seat's number, the bank's at 99."""

    code, name, deck, seats_max = "high-card", "High Card", DECK_52, 5
    paytables: Sequence[str] = ("even",)
    layouts: Sequence[str] = ("plain",)
    methods: Sequence[str] = ("hand",)
    side_bets: Sequence[str] = (PROGRESSIVE,)
    tier_sets: Sequence[str] = ("aces",)
    phases: Sequence[str] = ("duel",)
    streets: Sequence[str] = ("double",)
    styles: Sequence[str] = ("timid",)

    def wager(self, text: str, setup: Setup) -> Wager:
        if text == PROGRESSIVE:
            return Wager(text, text, PROGRESSIVE, None)
        if text not in ("high", "double"):
            raise Refused("unknown_wager", f"There is no wager {text!r}; the wager is high.")
        return Wager(text, text, "duel", EVEN, limited=text == "high")

    def check_seat(self, wager: Wager, standing: Sequence[Placed], seat: int, stake_cents: int = 0) -> None:
        if wager.code == "double" or any(one.seat == seat and one.code == wager.code for one in standing):
            raise Refused("one_wager", f"Seat {seat} begins with one wager on high.")

    def check_bets(self, standing: Sequence[Placed]) -> None:
        """Any wagers may stand together."""

    def draw(self, felt: Felt, setup: Setup, position: int) -> list[Fact]:
        raise Refused("position_not_for_drawing", "No position is drawn in this game.")

    def record_cards(self, felt: Felt, setup: Setup, entries: Sequence[CardEntry]) -> list[Fact]:
        facts: list[Fact] = []
        for entry in entries:
            waiting = [bet.seat for bet in felt.bets if bet.code == "high" and bet.seat not in felt.spots]
            position = [*waiting, BANK][0]
            if entry.position == BANK and self.turn(felt, setup) is None:
                fact: Dealt | Turned = Turned(BANK, card(entry.card, self.deck))
            elif entry.position is None and BANK not in felt.spots:
                fact = Dealt(position, DOWN if position == BANK else UP, entry.card)
            else:
                raise Refused("not_now", "No such card is dealt or turned now.")
            facts.append(fact)
            felt = felt.after(fact)
        return facts

    def turn(self, felt: Felt, setup: Setup) -> Turn | None:
        decided = {decision.seat for decision in felt.decisions}
        waiting = [bet for bet in felt.bets if bet.code == "high" and bet.seat not in decided]
        if BANK not in felt.spots or not waiting:
            return None
        return Turn(waiting[0].seat, "double", {CHECK: (), RAISE: (waiting[0].stake_cents,)})

    def decide(self, felt: Felt, setup: Setup, entry: DecisionEntry) -> list[Fact]:
        turn = self.turn(felt, setup)
        if turn is None or turn.seat != entry.seat or entry.action not in turn.actions:
            raise Refused("out_of_turn", f"Seat {entry.seat} can't {entry.action} now.")
        stake = turn.actions[RAISE][0] if entry.action == RAISE else 0
        doubled: Fact = Decision(entry.seat, turn.street, entry.action, "double" if stake else None, stake)
        bank = felt.spots[BANK].card
        last = self.turn(felt.after(doubled), setup) is None
        return [doubled, Turned(BANK, bank)] if last and bank else [doubled]

    def spot_name(self, position: int) -> str:
        return "the bank's card" if position == BANK else f"seat {position}"

    def decided(self, felt: Felt, setup: Setup) -> tuple[str, ...]:
        return ("duel",) if felt.up(BANK) else ()

    def reading(self, felt: Felt, setup: Setup) -> Reading | None:
        bank = felt.up(BANK)
        return Reading(bank, {"bank": bank}) if bank else None

    def settle(self, phase: str, placed: Sequence[Placed], felt: Felt, setup: Setup) -> list[Line]:
        bank = felt.up(BANK)
        assert bank is not None
        return [self._line(one, felt.up(one.seat) or "", bank) for one in placed]

    def _line(self, one: Placed, mine: str, bank: str) -> Line:
        ahead = RANKS.index(bank[0]) - RANKS.index(mine[0])
        result, times = (WIN, 2) if ahead > 0 else (LOSE, 0) if ahead < 0 else (PUSH, 1)
        return Line(one.number, one.seat, one.code, one.stake_cents, result, times * one.stake_cents)

    def side_bet_wins(self, bet: str, seats: Sequence[int], felt: Felt, setup: Setup) -> list[SideBetWin]:
        aces = {seat: felt.up(seat) for seat in seats if (felt.up(seat) or "")[:1] == "A"}
        spades = tuple(seat for seat, mine in aces.items() if mine == "As")
        wins = (
            SideBetWin("ace_of_spades", spades),
            SideBetWin("another_ace", tuple(s for s in aces if s not in spades)),
        )
        return [win for win in wins if win.seats]

    def tiers(self, name: str) -> Mapping[str, Fraction]:
        if name != "aces":
            raise Refused("unknown_tiers", f"There is no set of tiers {name!r}; it is aces.")
        return TIERS

    def tier_chances(self, name: str) -> Mapping[str, Fraction]:
        return chances(self.shares(name, 1))

    def shares(self, name: str, wagers: int) -> Sequence[Share]:
        self.tiers(name)
        shares = [Share("ace_of_spades", 1, (), Fraction(1, 52))]
        for aces in range(OTHER_ACES + 1):
            for spades in (0, 1):
                rest = wagers - 1 - aces - spades
                ways = comb(OTHER_ACES, aces) * comb(48, rest) if rest >= 0 else 0
                chance = Fraction(3, 52) * Fraction(ways, comb(51, wagers - 1))
                if chance:
                    shares.append(Share("another_ace", aces + 1, ("ace_of_spades",) * spades, chance))
        return shares

    def odds(self, paytable: str) -> list[Odds]:
        return [Odds("high", EVEN, WON, Fraction(0), 1 - TIE)]

    def paytable_report(self, paytable: str) -> dict[str, Any]:
        row = {"wager": "high", "pays": 1, "win_probability": "8/17", "house_edge": "0/1", "variance": "16/17"}
        return {
            "game": self.code,
            "paytable": paytable,
            "wagers": [{**row, "player_advantage": False}],
            "hands": 52,
            "hand_ranks": {},
        }

    def plausible_bets(self, chance: Chance, style: str, setup: Setup) -> list[tuple[str, int]]:
        return [("high", 500)]

    def plausible_decision(self, chance: Chance, felt: Felt, setup: Setup, turn: Turn) -> DecisionEntry:
        return DecisionEntry(turn.seat, chance.choice((CHECK, RAISE)))

    def dry_run(self, line: Mapping[str, Any]) -> dict[str, Any]:
        fields(line, "The line", ("id", "mine", "bank", "stake_cents"))
        mine, bank = (card(line[name], self.deck) for name in ("mine", "bank"))
        settled = self._line(Placed(1, 1, "high", line["stake_cents"]), mine, bank)
        return {"id": identity(line["id"]), "result": settled.result, "returned_cents": settled.returned_cents}


GAME = HighCard()
