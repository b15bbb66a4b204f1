"""What late facts do to a table's day: applied one by one to the day as it was filed, each with its effect. Pure.

Applied all together they make the day as it is known now; nothing else does (books, 4.4).
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from ledger.figures import CORRECTED_BY, FIGURES, HANDLE, PERIOD_LEAVES, Amount, facts_from
from ledger.reconcile import Facts, Reconciled, reconcile

OPENED, CLOSED, COUNTED = "table_opened", "table_closed", "drop_counted"
WORDS = {
    "fill_received": "Late fill",
    "credit_removed": "Late credit",
    "slip_voided": "Slip voided late",
    "round_voided": "Round voided after the close",
    "wagers_settled": "Round settled after the close",
    "round_settled": "Round ended after the close",
    "progressive_collected": "Progressive collected after the close",
    "payout_recorded": "Dealer's payout put on record late",
    "jackpot_paid": "Jackpot payment put on record late",
    "winnings_paid_elsewhere": "Winnings paid elsewhere, put on record late",
    "cash_bought_in": "Late buy-in",
    "counter_check_issued": "Late counter check",
    "promo_taken": "Late promotional instrument",
    "coupon_settled": "Late coupon",
    "pit_redemption_taken": "Late redemption",
    OPENED: "Table opened after the close",
    CLOSED: "Late closer",
    COUNTED: "Late count",
    "count_corrected": "Count corrected",
    "emergency_box_placed": "Emergency box put on record late",
    CORRECTED_BY: "Entry corrected",
}
"""What an adjustment is, by the type of its event."""


class Fact(NamedTuple):
    """A late fact: its event's type, what it counts as (a correction: as what it corrects), session, in, out, box."""

    type: str
    counts_as: str
    session: int | None
    in_cents: int
    out_cents: int
    box: int = 1


@dataclass(frozen=True)
class TableDay:
    """A table's day in the parts that facts change: openers, closers by session; cents by kind of event; boxes."""

    openers: Mapping[int, int] = field(default_factory=dict)
    closers: Mapping[int, int] = field(default_factory=dict)
    cents: Mapping[str, int] = field(default_factory=dict)
    boxes: Mapping[int, int | None] = field(default_factory=dict)

    @property
    def counted_drop(self) -> int | None:
        """What all its boxes hold; None until every one of them is counted."""
        return drop_of(self.boxes)

    @property
    def facts(self) -> Facts | None:
        """Its facts; None while the table never opened."""
        if not self.openers:
            return None
        first, last = min(self.openers), max(self.openers)
        between = sum(cents for session, cents in self.openers.items() if session != first)
        between -= sum(cents for session, cents in self.closers.items() if session != last)
        cents = {leaf.code: self.cents.get(leaf.code, 0) for leaf in PERIOD_LEAVES}
        opener, closer = self.openers[first], self.closers.get(last)
        return facts_from(cents, opener=opener, between=between, closer=closer, counted_drop=self.counted_drop)

    @property
    def figures(self) -> dict[str, Amount]:
        """Every figure by its code; None where it is not known."""
        facts = self.facts
        if facts is None:
            return dict.fromkeys(FIGURES)
        result = reconcile(facts)
        return {code: self._value(code, result) for code in FIGURES}

    def _value(self, code: str, result: Reconciled) -> Amount:
        if code == "handle":
            return sum(sign * self.cents.get(leaf, 0) for leaf, sign in HANDLE.items())
        return FIGURES[code].value(result)


def drop_of(boxes: Mapping[int, int | None]) -> int | None:
    """What boxes hold together, in cents; None until there is one and every one of them is counted."""
    known = [cents for cents in boxes.values() if cents is not None]
    return sum(known) if boxes and len(known) == len(boxes) else None


def after(day: TableDay, fact: Fact) -> TableDay:
    """The day with one more fact."""
    match fact.type:
        case "table_opened":
            assert fact.session is not None
            return replace(day, openers={**day.openers, fact.session: fact.in_cents})
        case "table_closed":
            assert fact.session is not None
            return replace(day, closers={**day.closers, fact.session: fact.out_cents})
        case "drop_counted":
            return replace(day, boxes={**day.boxes, fact.box: fact.in_cents})
        case "count_corrected":
            return replace(day, boxes={**day.boxes, fact.box: (day.boxes.get(fact.box) or 0) + fact.in_cents})
        case "emergency_box_placed":
            return replace(day, boxes={**dict.fromkeys(range(1, fact.box + 1)), **day.boxes})
    moved = {
        leaf.code: day.cents.get(leaf.code, 0) + (fact.in_cents if leaf.side == "in" else fact.out_cents)
        for leaf in PERIOD_LEAVES
        if leaf.type == fact.counts_as
    }
    return replace(day, cents={**day.cents, **moved})


RESULTS = {
    "game-result", "estimated-win", "win", "between", "box-difference", "tray-difference", "win-difference",
}  # fmt: skip
"""The figures that are the house's gain or loss."""


class Effect(NamedTuple):
    """What a fact changed of one figure."""

    code: str
    name: str
    before: Amount
    after: Amount

    @property
    def is_share(self) -> bool:
        return FIGURES[self.code].is_share

    @property
    def is_result(self) -> bool:
        """Whether more of it is the house's gain: of a tray or a drop it is neither gain nor loss."""
        return self.code in RESULTS

    @property
    def difference(self) -> Amount:
        """None where either is not known."""
        return None if self.before is None or self.after is None else self.after - self.before


def effects(before: TableDay, now: TableDay) -> list[Effect]:
    """Every figure that differs, in the order of the figures."""
    was, is_ = before.figures, now.figures
    return [Effect(code, FIGURES[code].name, was[code], is_[code]) for code in FIGURES if was[code] != is_[code]]


def one_by_one(day: TableDay, facts: Iterable[Fact]) -> list[list[Effect]]:
    """The effects of each fact, in order."""
    found = []
    for fact in facts:
        following = after(day, fact)
        found.append(effects(day, following))
        day = following
    return found
