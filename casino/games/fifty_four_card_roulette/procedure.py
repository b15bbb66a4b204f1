"""How the five cards reach the felt: dealing, turning, and the three ways of choosing the Roulette Card.

The sheet (paragraphs 4 to 8): card one face down on spot one, card two face up on top of it, three more face down;
the Roulette Card settles first, then the other four are turned. Paragraph 6 allows any method that gives each of the
five cards the same chance.
"""

from collections.abc import Sequence

from casino.games.cards import DECK_54, card, quoted
from casino.games.game import DOWN, UP, CardEntry, Dealt, Fact, Felt, PositionDrawn, Turned
from casino.refusal import Refused

POSITIONS = range(1, 6)
SECOND_CARD, FIRST_CARD, DRAWN_POSITION = "second_card", "first_card", "drawn_position"
METHODS = (SECOND_CARD, FIRST_CARD, DRAWN_POSITION)

_FIXED_POSITION = {SECOND_CARD: 2, FIRST_CARD: 1}
_DECK = frozenset(DECK_54)


def roulette_position(felt: Felt, method: str) -> int | None:
    """The position of the Roulette Card, None while no wheel has named it; refuses `unknown_method`."""
    if method not in METHODS:
        raise Refused("unknown_method", f"There is no method {quoted(method)}; choose from {', '.join(METHODS)}.")
    return _FIXED_POSITION.get(method, felt.drawn)


def roulette_card(felt: Felt, method: str) -> str | None:
    """The Roulette Card once it lies face up, else None."""
    position = roulette_position(felt, method)
    return None if position is None else felt.up(position)


def hand(felt: Felt) -> tuple[str, ...] | None:
    """The five cards in position order once all lie face up, else None."""
    cards = tuple(card for card in map(felt.up, POSITIONS) if card is not None)
    return cards if len(cards) == len(POSITIONS) else None


def record(felt: Felt, method: str, entries: Sequence[CardEntry]) -> list[Fact]:
    """The facts that `entries` make on `felt`, and the turns of known cards that they set free.

    Refuses `no_cards`, `sixth_card`, `unknown_card`, `card_twice`, `roulette_card_face_up`,
    `position_out_of_range`, `position_not_dealt`, `card_not_named`, `card_already_turned`, `card_differs`,
    `position_not_drawn` and `roulette_card_first`.
    """
    roulette_position(felt, method)
    if not entries:
        raise Refused("no_cards", "No card was given; record at least one.")
    facts: list[Fact] = []
    for entry in entries:
        fact = _dealt(felt, method, entry) if entry.position is None else _turned(felt, method, entry)
        felt = felt.after(fact)
        facts.append(fact)
    return facts + _turns_set_free(felt, method)


def draw(felt: Felt, method: str, position: int) -> list[Fact]:
    """The position that a wheel named, and the turns of known cards that it sets free.

    Refuses `position_not_for_drawing`, `position_out_of_range`, `position_already_drawn`, `card_already_turned`.
    """
    first = roulette_position(felt, method)
    if method != DRAWN_POSITION:
        sentence = f"By the method {method} no position is drawn; the Roulette Card is the one at position {first}."
        raise Refused("position_not_for_drawing", sentence)
    _check_position(position)
    if felt.drawn is not None:
        raise Refused("position_already_drawn", f"Position {felt.drawn} was drawn already; a round draws once.")
    for spot in felt.spots.values():
        if spot.face == UP:
            sentence = f"{spot.card} at position {spot.position} is face up; a position is drawn before any turn."
            raise Refused("card_already_turned", sentence)
    drawn = PositionDrawn(position)
    return [drawn, *_turns_set_free(felt.after(drawn), method)]


def _dealt(felt: Felt, method: str, entry: CardEntry) -> Dealt:
    position = len(felt.spots) + 1
    if position not in POSITIONS:
        named = "another card" if entry.card is None else quoted(entry.card)
        raise Refused("sixth_card", f"Five cards are dealt; {named} would be a sixth. A fouled deal is a misdeal.")
    face = UP if position == _FIXED_POSITION.get(method) else DOWN
    if entry.card is None:
        if face == UP:
            sentence = f"Position {position} is dealt face up as the Roulette Card; name the card."
            raise Refused("roulette_card_face_up", sentence)
        return Dealt(position, DOWN, None)
    return Dealt(position, face, _new_card(felt, entry.card))


def _turned(felt: Felt, method: str, entry: CardEntry) -> Turned:
    position = _check_position(entry.position)
    spot = felt.spots.get(position)
    if spot is None:
        raise Refused("position_not_dealt", f"No card lies at position {position}; deal it before it is turned.")
    if entry.card is None:
        raise Refused("card_not_named", f"The card turned at position {position} has no name; give it.")
    if spot.face == UP:
        raise Refused("card_already_turned", f"{spot.card} at position {position} is face up already.")
    _check_order(felt, method, position)
    if spot.card is None:
        return Turned(position, _new_card(felt, entry.card))
    if card(entry.card, _DECK) != spot.card:
        sentence = f"Position {position} was dealt as {spot.card}, but {entry.card} is turned; declare a misdeal."
        raise Refused("card_differs", sentence, dealt=spot.card, turned=entry.card)
    return Turned(position, spot.card)


def _check_order(felt: Felt, method: str, position: int) -> None:
    """The Roulette Card is turned first, for its wagers settle first (sheet, paragraph 7)."""
    first = roulette_position(felt, method)
    if first is None:
        raise Refused("position_not_drawn", "Draw the position of the Roulette Card before any card is turned.")
    if position != first and felt.up(first) is None:
        sentence = f"Turn the Roulette Card at position {first} before the card at position {position}."
        raise Refused("roulette_card_first", sentence)


def _check_position(position: object) -> int:
    if not isinstance(position, int) or isinstance(position, bool) or position not in POSITIONS:
        raise Refused("position_out_of_range", f"There is no position {quoted(position)}; positions are 1 to 5.")
    return position


def _new_card(felt: Felt, value: object) -> str:
    name = card(value, _DECK)
    for spot in felt.spots.values():
        if spot.card == name:
            sentence = f"{name} lies at position {spot.position} already; a deck has one. A fouled deck is a misdeal."
            raise Refused("card_twice", sentence, card=name)
    return name


def _turns_set_free(felt: Felt, method: str) -> list[Fact]:
    """The turns of known cards once five are dealt: the Roulette Card's first, the others' when all five are known."""
    first = roulette_position(felt, method)
    if first is None or len(felt.spots) < len(POSITIONS):
        return []
    spots = sorted(felt.spots.values(), key=lambda spot: (spot.position != first, spot.position))
    free = spots[:1] if any(spot.card is None for spot in spots) else spots
    return [Turned(spot.position, spot.card) for spot in free if spot.face == DOWN and spot.card is not None]
