"""Reading the text of a wager: `split:As+Ks`, `rank:K`, `ace_face`, `royal_flush`, `progressive`.

Spelling is exact: no spaces, no other case, no other alphabet. The cards may come in any order.
"""

from collections.abc import Container, Sequence

from casino.games.cards import COLOURS, DECK_54, JOKERS, RANKS, SUITS, quoted
from casino.games.fifty_four_card_roulette.layout import Layout, Spot
from casino.games.fifty_four_card_roulette.paytables import POKER, ROULETTE
from casino.games.side_bets import PROGRESSIVE
from casino.refusal import Refused

NAMES: dict[str, tuple[str, int]] = {
    "straight_up": ("card", 1),
    "split": ("card", 2),
    "street": ("card", 3),
    "corner": ("card", 4),
    "rank": ("rank", 1),
    "split_rank": ("rank", 2),
    "suit": ("suit", 1),
    "colour": ("colour", 1),
}
"""What a bet names and how many of them; every other bet stands alone."""

VOCABULARY: dict[str, Container[str]] = {
    "card": frozenset(DECK_54),
    "rank": frozenset(RANKS),
    "suit": frozenset(SUITS),
    "colour": frozenset(COLOURS),
}
SPELLING = {
    "card": "write a card like As, Td, 9c or X1",
    "rank": f"the ranks are {' '.join(RANKS)}, and a joker has none",
    "suit": "the suits are s h d c, and a joker has none",
    "colour": "the colours are red and black, and a joker has none",
}


def spot_of(text: str, layout: Layout) -> Spot | None:
    """The roulette spot that `text` names, or None where it names a poker wager or the progressive.

    Refuses `unknown_wager`, `wager_names_nothing`, `wrong_number_of_<cards|ranks|suits|colours>`,
    `unknown_<card|rank|suit|colour>`, `same_card_twice`, `same_rank_twice`, `joker_in_a_corner`, `not_a_street`,
    `cards_do_not_touch` and `ranks_do_not_touch`.
    """
    if isinstance(text, str) and text in layout.spots:
        return layout.spots[text]
    if text in POKER or text == PROGRESSIVE:
        return None
    bet, parts = _apart(text)
    _check_parts(bet, parts)
    spot = layout.by_parts.get((bet, frozenset(parts)))
    if spot is None:
        raise _not_on_the_layout(bet, parts, layout)
    return spot


def _apart(text: object) -> tuple[str, list[str]]:
    """The bet and what it names; refuses text that no bet begins."""
    bet, colon, rest = text.partition(":") if isinstance(text, str) else ("", "", "")
    if bet in NAMES:
        return bet, rest.split("+") if colon else []
    if bet in ROULETTE or bet in POKER or bet == PROGRESSIVE:
        raise Refused("wager_names_nothing", f"{bet} stands alone; write it without {quoted(colon + rest)}.")
    known = ", ".join((*ROULETTE, *POKER, PROGRESSIVE))
    raise Refused("unknown_wager", f"There is no wager {quoted(text)}; the wagers are {known}.")


def _check_parts(bet: str, parts: Sequence[str]) -> None:
    kind, count = NAMES[bet]
    if len(parts) != count:
        named = f"{count} {kind}" if count == 1 else f"{count} {kind}s"
        raise Refused(f"wrong_number_of_{kind}s", f"A {bet} names {named}; this one names {len(parts)}.")
    for part in parts:
        if part not in VOCABULARY[kind]:
            raise Refused(f"unknown_{kind}", f"There is no {kind} {quoted(part)}; {SPELLING[kind]}.")
        if parts.count(part) > 1:
            raise Refused(f"same_{kind}_twice", f"A {bet} names {count} different {kind}s; {part} is there twice.")


def _not_on_the_layout(bet: str, parts: Sequence[str], layout: Layout) -> Refused:
    if bet == "split_rank":
        sentence = f"The ranks {_listed(parts)} do not touch; the rows run {' '.join(layout.rows)} and do not wrap."
        return Refused("ranks_do_not_touch", sentence, ranks=list(parts))
    return _EXPLAIN[bet](parts, layout)


def _no_split(cards: Sequence[str], layout: Layout) -> Refused:
    one, other = cards
    sentence = f"{one} and {other} do not touch; {one} touches {_listed(layout.neighbours(one))}."
    return Refused("cards_do_not_touch", sentence, cards=list(cards))


def _no_street(cards: Sequence[str], layout: Layout) -> Refused:
    streets = " or ".join("+".join((joker, *aces)) for joker, aces in layout.joker_touches)
    jokers = [card for card in cards if card in JOKERS]
    if len(jokers) == 1 and all(card[0] == "A" for card in cards if card not in JOKERS):
        sentence = f"{jokers[0]} does not touch both aces of {_listed(cards)}; a street is {streets}."
        return Refused("cards_do_not_touch", sentence, cards=list(cards))
    sentence = f"{_listed(cards)} are not one joker and the two aces it touches; a street is {streets}."
    return Refused("not_a_street", sentence, cards=list(cards))


def _no_corner(cards: Sequence[str], layout: Layout) -> Refused:
    jokers = [card for card in cards if card in JOKERS]
    if jokers:
        sentence = f"No corner contains a joker; take {_listed(jokers)} out of {_listed(cards)}."
        return Refused("joker_in_a_corner", sentence, cards=list(cards))
    sentence = f"{_listed(cards)} are not two by two touching cards; a corner is a block like As+Ah+Ks+Kh."
    return Refused("cards_do_not_touch", sentence, cards=list(cards))


def _listed(names: Sequence[str]) -> str:
    return " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))


_EXPLAIN = {"split": _no_split, "street": _no_street, "corner": _no_corner}
