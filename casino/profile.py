"""What regulators ask for, as data: one file a jurisdiction in `casino/profiles/`, federal rules beside. Pure.

A rule that differs between jurisdictions is a named field here and nowhere a constant. Sources stand in the files.
"""

import tomllib
from collections.abc import Sequence
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any, Literal

import msgspec

from casino.refusal import Refused, in_quotes

FOLDER = Path(__file__).parent / "profiles"
FEDERAL = "_united_states"


class SlipRules(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Who signs a fill or credit slip, in order, by role; and how many sign its void.

    The order has the cage before the table in a fill and after it in a credit: the last signature ends the transfer.
    `requester_may_verify`: whether the floorperson who asked for it may also sign for the floor.
    """

    signatures: tuple[str, ...]
    void_signatures: int
    none_before_roll_minutes: int = 0
    requester_may_verify: bool = False


class VarianceStep(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """From a difference above `over_cents` on, these are told; an incident report may be due besides."""

    over_cents: int
    notify: tuple[str, ...]
    incident_report_hours: int | None = None


class InventoryRules(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How many people count a tray, and what an opener that differs from the last closer sets off."""

    counted_by: int
    closed_table_form_daily: bool
    variance: tuple[VarianceStep, ...]


class LimitRules(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The notice before limits change where somebody plays."""

    notice_minutes: int


class CounterCheckRules(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Where a counter check may be redeemed in the pit."""

    redeemed_in_pit: Literal["same_pit_same_day", "anywhere"]


class BoxRules(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The least number of people who carry boxes, and who count them."""

    drop_team: int
    count_team: int


class CageRules(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """From which unresolved difference the cage reports, and how soon."""

    variance_report_cents: int
    variance_report_hours: int


class JackpotRules(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """By amount: who hears of a payout, who approves it, how it is paid; and when it is unclaimed.

    `notice_days` is how long before patrons are told of a link's transfer, retirement or removal from a table, and
    `linked_tables_least` how many tables a removal leaves on it.
    """

    surveillance_from_cents: int
    second_approval_from_cents: int
    cheque_from_cents: int
    unclaimed_after_days: int
    notice_days: int = 0
    linked_tables_least: int = 0


class HoldRules(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Which test a month's hold is put to, and against which base; in a house's first year that is the month before.

    `points` are percentage points of hold, or per cent of the base where `mode` is relative.
    """

    test: Literal["interval", "points", "interval_and_points"]
    base: Literal["prior_year", "prior_month"]
    points: int = 3
    mode: Literal["points", "relative"] = "points"


class RetentionRules(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How long the books are kept."""

    books_years: int


class CurrencyRules(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Cash of one person on one gaming day, in and out apart: logged from, warned from, reported *over*."""

    report_over_cents: int
    log_from_cents: int
    warn_from_cents: int


class PayoutDocumentRule(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """From a day on: a payout of at least this, and at least so many times its stake, gets a document."""

    from_: date = msgspec.field(name="from")
    least_cents: int
    least_times_stake: int


class Profile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """All rules of one jurisdiction."""

    name: str
    fill: SlipRules
    credit: SlipRules
    inventory: InventoryRules
    limits: LimitRules
    counter_checks: CounterCheckRules
    boxes: BoxRules
    cage: CageRules
    jackpots: JackpotRules
    hold: HoldRules
    retention: RetentionRules
    currency: CurrencyRules
    payout_document: tuple[PayoutDocumentRule, ...]

    def variance_step(self, difference_cents: int) -> VarianceStep | None:
        """What an opener's difference sets off; None when it is within what the profile lets pass."""
        passed = [step for step in self.inventory.variance if abs(difference_cents) > step.over_cents]
        return max(passed, key=lambda step: step.over_cents, default=None)

    def needs_payout_document(self, payout_cents: int, stake_cents: int, day: date) -> bool:
        """Whether a payout (stake not counted) on a gaming day gets a payout document and a W-2G mark."""
        rule = max((r for r in self.payout_document if r.from_ <= day), key=lambda r: r.from_)
        return payout_cents >= rule.least_cents and payout_cents >= rule.least_times_stake * stake_cents


def codes() -> Sequence[str]:
    """The profiles there are."""
    return sorted(path.stem for path in FOLDER.glob("*.toml") if path.stem != FEDERAL)


@cache
def load(code: str) -> Profile:
    """The profile of a jurisdiction; refuses `unknown_profile`."""
    if code not in codes():
        raise Refused("unknown_profile", f"{in_quotes(code)} is not a profile; choose from {', '.join(codes())}.")
    return msgspec.convert(_read(FEDERAL) | _read(code), Profile)


def _read(name: str) -> dict[str, Any]:
    return tomllib.loads((FOLDER / f"{name}.toml").read_text())
