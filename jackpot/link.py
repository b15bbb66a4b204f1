"""The fold of a link: facts of its rounds and of its own stream, in the order of the log, to what stands now.

Position by position: stakes feed the meter, a completed hand fixes its hits, a void takes its stakes back, and what
the link's own stream says is checked against what the fold has computed. `JackpotHit` changes nothing here: the hit
counted where the hand was completed (Q), and the record of it must agree to the last micro-unit (books, 5.7).
"""

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any, NamedTuple, get_args

import msgspec

from casino.approval import Approval
from casino.refusal import Refused, in_quotes
from jackpot import control
from jackpot import meter as meters
from jackpot.control import Control
from jackpot.control_events import (
    ChangeApproved,
    ChangeDropped,
    ChangeMade,
    ChangeProposed,
    LevelAdded,
    LinkResumed,
    LinkRetired,
    LinkStopped,
    NoticePosted,
    RequestDeclined,
    RequestMade,
)
from jackpot.events import (
    RETURN_REASONS,
    JackpotHit,
    JackpotPaid,
    JackpotReturned,
    LinkSetUp,
    MeterAdjusted,
    TableJoined,
    TableLeft,
)
from jackpot.meter import Meter, MeterBroken, Rates, Win

OPEN, PAID, RETURNED = "open", "paid", "returned"


class Collected(NamedTuple):
    """P: stakes collected under one set of rates; of one round, or summed over rounds that follow each other.

    `wagers` counts them where somebody asks; the meter does not.
    """

    stakes_cents: int
    rates: Rates
    wagers: int = 0


class Completed(NamedTuple):
    """Q: a completed hand that won on this link; `tiers` is rank → part of the meter, as the round pinned it."""

    round: str
    wins: tuple[Win, ...]
    tiers: Mapping[str, Fraction]


class Voided(NamedTuple):
    """V: a round that was voided, with the stakes it had collected (0 where it had collected none)."""

    round: str
    stakes_cents: int
    rates: Rates


class Standing(msgspec.Struct, frozen=True):
    """A hit and where each winner's share is: `states` goes with the hit's seats. Announced = its record was read."""

    hit: JackpotHit
    states: tuple[str, ...]
    announced: bool = False

    @property
    def stands(self) -> bool:
        """Whether a share of it is open or paid; a hit that was returned as a whole binds nothing any more."""
        return any(state != RETURNED for state in self.states)


class Link(msgspec.Struct, frozen=True, kw_only=True):
    """A link at a position of the log: its own record, its meter, and the hits that further facts may name.

    A caller may leave out of `standing` what is on record and not named by the facts to come: the meter needs none
    of it.
    """

    control: Control
    meter: Meter
    position: int
    standing: tuple[Standing, ...] = ()

    @property
    def terms(self) -> LinkSetUp:
        """The parameters in force."""
        return self.control.terms

    @property
    def tables(self) -> frozenset[str]:
        """The tables that offer the link's bet."""
        return self.control.tables

    @property
    def due(self) -> tuple[JackpotHit, ...]:
        """Hits whose record is still to be appended, in the order of the completed hands."""
        return tuple(one.hit for one in self.standing if not one.announced)


RoundFact = Collected | Completed | Voided
LinkFact = (
    TableJoined
    | TableLeft
    | JackpotHit
    | JackpotPaid
    | JackpotReturned
    | MeterAdjusted
    | LevelAdded
    | ChangeProposed
    | ChangeApproved
    | ChangeDropped
    | ChangeMade
    | LinkStopped
    | LinkResumed
    | NoticePosted
    | LinkRetired
    | RequestMade
    | RequestDeclined
)


def begin(set_up: LinkSetUp, position: int) -> Link:
    """A link as its set-up leaves it."""
    return Link(control=Control(set_up), meter=meters.opened(set_up), position=position)


def apply(link: Link, position: int, fact: RoundFact | LinkFact) -> Link:
    """The link after `fact`, which the log holds at `position` (the last one of a sum of stakes).

    Raises MeterBroken where the log goes backwards or disagrees with the fold, Refused where a round is voided
    though its hit stands; either way the reader stops and steps over nothing.
    """
    if position <= link.position:
        raise MeterBroken(f"Position {position} of {link.terms.code} comes after {link.position}: the order is lost.")
    return msgspec.structs.replace(FOLD[type(fact)](link, position, fact), position=position)


def check_void(link: Link, round_key: str) -> None:
    """Refuse to void a round while a share of its hit is neither denied nor void (books, 5.8)."""
    if any(one.hit.round == round_key and one.stands for one in link.standing):
        raise Refused(
            "round_has_hit",
            f"Round {round_key} has a jackpot on link {link.terms.code}; deny or void the hit before the round.",
        )


def check_returned(link: Link, wanted: JackpotReturned) -> JackpotReturned:
    """The return, if it may be made; else Refused: open shares only, for a reason of the list, by two people."""
    standing = _open_shares(link, wanted.round, wanted.rank, wanted.seats)
    if wanted.reason not in RETURN_REASONS:
        raise Refused(
            "unknown_reason", f"A hit is not returned for {in_quotes(wanted.reason)}; use denied, void or unclaimed."
        )
    Approval(wanted.by, wanted.approved_by)  # refuses one person
    _check_amount(standing, wanted.seats, wanted.amount_cents)
    return wanted


