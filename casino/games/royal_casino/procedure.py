"""How the cards reach the felt and are turned, and when the hands are complete.

Cards are laid face down. The community's are turned for their street: the flop once everybody has decided on his own
cards, turn and river once everybody has decided on the flop; laid no sooner than that, by hand, they lie face up at
once. The bank's and the players' are turned when nobody decides any more. A card whose value is known while it lies
face down (from a shoe that reads) is turned by the step that allows it; one nobody has seen is turned by name.
"""

from collections.abc import Sequence

from casino.games.cards import DECK_52, card, quoted
from casino.games.game import DOWN, UP, CardEntry, Dealt, Fact, Felt, Turned
from casino.games.royal_casino import decisions, positions
from casino.games.royal_casino.bets import BONUS
from casino.games.royal_casino.positions import BANK, BOARD, FLOP, TURN_AND_RIVER
from casino.refusal import Refused

_DECK = frozenset(DECK_52)


def record(felt: Felt, method: str, entries: Sequence[CardEntry]) -> list[Fact]:
    """The facts that `entries` make on `felt`, and the turns of known cards that they set free.

    An entry with a position that is not dealt yet says where the card was laid, and the order is checked; one with a
    position that is dealt turns that card. Refuses `no_cards`, `no_hands`, `all_cards_dealt`, `dealt_out_of_order`,
    `card_not_named`, `unknown_card`, `card_twice`, `position_out_of_range`, `card_already_turned`, `card_differs`,
    `decisions_open`, `flop_first`, `board_first` and `hand_folded`.
    """
    order = positions.dealing_order(method, decisions.seats(felt))
    if not entries:
        raise Refused("no_cards", "No card was given; record at least one.")
    if not decisions.seats(felt):
        raise Refused("no_hands", "Nobody has an ANTE in this round, so there is no hand to deal; void it.")
    facts: list[Fact] = []
    for entry in entries:
        dealt = entry.position is not None and entry.position in felt.spots
        fact = _turned(felt, entry) if dealt else _dealt(felt, order, entry)
        felt = felt.after(fact)
        facts.append(fact)
    return facts + turns_set_free(felt)


def back_with(felt: Felt, method: str, number: int) -> tuple[int, ...]:
    """The numbers of the wagers that go back with a late one.

    BONUS stands beside the hand and goes back alone. ANTE and BLIND are the hand: they go back together and take BONUS
    and progressive along, as long as the cards dealt so far lie as they would without the hand. Refuses `hand_dealt`.
    """
    late = next(bet for bet in felt.bets if bet.number == number)
    if late.code == BONUS:
        return (number,)
    others = [seat for seat in decisions.seats(felt) if seat != late.seat]
    if tuple(felt.spots) != positions.dealing_order(method, others)[: len(felt.spots)]:
        sentence = (
            f"The cards are dealt to seat {late.seat}, so its {late.code.upper()} plays on. A BONUS can still go back "
            "alone; for the hand, void the whole round."
        )
        raise Refused("hand_dealt", sentence, seat=late.seat)
    return tuple(bet.number for bet in felt.bets if bet.seat == late.seat)


def turns_set_free(felt: Felt) -> list[Fact]:
    """The turns of known cards that the rules allow now: the community's, then the bank's, then the hands'."""
    facts: list[Fact] = []
    hands = [position for seat in decisions.seats(felt) for position in positions.of_seat(seat)]
    for position in (*BOARD, *BANK, *hands):
        spot = felt.spots.get(position)
        if spot is None or spot.face == UP or spot.card is None or _why_not(felt, position) is not None:
            continue
        facts.append(Turned(position, spot.card))
        felt = felt.after(facts[-1])
    return facts


def cards_up(felt: Felt, wanted: Sequence[int]) -> tuple[str, ...] | None:
    """The cards at these positions once all lie face up, else None."""
    cards = tuple(card for card in map(felt.up, wanted) if card is not None)
    return cards if len(cards) == len(wanted) else None


def seats_that_show(felt: Felt) -> tuple[int, ...]:
    """The seats whose hands are turned: those that have not folded, and those with a BONUS or the progressive."""
    folded = decisions.folded(felt)
    return tuple(seat for seat in decisions.seats(felt) if seat not in folded or decisions.is_kept(felt, seat))


