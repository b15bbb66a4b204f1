"""How people plausibly play this game, for the simulated floor. All chance comes from the caller.

Before the flop a careful player raises the hands that the best play raises; after it he goes by what he holds.
"""

from casino.games.cards import RANKS
from casino.games.game import RAISE, Chance, DecisionEntry, Felt, Turn
from casino.games.poker import HAND_RANKS, best_of
from casino.games.royal_casino import bets, decisions, outcomes, positions

STYLES = ("careful", "bonus_lover", "timid")
CHIPS = {"careful": (1000, 2500, 5000), "bonus_lover": (500, 1000), "timid": (500, 1000)}
BONUS_CHIPS = (100, 500, 1000)
BONUS_PERCENT = {"careful": 20, "bonus_lover": 95, "timid": 40}
STRAY_PERCENT = 6
"""How often a player does something else than he usually would."""


def bets_of(chance: Chance, style: str) -> list[tuple[str, int]]:
    """What a player of `style` puts down before the cards, as (wager, stake in cents); now and then nothing."""
    if _now_and_then(chance, STRAY_PERCENT):
        return []
    ante = chance.choice(CHIPS[style])
    placed = [(bets.ANTE, ante), (bets.BLIND, ante)]
    if _now_and_then(chance, BONUS_PERCENT[style]):
        placed.append((bets.BONUS, chance.choice(BONUS_CHIPS)))
    return placed


def decision(chance: Chance, felt: Felt, turn: Turn) -> DecisionEntry:
    """Raise or not, by the cards; where a hand was dealt unseen, by chance alone."""
    hand = [felt.spots[position].card for position in positions.of_seat(turn.seat)]
    known = [card for card in hand if card is not None]
    raises = _is_good(known, felt, turn.street) if len(known) == 2 else _now_and_then(chance, 50)
    if _now_and_then(chance, STRAY_PERCENT):
        raises = not raises
    if raises:
        return DecisionEntry(turn.seat, RAISE, max(turn.actions[RAISE]))
    return DecisionEntry(turn.seat, next(action for action in turn.actions if action != RAISE))


def _is_good(hand: list[str], felt: Felt, street: str) -> bool:
    if street == decisions.PRE_FLOP:
        return hand_name(hand[0], hand[1]) in outcomes.shipped().raised
    board = [card for card in map(felt.up, positions.BOARD) if card is not None]
    rank = best_of((*hand, *board)).value.name
    pair_of_own = len({card[0] for card in (*hand, *board)}) < len({card[0] for card in board}) + len(hand)
    strong = HAND_RANKS.index(rank) < HAND_RANKS.index("one_pair")
    if street == decisions.FLOP:
        return strong or (rank == "one_pair" and pair_of_own)
    return strong or rank == "one_pair" or any(card[0] in "AK" for card in hand)


def hand_name(one: str, other: str) -> str:
    """Two cards as players say them: AA, AKs, T9o."""
    high, low = sorted((one, other), key=lambda card: RANKS.index(card[0]))
    if high[0] == low[0]:
        return high[0] * 2
    return f"{high[0]}{low[0]}{'s' if high[1] == low[1] else 'o'}"


def _now_and_then(chance: Chance, percent: int) -> bool:
    return bool(chance.randint(1, 100) <= percent)