def check_paid(link: Link, wanted: JackpotPaid) -> JackpotPaid:
    """The payment, if it may be made; else Refused: one open share, to the cent."""
    standing = _open_shares(link, wanted.round, wanted.rank, (wanted.seat,))
    _check_amount(standing, (wanted.seat,), wanted.amount_cents)
    return wanted


def _open_shares(link: Link, round_key: str, rank: str, seats: tuple[int, ...]) -> Standing:
    """The announced hit whose `seats` are all still open; nobody pays or denies what is not on record yet."""
    for one in link.standing:
        if one.announced and (one.hit.round, one.hit.rank) == (round_key, rank):
            break
    else:
        raise Refused("no_such_hit", f"Round {round_key} has no standing hit with {rank} on link {link.terms.code}.")
    open_seats = {seat for seat, state in zip(one.hit.seats, one.states, strict=True) if state == OPEN}
    if not seats or len(set(seats)) != len(seats) or not open_seats.issuperset(seats):
        raise Refused(
            "share_not_open", f"Seats {_listed(seats)} of round {round_key}: name shares that are still open."
        )
    return one


def _listed(seats: tuple[int, ...]) -> str:
    return ", ".join(map(str, seats))


def _check_amount(standing: Standing, seats: tuple[int, ...], amount_cents: int) -> None:
    due = sum(cents for seat, cents in zip(standing.hit.seats, standing.hit.shares_cents, strict=True) if seat in seats)
    if due != amount_cents:
        raise Refused("amount_differs", f"Seats {_listed(seats)} won {due} cents together, not {amount_cents}.")


def _collected(link: Link, position: int, fact: Collected) -> Link:
    return _with(link, meters.contribute(link.meter, fact.stakes_cents, fact.rates))


def _completed(link: Link, position: int, fact: Completed) -> Link:
    meter, won = meters.hits(link.meter, at_position=position, round_key=fact.round, wins=fact.wins, tiers=fact.tiers)
    return _with(link, meter, link.standing + tuple(Standing(hit, (OPEN,) * hit.players) for hit in won))


def _voided(link: Link, position: int, fact: Voided) -> Link:
    check_void(link, fact.round)
    return _with(link, meters.reverse(link.meter, fact.stakes_cents, fact.rates))


def _announced(link: Link, position: int, fact: JackpotHit) -> Link:
    """Records come in the order of the hits; the first that is due is the only one that fits."""
    if not link.due or link.due[0] != fact:
        raise MeterBroken(f"The log says {fact}, but the fold of {link.terms.code} has {link.due[:1]} due.")
    standing = _replaced(link, link.due[0], lambda one: msgspec.structs.replace(one, announced=True))
    return _with(link, link.meter, standing)


def _paid(link: Link, position: int, fact: JackpotPaid) -> Link:
    check_paid(link, fact)
    return _moved(link, meters.paid(link.meter, fact.amount_cents), fact.round, fact.rank, (fact.seat,), PAID)


def _returned(link: Link, position: int, fact: JackpotReturned) -> Link:
    check_returned(link, fact)
    return _moved(link, meters.returned(link.meter, fact.amount_cents), fact.round, fact.rank, fact.seats, RETURNED)


def _adjusted(link: Link, position: int, fact: MeterAdjusted) -> Link:
    return _with(_controlled(link, position, fact), meters.adjusted(link.meter, fact))


def _controlled(link: Link, position: int, fact: Any) -> Link:
    """What the link's own record says and its meter doesn't feel."""
    return msgspec.structs.replace(link, control=control.evolve(link.control, fact))


def _revised(link: Link, position: int, fact: ChangeMade) -> Link:
    """New parameters: from here on stakes are poured and hits reset by them."""
    link = _controlled(link, position, fact)
    return _with(link, meters.revised(link.meter, link.terms))


def _moved(link: Link, meter: Meter, round_key: str, rank: str, seats: tuple[int, ...], state: str) -> Link:
    """The shares of `seats` in a new state."""
    was = _open_shares(link, round_key, rank, seats)
    states = tuple(state if seat in seats else old for seat, old in zip(was.hit.seats, was.states, strict=True))
    standing = _replaced(link, was.hit, lambda one: msgspec.structs.replace(one, states=states))
    return _with(link, meter, standing)


def _replaced(link: Link, hit: JackpotHit, change: Callable[[Standing], Standing]) -> tuple[Standing, ...]:
    return tuple(change(one) if one.hit == hit else one for one in link.standing)


def _with(link: Link, meter: Meter, standing: tuple[Standing, ...] | None = None) -> Link:
    return msgspec.structs.replace(link, meter=meter, standing=link.standing if standing is None else standing)


FOLD: dict[type, Callable[[Link, int, Any], Link]] = {
    Collected: _collected,
    Completed: _completed,
    Voided: _voided,
    **dict.fromkeys(get_args(LinkFact), _controlled),
    ChangeMade: _revised,
    JackpotHit: _announced,
    JackpotPaid: _paid,
    JackpotReturned: _returned,
    MeterAdjusted: _adjusted,
}
