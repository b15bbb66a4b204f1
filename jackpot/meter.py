"""A progressive meter in whole micro-units: contributions, hits, voids, returns, adjustments. Rules: books, section 5.

A cent at a basis point is exactly one micro-unit, so nothing on the way to a meter is ever rounded:

    contribution    increment -> main up to the posted limit, then overflow, by its named rule
                    hidden    -> reserve until it holds a full reset, then as the increment
                    the rest  -> house share
    hit             amount = main × fraction, cut to the cent; equal shares; odd cents by their named rule;
                    a 100 % win reseeds main with one reset, from the reserve first and then from seed
    void            increment <- overflow first, then main above its reset
                    hidden    <- reserve
                    what neither can give back is borne by the house share

Contributions only ever fill pools up to a mark and pass the excess on, which makes their order and their grouping
irrelevant: one by one or as one sum, the meter comes out the same to the micro-unit. Each function takes a meter
and returns the next one; each result is proven by `conserved` before anybody sees it.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

import msgspec

from casino.approval import Approval
from casino.money import MICROS_PER_CENT, ODD_CENTS_STAY_IN_METER, cut_to_cent, split_equally
from casino.refusal import Refused, in_quotes
from jackpot.events import (
    MAIN,
    OVERFLOW,
    OVERFLOW_KEPT,
    OVERFLOW_TO_HOUSE,
    OVERFLOW_TO_NEXT_METER,
    OVERFLOW_TO_RESERVE,
    RESERVE,
    JackpotHit,
    LinkSetUp,
    MeterAdjusted,
)

BP_IN_ALL = 10_000

RAISES = frozenset({"malfunction", "house_refill", "transfer_in", "opening_reading"})
LOWERS = frozenset({"malfunction", "posted_limit", "seed_recovered", "transfer_out"})
"""Why a pool may be adjusted upwards and downwards; besides these only a win and a void lower a meter."""


class MeterBroken(Exception):
    """The log and the arithmetic disagree: folding stops here, loudly, and nothing is stepped over."""


class Rates(NamedTuple):
    """Whole basis points of a stake, as the round pinned them: to the meter and, hidden, to its reserve.

    `taken_bp` is the part of the stake that is no business of this level: what feeds the others of its bank, and for a
    further level all that doesn't feed it. So the stakes of a bank are counted once, however many levels it has.
    """

    increment_bp: int
    hidden_bp: int
    taken_bp: int = 0


class Win(NamedTuple):
    """Seats that completed a rank in one round; they split that rank's part of the meter equally."""

    rank: str
    seats: tuple[int, ...]


class Meter(msgspec.Struct, frozen=True, kw_only=True):
    """One level of a bank at one position of the log; every amount is micro-units.

    Pools: `main` (shown to patrons), `reserve`, `overflow`; none is ever negative. `house_share` is the house's
    result on the stakes and may be, since a void after a hit is borne by it. Totals since the set-up: `stakes` less
    those voided, `seeds` put in by the house, net `adjustments`, `won` by hits that were not returned, `paid`, and
    `overflowed`, all that ever came above the limit, wherever it went.
    """

    link: str
    reset_micros: int
    limit_micros: int | None = None
    odd_cents: str = ODD_CENTS_STAY_IN_METER
    overflow_rule: str = OVERFLOW_KEPT
    main_micros: int = 0
    reserve_micros: int = 0
    overflow_micros: int = 0
    house_share_micros: int = 0
    stakes_micros: int = 0
    seeds_micros: int = 0
    adjustments_micros: int = 0
    won_micros: int = 0
    paid_micros: int = 0
    overflowed_micros: int = 0
    hits: int = 0

    @property
    def display_cents(self) -> int:
        """What the sign shows: main, cut down to the cent."""
        return cut_to_cent(self.main_micros)

    @property
    def payable_micros(self) -> int:
        """Won, not returned and not yet paid out."""
        return self.won_micros - self.paid_micros