def is_complete(felt: Felt) -> bool:
    """Whether every decision is made and every card is up that decides a wager.

    Where everybody has folded, the bank's cards decide nothing: BONUS and the progressive win whatever they are.
    """
    if not decisions.seats(felt) or not decisions.are_complete(felt, decisions.RIVER):
        return False
    showing = seats_that_show(felt)
    wanted = [*BOARD, *(position for seat in showing for position in positions.of_seat(seat))]
    if set(decisions.seats(felt)) - decisions.folded(felt):
        wanted += BANK
    return cards_up(felt, wanted) is not None


def _dealt(felt: Felt, order: Sequence[int], entry: CardEntry) -> Dealt:
    if entry.position is not None and entry.position not in order:
        raise _no_such_position(entry.position)
    if len(felt.spots) == len(order):
        raise Refused("all_cards_dealt", f"All {len(order)} cards are dealt; another would be one too many.")
    position = order[len(felt.spots)]
    if entry.position not in (None, position):
        sentence = (
            f"The card for {positions.name(position)} (position {position}) is dealt next, and one was laid at "
            f"{positions.name(entry.position or 0)}; declare a misdeal if it lies there."
        )
        raise Refused("dealt_out_of_order", sentence, position=position)
    face = UP if position in BOARD and _why_not(felt, position) is None else DOWN
    if entry.card is None:
        if face == UP:
            raise Refused("card_not_named", f"The {positions.name(position)} is dealt face up; name the card.")
        return Dealt(position, DOWN, None)
    return Dealt(position, face, _new_card(felt, entry.card))


def _turned(felt: Felt, entry: CardEntry) -> Turned:
    assert entry.position is not None
    spot, where = felt.spots[entry.position], positions.name(entry.position)
    if entry.card is None:
        raise Refused("card_not_named", f"The card turned at {where} has no name; give it.")
    if spot.face == UP:
        raise Refused("card_already_turned", f"{spot.card} at {where} is face up already.")
    reason = _why_not(felt, entry.position)
    if reason is not None:
        raise reason
    if spot.card is None:
        return Turned(entry.position, _new_card(felt, entry.card))
    if card(entry.card, _DECK) != spot.card:
        sentence = f"The card at {where} was dealt as {spot.card}, but {entry.card} is turned; declare a misdeal."
        raise Refused("card_differs", sentence, dealt=spot.card, turned=entry.card)
    return Turned(entry.position, spot.card)


def _why_not(felt: Felt, position: int) -> Refused | None:
    """Why the card at `position` may not lie face up yet; None where it may."""
    if position in FLOP:
        return _open(felt, decisions.PRE_FLOP, position)
    if position in TURN_AND_RIVER:
        flop_first = Refused("flop_first", f"Turn the three cards of the flop before the {positions.name(position)}.")
        return _open(felt, decisions.FLOP, position) or (flop_first if cards_up(felt, FLOP) is None else None)
    if cards_up(felt, BOARD) is None:
        return Refused("board_first", f"Turn all five community cards before {positions.name(position)}.")
    if position not in BANK and positions.seat_at(position) not in seats_that_show(felt):
        sentence = f"Seat {positions.seat_at(position)} folded without a BONUS or a progressive; its cards stay down."
        return Refused("hand_folded", sentence)
    return _open(felt, decisions.RIVER, position)


def _open(felt: Felt, street: str, position: int) -> Refused | None:
    """A refusal while somebody still decides on this street, or while hands are still to be dealt."""
    waiting = any(at not in felt.spots for seat in decisions.seats(felt) for at in positions.of_seat(seat))
    if not waiting and decisions.are_complete(felt, street):
        return None
    sentence = f"{positions.name(position).capitalize()} is not turned before every seat has decided."
    return Refused("decisions_open", sentence, street=street)


def _no_such_position(position: object) -> Refused:
    sentence = (
        f"There is no position {quoted(position)} in this round; the community has 1 to 5, the bank 91 and 92, and "
        "seat 3, say, 31 and 32 where it plays."
    )
    return Refused("position_out_of_range", sentence)


def _new_card(felt: Felt, value: object) -> str:
    name = card(value, _DECK)
    for spot in felt.spots.values():
        if spot.card == name:
            where = positions.name(spot.position)
            raise Refused("card_twice", f"{name} lies at {where} already; a fouled deck is a misdeal.", card=name)
    return name
