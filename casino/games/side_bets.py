"""What games share that offer a progressive: the bet's name, the ways in which a wager wins, and what that is worth.

Whether all players share one hand or each has its own, a game says it as `Share`s; all further mathematics follows
from these and from the tiers, without a game's name.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from casino.games.game import Share, SideBetWin
from casino.games.lines import fields, whole_number
from casino.money import split_equally
from casino.refusal import Refused

PROGRESSIVE = "progressive"
"""The bet that is collected before a card is dealt and won from a meter; also its phase, which nobody settles."""

PRICE_CENTS = 100
"""What the wager costs in a dry run; at a table its link says so."""

METER_MOST_CENTS = 10**15

Tiers = Mapping[str, Fraction]
"""Rank → the part of the meter that it wins, best rank first."""


class Worth(NamedTuple):
    """What one wager can expect: `of_meter` × the meter it meets + `of_reset` × the amount a full win resets it to."""

    of_meter: Fraction
    of_reset: Fraction


def order_of_payment(tiers: Tiers) -> list[str]:
    """The ranks as they are paid when one round has several: highest part first, then as the game lists them."""
    return sorted(tiers, key=lambda rank: -tiers[rank])


def worth(shares: Iterable[Share], tiers: Tiers) -> Worth:
    """The expectation of one wager over all its ways to win; a rank that is no tier wins nothing."""
    of_meter = of_reset = Fraction(0)
    for share in shares:
        part = share.chance * tiers.get(share.rank, Fraction(0)) / share.players
        left = met(share.after, tiers)
        of_meter += part * left.of_meter
        of_reset += part * left.of_reset
    return Worth(of_meter, of_reset)


def met(after: Sequence[str], tiers: Tiers) -> Worth:
    """What a rank meets once the ranks before it were paid: less of the meter, or the reset after a full win."""
    left = Worth(Fraction(1), Fraction(0))
    for rank in after:
        part = tiers.get(rank, Fraction(0))
        if part == 1:
            left = Worth(Fraction(0), Fraction(1))
        else:
            left = Worth(left.of_meter * (1 - part), left.of_reset * (1 - part))
    return left


def chances(shares: Iterable[Share]) -> dict[str, Fraction]:
    """Rank → the chance that one wager completes it."""
    found: dict[str, Fraction] = {}
    for share in shares:
        found[share.rank] = found.get(share.rank, Fraction(0)) + share.chance
    return found


def tier_report(name: str, tiers: Tiers, shares_among: Callable[[int], Sequence[Share]], most: int) -> dict[str, Any]:
    """What `manage.py paytable` prints of a set of tiers, for 1 to `most` wagers a round; fractions as "a/b".

    A meter breaks even at 1 ÷ of_meter stakes. Where a win can come after a full one in the same round, the break-even
    rests on the link's reset besides, and stands on the meter's page.
    """
    worths = {wagers: worth(shares_among(wagers), tiers) for wagers in range(1, most + 1)}
    even = {str(wagers): Fraction(1, one.of_meter) for wagers, one in worths.items() if not one.of_reset}
    return {
        "tiers": name,
        "parts": {rank: _over(part) for rank, part in tiers.items()},
        "win_probability": _over(sum(chances(shares_among(1)).values(), Fraction(0))),
        "q": _over(worths[1].of_meter),
        "break_even_meter": {wagers: _over(meter) for wagers, meter in even.items()},
        "worth": {str(n): {"of_meter": _over(w.of_meter), "of_reset": _over(w.of_reset)} for n, w in worths.items()},
    }


def _over(value: Fraction) -> str:
    return f"{value.numerator}/{value.denominator}"


def dry_jackpot(wins: Sequence[SideBetWin], tiers: Tiers, terms: Mapping[str, Any]) -> "DryJackpot":
    """What `wins` take from the meter of a dry run; `terms` is what `dry_terms` has read.

    Each amount is cut down to the cent before it is split, and the odd cents of the split stay in the meter.
    """
    meter, reset = terms["meter_cents"], terms.get("reset_cents", 0)
    hits, reseed = [], 0
    for win in sorted(wins, key=lambda win: order_of_payment(tiers).index(win.rank)):
        meter += reseed
        split = split_equally(int(meter * tiers[win.rank]), len(win.seats))
        meter -= sum(split.shares)
        reseed = reset if tiers[win.rank] == 1 else 0
        hits.append(DryHit(win.rank, win.seats, split.shares[0]))
    return DryJackpot(tuple(hits), meter)


class DryHit(NamedTuple):
    """A rank that won in a dry run, and what each of its seats gets."""

    rank: str
    seats: tuple[int, ...]
    share_cents: int


class DryJackpot(NamedTuple):
    """All hits of a dry run, in the order of payment; `left_cents` is before a reseed that no further hit met."""

    hits: tuple[DryHit, ...]
    left_cents: int

    def answer(self) -> dict[str, int]:
        """As `manage.py settle` shows it; `share_cents` is a seat's share of the rank paid first, 0 without a hit."""
        return {
            "share_cents": self.hits[0].share_cents if self.hits else 0,
            "paid_cents": sum(hit.share_cents * len(hit.seats) for hit in self.hits),
            "meter_after_cents": self.left_cents,
        }


def dry_terms(value: object) -> Mapping[str, Any]:
    """`{"tiers", "meter_cents", "reset_cents"?}` of a dry run: the meter that the first hit meets, and its reset.

    Refuses `bad_meter` and what `fields` refuses; the tiers' name is the game's to check.
    """
    terms = fields(value, "progressive", ("tiers", "meter_cents"), ("reset_cents",))
    for name in ("meter_cents", "reset_cents"):
        if name in terms:
            whole_number(terms[name], name, "bad_meter", 0, METER_MOST_CENTS)
    return terms


def check_price(stake_cents: int, what: str) -> None:
    """Refuse a progressive wager of a dry run that does not cost exactly its price: `progressive_stake`."""
    if stake_cents != PRICE_CENTS:
        sentence = f"The progressive is exactly {PRICE_CENTS} cents; {what} stakes {stake_cents}."
        raise Refused("progressive_stake", sentence)