def opened(set_up: LinkSetUp) -> Meter:
    """The meter of a new link: the house seeds the base."""
    base = set_up.base_cents * MICROS_PER_CENT
    return revised(_proven(Meter(link=set_up.code, reset_micros=0, main_micros=base, seeds_micros=base)), set_up)


def revised(meter: Meter, terms: LinkSetUp) -> Meter:
    """The meter under these parameters from now on; what it holds stays where it is."""
    limit = terms.limit_cents
    return msgspec.structs.replace(
        meter,
        reset_micros=terms.reset_cents * MICROS_PER_CENT,
        limit_micros=None if limit is None else limit * MICROS_PER_CENT,
        odd_cents=terms.odd_cents,
        overflow_rule=terms.overflow_rule,
    )


def contribute(meter: Meter, stakes_cents: int, rates: Rates) -> Meter:
    """Add collected stakes, of one round or the sum of many, under the rates those rounds pinned."""
    increment, hidden, house = _parts(stakes_cents, rates)
    kept = min(hidden, max(0, meter.reset_micros - meter.reserve_micros))
    fed = _changed(meter, stakes=increment + hidden + house, reserve=kept, house_share=house)
    return _proven(_poured(fed, increment + hidden - kept, OVERFLOW_POOLS.get(meter.overflow_rule, OVERFLOW)))


def reverse(meter: Meter, stakes_cents: int, rates: Rates) -> Meter:
    """Take back what a voided round contributed, under the rates it pinned.

    The hidden part is asked of the reserve even where a full reserve had passed it to main: the next stakes fill
    the reserve up again at the cost of main, and then both stand as if the round had never been.
    """
    increment, hidden, house = _parts(stakes_cents, rates)
    from_overflow = min(increment, meter.overflow_micros)
    from_main = min(increment - from_overflow, max(0, meter.main_micros - meter.reset_micros))
    from_reserve = min(hidden, meter.reserve_micros)
    stakes = increment + hidden + house
    borne = stakes - from_overflow - from_main - from_reserve
    return _proven(
        _changed(
            meter,
            stakes=-stakes,
            overflow=-from_overflow,
            overflowed=-from_overflow,
            main=-from_main,
            reserve=-from_reserve,
            house_share=-borne,
        )
    )


