"""What a terminal posts, read strictly: wagers line by line, cards as players write them, decisions. Pure."""

import re

from casino.games.cards import quoted
from casino.games.game import CHECK, FOLD, RAISE, CardEntry, DecisionEntry, Turn
from casino.refusal import Refused
from casino.round.awaited import Awaited
from casino.round.betting import Asked
from casino.round.state import Round

UNSEEN = "?"
LONGEST = 20_000
CARD = re.compile(r"[Xx][12]|[2-9TJQKAtjqka][shdcSHDC]|10[shdcSHDC]|\?")
WAGER_LINE = re.compile(r"(\d{1,2}) (\S{1,80}) (\d{1,12})", re.ASCII)


def wagers_of(text: str) -> list[Asked]:
    """`3 split:As+Ks 2500`, one wager a line: seat, code, cents. Refuses `odd_wager`."""
    found = []
    for line in text[:LONGEST].splitlines():
        match = WAGER_LINE.fullmatch(line.strip())
        if not match:
            raise Refused("odd_wager", f"{quoted(line)} is no wager; write a seat, the wager and its cents.")
        found.append(Asked(int(match[1]), match[2], int(match[3])))
    return found


def cards_of(text: str) -> list[str | None]:
    """`AsKd?X1` → As, Kd, a card that nobody has seen, joker 1; blanks between them do not matter.

    Refuses `odd_cards`.
    """
    text = "".join(text[:LONGEST].split())
    found = CARD.findall(text)
    if not found or "".join(found) != text:
        raise Refused("odd_cards", f"{quoted(text)} can't be read as cards; write them like AsKd9h, ? for one unseen.")
    return [None if card == UNSEEN else _card(card) for card in found]


def _card(text: str) -> str:
    rank, suit = text[:-1].upper().replace("10", "T"), text[-1].lower()
    return rank + suit


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
    for word in text[:LONGEST].lower().split():
        turn = round_.game.turn(felt, round_.setup)
        if turn is None:
            raise Refused("no_decision_due", f"Nobody is to decide where {quoted(word)} stands; the cards come first.")
        entry = _decision(round_, turn, word)
        found.append(entry)
        for fact in round_.game.decide(felt, round_.setup, entry):
            felt = felt.after(fact)
    return found


def _decision(round_: Round, turn: Turn, word: str) -> DecisionEntry:
    seat = turn.seat
    if word in ("c", "check"):
        return DecisionEntry(seat, CHECK)
    if word in ("f", "fold"):
        return DecisionEntry(seat, FOLD)
    by_times = {times_of(round_, turn, stake): stake for stake in turn.actions.get(RAISE, ())}
    number = word.removesuffix("x")
    if number.isascii() and number.isdecimal() and int(number) in by_times:
        return DecisionEntry(seat, RAISE, by_times[int(number)])
    known = ", ".join(f"{times}x" for times in by_times)
    raise Refused("odd_decision", f"Seat {seat} can't do {quoted(word)} now; write c to check, f to fold, or {known}.")


def times_of(round_: Round, turn: Turn, stake_cents: int) -> int:
    """How many times a raise is what the game says, else the seat's first wager; hold'em's PLAY is so many ANTEs."""
    first = next(bet.stake_cents for bet in round_.felt.bets if bet.seat == turn.seat)
    return stake_cents // (turn.unit_cents or first)
