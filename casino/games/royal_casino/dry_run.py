"""One round of plain data, settled without a table: what `manage.py settle` does with a line."""

import re
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from casino.games.cards import DECK_52, card, quoted
from casino.games.game import FOLD
from casino.games.lines import fields, identity, listed, whole_number
from casino.games.poker import best_of, rank_of
from casino.games.royal_casino import progressive
from casino.games.royal_casino.bets import ANTE, BLIND, BONUS, PLAY
from casino.games.royal_casino.paytables import BLIND_RANKS, BONUS_RANKS, PAYTABLES, REGULATION, Pays, Paytable
from casino.games.royal_casino.positions import FLOP, SEATS_MAX
from casino.games.royal_casino.settlement import Showdown, qualifies, returned
from casino.games.side_bets import PROGRESSIVE, check_price, dry_jackpot, dry_terms
from casino.refusal import Refused

STAKE_MOST_CENTS = 10**11
PAYS_MOST = 100_000
TIMES = {"4x": 4, "3x": 3, "2x": 2, "1x": 1, FOLD: 0}
ANNOTATIONS = ("note", "expect")
"""A line may carry a note and the answer expected; neither changes what is answered."""

_DECK = frozenset(DECK_52)
_FRACTION = re.compile(r"[0-9]{1,6}/[1-9][0-9]{0,5}")


def settle_line(line: Mapping[str, Any]) -> dict[str, Any]:
    """Settle `{"id", "board", "bank", "seats"}` with, optionally, what the text below names besides.

    `seats` are `{"seat", "cards", "ante_cents", "blind_cents", "bonus_cents"?, "progressive_cents"?, "action"}`, the
    action one of 4x, 3x, 2x, 1x and fold. `bonus_pays` and `blind_pays` map ranks to what they pay to 1, a whole number
    or text like "3/2"; left out, they are the house's, and `payout_rounding_cents` is one. `progressive` is
    `{"tiers", "meter_cents", "reset_cents"?}`, the meter that a hit meets; the board's first three cards are the flop.
    Answers `id`, `bank_qualifies`, `bank_rank`, `seats`, and `jackpot` where `progressive` is given. Raises `Refused`.
    """
    optional = ("bonus_pays", "blind_pays", "payout_rounding_cents", PROGRESSIVE, *ANNOTATIONS)
    fields(line, "The line", ("id", "board", "bank", "seats"), optional)
    name = identity(line["id"])
    pays = _paytable(line)
    rounding = line.get("payout_rounding_cents", 1)
    whole_number(rounding, "payout_rounding_cents", "bad_rounding", 1, STAKE_MOST_CENTS)
    taken: dict[str, str] = {}
    board, bank = _hand(line["board"], "board", 5, taken), _hand(line["bank"], "bank", 2, taken)
    best = best_of((*board, *bank)).value
    seats = [_seat(given, number, taken) for number, given in enumerate(listed(line["seats"], "seats"), start=1)]
    _check_seats(seats)
    answers = [
        _settled(seat, Showdown(best_of((*board, *seat["cards"])).value, best, seat["action"] == FOLD), pays, rounding)
        for seat in seats
    ]
    answer: dict[str, Any] = {"id": name, "bank_qualifies": qualifies(best), "bank_rank": best.name, "seats": answers}
    if PROGRESSIVE in line:
        answer["jackpot"] = _jackpot(board, seats, line[PROGRESSIVE])
    elif any(seat.get("progressive_cents") for seat in seats):
        raise Refused("progressive_missing", "A progressive wager needs progressive, with tiers and meter_cents.")
    return answer


def _jackpot(board: Sequence[str], seats: Sequence[Mapping[str, Any]], given: object) -> dict[str, Any]:
    """The sums, and rank by rank in the order of payment who won what."""
    terms = dry_terms(given)
    parts = progressive.tiers(terms["tiers"])
    ranks = {
        seat["seat"]: rank_of((*seat["cards"], *board[: len(FLOP)])) for seat in seats if seat.get("progressive_cents")
    }
    jackpot = dry_jackpot(progressive.wins_among(ranks), parts, terms)
    return {**jackpot.answer(), "hits": [hit._asdict() for hit in jackpot.hits]}


