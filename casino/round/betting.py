"""Wagers until "no more bets": placed, changed, withdrawn, and the progressive collected.

The refusals of a wager are ordered: a round that takes no bets first, then the wager itself, then the seat, then
the stake (tests/casino/round/test_betting.py walks them).
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from casino import events as e
from casino.eventstore.registry import Event
from casino.games.game import Placed
from casino.games.most_paid import OutcomesTogether, how_known
from casino.money import AMOUNT_MAX_CENTS
from casino.payout_events import ProgressiveMiscounted
from casino.refusal import Refused
from casino.round.state import PROGRESSIVE, Round, Standing, check_side_bet, evolve, not_over, side_bet_terms
from casino.side_bet_terms import LevelRates

WAGERS_MAX = 2_000
"""Wagers in one round, withdrawn ones included: more is a runaway device."""


class Asked(NamedTuple):
    """A wager as somebody asks for it."""

    seat: int
    wager: str
    stake_cents: int


def place_wagers(round_: Round, asked: Sequence[Asked]) -> list[Event]:
    """Put wagers on the layout, all of them or none."""
    events: list[Event] = []
    for one in asked:
        event = _placed(round_, one)
        events.append(event)
        round_ = evolve(round_, event)
    if not events:
        raise Refused("no_wagers", "Name at least one wager.")
    return events


def _placed(round_: Round, asked: Asked) -> e.WagerPlaced:
    _betting(round_)
    if round_.numbers >= WAGERS_MAX:
        raise Refused("too_many_wagers", f"Round {round_.id} has taken {WAGERS_MAX} wagers, the most it can.")
    wager = round_.game.wager(asked.wager, round_.setup)
    if wager.bet in round_.game.side_bets:
        check_side_bet(round_, wager.bet)
        side_bet_terms(round_, wager.bet)
    if not 1 <= asked.seat <= round_.opened.seats:
        raise Refused(
            "seat_out_of_range",
            f"Table {round_.id.table} has seats 1 to {round_.opened.seats}; there is no seat {asked.seat}.",
        )
    round_.game.check_seat(wager, _standing_wagers(round_), asked.seat, asked.stake_cents)
    exceptions = _exceptions(round_, asked.seat, wager.code, asked.stake_cents)
    return e.WagerPlaced(
        number=round_.numbers + 1,
        seat=asked.seat,
        wager=wager.code,
        as_given=asked.wager,
        stake_cents=asked.stake_cents,
        exceptions=exceptions,
    )


def change_wager(round_: Round, number: int, stake_cents: int) -> list[Event]:
    """Give a standing wager another stake."""
    _betting(round_)
    placed = _standing(round_, number).placed
    return [
        e.WagerChanged(
            number=number,
            seat=placed.seat,
            stake_before_cents=placed.stake_cents,
            stake_cents=stake_cents,
            exceptions=_exceptions(round_, placed.seat, placed.code, stake_cents, changed=number),
        )
    ]


def withdraw_wager(round_: Round, number: int) -> list[Event]:
    """Take a standing wager back."""
    _betting(round_)
    placed = _standing(round_, number).placed
    return [e.WagerWithdrawn(number=number, seat=placed.seat, stake_cents=placed.stake_cents)]


def _betting(round_: Round) -> None:
    not_over(round_)
    if round_.bets_closed:
        raise Refused("no_more_bets", f"Round {round_.id} takes no more bets.")


def _standing(round_: Round, number: int) -> Standing:
    if number not in round_.wagers:
        raise Refused("no_such_wager", f"Round {round_.id} has no standing wager number {number}.")
    return round_.wagers[number]


def _standing_wagers(round_: Round) -> list[Placed]:
    return [standing.placed for standing in round_.wagers.values()]


def _exceptions(round_: Round, seat: int, code: str, stake_cents: int, changed: int = 0) -> list[str]:
    """The marks of a stake; refuses one that no marks can excuse.

    A maximum counts all that the seat has on the spot, so that it is not evaded in parts, and the most paid in a round
    all wagers that stand, in the worst mix in which this one wins. `changed` is the wager that the stake replaces.
    """
    wager = round_.game.wager(code, round_.setup)
    if stake_cents <= 0:
        raise Refused("stake_not_positive", f"A stake must be above zero, and {code} has {stake_cents} cents.")
    if stake_cents > AMOUNT_MAX_CENTS:
        raise Refused("stake_too_large", f"A stake of {stake_cents} cents on {code} is more than anybody can mean.")
    if wager.bet in round_.game.side_bets:
        price = side_bet_terms(round_, wager.bet).stake_cents
        if stake_cents != price:
            raise Refused("side_bet_price", f"The {wager.bet} costs exactly {price} cents, not {stake_cents}.")
        return []
    marks = []
    beside = [standing for standing in round_.wagers.values() if standing.placed.number != changed]
    same = [one.placed for one in beside if one.placed.code == code and one.placed.seat == seat]
    mine = stake_cents + sum(one.stake_cents for one in same)
    limits = round_.opened.limits.get(wager.bet) if wager.limited else None
    if limits and mine > limits.max_cents:
        marks.append("over_maximum")
    if limits and stake_cents < limits.min_cents:
        marks.append("under_minimum")
    one, most_cents = Placed(changed, seat, code, stake_cents), wager.most_cents(stake_cents)
    if most_cents and _pays_too_much(round_, beside, one, most_cents):
        marks.append("payout_over_maximum")
    if marks and round_.opened.off_limits == "refuse":
        raise Refused(marks[0], f"{_off_limit_words(round_, code, stake_cents)} This table takes no such wager.")
    return marks


def _pays_too_much(round_: Round, beside: Sequence[Standing], one: Placed, most_cents: int) -> bool:
    """Whether the round could pay more than is posted when `one` wins, `most_cents` at most, beside those that stand.

    All of them winning their most at once is never less than what can be; only where that is too much is the game
    asked which outcomes there are. A game that can't tell is held to that upper bound.
    """
    limit = round_.opened.round_payout_max_cents
    if most_cents + sum(standing.most_cents for standing in beside) <= limit:
        return False
    if not isinstance(round_.game, OutcomesTogether):
        return True
    bets = [*(standing.placed for standing in beside), one]
    return round_.game.most_paid_cents(bets, one, round_.setup) > limit


def _off_limit_words(round_: Round, code: str, stake_cents: int) -> str:
    limits = round_.opened.limits.get(code.split(":")[0])
    posted = f"{limits.min_cents} to {limits.max_cents} cents a wager and " if limits else ""
    most = round_.opened.round_payout_max_cents
    paid = f"{most} cents paid in a round, by {how_known(round_.game)}"
    return f"A stake of {stake_cents} cents on {code} is off the posted limits ({posted}{paid})."


def warnings_of(round_: Round, events: Iterable[Event]) -> list[str]:
    """A sentence for every wager that was accepted off the limits: it is settled in full and marked."""
    return [
        f"Wager {event.number}: {_off_limit_words(round_, round_.wagers[event.number].placed.code, event.stake_cents)} "
        "It was accepted, will be settled in full and is marked as an exception."
        for event in events
        if isinstance(event, e.WagerPlaced | e.WagerChanged) and event.exceptions
    ]


def close_bets(round_: Round) -> list[Event]:
    """No more bets; what stands must fit together by the game's own rules."""
    _betting(round_)
    round_.game.check_bets(_standing_wagers(round_))
    stakes = sum(standing.placed.stake_cents for standing in round_.wagers.values())
    return [e.BetsClosed(wagers=len(round_.wagers), stakes_cents=stakes)]


