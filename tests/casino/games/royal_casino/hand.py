"""A round of Royal Casino as a test plays it: stakes, cards dealt by a method, decisions, settlement."""

from collections.abc import Mapping, Sequence

from casino.games import game
from casino.games.game import CHECK, FOLD, RAISE, CardEntry, DecisionEntry, Fact, Felt, Line, Placed, Setup

GAME = game("royal-casino")
STREET_OF = {"4x": "pre_flop", "3x": "pre_flop", "2x": "flop", "1x": "river", FOLD: "river"}


class Hand:
    """Stakes by seat and code are put down, and bets are closed."""

    def __init__(self, stakes: Mapping[int, Mapping[str, int]], method: str = "hand", rounding: int = 1) -> None:
        self.setup = Setup(GAME.paytables[0], GAME.layouts[0], method, rounding)
        self.placed: list[Placed] = []
        for seat, bets in stakes.items():
            for code, cents in bets.items():
                GAME.check_seat(GAME.wager(code, self.setup), self.placed, seat, cents)
                self.placed.append(Placed(len(self.placed) + 1, seat, code, cents))
        GAME.check_bets(self.placed)
        self.felt = Felt().closed(tuple(self.placed))
        self.board: list[str] = []

    def take(self, facts: Sequence[Fact]) -> list[Fact]:
        for fact in facts:
            self.felt = self.felt.after(fact)
        return list(facts)

    def record(self, *entries: str | CardEntry | None) -> list[Fact]:
        """Cards as the next ones dealt, or entries as they are."""
        cards = [one if isinstance(one, CardEntry) else CardEntry(one) for one in entries]
        return self.take(GAME.record_cards(self.felt, self.setup, cards))

    def turn_up(self, **cards: str) -> list[Fact]:
        """`turn_up(p21="As")` turns the card at position 21."""
        return self.record(*(CardEntry(card, int(position[1:])) for position, card in cards.items()))

    def deal(self, players: Mapping[int, Sequence[str]], bank: Sequence[str], board: Sequence[str]) -> None:
        """By hand the community cards wait for their street; the automatic shuffler gives them first."""
        hands = [card for seat in sorted(players) for card in players[seat]]
        first = board if self.setup.method == "automatic_shuffler" else []
        self.board = [] if first else list(board)
        self.record(*first, *hands, *bank)

    def decide(self, seat: int, action: str, stake_cents: int | None = None) -> list[Fact]:
        """One decision; the community cards of the next street follow where nobody decides before them."""
        facts = self.take(GAME.decide(self.felt, self.setup, DecisionEntry(seat, action, stake_cents)))
        if facts[0].wager:
            self.placed.append(Placed(len(self.placed) + 1, seat, facts[0].wager, facts[0].stake_cents))
        while self.board and GAME.turn(self.felt, self.setup) is None:
            facts += self.record(self.board.pop(0))
        return facts

    def act(self, seat: int, action: str) -> None:
        """The one seat of a round checks until it does `action`: 4x, 3x, 2x, 1x or fold."""
        turn = GAME.turn(self.felt, self.setup)
        while turn is not None and turn.street != STREET_OF[action]:
            self.decide(seat, CHECK)
            turn = GAME.turn(self.felt, self.setup)
        if action == FOLD:
            self.decide(seat, FOLD)
        else:
            ante = next(one.stake_cents for one in self.placed if one.seat == seat and one.code == "ante")
            self.decide(seat, RAISE, int(action[0]) * ante)

    def settle(self) -> list[Line]:
        return [line for phase in GAME.phases for line in GAME.settle(phase, self.placed, self.felt, self.setup)]