def _settled(seat: Mapping[str, Any], showdown: Showdown, pays: Paytable, rounding: int) -> dict[str, Any]:
    stakes = {
        ANTE: seat["ante_cents"],
        BLIND: seat["blind_cents"],
        PLAY: TIMES[seat["action"]] * seat["ante_cents"],
        BONUS: seat.get("bonus_cents", 0),
    }
    result, cents = {}, {}
    for code in (ANTE, BLIND, PLAY, BONUS):
        none = ("none", 0)
        result[code], cents[code] = returned(code, stakes[code], showdown, pays, rounding) if stakes[code] else none
    return {
        "seat": seat["seat"],
        "rank": showdown.hand.name,
        "winner": showdown.winner,
        "result": result,
        "returned_cents": cents,
    }


def _hand(value: object, what: str, count: int, taken: dict[str, str]) -> tuple[str, ...]:
    """Cards of the deck that nobody else has; refuses `wrong_number_of_cards`, `unknown_card` and `card_twice`."""
    cards = listed(value, what)
    if len(cards) != count:
        raise Refused("wrong_number_of_cards", f"The {what} has {len(cards)} cards; it takes {count}.")
    for one in cards:
        name = card(one, _DECK)
        if name in taken:
            raise Refused("card_twice", f"{name} is in the {what} and in the {taken[name]}; a deck has one.", card=name)
        taken[name] = what
    return tuple(cards)


def _seat(value: object, number: int, taken: dict[str, str]) -> Mapping[str, Any]:
    what = f"Seat entry {number}"
    given = fields(
        value, what, ("seat", "cards", "ante_cents", "blind_cents", "action"), ("bonus_cents", "progressive_cents")
    )
    seat = whole_number(given["seat"], f"The seat of entry {number}", "seat_out_of_range", 1, SEATS_MAX)
    _hand(given["cards"], f"hand of seat {seat}", 2, taken)
    ante = whole_number(given["ante_cents"], f"The ANTE of seat {seat}", "bad_stake", 1, STAKE_MOST_CENTS)
    blind = whole_number(given["blind_cents"], f"The BLIND of seat {seat}", "bad_stake", 1, STAKE_MOST_CENTS)
    if ante != blind:
        sentence = f"BLIND equals ANTE, but seat {seat} has {blind} cents on BLIND and {ante} on ANTE."
        raise Refused("blind_differs", sentence, seat=seat)
    whole_number(given.get("bonus_cents", 0), f"The BONUS of seat {seat}", "bad_stake", 0, STAKE_MOST_CENTS)
    if given.get("progressive_cents", 0) != 0:
        check_price(given["progressive_cents"], f"seat {seat}")
    if not isinstance(given["action"], str) or given["action"] not in TIMES:
        sentence = f"Seat {seat} can't {quoted(given['action'])}; the actions are {', '.join(TIMES)}."
        raise Refused("unknown_action", sentence)
    return given


def _check_seats(seats: Sequence[Mapping[str, Any]]) -> None:
    if not seats:
        raise Refused("no_seats", "The line has no seat; a round needs a hand against the bank.")
    numbers = [seat["seat"] for seat in seats]
    for number in numbers:
        if numbers.count(number) > 1:
            raise Refused("seat_twice", f"Seat {number} is there twice; a seat has one hand.", seat=number)


def _paytable(line: Mapping[str, Any]) -> Paytable:
    house = PAYTABLES[REGULATION]
    return Paytable(
        blind=_pays(line["blind_pays"], "blind_pays", BLIND_RANKS) if "blind_pays" in line else house.blind,
        bonus=_pays(line["bonus_pays"], "bonus_pays", BONUS_RANKS) if "bonus_pays" in line else house.bonus,
    )


def _pays(value: object, what: str, ranks: Sequence[str]) -> Pays:
    """Rank → to 1; a rank left out pays nothing. Refuses `bad_pays` and what `fields` refuses."""
    given = fields(value, what, (), ranks)
    odds = {rank: _odds(given[rank], f"{what} of {rank}") for rank in ranks if rank in given}
    return {rank: to_one for rank, to_one in odds.items() if to_one}


def _odds(value: object, what: str) -> Fraction:
    if isinstance(value, str) and _FRACTION.fullmatch(value):
        return Fraction(value)
    return Fraction(whole_number(value, what, "bad_pays", 0, PAYS_MOST))
