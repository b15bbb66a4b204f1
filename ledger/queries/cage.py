"""The cage to look at: its float by denomination, and what moved it on a gaming day."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime

from django.db.models import Count, Sum

from casino.eventstore import history
from casino.eventstore.follower import position_of
from casino.money import written
from ledger.cage_board import CAGE
from ledger.models import CageChip, CageEntry

ENTRIES_SHOWN = 300
KINDS = {
    "chips_sold": "Chips sold",
    "chips_redeemed": "Chips redeemed",
    "counter_check_redeemed": "Counter check redeemed",
    "counter_check_deposited": "Counter check deposited",
    "chips_put_in_service": "Chips put into service",
    "chips_taken_out_of_service": "Chips taken out of service",
    "cage_counted": "Cage counted",
    "cage_entry_voided": "Entry voided",
    "fill_sent": "Fill sent",
    "credit_received": "Credit received",
    "slip_voided": "Fill voided, chips back",
    "winnings_paid_elsewhere": "Winnings paid for a table",
    "entry_corrected": "Winnings paid, put right",
    "jackpot_paid": "Jackpot paid",
    "drop_accepted": "Drop taken over",
}
"""What moved the cage, by the word of its event."""


@dataclass(frozen=True)
class ChipFloat:
    """The float as the cage's follower has read it, the dearest chip first."""

    chips: list[CageChip]
    position: int
    last_counted_at: datetime | None

    @property
    def derived_cents(self) -> int:
        return sum(chip.derived_cents for chip in self.chips)

    @property
    def counted_cents(self) -> int:
        return sum(chip.counted_cents for chip in self.chips)


def chip_float() -> ChipFloat:
    """The cage's chips, derived from events and as last counted."""
    counted = CageEntry.objects.filter(kind="cage_counted").order_by("-position").values_list("at", flat=True).first()
    chips = [c for c in CageChip.objects.order_by("-chip_cents") if c.derived_cents or c.counted_cents]
    return ChipFloat(chips, position_of(CAGE.name), counted)


def entries_of(day: date) -> list[CageEntry]:
    """What moved the cage on a gaming day, newest first."""
    return list(CageEntry.objects.filter(gaming_date=day).order_by("-position")[:ENTRIES_SHOWN])


def voided_among(entries: Sequence[CageEntry]) -> set[int]:
    """The positions of those entries that never were, by the voids among them: a void is of its entry's day."""
    voids = [entry.position for entry in entries if entry.kind == "cage_entry_voided"]
    return {entry.event.voids for entry in history.at(voids)} if voids else set()


def sums_of(day: date) -> list[tuple[str, int, int, int]]:
    """By kind of entry: its name, how many, chips and cash, in cents."""
    sums = CageEntry.objects.filter(gaming_date=day).values("kind").order_by("kind")
    found = sums.annotate(n=Count("position"), chips=Sum("chips_cents"), cash=Sum("cash_cents"))
    return [(KINDS[one["kind"]], one["n"], one["chips"], one["cash"]) for one in found]


def below_zero() -> list[tuple[str, str]]:
    """For the watch: each denomination that the record has less than none of, with a sentence (CAGE_FINDINGS)."""
    return [
        (
            f"{chip.chip_cents}",
            f"By the record the cage has {written(chip.derived_cents)} in chips of {written(chip.chip_cents)}, and it "
            "can't hold less than none: something came to it that nobody recorded. Count the cage.",
        )
        for chip in CageChip.objects.filter(derived_cents__lt=0).order_by("chip_cents")
    ]
