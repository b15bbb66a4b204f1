"""54 Card Roulette: five cards, one of them the Roulette Card, all five a poker hand with the jokers fully wild."""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Any

from casino.games import poker
from casino.games.cards import DECK_54, quoted
from casino.games.felt import Place
from casino.games.fifty_four_card_roulette import counts, dry_run, odds, players, procedure
from casino.games.fifty_four_card_roulette.felt import places_on
from casino.games.fifty_four_card_roulette.layout import LAYOUTS, layout
from casino.games.fifty_four_card_roulette.most_paid import most_paid
from casino.games.fifty_four_card_roulette.paytables import PAYTABLES, TIERS, paytable, tiers
from casino.games.fifty_four_card_roulette.spread import RouletteSpread
from casino.games.fifty_four_card_roulette.wagers import spot_of
from casino.games.game import (
    LOSE,
    WIN,
    CardEntry,
    Chance,
    Fact,
    Felt,
    Line,
    Odds,
    Placed,
    Reading,
    Setup,
    Share,
    SideBetWin,
    Wager,
    WithoutDecisions,
)
from casino.games.side_bets import PROGRESSIVE, chances
from casino.money import winnings
from casino.refusal import Refused

ROULETTE_PHASE, POKER_PHASE = "roulette", "poker"


class FiftyFourCardRoulette(WithoutDecisions):
    """The game as `casino.games.game.Game` asks for it. Pure, and without state of its own."""

    code = "54-card-roulette"
    name = "54 Card Roulette"
    deck = DECK_54
    seats_max = 8
    paytables: Sequence[str] = tuple(PAYTABLES)
    layouts: Sequence[str] = tuple(LAYOUTS)
    methods: Sequence[str] = procedure.METHODS
    side_bets: Sequence[str] = (PROGRESSIVE,)
    side_bet_words = "The five cards are everybody's hand: all who made the wager share equally."
    phases: Sequence[str] = (ROULETTE_PHASE, POKER_PHASE)
    styles: Sequence[str] = players.STYLES
    tier_sets: Sequence[str] = tuple(TIERS)
    typed_bets = "3 AsKs 25, KQ 10, red 5"

    def wager(self, text: str, setup: Setup) -> Wager:
        """Read a wager, its cards in any order; `spot_of` lists what is refused."""
        read = _kept_wager if isinstance(text, str) else _wager  # a dry run may name anything
        return read(text, setup.paytable, setup.layout)

    def check_seat(self, wager: Wager, standing: Sequence[Placed], seat: int, stake_cents: int = 0) -> None:
        """One progressive wager a seat a round: one wager is one player of the split. Refuses `second_progressive`."""
        if wager.bet == PROGRESSIVE and any(placed.seat == seat and placed.code == PROGRESSIVE for placed in standing):
            sentence = f"Seat {seat} has its progressive wager already; one a seat is all a round takes."
            raise Refused("second_progressive", sentence, seat=seat)

    def most_paid_cents(self, bets: Sequence[Placed], one: Placed, setup: Setup) -> int:
        """The worst Roulette Card and hand together in which `one` wins, exact; see `most_paid`."""
        return most_paid(bets, one, paytable(setup.paytable), layout(setup.layout), counts.shipped())

    def back_with(self, felt: Felt, setup: Setup, number: int) -> Sequence[int]:
        """A wager here has nothing to do with another, so a late one goes back alone, cards or no cards."""
        return (number,)

    def draw(self, felt: Felt, setup: Setup, position: int) -> list[Fact]:
        """Record the drawn position, 1 to 5, and turn the cards where all five are known already."""
        return procedure.draw(felt, setup.method, position)

    def record_cards(self, felt: Felt, setup: Setup, entries: Sequence[CardEntry]) -> list[Fact]:
        """Deal and turn cards by the set-up's method; `procedure.record` lists what is refused."""
        return procedure.record(felt, setup.method, entries)

    def decided(self, felt: Felt, setup: Setup) -> tuple[str, ...]:
        """Roulette once the Roulette Card lies face up, poker once all five do."""
        if procedure.roulette_card(felt, setup.method) is None:
            return ()
        return tuple(self.phases) if procedure.hand(felt) else (ROULETTE_PHASE,)

    def reading(self, felt: Felt, setup: Setup) -> Reading | None:
        """The poker hand once all five cards lie face up, else None."""
        cards = procedure.hand(felt)
        roulette_card = procedure.roulette_card(felt, setup.method)
        if cards is None or roulette_card is None:
            return None
        rank = poker.rank_of(cards)
        return Reading(rank, {"rank": rank, "roulette_card": roulette_card, "cards": list(cards)})

    def settle(self, phase: str, placed: Sequence[Placed], felt: Felt, setup: Setup) -> list[Line]:
        """The lines of `phase`, in the order the wagers were placed; the others are passed over.

        Refuses `unknown_phase`, and `phase_not_decided` while a card it needs is face down.
        """
        if phase not in self.phases:
            raise Refused("unknown_phase", f"There is no phase {quoted(phase)}; they are {', '.join(self.phases)}.")
        if phase not in self.decided(felt, setup):
            raise Refused("phase_not_decided", f"The {phase} wagers are not decided; a card is still face down.")
        wagers = [(one, self.wager(one.code, setup)) for one in placed]
        wins = self._winning(phase, felt, setup)
        return [_line(one, wager, wins(wager)) for one, wager in wagers if wager.phase == phase]

    def side_bet_wins(self, bet: str, seats: Sequence[int], felt: Felt, setup: Setup) -> list[SideBetWin]:
        """All `seats` together for a hand better than four of a kind: the five cards are everybody's.

        Refuses `unknown_side_bet`, and `hand_incomplete` while a card is face down.
        """
        if bet not in self.side_bets:
            raise Refused("unknown_side_bet", f"There is no side bet {quoted(bet)}; it is {PROGRESSIVE}.")
        reading = self.reading(felt, setup)
        if reading is None:
            raise Refused("hand_incomplete", "The hand is not complete; turn all five cards first.")
        better = poker.HAND_RANKS[: poker.HAND_RANKS.index("four_of_a_kind")]
        return [SideBetWin(reading.rank, tuple(seats))] if seats and reading.rank in better else []

    def tiers(self, name: str) -> Mapping[str, Fraction]:
        """Rank → the part of the progressive's meter that it wins; refuses `unknown_tiers`."""
        return tiers(name)

    def tier_chances(self, name: str) -> Mapping[str, Fraction]:
        """Rank → its exact chance in one round, for the ranks of the tiers `name`; refuses `unknown_tiers`."""
        return chances(self.shares(name, 1))

    def shares(self, name: str, wagers: int) -> Sequence[Share]:
        """How one of `wagers` progressive wagers wins by the tiers `name`; refuses `unknown_tiers`."""
        return odds.shares(name, counts.shipped(), wagers)

    def odds(self, paytable: str) -> list[Odds]:
        """One row a bet, every figure an exact fraction of the stake, from the shipped counts."""
        return odds.rows(paytable, counts.shipped())

    def spread(self, setup: Setup) -> RouletteSpread:
        """Every bet of a round together, exact; refuses `unknown_paytable` and `unknown_layout`."""
        return RouletteSpread(paytable(setup.paytable), layout(setup.layout), counts.shipped())

    def paytable_report(self, paytable: str) -> dict[str, Any]:
        """The mathematics enumerated afresh over all 3,162,510 hands; plain data, fractions as "a/b"."""
        return odds.report(self.code, paytable)

    def marks(self, felt: Felt, setup: Setup) -> Mapping[int, str]:
        """The Roulette Card, whose position the method fixes or a wheel has named."""
        position = procedure.roulette_position(felt, setup.method)
        return {} if position is None else {position: "Roulette Card"}

    def places(self, setup: Setup) -> Sequence[Place]:
        """Every place for chips, as the layout has them; see `felt`."""
        return places_on(layout(setup.layout))

    def plausible_bets(self, chance: Chance, style: str, setup: Setup) -> list[tuple[str, int]]:
        """What a simulated player bets in a round; see `players`."""
        return players.bets(chance, style, layout(setup.layout))

    def dry_run(self, line: Mapping[str, Any]) -> dict[str, Any]:
        """Settle one round given as plain data; `dry_run.settle_line` says what it takes and refuses."""
        return dry_run.settle_line(self, line)

    def _winning(self, phase: str, felt: Felt, setup: Setup) -> Callable[[Wager], bool]:
        """Which wagers of `phase` the cards on the felt win."""
        if phase == ROULETTE_PHASE:
            spots, roulette_card = layout(setup.layout).spots, procedure.roulette_card(felt, setup.method)
            return lambda wager: roulette_card in spots[wager.code].cards
        reading = self.reading(felt, setup)
        # That rank and that rank alone: a royal flush doesn't win the straight flush wager.
        return lambda wager: reading is not None and wager.bet == reading.rank


def _wager(text: str, paytable_name: str, layout_name: str) -> Wager:
    pays = paytable(paytable_name)
    spot = spot_of(text, layout(layout_name))
    if spot is not None:
        return Wager(spot.code, spot.bet, ROULETTE_PHASE, pays[spot.bet])
    if text == PROGRESSIVE:
        return Wager(text, text, PROGRESSIVE, None)
    return Wager(text, text, POKER_PHASE, pays[text])


_kept_wager = lru_cache(maxsize=4_096)(_wager)
"""Every event of a round asks again, and a layout has some hundred wagers, spelt in a few ways."""


def _line(placed: Placed, wager: Wager, won: bool) -> Line:
    """A win returns the stake besides; a loss returns nothing, and there is no tie in this game."""
    returned_cents = placed.stake_cents + winnings(placed.stake_cents, wager.pays or Fraction(0)) if won else 0
    return Line(placed.number, placed.seat, wager.code, placed.stake_cents, WIN if won else LOSE, returned_cents)
