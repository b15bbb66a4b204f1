"""The fold of a link: facts of its rounds and of its own stream, in the order of the log, to what stands now.

Position by position: stakes feed the meter, a completed hand fixes its hits, a void takes its stakes back, and what
the link's own stream says is checked against what the fold has computed. `JackpotHit` changes nothing here: the hit
counted where the hand was completed (Q), and the record of it must agree to the last micro-unit (books, 5.7).
"""

from collections.abc import Callable, Iterable, Mapping
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
from jackpot.correction_events import HitInBetween, InBetweenSettled, JackpotMissed, JackpotRefilled, PlayerMissed
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

OPEN, PAID, REFILLED, RETURNED = "open", "paid", "refilled", "returned"
HIT, MISSED_HIT, MISSED_PLAYER = "hit", "missed_hit", "missed_player"


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
    """A hit and where each winner's share is: `states` goes with the hit's seats. Announced = its record was read.

    `kind` says whether the fold found it at Q, or a correction added it at `added_at`; then `from_house_micros` is what
    the house pays of it, and the amounts of the pools are those of the correction.
    """

    hit: JackpotHit
    states: tuple[str, ...]
    announced: bool = False
    kind: str = HIT
    added_at: int = 0
    from_house_micros: int = 0

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
    | JackpotMissed
    | PlayerMissed
    | JackpotRefilled
    | HitInBetween
    | InBetweenSettled
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
    shares = _shares(link, wanted.round, wanted.rank, wanted.seats, OPEN)
    if wanted.reason not in RETURN_REASONS:
        raise Refused(
            "unknown_reason", f"A hit is not returned for {in_quotes(wanted.reason)}; use denied, void or unclaimed."
        )
    Approval(wanted.by, wanted.approved_by)  # refuses one person
    _check_amount(shares, wanted.amount_cents)
    return wanted


def check_paid(link: Link, wanted: JackpotPaid) -> JackpotPaid:
    """The payment, if it may be made; else Refused: one open share, to the cent."""
    _check_amount(_shares(link, wanted.round, wanted.rank, (wanted.seat,), OPEN), wanted.amount_cents)
    return wanted


def _shares(link: Link, round_key: str, rank: str, seats: tuple[int, ...], state: str) -> dict[int, int]:
    """Seat → cents of shares on record that are all in `state`; nobody pays or denies what is not on record yet."""
    records = [one for one in link.standing if one.announced and (one.hit.round, one.hit.rank) == (round_key, rank)]
    if not records:
        raise Refused("no_such_hit", f"Round {round_key} has no standing hit with {rank} on link {link.terms.code}.")
    found = {
        seat: cents
        for one in records
        for seat, cents, now in zip(one.hit.seats, one.hit.shares_cents, one.states, strict=True)
        if now == state
    }
    if not seats or len(set(seats)) != len(seats) or not found.keys() >= set(seats):
        raise Refused(
            f"share_not_{state}", f"Seats {_listed(seats)} of round {round_key}: name shares that are still {state}."
        )
    return {seat: found[seat] for seat in seats}


def _listed(seats: Iterable[int]) -> str:
    return ", ".join(map(str, seats))


def _check_amount(shares: Mapping[int, int], amount_cents: int) -> None:
    due = sum(shares.values())
    if due != amount_cents:
        raise Refused("amount_differs", f"Seats {_listed(shares)} won {due} cents together, not {amount_cents}.")


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
    return _moved(link, meters.paid(link.meter, fact.amount_cents), fact.round, fact.rank, (fact.seat,), OPEN, PAID)


def _returned(link: Link, position: int, fact: JackpotReturned) -> Link:
    check_returned(link, fact)
    return _moved(
        link, meters.returned(link.meter, fact.amount_cents), fact.round, fact.rank, fact.seats, OPEN, RETURNED
    )


def _missed(link: Link, position: int, fact: JackpotMissed) -> Link:
    owed = sum(fact.shares_cents)
    return _added(link, position, fact, meters.missed(link.meter, owed), fact.amount_cents, fact.shares_cents)


def _shared(link: Link, position: int, fact: PlayerMissed) -> Link:
    shares = (fact.share_cents,) * len(fact.seats)
    return _added(link, position, fact, meters.shared(link.meter, sum(shares)), sum(shares), shares)


def _added(
    link: Link,
    position: int,
    fact: JackpotMissed | PlayerMissed,
    after: Meter,
    amount_cents: int,
    shares: tuple[int, ...],
) -> Link:
    """Shares that a correction owes: a record of their own beside the hit's, open from here on."""
    is_hit = isinstance(fact, JackpotMissed)
    hit = JackpotHit(
        link=fact.link, round=fact.round, rank=fact.rank, at_position=fact.at_position, fraction=fact.fraction,
        before_micros=fact.before_micros, amount_cents=amount_cents, players=len(shares), share_cents=fact.share_cents,
        remainder_cents=amount_cents - sum(shares), left_micros=after.main_micros, from_reserve_micros=0,
        from_seed_micros=0, after_micros=after.main_micros, seats=fact.seats, shares_cents=shares,
    )  # fmt: skip
    one = Standing(
        hit, (OPEN,) * len(shares), announced=True, kind=MISSED_HIT if is_hit else MISSED_PLAYER, added_at=position,
        from_house_micros=link.meter.house_share_micros - after.house_share_micros,
    )  # fmt: skip
    return _with(_controlled(link, position, fact), after, (*link.standing, one))


def _refilled(link: Link, position: int, fact: JackpotRefilled) -> Link:
    _check_amount(_shares(link, fact.round, fact.rank, fact.seats, PAID), fact.amount_cents)
    after = meters.refilled(link.meter, fact.amount_cents)
    moved = _moved(link, after, fact.round, fact.rank, fact.seats, PAID, REFILLED)
    return _controlled(moved, position, fact)


def _adjusted(link: Link, position: int, fact: MeterAdjusted) -> Link:
    return _with(_controlled(link, position, fact), meters.adjusted(link.meter, fact))


def _controlled(link: Link, position: int, fact: Any) -> Link:
    """What the link's own record says and its meter doesn't feel."""
    return msgspec.structs.replace(link, control=control.evolve(link.control, fact))


def _revised(link: Link, position: int, fact: ChangeMade) -> Link:
    """New parameters: from here on stakes are poured and hits reset by them."""
    link = _controlled(link, position, fact)
    return _with(link, meters.revised(link.meter, link.terms))


def _moved(
    link: Link, meter: Meter, round_key: str, rank: str, seats: tuple[int, ...], before: str, after: str
) -> Link:
    """The shares of `seats`, all of them in one state, in another."""

    def of(one: Standing) -> Standing:
        if not one.announced or (one.hit.round, one.hit.rank) != (round_key, rank):
            return one
        states = zip(one.hit.seats, one.states, strict=True)
        return msgspec.structs.replace(
            one, states=tuple(after if seat in seats and old == before else old for seat, old in states)
        )

    return _with(link, meter, tuple(map(of, link.standing)))


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
    JackpotMissed: _missed,
    PlayerMissed: _shared,
    JackpotRefilled: _refilled,
}
