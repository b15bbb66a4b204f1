"""Royal Casino, hold'em against the bank: two cards each, five in common, the best five of seven."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from casino.games.cards import DECK_52, quoted
from casino.games.felt import Place
from casino.games.game import (
    CardEntry,
    Chance,
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
    Wager,
)
from casino.games.poker import Best, best_of
from casino.games.royal_casino import (
    bets,
    decisions,
    dry_run,
    odds,
    outcomes,
    players,
    positions,
    procedure,
    progressive,
    settlement,
)
from casino.games.royal_casino.felt import PLACES
from casino.games.royal_casino.paytables import PAYTABLES, paytable
from casino.games.royal_casino.settlement import Showdown
from casino.games.royal_casino.spread import RoyalSpread
from casino.games.side_bets import PROGRESSIVE, chances
from casino.refusal import Refused

LAYOUT = "standard"
ALL_FOLDED = "all_folded"
"""What is read where everybody has folded: the bank's hand is not turned, so it has no rank."""


class RoyalCasino:
    """The game as `casino.games.game.Game` asks for it. Pure, and without state of its own."""

    code = "royal-casino"
    name = "Royal Casino"
    deck = DECK_52
    seats_max = positions.SEATS_MAX
    paytables: Sequence[str] = tuple(PAYTABLES)
    layouts: Sequence[str] = (LAYOUT,)
    methods: Sequence[str] = positions.METHODS
    side_bets: Sequence[str] = (PROGRESSIVE,)
    side_bet_words = "Your own two cards with the flop, also after a fold; equal hands share equally."
    tier_sets: Sequence[str] = tuple(progressive.TIERS)
    typed_bets = "3 25, b 5, 5 100"
    raise_name = "play"
    phases: Sequence[str] = (bets.SHOWDOWN,)
    streets: Sequence[str] = decisions.STREETS
    styles: Sequence[str] = players.STYLES
    average_bets: Sequence[str] = (bets.ANTE,)

    def wager(self, text: str, setup: Setup) -> Wager:
        """One of `ante`, `blind`, `bonus`, `play` and `progressive`; refuses `unknown_wager`."""
        return bets.wager_of(text, paytable(setup.paytable))

    def check_seat(self, wager: Wager, standing: Sequence[Placed], seat: int, stake_cents: int = 0) -> None:
        """One hand a seat, BLIND as high as ANTE, no PLAY before the cards; see `bets.check_seat`."""
        bets.check_seat(wager.code, standing, seat, stake_cents)

    def check_bets(self, standing: Sequence[Placed]) -> None:
        """Somebody has a hand, every seat with chips ANTE and BLIND, equal; see `bets.check_bets`."""
        bets.check_bets(standing)

    def draw(self, felt: Felt, setup: Setup, position: int) -> list[Fact]:
        """Refuses `position_not_for_drawing`."""
        raise Refused("position_not_for_drawing", "No position is drawn in this game; its cards are dealt in order.")

    def back_with(self, felt: Felt, setup: Setup, number: int) -> Sequence[int]:
        """A late BONUS goes back alone, ANTE or BLIND with the whole hand; see `procedure.back_with`."""
        return procedure.back_with(felt, setup.method, number)

    def record_cards(self, felt: Felt, setup: Setup, entries: Sequence[CardEntry]) -> list[Fact]:
        """Deal and turn cards in the order of the set-up's method; `procedure.record` lists what is refused."""
        return procedure.record(felt, setup.method, entries)

    def turn(self, felt: Felt, setup: Setup) -> Turn | None:
        """The seat that decides next, once its cards are there."""
        return decisions.turn(felt)

    def decide(self, felt: Felt, setup: Setup, entry: DecisionEntry) -> list[Fact]:
        """The decision, and the turns of known cards that it sets free; `decisions.decide` lists what is refused."""
        decision = decisions.decide(felt, entry)
        return [decision, *procedure.turns_set_free(felt.after(decision))]

    def spot_name(self, position: int) -> str:
        """ "flop 1", "turn", "river", "bank 2", "seat 3, card 1"."""
        return positions.name(position)

    def decided(self, felt: Felt, setup: Setup) -> tuple[str, ...]:
        """The showdown, once every decision is made and every card that counts is up."""
        return (bets.SHOWDOWN,) if procedure.is_complete(felt) else ()

    def reading(self, felt: Felt, setup: Setup) -> Reading | None:
        """The bank's rank, and every hand turned, once all that counts are; else None."""
        if not procedure.is_complete(felt):
            return None
        board, bank = _cards(felt, positions.BOARD), _bank(felt)
        rank = bank.value.name if bank else ALL_FOLDED
        showdowns = {seat: _showdown(felt, seat, bank) for seat in procedure.seats_that_show(felt)}
        seats = [_shown(felt, seat, showdown) for seat, showdown in showdowns.items()]
        shown: dict[str, Any] = {"rank": rank, "board": list(board), "bank": None, "seats": seats}
        if bank:
            cards = list(_cards(felt, positions.BANK))
            qualifies = settlement.qualifies(bank.value)
            shown["bank"] = {"cards": cards, "rank": rank, "qualifies": qualifies, "best": list(bank.cards)}
        return Reading(rank, shown)

    def settle(self, phase: str, placed: Sequence[Placed], felt: Felt, setup: Setup) -> list[Line]:
        """The lines of the showdown, in the order the wagers were placed; the progressive is passed over.

        Refuses `unknown_phase`, and `phase_not_decided` while a decision or a card is missing.
        """
        if phase not in self.phases:
            raise Refused("unknown_phase", f"There is no phase {quoted(phase)}; it is {bets.SHOWDOWN}.")
        if not procedure.is_complete(felt):
            raise Refused("phase_not_decided", "The hands are not decided; a decision or a card is missing.")
        bank = _bank(felt)
        showdowns = {seat: _showdown(felt, seat, bank) for seat in procedure.seats_that_show(felt)}
        pays, rounding = paytable(setup.paytable), setup.payout_rounding_cents
        lines = []
        for one in placed:
            wager = self.wager(one.code, setup)
            if wager.phase == phase:
                showdown = showdowns.get(one.seat)
                result, cents = settlement.returned(wager.code, one.stake_cents, showdown, pays, rounding)
                lines.append(Line(one.number, one.seat, wager.code, one.stake_cents, result, cents))
        return lines

    def side_bet_wins(self, bet: str, seats: Sequence[int], felt: Felt, setup: Setup) -> list[SideBetWin]:
        """By rank, the seats whose own two cards and the flop won, also after a fold.

        Refuses `unknown_side_bet`, and `hand_incomplete` while a card is face down.
        """
        if bet not in self.side_bets:
            raise Refused("unknown_side_bet", f"There is no side bet {quoted(bet)}; it is {PROGRESSIVE}.")
        return progressive.wins(felt, seats)

    def tiers(self, name: str) -> Mapping[str, Fraction]:
        """Rank → the part of the progressive's meter that it wins; refuses `unknown_tiers`."""
        return progressive.tiers(name)

    def tier_chances(self, name: str) -> Mapping[str, Fraction]:
        """Rank → its exact chance for one seat, for the ranks of the tiers `name`; refuses `unknown_tiers`."""
        return chances(self.shares(name, 1))

    def shares(self, name: str, wagers: int) -> Sequence[Share]:
        """How one of `wagers` progressive wagers wins by the tiers `name`; refuses `unknown_tiers`."""
        return progressive.shares(name, wagers)

    def odds(self, paytable: str) -> list[Odds]:
        """The main game under the best play, and BONUS; exact, from the shipped outcomes."""
        return odds.rows(paytable, outcomes.shipped())

    def edges(self, paytable: str) -> Mapping[str, Fraction]:
        """ANTE carries the edge of the main game, BONUS its own; BLIND and PLAY carry none (books, section 3)."""
        known = {one.wager: one.house_edge for one in self.odds(paytable)}
        return {bets.ANTE: known[odds.MAIN], bets.BONUS: known[odds.BONUS]}

    def spread(self, setup: Setup) -> RoyalSpread:
        """Every seat of a round together, each hand played best; refuses `unknown_paytable`."""
        return RoyalSpread(setup.paytable, setup.payout_rounding_cents)

    def paytable_report(self, paytable: str) -> dict[str, Any]:
        """The mathematics with seven-card hands counted afresh; plain data, fractions as "a/b"."""
        return odds.report(self.code, paytable, outcomes.shipped())

    def places(self, setup: Setup) -> Sequence[Place]:
        """The circles in front of each seat; see `felt`."""
        return PLACES

    def plausible_bets(self, chance: Chance, style: str, setup: Setup) -> list[tuple[str, int]]:
        """What a simulated player bets in a round; see `players`."""
        return players.bets_of(chance, style)

    def plausible_decision(self, chance: Chance, felt: Felt, setup: Setup, turn: Turn) -> DecisionEntry:
        """What a simulated player decides; see `players`."""
        return players.decision(chance, felt, turn)

    def dry_run(self, line: Mapping[str, Any]) -> dict[str, Any]:
        """Settle one round given as plain data; `dry_run.settle_line` says what it takes and refuses."""
        return dry_run.settle_line(line)


