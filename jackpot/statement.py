"""The statement of a meter, line by line and exact per pool: what each fact did to each of its pools. Pure.

    closing = opening + increments + reseeds + returns + transfers in − wins − void reversals − overflow − transfers out
              ± approved adjustments                                                            (books, section 5)

A line carries its own sign, so that an opening and all lines of a pool add up to its closing. What came above the
posted limit stands as an increment of main and leaves it again as overflow; where it went, it comes in as overflow.
Beside the pools of the meter stand `payable` (won, not paid yet) and the house's side: `seeds`, `house_share` and the
`stakes`.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from jackpot.correction_events import JackpotMissed, JackpotRefilled, PlayerMissed
from jackpot.events import MAIN, OVERFLOW, RESERVE, JackpotPaid, JackpotReturned, LinkSetUp, MeterAdjusted
from jackpot.link import Collected, Completed, Voided
from jackpot.meter import Meter

PAYABLE, HOUSE_SHARE, SEEDS, STAKES = "payable", "house_share", "seeds", "stakes"
POOLS = (MAIN, RESERVE, OVERFLOW)
ACCOUNTS = (*POOLS, PAYABLE, HOUSE_SHARE, SEEDS, STAKES)

INCREMENTS, RESEEDS, RETURNS, TRANSFERS_IN, WINS = "increments", "reseeds", "returns", "transfers_in", "wins"
VOID_REVERSALS, OVERFLOWS, TRANSFERS_OUT, ADJUSTMENTS = "void_reversals", "overflow", "transfers_out", "adjustments"
PAYMENTS, CORRECTIONS = "payments", "corrections"
LINES = (
    INCREMENTS, RESEEDS, RETURNS, TRANSFERS_IN, WINS, VOID_REVERSALS, OVERFLOWS, TRANSFERS_OUT, ADJUSTMENTS,
    CORRECTIONS, PAYMENTS,
)  # fmt: skip
"""In the order of the formula; then corrections of paid jackpots, and payments, which move what is payable only."""

Lines = dict[tuple[str, str], int]
"""(account, line) → micro-units, with the line's sign; lines of nothing are left out."""


def lines_of(fact: Any, before: Meter | None, after: Meter) -> Lines:
    """What one fact did, or several stakes together. Their sum is the difference of the meters, account by account."""
    moved = {account: _of(after, account) - (_of(before, account) if before else 0) for account in ACCOUNTS}
    lines = dict.fromkeys(((account, _line(fact, account)) for account in ACCOUNTS), 0)
    for account, micros in moved.items():
        lines[account, _line(fact, account)] = micros
    _split_overflow(lines, fact, moved, before, after)
    _split_wins(lines, fact, moved)
    return {key: micros for key, micros in lines.items() if micros}


def total(lines: Iterable[tuple[tuple[str, str], int]]) -> Lines:
    """Lines of many facts added up."""
    found: Lines = {}
    for key, micros in lines:
        found[key] = found.get(key, 0) + micros
    return found


def balances(lines: Mapping[tuple[str, str], int]) -> dict[str, int]:
    """What the lines make of each account."""
    found = dict.fromkeys(ACCOUNTS, 0)
    for (account, _), micros in lines.items():
        found[account] += micros
    return found


def _of(meter: Meter, account: str) -> int:
    return int(getattr(meter, f"{account}_micros"))


def _line(fact: Any, account: str) -> str:
    """The line of the formula that a kind of fact belongs to."""
    if isinstance(fact, MeterAdjusted):
        return {"transfer_in": TRANSFERS_IN, "transfer_out": TRANSFERS_OUT}.get(fact.reason, ADJUSTMENTS)
    if isinstance(fact, Completed):
        return WINS if account in (MAIN, PAYABLE) else RESEEDS
    return LINE_OF.get(type(fact), ADJUSTMENTS)


LINE_OF: dict[type, str] = {
    LinkSetUp: RESEEDS,
    Collected: INCREMENTS,
    Voided: VOID_REVERSALS,
    JackpotReturned: RETURNS,
    JackpotPaid: PAYMENTS,
    **dict.fromkeys((JackpotMissed, PlayerMissed, JackpotRefilled), CORRECTIONS),
}


def _split_overflow(lines: Lines, fact: Any, moved: Mapping[str, int], before: Meter | None, after: Meter) -> None:
    """What came above the limit went through main: it is in main's line and out again, and in where it went."""
    over = after.overflowed_micros - (before.overflowed_micros if before else 0)
    if not over or isinstance(fact, Voided):
        return
    went = OVERFLOW if moved[OVERFLOW] else RESERVE if after.overflow_rule == "overflow_to_reserve" else HOUSE_SHARE
    for account, micros in ((MAIN, -over), (went, over)):
        lines[account, OVERFLOWS] = lines.get((account, OVERFLOWS), 0) + micros
        lines[account, _line(fact, account)] -= micros


def _split_wins(lines: Lines, fact: Any, moved: Mapping[str, int]) -> None:
    """A win takes from main and a reset puts in; overflow that joins the next meter is neither."""
    if not isinstance(fact, Completed):
        return
    won, released = moved[PAYABLE], -moved[OVERFLOW]
    lines[MAIN, WINS] = -won
    lines[MAIN, OVERFLOWS] = released
    lines[MAIN, RESEEDS] = moved[MAIN] + won - released
    lines[OVERFLOW, OVERFLOWS] = lines.pop((OVERFLOW, RESEEDS), 0)
