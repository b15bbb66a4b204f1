"""Decks at a table: brought, counted, taken away. Pure.

Where a house records its decks, no round is dealt without a complete one: after a misdeal has taken the deck away, the
next round waits for another. A house that records none is never held up.
"""

from collections.abc import Mapping
from typing import Literal, get_args

from casino.games.game import Game
from casino.refusal import Refused, in_quotes
from casino.session_events import DeckMoved
from casino.table import Session

Move = Literal["in", "counted", "out"]
NAME_MAX, REASON_MAX, CARDS_MAX = 40, 500, 600


def decks_here(session: Session) -> dict[str, DeckMoved]:
    """The decks at the table with what was last recorded of each; the one in play stands last."""
    return {name: last for name, last in session.decks.items() if last.move != "out"}


def move_deck(session: Session, game: Game, deck: str, move: str, cards: int, reason: str, by: str) -> DeckMoved:
    """Bring, count or take away a deck; a count is kept as it was, right or wrong.

    Refuses `bad_deck`, `unknown_move`, `deck_here`, `deck_not_here`, and `deck_not_complete` for one that is brought.
    """
    deck, here = deck.strip(), decks_here(session)
    if not 0 < len(deck) <= NAME_MAX or not deck.isprintable():
        raise Refused(
            "bad_deck", f"A deck is named by 1 to {NAME_MAX} letters and digits, such as the number of its box."
        )
    if move not in get_args(Move):
        raise Refused("unknown_move", f"{in_quotes(move)} is nothing that a deck does; say in, counted or out.")
    if not 0 <= cards <= CARDS_MAX:
        raise Refused("bad_deck", f"A deck does not have {cards} cards; give the number that was counted.")
    if move == "in" and deck in here:
        raise Refused("deck_here", f"Deck {in_quotes(deck)} is at {session.table} already; count it, or take it out.")
    if move != "in" and deck not in here:
        raise Refused("deck_not_here", f"Deck {in_quotes(deck)} is not at {session.table}; bring it in first.")
    if move == "in" and cards != len(game.deck):
        raise Refused(
            "deck_not_complete",
            f"A deck of {game.name} has {len(game.deck)} cards, and this one was counted to {cards}; bring another.",
            wanted=len(game.deck),
        )
    return DeckMoved(table=session.table, deck=deck, move=move, cards=cards, reason=reason.strip()[:REASON_MAX], by=by)  # type: ignore[arg-type]


def check_deck(session: Session, deck_size: int) -> None:
    """Refuse `no_deck` and `deck_count_off` where the table's decks are recorded and none of them can be dealt."""
    here = decks_here(session)
    if not session.decks or any(last.cards == deck_size for last in here.values()):
        return
    if not here:
        raise Refused("no_deck", f"The deck of {session.table} was taken out; bring another in before a round opens.")
    raise Refused(
        "deck_count_off",
        f"The deck at {session.table} was not counted to {deck_size} cards; count it again, or bring another in.",
    )


def after_misdeal(session: Session, reason: str, by: str) -> list[DeckMoved]:
    """The fouled deck leaves the table: the one in play, where the table's decks are recorded."""
    here = decks_here(session)
    if not here:
        return []
    deck, last = list(here.items())[-1]
    why = f"misdeal: {reason.strip()}"[:REASON_MAX]
    return [DeckMoved(table=session.table, deck=deck, move="out", cards=last.cards, reason=why, by=by)]


def carried(session: Session) -> list[DeckMoved]:
    """What the next session begins with: the decks here, or, where all were taken out, the last one that was."""
    here = decks_here(session)
    kept: Mapping[str, DeckMoved] = here or dict(list(session.decks.items())[-1:])
    return [
        DeckMoved(
            table=session.table,
            deck=deck,
            move="in" if deck in here else "out",
            cards=last.cards,
            reason=f"carried over from session {session.name}",
            by=last.by,
        )
        for deck, last in kept.items()
    ]
