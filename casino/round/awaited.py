"""What a round waits for: which cards next, and which positions a wheel may name. Found by asking its game. Pure."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from casino.games.game import DOWN, CardEntry, Dealt, DecisionEntry, Fact, Felt, Turn
from casino.refusal import Refused
from casino.round.state import Round

POSITIONS_MAX = 9
"""How many positions a wheel may have; no game draws from more."""


class Awaited(NamedTuple):
    """A card that comes next: dealt to a position, or turned where it lies; one dealt face down may stay unseen.

    `card` is the one that is known to lie there, None where nobody has seen it.
    """

    position: int
    name: str
    is_dealt: bool
    may_be_unseen: bool
    card: str | None = None


def cards_awaited(round_: Round) -> list[Awaited]:
    """The cards that come before the next decision or the end, in the order in which they are recorded.

    The game is asked with cards that nobody has seen yet; what it accepts is what it waits for.
    """
    if round_.is_over or not round_.bets_closed:
        return []
    seen = {spot.card for spot in round_.felt.spots.values()}
    unseen = iter([card for card in round_.game.deck if card not in seen])
    return list(_dealt(round_, round_.felt, unseen)) or list(_turned(round_, round_.felt, unseen))


def _dealt(round_: Round, felt: Felt, unseen: Iterator[str]) -> Iterator[Awaited]:
    for card in unseen:
        facts = () if round_.game.turn(felt, round_.setup) else _facts(round_, felt, CardEntry(card))
        if not facts or not isinstance(facts[0], Dealt):
            return
        hidden = _facts(round_, felt, CardEntry(None))
        position = facts[0].position
        yield Awaited(position, round_.game.spot_name(position), True, bool(hidden))
        # What may lie unseen is taken as unseen, so that nothing is turned that nobody has named.
        felt = felt.after(hidden[0] if hidden else facts[0])


def _turned(round_: Round, felt: Felt, unseen: Iterator[str]) -> Iterator[Awaited]:
    """First the cards that nobody has seen; those known are awaited only where they turn with none of these."""
    lying = [spot for spot in felt.spots.values() if spot.face == DOWN]
    for spot in sorted(lying, key=lambda spot: (spot.card is not None, spot.position)):
        if round_.game.turn(felt, round_.setup) is not None:
            return
        facts = _facts(round_, felt, CardEntry(spot.card or next(unseen), spot.position))
        if facts:
            yield Awaited(spot.position, round_.game.spot_name(spot.position), False, False, spot.card)
            for fact in facts:
                felt = felt.after(fact)


def _facts(round_: Round, felt: Felt, entry: CardEntry) -> Sequence[Fact]:
    try:
        return round_.game.record_cards(felt, round_.setup, [entry])
    except Refused:
        return ()


def turns_ahead(round_: Round) -> list[Turn]:
    """The turns that follow each other now on one street, as they are if each seat does the first it may."""
    felt = round_.felt
    found: list[Turn] = []
    turn = None if round_.is_over else round_.game.turn(felt, round_.setup)
    while turn and (not found or turn.street == found[0].street):
        found.append(turn)
        for fact in round_.game.decide(felt, round_.setup, _first_option(turn)):
            felt = felt.after(fact)
        turn = round_.game.turn(felt, round_.setup)
    return found


def _first_option(turn: Turn) -> DecisionEntry:
    action, stakes = next(iter(turn.actions.items()))
    return DecisionEntry(turn.seat, action, stakes[0] if stakes else None)


def positions_to_draw(round_: Round) -> list[int]:
    """The positions that a wheel may name now; none where nothing is to be drawn."""
    if round_.is_over or not round_.bets_closed or round_.felt.drawn is not None:
        return []
    found = []
    for position in range(1, POSITIONS_MAX + 1):
        try:
            round_.game.draw(round_.felt, round_.setup, position)
        except Refused:
            continue
        found.append(position)
    return found
