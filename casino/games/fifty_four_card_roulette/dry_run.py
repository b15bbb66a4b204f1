"""One round of plain data, settled without a table: what `manage.py settle` does with a line."""

from collections.abc import Mapping, Sequence
from typing import Any

from casino.games.fifty_four_card_roulette import procedure
from casino.games.fifty_four_card_roulette.paytables import tiers
from casino.games.game import CardEntry, Felt, Game, Placed, Setup
from casino.games.lines import fields, identity, listed, whole_number
from casino.games.side_bets import PROGRESSIVE, check_price, dry_jackpot, dry_terms
from casino.refusal import Refused

STAKE_MOST_CENTS = 10**11
ROULETTE_POSITION = 2
"""The sheet's own way: the second card is the Roulette Card, where a line doesn't say otherwise."""

ANNOTATIONS = ("note", "expect")
"""A line may carry a note and the answer expected; neither changes what is answered."""


def settle_line(game: Game, line: Mapping[str, Any]) -> dict[str, Any]:
    """Settle `{"id", "cards", "wagers", "roulette_position"?, "progressive"?}`.

    Five cards in the order dealt; `wagers` are `{"seat", "wager", "stake_cents"}`; `progressive` is
    `{"tiers", "meter_cents"}`, the meter that a hit meets. Answers `id`, `rank`, `lines` in the order received, left
    out where every wager is progressive, and `jackpot` where `progressive` is given. Raises `Refused`.
    """
    fields(line, "The line", ("id", "cards", "wagers"), ("roulette_position", "progressive", *ANNOTATIONS))
    setup = Setup(game.paytables[0], game.layouts[0], procedure.DRAWN_POSITION)
    answer: dict[str, Any] = {"id": identity(line["id"])}
    felt = _felt(game, setup, line)
    wagers = listed(line["wagers"], "wagers")
    placed = _placed(game, setup, wagers)
    progressive_seats = [one.seat for one in placed if one.code == PROGRESSIVE]
    reading = game.reading(felt, setup)
    answer["rank"] = reading.rank if reading else None
    if not placed or len(progressive_seats) < len(placed):
        answer["lines"] = _lines(game, setup, felt, placed, wagers)
    if "progressive" in line:
        answer["jackpot"] = _jackpot(game, setup, felt, progressive_seats, line["progressive"])
    elif progressive_seats:
        raise Refused("progressive_missing", "A progressive wager needs progressive, with tiers and meter_cents.")
    return answer


def _felt(game: Game, setup: Setup, line: Mapping[str, Any]) -> Felt:
    cards = listed(line["cards"], "cards")
    if len(cards) != 5:
        raise Refused("not_five_cards", f"The line has {len(cards)} cards; a round has five.")
    position = line.get("roulette_position", ROULETTE_POSITION)
    felt = Felt()
    for card in cards:
        if card is None:
            raise Refused("unknown_card", "A card is null; a dry run needs all five cards.")
        felt = _after(felt, game.record_cards(felt, setup, [CardEntry(card)]))
    return _after(felt, game.draw(felt, setup, position))


def _after(felt: Felt, facts: Sequence[Any]) -> Felt:
    for fact in facts:
        felt = felt.after(fact)
    return felt


def _placed(game: Game, setup: Setup, wagers: Sequence[Any]) -> list[Placed]:
    placed: list[Placed] = []
    for number, given in enumerate(wagers, start=1):
        what = f"Wager {number}"
        given = fields(given, what, ("seat", "wager", "stake_cents"))
        seat = whole_number(given["seat"], f"The seat of wager {number}", "seat_out_of_range", 1, game.seats_max)
        wager = game.wager(given["wager"], setup)
        stake = whole_number(given["stake_cents"], f"The stake of wager {number}", "bad_stake", 1, STAKE_MOST_CENTS)
        if wager.bet == PROGRESSIVE:
            check_price(stake, f"wager {number}")
        game.check_seat(wager, placed, seat)
        placed.append(Placed(number, seat, wager.code, stake))
    return placed


def _lines(
    game: Game, setup: Setup, felt: Felt, placed: Sequence[Placed], wagers: Sequence[Any]
) -> list[dict[str, Any]]:
    lines = [line for phase in game.phases for line in game.settle(phase, placed, felt, setup)]
    return [
        {"wager": wagers[line.number - 1]["wager"], "result": line.result, "returned_cents": line.returned_cents}
        for line in sorted(lines, key=lambda line: line.number)
    ]


def _jackpot(game: Game, setup: Setup, felt: Felt, seats: Sequence[int], given: object) -> dict[str, int]:
    terms = dry_terms(given)
    parts = tiers(terms["tiers"])
    return dry_jackpot(game.side_bet_wins(PROGRESSIVE, seats, felt, setup), parts, terms).answer()