def hit(
    meter: Meter, *, at_position: int, round_key: str, rank: str, fraction: Fraction, seats: Sequence[int]
) -> tuple[Meter, JackpotHit]:
    """One rank wins `fraction` of the meter as it stands, which includes its own round's stakes (books, 5.4–5.5).

    Shares go to the seats in ascending order. A partial win leaves the meter where it falls, even below the reset.
    """
    winners = _winners(seats, rank, round_key)
    amount_cents = cut_to_cent(meter.main_micros * fraction.numerator // fraction.denominator)
    split = split_equally(amount_cents, len(winners), meter.odd_cents)
    won = sum(split.shares) * MICROS_PER_CENT
    reset = meter.reset_micros if fraction == 1 else 0
    from_reserve = min(meter.reserve_micros, reset)
    left = _changed(meter, main=-won, won=won, hits=1)
    reseeded = _changed(left, main=reset, reserve=-from_reserve, seeds=reset - from_reserve)
    after = _proven(_with_overflow(reseeded) if fraction == 1 else reseeded)
    return after, JackpotHit(
        link=meter.link,
        round=round_key,
        rank=rank,
        at_position=at_position,
        fraction=str(fraction),
        before_micros=meter.main_micros,
        amount_cents=amount_cents,
        players=len(winners),
        share_cents=amount_cents // len(winners),
        remainder_cents=split.remainder_cents,
        left_micros=meter.main_micros - won,
        from_reserve_micros=from_reserve,
        from_seed_micros=reset - from_reserve,
        after_micros=after.main_micros,
        seats=winners,
        shares_cents=split.shares,
    )


def hits(
    meter: Meter, *, at_position: int, round_key: str, wins: Sequence[Win], tiers: Mapping[str, Fraction]
) -> tuple[Meter, tuple[JackpotHit, ...]]:
    """All ranks won by one completed hand: highest fraction first, each on what the one before left (books, 5.6).

    Ranks of one fraction go in the order the game lists them, best rank first. `tiers` is what the round pinned.
    """
    for win in wins:
        if win.rank not in tiers:
            raise MeterBroken(f"Round {round_key} won {win.rank} on {meter.link}, which is no tier it pinned.")
    won: list[JackpotHit] = []
    for win in sorted(wins, key=lambda win: -tiers[win.rank]):
        meter, one = hit(
            meter,
            at_position=at_position,
            round_key=round_key,
            rank=win.rank,
            fraction=tiers[win.rank],
            seats=win.seats,
        )
        won.append(one)
    return meter, tuple(won)


def returned(meter: Meter, amount_cents: int) -> Meter:
    """Shares that nobody gets (denied, void, unclaimed) go to main now; the reseed and other hits stay (books, 5.9)."""
    amount = amount_cents * MICROS_PER_CENT
    if not 0 <= amount <= meter.payable_micros:
        raise MeterBroken(f"{amount_cents} cents cannot return to {meter.link}: that is not what is payable.")
    return _proven(_poured(_changed(meter, won=-amount), amount))


def paid(meter: Meter, amount_cents: int) -> Meter:
    """A share was handed over: the pools stay, only what is payable goes down."""
    amount = amount_cents * MICROS_PER_CENT
    if not 0 <= amount <= meter.payable_micros:
        raise MeterBroken(f"{amount_cents} cents cannot be paid on {meter.link}: that is not what is payable.")
    return _proven(_changed(meter, paid=amount))


def missed(meter: Meter, amount_cents: int) -> Meter:
    """A missed hit is owed from now on: from main down to its reset, the rest by the house (books, 5.9)."""
    amount = amount_cents * MICROS_PER_CENT
    from_main = min(amount, max(0, meter.main_micros - meter.reset_micros))
    return _proven(_changed(meter, main=-from_main, house_share=from_main - amount, won=amount, hits=1))


def shared(meter: Meter, amount_cents: int) -> Meter:
    """The share of a missed player is owed from now on, by the house alone."""
    amount = amount_cents * MICROS_PER_CENT
    return _proven(_changed(meter, house_share=-amount, won=amount))


def refilled(meter: Meter, amount_cents: int) -> Meter:
    """The house puts into main what was paid for no hit; what comes above the posted limit overflows."""
    amount = amount_cents * MICROS_PER_CENT
    return _proven(_poured(_changed(meter, house_share=-amount), amount))


def check_adjustment(meter: Meter, wanted: MeterAdjusted) -> MeterAdjusted:
    """The adjustment, if it may be made; else Refused. Two different people, evidence, and a reason of the list."""
    reasons = RAISES if wanted.micros > 0 else LOWERS
    if wanted.pool not in (MAIN, RESERVE, OVERFLOW):
        raise Refused(
            "unknown_pool", f"A meter has no pool {in_quotes(wanted.pool)}; adjust main, reserve or overflow."
        )
    if wanted.micros == 0:
        raise Refused("adjustment_zero", "An adjustment of zero changes nothing; give the micro-units to add or take.")
    if wanted.reason not in reasons:
        way = "raised" if wanted.micros > 0 else "lowered"
        raise Refused(
            "unknown_reason", f"A meter is not {way} for {in_quotes(wanted.reason)}; use {', '.join(sorted(reasons))}."
        )
    if not wanted.evidence.strip():
        raise Refused("evidence_missing", f"An adjustment of {meter.link} needs evidence; name the reading.")
    Approval(wanted.by, wanted.approved_by)  # refuses one person
    _check_bounds(meter, wanted)
    return wanted


def adjusted(meter: Meter, adjustment: MeterAdjusted) -> Meter:
    """The meter after an approved adjustment.

    Between the decision and its place in the log a hit may have lowered the pool: no more is taken than is there. What
    raises main above the posted limit overflows.
    """
    micros = max(adjustment.micros, -pools(meter)[adjustment.pool])
    entered = _changed(meter, adjustments=micros)
    if adjustment.pool == MAIN and micros > 0:
        return _proven(_poured(entered, micros))
    return _proven(_changed(entered, **{adjustment.pool: micros}))


def conserved(meter: Meter) -> bool:
    """Stakes + seeds + adjustments = main + reserve + overflow + house share + hits not returned (books, 5.12)."""
    put_in = meter.stakes_micros + meter.seeds_micros + meter.adjustments_micros
    return put_in == sum(pools(meter).values()) + meter.house_share_micros + meter.won_micros


def pools(meter: Meter) -> dict[str, int]:
    """Micro-units by pool name; several levels of a link are several of these."""
    return {MAIN: meter.main_micros, RESERVE: meter.reserve_micros, OVERFLOW: meter.overflow_micros}


def _check_bounds(meter: Meter, wanted: MeterAdjusted) -> None:
    now = pools(meter)[wanted.pool]
    limit = meter.limit_micros if wanted.pool == MAIN else None
    if now + wanted.micros < 0:
        raise Refused("pool_too_small", f"The {wanted.pool} of {meter.link} holds {now} micro-units; take no more.")
    if limit is not None and wanted.micros > 0 and now + wanted.micros > limit:
        raise Refused("over_limit", f"The posted limit of {meter.link} is {limit} micro-units; stay at or below it.")
    if wanted.reason == "transfer_out" and now + wanted.micros != 0:
        raise Refused("transfer_not_whole", f"A transfer takes the whole {wanted.pool}, all {now} micro-units.")


def _parts(stakes_cents: int, rates: Rates) -> tuple[int, int, int]:
    """Increment, hidden and house micro-units of a stake; together they are this level's part of it."""
    house_bp = BP_IN_ALL - sum(rates)
    if stakes_cents < 0 or min(*rates, house_bp) < 0:
        raise MeterBroken(f"{stakes_cents} cents at {rates} are no stakes that a round can have collected.")
    return stakes_cents * rates.increment_bp, stakes_cents * rates.hidden_bp, stakes_cents * house_bp


OVERFLOW_POOLS = {OVERFLOW_TO_RESERVE: RESERVE, OVERFLOW_TO_HOUSE: "house_share"}
"""Where a stake's overflow goes by the rules that don't keep it in a pool of its own."""


def _poured(meter: Meter, micros: int, pool: str = OVERFLOW) -> Meter:
    """`micros` into main up to the posted limit, the rest into `pool`."""
    limit = meter.limit_micros
    room = micros if limit is None else min(micros, max(0, limit - meter.main_micros))
    return _changed(meter, **{MAIN: room, pool: micros - room}, overflowed=micros - room)


def _with_overflow(meter: Meter) -> Meter:
    """A meter that was just reset, with what had overflowed poured in where the rule says so."""
    if meter.overflow_rule != OVERFLOW_TO_NEXT_METER:
        return meter
    limit, kept = meter.limit_micros, meter.overflow_micros
    room = kept if limit is None else min(kept, max(0, limit - meter.main_micros))
    return _changed(meter, main=room, overflow=-room)


def _winners(seats: Sequence[int], rank: str, round_key: str) -> tuple[int, ...]:
    if not seats or len(set(seats)) != len(seats):
        raise MeterBroken(
            f"Round {round_key} won {rank} with the seats {', '.join(map(str, seats))}: none is missing, none twice."
        )
    return tuple(sorted(seats))


def _changed(meter: Meter, hits: int = 0, **micros: int) -> Meter:
    fields: dict[str, Any] = {f"{name}_micros": getattr(meter, f"{name}_micros") + by for name, by in micros.items()}
    return msgspec.structs.replace(meter, hits=meter.hits + hits, **fields)


def _proven(meter: Meter) -> Meter:
    if not conserved(meter) or min(pools(meter).values()) < 0:
        raise MeterBroken(f"The meter of {meter.link} is not conserved: {meter}")
    return meter
