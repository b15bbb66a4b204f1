"""Notes and chips as a form asks for them: how many pieces of each. Pure."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from casino.money import cents_of
from casino.refusal import Refused, in_quotes
from ledger.count_events import Contents

PIECES_MAX = 1_000_000


class Pieces(NamedTuple):
    """A row of the form: a denomination in cents, the field's name, and what was typed there."""

    cents: int
    name: str
    given: str


def rows(denominations: Iterable[int], given: Mapping[str, str]) -> list[Pieces]:
    """The form's rows, the dearest first."""
    return [
        Pieces(cents, f"pieces_{cents}", given.get(f"pieces_{cents}", "").strip())
        for cents in sorted(denominations, reverse=True)
    ]


def cents_by_denomination(denominations: Iterable[int], given: Mapping[str, str]) -> dict[str, int]:
    """What was typed, in cents by denomination; a field left empty is none. Refuses `odd_pieces`."""
    return {str(row.cents): row.cents * _whole(row) for row in rows(denominations, given) if row.given}


def _whole(row: Pieces) -> int:
    if not row.given.isascii() or not row.given.isdecimal() or int(row.given[:9]) > PIECES_MAX or len(row.given) > 9:
        raise Refused("odd_pieces", f"{in_quotes(row.given)} is no number of pieces; write a whole number like 24.")
    return int(row.given)


def amount(given: Mapping[str, str], name: str) -> int:
    """An amount that was typed, in cents; left empty it is nothing. Refuses `odd_amount`."""
    text = given.get(name, "").strip()
    return cents_of(text) if text else 0


def contents(denominations: Iterable[int], given: Mapping[str, str]) -> Contents:
    """What somebody typed of a box."""
    thing = given.get("foreign", "").strip()
    return Contents(
        currency=cents_by_denomination(denominations, given),
        checks_cents=amount(given, "checks"),
        promo_cents=amount(given, "promo"),
        foreign={thing: amount(given, "foreign_worth")} if thing else {},
    )