def take_bets(round_: Round, asked: Sequence[Asked], without_wagers: bool = False) -> list[Event]:
    """All wagers of a round and "no more bets" in one, or nothing at all.

    A deal with no wager on the layout shows the game and serves nothing else, so it is said on purpose
    (`without_wagers`), else it is refused `layout_empty`.
    """
    events = place_wagers(round_, asked) if asked else []
    for event in events:
        round_ = evolve(round_, event)
    closed = close_bets(round_)
    if not round_.wagers and not without_wagers:
        sentence = f"No wager lies on the layout in round {round_.id}. Press again to deal it without one."
        raise Refused("layout_empty", sentence)
    return [*events, *closed]


def collect_progressive(round_: Round, count: int) -> list[Event]:
    """Take the progressive stakes off the felt; the chips counted must equal the wagers (COMAR 36.05.03.28A).

    A count that is off is an exception to be kept: `progressive_miscounted`, which `count_differs` puts in words.
    """
    not_over(round_)
    if not round_.bets_closed:
        raise Refused("bets_open", f"Round {round_.id} still takes bets; close them first.")
    if round_.collected:
        raise Refused("already_collected", f"The progressive of round {round_.id} is collected already.")
    placed = round_.of_phase(PROGRESSIVE)
    if count != len(placed):
        return [ProgressiveMiscounted(counted=count, wagers=len(placed))]
    if not placed:
        raise Refused("nothing_to_collect", f"Nobody made the progressive wager in round {round_.id}.")
    terms = side_bet_terms(round_, PROGRESSIVE)
    return [
        e.ProgressiveCollected(
            bet=PROGRESSIVE,
            link=terms.link,
            seats=sorted(p.seat for p in placed),
            stake_cents=terms.stake_cents,
            increment_bp=terms.increment_bp,
            hidden_bp=terms.hidden_bp,
            levels=[LevelRates(level.link, level.increment_bp, level.hidden_bp) for level in terms.levels],
        )
    ]


def count_differs(found: ProgressiveMiscounted) -> Refused:
    """How a miscount is said to whoever counted."""
    return Refused(
        "progressive_count_differs",
        f"{found.counted} progressive chip{'s were' if found.counted != 1 else ' was'} counted and {found.wagers} "
        f"wager{'s stand' if found.wagers != 1 else ' stands'}; find the difference before a card is dealt.",
        counted=found.counted,
        wagers=found.wagers,
    )
