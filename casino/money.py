"""Whole-number money: cents at the table, micro-units on a meter. No float ever holds money.

Every rounding rule of the product has a name here; ARCHITECTURE.md shows them in one table.
"""

import re
from fractions import Fraction
from typing import NamedTuple

from casino.refusal import Refused, in_quotes

MICROS_PER_CENT = 10_000
"""A micro-unit is one millionth of the currency, so a cent is ten thousand of them (books, 5.1)."""

ODD_CENTS_STAY_IN_METER = "odd_cents_stay_in_meter"
ODD_CENTS_TO_LOWEST_SEAT = "odd_cents_to_lowest_seat"


class Split(NamedTuple):
    """A payout shared out: `shares` in seat order, and the cents that stay with the payer."""

    shares: tuple[int, ...]
    remainder_cents: int


def cut_to_cent(micros: int) -> int:
    """The whole cents in `micros` micro-units (rule `cut_to_cent`); the rest stays where it was."""
    if micros < 0:
        raise ValueError("A meter is never negative.")
    return micros // MICROS_PER_CENT


def winnings(stake_cents: int, odds: Fraction, smallest_cents: int = 1) -> int:
    """What `stake_cents` wins at `odds` to 1, cut down to `smallest_cents` (rule `payout_rounding`)."""
    return stake_cents * odds.numerator // (odds.denominator * smallest_cents) * smallest_cents


def split_equally(amount_cents: int, players: int, rule: str = ODD_CENTS_STAY_IN_METER) -> Split:
    """Share `amount_cents` among `players` in whole cents; shares + remainder always make the amount.

    The sheet says "split equally" and nothing of odd cents, so the rule has a name: by default they stay in
    the meter; `odd_cents_to_lowest_seat` adds one cent each to the first shares instead.
    """
    if players < 1 or amount_cents < 0:
        raise ValueError("A split needs at least one player and an amount of zero or more.")
    share, odd = divmod(amount_cents, players)
    if rule == ODD_CENTS_STAY_IN_METER:
        return Split((share,) * players, odd)
    if rule == ODD_CENTS_TO_LOWEST_SEAT:
        return Split(tuple(share + (i < odd) for i in range(players)), 0)
    raise ValueError(f"There is no odd-cent rule named {rule!r}.")


AMOUNT_MAX_CENTS = 100_000_000_000
"""A thousand million of the currency: anything above is a slip of the hand, not a stake or a count."""


def check_amount(amount_cents: int, what: str) -> int:
    """Refuse an amount that is not above zero or absurdly large; `what` begins the sentence."""
    if amount_cents <= 0:
        raise Refused("amount_not_positive", f"{what} must be above zero, and it is {amount_cents} cents.")
    if amount_cents > AMOUNT_MAX_CENTS:
        raise Refused("amount_too_large", f"{what} of {amount_cents} cents is more than the house can mean.")
    return amount_cents


def written(cents: int) -> str:
    """Cents as people write them: thousands apart, two decimals, a true minus. `-123456` is `−1,234.56`."""
    whole, odd = divmod(abs(cents), 100)
    return f"{'−' if cents < 0 else ''}{whole:,}.{odd:02d}"


AMOUNT = re.compile(r"(\d{1,3}(?:,\d{3}){1,3}|\d{1,12})(?:\.(\d{2}))?", re.ASCII)


def cents_of(text: str) -> int:
    """An amount as people write it, in cents: `25`, `12.50` and `12,400.50`; zero is one, a minus is none.

    A comma stands between thousands and nowhere else: `12,50` may be meant for 12.50, so it is refused `odd_amount`.
    """
    match = AMOUNT.fullmatch(text.strip())
    if not match:
        how = "write it like 12400 or 12,400.50, with a point before the cents and commas between thousands only"
        raise Refused("odd_amount", f"{in_quotes(text.strip())} is not an amount; {how}.")
    return int(match[1].replace(",", "")) * 100 + int(match[2] or 0)