def _shown(felt: Felt, seat: int, showdown: Showdown) -> dict[str, Any]:
    """A hand as the log and the pages have it; with what it made for the progressive where the seat had the wager."""
    shown = {
        "seat": seat,
        "cards": list(_cards(felt, positions.of_seat(seat))),
        "rank": showdown.hand.name,
        "winner": showdown.winner,
        "folded": showdown.folded,
    }
    if any(bet.code == PROGRESSIVE and bet.seat == seat for bet in felt.bets):
        shown["progressive"] = progressive.rank(felt, seat)
    return shown


def _cards(felt: Felt, wanted: Sequence[int]) -> tuple[str, ...]:
    cards = procedure.cards_up(felt, wanted)
    assert cards is not None
    return cards


def _bank(felt: Felt) -> Best | None:
    """The bank's best five; None where everybody folded and it was not turned."""
    cards = procedure.cards_up(felt, positions.BANK)
    return best_of((*_cards(felt, positions.BOARD), *cards)) if cards else None


def _showdown(felt: Felt, seat: int, bank: Best | None) -> Showdown:
    hand = best_of((*_cards(felt, positions.BOARD), *_cards(felt, positions.of_seat(seat))))
    return Showdown(hand.value, bank.value if bank else None, seat in decisions.folded(felt))
