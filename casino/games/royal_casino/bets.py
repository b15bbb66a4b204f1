"""The circles in front of a seat: ANTE and BLIND, equal; BONUS and the progressive, if wanted; PLAY, by a decision."""

from collections.abc import Sequence

from casino.games.cards import quoted
from casino.games.game import Placed, Wager
from casino.games.royal_casino.paytables import Paytable
from casino.games.side_bets import PROGRESSIVE
from casino.refusal import Refused

ANTE, BLIND, BONUS, PLAY = "ante", "blind", "bonus", "play"
CODES = (ANTE, BLIND, BONUS, PLAY, PROGRESSIVE)
PLAY_MOST_TIMES = 4
SHOWDOWN = "showdown"
"""All but the progressive are settled together, once the bank's hand is up."""


def wager_of(text: object, pays: Paytable) -> Wager:
    """The wager of this code; refuses `unknown_wager`.

    Posted limits speak of ANTE and BONUS. An ANTE fixes its BLIND and how high PLAY may be, so the most that a hand
    can win is said of it: its own even money, BLIND's best rank, and PLAY at 4 times.
    """
    if text == PROGRESSIVE:
        return Wager(PROGRESSIVE, PROGRESSIVE, PROGRESSIVE, None)
    hand = 1 + max(pays.blind.values()) + PLAY_MOST_TIMES
    most = {ANTE: hand, BLIND: None, BONUS: max(pays.bonus.values()), PLAY: None}
    if not isinstance(text, str) or text not in most:
        raise Refused("unknown_wager", f"There is no wager {quoted(text)}; the wagers are {', '.join(CODES)}.")
    return Wager(text, text, SHOWDOWN, most[text], limited=text in (ANTE, BONUS))


def check_seat(code: str, standing: Sequence[Placed], seat: int, stake_cents: int) -> None:
    """One hand a seat, and BLIND as high as ANTE. Refuses `play_by_decision`, `second_<code>` and `blind_differs`.

    One progressive wager is one player of a split, so a seat has one.
    """
    if code == PLAY:
        sentence = f"PLAY is put down with a decision, after the cards; seat {seat} begins with ANTE and BLIND."
        raise Refused("play_by_decision", sentence, seat=seat)
    mine = {placed.code: placed.stake_cents for placed in standing if placed.seat == seat}
    if code in mine:
        if code == PROGRESSIVE:
            sentence = f"Seat {seat} has its progressive wager already; one a seat is all a round takes."
        else:
            sentence = f"Seat {seat} has its {code.upper()} already; a seat plays one hand. Change the stake instead."
        raise Refused(f"second_{code}", sentence, seat=seat)
    other = {ANTE: BLIND, BLIND: ANTE}.get(code)
    if other in mine and mine[other] != stake_cents:
        raise _differs(seat, {other: mine[other], code: stake_cents})


def check_bets(standing: Sequence[Placed]) -> None:
    """Somebody has a hand, and every seat with chips has ANTE and BLIND, equal.

    Refuses `no_hands`, `ante_missing`, `blind_missing` and `blind_differs`.
    """
    if not standing:
        raise Refused("no_hands", "Nobody has an ANTE, so there is no hand to deal; take one, or void the round.")
    by_seat: dict[int, dict[str, int]] = {}
    for placed in standing:
        by_seat.setdefault(placed.seat, {})[placed.code] = placed.stake_cents
    for seat, stakes in sorted(by_seat.items()):
        for code in (ANTE, BLIND):
            if code not in stakes:
                sentence = f"Seat {seat} has no {code.upper()}; a hand takes ANTE and BLIND, equal, or no wager at all."
                raise Refused(f"{code}_missing", sentence, seat=seat)
        if stakes[ANTE] != stakes[BLIND]:
            raise _differs(seat, stakes)


def _differs(seat: int, stakes: dict[str, int]) -> Refused:
    sentence = f"BLIND equals ANTE, but seat {seat} has {stakes[BLIND]} cents on BLIND and {stakes[ANTE]} on ANTE."
    return Refused("blind_differs", sentence, seat=seat)
