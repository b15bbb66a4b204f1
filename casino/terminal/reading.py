"""What a terminal posts, read strictly: wagers line by line, cards as players write them, decisions. Pure."""

import re
from typing import NamedTuple

from casino.games.cards import quoted
from casino.games.game import RAISE, CardEntry, DecisionEntry, Turn
from casino.refusal import Refused
from casino.round.awaited import Awaited
from casino.round.betting import Asked
from casino.round.state import Round

UNSEEN = "?"
LONGEST = 200_000
"""Letters of one press: more than all wagers that a round can take."""
CARD = re.compile(r"[Xx][12]|[2-9TJQKAtjqka][shdcSHDC]|10[shdcSHDC]|\?")
POSITION = re.compile(r"[1-9]\d?", re.ASCII)
WAGER_LINE = re.compile(r"(\d{1,2}) (\S{1,80}) (\d{1,12})", re.ASCII)


class Evidence(NamedTuple):
    """What fouled a deck: the offending card and the position it lies at, as far as they were given."""

    card: str | None
    position: int | None


def wagers_of(text: str) -> list[Asked]:
    """`3 split:As+Ks 2500`, one wager a line: seat, code, cents. Refuses `odd_wager`."""
    found = []
    for line in _whole(text).splitlines():
        match = WAGER_LINE.fullmatch(line.strip())
        if not match:
            raise Refused("odd_wager", f"{quoted(line)} is no wager; write a seat, the wager and its cents.")
        found.append(Asked(int(match[1]), match[2], int(match[3])))
    return found


def cards_of(text: str) -> list[str | None]:
    """`AsKd?X1` → As, Kd, a card that nobody has seen, joker 1; blanks between them do not matter.

    Refuses `odd_cards`.
    """
    text = "".join(_whole(text).split())
    found = CARD.findall(text)
    if not found or "".join(found) != text:
        raise Refused("odd_cards", f"{quoted(text)} can't be read as cards; write them like AsKd9h, ? for one unseen.")
    return [None if card == UNSEEN else _card(card) for card in found]


def _whole(text: str) -> str:
    """The text, all of it; refuses `too_long`, so that nothing is cut off unseen."""
    if len(text) > LONGEST:
        raise Refused("too_long", f"{len(text)} letters are more than a round can mean; nothing was recorded.")
    return text


def _card(text: str) -> str:
    rank, suit = text[:-1].upper().replace("10", "T"), text[-1].lower()
    return rank + suit


def evidence_of(card: str, position: str, is_misdeal: bool) -> Evidence:
    """The evidence of a misdeal as typed; all of it is kept or none, so what can't be kept is refused.

    Refuses `evidence_without_misdeal`, `odd_cards`, `odd_evidence` and `odd_position`.
    """
    card, position = card.strip(), position.strip()
    if (card or position) and not is_misdeal:
        sentence = "A card or a position is kept as evidence of a misdeal: tick Misdeal, or leave both fields empty."
        raise Refused("evidence_without_misdeal", sentence)
    named = cards_of(card) if card else []
    if card and (len(named) != 1 or named[0] is None):
        raise Refused("odd_evidence", f"{quoted(card)} is not one card by its name; the evidence is one, such as Kd.")
    if position and not POSITION.fullmatch(position):
        sentence = f"{quoted(position)} is no position; give the number of the place the card lies at, from 1 to 99."
        raise Refused("odd_position", sentence)
    return Evidence(named[0] if named else None, int(position) if position else None)


def entries_of(cards: list[str | None], awaited: list[Awaited]) -> list[CardEntry]:
    """The cards in the order in which the round waits for them: dealt next, or turned where they lie.

    Cards beyond those awaited are dealt on, for the core to refuse with its own reason.
    """
    turned = [one.position for one in awaited if not one.is_dealt]
    return [
        CardEntry(card, turned[number] if number < len(turned) else None) if turned else CardEntry(card)
        for number, card in enumerate(cards)
    ]


def decisions_of(round_: Round, text: str) -> list[DecisionEntry]:
    """`c c 4 f` → what the seats decide whose turns follow each other: check, fold, or a raise to so many times.

    Refuses `odd_decision` and `no_decision_due`, and what the game refuses.
    """
    felt, found = round_.felt, []
    for word in _whole(text).lower().split():
        turn = round_.game.turn(felt, round_.setup)
        if turn is None:
            raise Refused("no_decision_due", f"Nobody is to decide where {quoted(word)} stands; the cards come first.")
        entry = _decision(round_, turn, word)
        found.append(entry)
        for fact in round_.game.decide(felt, round_.setup, entry):
            felt = felt.after(fact)
    return found


def _decision(round_: Round, turn: Turn, word: str) -> DecisionEntry:
    """`check`, `c` and `3x` as `choices_of` has them: an action by its first letter, a raise by how it is typed."""
    number = word.removesuffix("x")
    for move, action, stake in choices_of(round_, turn):
        if word == action or (word if action != RAISE else number) == move:
            return DecisionEntry(turn.seat, action, stake or None)
    known = ", ".join(f"{move} to {action}" for move, action, _ in choices_of(round_, turn))
    raise Refused("odd_decision", f"Seat {turn.seat} can't do {quoted(word)} now; write {known}.")


class Choice(NamedTuple):
    """Something that a seat may do: how it is typed, the action, and the stake in cents that a raise puts down."""

    move: str
    action: str
    stake_cents: int


def choices_of(round_: Round, turn: Turn) -> list[Choice]:
    """Everything that the seat whose turn it is may do, in the game's order."""
    found = []
    for action, stakes in turn.actions.items():
        if action != RAISE:
            found.append(Choice(action[0], action, 0))
        found += [Choice(_typed(times_of(round_, turn, stake), stake), action, stake) for stake in stakes]
    return found


def _typed(times: int, stake_cents: int) -> str:
    """A raise is typed as so many times, or as its amount where it is no whole number of times."""
    return str(times) if times else f"{stake_cents // 100}.{stake_cents % 100:02d}"


def times_of(round_: Round, turn: Turn, stake_cents: int) -> int:
    """How many times a raise is what the game says, else the seat's first wager; 0 where it is no whole number.

    Hold'em's PLAY is so many ANTEs.
    """
    first = next(bet.stake_cents for bet in round_.felt.bets if bet.seat == turn.seat)
    times, over = divmod(stake_cents, turn.unit_cents or first)
    return 0 if over else times
